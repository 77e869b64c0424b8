// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/entry_range.hpp>

#include <string>
#include <vector>

#include <report/result.hpp>

namespace heddle::perf
{

// What the command line of report asks for.
struct ReportSettings
{
  std::vector<std::string> paths; // files that --json wrote, and folders of such
  std::string out;                // the page
  std::string times;              // the table of times as text; empty: none
  bool is_square_only = false;
  EntryRange entries;
  bool is_iterative = false; // charges a transposition where C has another layout than B

  bool keeps(Result const& result) const;
};

} // namespace heddle::perf
