// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <support/temporary_folder.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

#include <compare/comparison.hpp>
#include <compare/result_files.hpp>
#include <compare/timing.hpp>

using namespace heddle::perf;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using heddle::test::TemporaryFolder;

namespace
{

Timing timing(std::string const& matrix, double ms,
              std::string const& implementation = "heddle::auto")
{
  Timing timing;
  timing.problem = {"spmm", "f64", 32, "row"};
  timing.matrix = matrix;
  timing.implementation = implementation;
  timing.index_types = "int32,int32";
  timing.median_ms = ms;
  return timing;
}

Timing skipped(std::string const& matrix)
{
  Timing timing = ::timing(matrix, 0.0);
  timing.skipped = "no memory";
  return timing;
}

} // namespace

TEST_CASE("only changes beyond the threshold and beyond noise count", "[perf]")
{
  std::vector<Timing> const before = {timing("same", 1.0),    timing("slower", 1.0),
                                      timing("slowest", 1.0), timing("faster", 1.0),
                                      timing("within", 1.0),  timing("tiny", 0.010)};
  std::vector<Timing> const after = {timing("same", 1.0),    timing("slower", 1.2),
                                     timing("slowest", 2.0), timing("faster", 0.5),
                                     timing("within", 1.09), timing("tiny", 0.014)};
  Comparison const result = compare(before, after, {});
  CHECK(result.in_both == 6);
  REQUIRE(result.slower.size() == 2);
  CHECK(result.slower[0].of.matrix == "slowest");
  CHECK(result.slower[0].ratio() == 2.0);
  CHECK(result.slower[1].of.matrix == "slower");
  REQUIRE(result.faster.size() == 1);
  CHECK(result.faster[0].of.matrix == "faster");
  CHECK(result.is_worse(true));
  CHECK(compare(before, after, {1.05, 0.0}).slower.size() == 4);
  CHECK_FALSE(compare(before, after, {2.5, 0.0}).is_worse(false));
  CHECK_FALSE(compare(before, before, {}).is_worse(false));
}

TEST_CASE("cases that lost their time are worse, new ones are not", "[perf]")
{
  std::vector<Timing> const before = {timing("a", 1.0), timing("b", 1.0), skipped("c"),
                                      skipped("d")};
  Comparison const missing = compare(before, {timing("a", 1.0)}, {});
  REQUIRE(missing.missing.size() == 1); // c and d had no time to lose
  CHECK(missing.missing[0].of.matrix == "b");
  CHECK(missing.is_worse(false));
  CHECK_FALSE(missing.is_worse(true));
  Comparison const gone = compare(before, {timing("a", 1.0), skipped("b")}, {});
  REQUIRE(gone.skipped.size() == 1);
  CHECK(gone.skipped[0].skipped == "no memory");
  CHECK(gone.is_worse(true));
  Comparison const more =
      compare(before, {timing("a", 1.0), timing("b", 1.0), timing("c", 1.0), timing("e", 1.0)}, {});
  CHECK(more.added.size() == 2);
  CHECK_FALSE(more.is_worse(false));
}

TEST_CASE("cases differ in each part of what they are", "[perf]")
{
  Timing const old = timing("m", 1.0);
  std::vector<Timing> others(9, old);
  others[0].problem.operation = "spmm_t";
  others[1].problem.value_type = "f32";
  others[2].problem.k = 8;
  others[3].problem.layout = "col";
  others[4].matrix = "other";
  others[5].implementation = "heddle::auto_size_t";
  others[6].index_types = "int32,size_t";
  others[7].format = "bsr";
  others[8].parameters = "2x2";
  for (Timing const& other : others)
  {
    Comparison const result = compare({old}, {other}, {});
    CHECK(result.in_both == 0);
    CHECK(result.missing.size() == 1);
    CHECK(result.added.size() == 1);
  }
}

TEST_CASE("changes are summed up by problem and family", "[perf]")
{
  std::vector<Timing> const before = {timing("a", 1.0), timing("b", 1.0),
                                      timing("a", 1.0, "cusparse::csr_alg1"),
                                      timing("a", 1.0, "cusparse::csr_alg2")};
  std::vector<Timing> const after = {timing("a", 0.5), timing("b", 8.0),
                                     timing("a", 1.0, "cusparse::csr_alg1"),
                                     timing("a", 1.0, "cusparse::csr_alg2")};
  Comparison const result = compare(before, after, {});
  REQUIRE(result.groups.size() == 2);
  CHECK(result.groups[0].family == "cusparse");
  CHECK(result.groups[0].ratios.geometric_mean == Approx(1.0));
  CHECK(result.groups[1].family == "heddle");
  CHECK(result.groups[1].ratios.geometric_mean == Approx(2.0));
  CHECK(result.groups[1].ratios.least == 0.5);
  CHECK(result.groups[1].ratios.most == 8.0);
}

