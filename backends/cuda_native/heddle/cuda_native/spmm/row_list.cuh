// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a plan holds for csr_rows (spmm/csr_rows.cuh): rows in an order by their lengths, and the
// segments of the longest, where lengths differ; which rows, where others are another kernel's.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/length_order.hpp>
#include <heddle/cuda_native/rows/strided_ranges.hpp>
#include <heddle/cuda_native/spmm/long_rows.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_model.hpp>
#include <heddle/cuda_native/spmm/row_tasks.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/on_host.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace heddle::cuda_native
{

// How long rows are cut in calls in which short ones go in their order.
template <class Ordinal, class MemorySpace>
struct CutsBesideOrder
{
  bool may_pay = false; // whether there are such calls
  std::int64_t segment = 0, segments = 0;
  Kokkos::View<Ordinal*, MemorySpace> row_of_segment = {};
  Kokkos::View<Ordinal*, MemorySpace> first_segment = {};
};

// What a plan holds for csr_rows.
template <class Ordinal, class MemorySpace>
struct RowList
{
  // Calls by the bytes of a row of B: 16 for the first, twice as many for each other.
  static constexpr int call_classes = 9;
  static int call_class(std::int64_t b_row_bytes)
  {
    auto const words = static_cast<std::uint64_t>(impl::divided_up(b_row_bytes, std::int64_t(16)));
    return std::min(static_cast<int>(std::bit_width(words > 0 ? words - 1 : 0)), call_classes - 1);
  }
  static std::int64_t bytes_of_class(int n) { return std::int64_t(16) << n; }

  std::int64_t rows = 0;
  impl::RowStatistics alike = {}; // of all rows of a matrix, if they stand in their order
  bool is_scattered = true;
  std::int64_t longest = std::numeric_limits<std::int64_t>::max(); // or more than that
  std::array<RowsOfCall, call_classes> calls = {};
  bool is_sorted = false; // the list, by lengths; else rows are in their order, or in the list's
  std::array<std::int64_t, length_classes> rows_from = {}; // of that class and longer ones
  std::int64_t segment = 0; // entries, a power of two, from which on rows are cut; 0: none is
  std::int64_t segments = 0;
  Kokkos::View<Ordinal*, MemorySpace> list = {};
  Kokkos::View<Ordinal*, MemorySpace> row_of_segment = {};
  Kokkos::View<Ordinal*, MemorySpace> first_segment = {};
  CutsBesideOrder<Ordinal, MemorySpace> in_order = {};

  std::size_t bytes() const
  {
    std::size_t indices = list.span() + row_of_segment.span() + first_segment.span();
    if (in_order.segment != segment)
      indices += in_order.row_of_segment.span() + in_order.first_segment.span();
    return indices * sizeof(Ordinal);
  }
  std::string describe() const
  {
    std::string text = is_sorted
                           ? "rows from the longest to the shortest, " + std::to_string(segments) +
                                 " segments of " + std::to_string(long_rows()) + " rows"
                           : "rows as they stand";
    if (segment > 0)
      text += " with " + std::to_string(segment) + " entries and more";
    for (std::int64_t const bytes : {128, 512})
    {
      RowsOfCall const& by = call(bytes);
      text += "; rows of B of " + std::to_string(bytes) + " bytes in tiles of " +
              std::to_string(by.tile_bytes) + ", a warp each from " + from(by.warp_from) +
              ", a block from " + from(by.block_from);
      if (by.short_below > 0)
        text += ", short ones below " + std::to_string(by.short_below);
      if (by.is_long_first)
        text += ", long ones of all tiles first";
    }
    if (in_order.may_pay)
      text += "; with a wide B short rows in their order, " + std::to_string(in_order.segments) +
              " segments of longer ones";
    return text;
  }
  static std::string from(std::int64_t entries)
  {
    return entries == no_row ? "no row on" : std::to_string(entries) + " entries on";
  }
  std::int64_t long_rows() const { return segment > 0 ? rows_with(segment) : 0; }
  // Rows with at least `length` entries, a power of two.
  std::int64_t rows_with(std::int64_t length) const
  {
    return rows_from[static_cast<std::size_t>(length_class(length))];
  }
  // Where rows are in the order of their lengths; else none.
  std::int64_t empty_rows() const { return is_sorted ? rows - rows_with(1) : 0; }
  // Rows with at least `length` entries, where the list has them in front.
  LongRows<Ordinal> listed_rows_with(std::int64_t length) const
  {
    if (!is_sorted)
      return {};
    // Not assigned later: nvcc 13.0 forgets members that a list of designated ones leaves out then.
    LongRows<Ordinal> result{.rows = list.data(), .count = rows_with(length), .least = length};
    for (std::int64_t least = length; rows_with(least) > 0; least *= 2)
      result.entries +=
          (rows_with(least) - rows_with(2 * least)) * std::min(least / 2 * 3, longest);
    return result;
  }
  // Rows with `length` entries and more, a power of two, for calls in which the others go in their
  // order: segments, and blocks for those that are not cut.
  RowTasks<Ordinal> tasks_in_order(std::int64_t length) const
  {
    std::int64_t const cut = in_order.segment > 0 ? rows_with(in_order.segment) : 0;
    return {.segments = in_order.segments,
            .block_rows = std::max(rows_with(length), cut) - cut,
            .long_rows = cut,
            .list = list.data(),
            .row_of_segment = in_order.row_of_segment.data(),
            .first_segment = in_order.first_segment.data()};
  }
  RowsOfCall const& call(std::int64_t b_row_bytes) const
  {
    return calls[static_cast<std::size_t>(call_class(b_row_bytes))];
  }
  // takes_short: the call can do short rows as csr_short does.
  template <class Scalar>
  RowTasks<Ordinal> tasks(int lanes, RowsOfCall const& by, bool takes_short) const
  {
    if (!is_sorted)
    {
      bool const is_short = longest <= lanes;
      int const rounds = SpmmCsrPolicyFor::has_rounds<Scalar>(lanes)
                             ? SpmmCsrPolicyFor::rounds(rows, lanes, is_scattered || is_short)
                             : 1;
      // A group of all lanes is a warp, and has its next row ready where it has several.
      bool const is_blocks = by.block_from == 0;
      bool const is_warps = !is_blocks && by.warp_from == 0 && (lanes < warp_size || rounds == 1);
      return {.block_rows = is_blocks ? rows : 0,
              .warp_rows = is_warps ? rows : 0,
              .group_rows = is_blocks || is_warps ? 0 : rows,
              .rounds = rounds,
              .is_short = is_short,
              .list = list.data()};
    }
    std::int64_t const long_ones = long_rows();
    auto const until = [&](std::int64_t length) { // rows of the list before shorter ones
      return std::max(long_ones, length == no_row ? 0 : rows_with(length));
    };
    std::int64_t const blocks_end = until(by.block_from);
    std::int64_t const short_below = takes_short ? by.short_below : 0;
    std::int64_t const warps_end = std::max(blocks_end, until(std::max(by.warp_from, short_below)));
    std::int64_t const groups_end =
        short_below > 0 ? std::max(warps_end, until(short_below)) : rows;
    std::int64_t const group_rows = groups_end - warps_end;
    return {.segments = segments,
            .block_rows = blocks_end - long_ones,
            .warp_rows = warps_end - blocks_end,
            .group_rows = group_rows,
            .short_rows = rows - groups_end,
            .rounds = SpmmCsrPolicyFor::rounds(group_rows, lanes, is_scattered),
            .is_long_first = by.is_long_first,
            .long_rows = long_ones,
            .list = list.data(),
            .row_of_segment = row_of_segment.data(),
            .first_segment = first_segment.data()};
  }
};

// Rows of the classes from the longest to class n.
template <class ClassOf>
struct RowsOfClasses
{
  ClassOf class_of;
  std::int64_t rows;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t n) const
  {
    return impl::lower_bound(class_of, std::int64_t(0), rows, class_of.last - n + 1);
  }
};

