// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace heddle::cuda_native
{

// Measured on an H200 for blocks of 3, 4 and 6 (docs/spmm.md); those of other sizes follow from the
// registers of a thread (sums, and rows of B on their way, each packet four of them).
struct SpmmBsrPolicy
{
  static constexpr int threads_per_block = 128;

  // Square blocks of these sizes have a kernel that knows the size.
  static constexpr bool is_compiled(int height, int width)
  {
    return height == width && height >= 2 && height <= 8 && height != 7;
  }
  // A lane has two packets of columns where that leaves its group enough lanes to read whole
  // sectors: a value from shared memory then serves twice as many columns. The sums of larger
  // blocks would not fit.
  static constexpr int largest_of_two_packets = 4;
  static constexpr bool takes_two_packets(int size, std::int64_t packets_of_row)
  {
    constexpr std::int64_t least_lanes = 8;
    return size <= largest_of_two_packets && packets_of_row >= 2 * least_lanes;
  }
  // Blocks whose rows of B are on their way at once, and columns of a block that are: up to six
  // packets, eight where a lane has two.
  template <int size, int packets>
  static constexpr int blocks_in_flight = size == 2 ? 2 / packets : 1;
  template <int size>
  static constexpr int columns_in_flight = size <= 6 ? size : 4;
  // Blocks that a group has in shared memory at once: one and a half columns a lane.
  template <int size, int packets>
  static int staged_blocks(int lanes)
  {
    auto const blocks = static_cast<unsigned>(3 * lanes / (2 * size));
    return std::max(static_cast<int>(std::bit_floor(blocks)), blocks_in_flight<size, packets>);
  }
  // Thread blocks on a multiprocessor by what a thread holds of sums and rows of B: about 40
  // registers come to these 4-byte words, more where blocks are very small or large.
  template <int size, int words>
  static constexpr int blocks_per_processor = size > 6      ? 4
                                              : size == 2   ? 7
                                              : words <= 24 ? 8
                                              : words <= 32 ? 7
                                              : words <= 48 ? 5
                                                            : 4;

  // Other shapes, not measured, with about 56 registers beside these words.
  template <int words>
  static constexpr int pieces_per_processor = words <= 24   ? 6
                                              : words <= 32 ? 5
                                              : words <= 56 ? 4
                                                            : 3;
  // A group takes so many rows of a block row, a power of two, in so many pieces.
  static constexpr int pieces(int height)
  {
    constexpr int most_rows = 8;
    return (height + most_rows - 1) / most_rows;
  }
  static constexpr int rows_of_piece(int height)
  {
    int const rows = (height + pieces(height) - 1) / pieces(height);
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(rows)));
  }
};

} // namespace heddle::cuda_native
