// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/measure.hpp>
#include <harness/report.hpp>
#include <heddle/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace heddle::perf;

namespace
{

Settings settings_with(std::string const& json)
{
  Settings settings;
  settings.json = json;
  settings.runs = 5;
  return settings;
}

Record some_case()
{
  Record record;
  record.operation = "spmv";
  record.matrix = "m";
  record.rows = record.cols = record.nnz = 10;
  record.value_type = "f64";
  record.flops = 20.0;
  record.bytes = 100.0;
  return record;
}

std::vector<nlohmann::json> lines_of(std::string const& path)
{
  std::vector<nlohmann::json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    lines.push_back(nlohmann::json::parse(line));
  return lines;
}

} // namespace

TEST_CASE("results are a JSON object a line; a case without a right result has no times", "[perf]")
{
  std::string const path =
      (std::filesystem::temp_directory_path() / "heddle_test_report.jsonl").string();
  Settings const settings = settings_with(path);
  bool has_wrong_results = false;
  {
    Report report(settings, {"a device", 10.0, 1.0, 1.0});
    auto const right = [] { return Verdict{1e-16, ""}; };
    auto const wrong = [] { return Verdict{0.5, "wrong result: entry (0, 0)"}; };
    auto const nothing = [] {};
    measure(report, settings, some_case(), {"heddle::auto", "int32,int32", nothing, nothing, {}},
            Clock::device, right);
    CHECK_FALSE(report.has_wrong_results());
    measure(report, settings, some_case(), {"heddle::wrong", "int32,int32", {}, nothing, {}},
            Clock::device, wrong);
    measure(report, settings, some_case(),
            {"heddle::broken", "int32,int32", {}, [] { throw std::runtime_error("no way"); }, {}},
            Clock::device, right);
    report.end_group();
    has_wrong_results = report.has_wrong_results();
  }
  CHECK(has_wrong_results);
  auto const lines = lines_of(path);
  std::filesystem::remove(path);
  REQUIRE(lines.size() == 3);
  for (char const* const key : {"operation", "matrix", "rows", "cols", "nnz", "k", "value_type",
                                "index_types", "implementation", "plan_ms", "median_ms", "gflops",
                                "gbytes_per_s", "residual", "device", "commit"})
    CHECK(lines[0].contains(key));
  CHECK(lines[0]["k"] == 1);
  CHECK(lines[0]["runs"] == 5);
  CHECK(lines[1]["skipped"] == "wrong result: entry (0, 0)");
  CHECK(lines[2]["skipped"] == "no way");
  for (std::size_t const n : {1, 2})
    CHECK_FALSE(lines[n].contains("median_ms"));
}

TEST_CASE("a file for results that cannot be written is an error before anything runs", "[perf]")
{
  CHECK_THROWS_AS(
      Report(settings_with("no/such/folder/results.jsonl"), {"a device", 1.0, 1.0, 1.0}),
      heddle::FileError);
}
