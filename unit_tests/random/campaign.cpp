// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>

#include <random/campaign.hpp>
#include <random/shrink.hpp>

namespace heddle::test::random
{

namespace
{

Found shrunk(std::int64_t number, Problem const& problem, std::string const& failure,
             bool fails_allocations, Check const& check)
{
  Tally ignored;
  Shrunk const small = shrink(problem, [&](Problem const& p) {
    Context context(ignored, fails_allocations);
    return check(p, context);
  });
  bool const is_lost = small.failure.empty(); // it failed once, and not again
  return {number, failure, is_lost ? "nothing when it runs again" : small.failure,
          is_lost ? problem : small.problem};
}

} // namespace

Outcome run(Campaign const& campaign, Check const& check, std::size_t most_failures)
{
  Outcome outcome;
  Kokkos::Timer timer;
  std::int64_t const first = campaign.only.value_or(0);
  std::int64_t const last = campaign.only ? first + 1 : campaign.cases;
  for (std::int64_t n = first; n < last && timer.seconds() < campaign.seconds; ++n)
  {
    Problem problem = draw_problem(campaign.seed, static_cast<std::uint64_t>(n), campaign.focus);
    // Where the number of threads changes libgomp allocates, and ends the program if that fails.
    problem.other_instance = problem.other_instance && !campaign.fails_allocations;
    if (campaign.traces)
      std::cerr << "case " << n << ": " << to_code(problem) << std::endl;
    Context context(outcome.tally, campaign.fails_allocations);
    std::string const failure = check(problem, context);
    if (campaign.watches_memory && n % 100 == 99)
      outcome.memory.push_back(memory_use());
    if (failure.empty())
      continue;
    ++outcome.tally.failures;
    outcome.found.push_back(shrunk(n, problem, failure, campaign.fails_allocations, check));
    if (outcome.found.size() == most_failures)
      break;
  }
  outcome.seconds = timer.seconds();
  return outcome;
}

std::string report(std::uint64_t seed, Found const& found)
{
  return "case " + std::to_string(found.number) + " of seed " + std::to_string(seed) + ": " +
         found.failure + "\nshrunk to: " + found.shrunk_failure + "\nCHECK(check(" +
         to_code(found.problem) + ") == \"\");\n";
}

std::string summary(Campaign const& campaign, Outcome const& outcome)
{
  Tally const& tally = outcome.tally;
  std::ostringstream text;
  text << "seed " << campaign.seed << ": " << tally.cases << " cases in " << outcome.seconds
       << " s, " << tally.failures << " failures; " << tally.unsupported
       << " times an implementation that was named could not, " << tally.out_of_memory
       << " times the memory allowed was too little; " << tally.failed_allocations
       << " allocations failed\n";
  if (!outcome.memory.empty())
    text << "  memory in use after " << 100 * outcome.memory.size()
         << " cases: " << outcome.memory.back().host << " bytes of the heap, "
         << outcome.memory.back().device << " of the device\n";
  for (auto const& [name, calls] : tally.calls)
    text << "  " << name << ": " << calls << "\n";
  return text.str();
}

Campaign& campaign_of_program()
{
  static Campaign campaign;
  return campaign;
}

} // namespace heddle::test::random
