// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The rows of ELL and SELL as lines (lines.hpp).

#include <heddle/ell_matrix.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/lines.hpp>
#include <heddle/sell_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

template <class Ordinal>
struct EllLines
{
  using ordinal_type = Ordinal;
  static constexpr std::int64_t unit = 256;
  std::int64_t count, step;
  Ordinal const* lengths;
  Ordinal const* columns;

  KOKKOS_FUNCTION static std::int64_t row(std::int64_t i) { return i; }
  KOKKOS_FUNCTION StridedLine<Ordinal> operator[](std::int64_t i) const
  {
    return {columns, i, step, static_cast<std::int64_t>(lengths[i])};
  }
  static std::int64_t work(std::int64_t i) { return i; }
};

template <Ell Matrix>
auto lines_of(Matrix const& a)
{
  return EllLines<typename Matrix::ordinal_type>{a.num_rows(),
                                                 static_cast<std::int64_t>(a.stride()),
                                                 a.row_lengths().data(), a.columns().data()};
}

// A line is a position.
template <class Ordinal, class Offset>
struct SellLines
{
  using ordinal_type = Ordinal;
  std::int64_t count, unit; // lines, lines of a slice
  Offset const* slice_offsets;
  Ordinal const* lengths;
  Ordinal const* rows; // nullptr where line i is row i
  Ordinal const* columns;

  KOKKOS_FUNCTION std::int64_t row(std::int64_t i) const
  {
    return rows == nullptr ? i : static_cast<std::int64_t>(rows[i]);
  }
  KOKKOS_FUNCTION StridedLine<Ordinal> operator[](std::int64_t i) const
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
auto lines_of(Matrix const& a)
{
  // A View of no rows may have an address all the same: a copy of one has.
  return SellLines<typename Matrix::ordinal_type, typename Matrix::offset_type>{
      a.num_rows(),
      a.shape().height,
      a.slice_offsets().data(),
      a.row_lengths().data(),
      a.rows().extent(0) == 0 ? nullptr : a.rows().data(),
      a.columns().data()};
}

} // namespace heddle::impl
