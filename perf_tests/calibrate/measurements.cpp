// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/result_rows.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <calibrate/measurements.hpp>

namespace heddle::perf
{

namespace
{

RowSegmentFeatures features_of(nlohmann::ordered_json const& row)
{
  RowSegmentFeatures features;
  for (std::size_t n = 0; n < RowSegmentFeatures::gap_bins; ++n)
    features.gaps[n] = row.at("features").at(RowSegmentFeatures::name(n));
  features.accumulations = row.at("features").at("accumulations");
  return features;
}

} // namespace

Measurements::Measurements(std::string const& file)
    : m_file(file, Keep::finished)
{
  if (std::filesystem::exists(file))
    for_each_row(file, [this](nlohmann::json const& row, auto) {
      if (m_file.is_finished(row))
        m_rows[case_of(row)] = row;
    });
}

nlohmann::ordered_json const* Measurements::find(nlohmann::ordered_json const& row) const
{
  auto const found = m_rows.find(case_of(row));
  return found == m_rows.end() ? nullptr : &found->second;
}

void Measurements::write(nlohmann::ordered_json const& row)
{
  m_file.write(row);
  m_rows[case_of(row)] = row;
}

void Measurements::replace(nlohmann::ordered_json const& row)
{
  auto const* const there = find(row);
  bool is_same = there != nullptr;
  if (is_same)
    for (auto const& [key, value] : row.items())
      is_same = is_same && there->contains(key) && there->at(key) == value;
  if (!is_same)
    write(row);
}

std::vector<nlohmann::ordered_json> Measurements::rows() const
{
  std::vector<nlohmann::ordered_json> all;
  all.reserve(m_rows.size());
  for (auto const& [name, row] : m_rows)
    all.push_back(row);
  return all;
}

std::vector<MeasuredMatrix> measured_matrices(std::vector<nlohmann::ordered_json> const& rows,
                                              std::string const& value_type)
{
  std::map<std::string, MeasuredMatrix> matrices;
  for (nlohmann::ordered_json const& row : rows)
  {
    std::string const operation = row.at("operation");
    if ((operation != "calibrate" && operation != "calibrate_features") ||
        row.at("value_type") != value_type)
      continue;
    MeasuredMatrix& matrix = matrices[row.at("matrix")];
    matrix.name = row.at("matrix");
    if (operation == "calibrate_features")
    {
      matrix.features[std::stoi(row.at("parameters").get<std::string>())] = features_of(row);
      continue;
    }
    matrix.rows = row.at("rows");
    matrix.nnz = row.at("nnz");
    matrix.is_training = row.at("training");
    matrix.times[parse_configuration(row.at("parameters"))] = {
        row.at("median_ms"), row.at("segments"), row.at("heavy_nnz")};
  }
  std::vector<MeasuredMatrix> list;
  for (auto& [name, matrix] : matrices)
    if (!matrix.times.empty() && !matrix.features.empty())
      list.push_back(std::move(matrix));
  std::ranges::sort(list, [](auto const& a, auto const& b) {
    return std::tie(a.nnz, a.name) < std::tie(b.nnz, b.name);
  });
  return list;
}

} // namespace heddle::perf
