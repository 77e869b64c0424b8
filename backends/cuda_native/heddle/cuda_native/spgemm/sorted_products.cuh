// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The columns of a short row's products in registers of a group of lanes, sorted by a bitonic
// network (Batcher 1968); the row's columns are the first of each kind.

#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/product_sequence.cuh>
#include <heddle/cuda_native/spgemm/word_tables.hpp>

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

// keys[t] of a thread: how far product t * threads + thread is from the row's first column, above
// so many bits that are what note(product, entry of A, entry of B) says; none behind the last
// product.
template <int threads, int bits_below, int items, class Sequence, class B, class Ordinal,
          class Note>
__device__ void load_distances(Sequence const& sequence, B const& b, int entries, int thread,
                               Ordinal first, std::uint32_t none, Note const& note,
                               std::uint32_t (&keys)[items])
{
  int const products = sequence.starts[entries];
#pragma unroll
  for (int t = 0; t < items; ++t)
  {
    int const product = t * threads + thread;
    keys[t] = none;
    if (product < products)
    {
      int const k = entry_of(sequence, entries, product);
      std::int64_t const at = sequence.begins[k] + product - sequence.starts[k];
      keys[t] =
          static_cast<std::uint32_t>(b.columns[at] - first) << bits_below | note(product, k, at);
    }
  }
}

// The products of a row, by column, over the lanes of its group: sorted distances from the row's
// first column, above so many bits of what is theirs, of which the first of each kind counts.
template <int lanes, int items, class Ordinal, int bits_below = 0>
struct SortedProducts
{
  static constexpr std::uint32_t none = 0xffffffffU;
  Ordinal first;
  std::uint32_t keys[items], last_before; // the key before the lane's first
  int rank;                               // columns before the lane's first
  int count, blocks;                      // of the row: columns, blocks of 32 with any

  // Of the entries of A in sequence. note(product, entry of A, entry of B) says what stands below
  // the distance of a product. All lanes of the warp take part.
  template <class Sequence, class B, class Note>
  __device__ SortedProducts(Sequence const& sequence, B const& b, int entries, Ordinal first_column,
                            Note const& note)
      : first(first_column)
  {
    constexpr unsigned all_lanes = 0xffffffffU;
    load_distances<lanes, bits_below>(sequence, b, entries, lane(), first, none, note, keys);
    sort_in_registers<lanes, items>(keys);
    last_before = __shfl_up_sync(all_lanes, keys[items - 1], 1, lanes);
    int of_lane = 0;
    blocks = 0;
#pragma unroll
    for (int t = 0; t < items; ++t)
    {
      of_lane += is_new(t) ? 1 : 0;
      blocks += is_new(t) && (is_first(t) || block_of(keys[t]) != block_of(before(t))) ? 1 : 0;
    }
    rank = inclusive_sum_of_lanes<lanes>(of_lane);
    count = __shfl_sync(all_lanes, rank, lanes - 1, lanes);
    rank -= of_lane;
    blocks = sum_of_lanes(blocks, lanes);
  }

  // The columns, each once, in order.
  __device__ void write(Ordinal* columns) const
  {
    int at = rank;
#pragma unroll
    for (int t = 0; t < items; ++t)
      if (is_new(t))
        columns[at++] = column_of(keys[t]);
  }

  __device__ bool is_new(int t) const
  {
    return keys[t] != none && (is_first(t) || keys[t] >> bits_below != before(t) >> bits_below);
  }

private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % lanes; }
  __device__ static bool is_first(int t) { return t == 0 && lane() == 0; }
  __device__ std::uint32_t before(int t) const
  {
    return t > 0 ? keys[t > 0 ? t - 1 : 0] : last_before;
  }
  __device__ Ordinal column_of(std::uint32_t key) const
  {
    return first + static_cast<Ordinal>(key >> bits_below);
  }
  __device__ Ordinal block_of(std::uint32_t key) const { return column_of(key) / columns_per_word; }
};

using SortedBlocks = BinBlocks<SpgemmPolicyFor::value.sorted_bins>;
// first: the first bin of sorted rows.
inline SortedBlocks blocks_of_sorted(RowBins const& bins, int first)
{
  return {bins, first, [](int c) {
            return SpgemmPolicyFor::value.shared_block / SpgemmPolicyFor::sorted_lanes(c);
          }};
}

} // namespace heddle::cuda_native
