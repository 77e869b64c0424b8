// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <support/results.hpp>
#include <support/temporary_folder.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <report/input.hpp>
#include <report/iterative.hpp>
#include <report/result.hpp>
#include <report/settings.hpp>

using namespace heddle::perf;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::StartsWith;
using heddle::test::product;
using heddle::test::result;
using heddle::test::TemporaryFolder;

namespace
{

// A row with further keys behind, such as R"("layout":"col")".
std::string row(std::string const& operation, std::string const& matrix,
                std::string const& implementation, std::string const& more = "")
{
  return R"({"operation":")" + operation + R"(","matrix":")" + matrix +
         R"(","rows":3,"cols":4,"nnz":5,"k":1,"value_type":"f64","implementation":")" +
         implementation + R"(","median_ms":0.5,"gflops":null,"gbytes_per_s":3.0,"device":"d")" +
         (more.empty() ? "" : "," + more) + "}\n";
}

std::string const read_row = R"({"operation":"read","file":"f"})"
                             "\n";

Result only_result(std::string const& text)
{
  TemporaryFolder const folder;
  auto const results = read_results(folder.file("r.jsonl", text));
  REQUIRE(results.size() == 1);
  return results.front();
}

} // namespace

TEST_CASE("results are read line by line, and a malformed one is named", "[perf]")
{
  TemporaryFolder const folder;
  std::string const good = row("spmv", "m", "heddle::auto");
  auto const results = read_results(folder.file("good.jsonl", good + read_row + good));
  REQUIRE(results.size() == 2);
  CHECK(results[1].matrix == "m");
  CHECK(results[1].nnz == 5);
  CHECK(results[1].median_ms == 0.5);
  CHECK(results[1].gbytes_per_s == 3.0);
  CHECK(std::isnan(results[1].gflops));
  CHECK(std::isnan(results[1].serial_ms));
  std::vector<std::string> const malformed{"{\"operation\":",
                                           "[]",
                                           "{}",
                                           "",
                                           R"({"operation":"spmv","matrix":5})",
                                           "null",
                                           good.substr(0, good.size() - 2) + R"(,"gflops":"2"})"};
  for (std::string const& bad : malformed)
  {
    CAPTURE(bad);
    std::string const path = folder.file("bad.jsonl", good + bad + "\n" + good);
    CHECK_THROWS_MATCHES(read_results(path), heddle::ParseError,
                         MessageMatches(StartsWith(path + ":2: ")));
    CHECK_THROWS_AS(read_input({folder.path()}), heddle::ParseError);
  }
  CHECK_THROWS_AS(read_results("no/such/file.jsonl"), heddle::FileError);
}

TEST_CASE("rows of before there was a layout say it by their names", "[perf]")
{
  Result const old_row = only_result(row("spmm", "m", "heddle::auto"));
  CHECK(old_row.layout == "row");
  CHECK(old_row.layout_c == "row");
  Result const old_col = only_result(row("spmm_t", "m", "heddle::auto_col"));
  CHECK(old_col.layout == "col");
  CHECK(old_col.implementation == "heddle::auto");
  Result const col = only_result(row("spmm", "m", "a::b_col", R"("layout":"col")"));
  CHECK(col.layout == "col");
  CHECK(col.implementation == "a::b_col");
  CHECK(only_result(row("spmm", "m", "a::b", R"("layout":"row","layout_c":"col")")).layout_c ==
        "col");
  CHECK(only_result(row("spmv", "m", "a::b_col")).layout.empty());
}

TEST_CASE("a bound that a row does not have follows from the machine", "[perf]")
{
  Result r = result("m", "heddle::auto", 1); // 0.5 operations a byte at 10 GB/s
  CHECK(r.bound_gflops() == Approx(5));
  CHECK(r.roofline_percent() == Approx(40));
  r.machine_gflops = 3;
  CHECK(r.bound_gflops() == Approx(3));
  r.machine_gflops = std::numeric_limits<double>::quiet_NaN();
  CHECK(r.bound_gflops() == Approx(5));
  r.roofline_gflops = 4;
  CHECK(r.roofline_percent() == Approx(50));
  r.roofline_gflops = r.gbytes_per_s = std::numeric_limits<double>::quiet_NaN();
  r.machine_gflops = 8;
  CHECK(std::isnan(r.bound_gflops()));
}

