// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/results.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <report/charts.hpp>
#include <report/contenders.hpp>

using namespace heddle::perf;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using heddle::test::of_format;
using heddle::test::product;
using heddle::test::result;

namespace
{

XyChart xy(Figure const& figure)
{
  REQUIRE(figure.chart.has_value());
  return std::get<XyChart>(*figure.chart);
}

BarChart bars(Figure const& figure)
{
  REQUIRE(figure.chart.has_value());
  return std::get<BarChart>(*figure.chart);
}

Series series(XyChart const& chart, std::string const& name)
{
  auto const found = std::find_if(chart.series.begin(), chart.series.end(),
                                  [&name](Series const& s) { return s.name == name; });
  REQUIRE(found != chart.series.end());
  return *found;
}

Figure figure(std::vector<Figure> const& figures, std::string const& title)
{
  for (Figure const& candidate : figures)
    if (candidate.title.starts_with(title))
      return candidate;
  FAIL("no figure " << title);
  return {};
}

bool has_figure(std::vector<Figure> const& figures, std::string const& title)
{
  return std::any_of(figures.begin(), figures.end(),
                     [&title](Figure const& f) { return f.title.starts_with(title); });
}

std::vector<std::string> names_of(std::vector<Contender> const& contenders)
{
  std::vector<std::string> names;
  for (Contender const& contender : contenders)
    names.push_back(contender.name);
  return names;
}

std::vector<std::string> names_of(XyChart const& chart)
{
  std::vector<std::string> names;
  for (Series const& s : chart.series)
    names.push_back(s.name);
  return names;
}

// Of ours and a library with two algorithms, on two matrices: the library's best take 3 and 1 ms.
std::vector<Result> two_matrices()
{
  std::vector<Result> some{
      result("a", "heddle::auto", 1),       result("a", "cusparse::csr_alg1", 4),
      result("a", "cusparse::csr_alg2", 3), result("b", "heddle::auto", 2),
      result("b", "cusparse::csr_alg1", 1), result("b", "cusparse::csr_alg2", 8)};
  for (std::size_t n = 3; n < 6; ++n)
    some[n].nnz = 5000;
  return some;
}

} // namespace

TEST_CASE("a library is its best algorithm on each matrix", "[perf]")
{
  auto const contenders = contenders_of(two_matrices());
  CHECK(names_of(contenders) == std::vector<std::string>{"heddle::auto", "cuSPARSE, best of 2"});
  REQUIRE(contenders[1].on("a") != nullptr);
  CHECK(contenders[1].on("a")->implementation == "cusparse::csr_alg2");
  CHECK(contenders[1].on("b")->median_ms == 1);
  CHECK(contenders[1].on("c") == nullptr);
  CHECK(contenders[0].look != contenders[1].look);
}

TEST_CASE(
    "charts have the named implementations that are fastest most often, and tables the others",
    "[perf]")
{
  std::vector<Result> some{result("a", "heddle::auto", 1), result("a", "heddle::auto_size_t", 1)};
  for (int n = 1; n <= 5; ++n)
    for (std::string const matrix : {"a", "b", "c", "d", "e", "f"})
      some.push_back(result(matrix, "heddle::kernel_" + std::to_string(n), 10));
  // kernel_5 wins on three matrices, kernel_3 on two, kernel_2 on one.
  for (auto const& [matrix, winner] : std::vector<std::pair<std::string, std::string>>{
           {"a", "5"}, {"b", "5"}, {"c", "5"}, {"d", "3"}, {"e", "3"}, {"f", "2"}})
    for (Result& r : some)
      if (r.matrix == matrix && r.implementation == "heddle::kernel_" + winner)
        r.median_ms = 2;
  CHECK(names_of(contenders_of(some)) ==
        std::vector<std::string>{"heddle::auto", "heddle::kernel_5", "heddle::kernel_3",
                                 "heddle::kernel_2"});
  CHECK(not_charted(some) ==
        std::vector<std::string>{"heddle::auto_size_t", "heddle::kernel_1", "heddle::kernel_4"});
}

