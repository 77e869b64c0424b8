// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace heddle::perf
{

// The timed calls of a case, in milliseconds.
struct Times
{
  double min_ms = 0, q1_ms = 0, median_ms = 0, q3_ms = 0; // the least and the quartiles
  double mean_ms = 0;
  int runs = 0;
};

// Quartiles between two calls are interpolated linearly. There is at least one call.
Times times_summary(std::vector<double> milliseconds);

// Why times say little about the code that was timed, empty where they do not. waiting: which part
// of the time the process' threads waited for a core, 0 to 1.
std::string noise_of(Times const& times, double waiting);

} // namespace heddle::perf
