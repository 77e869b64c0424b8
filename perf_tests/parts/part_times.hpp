// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/process_group.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::perf
{

// What a process tells the others of its part, in memory that they share.
struct PartTimes
{
  std::int64_t nnz = 0, places = 0; // places: entries with their padding
  double plan_ms = 0, residual = 0;
  double ms = 0;                   // of a call on this process's own device, the others at work
  double begin = 0, end = 0;       // of the last round, in milliseconds of the machine's clock
  std::array<char, 256> problem{}; // why there are no times; empty if there are

  void fail(std::string const& reason)
  {
    problem.fill('\0');
    std::copy_n(reason.begin(), std::min(reason.size(), problem.size() - 1), problem.begin());
  }
};

using PartGroup = ProcessGroup<PartTimes>;

} // namespace heddle::perf
