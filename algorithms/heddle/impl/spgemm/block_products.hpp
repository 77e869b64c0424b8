// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a block of A adds to a row of C's blocks, on a host thread: its products with a row of B's
// blocks, of which the caller has looked up the places. Square blocks of up to 8 x 8 are loops of
// known length, with A's block and a row of C's in registers.

#include <heddle/impl/spgemm/block_pattern.hpp>

#include <array>
#include <cstdint>

namespace heddle::impl
{

// c += a b for the rows, columns and inner indices inside the matrices; blocks are stored whole.
template <class Sum, class ValueA, class ValueB>
void add_block_product(Sum* __restrict__ c, ValueA const* a, ValueB const* b,
                       ProductShape const& stored, ProductShape const& inside)
{
  for (std::int64_t y = 0; y < inside.height; ++y)
    for (std::int64_t z = 0; z < inside.inner; ++z)
    {
      Sum const left(a[y * stored.inner + z]);
      for (std::int64_t x = 0; x < inside.width; ++x)
        c[y * stored.width + x] += left * Sum(b[z * stored.width + x]);
    }
}

// Adds a b(m) to block places[m] of the row of C's blocks that begins at c, where that is not -1,
// for count blocks of B that begin at b.
template <class Sum, class ValueA, class ValueB, class Ordinal>
using AddBlockProducts = void (*)(Sum* c, Ordinal const* places, std::int64_t count,
                                  ValueA const* a, ValueB const* b, ProductShape const& shape);

template <class Sum, class ValueA, class ValueB, class Ordinal>
void add_products_of_any(Sum* c, Ordinal const* places, std::int64_t count, ValueA const* a,
                         ValueB const* b, ProductShape const& shape)
{
  for (std::int64_t m = 0; m < count; ++m)
    if (places[m] >= 0)
      add_block_product(c + static_cast<std::int64_t>(places[m]) * shape.height * shape.width, a,
                        b + m * shape.inner * shape.width, shape, shape);
}

template <std::int64_t n, class Sum, class ValueA, class ValueB, class Ordinal>
void add_products_of_squares(Sum* __restrict__ c, Ordinal const* places, std::int64_t count,
                             ValueA const* a, ValueB const* b, ProductShape const&)
{
  std::array<Sum, n * n> left;
  for (std::int64_t e = 0; e < n * n; ++e)
    left[e] = Sum(a[e]);
  for (std::int64_t m = 0; m < count; ++m)
  {
    if (places[m] < 0)
      continue;
    Sum* __restrict__ const to = c + static_cast<std::int64_t>(places[m]) * n * n;
    ValueB const* __restrict__ const right = b + m * n * n;
    for (std::int64_t y = 0; y < n; ++y)
    {
      std::array<Sum, n> row;
      for (std::int64_t x = 0; x < n; ++x)
        row[x] = to[y * n + x];
      for (std::int64_t z = 0; z < n; ++z)
        for (std::int64_t x = 0; x < n; ++x)
          row[x] += left[y * n + z] * Sum(right[z * n + x]);
      for (std::int64_t x = 0; x < n; ++x)
        to[y * n + x] = row[x];
    }
  }
}

// The loop for blocks of this shape.
template <class Sum, class ValueA, class ValueB, class Ordinal>
AddBlockProducts<Sum, ValueA, ValueB, Ordinal> block_products_loop(ProductShape const& shape)
{
  bool const is_square = shape.height == shape.inner && shape.inner == shape.width;
  switch (is_square ? shape.width : 0)
  {
  case 1:
    return add_products_of_squares<1, Sum, ValueA, ValueB, Ordinal>;
  case 2:
    return add_products_of_squares<2, Sum, ValueA, ValueB, Ordinal>;
  case 3:
    return add_products_of_squares<3, Sum, ValueA, ValueB, Ordinal>;
  case 4:
    return add_products_of_squares<4, Sum, ValueA, ValueB, Ordinal>;
  case 5:
    return add_products_of_squares<5, Sum, ValueA, ValueB, Ordinal>;
  case 6:
    return add_products_of_squares<6, Sum, ValueA, ValueB, Ordinal>;
  case 7:
    return add_products_of_squares<7, Sum, ValueA, ValueB, Ordinal>;
  case 8:
    return add_products_of_squares<8, Sum, ValueA, ValueB, Ordinal>;
  default:
    return add_products_of_any<Sum, ValueA, ValueB, Ordinal>;
  }
}

} // namespace heddle::impl
