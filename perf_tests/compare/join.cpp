// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <compare/join.hpp>
#include <compare/timing.hpp>

namespace heddle::perf
{

namespace
{

// All rows of one matrix in one problem.
struct MatrixTimings
{
  std::int64_t nnz = 0;
  std::string skipped; // of one that has no time
  std::vector<Best> times;

  void add(Timing const& timing)
  {
    nnz = std::max(nnz, timing.nnz);
    if (timing.is_skipped())
      skipped = timing.skipped;
    else
      times.push_back({timing.implementation, timing.median_ms});
  }
};

using ByMatrix = std::map<std::string, MatrixTimings>;
using ByProblem = std::map<Problem, ByMatrix>;

template <class Predicate>
ByProblem by_problem(std::vector<Timing> const& timings, Predicate const& is_wanted)
{
  ByProblem sorted;
  for (Timing const& timing : timings)
    if (is_wanted(timing.implementation))
      sorted[timing.problem][timing.matrix].add(timing);
  return sorted;
}

template <class Predicate>
Best fastest(std::vector<Best> const& times, Predicate const& is_wanted)
{
  Best fastest;
  for (Best const& time : times)
    if (is_wanted(time.implementation) && (!fastest.is_there() || time.ms < fastest.ms))
      fastest = time;
  return fastest;
}

Best fastest(std::vector<Best> const& times)
{
  return fastest(times, [](std::string const&) { return true; });
}

auto is_of(std::string const& family)
{
  return
      [&family](std::string const& implementation) { return family_of(implementation) == family; };
}

bool have_other_sizes(MatrixTimings const& a, MatrixTimings const& b)
{
  return a.nnz > 0 && b.nnz > 0 && a.nnz != b.nnz;
}

std::string other_size(std::string const& matrix, MatrixTimings const& peers,
                       MatrixTimings const& ours)
{
  return matrix + " (" + std::to_string(peers.nnz) + " entries in the table, " +
         std::to_string(ours.nnz) + " here)";
}

JoinedMatrix joined_matrix(std::string const& matrix, MatrixTimings const& peers,
                           MatrixTimings const& ours, std::vector<std::string> const& families)
{
  JoinedMatrix joined{matrix, ours.nnz, fastest(ours.times), fastest(peers.times), {}};
  for (std::string const& family : families)
  {
    Best const best = fastest(peers.times, is_of(family));
    if (best.is_there())
      joined.fastest_of[family] = best;
  }
  return joined;
}

void add_matrix(JoinedProblem& joined, std::string const& matrix, MatrixTimings const& peers,
                ByMatrix const& results, std::vector<std::string> const& families)
{
  auto const ours = results.find(matrix);
  if (ours == results.end())
    joined.without_result.push_back(matrix);
  else if (ours->second.times.empty())
    joined.without_result.push_back(matrix + " (skipped: " + ours->second.skipped + ")");
  else if (have_other_sizes(peers, ours->second))
    joined.of_other_size.push_back(other_size(matrix, peers, ours->second));
  else
    joined.matrices.push_back(joined_matrix(matrix, peers, ours->second, families));
}

JoinedProblem joined_problem(Problem const& problem, ByMatrix const& table, ByMatrix const& results,
                             std::vector<std::string> const& families)
{
  JoinedProblem joined{problem, {}, {}, {}, {}};
  for (auto const& [matrix, peers] : table)
    if (!peers.times.empty())
      add_matrix(joined, matrix, peers, results, families);
  for (auto const& [matrix, ours] : results)
  {
    auto const peers = table.find(matrix);
    if (!ours.times.empty() && (peers == table.end() || peers->second.times.empty()))
      joined.without_peer.push_back(matrix);
  }
  return joined;
}

// The times of methods that the others have too. A method without a name is the only one of its
// family on that side, and may be any.
std::vector<Best> shared_with(std::vector<Best> const& others, std::vector<Best> const& times)
{
  std::vector<Best> shared;
  for (Best const& time : times)
  {
    std::string const algorithm = algorithm_of(time.implementation);
    if (std::any_of(others.begin(), others.end(), [&algorithm](Best const& other) {
          std::string const theirs = algorithm_of(other.implementation);
          return theirs == algorithm || theirs.empty() || algorithm.empty();
        }))
      shared.push_back(time);
  }
  return shared;
}

Agreement agreement(Problem const& problem, std::string const& family, ByMatrix const& table,
                    ByMatrix const& results)
{
  Agreement agreement{problem, family, {}, {}, {}};
  for (auto const& [matrix, theirs] : table)
  {
    if (theirs.times.empty())
      continue;
    auto const found = results.find(matrix);
    MatrixTimings const ours = found == results.end() ? MatrixTimings() : found->second;
    Best const our_best = fastest(shared_with(theirs.times, ours.times));
    if (!our_best.is_there())
      agreement.not_measured.push_back(matrix);
    else if (have_other_sizes(theirs, ours))
      agreement.of_other_size.push_back(other_size(matrix, theirs, ours));
    else
      agreement.matrices.push_back(
          {matrix, ours.nnz, our_best, fastest(shared_with(ours.times, theirs.times))});
  }
  return agreement;
}

} // namespace

Joined join(std::vector<Timing> const& table, std::vector<Timing> const& results,
            std::string const& implementation, std::vector<std::string> const& families)
{
  ByProblem const peers = by_problem(table, [](std::string const&) { return true; });
  ByProblem const ours = by_problem(
      results, [&implementation](std::string const& name) { return name == implementation; });
  Joined joined;
  for (auto const& [problem, of_table] : peers)
  {
    auto const of_ours = ours.find(problem);
    if (of_ours == ours.end())
      joined.without_results.push_back(problem);
    else
      joined.problems.push_back(joined_problem(problem, of_table, of_ours->second, families));
  }
  for (auto const& [problem, matrices] : ours)
    if (!peers.contains(problem))
      joined.without_peers.push_back(problem);
  return joined;
}

bool MeasuredTwice::agrees(double tolerance) const
{
  return std::max(ratio(), 1.0 / ratio()) <= 1.0 + tolerance;
}

std::vector<Agreement> agreements(std::vector<Timing> const& table,
                                  std::vector<Timing> const& results,
                                  std::vector<std::string> const& families)
{
  std::vector<Agreement> all;
  for (std::string const& family : families)
  {
    ByProblem const ours = by_problem(results, is_of(family));
    for (auto const& [problem, matrices] : by_problem(table, is_of(family)))
    {
      auto const of_ours = ours.find(problem);
      all.push_back(agreement(problem, family, matrices,
                              of_ours == ours.end() ? ByMatrix() : of_ours->second));
    }
  }
  return all;
}

} // namespace heddle::perf
