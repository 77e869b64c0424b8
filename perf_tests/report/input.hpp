// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <report/result.hpp>

namespace heddle::perf
{

// What files held. A case that comes again replaces the one before, as a rerun does.
struct Input
{
  std::size_t files = 0;
  std::vector<Result> results;     // each case once
  std::vector<Result> self_checks; // of the machines
  std::vector<std::string> notes;  // files without results, cases that came again
};

// Reads files; of a folder all its *.jsonl, by name. Throws as read_results, and FileError where a
// folder has no such file.
Input read_input(std::vector<std::string> const& paths);

} // namespace heddle::perf
