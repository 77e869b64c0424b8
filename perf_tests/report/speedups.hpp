// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <report/contenders.hpp>
#include <report/result.hpp>

namespace heddle::perf
{

struct Speedup
{
  std::string problem;
  double entries = 0; // of A
  double value = 0;   // time of the other over ours
};

// How much faster one is than another on the problems that both solve.
struct Speedups
{
  std::string of, over;
  Role role = Role::baseline; // of the other
  std::size_t look = 0;
  std::vector<Speedup> values;
};

// Of heddle::auto over each other contender: over libraries' best; over serial code and over named
// implementations too, which charts show only where there is nothing else. Of formats: of each over
// its serial code, and over libraries' best.
std::vector<Speedups> speedups_of(std::vector<Result> const& results);

// Those that a chart shows: over libraries, or over everything where there are none.
std::vector<Speedups> charted(std::vector<Speedups> all);

struct Summary
{
  std::size_t problems = 0, faster_on = 0;
  double geometric = 0, harmonic = 0, most = 0, least = 0;
};

Summary summary_of(Speedups const& speedups);

} // namespace heddle::perf
