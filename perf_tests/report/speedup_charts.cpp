// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <report/charts.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

namespace
{

constexpr char const* nothing_to_compare =
    "no matrix has times of both heddle::auto and something to compare it with";

// Of what and over what, as far as it is not the same for all.
struct Wording
{
  std::string of, over;
};

Wording wording_of(std::vector<Speedups> const& all)
{
  std::set<std::string> ofs, overs;
  for (Speedups const& speedups : all)
  {
    ofs.insert(speedups.of);
    overs.insert(speedups.over);
  }
  return {ofs.size() == 1 ? *ofs.begin() : "", overs.size() == 1 ? *overs.begin() : ""};
}

std::string name_of(Speedups const& speedups, Wording const& common)
{
  if (common.of.empty() && common.over.empty())
    return speedups.of + " over " + speedups.over;
  return common.of.empty() ? speedups.of : "over " + speedups.over;
}

std::string title_of(std::string const& what, Wording const& common)
{
  std::string title = what;
  if (!common.of.empty())
    title += " of " + common.of;
  if (!common.over.empty() && common.of.empty())
    title += " over " + common.over;
  return title;
}

// Bins of a factor of 2, or of its root where speedups are close to each other.
struct Bins
{
  double width = 1; // binary logarithm of the quotient of a bin's ends
  int first = 0, last = 0;

  int of(double value) const { return static_cast<int>(std::floor(std::log2(value) / width)); }
  std::string edge(int bin) const
  {
    double const value = std::exp2(bin * width);
    double const rounding = std::pow(10.0, std::floor(std::log10(value)) - 1); // to two digits
    return short_number(value < 10 ? std::round(value / rounding) * rounding : std::round(value));
  }
};

Bins bins_of(std::vector<Speedups> const& all)
{
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (Speedups const& speedups : all)
    for (Speedup const& speedup : speedups.values)
    {
      low = std::min(low, speedup.value);
      high = std::max(high, speedup.value);
    }
  Bins bins;
  bins.width = high / low > 32 ? 1.0 : 0.5;
  bins.first = std::min(bins.of(low), -1); // 1, where neither is faster, lies within
  bins.last = std::max(bins.of(high), 0);
  return bins;
}

} // namespace

Figure speedup_histogram(std::vector<Speedups> const& speedups)
{
  Wording const common = wording_of(speedups);
  std::string const title = title_of("Speedups", common);
  if (speedups.empty())
    return {title, "", {}, nothing_to_compare};
  Bins const bins = bins_of(speedups);
  BarChart chart{title, Axis("matrices", Scale::linear), {}, {}};
  chart.x_label = "times as fast";
  chart.y.include(0);
  for (int b = bins.first; b <= bins.last; ++b)
  {
    chart.groups.push_back(bins.edge(b) + " to " + bins.edge(b + 1));
    chart.edges.push_back(bins.edge(b));
  }
  chart.edges.push_back(bins.edge(bins.last + 1));
  for (Speedups const& some : speedups)
  {
    BarSeries series{name_of(some, common), std::vector<double>(chart.groups.size(), 0.0),
                     some.look};
    for (Speedup const& speedup : some.values)
      ++series.values[static_cast<std::size_t>(bins.of(speedup.value) - bins.first)];
    chart.series.push_back(std::move(series));
  }
  return figure_of("How many matrices run so many times as fast; at the right of 1 ours is "
                   "faster (paper 001, Figs. 2 and 3).",
                   std::move(chart), nothing_to_compare);
}

Figure speedups_by_entries(std::vector<Speedups> const& speedups)
{
  Wording const common = wording_of(speedups);
  XyChart chart{title_of("Speedups", common) + " by entries of A",
                Axis("entries of A", Scale::logarithmic),
                Axis("times as fast", Scale::logarithmic),
                {}};
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (Speedups const& some : speedups)
  {
    Series series{name_of(some, common), {}, Style::marks, some.look};
    for (Speedup const& speedup : some.values)
    {
      series.points.push_back(
          {speedup.entries, speedup.value,
           speedup.problem + ", " + series.name + ": " + short_number(speedup.value)});
      low = std::min(low, speedup.entries);
      high = std::max(high, speedup.entries);
    }
    chart.series.push_back(std::move(series));
  }
  if (has_points(chart))
    chart.series.push_back({"", {{low, 1, ""}, {high, 1, ""}}, Style::reference});
  return figure_of("Above the line ours is faster (paper 000, Fig. 8 b to e).", std::move(chart),
                   nothing_to_compare);
}

} // namespace heddle::perf
