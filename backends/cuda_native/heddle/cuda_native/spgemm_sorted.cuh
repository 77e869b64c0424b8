// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Symbolic phase of rows with few products: a group of lanes holds the columns of all products in
// registers, sorts them by a bitonic network (Batcher 1968; expand, sort and compress as in paper
// 003, II.B, within a warp) and keeps each once.

#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/row_classes.cuh>
#include <heddle/cuda_native/side_streams.cuh>
#include <heddle/cuda_native/spgemm_flat.cuh>
#include <heddle/cuda_native/spgemm_found.cuh>
#include <heddle/cuda_native/spgemm_policy.hpp>
#include <heddle/cuda_native/spgemm_survey.cuh>
#include <heddle/cuda_native/warp.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Sorts lanes * items keys of a group, item i of a lane being number lane * items + i.
template <int lanes, int items, class Key>
__device__ void sort_in_registers(Key (&keys)[items])
{
  int const lane = static_cast<int>(threadIdx.x) % lanes;
#pragma unroll
  for (int size = 2; size <= lanes * items; size *= 2)
#pragma unroll
    for (int stride = size / 2; stride > 0; stride /= 2)
    {
      if (stride < items)
      {
#pragma unroll
        for (int i = 0; i < items; ++i)
          if ((i & stride) == 0)
          {
            bool const is_up = ((lane * items + i) & size) == 0;
            Key const low = keys[i], high = keys[i + stride < items ? i + stride : i];
            bool const is_swapped = (low > high) == is_up;
            keys[i] = is_swapped ? high : low;
            keys[i + stride < items ? i + stride : i] = is_swapped ? low : high;
          }
      }
      else
      {
#pragma unroll
        for (int i = 0; i < items; ++i)
        {
          int const number = lane * items + i;
          Key const other = value_of_lane_xor(keys[i], stride / items);
          bool const keeps_smaller = ((number & stride) == 0) == ((number & size) == 0);
          keys[i] = (keys[i] < other) == keeps_smaller ? keys[i] : other;
        }
      }
    }
}

// Shared memory of a block.
struct SortedMemory
{
  FlatRows<SpgemmPolicy::flat_entries>
      flat[SpgemmPolicy::shared_block / SpgemmPolicy::sorted_lanes(0)];
};

// A block of rows of a class.
template <int lanes, int items, class A, class B, class COffset>
__device__ void
find_sorted_rows(A const& a, B const& b, ProductRow<typename A::ordinal> const* rows,
                 typename A::ordinal const* list, std::int64_t listed, std::int64_t block,
                 SortedMemory& memory, FoundColumns<typename A::ordinal, COffset> const& found)
{
  using Ordinal = typename A::ordinal;
  constexpr int groups = SpgemmPolicy::shared_block / lanes;
  constexpr unsigned all_lanes = 0xffffffffU;
  constexpr std::uint32_t none = 0xffffffffU;
  int const group = static_cast<int>(threadIdx.x) / lanes;
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  std::int64_t const n = block * groups + group;
  std::int64_t const i = found.row_of(list, n, listed);
  std::int64_t const begin = i < 0 ? 0 : static_cast<std::int64_t>(a.offsets[i]);
  int const entries =
      i < 0 ? 0 : static_cast<int>(static_cast<std::int64_t>(a.offsets[i + 1]) - begin);
  auto& flat = memory.flat[group];
  set_flat_rows<lanes>(flat, a, b, begin, entries);
  Ordinal const first = i < 0 ? Ordinal(0) : rows[i].first;
  int const products = flat.starts[entries];
  std::uint32_t keys[items];
#pragma unroll
  for (int t = 0; t < items; ++t)
  {
    int const product = t * lanes + lane;
    keys[t] = none;
    if (product < products)
    {
      int const k = entry_of(flat, entries, product);
      keys[t] =
          static_cast<std::uint32_t>(b.columns[flat.begins[k] + product - flat.starts[k]] - first);
    }
  }
  sort_in_registers<lanes, items>(keys);

  std::uint32_t const last_before = __shfl_up_sync(all_lanes, keys[items - 1], 1, lanes);
  auto const block_of = [&](std::uint32_t key) {
    return (first + static_cast<Ordinal>(key)) / SpgemmPolicy::columns_per_word;
  };
  int count = 0, blocks = 0;
#pragma unroll
  for (int t = 0; t < items; ++t)
  {
    std::uint32_t const before = t > 0 ? keys[t > 0 ? t - 1 : 0] : last_before;
    bool const is_first = t == 0 && lane == 0;
    bool const is_new = keys[t] != none && (is_first || keys[t] != before);
    count += is_new ? 1 : 0;
    blocks += is_new && (is_first || block_of(keys[t]) != block_of(before)) ? 1 : 0;
  }
  int rank = count;
  for (int distance = 1; distance < lanes; distance *= 2)
  {
    int const other = __shfl_up_sync(all_lanes, rank, static_cast<unsigned>(distance), lanes);
    if (lane >= distance)
      rank += other;
  }
  int const all = __shfl_sync(all_lanes, rank, lanes - 1, lanes);
  rank -= count;
  blocks = sum_of_lanes(blocks, lanes);
  if (found.is_first() && lane == 0 && i >= 0)
  {
    found.counts[i] = static_cast<Ordinal>(all);
    found.blocks[i] = static_cast<Ordinal>(blocks);
  }
  Ordinal* const place = place_for<SpgemmPolicy::shared_block, lanes>(found, i, all);
  if (place == nullptr)
    return;
#pragma unroll
  for (int t = 0; t < items; ++t)
  {
    std::uint32_t const before = t > 0 ? keys[t > 0 ? t - 1 : 0] : last_before;
    if (keys[t] != none && ((t == 0 && lane == 0) || keys[t] != before))
      place[rank++] = first + static_cast<Ordinal>(keys[t]);
  }
}

template <class A, class B, class COffset>
__global__ void __launch_bounds__(SpgemmPolicy::shared_block)
    spgemm_sorted_kernel(A a, B b, ProductRow<typename A::ordinal> const* rows,
                         typename A::ordinal const* list,
                         ClassBlocks<SpgemmPolicy::sorted_classes> classes,
                         FoundColumns<typename A::ordinal, COffset> found)
{
  __shared__ SortedMemory memory;
  classes.visit([&]<int c>(ClassIndex<c>, RowRange const& of_class, std::int64_t block) {
    find_sorted_rows<SpgemmPolicy::sorted_lanes(c), SpgemmPolicy::sorted_items(c)>(
        a, b, rows, list + of_class.first, of_class.count, block, memory, found);
  });
}

// Rows of the sorted classes. Asynchronous.
template <class A, class B, class COffset>
void find_sorted(SideStreams& side, A const& a, B const& b,
                 ProductRow<typename A::ordinal> const* rows, typename A::ordinal const* list,
                 RowClasses const& classes, FoundColumns<typename A::ordinal, COffset> const& found)
{
  ClassBlocks<SpgemmPolicy::sorted_classes> const blocks(classes, SymbolicClass::sorted, [](int c) {
    return SpgemmPolicy::shared_block / SpgemmPolicy::sorted_lanes(c);
  });
  launch(side, "heddle::spgemm::sorted", spgemm_sorted_kernel<A, B, COffset>,
         Grid{blocks.blocks(), SpgemmPolicy::shared_block}, a, b, rows, list, blocks, found);
}

} // namespace heddle::cuda_native
