// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The pass over C that follows a product with factors, C = alpha A B + beta C.

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// c(k) = factor c(k), or 0 where factor is 0, whatever c(k) was: a functor, see scan.hpp.
template <class Values>
struct ScaleValue
{
  typename Values::non_const_value_type factor;
  Values c;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    using Value = typename Values::non_const_value_type;
    c(k) = factor == Value(0) ? Value(0) : factor * c(k);
  }
};

// c(k) = alpha product(k) + beta c(k).
template <class Values>
struct AccumulateValue
{
  typename Values::non_const_value_type alpha, beta;
  Values product, c;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const { c(k) = alpha * product(k) + beta * c(k); }
};

// Asynchronous.
template <class Exec, class Values>
void scale_values(Exec const& exec, typename Values::non_const_value_type factor, Values const& c)
{
  if (c.extent(0) > 0)
    Kokkos::parallel_for("heddle::spgemm::scale", range(exec, c.extent(0)),
                         ScaleValue<Values>{factor, c});
}
template <class Exec, class Values>
void accumulate_values(Exec const& exec, typename Values::non_const_value_type alpha,
                       Values const& product, typename Values::non_const_value_type beta,
                       Values const& c)
{
  if (c.extent(0) > 0)
    Kokkos::parallel_for("heddle::spgemm::accumulate", range(exec, c.extent(0)),
                         AccumulateValue<Values>{alpha, beta, product, c});
}

} // namespace heddle::impl