// Segments of row i of the list.
template <class Offset, class List>
struct SegmentsOfRow
{
  Offset const* offsets;
  List list;
  std::int64_t segment;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    auto const length = static_cast<std::int64_t>(offsets[list(i) + 1] - offsets[list(i)]);
    return impl::divided_up(length, segment);
  }
};

// What row_list does with one long row: a functor, see scan.hpp.
template <class Indices>
struct NameSegments
{
  Indices first_segment, row_of_segment;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    using Ordinal = typename Indices::non_const_value_type;
    for (Ordinal n = first_segment(i); n < first_segment(i + 1); ++n)
      row_of_segment(n) = static_cast<Ordinal>(i);
  }
};

template <class Entries, class Exec>
using RowListOf = RowList<typename Entries::ordinal_type, typename Exec::memory_space>;

// Rows with `segment` entries and more, cut in segments of at most `segment`; 0: none. Waits for
// exec.
template <class Exec, class Entries>
RowListOf<Entries, Exec> with_segments(Exec const& exec, Entries const& a, std::int64_t segment,
                                       RowListOf<Entries, Exec> result)
{
  result.segment = segment;
  std::int64_t const long_rows = result.long_rows();
  if (long_rows == 0)
    return result;
  result.first_segment = impl::uninitialized<decltype(result.first_segment)>(
      exec, "heddle::row_list::first_segment", static_cast<std::size_t>(long_rows) + 1);
  auto const first = result.first_segment;
  impl::Scratch<std::int64_t, Exec> const segment_counts(exec, static_cast<std::size_t>(long_rows));
  auto const segments_of = segment_counts.view();
  impl::tabulate(exec, "heddle::row_list::segments", long_rows,
                 SegmentsOfRow<typename Entries::offset_type, decltype(result.list)>{
                     a.offsets, result.list, result.segment},
                 segments_of);
  result.segments = impl::offsets_from_counts(exec, long_rows, segments_of, first);
  result.row_of_segment = impl::uninitialized<decltype(result.row_of_segment)>(
      exec, "heddle::row_list::row_of_segment", static_cast<std::size_t>(result.segments));
  Kokkos::parallel_for(
      "heddle::row_list::rows_of_segments", impl::range(exec, long_rows),
      NameSegments<decltype(result.list)>{result.first_segment, result.row_of_segment});
  return result;
}

