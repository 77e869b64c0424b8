// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

struct SpmvCsrTilesPolicy
{
  int threads_per_block;
  int entries_per_tile;    // rows and entries; four times a multiple of the threads
  int most_blocks_per_row; // longer than a tile; clusters of 8 are what every Hopper GPU has
  int blocks_per_processor;
  int long_row, long_row_per_thread; // longer rows of a tile are left to whole warps
};

// Small blocks, all that fit: a block waits for memory three times and has nothing else to do
// meanwhile. Measured on an H200 over 42 matrices, 2026-11-22: docs/spmv.md. Of 16-byte values half
// as many, whose registers would not do.
template <std::size_t value_bytes>
struct SpmvCsrTilesPolicyFor
{
  static constexpr SpmvCsrTilesPolicy value{256, 1024, 8, value_bytes > 8 ? 4 : 8, 8, 16};
};

// Blocks that share each row longer than a tile: one, unless it would work when all others are
// done, so the longest row may have the more entries the more the matrix has. Measured on an H200
// over 13 matrices, 2026-11-22: docs/spmv.md.
inline int blocks_per_long_row(std::int64_t longest, std::int64_t nonzeros)
{
  constexpr int most = SpmvCsrTilesPolicyFor<1>::value.most_blocks_per_row;
  std::int64_t const each = 8192 + nonzeros / 512;
  int blocks = 1;
  while (blocks < most && longest > blocks * each)
    blocks *= 2;
  return blocks;
}

} // namespace heddle::cuda_native
