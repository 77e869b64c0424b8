// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How a matrix is cut into row segments where nobody says.

#include <heddle/row_segmented_matrix.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// A panel of B, as many rows as the panel has columns and a tile of its columns, lies in shared
// memory: panel_width * tile * sizeof(value) * blocks is what a multiprocessor has (paper 000,
// section 3.1, which has tiles of 64 and two blocks). Shared memory is that of Hopper, 228 KiB, of
// which the system takes one for each block (CUDA C++ Programming Guide, compute capability 9.0).
struct RowSegmentPolicy
{
  static constexpr std::int64_t shared_bytes_per_processor = 228 << 10;
  static constexpr std::int64_t reserved_bytes_per_block = 1 << 10;
  static constexpr std::int64_t blocks_per_processor = 2;
  static constexpr std::int64_t tile = 64;
  // In the middle of 1 .. 16, among which the paper finds its thresholds (section 4.2).
  // Limit: the paper's model would choose one for each matrix.
  static constexpr std::int64_t threshold = 8;

  static constexpr std::int64_t panel_width(std::size_t value_bytes)
  {
    return (shared_bytes_per_processor / blocks_per_processor - reserved_bytes_per_block) /
           (tile * static_cast<std::int64_t>(value_bytes));
  }
};

// shape with defaults for zeros.
template <class Value>
RowSegmentShape with_defaults(RowSegmentShape shape)
{
  if (shape.panel_width == 0)
    shape.panel_width = RowSegmentPolicy::panel_width(sizeof(Value));
  if (shape.threshold == 0)
    shape.threshold = RowSegmentPolicy::threshold;
  return shape;
}

} // namespace heddle::impl
