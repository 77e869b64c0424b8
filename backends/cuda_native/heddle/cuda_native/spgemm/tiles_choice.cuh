// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Whether A and B are multiplied by dense tiles (spgemm/tiles.cuh): a sample says how well tiles
// are filled, the tiles of both how many products there are; spgemm/tiles_policy.hpp decides by
// these.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/cuda_native/spgemm/tiles.cuh>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/sum_of.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace heddle::cuda_native
{

// Entries and tiles of some of the groups of 8 rows of a matrix.
struct SampledTiles
{
  unsigned long long entries, tiles;
};
// Those of group n * stride by block n. An entry counts a tile if it is the first of it: in its
// row, and no row of the group before has one. What rows with columns out of order have is guessed.
template <class Matrix>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_sample_tiles_kernel(Matrix m, std::int64_t stride, SampledTiles* sum)
{
  constexpr int threads = independent_threads.threads_per_block;
  __shared__ int of_warps[threads / warp_size];
  std::int64_t const first_row = blockIdx.x * stride * tile_size;
  std::int64_t const last_row = min(first_row + tile_size, m.rows);
  auto const begin = static_cast<std::int64_t>(m.offsets[first_row]);
  auto const end = static_cast<std::int64_t>(m.offsets[last_row]);
  int tiles = 0;
  for (std::int64_t k = begin + threadIdx.x; k < end; k += threads)
  {
    std::int64_t row = first_row;
    while (static_cast<std::int64_t>(m.offsets[row + 1]) <= k)
      ++row;
    auto const group = m.columns[k] / tile_size;
    bool is_first =
        k == static_cast<std::int64_t>(m.offsets[row]) || m.columns[k - 1] / tile_size != group;
    for (std::int64_t other = first_row; is_first && other < row; ++other)
    {
      auto const* const columns = m.columns + m.offsets[other];
      int const length = m.length_of(other);
      int const at =
          impl::partition_point(0, length, [&](int n) { return columns[n] / tile_size < group; });
      is_first = at == length || columns[at] / tile_size != group;
    }
    tiles += is_first ? 1 : 0;
  }
  tiles = sum_of_block<threads>(tiles, of_warps);
  if (threadIdx.x != 0)
    return;
  atomicAdd(&sum->entries, static_cast<unsigned long long>(end - begin));
  atomicAdd(&sum->tiles, static_cast<unsigned long long>(tiles));
}

// An estimate of how many places the products of tiles have for each product of entries of A and
// B, from samples of both. Waits for exec.
template <class A, class B>
double places_of_product(Kokkos::Cuda const& exec, A const& a, B const& b, bool is_one_matrix)
{
  using Word = PinnedWords::Word;
  constexpr std::size_t words = 2 * sizeof(SampledTiles) / sizeof(Word);
  TileScratch<Word> const sums(exec, words);
  Kokkos::deep_copy(exec, sums.view(), Word(0));
  auto const sample = [&]<class Matrix>(Matrix const& m, int n) {
    std::int64_t const groups = impl::divided_up(m.rows, tile_size);
    std::int64_t const stride = impl::divided_up(groups, spgemm_tiles_policy.sampled_groups);
    launch(exec, "heddle::spgemm::sample_tiles", spgemm_sample_tiles_kernel<Matrix>,
           Grid{impl::divided_up(groups, stride), independent_threads.threads_per_block}, m, stride,
           reinterpret_cast<SampledTiles*>(sums.data()) + n);
  };
  sample(a, 0);
  if (!is_one_matrix)
    sample(b, 1);
  PinnedWords const host(exec, sums.view(), "heddle::spgemm::sample_tiles");
  auto const* const found = reinterpret_cast<SampledTiles const*>(host.data());
  auto const places_of_entry = [](SampledTiles const& sampled) {
    return static_cast<double>(sampled.tiles) * values_of_tile /
           static_cast<double>(std::max(sampled.entries, 1ULL));
  };
  return places_of_entry(found[0]) * places_of_entry(found[is_one_matrix ? 0 : 1]);
}

// Steps and tiles of the strips of a matrix that are of one group of inner indices.
struct TilesOfGroup
{
  int steps, tiles;
};
__global__ inline void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_tiles_of_groups_kernel(TileStrips strips, std::int64_t steps, TilesOfGroup* of_group)
{
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= steps)
    return;
  TilesOfGroup& of = of_group[strips.groups[n]];
  atomicAdd(&of.steps, 1);
  atomicAdd(&of.tiles, __popc(strips.steps[n].tiles));
}

