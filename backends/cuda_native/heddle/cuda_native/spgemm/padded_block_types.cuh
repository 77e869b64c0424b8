// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What kernels of nodes with gaps see of nodes and of padded blocks (spgemm/padded_blocks.cuh).

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// Which rows are which nodes.
template <class Ordinal>
struct NodeRanges
{
  Ordinal const* firsts; // first row of each node; behind the last the number of rows
  Ordinal const* before; // nodes that begin before each row; behind the last all

  __device__ Ordinal node_of(Ordinal row) const { return before[row + 1] - 1; }
  __device__ int rows_of(std::int64_t node) const
  {
    return static_cast<int>(firsts[node + 1] - firsts[node]);
  }
};

// A row of a block: how many entries its row has in blocks before, and a bit for each of its
// columns that has one.
struct alignas(4) PaddedBlockRow
{
  std::uint16_t begin, columns;

  __device__ bool has(int column) const { return (columns >> column & 1) != 0; }
  // Entries before a column, from the row's first on.
  __device__ int place_of(int column) const
  {
    return begin + __popc(columns & ((1U << column) - 1));
  }
};
// Bit r * size + x of a block's mask says that row r has an entry in column x.
template <int size>
using BlockMask = std::conditional_t<(size <= 4), std::uint16_t, std::uint64_t>;
template <int size>
inline constexpr std::size_t bytes_of_mask = sizeof(BlockMask<size>);

// The blocks of a matrix of nodes with gaps, on the device.
template <class Ordinal, class Offset>
struct PaddedBlocks
{
  Offset const* offsets; // of the blocks of a node
  Ordinal const* columns;
  PaddedBlockRow const* rows;
};

} // namespace heddle::cuda_native
