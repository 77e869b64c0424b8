// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <string>
#include <vector>

#include <report/contenders.hpp>
#include <report/result.hpp>

namespace heddle::perf
{

// What paper 004 sets side by side: each of our implementations and each serial code, and of a
// library the fastest of its algorithms on each matrix, of cuSPARSE those of each format apart.
struct Kernel
{
  Contender contender;             // the results with times
  std::array<std::string, 3> head; // of a column: format, library or backend, name
  std::vector<Result> skipped;     // one a problem, where there is no time
};

// Of results of one section: ours, then libraries, then serial code, each in the order of results.
std::vector<Kernel> kernels_of(std::vector<Result> const& results);

} // namespace heddle::perf