TEST_CASE("libraries keep their look, unknown ones are pooled, and all looks differ", "[perf]")
{
  std::vector<Result> some{result("a", "heddle::auto", 1), result("a", "kokkoskernels::native", 2),
                           result("a", "one::x", 3),       result("a", "two::x", 4),
                           result("a", "serial::csr", 9),  result("a", "heddle::kernel", 2)};
  auto const two = contenders_of(some);
  CHECK(names_of(two) == std::vector<std::string>{"heddle::auto", "kokkoskernels::native", "one::x",
                                                  "serial::csr", "two::x", "heddle::kernel"});
  CHECK(two[1].look == contenders_of({result("a", "kokkoskernels::merge", 1)})[0].look);
  for (std::size_t n = 0; n < two.size(); ++n)
    for (std::size_t m = 0; m < n; ++m)
      CHECK(two[n].look != two[m].look);
  some.push_back(result("a", "three::x", 5));
  CHECK(names_of(contenders_of(some)) ==
        std::vector<std::string>{"heddle::auto", "kokkoskernels::native",
                                 "other libraries, best of 3", "serial::csr", "heddle::kernel"});
}

TEST_CASE("GFLOPS by entries have a mark a matrix and its bound", "[perf]")
{
  XyChart const chart = xy(gflops_by_entries(contenders_of(two_matrices())));
  CHECK(names_of(chart) == std::vector<std::string>{"heddle::auto", "cuSPARSE, best of 2",
                                                    "roofline bound of the matrix"});
  Series const ours = chart.series[0], best = chart.series[1], bounds = chart.series[2];
  REQUIRE(ours.points.size() == 2);
  CHECK(ours.points[0].x == 1000);
  CHECK(ours.points[0].y == Approx(2));
  CHECK(ours.points[1].x == 5000);
  CHECK(ours.points[1].y == Approx(1));
  CHECK(best.points[0].y == Approx(2.0 / 3));
  CHECK_THAT(best.points[0].tip, ContainsSubstring("cusparse::csr_alg2"));
  CHECK(bounds.style == Style::bounds);
  REQUIRE(bounds.points.size() == 2); // one a matrix, not one a result
  CHECK(bounds.points[0].y == Approx(5));

  auto none = two_matrices();
  for (Result& r : none)
    r.gflops = std::nan("");
  CHECK(gflops_by_entries(contenders_of(none)).missing == "no row has GFLOPS");
}

TEST_CASE("the share of the roofline is in percent", "[perf]")
{
  XyChart const chart = xy(roofline_share(contenders_of(two_matrices())));
  CHECK(series(chart, "heddle::auto").points[0].y == Approx(40));
  CHECK(series(chart, "").points[0].y == 100);
}

TEST_CASE("a roofline has the ceilings of the machine", "[perf]")
{
  auto some = two_matrices();
  some[0].machine_gbytes_per_s = some[4].machine_gbytes_per_s = 5; // the highest counts
  XyChart const chart = xy(roofline(contenders_of(some)));
  CHECK(series(chart, "heddle::auto").points[0].x == Approx(0.5));
  CHECK(series(chart, "heddle::auto").points[0].y == Approx(2));
  Series const memory = series(chart, "10 GB/s"), arithmetic = series(chart, "8 GFLOPS");
  REQUIRE(memory.points.size() == 2);
  for (Point const& point : memory.points)
    CHECK(point.y == Approx(10 * point.x));
  CHECK(memory.points[1].x == Approx(0.8)); // where it meets the other
  CHECK(arithmetic.points[0].x == Approx(0.8));
  CHECK(arithmetic.points[1].y == Approx(8));

  for (Result& r : some)
    r.machine_gflops = std::nan("");
  XyChart const without = xy(roofline(contenders_of(some)));
  CHECK(without.series.back().name == "10 GB/s");
  CHECK(std::none_of(without.series.begin(), without.series.end(),
                     [](Series const& s) { return s.name.ends_with("GFLOPS"); }));
}

TEST_CASE("a performance profile has the share of matrices solved within a factor", "[perf]")
{
  // Slowdowns: ours 1 and 2, the library's 3 and 1; the library has no result for c.
  auto some = two_matrices();
  some.push_back(result("c", "heddle::auto", 1));
  XyChart const chart = xy(performance_profile(contenders_of(some)));
  Series const ours = series(chart, "heddle::auto"), best = series(chart, "cuSPARSE, best of 2");
  REQUIRE(ours.points.size() == 8); // start, two a matrix, end
  CHECK(ours.points[4].x == Approx(1));
  CHECK(ours.points[4].y == Approx(2.0 / 3));
  CHECK(ours.points[6].x == Approx(2));
  CHECK(ours.points[6].y == Approx(1));
  CHECK(ours.points.back().x == Approx(3));
  REQUIRE(best.points.size() == 6);
  CHECK(best.points[2].y == Approx(1.0 / 3));
  CHECK(best.points[4].x == Approx(3));
  CHECK(best.points.back().y == Approx(2.0 / 3));

  CHECK(performance_profile(contenders_of({some[0], some[3]})).missing ==
        "only one implementation");
  CHECK(performance_profile(contenders_of({some[0], some[1]})).missing == "only one problem");

  some[2].median_ms = some[1].median_ms = 1000; // beyond the axis
  Figure const cut = performance_profile(contenders_of(some));
  CHECK_THAT(cut.about, ContainsSubstring("ends at 32"));
  CHECK(series(xy(cut), "cuSPARSE, best of 2").points.back().x == Approx(32));
  CHECK(series(xy(cut), "cuSPARSE, best of 2").points.back().y == Approx(1.0 / 3));
}

