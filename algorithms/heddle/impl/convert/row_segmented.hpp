// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR to row segments, entry by entry: an entry finds its segment by binary search in its row, two
// scans number the light entries and the heavy segments in the order of the matrix, a sort by panel
// orders the segments, and each entry knows its place. No row is too long for one thread.

#include <heddle/impl/convert/ordered_entries.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sort.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

template <class Entries>
struct IsLight
{
  Entries entries;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t n) const
  {
    return entries.is_heavy(n) ? 0 : 1;
  }
};
template <class Entries>
struct BeginsSegment
{
  Entries entries;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t n) const
  {
    return entries.is_first(n) && entries.is_heavy(n) ? 1 : 0;
  }
};
template <class Entries, class Begins, class Order>
struct SegmentLengths
{
  Entries entries;
  Begins begins;
  Order order;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t s) const
  {
    std::int64_t const begin = begins(order(s));
    return entries.segment_end(begin) - begin;
  }
};

// What the functions below do with one entry or segment: functors, see scan.hpp.
template <class Entries, class Numbers, class Panels>
struct ListSegment
{
  Entries entries;
  Numbers segments_before, begins;
  Panels panels;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    std::int64_t const segment = segments_before(k);
    if (segments_before(k + 1) == segment)
      return;
    begins(segment) = k;
    panels(segment) = static_cast<typename Panels::non_const_value_type>(entries.panel(k));
  }
};
template <class Entries, class Numbers, class Order, class Ranks, class SegmentRows>
struct RankSegment
{
  Entries entries;
  Numbers begins;
  Order order;
  Ranks ranks;
  SegmentRows segment_rows;

  KOKKOS_FUNCTION void operator()(std::int64_t s) const
  {
    segment_rows(s) = entries.rows(begins(order(s)));
    ranks(order(s)) = s;
  }
};
template <class RowOffsets, class Numbers>
struct LightBeforeRow
{
  RowOffsets row_offsets;
  Numbers light_before;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return light_before(row_offsets(i));
  }
};
template <class Entries, class Numbers, class SegmentOffsets, class Columns, class Places>
struct PlaceEntry
{
  Entries entries;
  Numbers light_before, segments_before, begins, ranks;
  SegmentOffsets segment_offsets;
  std::int64_t heavy_nnz;
  Columns columns;
  Places places;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    bool const is_light = light_before(n + 1) != light_before(n);
    std::int64_t place = heavy_nnz + light_before(n), column = entries.column(n);
    if (!is_light)
    {
      std::int64_t const segment = segments_before(n + 1) - 1;
      place = static_cast<std::int64_t>(segment_offsets(ranks(segment))) + n - begins(segment);
      column %= entries.panel_width;
    }
    columns(place) = static_cast<typename Columns::non_const_value_type>(column);
    places(entries.order(n)) = static_cast<typename Places::non_const_value_type>(place);
  }
};

// Where each segment begins and which panel it is in, in the order of the matrix; segments_before
// as made by offsets_from_counts. Asynchronous.
template <class Exec, class Entries, class Numbers, class Panels>
void list_segments(Exec const& exec, Entries const& entries, Numbers const& segments_before,
                   Numbers const& begins, Panels const& panels)
{
  auto const n = static_cast<std::int64_t>(segments_before.extent(0)) - 1;
  Kokkos::parallel_for(
      "heddle::to_row_segmented::list", range(exec, n),
      ListSegment<Entries, Numbers, Panels>{entries, segments_before, begins, panels});
}

// Rows of the segments by panel, and where in that order each stands. Asynchronous.
template <class Exec, class Entries, class Numbers, class Order, class Ranks, class SegmentRows>
void rank_segments(Exec const& exec, Entries const& entries, Numbers const& begins,
                   Order const& order, Ranks const& ranks, SegmentRows const& segment_rows)
{
  Kokkos::parallel_for("heddle::to_row_segmented::rank", range(exec, segment_rows.extent(0)),
                       RankSegment<Entries, Numbers, Order, Ranks, SegmentRows>{
                           entries, begins, order, ranks, segment_rows});
}

// Asynchronous.
template <class Exec, class RowOffsets, class Numbers, class LightOffsets>
void find_light_rows(Exec const& exec, RowOffsets const& row_offsets, Numbers const& light_before,
                     LightOffsets const& light_offsets)
{
  tabulate(exec, "heddle::to_row_segmented::light", row_offsets.extent(0),
           LightBeforeRow<RowOffsets, Numbers>{row_offsets, light_before}, light_offsets);
}