// For calls in which short rows go in their order. Waits for exec.
template <class Exec, class Entries>
void cut_beside_order(Exec const& exec, Entries const& a, std::int64_t segment,
                      RowListOf<Entries, Exec>& list)
{
  bool const is_cut_so = list.segment > 0 && list.segment <= segment;
  auto const cut = is_cut_so ? list : with_segments(exec, a, segment, list);
  list.in_order = {true, cut.segment, cut.segments, cut.row_of_segment, cut.first_segment};
}

// The rows of the list by their lengths, longest first, and how many there are of each class. Waits
// for exec.
template <class Exec, class Entries>
void sort_list(Exec const& exec, Entries const& a, RowListOf<Entries, Exec>& result)
{
  sort_by_length(exec, a, result.list);
  impl::Scratch<std::int64_t, Exec> const counts(exec, length_classes);
  auto const class_of = class_from_longest(a, result.list);
  impl::tabulate(exec, "heddle::row_list::count", length_classes,
                 RowsOfClasses<decltype(class_from_longest(a, result.list))>{class_of, result.rows},
                 counts.view());
  impl::copy_to_host(exec, counts.view(), result.rows_from.data());
  result.is_sorted = true;
}

// The same, and those cut in segments that it pays to cut. Waits for exec.
template <class Exec, class Entries>
RowListOf<Entries, Exec> sorted_by_length(Exec const& exec, Entries const& a,
                                          impl::RowStatistics const& statistics, int tile_bytes,
                                          RowListOf<Entries, Exec> result)
{
  sort_list(exec, a, result);
  SpmmRowModel const model(sizeof(typename Entries::value_type), device_shape(exec));
  RowLengths const lengths = RowLengths::of(statistics, result.rows_from);
  result = with_segments(exec, a, model.segment(lengths, tile_bytes), result);
  SpmmCsrPolicyFor::RowsBelow const below{.sixteen = result.rows - result.rows_with(16),
                                          .thirty_two = result.rows - result.rows_with(32)};
  for (int n = 0; n < result.call_classes; ++n)
  {
    std::int64_t const b_row_bytes = result.bytes_of_class(n);
    RowsOfCall& by = result.calls[static_cast<std::size_t>(n)];
    by = model.best_of_list(lengths, b_row_bytes, tile_bytes, result.segment);
    by.short_below = SpmmCsrPolicyFor::short_below(below, b_row_bytes, by.tile_bytes);
    by.is_long_first = model.long_first_pays(lengths, by, b_row_bytes, result.segment);
  }
  return result;
}

