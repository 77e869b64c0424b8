// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include <compare/settings.hpp>
#include <compare/statistics.hpp>
#include <compare/timing.hpp>

namespace heddle::perf
{

// What one row of results is about: rows of two runs with the same case are compared.
struct Case
{
  Problem problem;
  std::string matrix, implementation, index_types, format, parameters;

  auto operator<=>(Case const&) const = default;
};

// "spmm f64, k = 32, row-major: wave, heddle::auto"
std::string to_text(Case const& one);

struct Change
{
  Case of;
  double old_ms = 0.0, new_ms = 0.0;

  double ratio() const { return new_ms / old_ms; }
};

// A case with a time before and none after.
struct Lost
{
  Case of;
  std::string skipped; // the reason; empty where the case is not there at all
};

// new / old over the matrices of a problem, of one family of implementations.
struct GroupChange
{
  Problem problem;
  std::string family;
  RatioSummary ratios;
};

struct Comparison
{
  std::vector<Change> slower, faster; // beyond the thresholds, the largest change first
  std::vector<Lost> skipped, missing;
  std::vector<Case> added; // with a time after and none before
  std::vector<GroupChange> groups;
  std::size_t in_both = 0;
  std::size_t repeated = 0; // rows of a case that is there more than once: the fastest counts

  bool is_worse(bool allows_missing) const
  {
    return !slower.empty() || !skipped.empty() || (!allows_missing && !missing.empty());
  }
};

Comparison compare(std::vector<Timing> const& old_timings, std::vector<Timing> const& new_timings,
                   CompareThresholds const& thresholds);

} // namespace heddle::perf
