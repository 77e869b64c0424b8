// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <analyze/analysis.hpp>

namespace heddle::perf
{

// What the command line of analyze asks for.
struct AnalyzeSettings
{
  std::vector<std::string> files, gallery; // one matrix
  std::string out;                         // the page
  std::string machine;                     // a file of write_machine; empty: this one, measured
  AnalysisSettings analysis;
};

} // namespace heddle::perf
