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

  /// z(i).
  KOKKOS_FUNCTION auto load(std::int64_t i) const { return z(i); }
  template <class Value, class Loaded>
  KOKKOS_FUNCTION Value operator()(std::int64_t, Value const& value, Loaded const& z_i) const
  {
    return value + static_cast<Value>(gamma * z_i);
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

  /// w(i).
  KOKKOS_FUNCTION auto load(std::int64_t i) const { return w(i); }
  template <class Value, class Loaded>
  KOKKOS_FUNCTION void operator()(std::int64_t, Value const& value, Loaded const& w_i,
                                  sum_type& sum) const
  {
    sum += impl::conjugated<true>(static_cast<sum_type>(w_i)) * static_cast<sum_type>(value);
  }
  /// result() = total.
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
  /// result() = total.
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

  /// What is read at a row.
  struct Loaded
  {
    typename D::non_const_value_type d;
    typename B::non_const_value_type b;
    typename X::non_const_value_type x;
  };
  /// d(i), b(i), x(i).
  KOKKOS_FUNCTION Loaded load(std::int64_t i) const { return {inverse_diagonal(i), b(i), x(i)}; }
  template <class Value>
  KOKKOS_FUNCTION Value operator()(std::int64_t, Value const& value, Loaded const& at) const
  {
    return static_cast<Value>(at.x + omega * at.d * (at.b - value));
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

  /// What is read at a row.
  struct Loaded
  {
    typename D::non_const_value_type d;
    typename R::non_const_value_type r;
    typename P::non_const_value_type p;
    typename X::non_const_value_type x;
  };
  /// d(i), r(i), p(i), x(i).
  KOKKOS_FUNCTION Loaded load(std::int64_t i) const
  {
    return {inverse_diagonal(i), r(i), p(i), x(i)};
  }
  template <class Value>
  KOKKOS_FUNCTION Value operator()(std::int64_t i, Value const& value, Loaded const& at) const
  {
    Value const residual = at.r - value;
    r(i) = residual;
    auto const next = static_cast<Value>(of_direction * at.p + of_residual * at.d * residual);
    x(i) = at.x + next;
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

// What two epilogues load.
template <class First, class Second>
struct BothLoaded
{
  loaded_t<First> first;
  loaded_t<Second> second;
};

// What an epilogue stores for a row.
template <class Epilogue, class Value>
KOKKOS_FUNCTION Value passed(Epilogue const& epilogue, std::int64_t i, Value value,
                             loaded_t<Epilogue> const& loaded, sum_of_epilogue_t<Epilogue>& sum)
{
  apply_to_row(epilogue, i, value, loaded, sum);
  return value;
}

} // namespace heddle::impl

namespace heddle::epilogues
{

/// first, then second of what first stores: Then{AddVector{1.0, b}, SquaredNorm{result}}. Each may
/// be a Then. Both load what they read before either runs.
template <class First, class Second>
struct Then : impl::SumOfBoth<First, Second>
{
  using Loaded = impl::BothLoaded<First, Second>;
  static constexpr bool first_has_sum = impl::has_sum_v<First>;
  static constexpr bool second_has_sum = impl::has_sum_v<Second>;
  First first;
  Second second;

  /// before, then after.
  KOKKOS_FUNCTION Then(First const& before, Second const& after)
      : first(before)
      , second(after)
  {}
  /// What first and second load; nothing for one without load.
  KOKKOS_FUNCTION Loaded load(std::int64_t i) const
  {
    return {impl::load_for_row(first, i), impl::load_for_row(second, i)};
  }
  template <class Value>
  KOKKOS_FUNCTION Value operator()(std::int64_t i, Value const& value, Loaded const& loaded) const
      requires(!first_has_sum && !second_has_sum)
  {
    impl::NoSum none;
    return both(i, value, loaded, none, none);
  }
  template <class Value, class Sum>
  KOKKOS_FUNCTION Value operator()(std::int64_t i, Value const& value, Loaded const& loaded,
                                   Sum& sum) const requires(first_has_sum || second_has_sum)
  {
    impl::NoSum none;
    if constexpr (first_has_sum && second_has_sum)
      return both(i, value, loaded, sum.first, sum.second);
    else if constexpr (first_has_sum)
      return both(i, value, loaded, sum, none);
    else
      return both(i, value, loaded, none, sum);
  }
  /// Calls finish of each epilogue that has a sum.
  template <class Sum>
  KOKKOS_FUNCTION void finish(Sum const& total) const requires(first_has_sum || second_has_sum)
  {
    if constexpr (first_has_sum && second_has_sum)
    {
      first.finish(total.first);
      second.finish(total.second);
    }
    else if constexpr (first_has_sum)
      first.finish(total);
    else
      second.finish(total);
  }

private:
  template <class Value>
  KOKKOS_FUNCTION Value both(std::int64_t i, Value const& value, Loaded const& loaded,
                             impl::sum_of_epilogue_t<First>& of_first,
                             impl::sum_of_epilogue_t<Second>& of_second) const
  {
    return impl::passed(second, i, impl::passed(first, i, value, loaded.first, of_first),
                        loaded.second, of_second);
  }
};
template <class First, class Second>
Then(First, Second) -> Then<First, Second>;

} // namespace heddle::epilogues
