// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The tiles of A and B (spgemm/numeric_tiles.cuh): a thread block finds the steps of a group of
// rows twice (spgemm/tile_steps.cuh), to count them and, when all groups have their offsets, to
// write them, the place of each entry among the values of all tiles, and a mask that says which
// entries a step has. Steps of A stand as strips of rows have them. Those of B are found by row,
// which the symbolic product of strips reads, and sorted by strip of columns, which the sums read.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/spgemm/numeric_tiles.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/tile_steps.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sort.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace heddle::cuda_native
{

// Memory of a call; of a plan it is KeptMemory (spgemm/kept_tiles.cuh).
template <class T>
using TileScratch = impl::Scratch<T, Kokkos::Cuda>;

// Tiles of a matrix in strips, with the place of each entry among the values of all tiles.
template <template <class> class Memory>
struct MatrixTiles
{
  Memory<int> offsets, groups;
  Memory<TileStep> steps;
  Memory<std::uint32_t> places;
  std::int64_t tiles = 0;

  TileStrips strips() const { return {offsets.data(), groups.data(), steps.data()}; }
  std::size_t values() const { return static_cast<std::size_t>(tiles) * values_of_tile; }
  std::size_t bytes() const
  {
    return offsets.size() * sizeof(int) + groups.size() * sizeof(int) +
           steps.size() * sizeof(TileStep) + places.size() * sizeof(std::uint32_t);
  }
};

// Steps in the high half of a word and tiles in the low one.
struct StepCount
{
  static constexpr int shift = 32;
  static std::int64_t steps(std::int64_t both) { return both >> shift; }
  static std::int64_t tiles(std::int64_t both) { return both & ((std::int64_t(1) << shift) - 1); }
};

// Of each group of rows the steps and tiles, and the first word of its first window.
template <bool are_columns_outer, class Matrix>
__global__ void __launch_bounds__(StepShape<are_columns_outer>::threads)
    spgemm_count_steps_kernel(Matrix m, std::int64_t* counts, int* first_words)
{
  using Steps = StepsOfRows<are_columns_outer, Matrix>;
  __shared__ typename Steps::Memory memory;
  Steps steps(m, blockIdx.x, memory);
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
  if (threadIdx.x != 0)
    return;
  counts[blockIdx.x] = (of_group << StepCount::shift) + tiles;
  first_words[blockIdx.x] = start;
}

// The steps of a matrix by group of rows: those of group g are steps(before[g]) ..
// steps(before[g + 1]) - 1 and its tiles likewise, both less what is before all groups.
struct StepsByRow
{
  std::int64_t const* before;
  std::int64_t before_all;
  int* columns; // the group of columns of each step
  StepMask* masks;

  __device__ int first_step(std::int64_t group) const
  {
    return static_cast<int>((before[group] - before_all) >> StepCount::shift);
  }
  __device__ std::uint32_t first_tile(std::int64_t group) const
  {
    return static_cast<std::uint32_t>(before[group] - before_all);
  }
};

// Where steps of A are written, and of B until they are sorted.
struct StepTargets
{
  StepsByRow by_row;
  int const* first_words;
  TileStep* steps;
  std::uint32_t* places;
  int *offsets, *rows;   // of A: offsets of its strips; of B: the group of rows of each step
  std::uint32_t* strips; // of B: strip and
  int* numbers;          // number of each step, to be sorted
};

// Adds bits to words of masks, those of neighbouring lanes in one word together. word < 0: none.
// All lanes of the warp take part.
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
  if (word >= 0 && (lane == 0 || before != word))
    atomicOr(&masks->words[0] + word, bits);
}

template <bool are_columns_outer, class Matrix>
__global__ void __launch_bounds__(StepShape<are_columns_outer>::threads)
    spgemm_write_steps_kernel(Matrix m, StepTargets to)
{
  using Shape = StepShape<are_columns_outer>;
  using Steps = StepsOfRows<are_columns_outer, Matrix>;
  __shared__ typename Steps::Memory memory;
  Steps steps(m, blockIdx.x, memory);
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
      to.steps[n] = {first_tile + static_cast<std::uint32_t>(tile), tiles};
      to.by_row.columns[n] = column;
      to.by_row.masks[n] = {};
      if constexpr (are_columns_outer)
      {
        to.rows[n] = static_cast<int>(blockIdx.x);
        to.strips[n] = static_cast<std::uint32_t>(column);
        to.numbers[n] = n;
      }
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
    first_step += of_window.steps();
    first_tile += static_cast<std::uint32_t>(of_window.tiles());
  }
}

