// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
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

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// What sections of one device, type and, if any, layout share.
std::string operands_of(Result const& r)
{
  std::string text = r.value_type;
  if (!r.layout.empty())
    text += r.layout == "row" ? ", row-major" : ", column-major";
  return text;
}

Point gflops_point(Result const& r, std::string const& name)
{
  return {static_cast<double>(r.nnz), r.gflops,
          r.matrix + ", " + name + ": " + short_number(r.gflops) + " GFLOPS"};
}

// The automatic choice, or the first where nothing of ours ran.
Contender leader_of(Section const& section) { return contenders_of(section.results).front(); }

} // namespace

Figure gflops_by_width(std::vector<Section> const& sections)
{
  Result const& first = sections.front().results.front();
  XyChart chart{"GFLOPS by k: " + first.operation + " " + operands_of(first),
                Axis("entries of A", Scale::logarithmic),
                Axis("GFLOPS", Scale::logarithmic),
                {}};
  for (Section const& section : sections)
  {
    Contender const leader = leader_of(section);
    Series series{"k = " + std::to_string(section.results.front().k), {}};
    for (Result const& r : leader.results)
      series.points.push_back(gflops_point(r, series_name(r) + ", " + series.name));
    chart.series.push_back(std::move(series));
  }
  return figure_of(leader_of(sections.front()).name + " on " + first.device +
                       " (paper 000, Fig. 8 a).",
                   std::move(chart), "no row has GFLOPS");
}

Figure transposed_products(std::vector<Section> const& sections)
{
  Result const& first = sections.front().results.front();
  XyChart chart{"A^T B alone and with A B: " + operands_of(first) +
                    ", k = " + std::to_string(first.k),
                Axis("entries of A", Scale::logarithmic),
                Axis("GFLOPS", Scale::logarithmic),
                {}};
  bool has_alone = false, has_both = false;
  for (Section const& section : sections)
  {
    std::string const& operation = section.results.front().operation;
    if (operation != "spmm_t" && operation != "spmm_both")
      continue;
    bool const is_both = operation == "spmm_both";
    (is_both ? has_both : has_alone) = true;
    for (Contender const& contender : contenders_of(section.results))
    {
      if (contender.role == Role::named || contender.role == Role::serial)
        continue;
      Series series{contender.name + (is_both ? ", both" : ", A^T B"),
                    {},
                    Style::marks,
                    contender.look % filled_looks + (is_both ? filled_looks : 0)};
      for (Result const& r : contender.results)
        series.points.push_back(gflops_point(r, series_name(r) + (is_both ? ", both" : ", A^T B")));
      chart.series.push_back(std::move(series));
    }
  }
  std::string const lack = has_alone && has_both ? ""
                           : has_both            ? " There are no rows of spmm_t."
                                                 : " There are no rows of spmm_both.";
  return figure_of("Filled: A^T B; hollow: A^T B and A B, with the operations of both; on " +
                       first.device + " (paper 000, Figs. 14 and 15)." + lack,
                   std::move(chart), "no rows of spmm_t and spmm_both with GFLOPS");
}

std::vector<Figure> operations_per_word(std::vector<Section> const& sections)
{
  Result const& first = sections.front().results.front();
  std::string const of = ": " + operands_of(first);
  BarChart speed{"GFLOPS of SpMV and SpGEMM" + of, Axis("GFLOPS", Scale::logarithmic), {}, {}};
  BarChart words{"Operations per word" + of, Axis("flops / word", Scale::linear), {}, {}};
  speed.is_wide = words.is_wide = true;
  words.y.include(0);
  std::map<std::string, std::int64_t> matrices;
  for (Section const& section : sections)
    for (Result const& r : leader_of(section).results)
      matrices[r.matrix] = r.nnz;
  for (auto const& [matrix, unused] : matrices)
    speed.groups.push_back(matrix);
  std::stable_sort(speed.groups.begin(), speed.groups.end(),
                   [&matrices](auto const& a, auto const& b) { return matrices[a] < matrices[b]; });
  words.groups = speed.groups;
  for (Section const& section : sections)
  {
    Contender const leader = leader_of(section);
    std::string const name = section.results.front().operation + ", " + leader.name;
    BarSeries speeds{name, std::vector<double>(speed.groups.size(), nothing)};
    BarSeries intensities = speeds;
    for (std::size_t g = 0; g < speed.groups.size(); ++g)
      if (Result const* const r = leader.on(speed.groups[g]))
      {
        speeds.values[g] = r->gflops;
        intensities.values[g] = r->intensity() * r->value_bytes();
      }
    speed.series.push_back(std::move(speeds));
    words.series.push_back(std::move(intensities));
  }
  std::string const about = "Matrices by their entries, on " + first.device + ". ";
  std::vector<Figure> figures;
  figures.push_back(
      figure_of(about + "Paper 003, Fig. 3, upper part.", std::move(speed), "no row has GFLOPS"));
  figures.push_back(figure_of(about + "A word is as large as a value; words are the compulsory "
                                      "bytes, so these are upper bounds (paper 003, Fig. 3, lower "
                                      "part, measures them).",
                              std::move(words), "no row has both GFLOPS and GB/s"));
  return figures;
}

} // namespace heddle::perf
