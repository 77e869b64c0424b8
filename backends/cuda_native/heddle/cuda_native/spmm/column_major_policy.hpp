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
  // Entries that a lane adds up of its own row; what is left the whole warp adds up.
  static constexpr int entries_of_lane = 16;

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
  // the caches, of which neighbouring rows may share some; dense operands from memory; what a lane
  // adds up one entry after the other; and what of the longest row is left to a warp.
  static double microseconds(ColumnMajorRows const& a, std::int64_t columns, std::int64_t rows_of_b,
                             int value_bytes, DeviceShape const& device)
  {
    double const of_sector = value_bytes > 4 ? 5.2 : 4.0, of_load = value_bytes > 4 ? 0.75 : 0.55;
    double const megaloads =
        1e-6 * static_cast<double>(a.rows.nonzeros) * static_cast<double>(columns);
    int const lanes = shape(a.rows, columns, device).lanes;
    std::int64_t const most = std::int64_t(lanes) * entries_of_lane;
    auto const of_lane = static_cast<double>(std::min(a.rows.longest, most)) / lanes;
    auto const of_warp = static_cast<double>(std::max<std::int64_t>(a.rows.longest - most, 0)) / 32;
    return 7.1 + megaloads * (of_load + of_sector * a.scattered) +
           0.13 * megabytes(a.rows.rows + rows_of_b, columns, value_bytes) + 0.09 * of_lane +
           0.17 * of_warp;
  }
  // ... and by row-major copies: three launches; B and C read and written once more; rows of B.
  static double microseconds_by_copies(ColumnMajorRows const& a, std::int64_t columns,
                                       std::int64_t rows_of_b, int value_bytes)
  {
    return 17.5 + 1.15 * megabytes(a.rows.rows + rows_of_b, columns, value_bytes) +
           0.036 * megabytes(a.rows.nonzeros, columns, value_bytes);
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
