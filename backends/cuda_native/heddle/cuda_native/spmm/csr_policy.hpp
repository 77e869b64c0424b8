// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// Blocks of four warps: the more of them there are, the smaller is what waits for the longest row
// of a block. blocks_per_processor bounds the registers of a thread.
struct SpmmPolicy
{
  static constexpr int widest_tile = 512; // bytes of a row: 16 a lane
  static constexpr int warps = 4, threads_per_block = 32 * warps;
  // csr_rows: 64 registers; 48 where sums take one each and there are no rounds.
  template <class Scalar>
  static constexpr int rows_blocks(bool has_rounds)
  {
    return sizeof(Scalar) > 4 || has_rounds ? 8 : 10;
  }
  static constexpr int stream_blocks = 8; // csr_stream
  // row_bundles, by rows of a bundle and packets of a lane; narrow: one packet of four-byte values.
  static constexpr int bundle_blocks(int rows, int packets, bool is_narrow, bool is_gathered)
  {
    if (packets > 1)
      return rows <= 3 ? 5 : 4;
    if (rows == 6)
      return is_narrow && is_gathered ? 6 : 5;
    return rows <= 3 ? 8 : is_narrow ? 7 : is_gathered ? 5 : 6;
  }
};

// What neighbouring rows share (spmm/row_overlap.hpp).
struct RowOverlap
{
  // Slots, rows times columns, per entry of bundles of so many rows: 1 where all rows of a bundle
  // have the same columns.
  double two = 2.0, three = 3.0, four = 4.0, six = 6.0;
  double alone = 1.0; // share of the entries whose column none of the five rows before has
  double span = 0.0;  // columns from the first to the last of a row, in the mean
};

// All measured on an H200 over the 16 matrices of the peers' table, 2026-11-22: docs/spmm.md.
struct SpmmCsrPolicyFor
{
  // Rows so alike that a warp may take neighbours together.
  static bool is_regular(impl::RowStatistics const& rows)
  {
    return static_cast<double>(rows.longest) <= 3.0 * rows.mean() + 32.0;
  }

  // csr_stream: rows of a batch or less, for which the way from row offsets to columns to B is
  // longer than the work. What csr_rows prepares a row ahead is enough for longer ones, earlier for
  // eight-byte values.
  static bool is_streamed(impl::RowStatistics const& rows, std::size_t value_bytes)
  {
    return is_regular(rows) && rows.mean() <= (value_bytes <= 4 ? 12.0 : 4.5);
  }
  // Where groups have several rows each there must be warps enough.
  static bool can_stream(std::int64_t rows, int lanes)
  {
    constexpr std::int64_t least_warps_of_rows = 24 << 10;
    return rows * lanes / 32 >= least_warps_of_rows;
  }
  static int rows_per_group(int lanes) { return lanes >= 16 ? 8 : 4; }

  // Hardly a row has columns of the rows before it.
  static bool is_scattered(RowOverlap const& overlap) { return overlap.alone > 0.75; }
  // Bytes of a row in a tile of B at most, so that what is in use of the tile stays in the second
  // cache: less where neighbouring rows are far from each other's columns.
  static int tile_bytes(RowOverlap const& overlap)
  {
    constexpr double most_in_use = 1 << 24;
    return is_scattered(overlap) || overlap.span * SpmmPolicy::widest_tile > most_in_use
               ? 256
               : SpmmPolicy::widest_tile;
  }

