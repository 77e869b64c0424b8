// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <report/grouping.hpp>
#include <report/speedups.hpp>

namespace heddle::perf
{

namespace
{

bool is_speedup(double value) { return std::isfinite(value) && value > 0; }

Speedups speedups_over(Contender const& ours, Contender const& other)
{
  // Formats differ in what is ours, other results in what they are compared with.
  bool const is_of_formats = ours.results.front().is_of_formats();
  Speedups speedups{ours.name, other.name, other.role, is_of_formats ? ours.look : other.look, {}};
  for (Result const& r : ours.results)
    if (Result const* const theirs = other.on(problem_name(r)))
      if (double const value = theirs->median_ms / r.median_ms; is_speedup(value))
        speedups.values.push_back({problem_name(r), static_cast<double>(r.nnz), value});
  return speedups;
}

// The rows of a format have the time of its serial code.
Speedups over_serial(Contender const& format)
{
  Speedups speedups{format.name, "its serial code", Role::serial, format.look, {}};
  for (Result const& r : format.results)
    if (double const value = r.serial_ms / r.median_ms; is_speedup(value))
      speedups.values.push_back({problem_name(r), static_cast<double>(r.nnz), value});
  return speedups;
}

} // namespace

std::vector<Speedups> speedups_of(std::vector<Result> const& results)
{
  std::vector<Speedups> all;
  auto const contenders = contenders_of(results);
  bool const is_of_formats = !results.empty() && results.front().is_of_formats();
  for (Contender const& ours : contenders)
  {
    if (ours.role != Role::automatic)
      continue;
    if (is_of_formats)
      all.push_back(over_serial(ours));
    for (Contender const& other : contenders)
      if (other.role != Role::automatic)
        all.push_back(speedups_over(ours, other));
  }
  std::erase_if(all, [](Speedups const& speedups) { return speedups.values.empty(); });
  return all;
}

std::vector<Speedups> charted(std::vector<Speedups> all)
{
  auto const is_over_library = [](Speedups const& s) { return s.role == Role::baseline; };
  if (std::any_of(all.begin(), all.end(), is_over_library))
    std::erase_if(all, [&](Speedups const& s) { return !is_over_library(s); });
  return all;
}

Summary summary_of(Speedups const& speedups)
{
  Summary summary;
  summary.problems = speedups.values.size();
  if (speedups.values.empty())
    return summary;
  double logarithms = 0, inverses = 0;
  summary.least = summary.most = speedups.values.front().value;
  for (Speedup const& speedup : speedups.values)
  {
    logarithms += std::log(speedup.value);
    inverses += 1 / speedup.value;
    summary.least = std::min(summary.least, speedup.value);
    summary.most = std::max(summary.most, speedup.value);
    summary.faster_on += speedup.value > 1 ? 1 : 0;
  }
  auto const problems = static_cast<double>(summary.problems);
  summary.geometric = std::exp(logarithms / problems);
  summary.harmonic = problems / inverses;
  return summary;
}

} // namespace heddle::perf
