// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/table.hpp>
#include <harness/times.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace heddle::perf
{

namespace
{

// share: 0 at the first of the sorted values, 1 at the last.
double quantile(std::vector<double> const& sorted, double share)
{
  double const position = share * static_cast<double>(sorted.size() - 1);
  auto const below = static_cast<std::size_t>(position);
  std::size_t const above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

} // namespace

Times times_summary(std::vector<double> milliseconds)
{
  std::ranges::sort(milliseconds);
  auto const runs = static_cast<double>(milliseconds.size());
  return {.min_ms = milliseconds.front(),
          .q1_ms = quantile(milliseconds, 0.25),
          .median_ms = quantile(milliseconds, 0.5),
          .q3_ms = quantile(milliseconds, 0.75),
          .mean_ms = std::accumulate(milliseconds.begin(), milliseconds.end(), 0.0) / runs,
          .runs = static_cast<int>(milliseconds.size())};
}

std::string noise_of(Times const& times, double waiting)
{
  // What a call waited, but for what a few slow calls have waited: the median passes over those.
  double const waited_ms = waiting * times.mean_ms - std::max(times.mean_ms - times.median_ms, 0.0);
  constexpr double most_waiting = 0.1;
  if (waited_ms > most_waiting * times.median_ms)
    return "its threads waited " + to_text(100 * waiting, 3) + " % of the time for a core";
  // Calls of a steady machine differ by a few percent. Less than a microsecond is the clock's.
  constexpr double most_spread = 0.3, clock_ms = 1e-3;
  if (times.q3_ms - times.q1_ms > most_spread * times.median_ms + clock_ms)
    return "the middle half of its calls took from " + to_text(times.q1_ms, 3) + " to " +
           to_text(times.q3_ms, 3) + " ms";
  constexpr double most_above_fastest = 1.5;
  if (times.median_ms > most_above_fastest * times.min_ms + clock_ms)
    return "its fastest call took " + to_text(times.min_ms, 3) + " ms, the median " +
           to_text(times.median_ms, 3) + " ms";
  return "";
}

} // namespace heddle::perf
