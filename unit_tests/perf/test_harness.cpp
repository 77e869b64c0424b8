// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/check.hpp>
#include <harness/for_each_type.hpp>
#include <harness/load.hpp>
#include <harness/measure.hpp>
#include <harness/sparse_reference.hpp>
#include <harness/stopwatch.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmm.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <Kokkos_Core.hpp>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

using namespace heddle::perf;
using Catch::Matchers::StartsWith;
using heddle::Op;

namespace
{

HostMatrix<double> stencil()
{
  return std::get<HostMatrix<double>>(load_gallery("stencil9_20_15").matrix);
}

using Dense = Kokkos::View<double**, Kokkos::LayoutRight, Space>;

Dense product(HostMatrix<double> const& a, Op op, int k)
{
  Dense const b("heddle::test::b", op == Op::none ? a.num_cols() : a.num_rows(), k);
  Dense const c("heddle::test::c", op == Op::none ? a.num_rows() : a.num_cols(), k);
  fill_dense(b);
  heddle::spmm(Exec{}, op, 1.0, on_device<std::size_t>(a), b, 0.0, c);
  Exec{}.fence();
  return c;
}

void set(Dense const& c, int i, int j, double value)
{
  auto const host = Kokkos::create_mirror(c);
  Kokkos::deep_copy(host, c);
  host(i, j) = value;
  Kokkos::deep_copy(c, host);
}

double get(Dense const& c, int i, int j)
{
  auto const host = Kokkos::create_mirror(c);
  Kokkos::deep_copy(host, c);
  return host(i, j);
}

} // namespace

TEST_CASE("the median of an even number of times is between the middle two", "[perf]")
{
  CHECK(median({3.0, 1.0, 2.0}) == 2.0);
  CHECK(median({4.0, 1.0, 2.0, 3.0}) == 2.5);
  CHECK(median({7.0}) == 7.0);
}

TEST_CASE("a case makes the runs asked for, or fewer and at least five within its budget", "[perf]")
{
  int calls = 0;
  auto const measure_nothing = [](Exec const&, auto const& call) {
    call();
    return 10.0; // milliseconds
  };
  auto const call = [&calls] { ++calls; };
  CHECK(time_calls_with(measure_nothing, Exec{}, {20, 100.0, 3}, call).size() == 20);
  CHECK(calls == 23);
  CHECK(time_calls_with(measure_nothing, Exec{}, {20, 0.095, 0}, call).size() == 10);
  CHECK(time_calls_with(measure_nothing, Exec{}, {20, 0.0, 0}, call).size() == 5);
}

TEST_CASE("the check of dense results accepts right ones and finds a wrong entry", "[perf]")
{
  auto const a = stencil();
  for (Op const op : {Op::none, Op::transpose})
  {
    DenseReference<double> const reference(a, op, 3);
    Dense const c = product(a, op, 3);
    Verdict const right = reference.check(c);
    CHECK(right.wrong.empty());
    CHECK(right.residual < 1e-15);
    set(c, 211, 2, get(c, 211, 2) + 1e-13);
    CHECK_THAT(reference.check(c).wrong, StartsWith("wrong result: entry (211, 2) is off by"));
    set(c, 211, 2, std::numeric_limits<double>::quiet_NaN());
    CHECK_THAT(reference.check(c).wrong, StartsWith("wrong result: entry (211, 2)"));
  }
}

namespace
{

// What the check says of a result where the terms are these.
template <class Value>
std::string judged(std::vector<Value> const& terms, Value result)
{
  ReferenceEntry<Value> expected;
  for (Value const& term : terms)
    expected.add(exact(term));
  Verdict verdict;
  judge(verdict, expected, result, 2, 3);
  CHECK((!verdict.wrong.empty() || std::isfinite(verdict.residual)));
  return verdict.wrong;
}

} // namespace

