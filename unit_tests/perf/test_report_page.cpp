// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/results.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <report/contents.hpp>
#include <report/page.hpp>
#include <report/speedups.hpp>
#include <report/tables.hpp>

using namespace heddle::perf;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using heddle::test::of_format;
using heddle::test::product;
using heddle::test::result;

namespace
{

Contents contents(std::vector<Result> results, ReportSettings const& settings = {})
{
  Input input;
  input.files = 1;
  input.results = std::move(results);
  return contents_of(std::move(input), settings);
}

bool says(std::vector<std::string> const& lines, std::string const& text)
{
  return std::any_of(lines.begin(), lines.end(), [&text](std::string const& line) {
    return line.find(text) != std::string::npos;
  });
}

} // namespace

TEST_CASE("results of one operation, type and device make a section", "[perf]")
{
  Result const a = result("a", "heddle::auto", 1);
  Result b = a, wide = product("spmm", "a", "heddle::auto", 1), other = a;
  b.value_type = "f32";
  other.device = "another";
  auto const sections = sections_of({wide, a, b, a});
  REQUIRE(sections.size() == 3); // in the order of operations and types
  CHECK(sections[0].title == "spmv f32");
  CHECK(sections[1].title == "spmv f64");
  CHECK(sections[1].results.size() == 2);
  CHECK(sections[2].title == "spmm f64, row-major, k = 8");
  CHECK(sections_of({a, other})[0].title == "spmv f64 on a device");
  Result col = wide;
  col.layout = col.layout_c = "col";
  CHECK(sections_of({col, wide})[0].title == "spmm f64, row-major, k = 8");
  // Formats are measured with a k for each matrix.
  Result first = of_format("a", "csr", "heddle::auto", 1), second = first;
  second.k = 9;
  CHECK(sections_of({first, second}).size() == 1);
}

TEST_CASE("means of speedups", "[perf]")
{
  Speedups speedups{"ours", "theirs", Role::baseline, 0, {}};
  for (double const value : {0.5, 4.0, 4.0})
    speedups.values.push_back({"m", 1, value});
  Summary const summary = summary_of(speedups);
  CHECK(summary.problems == 3);
  CHECK(summary.faster_on == 2);
  CHECK(summary.geometric == Approx(2));
  CHECK(summary.harmonic == Approx(3 / 2.5));
  CHECK(summary.most == 4);
  CHECK(summary.least == 0.5);
  CHECK(summary_of({}).problems == 0);
}

TEST_CASE("the summary compares with each library on the matrices that both have", "[perf]")
{
  auto const speedups =
      speedups_of({result("a", "heddle::auto", 1), result("b", "heddle::auto", 1),
                   result("a", "cusparse::x", 3), result("a", "cusparse::y", 2),
                   result("b", "kokkoskernels::x", 5), result("c", "kokkoskernels::x", 5)});
  REQUIRE(speedups.size() == 2);
  CHECK(speedups[0].over == "cuSPARSE, best of 2");
  REQUIRE(speedups[0].values.size() == 1);
  CHECK(speedups[0].values[0].value == 2);
  REQUIRE(speedups[1].values.size() == 1);
  CHECK(speedups[1].values[0].value == 5);
  CHECK(speedups_of({result("a", "cusparse::x", 3)}).empty());

  auto const formats = speedups_of({of_format("a", "ell", "heddle::auto", 4),
                                    of_format("a", "csr", "heddle::auto", 2),
                                    of_format("a", "csr", "kokkoskernels::native", 8)});
  REQUIRE(formats.size() == 4);
  CHECK(formats[0].over == "its serial code");
  CHECK(formats[0].values[0].value == 5);
  CHECK(formats[1].over == "csr kokkoskernels::native");
  CHECK(formats[1].values[0].value == 2);
  CHECK(formats[1].look != formats[3].look); // charts tell formats apart
}

TEST_CASE("the table of cases has all implementations and their share of the roofline", "[perf]")
{
  Result slow = result("a", "cusparse::y", 4);
  slow.rows = 26463592;
  Result skipped = result("a", "cusparse::z", 1);
  skipped.skipped = "no way";
  Section const section{
      "t", {result("a", "heddle::auto", 1), result("a", "cusparse::x", 2), slow, skipped}};
  std::string const table = cases_table(section);
  CHECK_THAT(table, ContainsSubstring("<th scope='col'><button type='button'>% of roofline<"));
  CHECK_THAT(table, ContainsSubstring("<td class='text'>cusparse::x</td><td>2</td><td>2</td>"
                                      "<td>1</td><td>2</td><td>20</td>"));
  CHECK_THAT(table, ContainsSubstring("<td>26,463,592</td>"));
  CHECK_THAT(table, !ContainsSubstring("plan ms")); // no row has it
  CHECK_THAT(table, !ContainsSubstring("cusparse::z"));
  CHECK_THAT(skipped_table(section), ContainsSubstring("no way"));
  CHECK(skipped_table({"t", {slow}}).empty());
}

TEST_CASE("a row whose C has another layout than B says so", "[perf]")
{
  Result other = product("spmm", "a", "cusparse::x", 2);
  other.layout_c = "col";
  std::vector<Result> const both{product("spmm", "a", "heddle::auto", 1), other};
  CHECK_THAT(page_of(contents(both)), ContainsSubstring("cusparse::x (C column-major)"));
  CHECK(says(contents(both).about, "1 row whose C has another layout than B: not charged"));
  ReportSettings settings;
  settings.is_iterative = true;
  Contents const iterative = contents(both, settings);
  CHECK(says(iterative.about, "--iterative: 1 row whose C has another layout than B charged"));
  CHECK(iterative.parts[0].section.results[1].median_ms > 2);
  CHECK(iterative.parts[0].section.results[0].median_ms == 1);
}

