// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// When SpMM of CSR goes by tiles of entries (spmm/csr_tiles.cuh), and how these are cut.

#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace heddle::cuda_native
{

// Measured on an H200 over the zoo's tuning part (docs/spmm.md).
struct SpmmTilesPolicy
{
  static constexpr int log_threads = 7, threads_per_block = 1 << log_threads;
  static constexpr int shortest_tile = 256;
  static constexpr std::int64_t longest_tile = 1024;
  static constexpr int blocks_per_shared_row = 8; // clusters that every Hopper GPU has
  template <class Scalar>
  static constexpr int blocks()
  {
    return sizeof(Scalar) <= 8 ? 8 : 6;
  }

  // Of B: a row takes so few lanes that a warp has eight of them or more.
  static bool is_narrow(std::int64_t b_row_bytes) { return b_row_bytes <= 64; }
  // Of a tile and its last row, which may be long too.
  static std::int64_t most_entries(std::int64_t length, std::int64_t longest)
  {
    return length + std::min(longest, length);
  }
  // Rows and entries of a tile: so few that there are blocks enough, but several rows, and that
  // shared memory for its entries, which is taken from the first-level cache, leaves some of that.
  static int length(impl::RowStatistics const& rows, std::size_t value_bytes, int multiprocessors)
  {
    constexpr std::int64_t blocks_each = 8, most_bytes = 20 << 10;
    auto const bytes = static_cast<std::int64_t>(value_bytes + 2 * sizeof(int));
    std::int64_t length = shortest_tile;
    while (length < longest_tile && most_entries(2 * length, rows.longest) * bytes <= most_bytes &&
           ((rows.rows + rows.nonzeros) / (2 * length) >= blocks_each * multiprocessors ||
            static_cast<double>(length) < 4 * rows.mean()))
      length *= 2;
    return static_cast<int>(length);
  }
  // Rows that a cluster shares: those that one block would still work on when all others are done,
  // if they are fewer than multiprocessors. With clusters in the grid the other blocks take longer
  // by some percent.
  static std::int64_t shared_from(std::int64_t nonzeros) { return 512 + nonzeros / 256; }
  // ... and those that a cluster would; a block, where there are no clusters.
  static std::int64_t longest_row(std::int64_t nonzeros, bool has_clusters)
  {
    return (has_clusters ? blocks_per_shared_row : 1) * (1088 + nonzeros / 352);
  }
  // The same with a wider B, with which a block has a quarter as many groups of lanes. None is
  // shared where the longest is so short beside all work that a block is done with it in time.
  static std::int64_t shared_from_if_wide(impl::RowStatistics const& rows)
  {
    return rows.longest > longest_row_if_wide(rows.nonzeros, false)
               ? 512 + rows.nonzeros / 1024
               : std::numeric_limits<std::int64_t>::max();
  }
  static std::int64_t longest_row_if_wide(std::int64_t nonzeros, bool has_clusters)
  {
    return has_clusters ? 4096 + nonzeros / 72 : 512 + nonzeros / 512;
  }
  // Fewer rows and entries, if no row is long, are done earlier by csr_rows, which has one load
  // less that waits for another; long ones it cuts in segments, whose sums need a launch of their
  // own.
  static bool are_enough(impl::RowStatistics const& rows, int multiprocessors)
  {
    constexpr std::int64_t each = 6000;
    return rows.rows + rows.nonzeros >= each * multiprocessors || rows.longest > longest_tile;
  }
  // Rows of different lengths, of so few entries in the mean that csr_rows spends as much on a row
  // as on them; also with a wider B.
  static bool are_short(impl::RowStatistics const& rows)
  {
    constexpr double longest_short_mean = 10.0;
    return rows.mean() <= longest_short_mean;
  }
  // Whether a call is faster by tiles than by csr_rows. empty_rows: of `rows`, whose zeros a thread
  // of a tile stores alone, a wide row of C for long.
  static bool pay(impl::RowStatistics const& rows, std::int64_t empty_rows,
                  std::int64_t b_row_bytes, int multiprocessors, bool has_clusters)
  {
    constexpr std::int64_t least_bytes = 480 << 10, few_each = 4000, widest_b_row = 256;
    if (is_narrow(b_row_bytes))
      return are_enough(rows, multiprocessors);
    if (SpmmCsrPolicyFor::is_regular(rows) || 2 * empty_rows > rows.rows ||
        rows.longest > longest_row_if_wide(rows.nonzeros, has_clusters))
      return false;
    std::int64_t const size = rows.rows + rows.nonzeros;
    bool const has_long = rows.longest > longest_tile;
    if (are_short(rows))
      return has_long || size * b_row_bytes >= least_bytes * multiprocessors;
    // csr_rows has a second launch for the sums of segments, which weighs in a short call.
    return has_long && size <= few_each * multiprocessors && b_row_bytes <= widest_b_row;
  }
  // Bytes of a row of B in a tile of B, `most` at most: with a wider B so few that a group of lanes
  // has 64 entries or fewer, and that there are blocks enough.
  static int b_tile(int length, std::int64_t tiles, std::int64_t b_row_bytes, int most,
                    int multiprocessors)
  {
    constexpr int narrowest = 128, of_shortest = SpmmPolicy::widest_tile;
    constexpr std::int64_t blocks_each = 2;
    if (is_narrow(b_row_bytes))
      return narrowest;
    int bytes =
        std::clamp(of_shortest * shortest_tile / length, narrowest, std::max(narrowest, most));
    while (bytes > narrowest && tiles * impl::divided_up(b_row_bytes, std::int64_t(bytes)) <
                                    blocks_each * multiprocessors)
      bytes /= 2;
    return bytes;
  }
  // Rows that are alike and of more than longest_mean entries: csr_rows gives each a warp or a
  // block, which no longer row keeps waiting, and does not cut them if none is longer than a tile.
  static bool has_longer_rows_alike(impl::RowStatistics const& rows)
  {
    constexpr double longest_mean = 64.0;
    return rows.mean() > longest_mean && rows.longest <= longest_tile;
  }
  // Groups of lanes that have neighbouring rows of a band read neighbouring rows of B, which are in
  // one line of the cache.
  static constexpr double most_shifted = 0.75;
};

} // namespace heddle::cuda_native
