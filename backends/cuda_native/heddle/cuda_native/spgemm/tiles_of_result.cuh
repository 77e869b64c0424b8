// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The pattern of C in SpGEMM by dense tiles, when its blocks of 32 x 32 and their pairs of steps
// are listed (spgemm/blocks_of_result.cuh). A warp finds the entries of a block as a product of
// bits, row i of it in lane i: an entry in row i and column k of a step of A adds row k of the mask
// of B's step. The counts of its bits, summed over the blocks of a strip, give the offsets of C's
// rows and where a block begins in each of them, and columns are written from the bits. So rows of
// C are neither counted nor sorted by entries, and are exact: a block that has no entry is
// multiplied and stored nowhere.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/tile_types.cuh>
#include <heddle/impl/divided_up.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Blocks of C, and the steps that are multiplied for them.
struct BlocksOfSteps
{
  TileStep const *steps_of_a, *steps_of_b;
  StepMask const *masks_of_a, *masks_of_b;
  TileBlock const* blocks;
  NodeAlignment alignment;
  std::int64_t count, rows, columns; // blocks, and places of C's rows and columns
};

// The entries of the rows of a block of C: of_rows[n * 32 + i].columns. Numbers of pairs become the
// steps themselves, in place. `team` warps have a block, each a part of its pairs; a warp whose
// rows are full does not look at masks any more.
template <int team>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_multiply_masks_kernel(BlocksOfSteps product, StepPair* pairs, TileBlockRow* of_rows)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  constexpr int warps = independent_threads.threads_per_block / warp_size;
  static_assert(team == 1 || team == warps);
  static_assert(sizeof(StepPair) == sizeof(NumberedPair));
  __shared__ StepMask masks_of_a[warps][warp_size], masks_of_b[warps][warp_size];
  __shared__ unsigned of_parts[warps][warp_size];
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const part = warp % team;
  std::int64_t const n = (static_cast<std::int64_t>(blockIdx.x) * warps + warp) / team;
  if (n >= product.count)
    return; // of a team all warps or none
  TileBlock const block = product.blocks[n];
  auto const is_there = [&](int place, std::int64_t places) {
    return place < places && !product.alignment.is_gap(place);
  };
  unsigned const columns =
      __ballot_sync(all_lanes, is_there(block.column_strip * strip_size + lane, product.columns));
  unsigned const full = is_there(block.row_strip * strip_size + lane, product.rows) ? columns : 0;
  unsigned mask = 0;
  std::int64_t const count_of_block = block.pairs;
  std::int64_t const last = block.first_pair + count_of_block * (part + 1) / team;
  for (std::int64_t from = block.first_pair + count_of_block * part / team; from < last;
       from += warp_size)
  {
    auto const count = static_cast<int>(min(last - from, std::int64_t(warp_size)));
    bool const is_full = __all_sync(all_lanes, mask == full) != 0;
    __syncwarp(); // the masks before have been read
    if (lane < count)
    {
      NumberedPair const pair = reinterpret_cast<NumberedPair const*>(pairs)[from + lane];
      pairs[from + lane] = {product.steps_of_a[pair.a], product.steps_of_b[pair.b]};
      if (!is_full)
      {
        masks_of_a[warp][lane] = product.masks_of_a[pair.a];
        masks_of_b[warp][lane] = product.masks_of_b[pair.b];
      }
    }
    __syncwarp();
    for (int k = 0; !is_full && k < count; ++k)
    {
      unsigned const mine = reinterpret_cast<unsigned char const*>(masks_of_a[warp][k].words)[lane];
      StepMask const of_step = masks_of_b[warp][k];
#pragma unroll
      for (int inner = 0; inner < tile_size; ++inner)
        mask |= (mine >> inner & 1) != 0 ? of_step.words[inner] : 0;
    }
  }
  if constexpr (team > 1)
  {
    of_parts[warp][lane] = mask;
    __syncthreads();
    if (warp > 0)
      return;
    for (int other = 1; other < warps; ++other)
      mask |= of_parts[other][lane];
  }
  of_rows[n * strip_size + lane] = {0, mask};
}