TEST_CASE("the check takes Inf and NaN where the reference has them, and nowhere else", "[perf]")
{
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(judged({1.0, nan}, nan).empty());
  CHECK(judged({inf, -inf}, nan).empty());
  CHECK(judged({1.0, inf}, inf).empty());
  CHECK(judged({1.0, -inf}, -inf).empty());
  CHECK(judged({1.0, nan}, 1.0) == "wrong result: entry (2, 3) is 1, expected nan");
  CHECK(judged({1.0, nan}, inf) == "wrong result: entry (2, 3) is inf, expected nan");
  CHECK(judged({1.0, inf}, 1.0) == "wrong result: entry (2, 3) is 1, expected inf");
  CHECK(judged({1.0, inf}, -inf) == "wrong result: entry (2, 3) is -inf, expected inf");
  CHECK(judged({1.0, inf}, nan) == "wrong result: entry (2, 3) is nan, expected inf");
  CHECK_THAT(judged({1.0, 2.0}, nan), StartsWith("wrong result: entry (2, 3) is off by"));
  CHECK_THAT(judged({1.0, 2.0}, inf), StartsWith("wrong result: entry (2, 3) is off by"));

  // A sum that is too large for the type on the way, or at the end.
  constexpr float large = std::numeric_limits<float>::max();
  CHECK(judged({large, large}, std::numeric_limits<float>::infinity()).empty());
  CHECK(judged({large, large, -large}, large).empty());
  CHECK_FALSE(judged({large, large, -large}, 0.0F).empty());
  CHECK_FALSE(judged({large}, std::numeric_limits<float>::infinity()).empty());

  using Complex = Kokkos::complex<double>;
  CHECK(judged<Complex>({{1, 2}, {inf, 0}}, {nan, inf}).empty());
  CHECK(judged<Complex>({{1, 2}, {inf, 0}}, {1, 2}) ==
        "wrong result: entry (2, 3) is (1,2), expected (inf,2)");
}

TEST_CASE("the check of sparse results finds wrong values, columns and lengths", "[perf]")
{
  auto const a = stencil();
  auto const c = heddle::spgemm(Kokkos::DefaultHostExecutionSpace{}, a, a);
  SparseReference<double> const reference(a, a);
  auto const check = [&reference](HostMatrix<double> const& product) {
    return reference.check(sample_of(on_device<std::size_t>(product), reference.rows()));
  };
  CHECK(check(c).wrong.empty());
  CHECK(sample_of(on_device<int>(c), {0, 299}).nnz == static_cast<std::int64_t>(c.nnz()));
  SECTION("value")
  {
    c.values()(1000) += 1e-12;
    CHECK_THAT(check(c).wrong, StartsWith("wrong result: entry ("));
  }
  SECTION("column")
  {
    c.columns()(c.nnz() - 1) = 0;
    CHECK_THAT(check(c).wrong, StartsWith("wrong result: row 299 has no column 299"));
  }
  SECTION("length")
  {
    HostMatrix<double> const other(a.num_rows(), a.num_cols(), a.row_offsets(), a.columns(),
                                   a.values());
    CHECK_THAT(check(other).wrong, StartsWith("wrong result: row 0 has 4 entries, expected 9"));
  }
}

TEST_CASE("a sample has all rows where that is cheap, else at least a thousand", "[perf]")
{
  CHECK(sample_rows(5000, 1e6).size() == 5000);
  auto const sample = sample_rows(1000000, 1e12);
  CHECK(sample.size() >= 1000);
  CHECK(sample.size() < 2000);
  CHECK(sample == sample_rows(1000000, 1e12));
}

TEST_CASE("compulsory bytes and operations are those of the definition", "[perf]")
{
  auto const a = stencil(); // 300 x 300, 2494 entries
  Record const record = record_of("spmm", load_gallery("stencil9_20_15"), a, 4);
  CHECK(a.nnz() == 2494);
  CHECK(record.flops == 2.0 * 2494 * 4);
  CHECK(dense_bytes<double>(record, sizeof(int)) == 2494 * 12.0 + 301 * 4.0 + 600 * 4 * 8.0);
  CHECK(record.value_type == "f64");
  CHECK(type_name<Kokkos::complex<float>>() == "c32");
  CHECK(flops_per_product<Kokkos::complex<float>> == 8.0);
}

#if defined(KOKKOS_ENABLE_CUDA)
TEST_CASE("times of short calls do not count what the host takes to submit them", "[perf]")
{
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds of_host(50);
  Kokkos::View<int*, Space> const x("heddle::test::x", 1);
  auto const call = [&] {
    for (auto const end = Clock::now() + of_host; Clock::now() < end;)
      ;
    Kokkos::deep_copy(Exec{}, x, 1);
  };
  for (int const runs : {5, 200})
    CHECK(median(time_calls(Exec{}, {runs, 1.0, 2}, call)) < 0.025);
}
#endif
