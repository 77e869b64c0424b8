// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which entries the blocks of C = A B have, for nodes with gaps (spgemm/nodes_with_gaps.cuh): the
// boolean product of the masks of A's and B's blocks, at the slots that the numeric phase sums at,
// which are found at once. A warp has the masks of a row of C's blocks in shared memory, and takes
// one block of A after the other, its lanes side by side through the blocks of B: each column once,
// so nothing is atomic.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/numeric_panel.cuh>
#include <heddle/cuda_native/spgemm/padded_block_types.cuh>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// Words that masks of C are in while they are found.
template <int size>
using MaskWord = std::conditional_t<(size <= 4), std::uint32_t, std::uint64_t>;

// Entries of a product of blocks: row r has those of the rows of B that row r of A has columns for.
template <int size>
__device__ MaskWord<size> boolean_product(MaskWord<size> a, MaskWord<size> b)
{
  using Word = MaskWord<size>;
  constexpr Word row = (Word(1) << size) - 1;
  Word first_column = 0; // of all rows
#pragma unroll
  for (int r = 0; r < size; ++r)
    first_column |= Word(1) << (r * size);
  Word product = 0;
#pragma unroll
  for (int s = 0; s < size; ++s)
    product |= (a >> s & first_column) * (b >> (s * size) & row);
  return product;
}

// Rows of blocks as the kernels read them.
template <class Matrix, int size>
struct MaskedBlocks
{
  Matrix graph;
  BlockMask<size> const* masks;
};

// Slots of the products of C's blocks (spgemm/panel_slots.cuh), block_rows of C, and counts: the
// entries of its rows. Each product's column is searched among those of the row of C, which have a
// copy in shared memory behind the masks.
template <int size, class A, class B, class Offset>
__global__ void __launch_bounds__(spgemm_panel_policy.single_block)
    spgemm_masks_of_result_kernel(MaskedBlocks<A, size> a, MaskedBlocks<B, size> b,
                                  Offset const* c_offsets,
                                  typename A::ordinal_type const* c_columns,
                                  PanelRows<typename A::ordinal_type> list,
                                  std::int64_t const* slot_offsets, std::uint16_t* slots,
                                  typename A::ordinal_type const* firsts,
                                  PaddedBlockRow* block_rows, typename A::ordinal_type* counts)
{
  using Word = MaskWord<size>;
  using Ordinal = typename A::ordinal_type;
  constexpr unsigned all_lanes = 0xffffffffU;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / warp_size) + warp;
  if (n >= list.count)
    return;
  auto const i = static_cast<std::int64_t>(list.list[n]);
  auto const c_begin = static_cast<std::int64_t>(c_offsets[i]);
  int const count = static_cast<int>(static_cast<std::int64_t>(c_offsets[i + 1]) - c_begin);
  auto* const masks = reinterpret_cast<Word*>(dynamic_shared() + warp * list.bytes);
  auto* const columns_of_c = reinterpret_cast<Ordinal*>(masks + (count + 1) / 2 * 2);
  for (int k = lane; k < count; k += warp_size)
  {
    masks[k] = 0;
    columns_of_c[k] = c_columns[c_begin + k];
  }
  __syncwarp();
  auto const column_of_slot = [&](int s) { return columns_of_c[s]; };
  auto const a_begin = static_cast<std::int64_t>(a.graph.begin_of(i));
  int const entries = a.graph.length_of(i);
  std::uint16_t* to = slots + slot_offsets[i];
  for (int first = 0; first < entries; first += warp_size)
  {
    PanelFactorRow mine;
    Word mask_of_a = 0;
    if (first + lane < entries)
    {
      std::int64_t const block = a_begin + first + lane;
      mine = NodesInCsr<1>::row_of(b.graph, static_cast<std::int64_t>(a.graph.columns[block]));
      mask_of_a = a.masks[block];
    }
    // Two blocks of A at once, whose loads and searches need not wait for each other.
    for (int k = 0; k < min(warp_size, entries - first); k += 2)
    {
      bool const are_two = k + 1 < min(warp_size, entries - first);
      std::int64_t const begin = value_of_lane(mine.begin, k);
      std::int64_t const begin_of_next = value_of_lane(mine.begin, k + 1);
      int const width = value_of_lane(mine.width, k);
      int const width_of_next = are_two ? value_of_lane(mine.width, k + 1) : 0;
      Word const mask = __shfl_sync(all_lanes, mask_of_a, k);
      Word const mask_of_next = __shfl_sync(all_lanes, mask_of_a, k + 1);
      for (int from = 0; from < max(width, width_of_next); from += warp_size)
      {
        int const m = from + lane;
        int slot = 0, slot_of_next = 0;
        Word product = 0, product_of_next = 0;
        if (m < width)
        {
          product = boolean_product<size>(mask, b.masks[begin + m]);
          slot = impl::last_not_above(column_of_slot, count, b.graph.columns[begin + m]);
          to[m] = static_cast<std::uint16_t>(slot);
        }
        if (m < width_of_next)
        {
          product_of_next = boolean_product<size>(mask_of_next, b.masks[begin_of_next + m]);
          slot_of_next =
              impl::last_not_above(column_of_slot, count, b.graph.columns[begin_of_next + m]);
          to[width + m] = static_cast<std::uint16_t>(slot_of_next);
        }
        if (m < width)
          masks[slot] |= product;
        __syncwarp();
        if (m < width_of_next)
          masks[slot_of_next] |= product_of_next;
        __syncwarp();
      }
      to += width + width_of_next;
    }
  }
  int const rows = static_cast<int>(firsts[i + 1] - firsts[i]);
  int before[size] = {};
  for (int first = 0; first < count; first += warp_size)
  {
    Word const mask = first + lane < count ? masks[first + lane] : Word(0);
#pragma unroll
    for (int r = 0; r < size; ++r)
    {
      auto const columns = static_cast<unsigned>(mask >> (r * size)) & ((1U << size) - 1);
      int const own = __popc(columns);
      int const sum = inclusive_sum_of_lanes<warp_size>(own);
      if (first + lane < count)
        block_rows[(c_begin + first + lane) * size + r] = {
            static_cast<std::uint16_t>(before[r] + sum - own), static_cast<std::uint16_t>(columns)};
      before[r] += __shfl_sync(all_lanes, sum, warp_size - 1);
    }
  }
