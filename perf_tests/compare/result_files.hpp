// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <compare/timing.hpp>

namespace heddle::perf
{

// The rows of files that --json wrote; of a folder all its *.jsonl. Rows of the machine's
// self-check, of the command read and of peers are no results and left out. Files from before rows
// had a layout are understood: none means row, and an implementation that ends in _col was
// column-major. Throws FileError where a file cannot be read, ParseError with file and line where a
// row is malformed.
std::vector<Timing> read_timings(std::vector<std::string> const& paths);

} // namespace heddle::perf
