// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rows as calibrate writes them, and what they say of matrices.

#include <support/temporary_folder.hpp>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <calibrate/bench.hpp>
#include <calibrate/measurements.hpp>

using namespace heddle::perf;
using heddle::RowSegmentFeatures;
using heddle::test::TemporaryFolder;

namespace
{

using Row = nlohmann::ordered_json;

Row times(std::string const& matrix, int nnz, Configuration const& c, double ms)
{
  Row row = time_row(matrix, "f64", 16, c);
  row.update({{"rows", 7},
              {"nnz", nnz},
              {"training", matrix == "first"},
              {"segments", 3},
              {"heavy_nnz", 5},
              {"median_ms", ms}});
  return row;
}

Row features(std::string const& matrix, double accumulations)
{
  Row row = features_row(matrix, "f64", 2);
  for (std::size_t n = 0; n < RowSegmentFeatures::gap_bins; ++n)
    row["features"][RowSegmentFeatures::name(n)] = 0.125 * static_cast<double>(n);
  row["features"]["accumulations"] = accumulations;
  return row;
}

std::vector<Row> rows()
{
  return {features("second", 0.75),
          features("first", 0.25),
          features("no times", 0.5),
          times("second", 2000, {2, 8, 1}, 4),
          times("second", 2000, {2, 3, 1}, 2),
          times("second", 2000, {2, 5, 1}, 1),
          times("first", 1000, {2, 8, 1}, 3),
          times("first", 1000, {2, 5, 1}, 1),
          times("no features", 10, {2, 8, 1}, 3)};
}

} // namespace

TEST_CASE("matrices are read from rows of a calibration, by entries", "[calibrate]")
{
  auto const matrices = measured_matrices(rows(), "f64");
  REQUIRE(matrices.size() == 2);
  CHECK(measured_matrices(rows(), "f32").empty());
  MeasuredMatrix const& second = matrices[1];
  CHECK(matrices[0].name == "first");
  CHECK(matrices[0].is_training);
  CHECK(second.name == "second");
  CHECK(!second.is_training);
  CHECK(second.rows == 7);
  CHECK(second.nnz == 2000);
  CHECK(second.features.at(2).gaps[3] == 0.375);
  CHECK(second.features.at(2).accumulations == 0.75);
  REQUIRE(second.times.size() == 3);
  CHECK(second.times.at({2, 3, 1}).milliseconds == 2);
  CHECK(second.times.at({2, 3, 1}).segments == 3);
  CHECK(second.times.at({2, 3, 1}).heavy_nnz == 5);
}

TEST_CASE("rows of a calibration are found again", "[calibrate]")
{
  TemporaryFolder const folder;
  std::string const file = folder.path() + "/rows.jsonl";
  {
    Measurements first(file);
    CHECK(first.find(time_row("a", "f64", 16, {2, 3, 1})) == nullptr);
    first.write(times("a", 10, {2, 3, 1}, 4));
  }
  Measurements const second(file);
  auto const* const found = second.find(time_row("a", "f64", 16, {2, 3, 1}));
  REQUIRE(found != nullptr);
  CHECK(found->at("median_ms") == 4);
  for (Row const& other : {time_row("b", "f64", 16, {2, 3, 1}), time_row("a", "f32", 16, {2, 3, 1}),
                           time_row("a", "f64", 8, {2, 3, 1}), time_row("a", "f64", 16, {2, 4, 1})})
    CHECK(second.find(other) == nullptr);
  CHECK(second.rows().size() == 1);
}
