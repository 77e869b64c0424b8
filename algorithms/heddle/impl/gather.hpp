// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// to(i) = from(order(i)). Asynchronous.
template <class Exec, class Order, class From, class To>
void gather(Exec const& exec, Order const& order, From const& from, To const& to)
{
  Kokkos::parallel_for(
      "heddle::gather", range(exec, order.extent(0)),
      KOKKOS_LAMBDA(std::int64_t i) { to(i) = from(order(i)); });
}

// to(order(i)) = from(i), where no number is twice in order. Asynchronous.
template <class Exec, class Order, class From, class To>
void scatter(Exec const& exec, Order const& order, From const& from, To const& to)
{
  Kokkos::parallel_for(
      "heddle::scatter", range(exec, order.extent(0)),
      KOKKOS_LAMBDA(std::int64_t i) { to(order(i)) = from(i); });
}

} // namespace heddle::impl
