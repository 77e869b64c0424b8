// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How wide panels of row segments are where nobody says.

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// A panel of B, as many rows as the panel has columns and a tile of its columns, lies in shared
// memory: panel_width * tile * sizeof(value) * blocks is what a multiprocessor has (paper 000,
// section 3.1, which has two blocks). Shared memory is that of Hopper, 228 KiB, of
// which the system takes one for each block (CUDA C++ Programming Guide, compute capability 9.0).
struct RowSegmentPolicy
{
  static constexpr std::int64_t shared_bytes_per_processor = 228 << 10;
  static constexpr std::int64_t reserved_bytes_per_block = 1 << 10;
  static constexpr std::int64_t blocks_per_processor = 2;

  // tile: columns of B that a block takes at once.
  static constexpr std::int64_t panel_width(std::size_t value_bytes, std::int64_t tile)
  {
    return (shared_bytes_per_processor / blocks_per_processor - reserved_bytes_per_block) /
           (tile * static_cast<std::int64_t>(value_bytes));
  }
};

} // namespace heddle::impl
