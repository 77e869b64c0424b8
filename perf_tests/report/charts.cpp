// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <report/chart.hpp>
#include <report/charts.hpp>
#include <report/grouping.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

std::string series_name(Result const& r)
{
  if (!r.is_of_formats())
    return r.implementation;
  std::string const name = r.format + (r.parameters.empty() ? "" : " " + r.parameters);
  return r.implementation == "heddle::auto" ? name : name + " " + r.implementation;
}

std::string problem_name(Result const& r)
{
  return r.k > 1 ? r.matrix + ", k = " + std::to_string(r.k) : r.matrix;
}

std::vector<Section> sections_of(std::vector<Result> const& results)
{
  std::vector<Section> sections;
  auto const key = [](Result const& r) {
    return std::tuple(r.operation, r.value_type, r.layout, r.device, r.is_of_formats() ? 0 : r.k);
  };
  for (auto const& [unused, group] : grouped(results, key))
  {
    Result const& first = group.front();
    std::string title = first.operation + " " + first.value_type;
    if (!first.layout.empty())
      title += first.layout == "row" ? ", row-major" : ", column-major";
    if (!first.is_of_formats() && first.k > 1)
      title += ", k = " + std::to_string(first.k);
    sections.push_back({title + " on " + first.device, group});
  }
  return sections;
}