TEST_CASE("plans cost so many calls", "[perf]")
{
  auto some = two_matrices();
  some[0].plan_ms = 5;
  some[2].plan_ms = 6;
  XyChart const chart = xy(plan_cost(contenders_of(some)));
  CHECK(series(chart, "heddle::auto").points[0].y == Approx(5));
  CHECK(series(chart, "cuSPARSE, best of 2").points[0].y == Approx(2));
  CHECK(plan_cost(contenders_of(two_matrices())).missing == "no row has the time of a plan");

  Result const whole = product("spgemm", "a", "heddle::auto", 1); // plans within the call
  CHECK_FALSE(has_figure(figures_of({"t", {whole}}), "Plan cost"));
  CHECK(has_figure(figures_of({"t", some}), "Plan cost"));
}

TEST_CASE("GFLOPS by heavy share are of the rows that have it", "[perf]")
{
  Result heavy = product("spmm", "a", "heddle::auto", 1);
  heavy.heavy_share = 0.7;
  Result const other = product("spmm", "a", "cusparse::x", 1);
  XyChart const chart = xy(gflops_by_heavy_share({heavy, other}));
  REQUIRE(chart.series.size() == 1);
  CHECK(chart.series[0].points[0].x == Approx(0.7));
  CHECK(chart.series[0].points[0].y == Approx(2));
  CHECK(gflops_by_heavy_share({other}).missing == "no row has heavy_share");
}

TEST_CASE("speedups over each library, by bins and by entries", "[perf]")
{
  auto some = two_matrices(); // 3 and 1/2 over cuSPARSE
  some.push_back(result("a", "serial::csr", 100));
  some.push_back(result("a", "heddle::kernel", 100));
  auto const speedups = charted(speedups_of(some));
  REQUIRE(speedups.size() == 1); // neither serial code nor our own
  BarChart const histogram = bars(speedup_histogram(speedups));
  CHECK(histogram.title == "Speedups of heddle::auto");
  CHECK(histogram.edges == std::vector<std::string>{"0.5", "0.71", "1", "1.4", "2", "2.8", "4"});
  REQUIRE(histogram.series.size() == 1);
  CHECK(histogram.series[0].name == "over cuSPARSE, best of 2");
  CHECK(histogram.series[0].values == std::vector<double>{1, 0, 0, 0, 0, 1});

  XyChart const scatter = xy(speedups_by_entries(speedups));
  Series const over = series(scatter, "over cuSPARSE, best of 2");
  CHECK(over.points[0].y == Approx(3));
  CHECK(over.points[1].x == 5000);
  CHECK(over.points[1].y == Approx(0.5));

  CHECK_THAT(speedup_histogram({}).missing, ContainsSubstring("something to compare it with"));
  CHECK_FALSE(speedups_by_entries({}).chart.has_value());
}

TEST_CASE("where there is no library, charts compare with serial code and our own", "[perf]")
{
  auto const speedups =
      charted(speedups_of({result("a", "heddle::auto", 1), result("a", "heddle::kernel", 4),
                           result("a", "serial::csr", 8)}));
  REQUIRE(speedups.size() == 2);
  CHECK(speedups[0].over == "serial::csr");
  CHECK(speedups[1].over == "heddle::kernel");
  CHECK(speedups[1].values.at(0).value == Approx(4));
}

