// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/table.hpp>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <calibrate/model_page.hpp>
#include <report/chart.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

namespace
{

double gflops(ModelResult const& r, int k, double milliseconds)
{
  return 2 * r.nnz * k / milliseconds * 1e-6;
}

Series series_of(ModelResults const& all, std::string const& name, double ModelResult::*time,
                 Configuration ModelResult::*configuration)
{
  Series series{name, {}, Style::lines_and_marks};
  for (ModelResult const& r : all.results)
  {
    double const rate = gflops(r, all.k, r.*time);
    series.points.push_back({r.nnz, rate,
                             r.matrix + (r.is_training ? " (training), " : ", ") + name + ", " +
                                 to_text(r.*configuration) + ": " + short_number(rate) +
                                 " GFLOPS"});
  }
  return series;
}

std::string chart_of(ModelResults const& all)
{
  return to_svg(XyChart{"Row segments without model, with it and at best: " + all.value_type +
                            ", k = " + std::to_string(all.k),
                        Axis("entries of A", Scale::logarithmic),
                        Axis("GFLOPS", Scale::linear),
                        {series_of(all, "no model", &ModelResult::fixed_ms, &ModelResult::fixed),
                         series_of(all, "model", &ModelResult::model_ms, &ModelResult::model),
                         series_of(all, "best", &ModelResult::best_ms, &ModelResult::best)}});
}

void add_summary(std::ostringstream& page, ModelResults const& all)
{
  ModelSummary const summary = summary_of(all.results);
  page << "<p>" << summary.model.count << " matrices on " << escaped(all.device)
       << ". Times over the best, geometric mean and most: no model "
       << to_text(summary.fixed.geometric_mean, 4) << ", " << to_text(summary.fixed.most, 4)
       << "; model " << to_text(summary.model.geometric_mean, 4) << ", "
       << to_text(summary.model.most, 4) << ".</p>\n";
}

void add_table(std::ostringstream& page, ModelResults const& all)
{
  page << "<table>\n<tr><th>matrix</th><th>entries</th><th>set</th><th>no model</th><th>ms</th>"
          "<th>model</th><th>ms</th><th>best</th><th>ms</th></tr>\n";
  for (ModelResult const& r : all.results)
  {
    page << "<tr><td>" << escaped(r.matrix) << "</td><td>" << short_number(r.nnz) << "</td><td>"
         << (r.is_training ? "training" : "test") << "</td>";
    for (auto const& [configuration, time] :
         {std::pair(r.fixed, r.fixed_ms), std::pair(r.model, r.model_ms),
          std::pair(r.best, r.best_ms)})
      page << "<td>" << to_text(configuration) << "</td><td>" << to_text(time, 4) << "</td>";
    page << "</tr>\n";
  }
  page << "</table>\n";
}

constexpr char const* head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Model of row segments</title>
<style>
body { font: 15px/1.45 sans-serif; margin: 1.5em auto; padding: 0 1em; max-width: 1000px; color: #222; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 0.2em 0.7em; border-bottom: 1px solid #e8e8e8; text-align: right; }
</style>
</head>
<body>
<h1>Model of row segments</h1>
<p>After paper 000, Fig. 7. Parameters are CF_V, threshold and CF_H; "best" is the fastest of all that were measured.</p>
)";

} // namespace

std::vector<ModelResult> model_results(std::vector<MeasuredMatrix> const& matrices,
                                       RowSegmentModel::OfType const& model,
                                       Configuration const& fixed)
{
  std::vector<ModelResult> results;
  for (MeasuredMatrix const& matrix : matrices)
  {
    if (!matrix.features.contains(model.vertical))
      continue;
    ModelResult r{matrix.name, static_cast<double>(matrix.nnz), matrix.is_training,
                  fixed,       chosen_by(model, matrix),        best_of(matrix.times)};
    auto const of_fixed = matrix.times.find(r.fixed), of_model = matrix.times.find(r.model);
    if (of_fixed == matrix.times.end() || of_model == matrix.times.end())
      continue;
    r.fixed_ms = of_fixed->second.milliseconds;
    r.model_ms = of_model->second.milliseconds;
    r.best_ms = matrix.times.at(r.best).milliseconds;
    results.push_back(std::move(r));
  }
  return results;
}

ModelSummary summary_of(std::vector<ModelResult> const& results)
{
  std::vector<double> fixed, model;
  for (ModelResult const& r : results)
  {
    fixed.push_back(r.fixed_ms / r.best_ms);
    model.push_back(r.model_ms / r.best_ms);
  }
  return {summary_of(fixed), summary_of(model)};
}

std::string model_page(std::vector<ModelResults> const& all)
{
  std::ostringstream page;
  page << head;
  for (ModelResults const& one : all)
  {
    page << "<h2>" << escaped(one.value_type) << "</h2>\n";
    add_summary(page, one);
    page << "<figure>\n" << chart_of(one) << "</figure>\n";
    add_table(page, one);
  }
  page << "</body>\n</html>\n";
  return page.str();
}

} // namespace heddle::perf
