// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Tiles of neighbouring rows, with about as many rows and entries each, whatever the lengths of
// rows are: a block of threads has a tile. A tile ends between rows, and a row that is longer than
// a tile, always the last of its tile, has blocks of its own.

#include <heddle/cuda_native/rows/cuts.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace heddle::cuda_native
{

// Tile t has the rows that begin at rows[t] and end at rows[t + 1], and begins with entry
// entries[t]. If its last row is longer than a tile, that row is one of long_rows; a cluster of
// blocks has each of the first shared_count of these.
template <class Ordinal, class Offset>
struct RowTiles
{
  std::int64_t count, long_count, shared_count;
  Ordinal const* __restrict__ rows;
  Offset const* __restrict__ entries;
  Ordinal const* __restrict__ long_rows;
  int cluster; // blocks that share a row
};

// One of them without a last row that is long.
template <class Ordinal, class Offset>
struct RowTile
{
  Ordinal first_row;
  Offset first; // entry
  int rows, entries;
  bool has_long_row; // behind those
};
// Tile t of tiles of `length` rows and entries. It has 2 * length entries at most, also where the
// plan was made for another pattern, whose rows end elsewhere.
template <class Ordinal, class Offset>
__device__ RowTile<Ordinal, Offset> row_tile(RowTiles<Ordinal, Offset> const& tiles, std::int64_t t,
                                             Offset const* row_offsets, int length)
{
  RowTile<Ordinal, Offset> tile;
  tile.first_row = tiles.rows[t];
  tile.first = tiles.entries[t];
  tile.rows = static_cast<int>(tiles.rows[t + 1] - tile.first_row);
  auto const entries = static_cast<std::int64_t>(tiles.entries[t + 1] - tile.first);
  tile.entries = static_cast<int>(min(entries, std::int64_t(2) * length));
  tile.has_long_row = false;
  if (entries <= length)
    return tile;
  auto const before_last = static_cast<std::int64_t>(row_offsets[tile.first_row + tile.rows - 1]) -
                           static_cast<std::int64_t>(tile.first);
  if (entries - before_last > length)
  {
    --tile.rows;
    tile.has_long_row = true;
    tile.entries = min(max(static_cast<int>(before_last), 0), length);
  }
  return tile;
}

// What list_rows_within does with one row: a functor, see scan.hpp.
template <class RowOffsets, class Rows>
struct ListRowWithin
{
  RowOffsets row_offsets;
  std::int64_t least, most;
  Rows rows;
  std::int64_t first;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& before, bool is_final) const
  {
    auto const length = static_cast<std::int64_t>(row_offsets(i + 1) - row_offsets(i));
    if (length < least || length > most)
      return;
    if (is_final)
      rows(first + before) = static_cast<typename Rows::non_const_value_type>(i);
    ++before;
  }
};

// Where the entries of each tile begin. Asynchronous.
template <class Exec, class RowOffsets, class Rows, class Entries>
void find_entries(Exec const& exec, RowOffsets const& row_offsets, Rows const& tile_rows,
                  Entries const& tile_entries)
{
  Kokkos::parallel_for(
      "heddle::tiles::find_entries", impl::range(exec, tile_rows.extent(0)),
      impl::GatherValue<false, Rows, RowOffsets, Entries>{tile_rows, row_offsets, tile_entries});
}

// Lists rows of least .. most entries from rows(first) on, where there is room for all; returns how
// many. Waits for exec.
template <class Exec, class RowOffsets, class Rows>
std::int64_t list_rows_within(Exec const& exec, RowOffsets const& row_offsets, std::int64_t count,
                              std::int64_t least, std::int64_t most, Rows const& rows,
                              std::int64_t first)
{
  std::int64_t listed = 0;
  Kokkos::parallel_scan("heddle::tiles::long_rows", impl::range(exec, count),
                        ListRowWithin<RowOffsets, Rows>{row_offsets, least, most, rows, first},
                        listed);
  return listed;
}

// Rows longer than a tile: `blocks` blocks share each of those with `shared_from` entries and more,
// if these are at most `most_shared`; every other one has a block. Calls that need a block longer
// for a row share those of `more_shared_from` entries and more, however many they are. Rows of more
// than `most_entries` have none.
struct LongRowBlocks
{
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

