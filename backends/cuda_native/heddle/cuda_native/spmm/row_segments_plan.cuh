// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a plan of spmm/row_segments.cuh finds out about a matrix: the blocks of heavy panels,
// bundles of their segments, and the pieces of long light rows. All of it follows from the pattern;
// values stay in the matrix.

#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// How many blocks a panel has: enough for entries_per_block each, none where it has no segments.
template <class Offsets>
struct BlocksOfPanel
{
  Offsets panels, offsets;
  std::int64_t entries_per_block;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t p) const
  {
    return impl::divided_up(static_cast<std::int64_t>(offsets(panels(p + 1)) - offsets(panels(p))),
                            entries_per_block);
  }
};

// What cut_panels does with one block, the last of which is none: a functor, see scan.hpp.
template <class Offsets, class Before, class Panels, class Starts>
struct CutPanel
{
  BlocksOfPanel<Offsets> cut;
  Before before;
  std::int64_t segments, blocks;
  Panels block_panels;
  Starts block_starts;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    using Ordinal = typename Panels::non_const_value_type;
    using Offset = typename Starts::non_const_value_type;
    if (n == blocks)
    {
      block_starts(n) = static_cast<Offset>(segments);
      return;
    }
    // The last panel with no more than n blocks before it, which has blocks.
    auto const panels = static_cast<std::int64_t>(before.extent(0)) - 1;
    std::int64_t const panel = impl::lower_bound(before, std::int64_t(0), panels, n + 1) - 1;
    auto const first = static_cast<std::int64_t>(cut.panels(panel));
    auto const last = static_cast<std::int64_t>(cut.panels(panel + 1));
    auto const entry =
        cut.offsets(first) + static_cast<Offset>((n - before(panel)) * cut.entries_per_block);
    block_panels(n) = static_cast<Ordinal>(panel);
    block_starts(n) = static_cast<Offset>(impl::lower_bound(cut.offsets, first, last, entry));
  }
};

// The panel of each block and the segment it begins with; before(p): blocks before those of panel
// p. Asynchronous.
template <class Exec, class Offsets, class Before, class Panels, class Starts>
void cut_panels(Exec const& exec, BlocksOfPanel<Offsets> const& cut, Before const& before,
                std::int64_t segments, Panels const& block_panels, Starts const& block_starts)
{
  auto const blocks = static_cast<std::int64_t>(block_panels.extent(0));
  Kokkos::parallel_for("heddle::row_segments::cut", impl::range(exec, blocks + 1),
                       CutPanel<Offsets, Before, Panels, Starts>{cut, before, segments, blocks,
                                                                 block_panels, block_starts});
}

// Bundles of consecutive segments of a block (HeavyBundles); none where column_codes has no
// entries.
template <class Space>
struct SegmentBundles
{
  Kokkos::View<std::int64_t*, Space> block_bundles = {}, code_offsets = {};
  Kokkos::View<std::uint16_t*, Space> column_codes = {};

  bool has_any() const { return column_codes.extent(0) > 0; }
  std::size_t bytes() const
  {
    return (block_bundles.span() + code_offsets.span()) * sizeof(std::int64_t) +
           column_codes.span() * sizeof(std::uint16_t);
  }
};

// What bundle_segments asks of a block, and of a bundle: functors, see scan.hpp.
template <class Starts, int rows>
struct BundlesOfBlock
{
  Starts block_starts;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t n) const
  {
    return impl::divided_up(static_cast<std::int64_t>(block_starts(n + 1) - block_starts(n)), rows);
  }
};
template <class Starts, class Bundles, class Offsets, class Columns, int rows>
struct MergeSegments
{
  Starts block_starts;
  Bundles block_bundles;
  Offsets offsets;
  Columns columns;

  // visit(column, mask) for the columns that segments of bundle n have, in the order of a merge.
  // Each call takes entries, and every entry is taken once, whatever their order.
  template <class Visit>
  KOKKOS_FUNCTION void visit_columns(std::int64_t n, Visit const& visit) const
  {
    auto const blocks = static_cast<std::int64_t>(block_bundles.extent(0)) - 1;
    std::int64_t const block = impl::lower_bound(block_bundles, std::int64_t(0), blocks, n + 1) - 1;
    std::int64_t const first = static_cast<std::int64_t>(block_starts(block)) +
                               rows * (n - static_cast<std::int64_t>(block_bundles(block)));
    auto const end = static_cast<std::int64_t>(block_starts(block + 1));
    std::int64_t next[rows], last[rows]; // NOLINT(modernize-avoid-c-arrays)
    for (int r = 0; r < rows; ++r)
    {
      bool const is_there = first + r < end;
      next[r] = is_there ? static_cast<std::int64_t>(offsets(first + r)) : 0;
      last[r] = is_there ? static_cast<std::int64_t>(offsets(first + r + 1)) : 0;
    }
    constexpr std::int64_t none = INT64_MAX;
    while (true)
    {
      std::int64_t heads[rows], least = none; // NOLINT(modernize-avoid-c-arrays)
      for (int r = 0; r < rows; ++r)
      {
        heads[r] = next[r] < last[r] ? static_cast<std::int64_t>(columns(next[r])) : none;
        least = heads[r] < least ? heads[r] : least;
      }
      if (least == none)
        return;
      int mask = 0;
      for (int r = 0; r < rows; ++r)
        if (heads[r] == least)
        {
          mask |= 1 << r;
          ++next[r];
        }
      visit(least, mask);
    }
  }
  // How many columns bundle n has.
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t n) const
  {
    std::int64_t count = 0;
    visit_columns(n, [&](std::int64_t, int) { ++count; });
    return count;
  }
};
template <class Merge, class Offsets, class Codes, int rows>
struct WriteCodes
{
  Merge merge;
  Offsets code_offsets;
  Codes column_codes;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    std::int64_t place = code_offsets(n);
    merge.visit_columns(n, [&](std::int64_t column, int mask) {
      column_codes(place++) = static_cast<std::uint16_t>(column << rows | mask);
    });
  }
};