TEST_CASE("a folder means all its files of results, and a case that comes again replaces the first",
          "[perf]")
{
  TemporaryFolder const folder;
  folder.file("a.jsonl", row("spmv", "m", "heddle::auto") + row("spmv", "n", "heddle::auto"));
  folder.file("b.jsonl", row("spmv", "m", "heddle::auto", R"("plan_ms":7)") +
                             row("spmv", "m", "heddle::auto", R"("index_types":"x")"));
  folder.file("c.jsonl", read_row);
  folder.file("notes.txt", "no JSON");
  std::string const check =
      R"({"operation":"self_check","implementation":"copy","gbytes_per_s":9,"median_ms":1,)"
      R"("warning":"busy"})";
  std::string const more = folder.file("more.text", check + "\n" + row("spmm", "m", "a::b"));

  Input const input = read_input({folder.path(), more});
  CHECK(input.files == 4);
  REQUIRE(input.results.size() == 4);
  CHECK(input.results[0].plan_ms == 7);
  CHECK(input.results[1].matrix == "n");
  CHECK(input.results[3].operation == "spmm");
  REQUIRE(input.self_checks.size() == 1);
  CHECK(input.self_checks[0].warning == "busy");
  CHECK(input.notes ==
        std::vector<std::string>{"c.jsonl: no results in it",
                                 "1 row of a.jsonl: replaced by later ones of b.jsonl"});

  TemporaryFolder const empty;
  CHECK_THROWS_MATCHES(read_input({empty.path()}), heddle::FileError,
                       MessageMatches(ContainsSubstring("has no *.jsonl")));
}

TEST_CASE("option --nnz is a range of entries of which an end may be left out", "[perf]")
{
  EntryRange const both = parse_entry_range("1e5:2e8");
  CHECK(both.least == 100000);
  CHECK(both.most == 200000000);
  CHECK(both.has(100000));
  CHECK(both.has(200000000));
  CHECK_FALSE(both.has(99999));
  CHECK_FALSE(both.has(200000001));
  CHECK(parse_entry_range(":1000").least == 0);
  CHECK_FALSE(parse_entry_range("1000:").has(999));
  CHECK(parse_entry_range("1000:").has(EntryRange::no_end));
  CHECK(EntryRange{}.is_everything());
  for (std::string const bad :
       {"", ":", "5", "1e5-2e8", "a:b", "1:b", "1 :2", "-1:2", "2:1", "1:2:3", "nan:5", ":1e30"})
  {
    CAPTURE(bad);
    CHECK_THROWS_MATCHES(parse_entry_range(bad), heddle::InvalidArgument,
                         MessageMatches(ContainsSubstring("--nnz is \"" + bad + "\"")));
  }
}

TEST_CASE("filters keep square matrices and ranges of entries", "[perf]")
{
  Result r = result("m", "heddle::auto", 1);
  ReportSettings settings;
  CHECK(settings.keeps(r));
  settings.is_square_only = true;
  CHECK(settings.keeps(r));
  r.cols = 101;
  CHECK_FALSE(settings.keeps(r));
  settings.is_square_only = false;
  CHECK(settings.keeps(r));
  settings.entries = parse_entry_range("1001:");
  CHECK_FALSE(settings.keeps(r));
}

TEST_CASE("option --iterative charges a transposition where C has another layout than B", "[perf]")
{
  Result r = product("spmm", "m", "a::b", 1);
  r.rows = 1000;
  r.cols = 500;
  CHECK(charged(r).median_ms == 1);
  r.layout_c = "col";
  // 1000 x 8 values of 8 bytes, read and written at 10 GB/s.
  double const ms = 2 * 1000 * 8 * 8 / 10e9 * 1e3;
  CHECK(transposition_ms(r) == Approx(ms));
  CHECK(charged(r).median_ms == Approx(1 + ms));
  CHECK(charged(r).gflops == Approx(2 / (1 + ms)));
  CHECK(charged(r).gbytes_per_s == Approx(4 / (1 + ms)));
  CHECK(charged(r).bound_gflops() == Approx(r.bound_gflops()));
  r.operation = "spmm_t"; // 500 rows of C
  CHECK(transposition_ms(r) == Approx(ms / 2));
  r.operation = "spmm_both";
  CHECK(transposition_ms(r) == Approx(1.5 * ms));
  r.value_type = "f32";
  CHECK(transposition_ms(r) == Approx(0.75 * ms));

  r.machine_gbytes_per_s = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(charged(r).skipped, ContainsSubstring("no machine_gbytes_per_s"));
  r.skipped = "no way";
  CHECK(charged(r).skipped == "no way");
}
