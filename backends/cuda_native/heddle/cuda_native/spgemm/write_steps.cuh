// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The steps and tiles of a matrix (spgemm/numeric_tiles.cuh). A thread block finds the steps of a
// group of rows twice (spgemm/tile_steps.cuh): to count them and, when all groups have their
// offsets, to write them, the place of each entry among the values of all tiles, and a mask that
// says which entries a step has.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/spgemm/numeric_tiles.cuh>
#include <heddle/cuda_native/spgemm/tile_steps.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Steps in the high half of a word and tiles in the low one.
struct StepCount
{
  static constexpr int shift = 32;
  static std::int64_t steps(unsigned long long both)
  {
    return static_cast<std::int64_t>(both >> shift);
  }
  static std::int64_t tiles(unsigned long long both)
  {
    return static_cast<std::int64_t>(static_cast<std::uint32_t>(both));
  }
};

// Of each group of rows the steps and tiles, and the first word of its first window; and of all.
template <bool are_columns_outer, class Matrix>
__global__ void __launch_bounds__(StepShape<are_columns_outer>::threads)
    spgemm_count_steps_kernel(Matrix m, std::int64_t columns, std::int64_t* counts,
                              int* first_words, unsigned long long* all)
{
  using Steps = StepsOfRows<are_columns_outer, Matrix>;
  __shared__ typename Steps::Memory memory;
  let_next_start();
  Steps steps(m, columns, blockIdx.x, memory);
  int start = steps.first_word();
  std::int64_t of_group = 0, tiles = 0;
  for (int word = start; word != Steps::no_word;)
  {
    steps.look_at(word);
    if (word == start && steps.behind() != Steps::no_word)
    {
      start = word = steps.behind(); // rows are not sorted
      continue;
    }
    StepsAndTiles const of_window = steps.number();
    of_group += of_window.steps();
    tiles += of_window.tiles();
    word = steps.ahead();
  }
  wait_for_previous(); // what follows waits for this kernel, and is to find A's steps as well
  if (threadIdx.x != 0)
    return;
  std::int64_t const both = (of_group << StepCount::shift) + tiles;
  counts[blockIdx.x] = both;
  atomicAdd(all, static_cast<unsigned long long>(both));
  first_words[blockIdx.x] = start;
}

// The steps of a matrix by group of rows: those of group g are first_step(g) .. first_step(g + 1) -
// 1, and its tiles likewise.
struct StepsByRow
{
  std::int64_t const* before; // steps and tiles of all groups before, those of A before B's
  int* columns;               // the group of columns of each step
  TileStep* steps;
  StepMask* masks;

  __device__ int first_step(std::int64_t group) const
  {
    return static_cast<int>((before[group] - before[0]) >> StepCount::shift);
  }
  __device__ std::uint32_t first_tile(std::int64_t group) const
  {
    return static_cast<std::uint32_t>(before[group]);
  }
};

// Where steps are written.
struct StepTargets
{
  StepsByRow by_row;
  int const* first_words;
  std::uint32_t* places;
  unsigned long long* entries; // different ones: fewer than there are where one stands twice
  int* offsets;                // of A's strips; null for B
};

// Adds bits to words of masks, those of up to most_together neighbouring lanes in one word
// together. word < 0: none. All lanes of the warp take part.
template <int most_together>
__device__ void add_to_masks(StepMask* masks, int word, unsigned bits)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
#pragma unroll
  for (int distance = 1; distance < most_together; distance *= 2)
  {
    int const other = __shfl_down_sync(all_lanes, word, static_cast<unsigned>(distance));
    unsigned const of_other = __shfl_down_sync(all_lanes, bits, static_cast<unsigned>(distance));
    bits |= lane + distance < warp_size && other == word ? of_other : 0;
  }
  int const before = __shfl_up_sync(all_lanes, word, 1);
  if (word >= 0 && (lane % most_together == 0 || before != word))
    atomicOr(&masks->words[0] + word, bits);
}

// The bits of a mask that other threads have written to.
__device__ inline int entries_of(StepMask const* mask)
{
  int entries = 0;
#pragma unroll
  for (int n = 0; n < StepMask::count; ++n)
    entries += __popc(__ldcg(&mask->words[n]));
  return entries;
}

template <bool are_columns_outer, class Matrix>
__global__ void __launch_bounds__(StepShape<are_columns_outer>::threads)
    spgemm_write_steps_kernel(Matrix m, std::int64_t columns, StepTargets to)
{
  using Shape = StepShape<are_columns_outer>;
  using Steps = StepsOfRows<are_columns_outer, Matrix>;
  constexpr int threads = Shape::threads;
  __shared__ typename Steps::Memory memory;
  __shared__ int of_warps[threads / warp_size];
  let_next_start();
  Steps steps(m, columns, blockIdx.x, memory);
  int entries = 0; // that are different
  int first_step = to.by_row.first_step(blockIdx.x);
  std::uint32_t first_tile = to.by_row.first_tile(blockIdx.x);
  if constexpr (!are_columns_outer)
    if (threadIdx.x == 0)
    {
      to.offsets[blockIdx.x] = first_step;
      if (blockIdx.x == gridDim.x - 1)
        to.offsets[gridDim.x] = to.by_row.first_step(gridDim.x);
    }
  for (int word = to.first_words[blockIdx.x]; word != Steps::no_word; word = steps.ahead())
  {
    steps.look_at(word);
    StepsAndTiles const of_window = steps.number();
    steps.for_each_step(word, [&](int step, int tile, unsigned tiles, int column) {
      int const n = first_step + step;
      to.by_row.steps[n] = TileStep::of(first_tile + static_cast<std::uint32_t>(tile), tiles);
      to.by_row.columns[n] = column;
      to.by_row.masks[n] = {};
    });
    __syncthreads();
    steps.for_each_entry([&](std::int64_t k, int r, int column, bool is_there) {
      int step = 0, tile = 0, mask_word = -1;
      unsigned bit = 0;
      int const c = column % Shape::columns;
      if (is_there && steps.find(word, r, column, step, tile))
      {
        to.places[k] = (first_tile + static_cast<std::uint32_t>(tile)) * values_of_tile +
                       static_cast<std::uint32_t>(Shape::place_of(r, c));
        mask_word = (first_step + step) * StepMask::count + Shape::word_of(r);
        bit = Shape::bit_of(r, c);
      }
      add_to_masks<Shape::entries_of_word>(to.by_row.masks, mask_word, bit);
    });
    __syncthreads();
    for (int n = static_cast<int>(threadIdx.x); n < of_window.steps(); n += threads)
      entries += entries_of(to.by_row.masks + first_step + n);
    first_step += of_window.steps();
    first_tile += static_cast<std::uint32_t>(of_window.tiles());
  }
  entries = sum_of_block<threads>(entries, of_warps);
  wait_for_previous(); // what follows waits for this kernel, and is to find A's steps as well
  if (threadIdx.x == 0)
    atomicAdd(to.entries, static_cast<unsigned long long>(entries));
}

} // namespace heddle::cuda_native