#pragma unroll
  for (int r = 0; r < size; ++r)
    if (lane == r && r < rows)
      counts[static_cast<std::int64_t>(firsts[i]) + r] = static_cast<Ordinal>(before[r]);
}

// Columns of C, a warp a node.
template <int size, class Ordinal, class Offset>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_columns_of_blocks_kernel(std::int64_t nodes, Ordinal const* firsts,
                                    PaddedBlocks<Ordinal, Offset> blocks, Offset const* row_offsets,
                                    Ordinal* columns)
{
  std::int64_t const node =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (node >= nodes)
    return;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  auto const first = static_cast<std::int64_t>(blocks.offsets[node]);
  int const places =
      static_cast<int>(static_cast<std::int64_t>(blocks.offsets[node + 1]) - first) * size;
  Ordinal const first_row = firsts[node], past = firsts[node + 1];
  std::int64_t begins[size]; // of rows; those that the node lacks have no columns
#pragma unroll
  for (int r = 0; r < size; ++r)
    begins[r] = static_cast<std::int64_t>(row_offsets[min(first_row + Ordinal(r), past)]);
  constexpr int batch = size <= 3 ? 4 : 2; // loads of all before what waits for them
  for (int from = lane; from < places; from += batch * warp_size)
  {
    PaddedBlockRow rows[batch][size];
    Ordinal column[batch];
#pragma unroll
    for (int u = 0; u < batch; ++u)
    {
      int const k = min(from + u * warp_size, places - 1), n = k / size;
      column[u] = static_cast<Ordinal>(firsts[blocks.columns[first + n]] + k % size);
#pragma unroll
      for (int r = 0; r < size; ++r)
        rows[u][r] = blocks.rows[(first + n) * size + r];
    }
#pragma unroll
    for (int u = 0; u < batch; ++u)
    {
      int const k = from + u * warp_size, x = k % size;
#pragma unroll
      for (int r = 0; r < size; ++r)
        if (k < places && rows[u][r].has(x))
          columns[begins[r] + rows[u][r].place_of(x)] = column[u];
    }
  }
}

} // namespace heddle::cuda_native
