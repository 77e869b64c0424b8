// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How csr_short (spmm/csr_short.cuh) goes through rows and tiles of B. Measured on an H200 over the
// zoo's tuning part and matrices made for it (docs/spmm.md).

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <algorithm>
#include <cstdint>

namespace heddle::cuda_native
{

// Of a launch: whether the last turn of a row has as many entries as are left, tiles of B that a
// group takes one after the other, and rows; groups that share a row, a power of two: more than one
// where B is one tile; tiles that a group takes at once, two at most, where the last turn is such
// and `tiles` is even.
struct ShortRowsShape
{
  bool is_exact;
  int tiles, rounds;
  int shares = 1;
  int packets = 1;
};

struct SpmmShortPolicy
{
  // Not where the rows of a warp would then take turns one after the other, two rows where they
  // have but one.
  static bool is_exact(double mean, int lanes)
  {
    constexpr int lanes_of_two = 16;
    constexpr double least_mean_of_two = 2.0;
    return lanes > lanes_of_two || (lanes == lanes_of_two && mean >= least_mean_of_two);
  }
  // Rows so alike that a group may take several one after the other: behind a long one the others
  // would wait.
  static bool are_even(impl::RowStatistics const& rows)
  {
    return static_cast<double>(rows.longest) <= 2.5 * rows.mean() + 8.0;
  }
  // Rows of a group, one after the other, each with `tiles` of `all` tiles of B: several where
  // there are warps enough without, so that fewer blocks begin; with a few warps more than the
  // device holds, most of it would wait for the last.
  static int rounds(std::int64_t rows, int lanes, int all, int tiles)
  {
    constexpr std::int64_t warps_each = 1 << 14;
    constexpr int least_lanes = 8, several = 4;
    std::int64_t const warps = rows * lanes / 32 * impl::divided_up(all, tiles);
    return lanes < least_lanes ? 1
                               : static_cast<int>(std::clamp<std::int64_t>(
                                     warps / warps_each, 1, std::max(several / tiles, 1)));
  }
  // Tiles of B of which what is in use stays in the second cache beside C; of one tile that is
  // `span_bytes` by the columns that rows span. The fewer entries a row has of a range of columns,
  // the more of the range is outside of its span.
  static int most_tiles(double span_bytes, double mean, DeviceShape const& device)
  {
    constexpr double share = 1.0 / 6.0;
    constexpr int most = 8;
    double const in_use = (mean > 1.0 ? (mean + 1.0) / (mean - 1.0) : 1.0) * span_bytes;
    int tiles = 1;
    while (tiles < most && 2 * tiles * in_use <= share * static_cast<double>(device.l2_bytes))
      tiles *= 2;
    return tiles;
  }
  // Whether short rows are faster one by one than in bundles on tensor cores, which gather that
  // many rows of B per entry: where groups take tiles of a row one after the other, unless hardly a
  // row of B would be gathered.
  static bool pays_beside_tensor_bundles(double mean, double gathered, int most_tiles)
  {
    constexpr double longest_mean = 12.0, few_gathered = 0.3;
    constexpr int least_tiles = 4;
    return mean < longest_mean && gathered > few_gathered && most_tiles >= least_tiles;
  }
  // ... that a group takes in a call with `all` tiles, if there are warps enough for each
  // multiprocessor to have as many as it holds, twice.
  static int tiles(std::int64_t rows, int lanes, int all, int most, int multiprocessors)
  {
    constexpr std::int64_t least_warps = 96;
    int tiles = 1;
    while (2 * tiles <= std::min(all, most) &&
           rows * lanes / 32 * impl::divided_up(all, std::int64_t(2) * tiles) >=
               least_warps * multiprocessors)
      tiles *= 2;
    return tiles;
  }
  // Tiles that a group takes at once: two where it takes some one after the other, and rows are so
  // long that finding them is not what takes the time.
  static int packets(double mean, int lanes, int tiles)
  {
    constexpr double least_mean = 8.0;
    constexpr int all_lanes = 32;
    return lanes == all_lanes && tiles >= 2 && mean >= least_mean ? 2 : 1;
  }
  // Groups that share a row in a call with one tile. Where two lanes have a row of B: as many as
  // leave each group some turns, and more where warps are few and each has eight entries. With more
  // lanes groups share rows that are long, or where a warp would wait for rows much longer than
  // others, or where warps are few.
  static int shares(impl::RowStatistics const& rows, int lanes)
  {
    constexpr int two_lanes = 2, four_lanes = 4, most_lanes = 8, most = 16;
    constexpr double two = 8.0, four = 16.0, sixteen = 256.0; // mean entries of a row
    double const mean = rows.mean();
    std::int64_t const warps = rows.rows * lanes / 32;
    if (lanes > most_lanes || mean < two)
      return 1;
    if (lanes <= two_lanes)
    {
      constexpr std::int64_t enough_warps = 1 << 12;
      constexpr double each = 8.0;
      int shares = mean < four ? 2 : mean < sixteen ? 4 : most;
      while (shares < most && warps * shares < enough_warps && mean >= 2.0 * each * shares)
        shares *= 2;
      return shares;
    }
    constexpr double long_mean = 48.0, uneven = 2.0;
    if (lanes <= four_lanes && mean >= long_mean)
      return 4;
    constexpr std::int64_t few_warps = 2560, some_warps = 12288;
    bool const are_uneven = static_cast<double>(rows.longest) >= uneven * mean;
    bool const are_two =
        (are_uneven && warps <= some_warps) || (lanes <= four_lanes && warps <= few_warps);
    return are_two ? 2 : 1;
  }
  // Of a call with `all` tiles for all rows of a matrix.
  static ShortRowsShape shape(impl::RowStatistics const& rows, int lanes, int all, int most,
                              int multiprocessors)
  {
    if (int const groups = all == 1 ? shares(rows, lanes) : 1; groups > 1)
      return {false, 1, 1, groups};
    bool const exact = is_exact(rows.mean(), lanes);
    int const each = exact ? tiles(rows.rows, lanes, all, most, multiprocessors) : 1;
    int const at_once = packets(rows.mean(), lanes, each);
    return {exact, each,
            are_even(rows)
                ? rounds(rows.rows, lanes, static_cast<int>(impl::divided_up(all, at_once)),
                         each / at_once)
                : 1,
            1, at_once};
  }
};

} // namespace heddle::cuda_native