__device__ inline int entries_of(StepMask const& mask)
{
  int entries = 0;
#pragma unroll
  for (int n = 0; n < StepMask::count; ++n)
    entries += __popc(mask.words[n]);
  return entries;
}

// Steps of B as they are found, in the order in which `strips` has been sorted, to strips of
// columns. entries: those of all masks, fewer than B has where an entry stands twice.
struct SortedSteps
{
  std::uint32_t const* strips;
  int const *numbers, *rows;
  TileStep const* found;
  StepMask const* found_masks;
  std::int64_t count, strips_of_b;
  int *offsets, *groups;
  TileStep* steps;
  StepMask* masks;
  unsigned long long* entries;
};
__global__ inline void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_sort_steps_kernel(SortedSteps of)
{
  constexpr int threads = independent_threads.threads_per_block;
  __shared__ int of_warps[threads / warp_size];
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  int entries = 0;
  if (n < of.count)
  {
    auto const strip = static_cast<std::int64_t>(of.strips[n]);
    int const from = of.numbers[n];
    StepMask const mask = of.found_masks[from];
    of.groups[n] = of.rows[from];
    of.steps[n] = of.found[from];
    of.masks[n] = mask;
    entries = entries_of(mask);
    std::int64_t const before = n == 0 ? -1 : static_cast<std::int64_t>(of.strips[n - 1]);
    for (std::int64_t s = before + 1; s <= strip; ++s)
      of.offsets[s] = static_cast<int>(n);
    if (n == of.count - 1)
      for (std::int64_t s = strip + 1; s <= of.strips_of_b; ++s)
        of.offsets[s] = static_cast<int>(of.count);
  }
  entries = sum_of_block<threads>(entries, of_warps);
  if (threadIdx.x == 0)
    atomicAdd(of.entries, static_cast<unsigned long long>(entries));
}

// What is not numbered in 32 bits has no tiles.
template <class Matrix>
bool have_short_tiles(Matrix const& m)
{
  return std::in_range<int>(m.num_rows()) && std::in_range<int>(m.num_cols()) &&
         std::in_range<int>(m.nnz());
}

// The steps and tiles of A and B when they have been counted.
template <class A, class B>
class CountedSteps
{
  std::int64_t m_groups_a, m_groups_b;
  TileScratch<std::int64_t> m_counts, m_before;
  TileScratch<int> m_first_words;
  std::int64_t m_of_a = 0, m_of_all = 0;

public:
  // Waits for exec.
  CountedSteps(Kokkos::Cuda const& exec, A const& a, B const& b)
      : m_groups_a(impl::divided_up(a.rows, strip_size))
      , m_groups_b(impl::divided_up(b.rows, tile_size))
      , m_counts(exec, static_cast<std::size_t>(m_groups_a + m_groups_b))
      , m_before(exec, m_counts.size() + 1)
      , m_first_words(exec, m_counts.size())
  {
    launch(exec, "heddle::spgemm::count_steps", spgemm_count_steps_kernel<false, A>,
           Grid{m_groups_a, StepShape<false>::threads}, a, m_counts.data(), m_first_words.data());
    launch(exec, "heddle::spgemm::count_steps", spgemm_count_steps_kernel<true, B>,
           Grid{m_groups_b, StepShape<true>::threads}, b, m_counts.data() + m_groups_a,
           m_first_words.data() + m_groups_a);
    offsets_from_counts(exec, m_counts.view(), m_before.view());
    PinnedWords const host(2);
    auto const copy = [&](int n, std::int64_t from) {
      impl::require_cuda(cudaMemcpyAsync(host.view().data() + n, m_before.data() + from,
                                         sizeof(std::int64_t), cudaMemcpyDeviceToHost,
                                         exec.cuda_stream()),
                         "cudaMemcpyAsync");
    };
    copy(0, m_groups_a);
    copy(1, m_groups_a + m_groups_b);
    exec.fence("heddle::spgemm::count_steps");
    m_of_a = static_cast<std::int64_t>(host.data()[0]);
    m_of_all = static_cast<std::int64_t>(host.data()[1]);
  }
  std::int64_t groups_of_a() const { return m_groups_a; }
  std::int64_t groups_of_b() const { return m_groups_b; }
  std::size_t steps_of_a() const { return static_cast<std::size_t>(StepCount::steps(m_of_a)); }
  std::size_t steps_of_b() const { return static_cast<std::size_t>(StepCount::steps(of_b())); }
  std::int64_t tiles_of_a() const { return StepCount::tiles(m_of_a); }
  std::int64_t tiles_of_b() const { return StepCount::tiles(of_b()); }
  bool are_few() const
  {
    return tiles_of_a() + tiles_of_b() <=
           std::numeric_limits<std::uint32_t>::max() / values_of_tile;
  }
  StepsByRow of_a(int* columns, StepMask* masks) const
  {
    return {m_before.data(), 0, columns, masks};
  }
  StepsByRow of_b(int* columns, StepMask* masks) const
  {
    return {m_before.data() + m_groups_a, m_of_a, columns, masks};
  }
  int const* first_words_of_a() const { return m_first_words.data(); }
  int const* first_words_of_b() const { return m_first_words.data() + m_groups_a; }

