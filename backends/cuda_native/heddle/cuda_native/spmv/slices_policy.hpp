// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

struct SpmvSlicesPolicy
{
  int threads_per_block;
  int loads_in_flight; // entries that a thread loads before it uses the first
};

// Measured on an H200 over ten matrices, 2026-11-22: docs/spmv.md.
struct SpmvSlicesPolicyFor
{
  static constexpr SpmvSlicesPolicy value{128, 4};
  static constexpr int most_warps = value.threads_per_block / 32;

  // Lanes of a warp that share a row, for slices of so many rows: as many as make the warp's places
  // neighbours, and two where rows are not short and half a warp fills the lines that it reads.
  static int lanes_per_row(std::int64_t height, double mean, std::size_t value_bytes)
  {
    constexpr double not_short = 16.0;
    int lanes = 1;
    while (lanes < 32 && lanes * 2 * height <= 32)
      lanes *= 2;
    return lanes == 1 && mean > not_short && value_bytes >= sizeof(double) ? 2 : lanes;
  }

  // Warps that share the same rows: more than one where a lane would have many entries, so that
  // warps that run side by side read places that lie side by side; and where rows alone would not
  // fill the GPU, as long as lanes have two batches. 132 multiprocessors of an H200 hold 270336
  // threads.
  static int warps_per_row(std::int64_t rows, double mean, int lanes)
  {
    constexpr std::int64_t enough_threads = 270336;
    constexpr double many = 32.0, some = 16.0, two_batches = 2.0 * value.loads_in_flight;
    double const entries = mean / lanes;
    if (entries > many)
      return most_warps;
    int warps = lanes > 1 && entries > some ? 2 : 1;
    while (warps < most_warps && rows * lanes * warps < enough_threads &&
           entries > two_batches * warps)
      warps *= 2;
    return warps;
  }
};

} // namespace heddle::cuda_native
