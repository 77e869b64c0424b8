// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A product by dense tiles (spgemm/numeric_tiles.cuh): what the symbolic phase leaves of A
// and B (spgemm/tiles_of_factors.cuh) and of C (spgemm/blocks_of_result.cuh), and calls with
// values.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spgemm/numeric_tiles.cuh>
#include <heddle/cuda_native/spgemm/tile_types.cuh>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

namespace heddle::cuda_native
{

// A product by tiles: of a single multiply, or kept by a plan.
template <template <class> class Memory>
struct SpgemmTiles
{
  Memory<std::uint32_t> places; // of entries of A, then of B, among the values of all tiles
  Memory<StepPair> pairs;
  Memory<TileBlock> blocks;
  Memory<TileBlockRow> rows;
  NodeAlignment alignment; // of the rows and columns of A, B and C
  int parts = 1;           // warps that share the steps of a block of C
  TilesQuestion counted = {};

  bool are_there() const { return blocks.size() > 0; }
  std::size_t bytes() const
  {
    return places.size() * sizeof(std::uint32_t) + pairs.size() * sizeof(StepPair) +
           blocks.size() * sizeof(TileBlock) + rows.size() * sizeof(TileBlockRow);
  }
  std::string describe() const
  {
    constexpr double percent = 100.0;
    std::ostringstream text;
    text << counted.tile_products << " products of tiles of 8 x 8 for " << counted.products
         << " of entries in " << counted.common_steps << " steps, tiles filled to "
         << static_cast<int>(percent * static_cast<double>(counted.entries) /
                             (static_cast<double>(counted.tiles) * values_of_tile))
         << " %";
    if (alignment.size > 0)
      text << ", nodes of " << alignment.size << " rows begin where tiles do";
    text << "; sums in order";
    return text.str();
  }
};

// What a call needs beside tiles: the values of A and B in them, and sums of parts of C's blocks.
inline std::size_t bytes_of_values(std::int64_t tiles)
{
  return static_cast<std::size_t>(tiles) * values_of_tile * sizeof(double);
}
inline std::size_t values_of_parts(std::size_t blocks, int parts)
{
  return parts > 1 ? blocks * static_cast<std::size_t>(parts) * values_of_block : 0;
}

// The values of A and B in their tiles.
class TileValues
{
  std::size_t m_count;
  TileScratch<double> m_values; // and a flag

public:
  // Asynchronous.
  template <template <class> class Memory, class A, class B>
  TileValues(Kokkos::Cuda const& exec, A const& a, std::int64_t entries_of_a, B const& b,
             SpgemmTiles<Memory> const& tiles)
      : m_count(static_cast<std::size_t>(tiles.counted.tiles) * values_of_tile)
      , m_values(exec, m_count + 1)
  {
    impl::require_cuda(
        cudaMemsetAsync(m_values.data(), 0, m_values.size() * sizeof(double), exec.cuda_stream()),
        "cudaMemsetAsync");
    auto const entries = static_cast<std::int64_t>(tiles.places.size());
    launch(exec, "heddle::spgemm::write_tiles",
           spgemm_write_tiles_kernel<typename A::value_type, typename B::value_type>,
           one_thread_each(entries), a.values, entries_of_a, b.values, entries, tiles.places.data(),
           m_values.data(), has_infinite());
  }
  double const* data() const { return m_values.data(); }
  // Not 0: one of them is infinite or not a number.
  int* has_infinite() const { return reinterpret_cast<int*>(m_values.data() + m_count); }
};

// Values of C = A B, of which `rows` rows. Asynchronous.
template <template <class> class Memory, class C>
void sum_in_tiles(Kokkos::Cuda const& exec, std::int64_t rows, C const& c,
                  SpgemmTiles<Memory> const& tiles, TileValues const& values)
{
  auto const blocks = static_cast<std::int64_t>(tiles.blocks.size());
  TileProduct const product{
      tiles.pairs.data(), tiles.blocks.data(), tiles.rows.data(),    tiles.alignment, blocks,
      tiles.parts,        values.data(),       values.has_infinite()};
  constexpr int threads = spgemm_tiles_policy.threads_per_block;
  TileScratch<double> const parts(exec, values_of_parts(tiles.blocks.size(), tiles.parts));
  launch(exec, "heddle::spgemm::sum_tiles", spgemm_sum_tiles_kernel<C>,
         one_thread_each(blocks * tiles.parts * warp_size, threads), c, rows, product,
         parts.data());
  if (tiles.parts > 1)
    launch(exec, "heddle::spgemm::add_tiles", spgemm_add_tiles_kernel<C>,
           one_thread_each(blocks * tiles_of_step * tiles_of_step * warp_size), c, rows, product,
           parts.data());
}

} // namespace heddle::cuda_native
