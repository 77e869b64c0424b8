// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/results.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <string>
#include <variant>
#include <vector>

#include <report/charts.hpp>
#include <report/kernels.hpp>
#include <report/times.hpp>

using namespace heddle::perf;
using heddle::test::result;

namespace
{

// Of SpMV by formats, with a mean a quarter above the median.
Result timed(std::string const& matrix, std::string const& format,
             std::string const& implementation, double ms)
{
  Result r = result(matrix, implementation, ms);
  r.operation = "formats_spmv";
  r.format = format;
  r.parameters = format == "sell" ? "8,8,1" : "";
  r.mean_ms = 1.25 * ms;
  r.runs = 1000;
  return r;
}

Result skipped(std::string const& matrix, std::string const& format,
               std::string const& implementation, std::string const& reason)
{
  Result r = timed(matrix, format, implementation, 1);
  r.skipped = reason;
  return r;
}

std::vector<Result> two_matrices()
{
  return {timed("a", "csr", "heddle::cuda_native::csr_scalar", 8),
          timed("a", "csr", "cusparse::csr_alg1", 3),
          timed("a", "csr", "cusparse::csr_alg2_pre", 2),
          timed("a", "csr", "cusparse::sell8", 4),
          timed("a", "csr", "serial::csr", 96),
          timed("a", "ell", "heddle::cuda_native::ell", 5),
          timed("a", "sell", "heddle::cuda_native::sellp_paper", 1),
          timed("b", "csr", "heddle::cuda_native::csr_scalar", 80),
          timed("b", "csr", "cusparse::csr_alg1", 10),
          timed("b", "csr", "cusparse::csr_alg2_pre", 20),
          skipped("b", "ell", "heddle::cuda_native::ell", "too much padding")};
}

std::vector<std::string> names_of(std::vector<Kernel> const& kernels)
{
  std::vector<std::string> names;
  for (Kernel const& kernel : kernels)
    names.push_back(kernel.contender.name);
  return names;
}

std::vector<BarChart> bars_of(std::vector<Result> const& results, std::string const& title)
{
  std::vector<BarChart> charts;
  for (Figure const& figure : figures_of({"t", results}))
    if (figure.title.starts_with(title) && figure.chart)
      charts.push_back(std::get<BarChart>(*figure.chart));
  return charts;
}

} // namespace

TEST_CASE("kernels are ours by name, the best of a library's format, and serial code last",
          "[perf]")
{
  auto const kernels = kernels_of(two_matrices());
  CHECK(names_of(kernels) == std::vector<std::string>{"csr heddle::cuda_native::csr_scalar",
                                                      "ell heddle::cuda_native::ell",
                                                      "sell 8,8,1 heddle::cuda_native::sellp_paper",
                                                      "cuSPARSE csr, best of 2",
                                                      "csr cusparse::sell8", "csr serial::csr"});
  using Head = std::array<std::string, 3>;
  CHECK(kernels[2].head == Head{"sell 8,8,1", "cuda_native", "sellp_paper"});
  CHECK(kernels[3].head == Head{"csr", "cuSPARSE", "best of 2"});
  CHECK(kernels[4].head == Head{"sell", "cuSPARSE", "sell8"});
  REQUIRE(kernels[3].contender.on("b") != nullptr);
  CHECK(kernels[3].contender.on("a")->median_ms == 2);
  CHECK(kernels[3].contender.on("b")->median_ms == 10);
  CHECK(kernels[1].contender.on("b") == nullptr);
  REQUIRE(kernels[1].skipped.size() == 1);
  CHECK(kernels[1].skipped[0].skipped == "too much padding");
  CHECK(kernels[0].skipped.empty());
}

TEST_CASE("an automatic choice, and a library that has one of several algorithms skipped", "[perf]")
{
  std::vector<Result> const some{timed("a", "csr", "heddle::auto", 2),
                                 timed("a", "csr", "kokkoskernels::native", 3),
                                 skipped("a", "csr", "kokkoskernels::merge", "no memory")};
  auto const kernels = kernels_of(some);
  CHECK(names_of(kernels) == std::vector<std::string>{"csr", "Kokkos Kernels, best of 2"});
  CHECK(kernels[0].head == std::array<std::string, 3>{"csr", "heddle", "auto"});
  CHECK(kernels[1].skipped.empty());
}