TEST_CASE("of a case that is there more than once the fastest counts", "[perf]")
{
  Comparison const result =
      compare({timing("m", 2.0), skipped("m"), timing("m", 1.0), timing("m", 3.0)},
              {skipped("m"), timing("m", 1.0)}, {});
  CHECK(result.repeated == 4);
  CHECK(result.in_both == 1);
  CHECK(result.slower.empty());
}

TEST_CASE("results are read from files and from all files of a folder", "[perf]")
{
  std::string const row =
      R"({"operation":"spmv","matrix":"m","k":1,"value_type":"f64","implementation":"a","median_ms":1})";
  TemporaryFolder const folder;
  std::string const first = folder.file("b.jsonl", row + "\n" + row + "\n");
  folder.file("a.jsonl", row);
  folder.file("notes.txt", "nothing");
  CHECK(read_timings({first}).timings.size() == 2);
  CHECK(read_timings({folder.path()}).timings.size() == 3);
  CHECK(read_timings({folder.path(), first}).timings.size() == 5);
  auto const message = [](std::string const& part) {
    return MessageMatches(ContainsSubstring(part));
  };
  std::string const broken = folder.file("c.jsonl", row + "\n{\"operation\":\n");
  CHECK_THROWS_MATCHES(read_timings({folder.path()}), heddle::ParseError, message("c.jsonl:2: "));
  folder.file("c.jsonl",
              R"({"operation":"spmv","matrix":"m","value_type":"f64","implementation":"a"})");
  CHECK_THROWS_MATCHES(read_timings({broken}), heddle::ParseError, message("median_ms"));
  folder.file(
      "c.jsonl",
      R"({"operation":"spmv","matrix":"m","value_type":"f64","implementation":"a","median_ms":0})");
  CHECK_THROWS_MATCHES(read_timings({broken}), heddle::ParseError, message("c.jsonl:1: median_ms"));
  CHECK_THROWS_MATCHES(read_timings({folder.path() + "/none"}), heddle::FileError,
                       message("none: cannot be read"));
  TemporaryFolder const empty;
  CHECK_THROWS_MATCHES(read_timings({empty.path()}), heddle::FileError,
                       message("a folder without files *.jsonl"));
}

TEST_CASE("rows that are no times to compare are left out and named", "[perf]")
{
  std::string const row =
      R"({"operation":"spmv","matrix":"m","value_type":"f64","implementation":"a","median_ms":1})";
  std::string const check = R"({"operation":"self_check","implementation":"copy"})";
  std::string const analysis = R"({"operation":"analyze","matrix":"m"})";
  TemporaryFolder const folder;
  std::string const results = folder.file("a.jsonl", row + "\n" + check + "\n");
  CHECK(read_timings({results}).left_out.empty());
  std::string const other =
      folder.file("b.jsonl", analysis + "\n" + check + "\n" + analysis + "\n{\"version\":1}\n");
  std::string const mixed = folder.file(
      "c.jsonl", row + "\n" + R"({"operation":"spmv","joined":"peers"})" + "\n" + check + "\n");
  ReadTimings const read = read_timings({folder.path()});
  CHECK(read.timings.size() == 2);
  CHECK(read.left_out ==
        std::vector<std::string>{
            other + ": skipped, nothing but 2 rows of analyze, 1 of no operation, 1 of self_check",
            mixed + ": left out 1 row of peers"});
  folder.file("d.jsonl", analysis + "\n{\"operation\":\"analyze\"\n");
  CHECK_THROWS_MATCHES(read_timings({folder.path()}), heddle::ParseError,
                       MessageMatches(ContainsSubstring("d.jsonl:2: ")));
}

TEST_CASE("a case is named with all that tells it from others", "[perf]")
{
  Case of{{"formats_spmm", "f64", 32, "col"}, "wave", "heddle::auto", "int32,int32", "bsr", "3x3"};
  CHECK(to_text(of) == "formats_spmm f64, k = 32, column-major: wave, bsr 3x3, heddle::auto");
  of.format.clear();
  CHECK(to_text(of) == "formats_spmm f64, k = 32, column-major: wave, heddle::auto");
}
