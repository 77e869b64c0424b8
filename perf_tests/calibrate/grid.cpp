// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/config.hpp>
#include <heddle/row_segment_model.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include <calibrate/bench.hpp>
#include <calibrate/training.hpp>

namespace heddle::perf
{

std::string CalibrateSettings::results_file() const
{
  return results.empty() ? std::filesystem::path(out).replace_extension(".jsonl").string()
                         : results;
}

std::vector<Configuration> Grid::all() const
{
  std::vector<Configuration> list;
  for (int const vertical : verticals)
    for (int threshold = 1; threshold <= thresholds; ++threshold)
      for (int const horizontal : horizontals)
        list.push_back({vertical, threshold, horizontal});
  return list;
}

Grid grid_of(std::string const& value_type)
{
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
  static_cast<void>(value_type);
  auto const& all = RowSegmentModel::coarsenings;
  return {"cuda_native::row_segments", {all.begin(), all.end()}, {all.begin(), all.end()}};
#else
  Configuration const paper = paper_configuration(value_type);
  return {"", {paper.vertical}, {paper.horizontal}};
#endif
}

namespace
{

nlohmann::ordered_json row_of(std::string const& operation, std::string const& matrix,
                              std::string const& value_type, int k, std::string const& parameters)
{
  std::string const name = grid_of(value_type).implementation;
  return {{"operation", operation},
          {"matrix", matrix},
          {"k", k},
          {"value_type", value_type},
          {"layout", "row"},
          {"implementation", "heddle::" + (name.empty() ? "auto" : name)},
          {"format", "row_segmented"},
          {"parameters", parameters}};
}

} // namespace

nlohmann::ordered_json features_row(std::string const& matrix, std::string const& value_type,
                                    int vertical)
{
  return row_of("calibrate_features", matrix, value_type, 1, std::to_string(vertical));
}

nlohmann::ordered_json time_row(std::string const& matrix, std::string const& value_type, int k,
                                Configuration const& configuration)
{
  return row_of("calibrate", matrix, value_type, k, to_text(configuration));
}

nlohmann::ordered_json cost_row(std::string const& matrix, std::string const& value_type, int k,
                                int size, std::string const& part)
{
  return row_of("calibrate_costs", matrix + "_" + std::to_string(size), value_type, k, part);
}

nlohmann::ordered_json held_out_row(std::string const& matrix, std::string const& value_type, int k,
                                    std::string const& way)
{
  return row_of("calibrate_held_out", matrix, value_type, k, way);
}

} // namespace heddle::perf
