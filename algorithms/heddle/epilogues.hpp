// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/epilogue.hpp>
#include <heddle/row_epilogue.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

/// What applications do with A x before they store it: epilogues (row_epilogue.hpp) for
///
///     spmv(exec, plan, alpha, a, x, beta, y, epilogue)
///
/// where value is alpha (A x)(i) + beta y(i). Vectors are Views that have an entry for every row
/// of A; results are Views of rank 0 in memory that exec reaches, and hold a new sum when exec has
/// come that far: no call waits. Vectors must not overlap x, other than at their documented
/// entries.
namespace heddle::epilogues
{

/// value + gamma z(i). The residual b - A x is spmv(exec, plan, -1.0, a, x, 0.0, r,
/// AddVector{1.0, b}).
template <class Scalar, class Z>
struct AddVector
{
  Scalar gamma;
  Z z;

  template <class Value>
  KOKKOS_FUNCTION Value operator()(std::int64_t i, Value const& value) const
  {
    return value + static_cast<Value>(gamma * z(i));
  }
};
template <class Scalar, class Z>
AddVector(Scalar, Z) -> AddVector<Scalar, Z>;

/// result() = sum over i of conj(w(i)) y(i), in the type of result; y(i) = value.
template <class W, class Result>
struct Dot
{
  using sum_type = typename Result::non_const_value_type;
  W w;
  Result result;

  template <class Value>
  KOKKOS_FUNCTION void operator()(std::int64_t i, Value const& value, sum_type& sum) const
  {
    sum += impl::conjugated<true>(static_cast<sum_type>(w(i))) * static_cast<sum_type>(value);
  }
  KOKKOS_FUNCTION void finish(sum_type const& total) const { result() = total; }
};
template <class W, class Result>
Dot(W, Result) -> Dot<W, Result>;

/// result() = sum over i of |y(i)|^2, a real number; y(i) = value.
template <class Result>
struct SquaredNorm
{
  using sum_type = typename Result::non_const_value_type;
  Result result;

  template <class Value>
  KOKKOS_FUNCTION void operator()(std::int64_t, Value const& value, sum_type& sum) const
  {
    if constexpr (impl::is_complex_v<Value>)
      sum += static_cast<sum_type>(value.real() * value.real() + value.imag() * value.imag());
    else
      sum += static_cast<sum_type>(value * value);
  }
  KOKKOS_FUNCTION void finish(sum_type const& total) const { result() = total; }
};
template <class Result>
SquaredNorm(Result) -> SquaredNorm<Result>;

/// x(i) + omega d(i) (b(i) - value): a step of the damped Jacobi method, where value is (A x)(i)
/// and d the inverse of A's diagonal; y is the next x, another vector than x (Saad, Iterative
/// Methods for Sparse Linear Systems, 2nd ed., section 4.1).
template <class Scalar, class D, class B, class X>
struct JacobiStep
{
  Scalar omega;
  D inverse_diagonal;
  B b;
  X x;

  template <class Value>
  KOKKOS_FUNCTION Value operator()(std::int64_t i, Value const& value) const
  {
    return static_cast<Value>(x(i) + omega * inverse_diagonal(i) * (b(i) - value));
  }
};
template <class Scalar, class D, class B, class X>
JacobiStep(Scalar, D, B, X) -> JacobiStep<Scalar, D, B, X>;

/// A step of the Chebyshev iteration on D^-1 A (Saad, as above, algorithm 12.1), where value is
/// (A p)(i) for the direction p that the call multiplies, and y is the next direction, another
/// vector than p:
///
///     r(i) <- r(i) - value
///     y(i) <- of_direction p(i) + of_residual d(i) r(i)
///     x(i) <- x(i) + y(i)
///
/// with d the inverse of A's diagonal, x the iterate and r its residual b - A x. For eigenvalues of
/// D^-1 A between low and high, with theta = (high + low) / 2, delta = (high - low) / 2,
/// rho = delta / theta before the first step and rho' = 1 / (2 theta / delta - rho) in each:
/// of_direction = rho' rho, of_residual = 2 rho' / delta. The first direction is d r / theta, and x
/// has it added already.
template <class Scalar, class D, class R, class P, class X>
struct ChebyshevStep
{
  Scalar of_direction, of_residual;
  D inverse_diagonal;
  R r;
  P p;
  X x;

