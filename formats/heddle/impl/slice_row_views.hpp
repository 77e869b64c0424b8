// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Row views of ELL and SELL (row_views.hpp).

#include <heddle/ell_matrix.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_views.hpp>
#include <heddle/sell_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

template <class Ordinal>
struct EllRowViews
{
  using ordinal_type = Ordinal;
  static constexpr std::int64_t unit = 256;
  std::int64_t count, step;
  Ordinal const* lengths;
  Ordinal const* columns;

  KOKKOS_FUNCTION static std::int64_t row(std::int64_t i) { return i; }
  KOKKOS_FUNCTION StridedRowView<Ordinal> operator[](std::int64_t i) const
  {
    return {columns, i, step, static_cast<std::int64_t>(lengths[i])};
  }
  static std::int64_t work(std::int64_t i) { return i; }
};

template <Ell Matrix>
auto row_views_of(Matrix const& a)
{
  return EllRowViews<typename Matrix::ordinal_type>{a.num_rows(),
                                                    static_cast<std::int64_t>(a.stride()),
                                                    a.row_lengths().data(), a.columns().data()};
}

// View i is of the row at position i.
template <class Ordinal, class Offset>
struct SellRowViews
{
  using ordinal_type = Ordinal;
  std::int64_t count, unit; // views, and views of a slice
  Offset const* slice_offsets;
  Ordinal const* lengths;
  Ordinal const* rows; // nullptr where view i is of row i
  Ordinal const* columns;

  KOKKOS_FUNCTION std::int64_t row(std::int64_t i) const
  {
    return rows == nullptr ? i : static_cast<std::int64_t>(rows[i]);
  }
  KOKKOS_FUNCTION StridedRowView<Ordinal> operator[](std::int64_t i) const
  {
    auto const first = static_cast<std::int64_t>(slice_offsets[i / unit]) + i % unit;
    return {columns, first, unit, static_cast<std::int64_t>(lengths[i])};
  }
  std::int64_t work(std::int64_t i) const
  {
    return count == 0 ? 0 : static_cast<std::int64_t>(slice_offsets[divided_up(i, unit)]) + i;
  }
};

template <Sell Matrix>
auto row_views_of(Matrix const& a)
{
  // A View of no rows may have an address all the same: a copy of one has.
  return SellRowViews<typename Matrix::ordinal_type, typename Matrix::offset_type>{
      a.num_rows(),
      a.shape().height,
      a.slice_offsets().data(),
      a.row_lengths().data(),
      a.rows().extent(0) == 0 ? nullptr : a.rows().data(),
      a.columns().data()};
}

} // namespace heddle::impl