// The columns as they are stored, and the place of each entry of the matrix. Asynchronous.
template <class Exec, class Entries, class Numbers, class SegmentOffsets, class Columns,
          class Places>
void place_entries(Exec const& exec, Entries const& entries, Numbers const& light_before,
                   Numbers const& segments_before, Numbers const& begins, Numbers const& ranks,
                   SegmentOffsets const& segment_offsets, std::int64_t heavy_nnz,
                   Columns const& columns, Places const& places)
{
  Kokkos::parallel_for("heddle::to_row_segmented::place", range(exec, places.extent(0)),
                       PlaceEntry<Entries, Numbers, SegmentOffsets, Columns, Places>{
                           entries, light_before, segments_before, begins, ranks, segment_offsets,
                           heavy_nnz, columns, places});
}

// What cut_segments makes: all but the values, which follow from places.
template <class Matrix>
struct CutSegments
{
  using Offsets = Kokkos::View<typename Matrix::offset_type*, typename Matrix::memory_space>;
  using Indices = Kokkos::View<typename Matrix::ordinal_type*, typename Matrix::memory_space>;
  std::size_t heavy_nnz = 0;
  Offsets panels, segment_offsets, light_row_offsets, places;
  Indices segment_rows, columns;
};

// a's entries by row and column, cut into panels and by the threshold that they name. Waits for
// exec.
template <class Exec, class Matrix, class Entries>
CutSegments<Matrix> cut_segments(Exec const& exec, Matrix const& a, Entries const& entries,
                                 std::int64_t panels)
{
  using Numbers = Scratch<std::int64_t, Exec>;
  using Cut = CutSegments<Matrix>;
  auto const nnz = static_cast<std::int64_t>(a.nnz());
  Numbers const light_memory(exec, a.nnz() + 1), segment_memory(exec, a.nnz() + 1);
  auto const light_before = light_memory.view(), segments_before = segment_memory.view();
  std::int64_t const light =
      offsets_from_counts(exec, nnz, IsLight<Entries>{entries}, light_before);
  auto const segments = static_cast<std::size_t>(
      offsets_from_counts(exec, nnz, BeginsSegment<Entries>{entries}, segments_before));

  auto const new_offsets = [&](char const* label, std::size_t n) {
    return uninitialized<typename Cut::Offsets>(exec, label, n);
  };
  Cut cut{static_cast<std::size_t>(nnz - light),
          new_offsets("heddle::panels", static_cast<std::size_t>(panels) + 1),
          new_offsets("heddle::segment_offsets", segments + 1),
          new_offsets("heddle::light_row_offsets", static_cast<std::size_t>(a.num_rows()) + 1),
          new_offsets("heddle::places", a.nnz()),
          uninitialized<typename Cut::Indices>(exec, "heddle::rows", segments),
          uninitialized<typename Cut::Indices>(exec, "heddle::columns", a.nnz())};
  Numbers const begins(exec, segments), ranks(exec, segments);
  Scratch<typename Matrix::ordinal_type, Exec> const panel_of(exec, segments);
  Scratch<typename Matrix::offset_type, Exec> const by_panel(exec, segments);
  list_segments(exec, entries, segments_before, begins.view(), panel_of.view());
  fill_with_positions(exec, by_panel.view());
  stable_sort_by_key(exec, panel_of.view(), panels, by_panel.view());
  offsets_of_sorted(exec, panel_of.view(), by_panel.view(), cut.panels);
  rank_segments(exec, entries, begins.view(), by_panel.view(), ranks.view(), cut.segment_rows);
  offsets_from_counts(
      exec, static_cast<std::int64_t>(segments),
      SegmentLengths<Entries, typename Numbers::view_type, decltype(by_panel.view())>{
          entries, begins.view(), by_panel.view()},
      cut.segment_offsets);
  if (a.row_offsets().extent(0) == 0)
    Kokkos::deep_copy(exec, cut.light_row_offsets, typename Matrix::offset_type(0));
  find_light_rows(exec, a.row_offsets(), light_before, cut.light_row_offsets);
  place_entries(exec, entries, light_before, segments_before, begins.view(), ranks.view(),
                cut.segment_offsets, nnz - light, cut.columns, cut.places);
  return cut;
}

} // namespace heddle::impl
