// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR to HYB: what lies behind the width of the ELL part goes to coordinates, in order. The way
// back is in hyb_places.hpp.

#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/on_host.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// What the functions below do with one row or entry: functors, see scan.hpp.
template <class RowOffsets, class Counts>
struct CountLength
{
  RowOffsets offsets;
  Counts counts;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    Kokkos::atomic_inc(&counts(static_cast<std::int64_t>(offsets(i + 1) - offsets(i))));
  }
};
template <class RowOffsets, class Columns, class Starts, class Indices>
struct NameRest
{
  RowOffsets offsets;
  Columns columns;
  std::int64_t width;
  Starts starts;
  Indices rest_rows, rest_columns;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    for (auto r = starts(i); r < starts(i + 1); ++r)
    {
      rest_rows(r) = static_cast<typename Indices::non_const_value_type>(i);
      rest_columns(r) = columns(offsets(i) + width + (r - starts(i)));
    }
  }
};
template <class RowOffsets, class Values, class Rows, class RestValues>
struct FillRest
{
  RowOffsets offsets;
  Values values;
  std::int64_t width;
  Rows rest_rows;
  RestValues rest_values;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const
  {
    auto const i = rest_rows(r);
    auto const n = r - lower_bound(rest_rows, std::int64_t(0), r, i);
    auto const k = static_cast<std::int64_t>(offsets(i)) + width + n;
    if (k < static_cast<std::int64_t>(offsets(i + 1))) // else another pattern
      rest_values(r) = values(k);
  }
};

// The largest width that a third of the rows fill: a place in ELL costs about a third of an entry
// in coordinates (Bell and Garland, SC 2009, section 5.2). Waits for exec.
template <class Exec, class RowOffsets>
std::int64_t hyb_width(Exec const& exec, RowOffsets const& offsets, std::int64_t rows,
                       std::int64_t longest)
{
  auto const size = static_cast<std::size_t>(longest) + 1;
  using Counts = Scratch<std::int64_t, Exec>;
  Counts const memory(exec, size);
  auto const counts = memory.view(); // rows of each length
  Kokkos::deep_copy(exec, counts, std::int64_t(0));
  Kokkos::parallel_for("heddle::to_hyb::lengths", range(exec, rows),
                       CountLength<RowOffsets, typename Counts::view_type>{offsets, counts});
  auto const histogram = copied_to_host(exec, counts);
  std::int64_t width = longest, filling = histogram.back(); // rows of at least width entries
  while (width > 0 && 3 * filling < rows)
    filling += histogram[static_cast<std::size_t>(--width)];
  return width;
}

// Entries of row i behind width.
template <class RowOffsets>
struct EntriesBehind
{
  RowOffsets offsets;
  std::int64_t width;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    auto const length = static_cast<std::int64_t>(offsets(i + 1) - offsets(i));
    return length > width ? length - width : 0;
  }
};

// Rows and columns of the rest, where starts(i) is the number of the first one of row i.
// Asynchronous.
template <class Exec, class RowOffsets, class Columns, class Starts, class Indices>
void name_rest(Exec const& exec, RowOffsets const& offsets, Columns const& columns,
               std::int64_t width, Starts const& starts, Indices const& rest_rows,
               Indices const& rest_columns)
{
  Kokkos::parallel_for("heddle::to_hyb::rest",
                       range(exec, static_cast<std::int64_t>(starts.extent(0)) - 1),
                       NameRest<RowOffsets, Columns, Starts, Indices>{
                           offsets, columns, width, starts, rest_rows, rest_columns});
}

// The values of the rest, whose rows ascend. Asynchronous.
template <class Exec, class RowOffsets, class Values, class Rows, class RestValues>
void fill_rest(Exec const& exec, RowOffsets const& offsets, Values const& values,
               std::int64_t width, Rows const& rest_rows, RestValues const& rest_values)
{
  Kokkos::parallel_for("heddle::to_hyb::values", range(exec, rest_rows.extent(0)),
                       FillRest<RowOffsets, Values, Rows, RestValues>{offsets, values, width,
                                                                      rest_rows, rest_values});
}

} // namespace heddle::impl
