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
#include <heddle/cuda_native/device/scratch_arrays.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/spgemm/numeric_tiles.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/tile_steps.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sort.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace heddle::cuda_native
{

// Memory of a call; of a plan it is KeptMemory (spgemm/kept_tiles.cuh).
template <class T>
using TileScratch = impl::Scratch<T, Kokkos::Cuda>;

// The steps of strips: those of strip s are offsets[s] .. offsets[s + 1] - 1, of inner indices
// 8 groups[n] to 8 groups[n] + 7.
struct TileStrips
{
  int const* offsets;
  int const* groups;
};

// What is counted on the device, in words that the host reads.
struct TileCounters
{
  // Steps and tiles of A and of B (StepCount), entries of both that are different, blocks of C,
  // steps of A and B that meet in them, products of their tiles, products of entries, and entries
  // of C.
  unsigned long long of_a, of_b, entries_of_a, entries_of_b, blocks, common_steps, tile_products,
      products, nnz;
};

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
  std::int64_t const* before; // steps and tiles of all groups before
  std::int64_t steps_before;  // of the matrices before
  int* columns;               // the group of columns of each step
  TileStep* steps;
  StepMask* masks;

  __device__ int first_step(std::int64_t group) const
  {
    return static_cast<int>((before[group] >> StepCount::shift) - steps_before);
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
    spgemm_write_steps_kernel(Matrix m, std::int64_t columns, StepTargets to)
{
  using Shape = StepShape<are_columns_outer>;
  using Steps = StepsOfRows<are_columns_outer, Matrix>;
  __shared__ typename Steps::Memory memory;
  Steps steps(m, columns, blockIdx.x, memory);
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

// Steps of B in the order in which `strips` has been sorted. entries: those of all masks, fewer
// than B has where an entry stands twice.
struct SortedSteps
{
  std::uint32_t const* strips;
  int const *numbers, *rows;
  StepMask const* masks;
  std::int64_t count, strips_of_b;
  int *offsets, *groups; // of strips, and of each step in its place
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
    of.groups[n] = of.rows[of.numbers[n]];
    entries = entries_of(of.masks[n]);
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
  using Word = PinnedWords::Word;
  static constexpr std::size_t words = sizeof(TileCounters) / sizeof(Word);
  enum Array : std::size_t
  {
    counts,
    before,
    first_words,
    counters
  };
  Kokkos::Cuda m_exec;
  A m_a;
  B m_b;
  std::int64_t m_columns_a, m_columns_b, m_groups_a, m_groups_b;
  ScratchArrays<std::int64_t, std::int64_t, int, Word> m_arrays;
  TileCounters m_found = {};

public:
  // Waits for exec.
  CountedSteps(Kokkos::Cuda const& exec, A const& a, B const& b, std::int64_t columns_a,
               std::int64_t columns_b)
      : m_exec(exec)
      , m_a(a)
      , m_b(b)
      , m_columns_a(columns_a)
      , m_columns_b(columns_b)
      , m_groups_a(impl::divided_up(a.rows, strip_size))
      , m_groups_b(impl::divided_up(b.rows, tile_size))
      , m_arrays(exec, {groups(), groups() + 1, groups(), words})
  {
    impl::require_cuda(cudaMemsetAsync(on_device(), 0, sizeof(TileCounters), exec.cuda_stream()),
                       "cudaMemsetAsync");
    launch(exec, "heddle::spgemm::count_steps", spgemm_count_steps_kernel<false, A>,
           Grid{m_groups_a, StepShape<false>::threads}, a, columns_a, m_arrays.array<counts>(),
           m_arrays.array<first_words>(), &on_device()->of_a);
    launch(exec, "heddle::spgemm::count_steps", spgemm_count_steps_kernel<true, B>,
           Grid{m_groups_b, StepShape<true>::threads}, b, columns_b,
           m_arrays.array<counts>() + m_groups_a, m_arrays.array<first_words>() + m_groups_a,
           &on_device()->of_b);
    offsets_from_counts(exec, view<counts>(), view<before>());
    m_found = on_host();
  }
  TileCounters* on_device() const
  {
    return reinterpret_cast<TileCounters*>(m_arrays.array<counters>());
  }
  // Waits for exec.
  TileCounters on_host() const
  {
    PinnedWords const host(m_exec, view<counters>(), "heddle::spgemm::tiles");
    return *reinterpret_cast<TileCounters const*>(host.data());
  }
  A const& a() const { return m_a; }
  B const& b() const { return m_b; }
  std::int64_t columns_a() const { return m_columns_a; }
  std::int64_t columns_b() const { return m_columns_b; }
  std::int64_t groups_of_a() const { return m_groups_a; }
  std::int64_t groups_of_b() const { return m_groups_b; }
  std::size_t steps_of_a() const
  {
    return static_cast<std::size_t>(StepCount::steps(m_found.of_a));
  }
  std::size_t steps_of_b() const
  {
    return static_cast<std::size_t>(StepCount::steps(m_found.of_b));
  }
  std::int64_t tiles() const
  {
    return StepCount::tiles(m_found.of_a) + StepCount::tiles(m_found.of_b);
  }
  std::int64_t const* before_a() const { return m_arrays.array<before>(); }
  std::int64_t const* before_b() const { return before_a() + m_groups_a; }
  int const* first_words_a() const { return m_arrays.array<first_words>(); }
  int const* first_words_b() const { return first_words_a() + m_groups_a; }

private:
  std::size_t groups() const { return static_cast<std::size_t>(m_groups_a + m_groups_b); }
  template <Array n>
  auto view() const
  {
    auto* const data = m_arrays.template array<n>();
    return Kokkos::View<std::remove_pointer_t<decltype(data)>*, Kokkos::CudaSpace,
                        Kokkos::MemoryUnmanaged>(data, m_arrays.template size<n>());
  }
};

// A and B in tiles: where the values of their entries are written, and what the symbolic phase
// needs of their steps.
class FactorTiles
{
  enum Array : std::size_t
  {
    offsets_a,
    groups_a,
    steps_a,
    masks_a,
    offsets_b,
    groups_b,
    columns,
    rows,
    steps_b,
    masks_b,
    strips,
    numbers
  };
  using Arrays = ScratchArrays<int, int, TileStep, StepMask, int, int, int, int, TileStep, StepMask,
                               std::uint32_t, int>;
  Arrays m_arrays;
  StepsByRow m_rows_of_b = {};
  int const* m_numbers = nullptr;

  template <class Counted>
  static std::array<std::size_t, 12> sizes(Counted const& counted)
  {
    std::size_t const a = counted.steps_of_a(), b = counted.steps_of_b();
    return {static_cast<std::size_t>(counted.groups_of_a()) + 1,
            a,
            a,
            a,
            static_cast<std::size_t>(impl::divided_up(counted.columns_b(), strip_size)) + 1,
            b,
            b,
            b,
            b,
            b,
            2 * b,
            2 * b};
  }

public:
  TileScratch<std::uint32_t> places; // of entries of A, then of B

  // Asynchronous.
  template <class A, class B>
  FactorTiles(Kokkos::Cuda const& exec, CountedSteps<A, B> const& counted, std::int64_t nnz_a,
              std::int64_t nnz_b)
      : m_arrays(exec, sizes(counted))
      , places(exec, static_cast<std::size_t>(nnz_a + nnz_b))
  {
    StepsByRow const of_a{counted.before_a(), 0, m_arrays.array<groups_a>(),
                          m_arrays.array<steps_a>(), m_arrays.array<masks_a>()};
    m_rows_of_b = {counted.before_b(), static_cast<std::int64_t>(counted.steps_of_a()),
                   m_arrays.array<columns>(), m_arrays.array<steps_b>(), m_arrays.array<masks_b>()};
    launch(exec, "heddle::spgemm::write_steps", spgemm_write_steps_kernel<false, A>,
           Grid{counted.groups_of_a(), StepShape<false>::threads}, counted.a(), counted.columns_a(),
           StepTargets{of_a, counted.first_words_a(), places.data(), m_arrays.array<offsets_a>(),
                       nullptr, nullptr, nullptr});
    launch(exec, "heddle::spgemm::write_steps", spgemm_write_steps_kernel<true, B>,
           Grid{counted.groups_of_b(), StepShape<true>::threads}, counted.b(), counted.columns_b(),
           StepTargets{m_rows_of_b, counted.first_words_b(), places.data() + nnz_a, nullptr,
                       m_arrays.array<rows>(), m_arrays.array<strips>(),
                       m_arrays.array<numbers>()});
    std::size_t const steps = counted.steps_of_b();
    std::int64_t const strips_of_b = impl::divided_up(counted.columns_b(), strip_size);
    auto const sorted = impl::SortPairs<std::uint32_t, int>::run(
        exec, {m_arrays.array<strips>(), m_arrays.array<numbers>()},
        {m_arrays.array<strips>() + steps, m_arrays.array<numbers>() + steps}, strips_of_b,
        static_cast<std::int64_t>(steps));
    m_numbers = sorted.indices;
    launch(exec, "heddle::spgemm::sort_steps", spgemm_sort_steps_kernel,
           one_thread_each(static_cast<std::int64_t>(steps)),
           SortedSteps{sorted.keys, m_numbers, m_arrays.array<rows>(), m_arrays.array<masks_b>(),
                       static_cast<std::int64_t>(steps), strips_of_b, m_arrays.array<offsets_b>(),
                       m_arrays.array<groups_b>(), &counted.on_device()->entries_of_b});
  }
  TileStrips strips_of_a() const
  {
    return {m_arrays.array<offsets_a>(), m_arrays.array<groups_a>()};
  }
  TileStep const* steps_of_a() const { return m_arrays.array<steps_a>(); }
  StepMask const* masks_of_a() const { return m_arrays.array<masks_a>(); }
  // B by strips of columns, and the numbers of its steps by row.
  TileStrips strips_of_b() const
  {
    return {m_arrays.array<offsets_b>(), m_arrays.array<groups_b>()};
  }
  int const* numbers_of_b() const { return m_numbers; }
  StepsByRow const& rows_of_b() const { return m_rows_of_b; }

  // Bytes of it, when steps have been counted.
  template <class Counted>
  static std::size_t bytes(Counted const& counted, std::size_t entries)
  {
    return Arrays::bytes(sizes(counted)) + entries * sizeof(std::uint32_t);
  }
};

} // namespace heddle::cuda_native
