// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <support/temporary_folder.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <compare/csv.hpp>
#include <compare/join.hpp>
#include <compare/peer_table.hpp>
#include <compare/result_files.hpp>
#include <compare/statistics.hpp>
#include <compare/timing.hpp>

using namespace heddle::perf;
using Catch::Approx;
using Catch::Matchers::EndsWith;
using Catch::Matchers::MessageMatches;
using heddle::test::TemporaryFolder;

namespace
{

std::vector<Timing> table_of(std::string const& content, PeerTableSettings const& settings = {})
{
  TemporaryFolder const folder;
  return read_peer_table(folder.file("peers.csv", content), settings);
}

std::vector<Timing> results_of(std::string const& content)
{
  TemporaryFolder const folder;
  return read_timings({folder.file("results.jsonl", content)}).timings;
}

CsvTable csv_of(std::string const& content)
{
  TemporaryFolder const folder;
  return read_csv(folder.file("table.csv", content));
}

std::string const spmm_header =
    "implementation,matrix,rows,cols,nnz,k,type,preprocess_ms,median_ms,check\n";

// A row of results as heddle-perf writes it, with the keys that peers reads.
std::string result(std::string const& matrix, std::string const& implementation,
                   std::string const& ms, std::string const& more = R"("layout":"row")",
                   std::string const& nnz = "100")
{
  return R"({"operation":"spmm","matrix":")" + matrix + R"(","nnz":)" + nnz +
         R"(,"k":32,"value_type":"f32","index_types":"int32,int32","implementation":")" +
         implementation + R"(","median_ms":)" + ms + "," + more + "}\n";
}

Problem const spmm_f32_32{"spmm", "f32", 32, "row"};

} // namespace

TEST_CASE("a CSV table has what its quotes say", "[perf]")
{
  CsvTable const table = csv_of("\xEF\xBB\xBF"
                                "name,\"a \"\"quoted\"\" column\",last\r\n"
                                "\r\n"
                                "\"one, two\",\"first line\nsecond line\",\"\"\n"
                                "plain text,,\"\"\"\"");
  CHECK(table.columns == std::vector<std::string>{"name", "a \"quoted\" column", "last"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].line == 3);
  CHECK(table.rows[0].fields ==
        std::vector<std::string>{"one, two", "first line\nsecond line", ""});
  CHECK(table.rows[1].line == 5);
  CHECK(table.rows[1].fields == std::vector<std::string>{"plain text", "", "\""});
  CHECK(table.find_column("last") == 2);
  CHECK_FALSE(table.find_column("first").has_value());
  CHECK(csv_of("a,b\n").rows.empty());
}

TEST_CASE("a malformed CSV table is an error with file and line", "[perf]")
{
  auto const message = [](std::string const& end) { return MessageMatches(EndsWith(end)); };
  CHECK_THROWS_MATCHES(csv_of(""), heddle::ParseError,
                       message("table.csv:1: no row that names the columns"));
  CHECK_THROWS_MATCHES(csv_of("\n\n"), heddle::ParseError,
                       message("table.csv:1: no row that names the columns"));
  CHECK_THROWS_MATCHES(csv_of("a,b,a\n1,2,3\n"), heddle::ParseError,
                       message("table.csv:1: two columns are called a"));
  CHECK_THROWS_MATCHES(csv_of("a,b\n1,2\n3\n"), heddle::ParseError,
                       message("table.csv:3: 1 fields, but the header names 2 columns"));
  CHECK_THROWS_MATCHES(csv_of("a,b\n1,2,3\n"), heddle::ParseError,
                       message("table.csv:2: 3 fields, but the header names 2 columns"));
  CHECK_THROWS_MATCHES(csv_of("a,b\n\"1\n2\n3"), heddle::ParseError,
                       message("table.csv:2: a quote that is not closed"));
  CHECK_THROWS_MATCHES(csv_of("a,b\n\"1\n\"x,2\n"), heddle::ParseError,
                       message("table.csv:3: text between a closing quote and the next comma"));
  CHECK_THROWS_MATCHES(csv_of("a,b\n1\"2,2\n"), heddle::ParseError,
                       message("table.csv:2: a quote inside a field that does not begin with one"));
  CHECK_THROWS_MATCHES(read_csv("missing.csv"), heddle::FileError,
                       message("missing.csv: cannot be read"));
  TemporaryFolder const folder;
  CHECK_THROWS_AS(read_csv(folder.path()), heddle::FileError);
}

