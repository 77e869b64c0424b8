// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/entry_range.hpp>

#include <string>
#include <vector>

namespace heddle::perf
{

// What the command line of zoo asks for.
struct ZooSettings
{
  std::string part;                  // tuning or validation; empty: both
  std::vector<std::string> families; // empty: all
  EntryRange entries;                // expected
  std::string real;                  // a folder of real matrices; empty: none
  std::string make;                  // the folder where matrices are written; empty: none
  bool has_list = false;             // prints the table although matrices are made
  std::string json;
};

} // namespace heddle::perf
