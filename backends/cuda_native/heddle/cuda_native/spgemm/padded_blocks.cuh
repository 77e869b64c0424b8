// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A matrix as blocks of its nodes with gaps (spgemm/node_partition.cuh): a block for each two nodes
// that have an entry, of size x size values, as BSR has them, with +0 where there is no entry:
//
//   a b . | c       block 0   a b 0      a mask of size^2 bits per block, and per row of a block
//   d . . | e                 d 0 0      where its entries begin in their row and which columns
//   ------+---                0 0 0      they have
//
// Eight lanes go through the rows of a node side by side, a block after the other: the first is
// that of the least column that any row has next. Nothing is sorted, since rows are.

#include <heddle/accumulator.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/gaps_policy.hpp>
#include <heddle/cuda_native/spgemm/padded_block_types.cuh>
#include <heddle/impl/mismatch_flag.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::cuda_native
{

static_assert(spgemm_gaps_policy.most_entries_of_row <=
              std::numeric_limits<decltype(PaddedBlockRow::begin)>::max());

// Behind every column.
template <class Ordinal>
struct NoColumn
{
  static constexpr Ordinal value = std::numeric_limits<Ordinal>::max();
};

// take(n, block, row) for the blocks of a node, ascending: its number in the node, the
// node of its columns, and the lane's PaddedBlockRow. Lanes are eight neighbours, of which the
// first `size` have a row each, if the node has as many.
inline constexpr int lanes_of_node = 8;
template <int size, class Matrix, class Take>
__device__ void for_each_padded_block(Matrix const& m,
                                      NodeRanges<typename Matrix::ordinal_type> const& nodes,
                                      std::int64_t node, Take const& take)
{
  using Ordinal = typename Matrix::ordinal_type;
  constexpr Ordinal none = NoColumn<Ordinal>::value;
  int const lane = static_cast<int>(threadIdx.x) % lanes_of_node;
  unsigned const group =
      0xffU << (static_cast<int>(threadIdx.x) % warp_size / lanes_of_node * lanes_of_node);
  std::int64_t begin = 0, end = 0;
  if (lane < nodes.rows_of(node))
  {
    std::int64_t const row = static_cast<std::int64_t>(nodes.firsts[node]) + lane;
    begin = static_cast<std::int64_t>(m.offsets[row]);
    end = static_cast<std::int64_t>(m.offsets[row + 1]);
  }
  std::int64_t k = begin;
  for (std::int64_t n = 0;; ++n)
  {
    Ordinal columns[size]; // as many as a block may have
#pragma unroll
    for (int c = 0; c < size; ++c)
      columns[c] = k + c < end ? m.columns[k + c] : none;
    Ordinal least = columns[0];
#pragma unroll
    for (int mask = lanes_of_node / 2; mask > 0; mask /= 2)
    {
      Ordinal const other = __shfl_xor_sync(group, least, mask);
      least = other < least ? other : least;
    }
    if (least == none)
      return;
    Ordinal const block = nodes.node_of(least);
    Ordinal const first = nodes.firsts[block], past = nodes.firsts[block + 1];
    PaddedBlockRow row{static_cast<std::uint16_t>(k - begin), 0};
#pragma unroll
    for (int c = 0; c < size; ++c)
      if (columns[c] < past)
      {
        row.columns = static_cast<std::uint16_t>(row.columns | 1U << (columns[c] - first));
        ++k;
      }
    take(n, block, row);
  }
}

// The node that the lane's eight have; past the last they have none.
__device__ inline std::int64_t node_of_lanes()
{
  return (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / lanes_of_node;
}

// counts[node]: its blocks. Of `rows` places for nodes those behind the last are set to 0.
template <int size, class Matrix>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_count_padded_blocks_kernel(Matrix m, NodeRanges<typename Matrix::ordinal_type> nodes,
                                      typename Matrix::ordinal_type const* count,
                                      typename Matrix::ordinal_type* counts)
{
  using Ordinal = typename Matrix::ordinal_type;
  std::int64_t const node = node_of_lanes();
  if (node >= m.rows)
    return;
  std::int64_t blocks = 0;
  if (node < static_cast<std::int64_t>(*count))
    for_each_padded_block<size>(m, nodes, node,
                                [&](std::int64_t n, Ordinal, PaddedBlockRow) { blocks = n + 1; });
  if (threadIdx.x % lanes_of_node == 0)
    counts[node] = static_cast<Ordinal>(blocks);
}

// Columns, rows and masks of all blocks.
template <int size, class Matrix>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_write_padded_blocks_kernel(Matrix m, NodeRanges<typename Matrix::ordinal_type> nodes,
                                      std::int64_t count,
                                      typename Matrix::offset_type const* offsets,
                                      typename Matrix::ordinal_type* columns, PaddedBlockRow* rows,
                                      BlockMask<size>* masks)
{
  using Ordinal = typename Matrix::ordinal_type;
  std::int64_t const node = node_of_lanes();
  if (node >= count)
    return;
  int const lane = static_cast<int>(threadIdx.x) % lanes_of_node;
  unsigned const group =
      0xffU << (static_cast<int>(threadIdx.x) % warp_size / lanes_of_node * lanes_of_node);
  auto const first = static_cast<std::int64_t>(offsets[node]);
  // Each of the lanes holds one of eight blocks until these are written at once.
  Ordinal held = 0;
  std::uint64_t held_mask = 0;
  std::int64_t blocks = 0;
  for_each_padded_block<size>(
      m, nodes, node, [&](std::int64_t n, Ordinal block, PaddedBlockRow row) {
        std::uint64_t mask = static_cast<std::uint64_t>(row.columns) << (lane * size);
#pragma unroll
        for (int bit = lanes_of_node / 2; bit > 0; bit /= 2)
          mask |= __shfl_xor_sync(group, mask, bit);
        if (lane < size)
          rows[(first + n) * size + lane] = row;
        int const turn = static_cast<int>(n % lanes_of_node);
        held = lane == turn ? block : held;
        held_mask = lane == turn ? mask : held_mask;
        blocks = n + 1;
        if (turn == lanes_of_node - 1)
        {
          columns[first + n - turn + lane] = held;
          masks[first + n - turn + lane] = static_cast<BlockMask<size>>(held_mask);
        }
      });
  std::int64_t const rest = blocks % lanes_of_node;
  if (lane < rest)
  {
    columns[first + blocks - rest + lane] = held;
    masks[first + blocks - rest + lane] = static_cast<BlockMask<size>>(held_mask);
  }
}

template <class Value>
__device__ bool is_finite_value(Value const& value)
{
  if constexpr (impl::is_complex_v<Value>)
    return isfinite(value.real()) && isfinite(value.imag());
  else
    return isfinite(value);
}

// Values of all blocks, a warp a node. has_infinite: set where one is infinite or not a number.
// One node of a few is compared with the pattern of the plan.
template <int size, class Matrix>
__global__ void __launch_bounds__(independent_threads.threads_per_block) spgemm_pad_values_kernel(
    Matrix m, typename Matrix::ordinal_type const* firsts, std::int64_t count,
    PaddedBlocks<typename Matrix::ordinal_type, typename Matrix::offset_type> blocks,
    std::remove_const_t<typename Matrix::value_type>* values, int* has_infinite,
    impl::MismatchReport report)
{
  using Value = std::remove_const_t<typename Matrix::value_type>;
  constexpr int of_block = size * size;
  std::int64_t const node =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (node >= count)
    return;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  auto const first_row = static_cast<std::int64_t>(firsts[node]);
  auto const first = static_cast<std::int64_t>(blocks.offsets[node]);
  int const padded =
      static_cast<int>(static_cast<std::int64_t>(blocks.offsets[node + 1]) - first) * of_block;
  bool const is_checked = node % spgemm_panel_policy.rows_per_check == 0;
  bool is_finite = true, is_as_planned = true;
  constexpr int batch = 4;
  for (int from = lane; from < padded; from += batch * warp_size)
  {
    PaddedBlockRow row[batch];
    std::int64_t entry[batch];
    Value value[batch];
    auto const place_of = [&](int u) { return from + u * warp_size; };
#pragma unroll
    for (int u = 0; u < batch; ++u)
      row[u] = place_of(u) < padded ? blocks.rows[first * size + place_of(u) / size]
                                    : PaddedBlockRow{0, 0};
#pragma unroll
    for (int u = 0; u < batch; ++u)
    {
      int const r = place_of(u) / size % size, x = place_of(u) % size;
      value[u] = Value(0);
      if (row[u].has(x))
      {
        entry[u] = static_cast<std::int64_t>(m.offsets[first_row + r]) + row[u].place_of(x);
        value[u] = m.values[entry[u]];
      }
    }
#pragma unroll
    for (int u = 0; u < batch; ++u)
      if (place_of(u) < padded)
      {
        values[first * of_block + place_of(u)] = value[u];
        is_finite = is_finite && is_finite_value(value[u]);
        int const x = place_of(u) % size;
        if (is_checked && row[u].has(x))
          is_as_planned =
              is_as_planned && static_cast<std::int64_t>(m.columns[entry[u]]) ==
                                   firsts[blocks.columns[first + place_of(u) / of_block]] + x;
      }
  }
  if (!is_finite)
    *has_infinite = 1;
  if (!is_as_planned)
    report();
}

} // namespace heddle::cuda_native