TEST_CASE("the page says what is missing", "[perf]")
{
  Result a = result("a", "heddle::auto", 1), b = a, skipped = result("b", "heddle::auto", 1);
  skipped.skipped = "no way";
  b.device = "another device";
  b.commit = "def+";
  Contents const some = contents({a, b, skipped});
  CHECK(says(some.missing, "operations without rows: spmv_t, spmm, "));
  CHECK(says(some.missing, "rows are of 2 devices: a device, another device"));
  CHECK(says(some.missing, "rows are of 2 commits: abc, def+"));
  CHECK(says(some.missing, "uncommitted changes (+)"));
  CHECK(says(some.missing, "1 case skipped (spmv: 1)"));
  CHECK(says(some.missing, "chart \"Performance profile\": only one implementation (in spmv f64 on "
                           "a device; spmv f64 on another device)"));
  CHECK(says(some.missing, "chart \"Plan cost in calls\": no row has the time of a plan"));
  std::string const page = page_of(some);
  for (char const* const line : {"operations without rows: spmv_t", "rows are of 2 commits"})
    CHECK_THAT(page, ContainsSubstring(line));

  Contents const one = contents({a});
  for (char const* const text : {"devices", "commits", "skipped", "uncommitted"})
    CHECK_FALSE(says(one.missing, text));
  CHECK(says(contents({}).missing, "operations without rows: spmv, spmv_t"));
}

TEST_CASE("the page says what files lack and what the machine's self-check found", "[perf]")
{
  Result check;
  check.operation = "self_check";
  check.implementation = "copy";
  check.device = "a device";
  check.gbytes_per_s = 4270;
  Input input;
  input.files = 2;
  input.notes = {"f.jsonl: no results in it"};
  input.results = {result("a", "heddle::auto", 1)};
  input.self_checks = {check};
  input.self_checks.push_back(check);
  input.self_checks[1].warning = "the card was busy";
  Contents const some = contents_of(input, {});
  CHECK(says(some.about, "1 result of 2 files"));
  CHECK(says(some.about, "self-check of a device: copy 4,270 GB/s"));
  CHECK(says(some.missing, "f.jsonl: no results in it"));
  CHECK(says(some.missing, "self-check of a device: warning: the card was busy"));
  CHECK(some.parts.size() == 1); // they are no results
}

TEST_CASE("the page says what filters left out", "[perf]")
{
  Result tall = result("tall", "heddle::auto", 1), large = result("large", "heddle::auto", 1);
  tall.rows = 200;
  large.nnz = 1000000;
  std::vector<Result> const all{result("a", "heddle::auto", 1), tall, large};
  ReportSettings settings;
  settings.is_square_only = true;
  settings.entries = parse_entry_range(":1e5");
  Contents const some = contents(all, settings);
  CHECK(some.results == 1);
  CHECK(some.parts.at(0).section.results.at(0).matrix == "a");
  CHECK(says(some.about, "--square: square matrices only"));
  CHECK(says(some.about, "--nnz: matrices of at most 100,000 entries only"));
  CHECK(says(some.about, "the filters left out 2 of 3 rows"));
  CHECK_THAT(page_of(some), ContainsSubstring("the filters left out 2 of 3 rows"));
  settings.entries = parse_entry_range("10:20");
  CHECK(says(contents(all, settings).about, "of at least 10 and at most 20 entries"));
  CHECK_FALSE(says(contents(all).about, "filters"));
}

TEST_CASE("a section has the charts that its results allow", "[perf]")
{
  Result skipped = result("a", "heddle::auto", 1);
  skipped.skipped = "no way";
  auto const all_skipped = figures_of({"t", {skipped}});
  REQUIRE(all_skipped.size() == 1);
  CHECK(all_skipped[0].missing == "all cases were skipped");
  CHECK_THAT(page_of(contents({skipped})), ContainsSubstring("no way"));

  std::string const page = page_of(contents({result("a", "heddle::auto", 1)}));
  CHECK_THAT(page, ContainsSubstring(">GFLOPS by entries of A</text>"));
  CHECK_THAT(page, ContainsSubstring("No chart &quot;Performance profile&quot;: only one") ||
                       ContainsSubstring("No chart \"Performance profile\": only one"));
}

TEST_CASE("the page escapes what it shows and needs nothing else", "[perf]")
{
  std::string const bad = "<script>alert(1)</script>";
  Result odd = result(bad, "heddle::auto", 1), skipped = odd, library = odd;
  odd.device = odd.commit = bad;
  skipped.implementation = "heddle::<img>";
  skipped.skipped = bad;
  library.implementation = bad + "::x";
  Input input;
  input.notes = {bad};
  input.results = {odd, skipped, library};
  std::string const page = page_of(contents_of(input, {}));
  CHECK_THAT(page, !ContainsSubstring("<script>alert"));
  CHECK_THAT(page, !ContainsSubstring("<img"));
  CHECK_THAT(page, ContainsSubstring("&lt;script&gt;alert(1)"));
  for (char const* const outside : {"<link", "<img", "src=", "@import", "url(", "https://"})
    CHECK_THAT(page, !ContainsSubstring(outside));
  std::string const rest = page.substr(page.find("</svg>"));
  CHECK_THAT(rest, ContainsSubstring("table.sortable")); // the script that sorts
}
