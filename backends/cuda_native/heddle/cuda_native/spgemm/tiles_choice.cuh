// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Whether A and B are multiplied by dense tiles (spgemm/tiles.cuh): a sample says how well tiles
// are filled, the tiles of both how many products there are; spgemm/tiles_policy.hpp decides by
// these. If so, the symbolic phase by tiles.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/scratch_arrays.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spgemm/blocks_of_result.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/cuda_native/spgemm/tiles.cuh>
#include <heddle/cuda_native/spgemm/tiles_of_factors.cuh>
#include <heddle/cuda_native/spgemm/tiles_of_result.cuh>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/sum_of.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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

// A product by tiles when its pattern has been found.
template <class Result>
struct TiledProduct
{
  SpgemmTiles<TileScratch> tiles;
  impl::SpgemmPattern<Result> pattern;
  std::optional<TileValues> values; // of a whole multiply
};

// What tiles are taken for, or not.
struct TilesRequest
{
  std::size_t room; // bytes that may be used
  bool is_whole;    // the numeric phase follows at once: columns are C's own, outside of room
};

// The choice for a plan, or for a single multiply, which is one call. others: the kernels that A
// and B could be multiplied by instead, of which fastest() are those that may be there, and taken()
// those that are, for which it may wait.
template <class A, class B, class Result, class Others>
struct TilesChoice
{
  Kokkos::Cuda const& exec;
  A const& a;
  B const& b;
  SpgemmOptions const& options;
  bool is_one_matrix;
  Others const& others;
  std::int64_t calls;

  static constexpr bool has_real_values = std::is_floating_point_v<typename A::value_type> &&
                                          std::is_floating_point_v<typename B::value_type>;
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  static constexpr unsigned long long most_pairs = std::numeric_limits<std::uint32_t>::max();
  using Target = SpgemmTarget<typename Result::value_type, Ordinal, typename Result::offset_type>;