// Of step n of A: in how many blocks of C it meets a step of B, and products of their tiles.
struct CommonSteps
{
  TileStrips a;
  TilesOfGroup const* of_b;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t n) const { return of_b[a.groups[n]].steps; }
};
struct TileProducts
{
  TileStrips a;
  TilesOfGroup const* of_b;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t n) const
  {
    std::int64_t tiles = 0;
    for (int tile = 0; tile < tiles_of_step; ++tile)
      tiles += a.steps[n].tiles >> tile & 1;
    return tiles * of_b[a.groups[n]].tiles;
  }
};

// Counts both into `to`. inner: columns of A. Waits for exec.
template <template <class> class Memory>
void count_tile_products(Kokkos::Cuda const& exec, MatrixTiles<Memory> const& a,
                         MatrixTiles<Memory> const& b, std::int64_t inner, TilesQuestion& to)
{
  TileScratch<TilesOfGroup> const of_b(
      exec, static_cast<std::size_t>(impl::divided_up(inner, tile_size)));
  Kokkos::deep_copy(exec, of_b.view(), TilesOfGroup{});
  auto const steps_of_b = static_cast<std::int64_t>(b.steps.size());
  launch(exec, "heddle::spgemm::tiles_of_groups", spgemm_tiles_of_groups_kernel,
         one_thread_each(steps_of_b), b.strips(), steps_of_b, of_b.data());
  auto const steps_of_a = static_cast<std::int64_t>(a.steps.size());
  to.common_steps = impl::sum_of(exec, "heddle::spgemm::common_steps", steps_of_a,
                                 CommonSteps{a.strips(), of_b.data()});
  to.tile_products = impl::sum_of(exec, "heddle::spgemm::tile_products", steps_of_a,
                                  TileProducts{a.strips(), of_b.data()});
}

// The choice for a plan, or for a single multiply, which is one call. node_size: rows of the nodes
// that A and B could be multiplied by instead, 1 if they are no nodes.
template <class A, class B, class Result>
struct TilesChoice
{
  Kokkos::Cuda const& exec;
  A const& a;
  B const& b;
  SpgemmOptions const& options;
  bool is_one_matrix;
  int node_size;
  std::int64_t calls;

  static constexpr bool has_real_values = std::is_floating_point_v<typename A::value_type> &&
                                          std::is_floating_point_v<typename B::value_type>;
  using Ordinal = typename Result::ordinal_type;
  using Pattern = impl::SpgemmPattern<Result>;
  using Target = SpgemmTarget<typename Result::value_type, Ordinal, typename Result::offset_type>;

  // Whether tiles may be so well filled that they are faster than these kernels, before anything is
  // known of C. May wait for exec.
  bool may_beat(OtherKernels const& others) const
  {
    if constexpr (has_real_values)
    {
      auto const products =
          expected_products(entries_of(a), entries_of(b), static_cast<std::int64_t>(b.num_rows()));
      return are_free_to_choose() &&
             sample_pays({.entries = entries(), .products = products, .nnz = 0}, others);
    }
    else
      return false;
  }

