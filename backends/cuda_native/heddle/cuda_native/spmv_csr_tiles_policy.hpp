// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace heddle::cuda_native
{

struct SpmvCsrTilesPolicy
{
  int threads_per_block;
  int entries_per_tile;   // rows and entries; four times a multiple of the threads
  int blocks_per_cluster; // that share a row longer than a tile; 8 is what every Hopper GPU has
  int blocks_per_processor;
  int long_row, long_row_per_thread; // longer rows of a tile are left to whole warps
};

// Small blocks, all that fit: a block waits for memory three times and has nothing else to do
// meanwhile. Measured on an H200 over 35 matrices, 2026-11-22: docs/spmv.md. Of 16-byte values half
// as many, whose registers would not do.
template <std::size_t value_bytes>
struct SpmvCsrTilesPolicyFor
{
  static constexpr SpmvCsrTilesPolicy value{256, 1024, 8, value_bytes > 8 ? 4 : 8, 8, 16};
};

} // namespace heddle::cuda_native
