// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <analyze/analysis.hpp>

namespace heddle::perf
{

// Adds what results say of the analysed matrix on that device: times of heddle::auto that --json
// wrote, and bytes of device memory that scripts/paper_003.sh had counted (rows of operation
// "counted"). A path is a file, or a folder with all its *.jsonl; of several rows the last counts.
// Throws InvalidArgument where no row is of this matrix, value type, number of columns and device;
// FileError and ParseError as for_each_row does.
void add_measured(MatrixAnalysis& analysis, std::string const& device,
                  std::vector<std::string> const& paths);

} // namespace heddle::perf
