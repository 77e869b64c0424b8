// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/measure.hpp>
#include <harness/report.hpp>
#include <heddle/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace heddle::perf;

namespace
{

Machine machine(double gbytes_per_s, double gflops_f32, double gflops_f64)
{
  return {.device = "a device",
          .gbytes_per_s = gbytes_per_s,
          .copy_gbytes_per_s = gbytes_per_s,
          .gflops_f32 = gflops_f32,
          .gflops_f64 = gflops_f64,
          .warning = ""};
}

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

// Of one kind: the self-check of the machine, or results.
std::vector<nlohmann::json> lines_of(std::string const& path, bool is_self_check = false)
{
  std::vector<nlohmann::json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (auto const row = nlohmann::json::parse(line);
        (row["operation"] == "self_check") == is_self_check)
      lines.push_back(row);
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
    Machine with_shared_memory = machine(10.0, 1.0, 1.0);
    with_shared_memory.shared_gbytes_per_s = 30.0;
    Report report(settings, with_shared_memory);
    auto const right = [] { return Verdict{1e-16, ""}; };
    auto const wrong = [] { return Verdict{0.5, "wrong result: entry (0, 0)"}; };
    auto const nothing = [] {};
    measure(report, settings, some_case(), {"heddle::auto", "int32,int32", nothing, nothing, {}},
            Clock::device, right);
    measure(report, settings, some_case(), {"other::wrong", "int32,int32", {}, nothing, {}},
            Clock::device, wrong);
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
  REQUIRE(lines.size() == 4);
  for (char const* const key : {"operation", "matrix", "rows", "cols", "nnz", "k", "value_type",
                                "index_types", "implementation", "plan_ms", "median_ms", "mean_ms",
                                "gflops", "gbytes_per_s", "residual", "device", "commit"})
    CHECK(lines[0].contains(key));
  CHECK(lines[0]["k"] == 1);
  CHECK(lines[0]["runs"] == 5);
  CHECK(lines[0]["roofline_gflops"] == 1.0);
  CHECK(lines[0]["machine_shared_gbytes_per_s"] == 30.0);
  CHECK(lines[1]["skipped"] == "wrong result: entry (0, 0)");
  CHECK(lines[2]["skipped"] == "wrong result: entry (0, 0)");
  CHECK(lines[3]["skipped"] == "no way");
  for (std::size_t const n : {1, 2, 3})
    CHECK_FALSE(lines[n].contains("median_ms"));
}

TEST_CASE("rows have the mean of the timed calls beside their median", "[perf]")
{
  std::string const path =
      (std::filesystem::temp_directory_path() / "heddle_test_mean.jsonl").string();
  Settings const settings = settings_with(path);
  {
    Report report(settings, machine(10.0, 1.0, 2.0));
    // One call is checked and two warm up; of the five that are timed the first and last are slow.
    int calls = 0;
    auto const run = [&calls] {
      if (++calls % 4 == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    };
    measure(report, settings, some_case(), {"heddle::auto", "int32,int32", {}, run, {}},
            Clock::host, [] { return Verdict{}; });
    report.end_group();
    CHECK(calls == 8);
  }
  auto const lines = lines_of(path);
  std::filesystem::remove(path);
  REQUIRE(lines.size() == 1);
  CHECK_FALSE(lines[0].contains("machine_shared_gbytes_per_s")); // not known of this machine
  CHECK(lines[0]["mean_ms"] >= 2 * 20.0 / 5);
  CHECK(lines[0]["median_ms"] < lines[0]["mean_ms"]);
}

TEST_CASE("a file of results says what the machine reached, and what speaks against it", "[perf]")
{
  std::string const path =
      (std::filesystem::temp_directory_path() / "heddle_test_self_check.jsonl").string();
  Machine busy = machine(10.0, 1.0, 1.0);
  busy.copy_gbytes_per_s = 8.0;
  busy.warning = "something else is running";
  Report(settings_with(path), busy);
  CHECK_FALSE(std::filesystem::exists(path)); // nothing was run
  Report(settings_with(path), busy).add(some_case());
  CHECK(lines_of(path).size() == 1);
  auto const lines = lines_of(path, true);
  std::filesystem::remove(path);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["implementation"] == "read");
  CHECK(lines[0]["gbytes_per_s"] == 10.0);
  CHECK(lines[1]["implementation"] == "copy");
  CHECK(lines[1]["gbytes_per_s"] == 8.0);
  CHECK(lines[1]["warning"] == "something else is running");
}

TEST_CASE("no case begins after the time limit", "[perf]")
{
  Settings settings = settings_with("");
  settings.time_limit_s = 1e-9;
  Report report(settings, machine(10.0, 1.0, 1.0));
  bool has_run = false;
  measure(report, settings, some_case(),
          {"heddle::auto", "int32,int32", {}, [&has_run] { has_run = true; }, {}}, Clock::device,
          [] { return Verdict{}; });
  CHECK_FALSE(has_run);
  CHECK(report.is_out_of_time());
}

TEST_CASE("a file for results that cannot be written is an error before anything runs", "[perf]")
{
  CHECK_THROWS_AS(Report(settings_with("no/such/folder/results.jsonl"), machine(1.0, 1.0, 1.0)),
                  heddle::FileError);
}

TEST_CASE("a case of formats says which, and what came before and after the operation", "[perf]")
{
  std::string const path =
      (std::filesystem::temp_directory_path() / "heddle_test_report_formats.jsonl").string();
  {
    Report report(settings_with(path), machine(10.0, 1.0, 2.0));
    Record record = some_case();
    record.operation = "formats_spmm";
    record.format = "bsr";
    record.parameters = "3x3";
    record.layout = "col";
    record.fill_ratio = 1.5;
    record.times = times_summary({2.0});
    record.prologue_ms = 4.0;
    record.epilogue_ms = 1.0;
    report.add(record);
    record.serial_ms = 14.0;
    report.add(record);
    record.skipped = "no way";
    report.add(record);
    report.add(some_case());
    report.end_group();
    CHECK(record.total_ms() == 7.0);
  }
  auto const lines = lines_of(path);
  std::filesystem::remove(path);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0]["format"] == "bsr");
  CHECK(lines[0]["parameters"] == "3x3");
  CHECK(lines[0]["layout"] == "col");
  CHECK(lines[0]["fill_ratio"] == 1.5);
  CHECK(lines[0]["prologue_ms"] == 4.0);
  CHECK(lines[0]["epilogue_ms"] == 1.0);
  CHECK(lines[0]["machine_gflops"] == 2.0);    // some_case is f64
  CHECK_FALSE(lines[0].contains("serial_ms")); // no serial code ran
  CHECK(lines[1]["serial_ms"] == 14.0);
  CHECK(lines[2]["format"] == "bsr");
  CHECK(lines[2]["skipped"] == "no way");
  for (char const* const key : {"median_ms", "prologue_ms", "epilogue_ms", "serial_ms"})
    CHECK_FALSE(lines[2].contains(key));
  CHECK_FALSE(lines[3].contains("format"));
}
