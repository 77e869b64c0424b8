// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows of BSR times a vector on a host thread: a block row at once, its sums in registers, the
// piece of x loaded once per block. Square blocks of common sizes are loops of known length; others
// go row by row.

#include <heddle/accumulator.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/block_row_views.hpp>
#include <heddle/impl/spmv/rows.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

namespace heddle::impl
{

// sums += block * x(column ...), for width columns of the n x n block: known is their number, or 0.
template <std::int64_t n, std::int64_t known, bool is_conjugate, class Sum, class Value, class X>
void add_block(std::array<Sum, n>& sums, Value const* block, std::int64_t column,
               std::int64_t width, X const& x)
{
  std::int64_t const columns = known > 0 ? known : width;
  std::array<Sum, n> piece;
  for (std::int64_t t = 0; t < columns; ++t)
    piece[t] = Sum(x(column + t));
  for (std::int64_t s = 0; s < n; ++s)
  {
    Sum dot{}; // of its own, so that one block's additions do not wait for those of the last
    for (std::int64_t t = 0; t < columns; ++t)
      dot += Sum(conjugated<is_conjugate>(block[s * n + t])) * piece[t];
    sums[s] += dot;
  }
}

// Block rows of n x n blocks; the last ones may hang over the edges.
template <std::int64_t n, bool is_conjugate, class Ordinal, class Offset, class Value, class Scalar,
          class X, class Y>
void multiply_block_rows(BlockRowViews<Ordinal, Offset> views, std::int64_t first,
                         std::int64_t last, Value const* values, Scalar alpha, X x, Scalar beta,
                         Y y)
{
  using Sum = accumulator_t<Value, typename X::value_type, Scalar>;
  for (std::int64_t i = first; i < last; i += n)
  {
    std::array<Sum, n> sums{};
    for (Offset b = views.offsets[i / n]; b < views.offsets[i / n + 1]; ++b)
    {
      std::int64_t const column = static_cast<std::int64_t>(views.columns[b]) * n;
      Value const* const block = values + static_cast<std::int64_t>(b) * n * n;
      if (column + n <= views.num_cols)
        add_block<n, n, is_conjugate>(sums, block, column, n, x);
      else
        add_block<n, 0, is_conjugate>(sums, block, column, views.num_cols - column, x);
    }
    std::int64_t const here = std::min(n, last - i);
    for (std::int64_t s = 0; s < here; ++s)
      store(y(i + s), alpha, sums[s], beta);
  }
}

template <bool is_conjugate, class Ordinal, class Offset, class Value, class Scalar, class X,
          class Y>
void multiply_block_row_views(BlockRowViews<Ordinal, Offset> views, std::int64_t first,
                              std::int64_t last, Value const* values, Scalar alpha, X x,
                              Scalar beta, Y y)
{
  using Sum = accumulator_t<Value, typename X::value_type, Scalar>;
  for (std::int64_t i = first; i < last; ++i)
  {
    Sum sum{};
    views[i].for_each([&](std::int64_t column, std::int64_t slot) {
      sum += Sum(conjugated<is_conjugate>(values[slot])) * Sum(x(column));
    });
    store(y(i), alpha, sum, beta);
  }
}

// y(i) for the rows first .. last - 1, which begin with a block row.
template <bool is_conjugate, class Ordinal, class Offset, class Value, class Scalar, class X,
          class Y>
void multiply_row_views(BlockRowViews<Ordinal, Offset> const& views, std::int64_t first,
                        std::int64_t last, Value const* values, Scalar alpha, X const& x,
                        Scalar beta, Y const& y, SpmvRowTuning)
{
  auto const run = [&]<class N>(N) {
    multiply_block_rows<N::value, is_conjugate>(views, first, last, values, alpha, x, beta, y);
  };
  switch (views.unit == views.width ? views.width : 0)
  {
  case 2:
    return run(std::integral_constant<std::int64_t, 2>{});
  case 3:
    return run(std::integral_constant<std::int64_t, 3>{});
  case 4:
    return run(std::integral_constant<std::int64_t, 4>{});
  case 5:
    return run(std::integral_constant<std::int64_t, 5>{});
  case 6:
    return run(std::integral_constant<std::int64_t, 6>{});
  case 8:
    return run(std::integral_constant<std::int64_t, 8>{});
  default:
    multiply_block_row_views<is_conjugate>(views, first, last, values, alpha, x, beta, y);
  }
}

} // namespace heddle::impl