  // csr_rows: a group of lanes a row, or the whole warp where there would be too few warps.
  static constexpr std::int64_t least_warps = 16 * 132;
  static bool takes_warps(std::int64_t rows, int lanes) { return rows * lanes / 32 < least_warps; }
  // Rows that a group does one after the other, if there are warps enough to wait for memory: more
  // where neighbours in a cache do not matter, or rows are short. Narrow groups of four-byte sums
  // have more warps instead, for which they need few registers.
  template <class Scalar>
  static bool has_rounds(int lanes)
  {
    return sizeof(Scalar) > 4 || lanes == 32;
  }
  static int rounds(std::int64_t rows, int lanes, bool are_many)
  {
    constexpr std::int64_t warps = 1 << 14;
    return static_cast<int>(
        std::clamp<std::int64_t>((rows * lanes / 32 + warps / 2) / warps, 1, are_many ? 8 : 4));
  }
  // ... and for rows of a list from so many entries on.
  static int least_warp_row(int lanes) { return 4 * lanes; }
  // Rows from so many entries on are cut into segments of at most so many, a power of two: the more
  // entries there are altogether, the longer may one block work.
  static std::int64_t segment(std::int64_t nonzeros)
  {
    constexpr std::uint64_t least = 256, most = 2048, share = 2048;
    auto const each = static_cast<std::uint64_t>(nonzeros) / share;
    return static_cast<std::int64_t>(std::bit_floor(std::clamp(each + each / 2, least, most)));
  }

  // row_bundles: rows of a bundle by its fill, slots (rows times columns) per entry: what exceeds 1
  // is registers and turns for nothing.
  static constexpr std::int64_t sampled_entries = 16384;
  static constexpr double most_fill(int rows) { return rows == 6 ? 1.03 : 1.1; }
  static constexpr double shortest_mean = 12.0;
  static bool may_have_bundles(impl::RowStatistics const& rows)
  {
    return is_regular(rows) && rows.mean() >= shortest_mean;
  }
  // A call with so few warps of them waits for each: rows by themselves are more.
  static bool are_enough_bundles(std::int64_t bundles, int lanes)
  {
    constexpr std::int64_t least_warps_of_bundles = 7 * 132;
    return bundles * lanes / 32 >= least_warps_of_bundles;
  }
  static int rows_of_bundle(RowOverlap const& fill)
  {
    if (fill.six <= most_fill(6))
      return 6;
    if (fill.four <= most_fill(4))
      return 4;
    if (fill.three <= most_fill(3))
      return 3;
    return fill.two <= most_fill(2) ? 2 : 1;
  }

  // csr_mixed: reckoned from what the kernels take for whole matrices, measured since on
  // hand_p2_3dof and fem_graph (docs/spmm.md). Rows are judged by ranges of so many at least, and
  // at most so many ranges: what the plan looks at stays below a multiplication, and a long row
  // takes few others out of their bundles. Of each range as many stretches of rows, and of these as
  // many entries, are looked at.
  static constexpr int probes = 4, probe_rows = 12, probe_entries = 256;
  static std::int64_t range_rows(std::int64_t rows)
  {
    constexpr std::int64_t most_ranges = 2048, unit = probes * probe_rows;
    return std::max(unit, impl::divided_up(rows, most_ranges * unit) * unit);
  }
  // Bundles of csr_mixed stand in the order of their lengths. A group of lanes does all of a row,
  // where csr_rows has a warp, or blocks for segments: so it must not be long beside the others, or
  // beside all work.
  static bool suits_bundles(impl::RowStatistics const& range, std::int64_t nonzeros)
  {
    return range.mean() >= shortest_mean &&
           (is_regular(range) || range.longest <= segment(nonzeros) / 4);
  }
  // Entries from which on bundles may be worth a second launch, and the ranges a look by the plan:
  // elast3_40 saves 2 us for each million of them in f32 with k = 32, 27 us in f64 with k = 128.
  static constexpr std::int64_t least_bundled = 1 << 20;
  // What the statistics of all rows say: no range has a longer mean than the longest row is.
  static bool may_have_mixture(impl::RowStatistics const& rows, bool is_streamed)
  {
    return static_cast<double>(rows.longest) >= shortest_mean &&
           mixture_pays(rows.nonzeros, rows.nonzeros, is_streamed);
  }
  // Bundles for the ranges of rows that suit them, of which there must be more where the others
  // lose csr_stream by it: bundles take a quarter to a half off the time of their entries,
  // csr_stream up to a fifth.
  static bool mixture_pays(std::int64_t bundled, std::int64_t nonzeros, bool is_streamed)
  {
    return bundled >= least_bundled && bundled * (is_streamed ? 2 : 4) >= nonzeros;
  }
};

} // namespace heddle::cuda_native
