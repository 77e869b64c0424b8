// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Whether A and B are multiplied by dense tiles (spgemm/tiles.cuh): a sample says how well tiles
// are filled, the tiles of both how many products there are; spgemm/tiles_policy.hpp decides by
// these. If so, the symbolic phase by tiles.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/scratch_arrays.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spgemm/blocks_of_result.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/cuda_native/spgemm/tiles.cuh>
#include <heddle/cuda_native/spgemm/tiles_of_factors.cuh>
#include <heddle/cuda_native/spgemm/tiles_of_result.cuh>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <heddle/cuda_native/spgemm/tiles_sample.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
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
      auto const alignment = worth_finding();
      if (!alignment)
        return {};
      using FactorA = decltype(csr_view(a));
      using FactorB = decltype(csr_view(b));
      CountedSteps<FactorA, FactorB> counted(
          exec, {csr_view(a), csr_view(b), *alignment, alignment->places(inner()),
                 alignment->places(cols()), entries_of(a), entries_of(b)});
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
                                      found.rows_of_b(), *alignment, b.row_offsets().data()},
                                  impl::divided_up(alignment->places(rows()), strip_size),
                                  impl::divided_up(alignment->places(cols()), strip_size)};
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
                                   .blocks = static_cast<std::int64_t>(all.blocks),
                                   .entries_of_strip = sizes().entries_of_strip()};
      constexpr bool are_found = true;
      verdict = tiles_pay(question, others.fastest(), calls, are_found);
      if (!verdict)
        verdict = tiles_pay(question, others.taken(), calls, are_found);
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
           has_room_for_strips(device_shape(exec), cols()) &&
           has_feature(exec, "heddle::spgemm::sum_tiles",
                       reinterpret_cast<void const*>(spgemm_sum_tiles_kernel<Target>),
                       &ArchitectureShape::has_f64_mma);
  }
  static constexpr OtherKernels by_rows()
  {
    return by_nodes(1, sizeof(typename Result::value_type));
  }
  ProductSizes sizes() const
  {
    return {.entries_a = entries_of(a),
            .entries_b = entries_of(b),
            .products = expected_products(entries_of(a), entries_of(b), inner()),
            .rows = rows(),
            .inner = inner(),
            .cols = cols()};
  }
  // Those that are worth a try and whose places are numbered.
  NodeSizesInTiles alignments() const
  {
    NodeSizesInTiles const possible =
        possible_alignments({rows(), inner(), entries_of(a)}, {inner(), cols(), entries_of(b)});
    NodeSizesInTiles tried;
    for (int n = 0; n < possible.count; ++n)
    {
      NodeAlignment const alignment{possible.sizes[n]};
      if (are_numbered_places(alignment.places(rows())) &&
          are_numbered_places(alignment.places(inner())) &&
          are_numbered_places(alignment.places(cols())) &&
          has_room_for_strips(device_shape(exec), alignment.places(cols())))
        tried.sizes[tried.count++] = alignment.size;
    }
    return tried;
  }
  // What is to be expected of tiles with the alignment that is faster, by a sample. Waits for exec.
  std::pair<TilesQuestion, NodeAlignment> sampled(NodeSizesInTiles const& tried) const
  {
    TilesSample const sample(exec, csr_view(a), csr_view(b), is_one_matrix, tried,
                             others.wants_windows());
    others.take_windows(sample);
    SampledTiles const of_a = sample.of(0, 0);
    ProductSizes sizes = this->sizes();
    sizes.products =
        sample.products() * static_cast<double>(sizes.entries_a) / std::max(of_a.entries, 1.0);
    TilesQuestion const as_they_are = expected_tiles(sizes, of_a, sample.of(1, 0));
    std::pair best(as_they_are, NodeAlignment{});
    for (int n = 0; n < tried.count; ++n)
    {
      NodeAlignment const alignment{tried.sizes[n]};
      ProductSizes aligned = sizes;
      aligned.rows = alignment.places(aligned.rows);
      aligned.inner = alignment.places(aligned.inner);
      aligned.cols = alignment.places(aligned.cols);
      TilesQuestion const expected =
          expected_tiles(aligned, sample.of(0, n + 1), sample.of(1, n + 1));
      if (alignment_pays(expected, as_they_are, calls) &&
          time_of_tiles(expected) < time_of_tiles(best.first))
        best = {expected, alignment};
    }
    return best;
  }
  // How tiles are to be aligned if they may be faster than the other kernels, before anything is
  // known of C. A product that would not repay full tiles is not sampled. May wait for exec.
  std::optional<NodeAlignment> worth_finding() const
  {
    if (a.nnz() == 0 || b.nnz() == 0)
      return {};
    if (are_asked_for())
    {
      if (!can_have_tiles())
        return {};
      NodeSizesInTiles const tried = alignments();
      return tried.count == 0 ? NodeAlignment{} : sampled(tried).second;
    }
    if (!are_free_to_choose() || !full_tiles_pay(sizes(), by_rows(), calls) || !can_have_tiles())
      return {};
    auto const [expected, alignment] = sampled(alignments());
    if (tiles_pay(expected, others.fastest(), calls) ||
        (tiles_pay(expected, by_rows(), calls) && tiles_pay(expected, others.taken(), calls)))
      return alignment;
    return {};
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
    SpgemmTiles<TileScratch> tiles{
        std::move(found.places),  {exec, pairs}, {exec, blocks}, {exec, blocks * strip_size},
        strips.product.alignment, parts,         question};
    // Counts of rows, and words that listing blocks needs.
    ScratchArrays<int, unsigned> const beside(exec, {static_cast<std::size_t>(rows()), blocks});
    impl::require_cuda(cudaMemsetAsync(beside.template array<1>(), 0, blocks * sizeof(unsigned),
                                       exec.cuda_stream()),
                       "cudaMemsetAsync");
    strips.list(exec, counted.strips_of_result(), tiles.blocks.data(), tiles.pairs.data(),
                beside.template array<1>());
    multiply_masks(exec,
                   {found.steps_of_a(), found.rows_of_b().steps, found.masks_of_a(),
                    found.rows_of_b().masks, tiles.blocks.data(), tiles.alignment, question.blocks,
                    tiles.alignment.places(rows()), tiles.alignment.places(cols())},
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
           tiles.alignment, question.blocks, rows(), row_offsets.data(), pattern.columns.data());
    pattern.row_offsets = row_offsets;
    return TiledProduct<Result>{std::move(tiles), std::move(pattern), std::move(values)};
  }
};

} // namespace heddle::cuda_native
