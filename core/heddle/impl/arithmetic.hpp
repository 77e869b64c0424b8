// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace heddle::impl
{

// The conjugate of a complex value where asked for; a real value as it is.
template <bool is_conjugate, class Value>
KOKKOS_INLINE_FUNCTION Value conjugated(Value const& value)
{
  if constexpr (is_conjugate && is_complex_v<Value>)
    return Value(value.real(), -value.imag());
  else
    return value;
}

// run(std::true_type) where a complex matrix counts with the conjugates of its values, else
// run(std::false_type).
template <class Value, class Run>
void with_conjugation(Op op, Run const& run)
{
  if constexpr (is_complex_v<Value>)
    if (is_conjugated(op))
      return run(std::true_type{});
  run(std::false_type{});
}

// target += value, one component at a time: devices add no complex number at once, and a sum needs
// no more.
template <class Value>
KOKKOS_INLINE_FUNCTION void atomic_accumulate(Value& target, Value const& value)
{
  if constexpr (is_complex_v<Value>)
  {
    Kokkos::atomic_add(&target.real(), value.real());
    Kokkos::atomic_add(&target.imag(), value.imag());
  }
  else
    Kokkos::atomic_add(&target, value);
}

// alpha * sum + beta * old, where beta = 0 does not read old (so a NaN in it does not survive).
template <class Scalar, class Sum>
KOKKOS_INLINE_FUNCTION void store(Scalar& y, Scalar const& alpha, Sum const& sum,
                                  Scalar const& beta)
{
  using Wide = accumulator_t<Scalar, Sum>;
  if (beta == Scalar(0))
    y = static_cast<Scalar>(Wide(alpha) * Wide(sum));
  else
    y = static_cast<Scalar>(Wide(alpha) * Wide(sum) + Wide(beta) * Wide(y));
}

} // namespace heddle::impl
