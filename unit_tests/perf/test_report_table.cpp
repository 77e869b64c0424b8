// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the tables on standard output say, and do not say, of times.

#include <harness/report.hpp>
#include <harness/table.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace heddle::perf;
using Catch::Matchers::ContainsSubstring;

namespace
{

Machine machine()
{
  return {.device = "a device",
          .gbytes_per_s = 100.0,
          .copy_gbytes_per_s = 100.0,
          .gflops_f32 = 1e6,
          .gflops_f64 = 1e6,
          .caches = {{"L2", 1000}, {"L3", 10000}},
          .warning = ""};
}

// Memory takes bytes / 1e8 milliseconds.
Record timed(std::string const& implementation, double bytes, double ms)
{
  Record record;
  record.operation = "spmv";
  record.matrix = "m";
  record.value_type = "f64";
  record.implementation = implementation;
  record.flops = 1;
  record.bytes = bytes;
  record.times = times_summary({ms});
  return record;
}

std::string table_of(std::vector<Record> const& records, Settings const& settings = {})
{
  std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  {
    Report report(settings, machine());
    text.str("");
    for (Record const& record : records)
      report.add(record);
    report.end_group();
  }
  std::cout.rdbuf(before);
  return text.str();
}

// The cells of the line of an implementation.
std::vector<std::string> cells_of(std::string const& table, std::string const& implementation)
{
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
  {
    std::istringstream words(line);
    std::vector<std::string> cells;
    for (std::string word; words >> word;)
      cells.push_back(word);
    if (!cells.empty() && cells.front() == implementation)
      return cells;
  }
  return {};
}

} // namespace

TEST_CASE("steady times have a ratio and a share of the roofline", "[perf]")
{
  std::string const table =
      table_of({timed("heddle::auto", 1e8, 2.0), timed("kokkoskernels::native", 1e8, 4.0)});
  // name, plan, median, quartiles, GFLOPS, GB/s, share, ratio, residual
  CHECK(cells_of(table, "heddle::auto").at(7) == "50.00");
  CHECK(cells_of(table, "heddle::auto").at(8) == "2.000");
  CHECK(cells_of(table, "kokkoskernels::native").at(8) == "1.000");
  CHECK(table.find("noisy") == std::string::npos);
}

TEST_CASE("noisy times have no ratio and no share of the roofline, and the table says why",
          "[perf]")
{
  Record ours = timed("heddle::auto", 1e8, 2.0), theirs = timed("kokkoskernels::native", 1e8, 4.0);
  SECTION("ours")
  {
    ours.noise = "a reason";
    std::string const table = table_of({ours, theirs});
    CHECK(cells_of(table, "heddle::auto").at(2) == "2.000");
    CHECK(cells_of(table, "heddle::auto").at(7) == "-");
    CHECK(cells_of(table, "heddle::auto").at(8) == "-");
    CHECK(cells_of(table, "kokkoskernels::native").at(7) == "25.00");
    CHECK_THAT(table, ContainsSubstring("    heddle::auto: a reason\n"));
    CHECK_THAT(table, ContainsSubstring("OMP_WAIT_POLICY=passive"));
  }
  SECTION("theirs")
  {
    theirs.noise = "a reason";
    std::string const table = table_of({ours, theirs});
    CHECK(cells_of(table, "heddle::auto").at(7) == "50.00");
    CHECK(cells_of(table, "heddle::auto").at(8) == "-");
    CHECK(cells_of(table, "kokkoskernels::native").at(7) == "-");
  }
}

TEST_CASE("a share above 100 % names the smallest cache that explains it", "[perf]")
{
  // A tenth of the time that memory takes: nine tenths of the bytes come from elsewhere.
  std::string const table =
      table_of({timed("heddle::small", 1000, 1e-6), timed("heddle::larger", 1200, 1.2e-6),
                timed("heddle::largest", 20000, 2e-5)});
  CHECK_THAT(table, ContainsSubstring("1000.0 (L2)"));
  CHECK(cells_of(table, "heddle::larger").at(8) == "(L3)");
  CHECK(cells_of(table, "heddle::largest").at(7) == "-"); // no cache holds 18000 bytes
}

TEST_CASE("times with cold caches have a column where they are asked for", "[perf]")
{
  Settings settings;
  settings.is_cold = true;
  Record record = timed("heddle::auto", 1e8, 2.0);
  record.cold_ms = 3.0;
  std::string const table = table_of({record}, settings);
  CHECK_THAT(table, ContainsSubstring("cold ms"));
  CHECK(cells_of(table, "heddle::auto").at(5) == "3.000");
  CHECK(table_of({record}).find("cold ms") == std::string::npos);
}

TEST_CASE("numbers are short, and long ones can be read", "[perf]")
{
  CHECK(short_number(0.123456) == "0.1235");
  CHECK(short_number(12.0) == "12");
  CHECK(short_number(999.94) == "999.9");
  CHECK(short_number(999.96) == "1,000");
  CHECK(short_number(26463592) == "26,463,592");
  CHECK(short_number(-1234) == "-1,234");
  CHECK(short_number(1e-7) == "1e-07");
}