  // Bytes of what is found, and of what finding it takes beside that.
  std::size_t bytes(std::size_t entries) const
  {
    constexpr std::size_t of_step = sizeof(int) + sizeof(TileStep) + sizeof(StepMask);
    constexpr std::size_t of_sorted = of_step + 4 * sizeof(int) + 2 * sizeof(std::uint32_t);
    return steps_of_a() * of_step + steps_of_b() * (of_step + of_sorted) +
           entries * sizeof(std::uint32_t);
  }

private:
  std::int64_t of_b() const { return m_of_all - m_of_a; }
};

// A and B in tiles, and what the symbolic phase needs of them beside: the masks of their steps, and
// the steps of B by group of rows.
struct FactorTiles
{
  MatrixTiles<TileScratch> a, b;
  TileScratch<StepMask> masks_of_a, masks_of_b;
  TileScratch<int> columns_by_row;
  TileScratch<StepMask> masks_by_row;
};

// entries: how many different ones B has, to be counted. Asynchronous.
template <class A, class B>
FactorTiles find_tiles(Kokkos::Cuda const& exec, A const& a, B const& b, std::int64_t cols_b,
                       std::int64_t nnz_a, std::int64_t nnz_b, CountedSteps<A, B> const& counted,
                       unsigned long long* entries)
{
  std::size_t const steps_a = counted.steps_of_a(), steps_b = counted.steps_of_b();
  std::int64_t const strips_b = impl::divided_up(cols_b, strip_size);
  FactorTiles found{{{exec, static_cast<std::size_t>(counted.groups_of_a()) + 1},
                     {exec, steps_a},
                     {exec, steps_a},
                     {exec, static_cast<std::size_t>(nnz_a)},
                     counted.tiles_of_a()},
                    {{exec, static_cast<std::size_t>(strips_b) + 1},
                     {exec, steps_b},
                     {exec, steps_b},
                     {exec, static_cast<std::size_t>(nnz_b)},
                     counted.tiles_of_b()},
                    {exec, steps_a},
                    {exec, steps_b},
                    {exec, steps_b},
                    {exec, steps_b}};
  launch(exec, "heddle::spgemm::write_steps", spgemm_write_steps_kernel<false, A>,
         Grid{counted.groups_of_a(), StepShape<false>::threads}, a,
         StepTargets{counted.of_a(found.a.groups.data(), found.masks_of_a.data()),
                     counted.first_words_of_a(), found.a.steps.data(), found.a.places.data(),
                     found.a.offsets.data(), nullptr, nullptr, nullptr});
  TileScratch<TileStep> const steps(exec, steps_b);
  TileScratch<std::uint32_t> const strips(exec, 2 * steps_b);
  TileScratch<int> const numbers(exec, 2 * steps_b), rows(exec, steps_b);
  launch(exec, "heddle::spgemm::write_steps", spgemm_write_steps_kernel<true, B>,
         Grid{counted.groups_of_b(), StepShape<true>::threads}, b,
         StepTargets{counted.of_b(found.columns_by_row.data(), found.masks_by_row.data()),
                     counted.first_words_of_b(), steps.data(), found.b.places.data(), nullptr,
                     rows.data(), strips.data(), numbers.data()});
  auto const sorted = impl::SortPairs<std::uint32_t, int>::run(
      exec, {strips.data(), numbers.data()}, {strips.data() + steps_b, numbers.data() + steps_b},
      strips_b, static_cast<std::int64_t>(steps_b));
  launch(exec, "heddle::spgemm::sort_steps", spgemm_sort_steps_kernel,
         one_thread_each(static_cast<std::int64_t>(steps_b)),
         SortedSteps{sorted.keys, sorted.indices, rows.data(), steps.data(),
                     found.masks_by_row.data(), static_cast<std::int64_t>(steps_b), strips_b,
                     found.b.offsets.data(), found.b.groups.data(), found.b.steps.data(),
                     found.masks_of_b.data(), entries});
  return found;
}

} // namespace heddle::cuda_native
