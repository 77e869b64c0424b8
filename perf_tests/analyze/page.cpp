// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <analyze/advice.hpp>
#include <analyze/density.hpp>
#include <analyze/page.hpp>
#include <report/chart.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

namespace
{

constexpr char const* head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>heddle-perf analyze</title>
<style>
body { font: 15px/1.45 sans-serif; margin: 1.5em auto; padding: 0 1em; max-width: 1290px; color: #222; }
.figures { display: flex; flex-wrap: wrap; gap: 14px 20px; align-items: flex-start; }
figure { margin: 0; max-width: 620px; }
figure svg, figure img { max-width: 100%; height: auto; border: 1px solid #e2e2e2; }
figure img { width: 600px; image-rendering: pixelated; }
figcaption { font-size: 13px; color: #555; }
table { border-collapse: collapse; font-size: 13px; margin: 0.6em 0; }
th, td { padding: 0.2em 0.7em; border-bottom: 1px solid #e8e8e8; text-align: right; }
th:first-child, td:first-child { text-align: left; }
</style>
</head>
<body>
)";

// How many of rows or gaps a bin has. Bins behind the last with any are left out.
BarChart histogram(std::string title, std::string x_label, std::vector<double> counts,
                   std::vector<std::string> edges, std::string y_label)
{
  while (counts.size() > 1 && counts.back() == 0)
    counts.pop_back();
  edges.resize(counts.size() + 1, "");
  BarChart chart{std::move(title), Axis(std::move(y_label), Scale::linear), {}, {}};
  for (std::size_t n = 0; n < counts.size(); ++n)
    chart.groups.push_back("from " + edges[n]);
  chart.y.include(0);
  chart.series.push_back({"entries", std::move(counts)});
  chart.edges = std::move(edges);
  chart.x_label = std::move(x_label);
  chart.has_line_at_one = false;
  return chart;
}

BarChart length_chart(RowLengths const& lengths)
{
  std::vector<double> counts;
  std::vector<std::string> edges;
  for (std::size_t bin = 0; bin < RowLengths::bins; ++bin)
  {
    counts.push_back(static_cast<double>(lengths.histogram[bin]));
    edges.push_back(axis_number(static_cast<double>(RowLengths::least(bin))));
  }
  BarChart chart = histogram("Row lengths", "entries of a row, from", counts, edges, "rows");
  chart.series.front().name = "rows";
  return chart;
}

BarChart gap_chart(RowSegmentFeatures const& clusters)
{
  std::vector<double> shares;
  std::vector<std::string> edges;
  for (std::size_t bin = 0; bin < RowSegmentFeatures::gap_bins; ++bin)
  {
    shares.push_back(100 * clusters.gaps[bin]);
    edges.push_back(RowSegmentFeatures::name(bin).substr(sizeof("gaps_") - 1));
  }
  BarChart chart =
      histogram("Distances of neighbouring entries", "columns, from", shares, edges, "share, %");
  chart.series.front().name = "distances";
  return chart;
}

// What was measured, at the bytes counted or, where nobody counted, the compulsory ones.
Series measured_series(MatrixAnalysis const& analysis)
{
  Series series{"measured", {}};
  for (MeasuredMultiply const& measured : analysis.measured)
  {
    auto const [name, work] = work_of(analysis, measured.operation);
    if (!work || measured.milliseconds <= 0)
      continue;
    double const bytes = measured.memory_bytes > 0 ? measured.memory_bytes : work->bytes;
    double const y = work->flops / measured.milliseconds * 1e-6;
    series.points.push_back(
        {work->flops / bytes, y, name + " measured: " + short_number(y) + " GFLOPS"});
  }
  return series;
}

// The multiplies under the machine's lines (paper 003, Fig. 2).
XyChart roofline_chart(MatrixAnalysis const& analysis, MachineDescription const& machine)
{
  XyChart chart{"Roofline of " + machine.device,
                Axis("flops a byte", Scale::logarithmic),
                Axis("GFLOPS", Scale::logarithmic),
                {}};
  double low = std::numeric_limits<double>::infinity(), high = 0;
  auto const add = [&](std::string const& name, MultiplyWork const& work) {
    double const x = work.flops_per_byte();
    double const y = work.flops / work.seconds(machine, analysis.is_double) * 1e-9;
    chart.series.push_back({name, {{x, y, name + ": " + short_number(y) + " GFLOPS"}}});
    low = std::min(low, x);
    high = std::max(high, x);
  };
  add("SpMV", analysis.spmv);
  add("SpMM, k = " + std::to_string(analysis.k), analysis.spmm);
  if (analysis.product.work)
    add("SpGEMM, " + analysis.product.formula, *analysis.product.work);
  if (Series measured = measured_series(analysis); !measured.points.empty())
  {
    for (Point const& point : measured.points)
    {
      low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
    chart.series.push_back(std::move(measured));
  }
  double const peak = machine.gflops(analysis.is_double);
  double const ridge = peak / machine.gbytes_per_s;
  low = std::min(low, ridge) / 2;
  high = std::max(high, ridge) * 4;
  chart.series.push_back({"memory, " + short_number(machine.gbytes_per_s) + " GB/s",
                          {{low, low * machine.gbytes_per_s, ""}, {ridge, peak, ""}},
                          Style::reference});
  chart.series.push_back({"arithmetic, " + short_number(peak) + " GFLOPS",
                          {{ridge, peak, ""}, {high, peak, ""}},
                          Style::reference});
  return chart;
}

void add_table(std::ostringstream& page, Lines const& lines)
{
  page << "<table>\n";
  for (std::size_t n = 0; n < lines.size(); ++n)
  {
    std::string const cell = n == 0 ? "th" : "td";
    page << "<tr>";
    for (std::string const& text : lines[n])
      page << "<" << cell << ">" << escaped(text) << "</" << cell << ">";
    page << "</tr>\n";
  }
  page << "</table>\n";
}

void add_figure(std::ostringstream& page, std::string const& picture, std::string const& about)
{
  page << "<figure>\n"
       << picture << "<figcaption>" << escaped(about) << "</figcaption>\n</figure>\n";
}

std::string spy_of(Density const& density)
{
  return "<img alt='entries of the matrix by place' src='" + picture_of(density) + "'>\n";
}

} // namespace

std::string analysis_page(MatrixAnalysis const& analysis, MachineDescription const& machine)
{
  std::ostringstream page;
  page << head << "<h1>" << escaped(analysis.name) << "</h1>\n<p>" << escaped(machine.device)
       << ", " << short_number(machine.gbytes_per_s) << " GB/s; values " << analysis.value_type
       << ".</p>\n<h2>What to do</h2>\n<ul>\n";
  for (std::string const& sentence : advice_of(analysis, machine))
    page << "<li>" << escaped(sentence) << "</li>\n";
  page << "</ul>\n<h2>Bounds</h2>\n";
  add_table(page, bound_lines(analysis, machine));
  page << "<p>Bytes are those of CSR operands, each once. Words count values and indices alike, "
          "without row offsets; the dense bound is 1.72 N / sqrt(C) (paper 003).</p>\n";
  if (Lines const measured = measured_lines(analysis, machine); !measured.empty())
    add_table(page, measured);
  page << "<h2>The pattern</h2>\n<div class='figures'>\n";
  add_figure(page, spy_of(analysis.density), "Where entries are: darker where there are more.");
  if (analysis.figures.nnz > 0)
  {
    add_figure(page, to_svg(roofline_chart(analysis, machine)),
               "What each multiply can reach at most: a mark below the corner waits for memory.");
    add_figure(page, to_svg(length_chart(analysis.figures.lengths)), "Rows by powers of 2.");
    add_figure(page, to_svg(gap_chart(analysis.figures.clusters)),
               "By powers of 4 (paper 000, section 4.2).");
  }
  page << "</div>\n";
  add_table(page, figure_lines(analysis));
  page
      << "<h2>Orders</h2>\n<p>Overlap: entries for each distinct column in bundles of neighbouring "
         "rows, which is how many a load of a row of B serves.</p>\n";
  add_table(page, order_lines(analysis));
  page << "</body>\n</html>\n";
  return page.str();
}

} // namespace heddle::perf
