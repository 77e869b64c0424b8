// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <report/charts.hpp>
#include <report/grouping.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

namespace
{

using Measure = double (*)(Result const&);

double entries(Result const& r) { return static_cast<double>(r.nnz); }
double gflops(Result const& r) { return r.gflops; }

// A cloud for each contender.
std::vector<Series> clouds(std::vector<Contender> const& contenders, Measure x, Measure y,
                           std::string const& unit)
{
  std::vector<Series> all;
  for (Contender const& contender : contenders)
  {
    Series series{contender.name, {}, Style::marks, contender.look};
    for (Result const& r : contender.results)
      series.points.push_back(
          {x(r), y(r), problem_name(r) + ", " + series_name(r) + ": " + short_number(y(r)) + unit});
    all.push_back(std::move(series));
  }
  return all;
}

// A level or upright line through the whole of a chart.
Series level(double y, std::vector<Series> const& series, std::string name)
{
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (Series const& s : series)
    for (Point const& point : s.points)
    {
      low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
  return {std::move(name), {{low, y, ""}, {high, y, ""}}, Style::reference};
}

// The bound of each problem, of the first contender that knows it.
Series bounds_of(std::vector<Contender> const& contenders)
{
  Series bounds{"roofline bound of the matrix", {}, Style::bounds};
  std::set<std::string> done;
  for (Contender const& contender : contenders)
    for (Result const& r : contender.results)
      if (double const bound = r.bound_gflops();
          std::isfinite(bound) && done.insert(problem_name(r)).second)
        bounds.points.push_back(
            {entries(r), bound, problem_name(r) + ", bound: " + short_number(bound) + " GFLOPS"});
  return bounds;
}

struct Ceilings
{
  double gbytes_per_s = 0, gflops = 0; // 0: not known
};

// The highest that were measured.
Ceilings ceilings_of(std::vector<Contender> const& contenders)
{
  Ceilings ceilings;
  for (Contender const& contender : contenders)
    for (Result const& r : contender.results)
    {
      ceilings.gbytes_per_s = std::fmax(ceilings.gbytes_per_s, r.machine_gbytes_per_s);
      ceilings.gflops = std::fmax(ceilings.gflops, r.machine_gflops);
    }
  return ceilings;
}

void add_ceilings(XyChart& chart, Ceilings const& ceilings)
{
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (Series const& series : chart.series)
    for (Point const& point : series.points)
      if (chart.x.shows(point.x) && chart.y.shows(point.y))
      {
        low = std::min(low, point.x / 2);
        high = std::max(high, point.x * 2);
      }
  if (ceilings.gbytes_per_s <= 0 || high <= 0)
    return;
  double const ridge = ceilings.gflops / ceilings.gbytes_per_s;
  if (ceilings.gflops > 0)
  {
    high = std::max(high, 3 * ridge);
    low = std::min(low, ridge / 3);
    chart.series.push_back({short_number(ceilings.gflops) + " GFLOPS",
                            {{ridge, ceilings.gflops, ""}, {high, ceilings.gflops, ""}},
                            Style::reference});
  }
  double const end = ceilings.gflops > 0 ? ridge : high;
  chart.series.push_back(
      {short_number(ceilings.gbytes_per_s) + " GB/s",
       {{low, low * ceilings.gbytes_per_s, ""}, {end, end * ceilings.gbytes_per_s, ""}},
       Style::reference});
}

// Times over the best of the problem, rising; of problems that were solved.
std::vector<double> slowdowns(Contender const& contender, std::map<std::string, double> const& best)
{
  std::vector<double> ratios;
  for (Result const& r : contender.results)
    ratios.push_back(r.median_ms / best.at(problem_name(r)));
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

} // namespace

Figure gflops_by_entries(std::vector<Contender> const& contenders)
{
  XyChart chart{"GFLOPS by entries of A", Axis("entries of A", Scale::logarithmic),
                Axis("GFLOPS", Scale::logarithmic), clouds(contenders, entries, gflops, " GFLOPS")};
  if (has_points(chart))
    chart.series.push_back(bounds_of(contenders));
  return figure_of("A mark is a matrix; the short lines are what the machine allows for its "
                   "compulsory bytes and operations (paper 000, Figs. 1 and 8).",
                   std::move(chart), "no row has GFLOPS");
}

Figure roofline_share(std::vector<Contender> const& contenders)
{
  auto const percent = [](Result const& r) { return r.roofline_percent(); };
  XyChart chart{"Share of the roofline by entries of A", Axis("entries of A", Scale::logarithmic),
                Axis("% of the roofline bound", Scale::linear),
                clouds(contenders, entries, percent, " %")};
  chart.y.include(0);
  chart.y.include(100);
  if (has_points(chart))
    chart.series.push_back(level(100, chart.series, ""));
  return figure_of("Above 100 % operands stayed in caches (paper 000, Fig. 1 c and d).",
                   std::move(chart), "no row has GFLOPS and the speed of the machine");
}

Figure roofline(std::vector<Contender> const& contenders)
{
  auto const intensity = [](Result const& r) { return r.intensity(); };
  XyChart chart{"Roofline", Axis("operations per compulsory byte, flops/byte", Scale::logarithmic),
                Axis("GFLOPS", Scale::logarithmic),
                clouds(contenders, intensity, gflops, " GFLOPS")};
  Ceilings const ceilings = ceilings_of(contenders);
  add_ceilings(chart, ceilings);
  return figure_of("The lines are the machine as measured: its memory" +
                       std::string(ceilings.gflops > 0 ? " and its arithmetic"
                                                       : " (rows do not have its arithmetic)") +
                       " (paper 003, Fig. 2).",
                   std::move(chart), "no row has both GFLOPS and GB/s");
}

Figure performance_profile(std::vector<Contender> const& contenders)
{
  std::map<std::string, double> best;
  for (Contender const& contender : contenders)
    for (Result const& r : contender.results)
    {
      double& fastest = best.try_emplace(problem_name(r), r.median_ms).first->second;
      fastest = std::min(fastest, r.median_ms);
    }
  std::string const title = "Performance profile";
  if (contenders.size() < 2 || best.size() < 2)
    return {title, "", {}, contenders.size() < 2 ? "only one implementation" : "only one problem"};
  constexpr double longest_axis = 32;
  double worst = 1.1;
  for (Contender const& contender : contenders)
    worst = std::max(worst, slowdowns(contender, best).back());
  double const end = std::min(worst, longest_axis);
  XyChart chart{title,
                Axis("times as long as the fastest", Scale::logarithmic),
                Axis("share of matrices", Scale::linear),
                {}};
  chart.y.include(0);
  chart.y.include(1);
  for (Contender const& contender : contenders)
  {
    Series series{contender.name, {{1, 0, ""}}, Style::lines, contender.look};
    double solved = 0;
    for (double const ratio : slowdowns(contender, best))
      if (ratio <= end)
      {
        series.points.push_back({ratio, solved / static_cast<double>(best.size()), ""});
        ++solved;
        series.points.push_back({ratio, solved / static_cast<double>(best.size()), ""});
      }
    series.points.push_back({end, series.points.back().y, ""});
    chart.series.push_back(std::move(series));
  }
  return figure_of("How many matrices take at most x times as long as with the fastest that is "
                   "shown" +
                       std::string(worst > end ? "; the axis ends at 32" : "") +
                       " (paper 000, Fig. 10).",
                   std::move(chart), "");
}

Figure plan_cost(std::vector<Contender> const& contenders)
{
  auto const calls = [](Result const& r) { return r.plan_calls(); };
  XyChart chart{"Plan cost in calls", Axis("entries of A", Scale::logarithmic),
                Axis("time of the plan / time of a call", Scale::logarithmic),
                clouds(contenders, entries, calls, " calls")};
  if (has_points(chart))
    chart.series.push_back(level(1, chart.series, ""));
  return figure_of("After so many calls a plan has cost as much as the calls (paper 000, Fig. 13). "
                   "What plans nothing has no mark.",
                   std::move(chart), "no row has the time of a plan");
}

Figure gflops_by_heavy_share(std::vector<Result> const& results)
{
  auto const contenders = contenders_of(
      filtered(results, [](Result const& r) { return std::isfinite(r.heavy_share); }));
  XyChart chart{"GFLOPS by share of entries in heavy segments",
                Axis("share of the entries in heavy segments", Scale::linear),
                Axis("GFLOPS", Scale::logarithmic),
                clouds(
                    contenders, [](Result const& r) { return r.heavy_share; }, gflops, " GFLOPS")};
  chart.x.include(0);
  chart.x.include(1);
  return figure_of("Of the plans that know it (paper 000, Fig. 16).", std::move(chart),
                   "no row has heavy_share");
}

} // namespace heddle::perf
