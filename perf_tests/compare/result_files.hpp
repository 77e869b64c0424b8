// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <compare/timing.hpp>

namespace heddle::perf
{

struct ReadTimings
{
  std::vector<Timing> timings;
  // A sentence for each file with rows that are no times of a kind that can be compared: what they
  // are. Self-checks of the machine, which stand beside results, need none.
  std::vector<std::string> left_out;
};

// The rows of files that --json wrote; of a folder all its *.jsonl. Files from before rows had a
// layout are understood: none means row, and an implementation that ends in _col was column-major.
// Throws FileError where a file cannot be read, ParseError with file and line where a line is not
// JSON or a row of a kind that can be compared is malformed.
ReadTimings read_timings(std::vector<std::string> const& paths);

// On std::cerr, a line each.
void print_left_out(ReadTimings const& read);

} // namespace heddle::perf
