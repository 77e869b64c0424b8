// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows of any format (row_views.hpp) times a dense matrix on a host thread: a tile of columns stays
// in registers while the row's entries pass by.

#include <heddle/accumulator.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/spmm/row.hpp>
#include <heddle/impl/spmm/tile_sums.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::impl
{

// C(i, j ...); what is left beside full tiles goes in narrower ones.
template <std::int64_t tile, bool is_conjugate, class Sum, class RowView, class Value, class Scalar,
          class B, class C>
void multiply_row_view(RowView const& view, Value const* values, Scalar alpha, B const& b,
                       Scalar beta, C const& c, std::int64_t i, std::int64_t j)
{
  constexpr bool is_row_major = std::is_same_v<typename B::layout, Kokkos::LayoutRight>;
  std::int64_t const step = is_row_major ? 1 : b.column_stride;
  for (; j + tile <= c.cols; j += tile)
  {
    TileSums<Sum, tile, B, C> sums;
    view.for_each([&](std::int64_t column, std::int64_t slot) {
      sums.add(Sum(conjugated<is_conjugate>(values[slot])), &b(column, j), step);
    });
    sums.store_to(c, i, j, alpha, beta);
  }
  if constexpr (tile > 1)
    if (j < c.cols)
      multiply_row_view<tile / 2, is_conjugate, Sum>(view, values, alpha, b, beta, c, i, j);
}

// All by value: what a closure holds would be loaded again after every store to C.
template <std::int64_t tile, bool is_conjugate, class Sum, class RowViews, class Value,
          class Scalar, class B, class C>
void multiply_row_views(RowViews views, std::int64_t first, std::int64_t last, Value const* values,
                        Scalar alpha, B b, Scalar beta, C c)
{
  for (std::int64_t i = first; i < last; ++i)
    multiply_row_view<tile, is_conjugate, Sum>(views[i], values, alpha, b, beta, c, views.row(i),
                                               0);
}

} // namespace heddle::impl
