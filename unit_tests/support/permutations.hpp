// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Orders of rows and columns: place i has number order[i].

#include <support/matrices.hpp>
#include <support/structures.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace heddle::test
{

using Order = std::vector<std::int64_t>;

inline Order identity_order(std::int64_t n)
{
  Order order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t(0));
  return order;
}

inline Order random_order(std::int64_t n, std::uint64_t seed)
{
  Random random(seed);
  Order order = identity_order(n);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
  return order;
}

// In the ordinals and the space of C.
template <class C>
Kokkos::View<typename C::ordinal*, typename C::space> permutation_view(Order const& order)
{
  std::vector<typename C::ordinal> numbers;
  for (std::int64_t const number : order)
    numbers.push_back(static_cast<typename C::ordinal>(number));
  return to_view<typename C::ordinal, typename C::space>(numbers);
}

template <class View>
Order order_of(View const& view)
{
  Order order;
  for (auto const number : to_vector(view))
    order.push_back(static_cast<std::int64_t>(number));
  return order;
}

inline bool is_permutation_of(Order order, std::int64_t n)
{
  std::sort(order.begin(), order.end());
  return order == identity_order(n);
}

} // namespace heddle::test
