// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>

namespace heddle::perf
{

// Something to time. Its functions may throw: the case is then skipped with the message.
struct Candidate
{
  std::string implementation;
  std::string index_types;
  std::function<void()> plan;   // analysis, timed apart; may be empty
  std::function<void()> run;    // the operation
  std::function<void()> finish; // brings the result where it is checked, not timed; may be empty
  std::string layout_c = {};    // of SpMM: that of C where it is not that of B
  std::function<double()> heavy_share = {}; // of SpMM with A in row segments, once there is a plan
  std::function<std::string()> chosen = {}; // of heddle::auto: the kernel that the plan took
};

} // namespace heddle::perf