TEST_CASE("seconds a call stand in a row a matrix, means before medians", "[perf]")
{
  Section const section{"formats_spmv f64", two_matrices()};
  CHECK("\n" + times_text({section}) == R"(
formats_spmv f64 (a device)

seconds a call, mean of 1000 calls
                                 csr          ell   sell 8,8,1        csr      sell       csr
                         cuda_native  cuda_native  cuda_native   cuSPARSE  cuSPARSE    serial
  matrix  rows  entries   csr_scalar          ell  sellp_paper  best of 2     sell8       csr
  a        100     1000     1.00e-02     6.25e-03     1.25e-03   2.50e-03  5.00e-03  1.20e-01
  b        100     1000     1.00e-01      skipped            -   1.25e-02         -         -

seconds a call, median of 1000 calls
                                 csr          ell   sell 8,8,1        csr      sell       csr
                         cuda_native  cuda_native  cuda_native   cuSPARSE  cuSPARSE    serial
  matrix  rows  entries   csr_scalar          ell  sellp_paper  best of 2     sell8       csr
  a        100     1000     8.00e-03     5.00e-03     1.00e-03   2.00e-03  4.00e-03  9.60e-02
  b        100     1000     8.00e-02      skipped            -   1.00e-02         -         -

  skipped on b: ell heddle::cuda_native::ell: too much padding
)");
}

TEST_CASE("the table says how many calls there were, and leaves out who never ran", "[perf]")
{
  std::vector<Result> some{timed("a", "csr", "heddle::auto", 1),
                           timed("b", "csr", "heddle::auto", 1),
                           skipped("b", "ell", "heddle::auto", "no memory"),
                           skipped("b", "sell", "heddle::auto", "no memory")};
  some[1].runs = 5;
  std::string const text = times_text({{"t", some}});
  CHECK(text.find("mean of 5 to 1000 calls") != std::string::npos);
  CHECK(text.find("skipped on b: ell; sell 8,8,1: no memory\n") != std::string::npos);
  CHECK(text.find("  matrix  rows  entries      auto\n  a ") != std::string::npos);
  // Rows of before there were means have the other table alone.
  CHECK(times_text({{"t", {result("a", "heddle::auto", 1)}}}) ==
        "t (a device)\n\nseconds a call, median\n"
        "                           heddle\n"
        "  matrix  rows  entries      auto\n"
        "  a        100     1000  1.00e-03\n");
  CHECK(times_text({{"t", {some[2]}}}) == "t (a device)\n\n  skipped on b: ell: no memory\n");
}

TEST_CASE("SpMV of formats has GFLOPS by matrix, of means and of medians", "[perf]")
{
  auto const charts = bars_of(two_matrices(), "GFLOPS by matrix");
  REQUIRE(charts.size() == 2);
  CHECK(charts[0].title == "GFLOPS by matrix, of mean times");
  CHECK(charts[0].groups == std::vector<std::string>{"a", "b"});
  REQUIRE(charts[0].series.size() == 5); // without serial code
  CHECK(charts[0].series[0].name == "csr heddle::cuda_native::csr_scalar");
  // 2 GFLOPS at 1 ms.
  CHECK(charts[0].series[2].values.at(0) == Catch::Approx(2 / 1.25));
  CHECK(charts[1].series[2].values.at(0) == Catch::Approx(2));
  CHECK(charts[1].series[3].values.at(1) == Catch::Approx(0.2));
  CHECK_FALSE(charts[1].series[1].values.at(1) > 0); // refused
  CHECK(bars_of({result("a", "heddle::auto", 1)}, "GFLOPS by matrix").empty());
}

TEST_CASE("more kernels than there are looks are left to the tables", "[perf]")
{
  std::vector<Result> many{timed("a", "csr", "heddle::auto", 1)};
  for (int n = 0; n < 20; ++n)
    many.push_back(timed("a", "csr", "heddle::kernel_" + std::to_string(n), 2));
  auto const charts = bars_of(many, "GFLOPS by matrix");
  REQUIRE(charts.size() == 2);
  CHECK(charts[1].series.size() == 1);
}

TEST_CASE("formats without an automatic choice are compared by the names that ran", "[perf]")
{
  std::vector<std::string> names;
  for (Contender const& contender : contenders_of(two_matrices()))
    names.push_back(contender.name);
  CHECK(names == std::vector<std::string>{
                     "csr heddle::cuda_native::csr_scalar", "ell heddle::cuda_native::ell",
                     "sell 8,8,1 heddle::cuda_native::sellp_paper", "cuSPARSE, best of 3"});
}