// Whether rows stay in their order, without segments: where they are alike, and so many or so short
// that cutting them gains nothing.
inline bool keeps_order(impl::RowStatistics const& rows, int tile_bytes, SpmmRowModel const& model)
{
  return SpmmCsrPolicyFor::is_regular(rows) && model.segment(RowLengths::of(rows), tile_bytes) == 0;
}
template <class Exec, class Entries>
bool are_cut(Exec const& exec, Entries const&, impl::RowStatistics const& rows)
{
  return !keeps_order(rows, SpmmPolicy::widest_tile,
                      SpmmRowModel(sizeof(typename Entries::value_type), device_shape(exec)));
}

// Rows in their order, for calls of all widths of B.
template <class List>
List in_order(List result, impl::RowStatistics const& rows, int tile_bytes,
              SpmmRowModel const& model)
{
  RowLengths const lengths = RowLengths::of(rows);
  for (int n = 0; n < result.call_classes; ++n)
    result.calls[static_cast<std::size_t>(n)] =
        model.best_of_alike(lengths, result.bytes_of_class(n), tile_bytes);
  return result;
}

// All rows. Waits for exec.
template <class Exec, class Entries>
RowListOf<Entries, Exec> row_list(Exec const& exec, Entries const& a,
                                  impl::RowStatistics const& statistics, int tile_bytes,
                                  bool is_scattered)
{
  RowListOf<Entries, Exec> result{
      .rows = a.rows, .is_scattered = is_scattered, .longest = statistics.longest};
  SpmmRowModel const model(sizeof(typename Entries::value_type), device_shape(exec));
  if (a.rows == 0 || keeps_order(statistics, tile_bytes, model))
  {
    result.alike = statistics;
    return in_order(result, statistics, tile_bytes, model);
  }
  result.list = impl::uninitialized<decltype(result.list)>(exec, "heddle::row_list::rows",
                                                           static_cast<std::size_t>(a.rows));
  impl::fill_with_positions(exec, result.list);
  return sorted_by_length(exec, a, statistics, tile_bytes, result);
}

// Those rows alone; what they are like goes to statistics. Waits for exec.
template <class Exec, class Entries>
RowListOf<Entries, Exec> row_list(Exec const& exec, Entries const& a,
                                  std::vector<StridedRowRange> const& rows, int tile_bytes,
                                  bool is_scattered, impl::RowStatistics& statistics)
{
  RowListOf<Entries, Exec> result{.is_scattered = is_scattered};
  result.list = rows_of<decltype(result.list)>(exec, rows, 1);
  statistics = statistics_of_list(exec, a, result.list);
  result.rows = statistics.rows;
  SpmmRowModel const model(sizeof(typename Entries::value_type), device_shape(exec));
  return keeps_order(statistics, tile_bytes, model)
             ? in_order(result, statistics, tile_bytes, model)
             : sorted_by_length(exec, a, statistics, tile_bytes, result);
}

// For a call that another kernel leaves to csr_rows.
template <class Entries>
auto rows_as_they_stand(Kokkos::Cuda const& exec, Entries const& a,
                        impl::RowStatistics const& statistics, std::int64_t b_row_bytes,
                        int tile_bytes)
{
  RowList<typename Entries::ordinal_type, Kokkos::CudaSpace> result{.rows = a.rows};
  int const n = result.call_class(b_row_bytes);
  result.calls[static_cast<std::size_t>(n)] =
      SpmmRowModel(sizeof(typename Entries::value_type), device_shape(exec))
          .best_of_alike(RowLengths::of(statistics), result.bytes_of_class(n), tile_bytes);
  return result;
}

} // namespace heddle::cuda_native
