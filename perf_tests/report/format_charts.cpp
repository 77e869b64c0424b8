// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <report/charts.hpp>
#include <report/grouping.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

namespace
{

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

struct Measure
{
  std::string title, label;
  double (*value)(Result const&);
  std::string missing; // why there may be no value
};

// What paper 002 shows of its formats.
std::vector<Measure> measures()
{
  std::string const time = "time, ms", speedup = "serial time / time";
  std::string const parts = "no row has prologue and epilogue", serial = "no row has serial_ms";
  return {{"Execution", time, [](Result const& r) { return r.median_ms; }, ""},
          {"Total time", time, [](Result const& r) { return r.total_ms(); }, parts},
          {"Computation speedup", speedup,
           [](Result const& r) { return r.serial_ms / r.median_ms; }, serial},
          {"Total speedup", speedup, [](Result const& r) { return r.serial_ms / r.total_ms(); },
           serial}};
}

// Paper 004's Fig. 5: GFLOPS by the mean, and by the median, which all other charts have.
std::vector<Measure> measures_of_kernels()
{
  return {{"GFLOPS by matrix, of mean times", "GFLOPS",
           [](Result const& r) { return r.mean_gflops(); }, "no row has mean_ms"},
          {"GFLOPS by matrix", "GFLOPS", [](Result const& r) { return r.gflops; }, ""}};
}

std::string about(std::string const& what)
{
  if (what.starts_with("GFLOPS"))
    return "Each kernel on each matrix; of libraries the best algorithm (paper 004, Fig. 5).";
  if (what == "Execution")
    return "The operation alone (paper 002).";
  return what == "Total time" ? "Prologue, execution and epilogue (paper 002)."
                              : "Over serial code of the same format (paper 002).";
}

std::vector<Result> all_of(std::vector<Contender> const& contenders)
{
  std::vector<Result> results;
  for (Contender const& contender : contenders)
    results.insert(results.end(), contender.results.begin(), contender.results.end());
  return results;
}

Figure bars(Measure const& measure, std::vector<Contender> const& contenders)
{
  BarChart chart{measure.title, Axis(measure.label, Scale::logarithmic), {}, {}};
  chart.is_wide = true;
  auto const problems = grouped(all_of(contenders), problem_name);
  for (auto const& [problem, unused] : problems)
    chart.groups.push_back(problem);
  for (Contender const& contender : contenders)
  {
    BarSeries series{contender.name, std::vector<double>(problems.size(), nothing), contender.look};
    for (std::size_t g = 0; g < problems.size(); ++g)
      if (Result const* const r = contender.on(problems[g].first))
        series.values[g] = measure.value(*r);
    chart.series.push_back(std::move(series));
  }
  return figure_of(about(measure.title), std::move(chart), measure.missing);
}

double density(Result const& r)
{
  return static_cast<double>(r.nnz) / (static_cast<double>(r.rows) * static_cast<double>(r.cols));
}

Figure over_density(Measure const& measure, std::string const& of,
                    std::vector<Contender> const& contenders)
{
  XyChart chart{measure.title + of,
                Axis("density of A", Scale::linear),
                Axis(measure.label, Scale::logarithmic),
                {}};
  for (Contender const& contender : contenders)
  {
    Series series{contender.name, {}, Style::lines_and_marks, contender.look};
    for (Result const& r : contender.results)
      series.points.push_back(
          {density(r), measure.value(r),
           problem_name(r) + ", " + contender.name + ": " + short_number(measure.value(r))});
    std::stable_sort(series.points.begin(), series.points.end(),
                     [](Point const& a, Point const& b) { return a.x < b.x; });
    chart.series.push_back(std::move(series));
  }
  return figure_of(about(measure.title), std::move(chart), measure.missing);
}

// "pruned_2048_2048" of "pruned_2048_2048_90".
std::string family_of(Result const& r)
{
  auto const last = r.matrix.find_last_not_of("0123456789");
  return last == std::string::npos ? "" : r.matrix.substr(0, last + 1);
}

// Matrices of one size and kind that differ in their entries, enough of them for a line.
auto sweep_key(Result const& r) { return std::tuple(r.rows, r.cols, r.k, family_of(r)); }

bool is_sweep(std::vector<Result> const& same_kind)
{
  constexpr std::size_t least = 3;
  return grouped(same_kind, [](Result const& r) { return r.nnz; }).size() >= least;
}

template <class Predicate>
std::vector<Contender> only(std::vector<Contender> contenders, Predicate const& predicate)
{
  for (Contender& contender : contenders)
    contender.results = filtered(contender.results, predicate);
  std::erase_if(contenders, [](Contender const& contender) { return contender.results.empty(); });
  return contenders;
}

} // namespace

std::vector<Figure> gflops_by_matrix(std::vector<Contender> const& kernels)
{
  std::vector<Figure> figures;
  for (Measure const& measure : measures_of_kernels())
    figures.push_back(bars(measure, kernels));
  return figures;
}

std::vector<Figure> figures_of_formats(std::vector<Contender> const& contenders)
{
  std::vector<Figure> figures;
  std::vector<decltype(sweep_key(Result{}))> sweeps;
  for (auto const& [key, group] : grouped(all_of(contenders), sweep_key))
  {
    if (!is_sweep(group))
      continue;
    sweeps.push_back(key);
    Result const& first = group.front();
    std::string const of = " over density, " + std::to_string(first.rows) + " x " +
                           std::to_string(first.cols) + ", k = " + std::to_string(first.k);
    auto const of_sweep =
        only(contenders, [&key = key](Result const& r) { return sweep_key(r) == key; });
    for (Measure const& measure : measures())
      figures.push_back(over_density(measure, of, of_sweep));
  }
  auto const others = only(contenders, [&sweeps](Result const& r) {
    return std::find(sweeps.begin(), sweeps.end(), sweep_key(r)) == sweeps.end();
  });
  if (!others.empty())
    for (Measure const& measure : measures())
      figures.push_back(bars(measure, others));
  return figures;
}

} // namespace heddle::perf
