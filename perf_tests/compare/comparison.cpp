// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <compare/comparison.hpp>
#include <compare/settings.hpp>
#include <compare/statistics.hpp>
#include <compare/timing.hpp>

namespace heddle::perf
{

namespace
{

using ByCase = std::map<Case, Timing>;

bool is_better(Timing const& a, Timing const& b)
{
  if (a.is_skipped() || b.is_skipped())
    return b.is_skipped() && !a.is_skipped();
  return a.median_ms < b.median_ms;
}

ByCase by_case(std::vector<Timing> const& timings, std::size_t& repeated)
{
  ByCase sorted;
  for (Timing const& timing : timings)
  {
    Case const key{timing.problem,     timing.matrix, timing.implementation,
                   timing.index_types, timing.format, timing.parameters};
    auto const [place, is_new] = sorted.emplace(key, timing);
    if (is_new)
      continue;
    ++repeated;
    if (is_better(timing, place->second))
      place->second = timing;
  }
  return sorted;
}

// A change by noise alone is one of few percent, or of few microseconds.
bool is_beyond(double factor, Change const& change, CompareThresholds const& thresholds)
{
  return factor > thresholds.ratio &&
         std::abs(change.new_ms - change.old_ms) >= thresholds.least_ms;
}

class Comparer
{
public:
  Comparer(ByCase const& old_cases, ByCase const& new_cases, CompareThresholds const& thresholds)
      : m_thresholds(thresholds)
  {
    for (auto const& [key, timing] : old_cases)
      if (!timing.is_skipped())
        compare(key, timing, new_cases);
    for (auto const& [key, timing] : new_cases)
    {
      auto const before = old_cases.find(key);
      if (!timing.is_skipped() && (before == old_cases.end() || before->second.is_skipped()))
        m_result.added.push_back(key);
    }
    summarise();
  }

  Comparison const& result() const { return m_result; }

private:
  void compare(Case const& key, Timing const& before, ByCase const& new_cases)
  {
    auto const after = new_cases.find(key);
    if (after == new_cases.end())
      m_result.missing.push_back({key, ""});
    else if (after->second.is_skipped())
      m_result.skipped.push_back({key, after->second.skipped});
    else
      add({key, before.median_ms, after->second.median_ms});
  }

  void add(Change const& change)
  {
    ++m_result.in_both;
    m_ratios[{change.of.problem, family_of(change.of.implementation)}].push_back(change.ratio());
    if (is_beyond(change.ratio(), change, m_thresholds))
      m_result.slower.push_back(change);
    if (is_beyond(1.0 / change.ratio(), change, m_thresholds))
      m_result.faster.push_back(change);
  }

  void summarise()
  {
    std::stable_sort(m_result.slower.begin(), m_result.slower.end(),
                     [](Change const& a, Change const& b) { return a.ratio() > b.ratio(); });
    std::stable_sort(m_result.faster.begin(), m_result.faster.end(),
                     [](Change const& a, Change const& b) { return a.ratio() < b.ratio(); });
    for (auto const& [group, ratios] : m_ratios)
      m_result.groups.push_back({group.first, group.second, summary_of(ratios)});
  }

  CompareThresholds const& m_thresholds;
  Comparison m_result;
  std::map<std::pair<Problem, std::string>, std::vector<double>> m_ratios;
};

} // namespace

std::string to_text(Case const& one)
{
  std::string text = to_text(one.problem) + ": " + one.matrix + ", ";
  if (!one.format.empty())
    text += one.format + (one.parameters.empty() ? "" : " " + one.parameters) + ", ";
  return text + one.implementation;
}

Comparison compare(std::vector<Timing> const& old_timings, std::vector<Timing> const& new_timings,
                   CompareThresholds const& thresholds)
{
  std::size_t repeated = 0;
  ByCase const old_cases = by_case(old_timings, repeated);
  ByCase const new_cases = by_case(new_timings, repeated);
  Comparison result = Comparer(old_cases, new_cases, thresholds).result();
  result.repeated = repeated;
  return result;
}

} // namespace heddle::perf
