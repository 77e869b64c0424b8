// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where SpMM takes column-major operands as they stand (spmm/column_major.cuh), and with which
// lanes.

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace heddle::cuda_native
{

// What a plan holds of the rows of A for that.
struct ColumnMajorRows
{
  impl::RowStatistics rows = {};
  double scattered = 1.0; // of RowOverlap
  bool is_known = false;
  std::int64_t long_entries = 0; // of rows that blocks take; 0: there is no list of them
};

// How a launch cuts the work: columns of B and C that a lane has, and lanes that share a row.
struct ColumnMajorShape
{
  int width, lanes;
  bool operator==(ColumnMajorShape const&) const = default;
};

// Measured on an H100 over the zoo's tuning part, k = 8, 32 and 128 (docs/spmm.md).
struct ColumnMajorPolicy
{
  static constexpr int threads_per_block = 128;
  // Entries of A whose rows of B, `bytes` bytes each, a lane loads before it uses the first.
  template <int bytes>
  static constexpr int entries_in_flight = bytes >= 64   ? 1
                                           : bytes >= 32 ? 2
                                                         : 4;
  // Entries that a lane adds up of its own row; what is left the whole warp adds up. Rows with
  // block_row entries and more have a block each where the plan lists them.
  static constexpr int entries_of_lane = 16;
  static constexpr std::int64_t block_row = 128;

  static constexpr int narrow = 2, wide = 4;
  // A lane for each four entries of a mean row, or for each where some rows are much longer; fewer
  // columns a lane where that leaves multiprocessors without warps to wait for.
  static ColumnMajorShape shape(impl::RowStatistics const& rows, std::int64_t columns,
                                DeviceShape const& device)
  {
    constexpr std::int64_t enough_warps = 23; // of a multiprocessor
    double const each = SpmmCsrPolicyFor::is_regular(rows) ? 4.0 : 1.0;
    auto const wanted = static_cast<std::uint64_t>(std::clamp(rows.mean() / each, 1.0, 32.0));
    auto const lanes = static_cast<int>(std::bit_floor(wanted));
    std::int64_t const warps = impl::divided_up(rows.rows * lanes, 32) * columns / wide;
    return {warps < enough_warps * device.multiprocessors ? narrow : wide, lanes};
  }

  // Microseconds of a call with the operands as they stand: the launch; B gathered by sectors from
  // the caches, of which neighbouring rows may share some, but not entries of one row; dense
  // operands from memory; what a lane adds up one entry after the other; what of the longest row is
  // left to a warp; and what a thread of its block adds up.
  static double microseconds(ColumnMajorRows const& a, std::int64_t columns, std::int64_t rows_of_b,
                             int value_bytes, DeviceShape const& device)
  {
    double const of_sector = value_bytes > 4 ? 4.2 : 2.6, of_load = value_bytes > 4 ? 0.85 : 0.6;
    auto const megaloads = [&](std::int64_t entries) {
      return 1e-6 * static_cast<double>(entries) * static_cast<double>(columns);
    };
    bool const has_blocks = a.long_entries > 0;
    std::int64_t const of_blocks = std::min(a.long_entries, a.rows.nonzeros);
    double const sectors =
        megaloads(a.rows.nonzeros - of_blocks) * a.scattered + megaloads(of_blocks);
    int const lanes = shape(a.rows, columns, device).lanes;
    std::int64_t const most = std::int64_t(lanes) * entries_of_lane;
    std::int64_t const longest = has_blocks ? block_row : a.rows.longest;
    auto const of_lane = static_cast<double>(std::min(longest, most)) / lanes;
    auto const of_warp = static_cast<double>(std::max<std::int64_t>(longest - most, 0)) / 32;
    double const of_thread =
        has_blocks ? static_cast<double>(a.rows.longest) / threads_per_block : 0.0;
    return 4.5 + of_load * megaloads(a.rows.nonzeros) + of_sector * sectors +
           0.3 * megabytes(a.rows.rows + rows_of_b, columns, value_bytes) + 0.12 * of_lane +
           0.1 * of_warp + 0.06 * of_thread;
  }
  // ... and by row-major copies: three launches, and more where csr_rows has a list of rows; B and
  // C read and written once more; rows of B.
  static double microseconds_by_copies(ColumnMajorRows const& a, std::int64_t columns,
                                       std::int64_t rows_of_b, int value_bytes)
  {
    return 10.6 + (a.long_entries > 0 ? 3.7 : 0.0) +
           1.05 * megabytes(a.rows.rows + rows_of_b, columns, value_bytes) +
           0.06 * megabytes(a.rows.nonzeros, columns, value_bytes);
  }
  static bool pays(ColumnMajorRows const& a, std::int64_t columns, std::int64_t rows_of_b,
                   int value_bytes, DeviceShape const& device)
  {
    constexpr double margin = 1.1; // estimates err
    return a.is_known && columns <= std::int64_t(device.most_blocks_y) * narrow &&
           margin * microseconds(a, columns, rows_of_b, value_bytes, device) <
               microseconds_by_copies(a, columns, rows_of_b, value_bytes);
  }

private:
  static double megabytes(std::int64_t rows, std::int64_t columns, int value_bytes)
  {
    return 1e-6 * static_cast<double>(rows) * static_cast<double>(columns) * value_bytes;
  }
};

} // namespace heddle::cuda_native
