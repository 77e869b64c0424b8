// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/watchdog.hpp>

#include <functional>

namespace heddle::perf
{

// What the shell is told; docs/heddle_perf.md lists them.
enum ExitCode
{
  success = 0,
  wrong_result = 1,
  wrong_usage = 2,
  unreadable_file = 3,
  no_memory = 4,
  other_failure = 5,
  slower = 6, // heddle_report/compare.py
  out_of_time = 7,
  case_too_long = Watchdog::exit_code
};

// Prints one line to standard error and returns the code. Throws nothing: main calls it last.
int fail(int code, char const* message) noexcept;

// The code that work returns; what it throws is said in one line and has a code of its own.
int exit_code_of(std::function<int()> const& work) noexcept;

} // namespace heddle::perf
