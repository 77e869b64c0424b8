// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Row views of BSR (row_views.hpp): a row of each of its blocks. Columns behind the edge are
// gaps.

#include <heddle/bsr_matrix.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/exec_check.hpp>
#include <heddle/impl/row_views.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

template <class Ordinal>
struct BlockRowView
{
  Ordinal const* columns;
  std::int64_t first, last; // blocks
  std::int64_t y, height, width, num_cols;
  std::int64_t length = (last - first) * width;

  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void visit(std::int64_t n, F const& f) const
  {
    std::int64_t const block = first + n / width, x = n % width;
    std::int64_t const column = static_cast<std::int64_t>(columns[block]) * width + x;
    if (column < num_cols)
      f(column, (block * height + y) * width + x);
  }
  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void for_each(F const& f) const
  {
    for (std::int64_t block = first; block < last; ++block)
    {
      std::int64_t const column = static_cast<std::int64_t>(columns[block]) * width;
      std::int64_t const inside = num_cols - column < width ? num_cols - column : width;
      std::int64_t const slot = (block * height + y) * width;
      for (std::int64_t x = 0; x < inside; ++x)
        f(column + x, slot + x);
    }
  }
};

template <class Ordinal, class Offset>
struct BlockRowViews
{
  using ordinal_type = Ordinal;
  std::int64_t count, unit; // rows, rows of a block
  std::int64_t width, num_cols;
  Offset const* offsets;
  Ordinal const* columns;

  KOKKOS_FUNCTION static std::int64_t row(std::int64_t i) { return i; }
  KOKKOS_FUNCTION BlockRowView<Ordinal> operator[](std::int64_t i) const
  {
    std::int64_t const r = i / unit;
    return {columns,
            static_cast<std::int64_t>(offsets[r]),
            static_cast<std::int64_t>(offsets[r + 1]),
            i % unit,
            unit,
            width,
            num_cols};
  }
  std::int64_t work(std::int64_t i) const
  {
    return count == 0 ? 0
                      : static_cast<std::int64_t>(offsets[divided_up(i, unit)]) * unit * width + i;
  }
};

template <Bsr Matrix>
auto row_views_of(Matrix const& a)
{
  return BlockRowViews<typename Matrix::ordinal_type, typename Matrix::offset_type>{
      a.num_rows(), a.shape().height,       a.shape().width,
      a.num_cols(), a.row_offsets().data(), a.columns().data()};
}

} // namespace heddle::impl