TEST_CASE("names in a table of peers say what was computed", "[perf]")
{
  auto const table = table_of(spmm_header + "cusparse_spmv_csr_alg2,m,9,8,100,1,f32,0.1,0.25,ok\n"
                                            "cusparse_spmv_csr_alg2_T,m,9,8,100,1,f64,,0.5,ok\n"
                                            "gespmm_seq,m,9,8,100,32,f64,,1.5,ok\n"
                                            "cusparse_alg1_col_T,m,9,8,100,128,f64,,2.5,ok\n"
                                            "kokkoskernels_spmm_T_R,m,9,8,100,32,f32,,3.5,ok\n"
                                            "hpspmm_T32_column,m,9,8,100,32,f32,,4.5,ok\n");
  REQUIRE(table.size() == 6);
  CHECK(table[0].problem == Problem{"spmv", "f32", 1, ""});
  CHECK(table[0].median_ms == 0.25);
  CHECK(table[0].nnz == 100);
  CHECK(table[1].problem == Problem{"spmv_t", "f64", 1, ""});
  CHECK(table[2].problem == Problem{"spmm", "f64", 32, "row"});
  CHECK(table[3].problem == Problem{"spmm_t", "f64", 128, "col"});
  CHECK(table[4].problem == Problem{"spmm_t", "f32", 32, "row"});
  CHECK(table[5].problem == Problem{"spmm", "f32", 32, "row"}); // words, not letters
  for (Timing const& timing : table)
    CHECK_FALSE(timing.is_skipped());
}

TEST_CASE("a table of peers without k has SpGEMM, of the type asked for", "[perf]")
{
  auto const table = table_of("implementation,matrix,nnz_a,flops,nnz_c,median_ms,check\n"
                              "cusparse_alg1_pool,m,100,5,6,0.25,ok\n"
                              "cusparse_reuse_numeric,m,100,5,6,0.125,ok\n",
                              {{}, {}, "f32"});
  REQUIRE(table.size() == 2);
  CHECK(table[0].problem == Problem{"spgemm", "f32", 1, ""});
  CHECK(table[0].nnz == 100);
  CHECK(table[1].problem == Problem{"spgemm_numeric", "f32", 1, ""});
}

TEST_CASE("columns operation and layout overrule the names in a table of peers", "[perf]")
{
  auto const table = table_of("median_ms,matrix,operation,layout,k,type,implementation\n"
                              "1,m,spmm_t,col,1,f32,peer\n"
                              "1,m,spmv,,1,f32,peer_T\n"
                              "1,m,,row,8,f32,peer_col\n");
  REQUIRE(table.size() == 3);
  CHECK(table[0].problem == Problem{"spmm_t", "f32", 1, "col"});
  CHECK(table[1].problem == Problem{"spmv", "f32", 1, ""});
  CHECK(table[2].problem == Problem{"spmm", "f32", 8, "row"});
}

TEST_CASE("peers with a failed check, without a time or excluded do not count", "[perf]")
{
  auto const table = table_of(spmm_header + "good,m,9,8,100,32,f32,,1.5,ok\n"
                                            "wrong,m,9,8,100,32,f32,,0.1,\"BAD, relerr 0.5\"\n"
                                            "failed,m,9,8,100,32,f32,,,FAIL not supported\n"
                                            "untimed,m,9,8,100,32,f32,,,ok\n"
                                            "dasp_permuted_y,m,9,8,100,32,f32,,0.1,ok\n"
                                            "quick,m,9,8,100,32,f32,,0.1,\n"
                                            "kokkoskernels_R,m,9,8,100,32,f32,,2,\n"
                                            "cusparse_csr2csc_alg1,m,9,8,100,32,f32,,0.1,ok\n",
                              {{"dasp_permuted_y", "*csr2csc*"}, {"kokkos*"}, "f64"});
  REQUIRE(table.size() == 6);
  CHECK_FALSE(table[0].is_skipped());
  CHECK(table[1].skipped == "BAD, relerr 0.5");
  CHECK(table[2].skipped == "FAIL not supported");
  CHECK(table[3].skipped == "no time");
  CHECK(table[4].skipped == "not checked");
  CHECK_FALSE(table[5].is_skipped());
  Joined const joined =
      join(table, results_of(result("m", "heddle::auto", "0.75")), "heddle::auto", {"wrong"});
  REQUIRE(joined.problems.size() == 1);
  REQUIRE(joined.problems[0].matrices.size() == 1);
  CHECK(joined.problems[0].matrices[0].fastest_peer.implementation == "good");
  CHECK(joined.problems[0].matrices[0].fastest_of.empty());
}

