// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <commands.hpp>
#include <harness/result_rows.hpp>
#include <harness/table.hpp>
#include <heddle/impl/output_file.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/row_segment_model_file.hpp>

#include <nlohmann/json.hpp>

#include <iostream>
#include <set>
#include <string>
#include <vector>

#include <calibrate/measurements.hpp>
#include <calibrate/model_page.hpp>

namespace heddle::perf
{

namespace
{

struct Rows
{
  std::vector<nlohmann::ordered_json> rows;
  std::set<std::string> devices;
  std::set<int> widths;
};

Rows read_rows(std::string const& file)
{
  Rows all;
  for_each_row(file, [&all](nlohmann::json const& row, auto) {
    std::string const operation = row.at("operation");
    if (!operation.starts_with("calibrate"))
      return;
    all.rows.emplace_back(row);
    all.devices.insert(row.at("device").get<std::string>());
    if (operation == "calibrate")
      all.widths.insert(row.at("k").get<int>());
  });
  impl::require(all.devices.size() == 1 && all.widths.size() == 1, "model-chart", file, " has ",
                all.devices.size(), " devices and ", all.widths.size(), " k, expected one of each");
  return all;
}

} // namespace

void write_model_chart(ModelChartSettings const& settings)
{
  Rows const rows = read_rows(settings.results);
  std::string const device = *rows.devices.begin();
  RowSegmentModel const model = read_row_segment_model(settings.model, device);
  std::vector<ModelResults> all;
  for (std::string const type : {"f32", "f64"})
  {
    Configuration const fixed = settings.fixed.empty() ? paper_configuration(type)
                                : type == "f32"        ? settings.fixed.front()
                                                       : settings.fixed.back();
    ModelResults one{type, device, *rows.widths.begin(),
                     model_results(measured_matrices(rows.rows, type),
                                   type == "f32" ? model.f32 : model.f64, fixed)};
    if (one.results.empty())
      continue;
    ModelSummary const summary = summary_of(one.results);
    std::cout << type << ", " << one.results.size() << " matrices, time over the best: no model "
              << to_text(summary.fixed.geometric_mean, 4) << ", model "
              << to_text(summary.model.geometric_mean, 4) << " (geometric mean)\n";
    all.push_back(std::move(one));
  }
  impl::require(!all.empty(), "model-chart", settings.results,
                " has no matrix with times of all three");
  impl::write_output_file(settings.out, model_page(all));
}

} // namespace heddle::perf
