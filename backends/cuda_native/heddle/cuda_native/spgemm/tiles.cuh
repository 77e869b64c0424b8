// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A product by dense tiles (spgemm/numeric_tiles.cuh): what the symbolic phase leaves of A
// and B (spgemm/tiles_of_factors.cuh) and of C (spgemm/tiles_of_result.cuh), and calls with values.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spgemm/numeric_tiles.cuh>
#include <heddle/cuda_native/spgemm/tiles_of_factors.cuh>
#include <heddle/cuda_native/spgemm/tiles_of_result.cuh>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>

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
  MatrixTiles<Memory> a, b;
  ResultTiles<Memory> c;
  int parts = 1; // warps that share the steps of a block of C
  TilesQuestion counted = {};

  bool are_there() const { return c.blocks.size() > 0; }
  std::size_t bytes() const { return a.bytes() + b.bytes() + c.bytes(); }
  std::string describe() const
  {
    constexpr double percent = 100.0;
    std::ostringstream text;
    text << counted.tile_products << " products of tiles of 8 x 8 for " << counted.products
         << " of entries in " << counted.common_steps << " steps, tiles filled to "
         << static_cast<int>(percent * static_cast<double>(counted.entries) /
                             (static_cast<double>(counted.tiles) * values_of_tile))
         << " %; sums in order";
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

// Values of C = A B. Asynchronous.
template <template <class> class Memory, class A, class B, class C>
void sum_in_tiles(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c,
                  SpgemmTiles<Memory> const& tiles)
{
  std::size_t const of_a = tiles.a.values(), of_b = tiles.b.values();
  auto const entries_a = static_cast<std::int64_t>(tiles.a.places.size());
  auto const entries_b = static_cast<std::int64_t>(tiles.b.places.size());
  TileScratch<double> const values(exec, of_a + of_b + 1); // and a flag
  Kokkos::deep_copy(exec, values.view(), 0.0);
  auto* const has_infinite = reinterpret_cast<int*>(values.data() + of_a + of_b);
  launch(exec, "heddle::spgemm::write_tiles",
         spgemm_write_tiles_kernel<typename A::value_type, typename B::value_type>,
         one_thread_each(entries_a + entries_b),
         TiledValues<typename A::value_type>{a.values, tiles.a.places.data(), entries_a,
                                             values.data()},
         TiledValues<typename B::value_type>{b.values, tiles.b.places.data(), entries_b,
                                             values.data() + of_a},
         has_infinite);
  auto const blocks = static_cast<std::int64_t>(tiles.c.blocks.size());
  TileProduct const product{
      tiles.a.strips(), tiles.b.strips(), tiles.c.blocks.data(), tiles.c.rows.data(), blocks,
      tiles.parts,      values.data(),    values.data() + of_a,  has_infinite};
  constexpr int threads = spgemm_tiles_policy.threads_per_block;
  TileScratch<double> const parts(exec, values_of_parts(tiles.c.blocks.size(), tiles.parts));
  launch(exec, "heddle::spgemm::sum_tiles", spgemm_sum_tiles_kernel<C>,
         one_thread_each(blocks * tiles.parts * warp_size, threads), c, a.rows, product,
         parts.data());
  if (tiles.parts > 1)
    launch(exec, "heddle::spgemm::add_tiles", spgemm_add_tiles_kernel<C>,
           one_thread_each(blocks * tiles_of_step * tiles_of_step * warp_size), c, a.rows, product,
           parts.data());
}

} // namespace heddle::cuda_native