  template <class Value>
  KOKKOS_FUNCTION Value operator()(std::int64_t i, Value const& value) const
  {
    Value const residual = r(i) - value;
    r(i) = residual;
    Value const next =
        static_cast<Value>(of_direction * p(i) + of_residual * inverse_diagonal(i) * residual);
    x(i) += next;
    return next;
  }
};
template <class Scalar, class D, class R, class P, class X>
ChebyshevStep(Scalar, Scalar, D, R, P, X) -> ChebyshevStep<Scalar, D, R, P, X>;

} // namespace heddle::epilogues

namespace heddle::impl
{

// The sums of two epilogues.
template <class First, class Second>
struct BothSums
{
  First first;
  Second second;

  KOKKOS_FUNCTION BothSums& operator+=(BothSums const& other)
  {
    first += other.first;
    second += other.second;
    return *this;
  }
};

// Of two epilogues of which one or both have sums.
template <class First, class Second>
struct SumOfBoth
{
  using sum_type = BothSums<sum_of_epilogue_t<First>, sum_of_epilogue_t<Second>>;
};
template <class First, class Second>
requires(!has_sum_v<First> && has_sum_v<Second>) struct SumOfBoth<First, Second>
{
  using sum_type = sum_of_epilogue_t<Second>;
};
template <class First, class Second>
requires(has_sum_v<First> && !has_sum_v<Second>) struct SumOfBoth<First, Second>
{
  using sum_type = sum_of_epilogue_t<First>;
};
template <class First, class Second>
requires(!has_sum_v<First> && !has_sum_v<Second>) struct SumOfBoth<First, Second>
{};

// What an epilogue stores for a row.
template <class Epilogue, class Value, class Sum>
KOKKOS_FUNCTION Value passed(Epilogue const& epilogue, std::int64_t i, Value value, Sum& sum)
{
  apply_to_row(epilogue, i, value, sum);
  return value;
}

} // namespace heddle::impl

namespace heddle::epilogues
{

/// first, then second of what first stores: Then{AddVector{1.0, b}, SquaredNorm{result}}. Each may
/// be a Then.
template <class First, class Second>
struct Then : impl::SumOfBoth<First, Second>
{
  First first;
  Second second;

  KOKKOS_FUNCTION Then(First const& first_, Second const& second_)
      : first(first_)
      , second(second_)
  {}
  template <class Value>
  KOKKOS_FUNCTION Value operator()(std::int64_t i, Value const& value) const
      requires(!impl::has_sum_v<First> && !impl::has_sum_v<Second>)
  {
    impl::NoSum none;
    return impl::passed(second, i, impl::passed(first, i, value, none), none);
  }
  template <class Value, class Sum>
  KOKKOS_FUNCTION Value operator()(std::int64_t i, Value const& value, Sum& sum) const
      requires(impl::has_sum_v<First> || impl::has_sum_v<Second>)
  {
    if constexpr (impl::has_sum_v<First> && impl::has_sum_v<Second>)
      return impl::passed(second, i, impl::passed(first, i, value, sum.first), sum.second);
    else
    {
      impl::NoSum none;
      if constexpr (impl::has_sum_v<First>)
        return impl::passed(second, i, impl::passed(first, i, value, sum), none);
      else
        return impl::passed(second, i, impl::passed(first, i, value, none), sum);
    }
  }
  template <class Sum>
  KOKKOS_FUNCTION void finish(Sum const& total) const
      requires(impl::has_sum_v<First> || impl::has_sum_v<Second>)
  {
    if constexpr (impl::has_sum_v<First> && impl::has_sum_v<Second>)
    {
      first.finish(total.first);
      second.finish(total.second);
    }
    else if constexpr (impl::has_sum_v<First>)
      first.finish(total);
    else
      second.finish(total);
  }
};
template <class First, class Second>
Then(First, Second) -> Then<First, Second>;

} // namespace heddle::epilogues
