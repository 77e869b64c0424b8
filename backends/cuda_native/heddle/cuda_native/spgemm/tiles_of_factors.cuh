// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The tiles of A and B (spgemm/numeric_tiles.cuh). A thread block finds the steps of a group of
// rows twice (spgemm/tile_steps.cuh): to count them and, when all groups have their offsets, to
// write them, the place of each entry among the values of all tiles, and a mask that says which
// entries a step has. Steps of A stand as strips of rows have them, those of B by group of rows, as
// the symbolic product of strips takes them (spgemm/blocks_of_result.cuh).

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/scratch_arrays.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/tile_steps.cuh>
#include <heddle/cuda_native/spgemm/tile_types.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace heddle::cuda_native
{

// Of each group of rows the steps and tiles, and the first word of its first window; and of all.
template <bool are_columns_outer, class Matrix>
__global__ void __launch_bounds__(StepShape<are_columns_outer>::threads)
    spgemm_count_steps_kernel(Matrix m, NodeAlignment alignment, std::int64_t columns,
                              std::int64_t* counts, int* first_words, unsigned long long* all)
{
  using Steps = StepsOfRows<are_columns_outer, Matrix>;
  __shared__ typename Steps::Memory memory;
  let_next_start();
  Steps steps(m, alignment, columns, blockIdx.x, memory);
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
    spgemm_write_steps_kernel(Matrix m, NodeAlignment alignment, std::int64_t columns,
                              StepTargets to)
{
  using Shape = StepShape<are_columns_outer>;
  using Steps = StepsOfRows<are_columns_outer, Matrix>;
  constexpr int threads = Shape::threads;
  __shared__ typename Steps::Memory memory;
  __shared__ int of_warps[threads / warp_size];
  let_next_start();
  Steps steps(m, alignment, columns, blockIdx.x, memory);
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

// What is not numbered in 32 bits has no tiles.
template <class Matrix>
bool have_short_tiles(Matrix const& m)
{
  return are_numbered_places(static_cast<std::int64_t>(m.num_rows())) &&
         are_numbered_places(static_cast<std::int64_t>(m.num_cols())) &&
         std::in_range<int>(m.nnz());
}

// The factors of a product by tiles.
template <class A, class B>
struct TiledFactors
{
  A a;
  B b;
  NodeAlignment alignment;
  std::int64_t inner, columns; // places of the columns of A and of B
  std::int64_t entries_a, entries_b;

  std::int64_t groups_a() const { return impl::divided_up(alignment.places(a.rows), strip_size); }
  std::int64_t groups_b() const { return impl::divided_up(alignment.places(b.rows), tile_size); }
};

// The steps and tiles of A and B when they have been counted, and what else is counted.
template <class A, class B>
class CountedSteps
{
  using Word = PinnedWords::Word;
  enum Array : std::size_t
  {
    counts,
    before,
    first_words,
    counters,
    strips
  };
  Kokkos::Cuda m_exec;
  TiledFactors<A, B> m_of;
  ScratchArrays<std::int64_t, std::int64_t, int, Word, BlocksOfStrip> m_arrays;
  std::int64_t m_steps_a = 0, m_steps_b = 0;

public:
  // Asynchronous: steps_of_a() and steps_of_b() are bounds until look_up() is called.
  CountedSteps(Kokkos::Cuda const& exec, TiledFactors<A, B> const& of)
      : m_exec(exec)
      , m_of(of)
      , m_arrays(exec, {groups(), groups() + 1, groups(), sizeof(TileCounters) / sizeof(Word),
                        static_cast<std::size_t>(of.groups_a())})
      , m_steps_a(std::min(of.entries_a, of.groups_a() * impl::divided_up(of.inner, tile_size)))
      , m_steps_b(std::min(of.entries_b, of.groups_b() * impl::divided_up(of.columns, strip_size)))
  {
    impl::require_cuda(cudaMemsetAsync(on_device(), 0, sizeof(TileCounters), exec.cuda_stream()),
                       "cudaMemsetAsync");
    auto* const of_groups = m_arrays.template array<counts>();
    auto* const words = m_arrays.template array<first_words>();
    launch(exec, "heddle::spgemm::count_steps", spgemm_count_steps_kernel<false, A>,
           Grid{of.groups_a(), StepShape<false>::threads}, of.a, of.alignment, of.inner, of_groups,
           words, &on_device()->of_a);
    Grid rows_of_b{of.groups_b(), StepShape<true>::threads};
    rows_of_b.starts_early = true;
    launch(exec, "heddle::spgemm::count_steps", spgemm_count_steps_kernel<true, B>, rows_of_b, of.b,
           of.alignment, of.columns, of_groups + of.groups_a(), words + of.groups_a(),
           &on_device()->of_b);
    offsets_from_counts(exec, view<counts>(), view<before>());
  }
  // Waits for exec.
  void look_up()
  {
    TileCounters const found = on_host();
    m_steps_a = StepCount::steps(found.of_a);
    m_steps_b = StepCount::steps(found.of_b);
  }
  TileCounters* on_device() const
  {
    return reinterpret_cast<TileCounters*>(m_arrays.template array<counters>());
  }
  // Waits for exec.
  TileCounters on_host() const
  {
    PinnedWords const host(m_exec, view<counters>(), "heddle::spgemm::tiles");
    return *reinterpret_cast<TileCounters const*>(host.data());
  }
  TiledFactors<A, B> const& of() const { return m_of; }
  std::size_t steps_of_a() const { return static_cast<std::size_t>(m_steps_a); }
  std::size_t steps_of_b() const { return static_cast<std::size_t>(m_steps_b); }
  std::int64_t const* before_a() const { return m_arrays.template array<before>(); }
  std::int64_t const* before_b() const { return before_a() + m_of.groups_a(); }
  int const* first_words_a() const { return m_arrays.template array<first_words>(); }
  int const* first_words_b() const { return first_words_a() + m_of.groups_a(); }
  BlocksOfStrip* strips_of_result() const { return m_arrays.template array<strips>(); }

private:
  std::size_t groups() const { return static_cast<std::size_t>(m_of.groups_a() + m_of.groups_b()); }
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
    columns_b,
    steps_b,
    masks_b
  };
  using Arrays = ScratchArrays<int, int, TileStep, StepMask, int, TileStep, StepMask>;
  Arrays m_arrays;
  StepsByRow m_rows_of_b = {};

  template <class Counted>
  static std::array<std::size_t, 7> sizes(Counted const& counted)
  {
    std::size_t const a = counted.steps_of_a(), b = counted.steps_of_b();
    return {static_cast<std::size_t>(counted.of().groups_a()) + 1, a, a, a, b, b, b};
  }

public:
  TileScratch<std::uint32_t> places; // of entries of A, then of B

  // Asynchronous.
  template <class A, class B>
  FactorTiles(Kokkos::Cuda const& exec, CountedSteps<A, B> const& counted)
      : m_arrays(exec, sizes(counted))
      , places(exec, static_cast<std::size_t>(counted.of().entries_a + counted.of().entries_b))
  {
    auto const& of = counted.of();
    StepsByRow const of_a{counted.before_a(), m_arrays.array<groups_a>(), m_arrays.array<steps_a>(),
                          m_arrays.array<masks_a>()};
    m_rows_of_b = {counted.before_b(), m_arrays.array<columns_b>(), m_arrays.array<steps_b>(),
                   m_arrays.array<masks_b>()};
    TileCounters* const counters = counted.on_device();
    launch(exec, "heddle::spgemm::write_steps", spgemm_write_steps_kernel<false, A>,
           Grid{of.groups_a(), StepShape<false>::threads}, of.a, of.alignment, of.inner,
           StepTargets{of_a, counted.first_words_a(), places.data(), &counters->entries_of_a,
                       m_arrays.array<offsets_a>()});
    Grid rows_of_b{of.groups_b(), StepShape<true>::threads};
    rows_of_b.starts_early = true;
    launch(exec, "heddle::spgemm::write_steps", spgemm_write_steps_kernel<true, B>, rows_of_b, of.b,
           of.alignment, of.columns,
           StepTargets{m_rows_of_b, counted.first_words_b(), places.data() + of.entries_a,
                       &counters->entries_of_b, nullptr});
  }
  TileStrips strips_of_a() const
  {
    return {m_arrays.array<offsets_a>(), m_arrays.array<groups_a>()};
  }
  TileStep const* steps_of_a() const { return m_arrays.array<steps_a>(); }
  StepMask const* masks_of_a() const { return m_arrays.array<masks_a>(); }
  StepsByRow const& rows_of_b() const { return m_rows_of_b; }

  // Bytes that it takes, at most or when steps have been looked up.
  template <class Counted>
  static std::size_t bytes(Counted const& counted)
  {
    return Arrays::bytes(sizes(counted)) +
           static_cast<std::size_t>(counted.of().entries_a + counted.of().entries_b) *
               sizeof(std::uint32_t);
  }
};

} // namespace heddle::cuda_native
