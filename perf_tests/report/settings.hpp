// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace heddle::perf
{

// What the command line of report asks for.
struct ReportSettings
{
  std::vector<std::string> files; // that --json wrote
  std::string out;                // the page
};

} // namespace heddle::perf