  int blocks = 1;
  std::int64_t shared_from = 0;
  std::int64_t most_shared = none;
  std::int64_t more_shared_from = none; // shared_from at most, or none
  std::int64_t most_entries = none;
};

// What a plan holds of the tiles.
template <class Ordinal, class Offset, class Space>
struct TileCuts
{
  int length = 0; // rows and entries of a tile
  Kokkos::View<Ordinal*, Space> rows = {}, long_rows = {};
  Kokkos::View<Offset*, Space> entries = {};
  std::int64_t long_count = 0, shared_count = 0, more_shared_count = 0;
  int blocks_per_shared_row = 1;

  std::size_t bytes() const
  {
    return (rows.span() + long_rows.span()) * sizeof(Ordinal) + entries.span() * sizeof(Offset);
  }
  std::int64_t tiles() const
  {
    return std::max<std::int64_t>(static_cast<std::int64_t>(rows.extent(0)) - 1, 0);
  }
  // With `cluster` blocks for each of the first `shared` long rows.
  RowTiles<Ordinal, Offset> view(int cluster, std::int64_t shared) const
  {
    return {tiles(),          long_count, cluster > 1 ? shared : 0, rows.data(), entries.data(),
            long_rows.data(), cluster};
  }
  std::string describe() const
  {
    return std::to_string(tiles()) + " tiles of " + std::to_string(length) + " rows and entries, " +
           std::to_string(long_count) + " rows longer than that" +
           (std::max(shared_count, more_shared_count) == 0
                ? ""
                : ", " + std::to_string(shared_count) +
                      (more_shared_count > shared_count ? " to " + std::to_string(more_shared_count)
                                                        : "") +
                      " of them by " + std::to_string(blocks_per_shared_row) + " blocks each");
  }
};

// Waits for exec where there are rows longer than a tile.
template <class Cuts, class Exec, class RowOffsets>
Cuts tile_cuts(Exec const& exec, RowOffsets const& row_offsets, impl::RowStatistics const& rows,
               int length, LongRowBlocks const& long_ones)
{
  Cuts cuts{.length = length};
  if (rows.rows == 0)
    return cuts;
  auto const tiles = static_cast<std::size_t>(impl::divided_up(rows.rows + rows.nonzeros, length));
  cuts.rows = impl::uninitialized<decltype(cuts.rows)>(exec, "heddle::tiles::rows", tiles + 1);
  cuts.entries =
      impl::uninitialized<decltype(cuts.entries)>(exec, "heddle::tiles::entries", tiles + 1);
  cut_rows(exec, MergePathPosition<RowOffsets>{row_offsets}, rows.rows, length, cuts.rows);
  find_entries(exec, row_offsets, cuts.rows, cuts.entries);
  if (rows.longest <= length)
    return cuts;
  cuts.long_rows = impl::uninitialized<decltype(cuts.long_rows)>(
      exec, "heddle::tiles::long_rows", static_cast<std::size_t>(rows.nonzeros / length));
  std::int64_t const least = length + 1, longest = std::min(rows.longest, long_ones.most_entries);
  std::int64_t const shared_from =
      long_ones.blocks > 1 ? std::max(long_ones.shared_from, least) : longest + 1;
  auto const list = [&](std::int64_t from, std::int64_t to) {
    if (from <= to)
      cuts.long_count +=
          list_rows_within(exec, row_offsets, rows.rows, from, to, cuts.long_rows, cuts.long_count);
  };
  list(shared_from, longest);
  cuts.shared_count = cuts.long_count <= long_ones.most_shared ? cuts.long_count : 0;
  std::int64_t const more_from = std::clamp(long_ones.more_shared_from, least, shared_from);
  list(more_from, shared_from - 1);
  cuts.more_shared_count = long_ones.blocks > 1 ? cuts.long_count : 0;
  cuts.blocks_per_shared_row = long_ones.blocks;
  list(least, more_from - 1);
  return cuts;
}

} // namespace heddle::cuda_native
