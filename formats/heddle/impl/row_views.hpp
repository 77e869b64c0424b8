// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Row views: what kernels see of a format that stores its entries row by row, in whatever order and
// with whatever padding. row_views_of(a) has count views; views.row(i) is the row that view i is
// of, and views[i] walks its entries:
//
//   view.length            steps, those over gaps included
//   view.visit(n, f)       f(column, slot) for step n, unless it is a gap
//   view.for_each(f)       the same for all steps
//
// slot is the index of an entry's value. unit views stand together (a slice, a block row), and
// work(i) tells hosts about how much there is before view i. Views hold plain pointers and are
// passed by value.

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/exec_check.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// A row whose values are step apart.
template <class Ordinal>
struct StridedRowView
{
  Ordinal const* columns;
  std::int64_t first, step, length;

  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void visit(std::int64_t n, F const& f) const
  {
    std::int64_t const slot = first + n * step;
    f(static_cast<std::int64_t>(columns[slot]), slot);
  }
  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void for_each(F const& f) const
  {
    for (std::int64_t n = 0; n < length; ++n)
      visit(n, f);
  }
};

// Neighbours, as in CSR.
template <class Ordinal>
struct ContiguousRowView
{
  Ordinal const* columns;
  std::int64_t first, length;

  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void visit(std::int64_t n, F const& f) const
  {
    f(static_cast<std::int64_t>(columns[first + n]), first + n);
  }
  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void for_each(F const& f) const
  {
    std::int64_t const last = first + length;
    for (std::int64_t k = first; k < last; ++k)
      f(static_cast<std::int64_t>(columns[k]), k);
  }
};

template <class Ordinal, class Offset>
struct CsrRowViews
{
  using ordinal_type = Ordinal;
  static constexpr std::int64_t unit = 1;
  std::int64_t count;
  Offset const* offsets;
  Ordinal const* columns;

  KOKKOS_FUNCTION static std::int64_t row(std::int64_t i) { return i; }
  KOKKOS_FUNCTION ContiguousRowView<Ordinal> operator[](std::int64_t i) const
  {
    auto const first = static_cast<std::int64_t>(offsets[i]);
    return {columns, first, static_cast<std::int64_t>(offsets[i + 1]) - first};
  }
  std::int64_t work(std::int64_t i) const
  {
    return count == 0 ? 0 : static_cast<std::int64_t>(offsets[i]) + i;
  }
};

template <Csr Matrix>
auto row_views_of(Matrix const& a)
{
  return CsrRowViews<typename Matrix::ordinal_type, typename Matrix::offset_type>{
      a.num_rows(), a.row_offsets().data(), a.columns().data()};
}

// Entries in another order than that of their values.
template <class Ordinal, class Position>
struct GatheredRowView
{
  Ordinal const* columns;
  Position const* positions;
  std::int64_t first, length;

  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void visit(std::int64_t n, F const& f) const
  {
    f(static_cast<std::int64_t>(columns[first + n]),
      static_cast<std::int64_t>(positions[first + n]));
  }
  HEDDLE_NO_EXEC_CHECK
  template <class F>
  KOKKOS_FUNCTION void for_each(F const& f) const
  {
    for (std::int64_t n = 0; n < length; ++n)
      visit(n, f);
  }
};

// Those of a TransposedPattern, or of a format whose rows lie in pieces.
template <class Ordinal, class Offset>
struct GatheredRowViews
{
  using ordinal_type = Ordinal;
  static constexpr std::int64_t unit = 1;
  std::int64_t count;
  Offset const* offsets;
  Ordinal const* columns;
  Offset const* positions;

  KOKKOS_FUNCTION static std::int64_t row(std::int64_t i) { return i; }
  KOKKOS_FUNCTION GatheredRowView<Ordinal, Offset> operator[](std::int64_t i) const
  {
    auto const first = static_cast<std::int64_t>(offsets[i]);
    return {columns, positions, first, static_cast<std::int64_t>(offsets[i + 1]) - first};
  }
  std::int64_t work(std::int64_t i) const
  {
    return count == 0 ? 0 : static_cast<std::int64_t>(offsets[i]) + i;
  }
};

template <class Pattern>
auto gathered_row_views(Pattern const& t)
{
  return GatheredRowViews<typename decltype(t.columns)::non_const_value_type,
                          typename decltype(t.positions)::non_const_value_type>{
      static_cast<std::int64_t>(t.row_offsets.extent(0)) - 1, t.row_offsets.data(),
      t.columns.data(), t.positions.data()};
}

} // namespace heddle::impl