// The bundles of the segments of a, where Policy expects them to pay. A thread merges the segments
// of a bundle, once to count and once to write. Waits for exec.
template <class Policy, class Exec, class Matrix, class Starts>
auto bundle_segments(Exec const& exec, Matrix const& a, Starts const& block_starts)
{
  using Space = typename Matrix::memory_space;
  constexpr int rows = Policy::value.bundle_rows;
  SegmentBundles<Space> bundles;
  auto const blocks = static_cast<std::int64_t>(block_starts.extent(0)) - 1;
  if (!Policy::may_bundle(static_cast<std::int64_t>(a.num_segments()), blocks,
                          a.shape().panel_width))
    return bundles;
  auto const block_bundles = impl::uninitialized<Kokkos::View<std::int64_t*, Space>>(
      exec, "heddle::row_segments::block_bundles", static_cast<std::size_t>(blocks) + 1);
  std::int64_t const count = impl::offsets_from_counts(
      exec, blocks, BundlesOfBlock<Starts, rows>{block_starts}, block_bundles);
  using Merge = MergeSegments<Starts, decltype(block_bundles), typename Matrix::offsets_view,
                              typename Matrix::columns_view, rows>;
  Merge const merge{block_starts, block_bundles, a.segments().offsets, a.columns()};
  auto const code_offsets = impl::uninitialized<Kokkos::View<std::int64_t*, Space>>(
      exec, "heddle::row_segments::code_offsets", static_cast<std::size_t>(count) + 1);
  std::int64_t const columns = impl::offsets_from_counts(exec, count, merge, code_offsets);
  if (!Policy::bundles_pay(static_cast<std::int64_t>(a.heavy_nnz()), count, columns))
    return bundles;
  bundles.block_bundles = block_bundles;
  bundles.code_offsets = code_offsets;
  bundles.column_codes = impl::uninitialized<Kokkos::View<std::uint16_t*, Space>>(
      exec, "heddle::row_segments::column_codes", static_cast<std::size_t>(columns));
  using Write = WriteCodes<Merge, decltype(code_offsets), decltype(bundles.column_codes), rows>;
  Kokkos::parallel_for("heddle::row_segments::bundle", impl::range(exec, count),
                       Write{merge, code_offsets, bundles.column_codes});
  return bundles;
}

// What is left of light rows longer than a warp takes at once, in pieces (LightRows).
template <class Ordinal, class Offset, class Space>
struct LightPieces
{
  Kokkos::View<Ordinal*, Space> rows = {};
  Kokkos::View<Offset*, Space> begins = {};

  std::int64_t count() const { return static_cast<std::int64_t>(rows.extent(0)); }
  std::size_t bytes() const
  {
    return rows.span() * sizeof(Ordinal) + begins.span() * sizeof(Offset);
  }
};

// What cut_long_rows does with one row, and with one piece: functors, see scan.hpp.
template <class Offsets>
struct PiecesBehindFirst
{
  Offsets offsets;
  std::int64_t limit;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    auto const length = static_cast<std::int64_t>(offsets(i + 1) - offsets(i));
    return length > limit ? impl::divided_up(length, limit) - 1 : 0;
  }
};
template <class Offsets, class Before, class Pieces>
struct ListPiece
{
  Offsets offsets;
  Before before; // pieces of the rows above
  std::int64_t rows, limit;
  Pieces pieces;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    using Ordinal = typename decltype(pieces.rows)::non_const_value_type;
    using Offset = typename decltype(pieces.begins)::non_const_value_type;
    std::int64_t const row = impl::lower_bound(before, std::int64_t(0), rows, n + 1) - 1;
    pieces.rows(n) = static_cast<Ordinal>(row);
    pieces.begins(n) = static_cast<Offset>(static_cast<std::int64_t>(offsets(row)) +
                                           (n - before(row) + 1) * limit);
  }
};

// Waits for exec.
template <class Exec, class Matrix>
auto cut_long_rows(Exec const& exec, Matrix const& a, std::int64_t limit)
{
  using Pieces = LightPieces<typename Matrix::ordinal_type, typename Matrix::offset_type,
                             typename Matrix::memory_space>;
  using Offsets = typename Matrix::offsets_view;
  auto const rows = static_cast<std::int64_t>(a.num_rows());
  Offsets const offsets = a.light_row_offsets();
  impl::Scratch<std::int64_t, Exec> const before(exec, static_cast<std::size_t>(rows) + 1);
  std::int64_t const count = impl::offsets_from_counts(
      exec, rows, PiecesBehindFirst<Offsets>{offsets, limit}, before.view());
  Pieces pieces;
  pieces.rows = impl::uninitialized<decltype(pieces.rows)>(exec, "heddle::row_segments::piece_rows",
                                                           static_cast<std::size_t>(count));
  pieces.begins = impl::uninitialized<decltype(pieces.begins)>(
      exec, "heddle::row_segments::piece_begins", static_cast<std::size_t>(count));
  using List = ListPiece<Offsets, std::remove_cvref_t<decltype(before.view())>, Pieces>;
  Kokkos::parallel_for("heddle::row_segments::pieces", impl::range(exec, count),
                       List{offsets, before.view(), rows, limit, pieces});
  return pieces;
}

} // namespace heddle::cuda_native
