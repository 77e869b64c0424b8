// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/accumulator.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace heddle::test
{

namespace
{

// Too narrow to sum in.
struct Narrow
{
  float value;
};

} // namespace

} // namespace heddle::test

template <>
struct heddle::Accumulator<heddle::test::Narrow>
{
  using type = float;
};

namespace heddle::test
{

namespace
{

template <class Expected, class... Values>
inline constexpr bool sums_in = std::is_same_v<accumulator_t<Values...>, Expected>;

static_assert(sums_in<float, float>);
static_assert(sums_in<double, float, double>);
static_assert(sums_in<double, double, float, float>);
static_assert(sums_in<Complex64, Complex64>);
static_assert(sums_in<Complex64, Complex64, float>);
static_assert(sums_in<Complex128, Complex64, double>);
static_assert(sums_in<Complex128, float, Complex128, double>);
static_assert(sums_in<float, Narrow>);
static_assert(sums_in<double, Narrow, double>);
static_assert(sums_in<Complex64, Narrow, Complex64>);

static_assert(impl::is_complex_v<Complex64> && !impl::is_complex_v<double>);
static_assert(std::is_same_v<impl::real_t<Complex64>, float>);
static_assert(std::is_same_v<impl::real_t<double>, double>);

template <class Scalar>
Scalar stored(Scalar y, Scalar alpha, Scalar sum, Scalar beta)
{
  impl::store(y, alpha, sum, beta);
  return y;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::impl::conjugated;

TEST_CASE("conjugated changes complex numbers where asked for", "[accumulator]")
{
  CHECK(conjugated<true>(2.5) == 2.5);
  CHECK(conjugated<false>(Complex128(1, 2)) == Complex128(1, 2));
  CHECK(conjugated<true>(Complex128(1, 2)) == Complex128(1, -2));
  CHECK(conjugated<true>(Complex64(1, -2)) == Complex64(1, 2));
}

TEST_CASE("store does not read what beta = 0 overwrites", "[accumulator]")
{
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(stored(nan, 3.0, 5.0, 0.0) == 15.0);
  CHECK(stored(nan, 3.0, 5.0, -0.0) == 15.0);
  CHECK(std::isnan(stored(nan, 3.0, 5.0, 1.0)));
  CHECK(stored(2.0, 3.0, 5.0, 10.0) == 35.0);
  CHECK(stored(Complex128(nan, nan), Complex128(0, 1), Complex128(2, 3), Complex128(0, 0)) ==
        Complex128(-3, 2));
}

TEST_CASE("store rounds once, from the wider type", "[accumulator]")
{
  double const sum = 1.0 + 0x1p-30; // 1 in float
  float y = -1.0F;
  heddle::impl::store(y, 1.0F, sum, 1.0F);
  CHECK(y == 0x1p-30F);
}

TEST_CASE("atomic_accumulate adds both components", "[accumulator]")
{
  double real = 1.5;
  heddle::impl::atomic_accumulate(real, 2.0);
  CHECK(real == 3.5);
  Complex128 complex(1, 2);
  heddle::impl::atomic_accumulate(complex, Complex128(10, 20));
  CHECK(complex == Complex128(11, 22));
}