// Where the blocks of strip s begin in each row of C, and how many entries rows have. rows: places
// of them. nnz: entries of all rows.
__global__ inline void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_count_rows_kernel(BlocksOfStrip const* strips, NodeAlignment alignment,
                             std::int64_t rows, TileBlockRow* of_rows, int* counts,
                             unsigned long long* nnz)
{
  constexpr int warps = independent_threads.threads_per_block / warp_size;
  __shared__ int of_warps[warps][strip_size];
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  auto const begin = static_cast<std::int64_t>(strips[blockIdx.x].first);
  std::int64_t const count = strips[blockIdx.x].count;
  std::int64_t const first = begin + count * warp / warps;
  std::int64_t const last = begin + count * (warp + 1) / warps;
  int sum = 0;
  for (std::int64_t n = first; n < last; ++n)
    sum += __popc(of_rows[n * strip_size + lane].columns);
  of_warps[warp][lane] = sum;
  __syncthreads();
  int before = 0, all = 0;
  for (int w = 0; w < warps; ++w)
  {
    before += w < warp ? of_warps[w][lane] : 0;
    all += of_warps[w][lane];
  }
  for (std::int64_t n = first; n < last; ++n)
  {
    TileBlockRow& of_row = of_rows[n * strip_size + lane];
    of_row.first = static_cast<std::uint32_t>(before);
    before += __popc(of_row.columns);
  }
  if (warp != 0)
    return;
  int const place = static_cast<int>(blockIdx.x) * strip_size + lane;
  if (place < rows && !alignment.is_gap(place))
    counts[alignment.index_at(place)] = all;
  auto const of_strip = sum_of_lanes(static_cast<unsigned long long>(all), warp_size);
  if (lane == 0)
    atomicAdd(nnz, of_strip);
}

// The columns of C from its blocks, a warp each.
template <class Offset, class Ordinal>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_write_columns_kernel(TileBlock const* blocks, TileBlockRow const* of_rows,
                                NodeAlignment alignment, std::int64_t count, std::int64_t rows,
                                Offset const* offsets, Ordinal* columns)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  std::int64_t const n =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (n >= count)
    return;
  TileBlock const block = blocks[n];
  TileBlockRow const mine = of_rows[n * strip_size + lane];
  int const row = alignment.index_at(block.row_strip * strip_size + lane);
  std::int64_t const begin =
      row < rows ? static_cast<std::int64_t>(offsets[row]) + mine.first : std::int64_t(0);
  auto const column =
      static_cast<Ordinal>(alignment.index_at(block.column_strip * strip_size + lane));
  // Rows that have entries, one after the other.
  for (unsigned left = __ballot_sync(all_lanes, mine.columns != 0); left != 0; left &= left - 1)
  {
    int const r = __ffs(static_cast<int>(left)) - 1;
    unsigned const of_row = __shfl_sync(all_lanes, mine.columns, r);
    std::int64_t const to = __shfl_sync(all_lanes, begin, r);
    if ((of_row >> lane & 1) != 0)
      columns[to + __popc(of_row & ((1U << lane) - 1))] = column;
  }
}

// The steps of pairs, the entries of blocks and the counts of C's rows. Asynchronous.
inline void multiply_masks(Kokkos::Cuda const& exec, BlocksOfSteps const& product,
                           BlocksOfStrip const* of_strips, StepPair* pairs, TileBlockRow* of_rows,
                           int* counts, unsigned long long* nnz)
{
  constexpr int warps = independent_threads.threads_per_block / warp_size;
  if (product.count * warps <= device_shape(exec).warps())
    launch(exec, "heddle::spgemm::multiply_masks", spgemm_multiply_masks_kernel<warps>,
           Grid{product.count, independent_threads.threads_per_block}, product, pairs, of_rows);
  else
    launch(exec, "heddle::spgemm::multiply_masks", spgemm_multiply_masks_kernel<1>,
           one_thread_each(product.count * warp_size), product, pairs, of_rows);
  launch(exec, "heddle::spgemm::count_rows", spgemm_count_rows_kernel,
         Grid{impl::divided_up(product.rows, strip_size), independent_threads.threads_per_block},
         of_strips, product.alignment, product.rows, of_rows, counts, nnz);
}

} // namespace heddle::cuda_native