  // A, B and C in tiles if calls repay that, or tiles are asked for, and there is room for them and
  // for what a call needs. Waits for exec.
  std::optional<SpgemmTiles<TileScratch>> find(Pattern const& pattern, std::size_t room,
                                               impl::Verdict& verdict) const
  {
    if constexpr (has_real_values)
    {
      if (!are_worth_finding(pattern))
        return {};
      std::size_t const beside = room - std::min(room, pattern.nnz * sizeof(Ordinal));
      std::size_t const to_find = bytes_to_find_tiles(std::max(a.nnz(), b.nnz())) +
                                  (a.nnz() + b.nnz()) * sizeof(std::uint32_t);
      if (to_find > beside)
      {
        verdict = {false, "finding them takes % bytes, there are %", to_find, beside};
        return {};
      }
      auto const inner = static_cast<std::int64_t>(a.num_cols());
      auto const cols = static_cast<std::int64_t>(b.num_cols());
      auto of_a = find_tiles<false>(exec, csr_view(a), inner, entries_of(a));
      if (!of_a)
        return {};
      auto of_b = find_tiles<true>(exec, csr_view(b), cols, entries_of(b));
      if (!of_b)
        return {};
      TilesQuestion counted{.tiles = of_a->tiles + of_b->tiles,
                            .entries = entries(),
                            .products = pattern.products,
                            .nnz = static_cast<std::int64_t>(pattern.nnz)};
      count_tile_products(exec, *of_a, *of_b, inner, counted);
      verdict = tiles_pay(counted, node_size, calls);
      if (!verdict && !are_asked_for())
        return {};
      std::size_t const allowed = beside <= impl::small_allocation
                                      ? beside
                                      : std::min(beside, impl::available_bytes(exec) / 2);
      auto tiles = tiles_of_all(exec, std::move(*of_a), std::move(*of_b),
                                Target{pattern.row_offsets.data(), pattern.columns.data(), nullptr},
                                static_cast<std::int64_t>(a.num_rows()), cols, counted, allowed);
      if (!tiles)
        verdict = {false, "they take more than the % bytes there are", allowed};
      return tiles;
    }
    else
      return {};
  }

private:
  template <class Matrix>
  static std::int64_t entries_of(Matrix const& m)
  {
    return static_cast<std::int64_t>(m.nnz());
  }
  std::int64_t entries() const { return entries_of(a) + entries_of(b); }
  bool are_asked_for() const { return options.accumulator == SpgemmAccumulator::dense_tiles; }
  bool are_free_to_choose() const
  {
    return options.accumulator == SpgemmAccumulator::automatic && !options.deterministic;
  }
  // Whether A and B can be multiplied by tiles at all.
  bool can_have_tiles() const
  {
    return have_short_tiles(a) && have_short_tiles(b) &&
           has_room_for_strips(device_shape(exec), static_cast<std::int64_t>(b.num_cols())) &&
           has_feature(exec, "heddle::spgemm::sum_tiles",
                       reinterpret_cast<void const*>(spgemm_sum_tiles_kernel<Target>),
                       &ArchitectureShape::has_f64_mma);
  }
  // A product that would not repay full tiles is not sampled.
  bool sample_pays(ProductSizes const& sizes, OtherKernels const& others) const
  {
    constexpr double most_filled = 1.0;
    return tiles_may_pay(sizes, most_filled, others, calls) && can_have_tiles() &&
           tiles_may_pay(sizes, places_of_product(exec, csr_view(a), csr_view(b), is_one_matrix),
                         others, calls);
  }
  // May wait for exec.
  bool are_worth_finding(Pattern const& pattern) const
  {
    if (!pattern.keeps_columns || pattern.products == 0)
      return false;
    if (are_asked_for())
      return can_have_tiles();
    ProductSizes const sizes{.entries = entries(),
                             .products = static_cast<double>(pattern.products),
                             .nnz = static_cast<std::int64_t>(pattern.nnz)};
    auto const& policy = spgemm_tiles_policy;
    return are_free_to_choose() &&
           sizes.products >= policy.least_products_of_c * static_cast<double>(sizes.nnz) &&
           sizes.products >= policy.least_products_of_a * static_cast<double>(entries_of(a)) &&
           sample_pays(sizes, by_nodes(node_size));
  }
};

} // namespace heddle::cuda_native
