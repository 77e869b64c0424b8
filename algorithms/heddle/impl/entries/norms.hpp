// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Norms of rows, as folds (rows.hpp).

#include <heddle/accumulator.hpp>
#include <heddle/impl/entries/rows.hpp>
#include <heddle/norm.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// The real type that absolute values of a matrix are summed in.
template <class Matrix>
using magnitude_t = real_t<accumulator_t<typename Matrix::value_type>>;

// |value|.
template <class Value>
KOKKOS_INLINE_FUNCTION real_t<accumulator_t<Value>> magnitude_of(Value const& value)
{
  return Kokkos::abs(static_cast<accumulator_t<Value>>(value));
}

// A real number that a fold begins with 0.
template <class Real>
struct RealSum
{
  Real value = 0;
};

template <Norm norm, class Values, class Out>
struct NormOfRow
{
  using Value = typename Values::non_const_value_type;
  using Real = real_t<accumulator_t<Value>>;
  using Sum = RealSum<Real>;

  Values values;
  Out out;

  KOKKOS_FUNCTION void add(std::int64_t, std::int64_t k, Sum& sum) const
  {
    Real const magnitude = magnitude_of(values(k));
    join(sum, {norm == Norm::two ? magnitude * magnitude : magnitude});
  }
  // A NaN is the largest, whatever it is compared with.
  KOKKOS_FUNCTION static void join(Sum& to, Sum const& from)
  {
    if constexpr (norm == Norm::infinity)
      to.value = to.value >= from.value || to.value != to.value ? to.value : from.value;
    else
      to.value += from.value;
  }
  KOKKOS_FUNCTION void finish(std::int64_t i, Sum const& sum) const
  {
    out(i) = static_cast<typename Out::non_const_value_type>(
        norm == Norm::two ? Kokkos::sqrt(sum.value) : sum.value);
  }
};

// out(i) = the norm of row i. Asynchronous.
template <class Exec, class Matrix, class Out>
void norms_of_rows(Exec const& exec, char const* label, Matrix const& a, Norm norm, Out const& out)
{
  using Values = typename Matrix::const_type::values_view;
  auto const run = [&]<Norm which>(NormOfRow<which, Values, Out> const& fold) {
    fold_rows(exec, label, a, fold);
  };
  if (norm == Norm::one)
    run(NormOfRow<Norm::one, Values, Out>{a.values(), out});
  else if (norm == Norm::two)
    run(NormOfRow<Norm::two, Values, Out>{a.values(), out});
  else
    run(NormOfRow<Norm::infinity, Values, Out>{a.values(), out});
}

} // namespace heddle::impl
