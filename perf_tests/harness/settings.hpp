// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::perf
{

// What becomes of the rows that a file of results has already.
enum class Keep
{
  nothing,  // the file is made anew
  others,   // a row of a case that is run again is replaced
  finished, // and cases that this build has rows of are not run again
};

// What the command line asks for.
struct Settings
{
  std::vector<std::string> files;
  std::vector<std::string> gallery;
  std::vector<int> widths{32, 128}; // k of SpMM
  std::vector<std::string> types{"f64"};
  std::vector<std::string> ops{"n"};
  std::vector<std::string> layouts{"row"};
  std::vector<std::string> implementations{"auto"};
  std::vector<std::string> baselines{"kk"};
  int runs = 20;
  bool is_cold = false;    // also times calls that find nothing in the caches
  bool has_memory = false; // also measures what SpGEMM takes beyond A, B and C
  double budget_s = 5.0;   // a case that is slower than this makes fewer runs, but at least 5
  bool is_brief =
      false; // at least 3, of slow cases one, and plans of heddle::auto alone are repeated
  bool has_tables = true; // prints one for each group of cases
  std::string json;
  Keep keep = Keep::nothing;
  std::map<std::string, std::string> library_versions{}; // by the beginning of rows' names
  double time_limit_s = 0;                               // of the whole command; 0: none
  double case_limit_s = 0; // of a case: the program ends where it takes longer; 0: none

  bool wants_baseline(std::string const& name) const;
  bool wants(std::string const& implementation) const; // by name, or all
};

} // namespace heddle::perf
