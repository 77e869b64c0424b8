// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Many problems of one seed, one after the other.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <random/context.hpp>
#include <random/generator.hpp>
#include <random/memory_use.hpp>
#include <random/problem.hpp>

namespace heddle::test::random
{

struct Campaign
{
  std::uint64_t seed = 1;
  std::int64_t cases = 1000;
  double seconds = std::numeric_limits<double>::infinity(); // no case begins after them
  std::optional<std::int64_t> only = {};                    // the number of a single case
  Focus focus = {};
  bool fails_allocations = false;
  bool traces = false;         // each case is named before it runs
  bool watches_memory = false; // after every hundredth case
};

struct Found
{
  std::int64_t number = 0;
  std::string failure;        // of the case as it was drawn
  std::string shrunk_failure; // and as it is now
  Problem problem;
};
// How to see it again, and the problem as C++.
std::string report(std::uint64_t seed, Found const& found);

struct Outcome
{
  Tally tally;
  std::vector<Found> found;
  double seconds = 0;
  std::vector<MemoryUse> memory; // after every hundredth case, where that was asked for
};

using Check = std::function<std::string(Problem const&, Context&)>;

// Stops after most_failures different failures. Shrinking is with the same check.
Outcome run(Campaign const& campaign, Check const& check, std::size_t most_failures = 5);

// Totals, and how often each implementation was called.
std::string summary(Campaign const& campaign, Outcome const& outcome);

// What the command line asked for.
Campaign& campaign_of_program();

} // namespace heddle::test::random
