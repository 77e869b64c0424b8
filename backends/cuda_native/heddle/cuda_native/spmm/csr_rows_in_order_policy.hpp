// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// When short rows go in their order beside long ones (spmm/csr_rows.cuh), and how.

#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace heddle::cuda_native
{

// Of a launch: bytes of a row of B that a group has in a packet per lane, of which it takes two;
// rows that it takes one after the other; entries from which on a row is long, a power of two.
struct RowsInOrderShape
{
  int tile_bytes, rounds;
  std::int64_t long_from;
};

// Measured on an H200 over the zoo's tuning part and real matrices (docs/spmm.md).
struct SpmmRowsInOrderPolicy
{
  // Entries from which on a row is a block's, and from which on it is cut into segments, of which
  // each warp of a block adds up a quarter.
  static constexpr std::int64_t long_from = 64, segment = 512;
  // Of a row at most: with 586 of each of three rows calls took 1.09 to 1.18 times as long as by
  // the list, whose segments are longer.
  static constexpr std::int64_t most_segments = 256;
  // Of the entries at most, where neighbouring rows share columns.
  static constexpr double most_alone = 0.97;

  // Whether a plan for rows of different lengths prepares for such calls: not where rows have
  // neither columns of the rows before them nor columns that are near each other, for which the
  // order is as good as any.
  static bool may_pay(impl::RowStatistics const& rows, RowOverlap const& overlap)
  {
    constexpr double longest_short_mean = 12.0, share_of_span = 0.25;
    constexpr std::int64_t least_rows = std::int64_t(1) << 15;
    return !SpmmCsrPolicyFor::is_regular(rows) && rows.rows >= least_rows &&
           rows.mean() <= longest_short_mean && rows.longest <= most_segments * segment &&
           (overlap.alone <= most_alone ||
            overlap.span <= share_of_span * static_cast<double>(rows.rows));
  }
  // Whether a call of such a plan goes that way and not by the list: in a short one the longest of
  // the short rows would be waited for.
  static bool pays(std::int64_t rows, std::int64_t b_row_bytes)
  {
    constexpr std::int64_t least_row_bytes = 512, least_bytes = std::int64_t(1) << 25;
    return b_row_bytes >= least_row_bytes && rows * b_row_bytes >= least_bytes;
  }
  // ... and not by tiles of entries, for which no row is waited for.
  static bool pays_beside_tiles(impl::RowStatistics const& rows, RowOverlap const& overlap)
  {
    constexpr std::int64_t many_rows = std::int64_t(1) << 16;
    return rows.rows >= many_rows && overlap.alone <= most_alone;
  }
  static RowsInOrderShape shape(std::int64_t rows, std::int64_t b_row_bytes)
  {
    constexpr std::int64_t warps_each = 1 << 14;
    constexpr int most_rounds = 4;
    // Half of the row, if that is less, in lanes whose number is a power of two.
    auto const half = static_cast<std::uint64_t>(impl::divided_up(b_row_bytes, 2));
    int const tile =
        static_cast<int>(std::min<std::uint64_t>(SpmmPolicy::widest_tile, std::bit_ceil(half)));
    std::int64_t const warps = rows * impl::divided_up(b_row_bytes, std::int64_t(2) * tile);
    return {tile, static_cast<int>(std::clamp<std::int64_t>(warps / warps_each, 1, most_rounds)),
            long_from};
  }
};

} // namespace heddle::cuda_native
