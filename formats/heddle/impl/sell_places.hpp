// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR to SELL and back. Rows are sorted by one stable sort on (window, missing entries); a thread
// takes a lane of a slice, so that the lanes of a slice write neighbouring places together.

#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sort.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/sell_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// Sorts rows by window and then by falling length.
template <class RowOffsets>
struct KeyInWindow
{
  RowOffsets offsets;
  std::int64_t longest, sigma;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    auto const length = static_cast<std::int64_t>(offsets(i + 1) - offsets(i));
    return i / sigma * (longest + 1) + (longest - length);
  }
};

// rows(p) = the row at position p: by falling length within windows of sigma rows, equal lengths in
// their order. Asynchronous on CUDA and hosts.
template <class Exec, class RowOffsets, class Rows>
void sort_windows(Exec const& exec, RowOffsets const& offsets, std::int64_t longest,
                  std::int64_t sigma, Rows const& rows)
{
  auto const n = static_cast<std::int64_t>(rows.extent(0));
  fill_with_positions(exec, rows);
  Scratch<std::int64_t, Exec> const memory(exec, rows.extent(0));
  auto const keys = memory.view();
  tabulate(exec, "heddle::to_sell::keys", n, KeyInWindow<RowOffsets>{offsets, longest, sigma},
           keys);
  stable_sort_by_key(exec, keys, divided_up(n, sigma) * (longest + 1), rows);
}

// The row at position p.
template <class Rows>
KOKKOS_INLINE_FUNCTION std::int64_t row_at(Rows const& rows, std::int64_t p)
{
  return rows.extent(0) == 0 ? p : static_cast<std::int64_t>(rows(p));
}

// Entries of the row at position p.
template <class RowOffsets, class Rows>
struct LengthAtPosition
{
  RowOffsets offsets;
  Rows rows;
  KOKKOS_FUNCTION auto operator()(std::int64_t p) const
  {
    auto const i = row_at(rows, p);
    return offsets(i + 1) - offsets(i);
  }
};
// What the functions below do with one position: functors, see scan.hpp.
template <class RowOffsets, class Sell, class From, class To>
struct FillLaneOfSell
{
  RowOffsets offsets;
  Sell sell;
  From from;
  To to;
  typename To::non_const_value_type padding;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const
  {
    std::int64_t const height = sell.height, slice = p / height;
    auto const end = static_cast<std::int64_t>(sell.slice_offsets(slice + 1));
    std::int64_t place = static_cast<std::int64_t>(sell.slice_offsets(slice)) + p % height;
    if (p < static_cast<std::int64_t>(sell.lengths.extent(0)))
    {
      auto const i = row_at(sell.rows, p);
      for (auto k = offsets(i); k < offsets(i + 1) && place < end; ++k, place += height)
        to(place) = from(k);
    }
    for (; place < end; place += height)
      to(place) = padding;
  }
};
template <class Rows, class From, class To>
struct LengthToRow
{
  Rows rows;
  From from;
  To to;
  KOKKOS_FUNCTION void operator()(std::int64_t p) const { to(row_at(rows, p)) = from(p); }
};
template <class Sell, class From, class RowOffsets, class To>
struct ReadLaneOfSell
{
  Sell sell;
  From from;
  RowOffsets offsets;
  To to;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const
  {
    std::int64_t const height = sell.height;
    auto const i = row_at(sell.rows, p);
    auto place = static_cast<std::int64_t>(sell.slice_offsets(p / height)) + p % height;
    for (auto k = offsets(i); k < offsets(i + 1); ++k, place += height)
      to(k) = from(place);
  }
};

// lengths(p) = entries of the row at position p. Asynchronous.
template <class Exec, class RowOffsets, class Rows, class Lengths>
void lengths_at_positions(Exec const& exec, RowOffsets const& offsets, Rows const& rows,
                          Lengths const& lengths)
{
  tabulate(exec, "heddle::to_sell::lengths", lengths.extent(0),
           LengthAtPosition<RowOffsets, Rows>{offsets, rows}, lengths);
}

// Places of each slice, padding included.
template <class Lengths>
struct SlicePlaces
{
  Lengths lengths;
  SellShape shape;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t slice) const
  {
    auto const rows = static_cast<std::int64_t>(lengths.extent(0));
    std::int64_t longest = 0;
    for (std::int64_t p = slice * shape.height; p < (slice + 1) * shape.height && p < rows; ++p)
      longest = lengths(p) > longest ? static_cast<std::int64_t>(lengths(p)) : longest;
    return divided_up(longest, shape.alignment) * shape.alignment * shape.height;
  }
};

// to(place) = from(entry), or padding behind a row's entries. Asynchronous.
template <class Exec, class RowOffsets, class Sell, class From, class To>
void fill_sell(Exec const& exec, RowOffsets const& offsets, Sell const& sell, From const& from,
               To const& to, typename To::non_const_value_type padding)
{
  Kokkos::parallel_for(
      "heddle::to_sell", range(exec, sell.slices * sell.height),
      FillLaneOfSell<RowOffsets, Sell, From, To>{offsets, sell, from, to, padding});
}

// lengths(row) = entries of the row, from their positions. Asynchronous.
template <class Exec, class Rows, class From, class To>
void lengths_of_rows(Exec const& exec, Rows const& rows, From const& from, To const& to)
{
  Kokkos::parallel_for("heddle::to_csr::lengths", range(exec, from.extent(0)),
                       LengthToRow<Rows, From, To>{rows, from, to});
}

// to(entry) = from(place). Asynchronous.
template <class Exec, class Sell, class From, class RowOffsets, class To>
void read_sell(Exec const& exec, Sell const& sell, From const& from, RowOffsets const& offsets,
               To const& to)
{
  Kokkos::parallel_for("heddle::to_csr::sell", range(exec, sell.lengths.extent(0)),
                       ReadLaneOfSell<Sell, From, RowOffsets, To>{sell, from, offsets, to});
}

// What the kernels above read of a SELL matrix.
template <class SliceOffsets, class Lengths, class Rows>
struct SellPattern
{
  std::int64_t height, slices;
  SliceOffsets slice_offsets;
  Lengths lengths;
  Rows rows;
};
template <class Matrix>
auto sell_pattern_of(Matrix const& a)
{
  return SellPattern<typename Matrix::slice_offsets_view, typename Matrix::indices_view,
                     typename Matrix::indices_view>{a.shape().height, a.num_slices(),
                                                    a.slice_offsets(), a.row_lengths(), a.rows()};
}

} // namespace heddle::impl