  // A, B and C in tiles and the pattern of C, if calls repay that, or tiles are asked for, and
  // there is room for them and for what a call needs. Waits for exec.
  std::optional<TiledProduct<Result>> find(TilesRequest const& request,
                                           impl::Verdict& verdict) const
  {
    if constexpr (has_real_values)
    {
      if (!are_worth_finding())
        return {};
      using FactorA = decltype(csr_view(a));
      using FactorB = decltype(csr_view(b));
      CountedSteps<FactorA, FactorB> counted(
          exec, {csr_view(a), csr_view(b), inner(), cols(), entries_of(a), entries_of(b)});
      // Where there may be few steps as many as there may be have room, and nobody waits.
      if (FactorTiles::bytes(counted) > std::min(impl::small_allocation, request.room))
        counted.look_up(); // waits
      std::size_t const to_find = FactorTiles::bytes(counted);
      if (to_find > request.room)
      {
        verdict = {false, "finding them takes % bytes, there are %", to_find, request.room};
        return {};
      }
      FactorTiles found(exec, counted);
      StripsOfResult const strips{StripProduct<typename B::offset_type>{
                                      found.strips_of_a(), found.steps_of_a(), found.masks_of_a(),
                                      found.rows_of_b(), b.row_offsets().data(), inner()},
                                  impl::divided_up(rows(), strip_size),
                                  impl::divided_up(cols(), strip_size)};
      strips.count(exec, counted.strips_of_result(), counted.on_device());
      TileCounters const all = counted.on_host(); // waits
      std::int64_t const tiles = StepCount::tiles(all.of_a) + StepCount::tiles(all.of_b);
      if (all.blocks == 0 || all.entries_of_a != a.nnz() || all.entries_of_b != b.nnz() ||
          tiles >= TileStep::most_tiles)
        return {}; // nothing to multiply, an entry stands twice, or tiles have no numbers
      if (all.common_steps > most_pairs)
      {
        verdict = {false, "blocks of C have % pairs of steps, they number %", all.common_steps,
                   most_pairs};
        return {};
      }
      TilesQuestion const question{.common_steps = static_cast<std::int64_t>(all.common_steps),
                                   .tile_products = static_cast<std::int64_t>(all.tile_products),
                                   .tiles = tiles,
                                   .entries = entries(),
                                   .products = static_cast<std::int64_t>(all.products),
                                   .blocks = static_cast<std::int64_t>(all.blocks)};
      verdict = tiles_pay(question, others.fastest(), calls);
      if (!verdict)
        verdict = tiles_pay(question, others.taken(), calls);
      if (!verdict && !are_asked_for())
        return {};
      return with_result(request, std::move(found), to_find, strips, question, counted, verdict);
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
  std::int64_t rows() const { return static_cast<std::int64_t>(a.num_rows()); }
  std::int64_t inner() const { return static_cast<std::int64_t>(a.num_cols()); }
  std::int64_t cols() const { return static_cast<std::int64_t>(b.num_cols()); }
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
  // Whether tiles may be so well filled that they are faster than the other kernels, before
  // anything is known of C. A product that would not repay full tiles is not sampled. May wait for
  // exec.
  bool sample_pays() const
  {
    constexpr double most_filled = 1.0;
    ProductSizes const sizes{.entries = entries(),
                             .products =
                                 expected_products(entries_of(a), entries_of(b),
                                                   static_cast<std::int64_t>(b.num_rows()))};
    if (sizes.products <
            spgemm_tiles_policy.least_products_of_a * static_cast<double>(entries_of(a)) ||
        !tiles_may_pay(sizes, most_filled, by_nodes(1), calls) || !can_have_tiles())
      return false;
    double const places = places_of_product(exec, csr_view(a), csr_view(b), is_one_matrix);
    return tiles_may_pay(sizes, places, others.fastest(), calls) ||
           (tiles_may_pay(sizes, places, by_nodes(1), calls) &&
            tiles_may_pay(sizes, places, others.taken(), calls));
  }
  // May wait for exec.
  bool are_worth_finding() const
  {
    if (a.nnz() == 0 || b.nnz() == 0)
      return false;
    if (are_asked_for())
      return can_have_tiles();
    return are_free_to_choose() && sample_pays();
  }
  // With the blocks and the pattern of C; nothing where they, and what a call needs, take more
  // bytes than there are. found_bytes: of the factors. Waits for exec.
  template <class Strips, class Counted>
  std::optional<TiledProduct<Result>>
  with_result(TilesRequest const& request, FactorTiles&& found, std::size_t found_bytes,
              Strips const& strips, TilesQuestion const& question, Counted const& counted,
              impl::Verdict& verdict) const
  {
    auto const blocks = static_cast<std::size_t>(question.blocks);
    auto const pairs = static_cast<std::size_t>(question.common_steps);
    int const parts = parts_of_blocks(device_shape(exec), question.blocks,
                                      static_cast<double>(pairs) / static_cast<double>(blocks));
    std::size_t const of_result =
        blocks * (sizeof(TileBlock) + strip_size * sizeof(TileBlockRow)) + pairs * sizeof(StepPair);
    std::size_t const of_call =
        bytes_of_values(question.tiles) + values_of_parts(blocks, parts) * sizeof(double);
    // A plan copies what was found before there are calls.
    std::size_t const needed = found_bytes + of_result + std::max(found_bytes + of_result, of_call);
    std::size_t const allowed = needed <= impl::small_allocation
                                    ? request.room
                                    : std::min(request.room, impl::available_bytes(exec) / 2);
    auto const is_too_much = [&](std::size_t bytes) {
      if (bytes > allowed)
        verdict = {false, "they take more than the % bytes there are", allowed};
      return bytes > allowed;
    };
    if (is_too_much(needed))
      return {};
    SpgemmTiles<TileScratch> tiles{std::move(found.places),     {exec, pairs}, {exec, blocks},
                                   {exec, blocks * strip_size}, parts,         question};
    // Counts of rows, and words that listing blocks needs.
    ScratchArrays<int, unsigned> const beside(exec, {static_cast<std::size_t>(rows()), blocks});
    impl::require_cuda(cudaMemsetAsync(beside.template array<1>(), 0, blocks * sizeof(unsigned),
                                       exec.cuda_stream()),
                       "cudaMemsetAsync");
    strips.list(exec, counted.strips_of_result(), tiles.blocks.data(), tiles.pairs.data(),
                beside.template array<1>());
    multiply_masks(exec,
                   {found.steps_of_a(), found.rows_of_b().steps, found.masks_of_a(),
                    found.rows_of_b().masks, tiles.blocks.data(), question.blocks, rows(), cols()},
                   counted.strips_of_result(), tiles.pairs.data(), tiles.rows.data(),
                   beside.template array<0>(), &counted.on_device()->nnz);
    using Offsets = Kokkos::View<Offset*, typename Result::memory_space>;
    Offsets const row_offsets = impl::uninitialized<Offsets>(exec, "heddle::row_offsets",
                                                             static_cast<std::size_t>(rows()) + 1);
    offsets_from_counts(exec,
                        Kokkos::View<int const*, Kokkos::CudaSpace, Kokkos::MemoryUnmanaged>(
                            beside.template array<0>(), static_cast<std::size_t>(rows())),
                        row_offsets);
    std::optional<TileValues> values; // written before the host waits for the entries of C
    if (request.is_whole)
      values.emplace(exec, csr_view(a), entries_of(a), csr_view(b), tiles);
    auto const nnz = static_cast<std::size_t>(counted.on_host().nnz); // waits
    impl::require_offsets_hold<Offset>(static_cast<std::int64_t>(nnz));
    if (!request.is_whole && is_too_much(needed + nnz * sizeof(Ordinal)))
      return {};
    impl::SpgemmPattern<Result> pattern;
    pattern.nnz = nnz;
    pattern.products = question.products;
    pattern.columns = impl::uninitialized<Kokkos::View<Ordinal*, typename Result::memory_space>>(
        exec, request.is_whole ? "heddle::columns" : "heddle::spgemm::columns", nnz);
    launch(exec, "heddle::spgemm::write_columns", spgemm_write_columns_kernel<Offset, Ordinal>,
           one_thread_each(question.blocks * warp_size), tiles.blocks.data(), tiles.rows.data(),
           question.blocks, rows(), row_offsets.data(), pattern.columns.data());
    pattern.row_offsets = row_offsets;
    return TiledProduct<Result>{std::move(tiles), std::move(pattern), std::move(values)};
  }
};

} // namespace heddle::cuda_native