TEST_CASE("a malformed table of peers is an error with file and line", "[perf]")
{
  auto const message = [](std::string const& end) { return MessageMatches(EndsWith(end)); };
  CHECK_THROWS_MATCHES(table_of("implementation,matrix\n"), heddle::ParseError,
                       message("peers.csv:1: no column is called median_ms"));
  for (std::string const ms : {"fast", "0", "-1", "nan", "inf", "1.5ms"})
    CHECK_THROWS_MATCHES(
        table_of(spmm_header + "a,m,9,8,100,32,f32,,1,ok\nb,m,9,8,100,32,f32,," + ms + ",ok\n"),
        heddle::ParseError,
        message("peers.csv:3: median_ms is \"" + ms + "\", not a number above zero"));
  CHECK_THROWS_MATCHES(table_of(spmm_header + "a,m,9,8,100,1.5,f32,,1,ok\n"), heddle::ParseError,
                       message("peers.csv:2: k is \"1.5\", not a number above zero"));
  CHECK_THROWS_MATCHES(table_of("implementation,matrix,median_ms,k,layout\na,m,1,2,left\n"),
                       heddle::ParseError,
                       message("peers.csv:2: layout is \"left\", not row or col"));
}

TEST_CASE("results are joined with the fastest peer of each matrix", "[perf]")
{
  auto const table = table_of(spmm_header + "cusparse_a,one,9,8,100,32,f32,,4,ok\n"
                                            "cusparse_b,one,9,8,100,32,f32,,3,ok\n"
                                            "rode,one,9,8,100,32,f32,,2,ok\n"
                                            "rode,two,9,8,100,32,f32,,1,ok\n"
                                            "kokkoskernels_R,two,9,8,100,32,f32,,5,ok\n"
                                            "rode,three,9,8,100,32,f32,,1,ok\n"
                                            "rode,four,9,8,100,32,f32,,1,ok\n"
                                            "rode,five,9,8,101,32,f32,,1,ok\n"
                                            "rode,one,9,8,100,32,f64,,1,ok\n"
                                            "rode_col,one,9,8,100,32,f32,,0.1,ok\n");
  auto const results = results_of(
      result("one", "heddle::auto", "1") + result("one", "heddle::other", "0.1") +
      result("one", "heddle::auto", "0.1", R"("layout":"row","joined":"peers")") +
      result("two", "heddle::auto", "2") +
      result("three", "heddle::auto", "0", R"("layout":"row","skipped":"no memory")") +
      result("five", "heddle::auto", "1") + result("six", "heddle::auto", "1") +
      R"({"operation":"self_check","matrix":"","implementation":"copy"})" + "\n" +
      R"({"operation":"read","file":"m.mtx"})" + "\n" +
      R"({"operation":"spmv","matrix":"one","value_type":"c32","implementation":"heddle::auto","median_ms":1})");
  Joined const joined = join(table, results, "heddle::auto", {"cusparse", "kokkoskernels"});
  REQUIRE(joined.problems.size() == 1);
  JoinedProblem const& problem = joined.problems[0];
  CHECK(problem.problem == spmm_f32_32);
  REQUIRE(problem.matrices.size() == 2);
  JoinedMatrix const& one = problem.matrices[0];
  CHECK(one.matrix == "one");
  CHECK(one.ours.ms == 1.0);
  CHECK(one.fastest_peer.implementation == "rode");
  CHECK(one.ratio_to(one.fastest_peer) == 2.0);
  REQUIRE(one.fastest_of.size() == 1);
  CHECK(one.fastest_of.at("cusparse").implementation == "cusparse_b");
  CHECK(one.ratio_to(one.fastest_of.at("cusparse")) == 3.0);
  JoinedMatrix const& two = problem.matrices[1];
  CHECK(two.ratio_to(two.fastest_peer) == 0.5);
  CHECK(two.fastest_of.at("kokkoskernels").ms == 5.0);
  RatioSummary const summary = summary_of({2.0, 0.5});
  CHECK(summary.geometric_mean == Approx(1.0));
  CHECK(summary.least == 0.5);
  CHECK(summary.count == 2);
  CHECK(problem.without_result == std::vector<std::string>{"four", "three (skipped: no memory)"});
  CHECK(problem.without_peer == std::vector<std::string>{"six"});
  CHECK(problem.of_other_size ==
        std::vector<std::string>{"five (101 entries in the table, 100 here)"});
  CHECK(joined.without_results ==
        std::vector<Problem>{{"spmm", "f32", 32, "col"}, {"spmm", "f64", 32, "row"}});
  CHECK(joined.without_peers == std::vector<Problem>{{"spmv", "c32", 1, ""}});
}

TEST_CASE("means of ratios are the known ones", "[perf]")
{
  RatioSummary const summary = summary_of({1.0, 2.0, 4.0});
  CHECK(summary.geometric_mean == Approx(2.0));
  CHECK(summary.least == 1.0);
  CHECK(summary.most == 4.0);
  CHECK(summary_of({}).count == 0);
}

