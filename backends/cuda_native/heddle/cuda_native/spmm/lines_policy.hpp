// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace heddle::cuda_native
{

// Not yet measured: the numbers are those of the kernels for CSR (spmm/csr_policy.hpp).
struct SpmmLinesPolicy
{
  static constexpr int threads_per_block = 128;
  // Thread blocks on a multiprocessor by the 4-byte words of sums and rows of B that a thread
  // holds.
  template <int words>
  static constexpr int blocks_per_processor = words <= 24 ? 8 : 5;

  // Rows that a group takes one after the other, at most as many as lanes a warp's: several where
  // rows are so short that the way from their lengths over the columns to B is longer than the
  // work, and there are enough of them.
  static int rows_per_group(std::int64_t rows, double mean, int lanes)
  {
    constexpr double longest_short_mean = 12.0;
    constexpr std::int64_t least_warps = 16 * 132;
    int const several = lanes >= 16 ? 8 : 4;
    bool const are_many = rows * lanes / 32 / several >= least_warps;
    return mean <= longest_short_mean && are_many ? several : 1;
  }
};

} // namespace heddle::cuda_native
