// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/sell_matrix.hpp>

#include <string>
#include <vector>

namespace heddle::perf
{

// What the command line of heddle-perf-parts asks for.
struct PartsSettings
{
  std::vector<std::string> files, gallery;
  int parts = 2;                // processes, each with a device or threads of its own
  int threads = 0;              // of a process on a host; 0: all there are, divided
  int k = 32;                   // columns of B
  SellShape slices{32, 1, 256}; // of parts in SELL
  int runs = 20;                // rounds that are timed
  int calls = 10;               // of a round, back to back
  double budget_s = 1.0;        // no more rounds of a case after this (at least 5)
  std::string json;
};

} // namespace heddle::perf