TEST_CASE("baselines measured here agree with a table within a tolerance", "[perf]")
{
  auto const table = table_of(spmm_header + "cusparse_csr_alg1_row,one,9,8,100,32,f32,,1,ok\n"
                                            "cusparse_bsr4,one,9,8,100,32,f32,,0.5,ok\n"
                                            "cusparse_csr_alg2,one,9,8,100,32,f32,,2,ok\n"
                                            "cusparse_csr_alg1,two,9,8,100,32,f32,,1,ok\n"
                                            "cusparse_csr_alg1,three,9,8,100,32,f32,,1,ok\n"
                                            "cusparse_csr_alg1,four,9,8,99,32,f32,,1,ok\n"
                                            "cusparse_csr_alg1,five,9,8,100,32,f32,,1,ok\n"
                                            "kokkoskernels_spmm_R,one,9,8,100,32,f32,,3,ok\n"
                                            "rode,one,9,8,100,32,f32,,0.1,ok\n");
  auto const results = results_of(
      result("one", "cusparse::csr_alg1", "1.09") + result("one", "cusparse::csr_alg2", "1.5") +
      result("one", "cusparse::coo", "0.1") + result("one", "heddle::auto", "0.1") +
      result("one", "kokkoskernels::native", "3") + result("two", "cusparse::csr_alg1", "0.9") +
      result("four", "cusparse::csr_alg1", "1") + result("five", "cusparse::coo", "1"));
  auto const all = agreements(table, results, {"cusparse", "kokkoskernels"});
  REQUIRE(all.size() == 2);
  CHECK(all[0].problem == spmm_f32_32);
  CHECK(all[0].family == "cusparse");
  REQUIRE(all[0].matrices.size() == 2);
  // Neither their bsr4 nor our coo, which only one side has.
  CHECK(all[0].matrices[0].ours.implementation == "cusparse::csr_alg1");
  CHECK(all[0].matrices[0].theirs.implementation == "cusparse_csr_alg1_row");
  CHECK(all[0].matrices[0].ratio() == Approx(1.09));
  CHECK(all[0].matrices[0].agrees(0.1));
  CHECK(all[0].matrices[1].ratio() == Approx(0.9)); // 1 / 0.9 is 1.11
  CHECK_FALSE(all[0].matrices[1].agrees(0.1));
  CHECK(all[0].not_measured == std::vector<std::string>{"five", "three"});
  CHECK(all[0].of_other_size.size() == 1);
  // A family with one method on one side.
  REQUIRE(all[1].matrices.size() == 1);
  CHECK(all[1].matrices[0].ratio() == Approx(1.0));
}

TEST_CASE("methods are told by the words that do not say what is computed", "[perf]")
{
  CHECK(algorithm_of("cusparse::csr_alg1_pre") == "csr alg1 pre");
  CHECK(algorithm_of("cusparse_spmv_csr_alg1_pre_T") == "csr alg1 pre");
  CHECK(algorithm_of("kokkoskernels_SPGEMM_KK_numeric") == "SPGEMM KK");
  CHECK(algorithm_of("kokkoskernels_spmm_T_R").empty());
  CHECK(algorithm_of("rode").empty());
}

TEST_CASE("rows from before they had a layout are understood", "[perf]")
{
  auto const results = results_of(
      result("m", "heddle::auto", "1", R"("runs":5)") +
      result("m", "heddle::auto_col", "1", R"("runs":5)") +
      result("m", "heddle::strange_col", "1", R"("layout":"row")") +
      R"({"operation":"spmv","matrix":"m","value_type":"f32","implementation":"a_col","median_ms":1})");
  REQUIRE(results.size() == 4);
  CHECK(results[0].problem == spmm_f32_32);
  CHECK(results[1].problem.layout == "col");
  CHECK(results[1].implementation == "heddle::auto");
  CHECK(results[2].problem.layout == "row");
  CHECK(results[2].implementation == "heddle::strange_col");
  CHECK(results[3].problem.layout.empty());
  CHECK(results[3].implementation == "a_col");
}

TEST_CASE("a problem is named as the benchmarks name it", "[perf]")
{
  CHECK(to_text(spmm_f32_32) == "spmm f32, k = 32, row-major");
  CHECK(to_text(Problem{"spmm_t", "f64", 1, "col"}) == "spmm_t f64, k = 1, column-major");
  CHECK(to_text(Problem{"spmv", "f64", 1, ""}) == "spmv f64");
  CHECK(family_of("cusparse::csr_alg2") == "cusparse");
  CHECK(family_of("cusparse_csr_alg2") == "cusparse");
  CHECK(family_of("csr5") == "csr5");
  CHECK(ms_text(0.00698765) == "0.006988");
  CHECK(ms_text(143.46) == "143.5");
}
