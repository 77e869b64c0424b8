// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The tiles of A and B, found by kernels of spgemm/write_steps.cuh. Steps of A stand as strips of
// rows have them, those of B by group of rows, as the symbolic product of strips takes them
// (spgemm/blocks_of_result.cuh).

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/scratch_arrays.cuh>
#include <heddle/cuda_native/spgemm/numeric_tiles.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/tile_steps.cuh>
#include <heddle/cuda_native/spgemm/write_steps.cuh>
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

// What is not numbered in 32 bits has no tiles.
template <class Matrix>
bool have_short_tiles(Matrix const& m)
{
  return std::in_range<int>(m.num_rows()) && std::in_range<int>(m.num_cols()) &&
         std::in_range<int>(m.nnz());
}

// The blocks of a strip of C among all, and its pairs of steps.
struct BlocksOfStrip
{
  unsigned long long first, first_pair;
  int count;
};

// The factors of a product by tiles.
template <class A, class B>
struct TiledFactors
{
  A a;
  B b;
  std::int64_t inner, columns; // of A and of B
  std::int64_t entries_a, entries_b;

  std::int64_t groups_a() const { return impl::divided_up(a.rows, strip_size); }
  std::int64_t groups_b() const { return impl::divided_up(b.rows, tile_size); }
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
           Grid{of.groups_a(), StepShape<false>::threads}, of.a, of.inner, of_groups, words,
           &on_device()->of_a);
    Grid rows_of_b{of.groups_b(), StepShape<true>::threads};
    rows_of_b.starts_early = true;
    launch(exec, "heddle::spgemm::count_steps", spgemm_count_steps_kernel<true, B>, rows_of_b, of.b,
           of.columns, of_groups + of.groups_a(), words + of.groups_a(), &on_device()->of_b);
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
           Grid{of.groups_a(), StepShape<false>::threads}, of.a, of.inner,
           StepTargets{of_a, counted.first_words_a(), places.data(), &counters->entries_of_a,
                       m_arrays.array<offsets_a>()});
    Grid rows_of_b{of.groups_b(), StepShape<true>::threads};
    rows_of_b.starts_early = true;
    launch(exec, "heddle::spgemm::write_steps", spgemm_write_steps_kernel<true, B>, rows_of_b, of.b,
           of.columns,
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