namespace
{

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

using Measure = double (*)(Result const&);

double execution_ms(Result const& r) { return r.median_ms; }
double total_ms(Result const& r) { return r.total_ms(); }
double computation_speedup(Result const& r) { return r.serial_ms / r.median_ms; }
double total_speedup(Result const& r) { return r.serial_ms / r.total_ms(); }

std::string bars(std::string const& title, std::string const& label, Measure measure,
                 std::vector<Result> const& results)
{
  BarChart chart{title, Axis(label, Scale::logarithmic), {}, {}};
  auto const problems = grouped(results, problem_name);
  for (auto const& [problem, unused] : problems)
    chart.groups.push_back(problem);
  for (auto const& [name, of_series] : grouped(results, series_name))
  {
    BarSeries series{name, std::vector<double>(problems.size(), nothing)};
    for (std::size_t g = 0; g < problems.size(); ++g)
      for (Result const& r : of_series)
        if (problem_name(r) == problems[g].first)
          series.values[g] = measure(r);
    chart.series.push_back(std::move(series));
  }
  return to_svg(std::move(chart));
}

// Series of results as points; those of a line in rising order of x.
template <class X, class Y>
std::vector<Series> series_of(std::vector<Result> const& results, Style style, X const& x,
                              Y const& y)
{
  std::vector<Series> all;
  for (auto const& [name, of_series] : grouped(results, series_name))
  {
    Series series{name, {}, style};
    for (Result const& r : of_series)
      series.points.push_back({x(r), y(r), problem_name(r) + ", " + name});
    if (style != Style::marks)
      std::stable_sort(series.points.begin(), series.points.end(),
                       [](Point const& a, Point const& b) { return a.x < b.x; });
    all.push_back(std::move(series));
  }
  return all;
}

double density(Result const& r)
{
  return static_cast<double>(r.nnz) / (static_cast<double>(r.rows) * static_cast<double>(r.cols));
}

std::string over_density(std::string const& title, std::string const& label, Measure measure,
                         std::vector<Result> const& results)
{
  return to_svg({title, Axis("density of A", Scale::linear), Axis(label, Scale::logarithmic),
                 series_of(results, Style::lines_and_marks, density, measure)});
}

// Matrices of one size that differ in their entries, enough of them for a line.
bool is_sweep(std::vector<Result> const& same_size)
{
  constexpr std::size_t least = 3;
  return grouped(same_size, [](Result const& r) { return r.nnz; }).size() >= least &&
         grouped(same_size, [](Result const& r) { return r.matrix; }).size() >= least;
}

void add_charts_of_formats(std::vector<std::string>& charts, std::vector<Result> const& results)
{
  std::vector<Result> others;
  auto const size = [](Result const& r) { return std::tuple(r.rows, r.cols, r.k); };
  for (auto const& [unused, group] : grouped(results, size))
  {
    if (!is_sweep(group))
    {
      others.insert(others.end(), group.begin(), group.end());
      continue;
    }
    Result const& first = group.front();
    std::string const of = " over density, " + std::to_string(first.rows) + " x " +
                           std::to_string(first.cols) + ", k = " + std::to_string(first.k);
    charts.push_back(over_density("Execution" + of, "ms", execution_ms, group));
    charts.push_back(over_density("Total time" + of, "ms", total_ms, group));
    charts.push_back(
        over_density("Computation speedup" + of, "serial time / time", computation_speedup, group));
    charts.push_back(
        over_density("Total speedup" + of, "serial time / time", total_speedup, group));
  }
  if (others.empty())
    return;
  charts.push_back(bars("Execution", "ms", execution_ms, others));
  charts.push_back(bars("Total time: prologue, execution and epilogue", "ms", total_ms, others));
  charts.push_back(bars("Computation speedup over serial code of the same format",
                        "serial time / time", computation_speedup, others));
  charts.push_back(bars("Total speedup over serial code of the same format", "serial time / time",
                        total_speedup, others));
}

std::string gflops_by_entries(std::vector<Result> const& results)
{
  return to_svg({"GFLOPS by entries of A", Axis("entries", Scale::logarithmic),
                 Axis("GFLOPS", Scale::logarithmic),
                 series_of(
                     results, Style::marks, [](Result const& r) { return double(r.nnz); },
                     [](Result const& r) { return r.gflops; })});
}

std::string roofline(std::vector<Result> const& results)
{
  auto const intensity = [](Result const& r) { return r.gflops / r.gbytes_per_s; };
  XyChart chart{
      "Roofline", Axis("operations per compulsory byte", Scale::logarithmic),
      Axis("GFLOPS", Scale::logarithmic),
      series_of(results, Style::marks, intensity, [](Result const& r) { return r.gflops; })};
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (Result const& r : results)
    if (std::isfinite(intensity(r)) && intensity(r) > 0)
    {
      low = std::min(low, intensity(r) / 2);
      high = std::max(high, intensity(r) * 2);
    }
  Result const& machine = results.front();
  double const slope = machine.machine_gbytes_per_s;
  double const flat = std::isfinite(machine.machine_gflops) ? machine.machine_gflops
                                                            : std::numeric_limits<double>::max();
  Series roof{"machine", {}, Style::lines};
  for (double const x : {low, flat / slope, high})
    if (x >= low && x <= high)
      roof.points.push_back({x, std::min(x * slope, flat), ""});
  chart.series.push_back(std::move(roof));
  return to_svg(std::move(chart));
}

// For each implementation the share of problems on which it took at most x times as long as the
// fastest.
std::string performance_profile(std::vector<Result> const& results)
{
  auto const problems = grouped(results, problem_name);
  std::map<std::string, double> best;
  double worst = 1;
  for (auto const& [problem, group] : problems)
  {
    auto const faster = [](Result const& a, Result const& b) { return a.median_ms < b.median_ms; };
    best[problem] = std::min_element(group.begin(), group.end(), faster)->median_ms;
    worst = std::max(worst, std::max_element(group.begin(), group.end(), faster)->median_ms /
                                best[problem]);
  }
  XyChart chart{"Performance profile",
                Axis("times as long as the fastest", Scale::logarithmic),
                Axis("share of problems", Scale::linear),
                {}};
  chart.y.include(0);
  chart.y.include(1);
  for (auto const& [name, of_series] : grouped(results, series_name))
  {
    std::vector<double> ratios;
    for (Result const& r : of_series)
      ratios.push_back(r.median_ms / best[problem_name(r)]);
    std::sort(ratios.begin(), ratios.end());
    Series series{name, {{1, 0, ""}}, Style::lines};
    for (std::size_t n = 0; n < ratios.size(); ++n)
      for (std::size_t const within : {n, n + 1})
        series.points.push_back(
            {ratios[n], static_cast<double>(within) / static_cast<double>(problems.size()), ""});
    series.points.push_back({worst, series.points.back().y, ""});
    chart.series.push_back(std::move(series));
  }
  return to_svg(std::move(chart));
}

struct Speedups
{
  std::string name;
  std::vector<double> values;
};

// Bins of a factor of 2, or of its root where speedups are close to each other.
std::string histogram(std::string const& title, std::vector<Speedups> const& all)
{
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (Speedups const& speedups : all)
    for (double const value : speedups.values)
    {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  double const width = high / low > 32 ? 1.0 : 0.5; // binary logarithm of a bin's ends' quotient
  auto const bin = [width](double value) {
    return static_cast<int>(std::floor(std::log2(value) / width));
  };
  BarChart chart{title, Axis("problems", Scale::linear), {}, {}};
  chart.y.include(0);
  for (int b = bin(low); b <= bin(high); ++b)
    chart.groups.push_back(short_number(std::exp2(b * width)) + " to " +
                           short_number(std::exp2((b + 1) * width)));
  for (Speedups const& speedups : all)
  {
    BarSeries series{speedups.name, std::vector<double>(chart.groups.size(), 0.0)};
    for (double const value : speedups.values)
      ++series.values[static_cast<std::size_t>(bin(value) - bin(low))];
    chart.series.push_back(std::move(series));
  }
  return to_svg(std::move(chart));
}

// Of the automatic choice over the fastest that is not ours, parallel ones if there are any.
Speedups over_baselines(std::vector<Result> const& results)
{
  Speedups speedups{"heddle::auto", {}};
  for (auto const& [problem, group] : grouped(results, problem_name))
  {
    double ours = nothing, parallel = nothing, serial = nothing;
    for (Result const& r : group)
      if (r.implementation == "heddle::auto")
        ours = r.median_ms;
      else if (r.is_serial())
        serial = std::fmin(serial, r.median_ms);
      else if (!r.implementation.starts_with("heddle::"))
        parallel = std::fmin(parallel, r.median_ms);
    double const value = (std::isfinite(parallel) ? parallel : serial) / ours;
    if (std::isfinite(value) && value > 0)
      speedups.values.push_back(value);
  }
  return speedups;
}

void add_histogram(std::vector<std::string>& charts, Section const& section,
                   std::vector<Result> const& results)
{
  std::vector<Speedups> all;
  bool const is_of_formats = section.results.front().is_of_formats();
  if (!is_of_formats)
    all.push_back(over_baselines(results));
  else
    for (auto const& [name, of_series] : grouped(results, series_name))
    {
      all.push_back({name, {}});
      for (Result const& r : of_series)
        if (std::isfinite(computation_speedup(r)) && computation_speedup(r) > 0)
          all.back().values.push_back(computation_speedup(r));
    }
  std::erase_if(all, [](Speedups const& speedups) { return speedups.values.empty(); });
  if (!all.empty())
    charts.push_back(histogram(is_of_formats ? "Computation speedups over serial code"
                                             : "Speedups over the fastest baseline",
                               all));
}

} // namespace

std::vector<std::string> charts_of(Section const& section)
{
  std::vector<std::string> charts;
  auto const results = filtered(section.results, [](Result const& r) { return !r.is_skipped(); });
  // Serial code is what formats are compared with, not one of them.
  auto const compared =
      filtered(results, [](Result const& r) { return !r.is_of_formats() || !r.is_serial(); });
  if (compared.empty())
    return charts;
  if (compared.front().is_of_formats())
    add_charts_of_formats(charts, compared);
  charts.push_back(gflops_by_entries(compared));
  charts.push_back(roofline(compared));
  if (grouped(compared, problem_name).size() > 1 && grouped(compared, series_name).size() > 1)
    charts.push_back(performance_profile(compared));
  add_histogram(charts, section, compared);
  return charts;
}

} // namespace heddle::perf
