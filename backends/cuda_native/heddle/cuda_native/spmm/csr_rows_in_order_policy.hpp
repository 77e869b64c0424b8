// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// When short rows go in their order beside long ones (spmm/csr_rows_in_order.cuh), and how.

#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <algorithm>
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
  // Entries from which on a row is a block's, and from which on it is cut into segments: a warp of
  // a block adds up an eighth of the latter one after the other.
  static constexpr std::int64_t long_from = 32, segment = 512;
  static constexpr std::int64_t least_rows = std::int64_t(1) << 15;

  // Whether a plan for rows of different lengths prepares for such calls.
  static bool may_pay(impl::RowStatistics const& rows)
  {
    constexpr double longest_short_mean = 12.0;
    return !SpmmCsrPolicyFor::is_regular(rows) && rows.rows >= least_rows &&
           rows.mean() <= longest_short_mean;
  }
  // Whether a call of such a plan goes that way and not by the list.
  static bool pays(std::int64_t b_row_bytes)
  {
    constexpr std::int64_t least_bytes = 512;
    return b_row_bytes >= least_bytes;
  }
  // ... and not by tiles of entries, which do without the order: not where hardly a row has columns
  // of the rows before it.
  static bool pays_beside_tiles(impl::RowStatistics const& rows, double alone)
  {
    constexpr std::int64_t many_rows = std::int64_t(1) << 16;
    constexpr double most_alone = 0.97;
    return rows.rows >= many_rows && alone <= most_alone;
  }
  static RowsInOrderShape shape(std::int64_t rows, std::int64_t b_row_bytes)
  {
    constexpr std::int64_t warps_each = 1 << 14;
    constexpr int most_rounds = 4;
    int const tile = static_cast<int>(
        std::min<std::int64_t>(SpmmPolicy::widest_tile, impl::divided_up(b_row_bytes, 2)));
    std::int64_t const warps = rows * impl::divided_up(b_row_bytes, std::int64_t(2) * tile);
    return {tile, static_cast<int>(std::clamp<std::int64_t>(warps / warps_each, 1, most_rounds)),
            long_from};
  }
};

} // namespace heddle::cuda_native