TEST_CASE("formats have bars by matrix, and lines where only the density differs", "[perf]")
{
  std::vector<Result> const formats{of_format("a", "csr", "heddle::auto", 2),
                                    of_format("a", "csr", "serial::csr", 20),
                                    of_format("a", "csr", "heddle::portable::csr_team", 3),
                                    of_format("a", "ell", "heddle::auto", 4)};
  auto const figures = figures_of({"t", formats});
  BarChart const execution = bars(figure(figures, "Execution"));
  CHECK(execution.groups == std::vector<std::string>{"a, k = 7"});
  REQUIRE(execution.series.size() == 2); // neither serial code nor implementations by name
  CHECK(execution.series[1].name == "ell");
  CHECK(execution.series[1].values.at(0) == 4);
  CHECK(bars(figure(figures, "Total time")).series[0].values.at(0) == 4);
  // 20 ms of serial code over 2 ms, and over 2 ms with 1 ms before and 1 ms after.
  CHECK(bars(figure(figures, "Computation speedup")).series[0].values.at(0) == 10);
  CHECK(bars(figure(figures, "Total speedup")).series[0].values.at(0) == 5);
  CHECK(not_charted(formats) == std::vector<std::string>{"csr heddle::portable::csr_team"});

  std::vector<Result> sweep;
  for (int const entries : {3000, 1000, 2000})
  {
    sweep.push_back(of_format("m" + std::to_string(entries), "csr", "heddle::auto", 2));
    sweep.back().nnz = entries;
  }
  auto const lines = figures_of({"t", sweep});
  XyChart const chart = xy(figure(lines, "Execution over density, 100 x 100, k = 7"));
  REQUIRE(chart.series.size() == 1);
  CHECK(chart.series[0].points.front().x == Approx(0.1));
  CHECK(chart.series[0].points.back().x == Approx(0.3));
  CHECK(has_figure(lines, "Total speedup over density"));
  sweep[1].matrix = "another"; // two of a kind are no line
  CHECK(has_figure(figures_of({"t", sweep}), "Execution"));
  CHECK_FALSE(has_figure(figures_of({"t", sweep}), "Execution over density"));
}

TEST_CASE("GFLOPS of one k stand beside those of others", "[perf]")
{
  Result narrow = product("spmm", "a", "heddle::auto", 1), wide = narrow;
  wide.k = 32;
  wide.gflops = 7;
  auto const sections = sections_of({wide, narrow});
  XyChart const chart = xy(figure(figures_across(sections), "GFLOPS by k: spmm f64, row-major"));
  CHECK(names_of(chart) == std::vector<std::string>{"k = 8", "k = 32"});
  CHECK(chart.series[1].points.at(0).y == 7);
  CHECK(figures_across(sections_of({narrow})).empty());
}

TEST_CASE("A^T B stands beside A^T B and A B together", "[perf]")
{
  Result const plain = product("spmm", "a", "heddle::auto", 1);
  Result const alone = product("spmm_t", "a", "heddle::auto", 2);
  Result const both = product("spmm_both", "a", "heddle::auto", 4);
  Result const theirs = product("spmm_t", "a", "cusparse::csr_alg1", 8);
  auto const figures = figures_across(sections_of({both, plain, alone, theirs}));
  XyChart const chart = xy(figure(figures, "A^T B alone and with A B: f64, row-major, k = 8"));
  CHECK(names_of(chart) == std::vector<std::string>{"heddle::auto, A^T B",
                                                    "cusparse::csr_alg1, A^T B",
                                                    "heddle::auto, both"});
  CHECK(chart.series[0].points.at(0).y == Approx(1));
  CHECK(chart.series[1].points.at(0).y == Approx(0.25));
  CHECK(chart.series[2].points.at(0).y == Approx(0.5));
  CHECK(chart.series[2].look != chart.series[0].look);
  CHECK_THAT(figure(figures_across(sections_of({plain, alone})), "A^T B").about,
             ContainsSubstring("no rows of spmm_both"));
  CHECK_FALSE(has_figure(figures_across(sections_of({plain})), "A^T B"));
}

TEST_CASE("operations per word count words as large as values", "[perf]")
{
  Result const spmv = result("big", "heddle::auto", 1);
  Result spgemm = product("spgemm", "small", "heddle::auto", 1);
  spgemm.layout = spgemm.layout_c = "";
  spgemm.k = 1;
  spgemm.nnz = 10;
  spgemm.gflops = 6; // over 4 GB/s
  auto const figures = figures_across(sections_of({spmv, spgemm}));
  BarChart const words = bars(figure(figures, "Operations per word: f64"));
  CHECK(words.groups == std::vector<std::string>{"small", "big"}); // by entries
  REQUIRE(words.series.size() == 2);
  CHECK(words.series[0].name == "spmv, heddle::auto");
  CHECK(std::isnan(words.series[0].values.at(0)));
  CHECK(words.series[0].values.at(1) == Approx(4));  // 0.5 a byte, 8 bytes
  CHECK(words.series[1].values.at(0) == Approx(12)); // 1.5 a byte
  CHECK(bars(figure(figures, "GFLOPS of SpMV and SpGEMM")).series[1].values.at(0) == 6);
  CHECK(figures_across(sections_of({spmv})).empty());
}
