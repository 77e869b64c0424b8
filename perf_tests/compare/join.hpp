// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <compare/timing.hpp>

namespace heddle::perf
{

struct Best
{
  std::string implementation; // empty: none
  double ms = 0.0;

  bool is_there() const { return !implementation.empty(); }
};

// One matrix of one problem: our time beside those of a table.
struct JoinedMatrix
{
  std::string matrix;
  std::int64_t nnz = 0;
  Best ours, fastest_peer;
  std::map<std::string, Best> fastest_of; // of each family of which the table has a time

  double ratio_to(Best const& peer) const { return peer.ms / ours.ms; } // above 1: ours is faster
};

struct JoinedProblem
{
  Problem problem;
  std::vector<JoinedMatrix> matrices;
  std::vector<std::string> without_result; // with the reason of those skipped
  std::vector<std::string> without_peer;
  std::vector<std::string> of_other_size; // other matrices of the same name: not compared
};

struct Joined
{
  std::vector<JoinedProblem> problems; // that both have
  std::vector<Problem> without_results, without_peers;
};

// The fastest rows of an implementation of ours and of a table, problem by problem and matrix by
// matrix.
Joined join(std::vector<Timing> const& table, std::vector<Timing> const& results,
            std::string const& implementation, std::vector<std::string> const& families);

// The same baseline measured twice: by us and for the table.
struct MeasuredTwice
{
  std::string matrix;
  std::int64_t nnz = 0;
  Best ours, theirs;

  double ratio() const { return ours.ms / theirs.ms; } // above 1: ours measures slower
  bool agrees(double tolerance) const;
};

struct Agreement
{
  Problem problem;
  std::string family;
  std::vector<MeasuredTwice> matrices;
  std::vector<std::string> not_measured;  // of the table, by us
  std::vector<std::string> of_other_size; // other matrices of the same name: not compared
};

// The fastest of each family in the results beside the fastest in the table, of the methods that
// both have (algorithm_of).
std::vector<Agreement> agreements(std::vector<Timing> const& table,
                                  std::vector<Timing> const& results,
                                  std::vector<std::string> const& families);

} // namespace heddle::perf
