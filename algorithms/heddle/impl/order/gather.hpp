// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>
#include <heddle/impl/transposed_pattern.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// What scatter does with one entry: a functor, see scan.hpp.
template <class Order, class From, class To>
struct ScatterValue
{
  Order order;
  From from;
  To to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to(order(i)) = from(i); }
};

// to(i) = from(order(i)). Asynchronous.
template <class Exec, class Order, class From, class To>
void gather(Exec const& exec, Order const& order, From const& from, To const& to)
{
  Kokkos::parallel_for("heddle::gather", range(exec, order.extent(0)),
                       GatherValue<false, Order, From, To>{order, from, to});
}

// to(order(i)) = from(i), where no number is twice in order. Asynchronous.
template <class Exec, class Order, class From, class To>
void scatter(Exec const& exec, Order const& order, From const& from, To const& to)
{
  Kokkos::parallel_for("heddle::scatter", range(exec, order.extent(0)),
                       ScatterValue<Order, From, To>{order, from, to});
}

} // namespace heddle::impl
