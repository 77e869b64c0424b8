// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Epilogues of SpMV: each row passes once, with its complete result, whatever the kernel, the
// format and the operands; sums over rows are right and the same at every call.

#include <heddle/convert.hpp>
#include <heddle/epilogues.hpp>
#include <heddle/spmv.hpp>
#include <support/conversions.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/mixtures.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::test
{

namespace
{

template <class C>
using VectorOf = Kokkos::View<typename C::value*, typename C::space>;

// Stores -2 value, keeps value and counts the row.
template <class Values, class Counts>
struct KeepValue
{
  Values values;
  Counts counts;

  template <class Value>
  KOKKOS_FUNCTION Value operator()(std::int64_t i, Value const& value) const
  {
    values(i) = value;
    ++counts(i);
    return Value(-2) * value;
  }
};

// Rows, and the sum of their numbers, which tells which ones were left out: exact.
struct RowSums
{
  std::int64_t rows = 0, numbers = 0;

  KOKKOS_FUNCTION RowSums& operator+=(RowSums const& other)
  {
    rows += other.rows;
    numbers += other.numbers;
    return *this;
  }
};
template <class Result>
struct CountRows
{
  using sum_type = RowSums;
  Result result;

  template <class Value>
  KOKKOS_FUNCTION void operator()(std::int64_t i, Value const&, RowSums& sum) const
  {
    sum += RowSums{1, i};
  }
  KOKKOS_FUNCTION void finish(RowSums const& total) const { result() = total; }
};

// The operands of a call, whose vectors are contiguous in LayoutLeft, strided in LayoutRight.
template <class C, class Layout>
struct Operands
{
  using Value = typename C::value;
  Kokkos::View<Value**, Layout, typename C::space> b, c;

  explicit Operands(Structure const& s, bool is_overwritten)
      : b("heddle::test::b", s.cols, 2)
      , c("heddle::test::c", s.rows, 2)
  {
    fill_input(b);
    fill_output(c, is_overwritten);
  }
  auto x() const { return Kokkos::subview(b, Kokkos::ALL, 0); }
  auto y() const { return Kokkos::subview(c, Kokkos::ALL, 0); }
};

// Every kind of epilogue with one plan.
template <class C, class Layout, class Matrix>
void check_epilogues(Structure const& s, Matrix const& a, SpmvOptions const& options,
                     typename C::value beta)
{
  using Value = typename C::value;
  typename C::exec const exec{};
  heddle::SpmvPlan const plan(exec, a, options);
  INFO(s.name << ", " << plan.implementation_name() << ", beta " << wide(beta));
  Value const alpha = Value(-0.5);
  auto const expected = reference_multiply<Value, Value, Value>(s, Op::none, alpha, 1, beta);

  {
    Operands<C, Layout> const of(s, beta == Value(0));
    Kokkos::View<Value**, Kokkos::LayoutLeft, typename C::space> const kept("heddle::test::kept",
                                                                            s.rows, 1);
    Kokkos::View<int*, typename C::space> const counts("heddle::test::counts", s.rows);
    auto const values = Kokkos::subview(kept, Kokkos::ALL, 0);
    spmv(exec, plan, alpha, a, of.x(), beta, of.y(),
         KeepValue<decltype(values), decltype(counts)>{values, counts});
    exec.fence();
    CHECK(to_vector(counts) == std::vector<int>(static_cast<std::size_t>(s.rows), 1));
    CHECK(first_difference_in(expected, kept) == "");
    auto doubled = expected;
    for (std::size_t n = 0; n < doubled.values.size(); ++n)
    {
      doubled.values[n] *= -2.0;
      doubled.magnitudes[n] *= 2.0;
    }
    CHECK(first_difference_in(doubled, of.c) == "");
  }
  {
    Operands<C, Layout> const of(s, beta == Value(0));
    Kokkos::View<RowSums, typename C::space> const rows("heddle::test::rows");
    Kokkos::deep_copy(rows, RowSums{-1, -1});
    spmv(exec, plan, alpha, a, of.x(), beta, of.y(), CountRows<decltype(rows)>{rows});
    exec.fence();
    CHECK(first_difference_in(expected, of.c) == "");
    RowSums sums;
    Kokkos::deep_copy(sums, rows);
    CHECK(sums.rows == s.rows);
    CHECK(sums.numbers == s.rows * (s.rows - 1) / 2);
  }
}

template <class C, class Matrix>
void check_layouts(Structure const& s, Matrix const& a, SpmvOptions const& options)
{
  using Value = typename C::value;
  check_epilogues<C, Kokkos::LayoutLeft>(s, a, options, Value(0));
  check_epilogues<C, Kokkos::LayoutLeft>(s, a, options, Value(2));
  if (options.implementation.empty())
    check_epilogues<C, Kokkos::LayoutRight>(s, a, options, Value(2));
}

// Neighbours in all directions on a grid, whose rows have few templates of up to 27 columns.
Structure stencil27(std::int64_t nx, std::int64_t ny, std::int64_t nz)
{
  Structure s{"stencil27", nx * ny * nz, nx * ny * nz, {}};
  auto const from = [](std::int64_t at) { return std::max<std::int64_t>(at - 1, 0); };
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y)
      for (std::int64_t x = 0; x < nx; ++x)
      {
        s.columns.emplace_back();
        for (std::int64_t k = from(z); k < std::min(z + 2, nz); ++k)
          for (std::int64_t j = from(y); j < std::min(y + 2, ny); ++j)
            for (std::int64_t i = from(x); i < std::min(x + 2, nx); ++i)
              s.columns.back().push_back((k * ny + j) * nx + i);
      }
  return s;
}

// Rows of every length at once, one longer than a tile of any kernel; and patterns that plans
// compress, whose last block is not full.
std::vector<Structure> demanding()
{
  Structure mixed = random_structure("all lengths", 3000, 20000, 5, 61);
  for (std::size_t i = 0; i < mixed.columns.size(); i += 37)
    mixed.columns[i] = random_structure("", 1, 20000, 40 + i / 3, i).columns[0];
  mixed.columns[1234] = random_structure("", 1, 20000, 15000, 62).columns[0];
  return {mixed, random_structure("few long rows", 20, 30000, 20000, 63), stencil27(23, 17, 13)};
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;
namespace epilogues = heddle::epilogues;

TEMPLATE_LIST_TEST_CASE("every kernel of spmv passes each row through an epilogue once",
                        "[spmv][epilogues]", Types)
{
  using C = TestType;
  typename C::exec const exec{};
  auto all = structures();
  for (auto& s : demanding())
    all.push_back(s);
  for (auto const& s : all)
  {
    auto const a = make_csr<C>(s);
    check_layouts<C>(s, a, {});
    for (auto const* const name : heddle::impl::names_of(
             heddle::SpmvImplementations<typename C::exec, typename CsrOf<C>::const_type>{}))
      try
      {
        check_layouts<C>(s, a, {.implementation = name});
      }
      catch (heddle::Unsupported const&) // this kernel does not take this matrix
      {
        CHECK_THROWS_AS(heddle::SpmvPlan(exec, a, {.implementation = name}), heddle::Unsupported);
      }
  }
}

TEST_CASE("epilogues of spmv where entries come from memory", "[spmv][epilogues]")
{
  using C = Case<Device, double, int, std::size_t>;
  for (auto const& s : from_memory())
  {
    auto const a = make_csr<C>(s);
    for (auto const* const name : {"", "portable::csr_templates", "portable::csr_runs"})
      try
      {
        check_epilogues<C, Kokkos::LayoutLeft>(s, a, {.implementation = name}, 2.0);
      }
      catch (heddle::Unsupported const&) // not a pattern of this form
      {
        CHECK(name != std::string());
      }
  }
}

namespace heddle::test
{
namespace
{
struct AsCoo
{
  template <class Exec, class Matrix>
  static auto make(Exec const& exec, Matrix const& a)
  {
    return to_coo(exec, a);
  }
};
using EpilogueFormats = std::tuple<AsCoo, AsCsc, AsDcsr, AsBsr<3, 3>, AsBsr<5, 2>, AsEll,
                                   AsSell<8, 2, 32>, AsHyb<-1>, AsRowSegmented<4, 1>>;
} // namespace
} // namespace heddle::test

TEMPLATE_LIST_TEST_CASE("spmv of every format passes each row through an epilogue once",
                        "[spmv][epilogues][formats]", EpilogueFormats)
{
  using C = Case<Device, double, int, std::size_t>;
  for (auto const* const name : {"power law", "empty rows", "banded", "1 x 1", "0 x 0"})
    for (auto const& s : structures())
      if (s.name == name)
        check_layouts<C>(s, TestType::make(Device{}, make_csr<C>(s)), {});
}

TEST_CASE("sums of an epilogue have the same bits at every call", "[spmv][epilogues]")
{
  using C = Case<Device, double, int, std::size_t>;
  Device const exec{};
  for (auto const& s : demanding())
  {
    auto const a = make_csr<C>(s);
    heddle::SpmvPlan const plan(exec, a);
    INFO(s.name << ", " << plan.describe());
    Operands<C, Kokkos::LayoutLeft> const of(s, true);
    Kokkos::View<double, C::space> const dot("heddle::test::dot"), norm("heddle::test::norm");
    VectorOf<C> const w("heddle::test::w", s.rows);
    Kokkos::deep_copy(w, 0.3);
    double first_dot = 0, first_norm = 0;
    for (int repeat = 0; repeat < 100; ++repeat)
    {
      spmv(exec, plan, 1.0, a, of.x(), 0.0, of.y(),
           epilogues::Then{epilogues::Dot{w, dot}, epilogues::SquaredNorm{norm}});
      double of_dot = 0, of_norm = 0;
      Kokkos::deep_copy(of_dot, dot);
      Kokkos::deep_copy(of_norm, norm);
      if (repeat == 0)
      {
        first_dot = of_dot;
        first_norm = of_norm;
        double expected_dot = 0, expected_norm = 0, magnitude = 0;
        for (double const value : to_vector(of.y()))
        {
          expected_dot += 0.3 * value;
          expected_norm += value * value;
          magnitude += std::abs(0.3 * value);
        }
        CHECK(std::abs(of_dot - expected_dot) <= 1e-12 * magnitude);
        CHECK(std::abs(of_norm - expected_norm) <= 1e-12 * expected_norm);
        CHECK(of_norm > 0);
      }
      REQUIRE(of_dot == first_dot);
      REQUIRE(of_norm == first_norm);
    }
  }
}

TEST_CASE("epilogues follow one another in one call", "[spmv][epilogues]")
{
  using C = Case<Device, double, int, std::size_t>;
  Device const exec{};
  Structure const& s = structure("banded");
  auto const a = make_csr<C>(s);
  heddle::SpmvPlan const plan(exec, a);
  Operands<C, Kokkos::LayoutLeft> const of(s, true), plain(s, true);
  VectorOf<C> const b("heddle::test::b", s.rows);
  Kokkos::deep_copy(b, 1.75);
  Kokkos::View<double, C::space> const norm("heddle::test::norm");
  auto const sum = [&] {
    double value = 0;
    Kokkos::deep_copy(value, norm);
    return value;
  };
  spmv(exec, plan, 1.0, a, of.x(), 0.0, plain.y());
  auto const product = to_vector(plain.y());
  epilogues::AddVector const once{1.0, b}, twice{2.0, b};
  double expected = 0;

  SECTION("a residual, then its norm")
  {
    auto const residual = epilogues::Then{once, epilogues::SquaredNorm{norm}};
    spmv(exec, plan, -1.0, a, of.x(), 0.0, of.y(), residual);
    auto const r = to_vector(of.y());
    for (std::size_t i = 0; i < r.size(); ++i)
    {
      CHECK(r[i] == 1.75 - product[i]);
      expected += r[i] * r[i];
    }
    CHECK(sum() == Catch::Approx(expected).epsilon(1e-13));

    // alpha = 0 reads neither A nor x, and the epilogue runs.
    Kokkos::deep_copy(of.b, std::numeric_limits<double>::quiet_NaN());
    spmv(exec, plan, 0.0, a, of.x(), 0.0, of.y(), residual);
    CHECK(to_vector(of.y()) == std::vector<double>(r.size(), 1.75));
    CHECK(sum() == Catch::Approx(1.75 * 1.75 * static_cast<double>(r.size())).epsilon(1e-13));
  }
  SECTION("the norm of A x, then a vector that is added")
  {
    spmv(exec, plan, 1.0, a, of.x(), 0.0, of.y(),
         epilogues::Then{epilogues::SquaredNorm{norm}, once});
    auto const y = to_vector(of.y());
    for (std::size_t i = 0; i < y.size(); ++i)
    {
      CHECK(y[i] == product[i] + 1.75);
      expected += product[i] * product[i];
    }
    CHECK(sum() == Catch::Approx(expected).epsilon(1e-13));
  }
  SECTION("two vectors, without a sum")
  {
    spmv(exec, plan, 1.0, a, of.x(), 0.0, of.y(), epilogues::Then{once, twice});
    auto const y = to_vector(of.y());
    for (std::size_t i = 0; i < y.size(); ++i)
      CHECK(y[i] == product[i] + 1.75 + 3.5);
  }
}

TEST_CASE("an epilogue's dot product conjugates its vector", "[spmv][epilogues]")
{
  using C = Case<Device, Complex128, int, std::size_t>;
  Device const exec{};
  Structure const& s = structure("banded");
  auto const a = make_csr<C>(s);
  heddle::SpmvPlan const plan(exec, a);
  Operands<C, Kokkos::LayoutLeft> const of(s, true);
  VectorOf<C> const w("heddle::test::w", s.rows);
  Kokkos::deep_copy(w, Complex128(0.5, -2.0));
  Kokkos::View<Complex128, C::space> const dot("heddle::test::dot");
  Kokkos::View<double, C::space> const norm("heddle::test::norm");
  spmv(exec, plan, Complex128(1, 1), a, of.x(), Complex128(0), of.y(),
       epilogues::Then{epilogues::Dot{w, dot}, epilogues::SquaredNorm{norm}});
  Wide expected = 0;
  double squares = 0;
  for (auto const& value : to_vector(of.y()))
  {
    expected += std::conj(Wide(0.5, -2.0)) * wide(value);
    squares += std::norm(wide(value));
  }
  Complex128 sum;
  Kokkos::deep_copy(sum, dot);
  CHECK(std::abs(wide(sum) - expected) <= 1e-12 * std::sqrt(squares));
  double of_norm = 0;
  Kokkos::deep_copy(of_norm, norm);
  CHECK(of_norm == Catch::Approx(squares).epsilon(1e-12));
}

TEST_CASE("steps of smoothers agree with their formulas", "[spmv][epilogues]")
{
  using C = Case<Device, double, int, std::size_t>;
  Device const exec{};
  Structure const& s = structure("banded");
  REQUIRE(s.rows == s.cols);
  auto const a = make_csr<C>(s);
  heddle::SpmvPlan const plan(exec, a);
  auto const vector = [&](double scale) {
    Kokkos::View<double**, Kokkos::LayoutLeft, C::space> const v("heddle::test::v", s.rows, 1);
    put(v, [=](std::int64_t i, std::int64_t) { return scale * (1.0 + std::sin(double(i))); });
    return VectorOf<C>(Kokkos::subview(v, Kokkos::ALL, 0));
  };
  VectorOf<C> const b = vector(1), d = vector(0.25), x = vector(-2), y = vector(7), r = vector(3),
                    p = vector(0.5), product = vector(0);
  auto const old_x = to_vector(x), old_r = to_vector(r), old_p = to_vector(p);
  auto const all_b = to_vector(b), all_d = to_vector(d);
  double const tolerance = 1e-12;

  spmv(exec, plan, 1.0, a, x, 0.0, product);
  auto ax = to_vector(product);
  spmv(exec, plan, 1.0, a, x, 0.0, y, epilogues::JacobiStep{0.7, d, b, x});
  auto const jacobi = to_vector(y);
  for (std::size_t i = 0; i < jacobi.size(); ++i)
    CHECK(std::abs(jacobi[i] - (old_x[i] + 0.7 * all_d[i] * (all_b[i] - ax[i]))) <=
          tolerance * (1 + std::abs(ax[i])));

  spmv(exec, plan, 1.0, a, p, 0.0, product);
  ax = to_vector(product);
  spmv(exec, plan, 1.0, a, p, 0.0, y, epilogues::ChebyshevStep{0.3, 0.9, d, r, p, x});
  auto const direction = to_vector(y), residual = to_vector(r), iterate = to_vector(x);
  for (std::size_t i = 0; i < direction.size(); ++i)
  {
    double const new_r = old_r[i] - ax[i], next = 0.3 * old_p[i] + 0.9 * all_d[i] * new_r;
    CHECK(std::abs(residual[i] - new_r) <= tolerance * (1 + std::abs(ax[i])));
    CHECK(std::abs(direction[i] - next) <= tolerance * (1 + std::abs(ax[i])));
    CHECK(std::abs(iterate[i] - (old_x[i] + next)) <= tolerance * (1 + std::abs(ax[i])));
  }
}

TEST_CASE("plans say where epilogues run", "[spmv][epilogues][plans]")
{
  using C = Case<Device, double, int, std::size_t>;
  Device const exec{};
  Structure const& s = structure("banded");
  auto const a = make_csr<C>(s);
  heddle::SpmvPlan const csr(exec, a);
  CHECK(csr.fuses_epilogues(false));
  CHECK(csr.fuses_epilogues(true));
  CHECK(csr.describe().find("epilogues: in the kernel, with sums over the rows in the kernel\n") !=
        std::string::npos);
  heddle::SpmvPlan const team(exec, a, {.implementation = "portable::csr_team"});
  CHECK(team.fuses_epilogues(false));
  CHECK(!team.fuses_epilogues(true));
  heddle::SpmvPlan const hyb(exec, AsHyb<-1>::make(exec, a));
  CHECK(!hyb.fuses_epilogues(false));
  CHECK(hyb.describe().find("epilogues: in a second pass over y, with sums over the rows in a "
                            "second pass over y\n") != std::string::npos);
  heddle::SpmvPlan const copy(exec, a, {.implementation = "portable::csr_or_sell"});
  CHECK(copy.fuses_epilogues(true));
}
