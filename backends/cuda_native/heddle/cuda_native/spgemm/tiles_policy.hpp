// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of SpGEMM by dense tiles (spgemm/tiles.cuh).

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace heddle::cuda_native
{

struct SpgemmTilesPolicy
{
  // Of the kernel that multiplies: threads of a block, and blocks that a multiprocessor has at
  // once.
  int threads_per_block, blocks_of_multiprocessor;
  // Warps that share a block of C at most, and steps of a strip that each has at least.
  int most_parts, least_steps_of_part;
  // Calls that are assumed where none are expected.
  std::int64_t assumed_calls;
  // Products per entry of A below which tiles are not looked for.
  double least_products_of_a;
  // Groups of 8 rows of which tiles are counted to estimate how well they are filled.
  int sampled_groups;
  // Times in picoseconds. Of a call by tiles: in any case, per pair of steps that strips have in
  // common, per product of two tiles, per tile and per entry of A and B, and per block of C. Of
  // finding tiles and C's pattern: in any case, per entry of A and B, and per block of C. And of
  // other kernels: of finding C's pattern in any case and per product of entries, and of calls per
  // product, of rows, of nodes of two rows and of more, and in dense rows of C.
  double of_call, of_step, of_tile_product, of_tile, of_entry, of_block;
  double of_finding, of_finding_entry, of_finding_block;
  double of_pattern, of_pattern_product;
  double of_product, of_product_in_pairs, of_product_in_nodes, of_product_in_dense_rows;
  // What a call by tiles takes per place of their products, zeros included, before it is known how
  // they lie: compared with rows, with dense rows, where strips are wide and steps have many tiles,
  // and with nodes.
  double of_place_by_rows, of_place_by_dense_rows, of_place;
};

// Fitted on the zoo's tuning part: times by tiles and of finding them on an H200 on 2026-11-30
// (perf_tests/results/h200/spgemm_tiles_symbolic.txt), others on an H100 on 2026-11-27
// (perf_tests/results/h100/spgemm_tiles.txt).
inline constexpr SpgemmTilesPolicy spgemm_tiles_policy{.threads_per_block = 128,
                                                       .blocks_of_multiprocessor = 3,
                                                       .most_parts = 128,
                                                       .least_steps_of_part = 8,
                                                       .assumed_calls = 100,
                                                       .least_products_of_a = 16.0,
                                                       .sampled_groups = 256,
                                                       .of_call = 15e6,
                                                       .of_step = 300.0,
                                                       .of_tile_product = 20.0,
                                                       .of_tile = 300.0,
                                                       .of_entry = 10.0,
                                                       .of_block = 2e3,
                                                       .of_finding = 180e6,
                                                       .of_finding_entry = 20.0,
                                                       .of_finding_block = 1.5e3,
                                                       .of_pattern = 150e6,
                                                       .of_pattern_product = 0.4,
                                                       .of_product = 4.4,
                                                       .of_product_in_pairs = 2.2,
                                                       .of_product_in_nodes = 1.0,
                                                       .of_product_in_dense_rows = 3.0,
                                                       .of_place_by_rows = 0.3,
                                                       .of_place_by_dense_rows = 0.2,
                                                       .of_place = 0.5};

// What other kernels take per product, by the rows of a node: 1 where A and B are no nodes.
constexpr double time_of_product(int node_size)
{
  auto const& policy = spgemm_tiles_policy;
  return node_size == 1   ? policy.of_product
         : node_size == 2 ? policy.of_product_in_pairs
                          : policy.of_product_in_nodes;
}

// What is known before tiles are looked for: entries of A and B, and about how many products.
struct ProductSizes
{
  std::int64_t entries = 0;
  double products = 0.0;
  std::int64_t blocks = 0; // of C, 0 where they have not been counted
};
// In picoseconds, as all times: what finding tiles and C's pattern by them takes more than finding
// the pattern by other kernels.
inline double time_to_find_tiles(ProductSizes const& sizes)
{
  auto const& policy = spgemm_tiles_policy;
  return policy.of_finding + policy.of_finding_entry * static_cast<double>(sizes.entries) +
         policy.of_finding_block * static_cast<double>(sizes.blocks) - policy.of_pattern -
         policy.of_pattern_product * sizes.products;
}

// What multiplies A and B if not tiles: its time per product of entries, and what tiles are
// taken to need beside it per place of their products.
struct OtherKernels
{
  double of_product, of_place;
};
// Rows one by one where node_size is 1, else nodes of that number of rows.
constexpr OtherKernels by_nodes(int node_size)
{
  auto const& policy = spgemm_tiles_policy;
  return {time_of_product(node_size), node_size == 1 ? policy.of_place_by_rows : policy.of_place};
}
inline constexpr OtherKernels by_dense_rows{spgemm_tiles_policy.of_product_in_dense_rows,
                                            spgemm_tiles_policy.of_place_by_dense_rows};

// Whether these calls may repay finding out what tiles there are, if each product of entries
// takes this number of places in products of tiles.
inline bool tiles_may_pay(ProductSizes const& sizes, double places_of_product,
                          OtherKernels const& others, std::int64_t calls)
{
  double const saved = sizes.products * (others.of_product - others.of_place * places_of_product) -
                       spgemm_tiles_policy.of_call;
  return static_cast<double>(calls) * saved > time_to_find_tiles(sizes);
}

// What decides whether A and B are multiplied by tiles.
struct TilesQuestion
{
  std::int64_t common_steps = 0;  // of two strips, in all blocks of C
  std::int64_t tile_products = 0; // of a tile of A and one of B
  std::int64_t tiles = 0;         // of A and B
  std::int64_t entries = 0;       // of A and B
  std::int64_t products = 0;      // of entries
  std::int64_t blocks = 0;        // of C
};

inline double time_of_tiles(TilesQuestion const& asked)
{
  auto const& policy = spgemm_tiles_policy;
  return policy.of_call + policy.of_step * static_cast<double>(asked.common_steps) +
         policy.of_tile_product * static_cast<double>(asked.tile_products) +
         policy.of_tile * static_cast<double>(asked.tiles) +
         policy.of_entry * static_cast<double>(asked.entries) +
         policy.of_block * static_cast<double>(asked.blocks);
}
inline impl::Verdict tiles_pay(TilesQuestion const& asked, OtherKernels const& kernels,
                               std::int64_t calls)
{
  constexpr double per_us = 1e6;
  double const tiles = time_of_tiles(asked);
  double const others = kernels.of_product * static_cast<double>(asked.products);
  return {static_cast<double>(calls) * (others - tiles) >
              time_to_find_tiles({.entries = asked.entries,
                                  .products = static_cast<double>(asked.products),
                                  .blocks = asked.blocks}),
          "a call by % products of tiles is taken to last % us, others % us", asked.tile_products,
          tiles / per_us, others / per_us};
}

// Warps that share the steps of a block of C, so that the device is full.
inline int parts_of_blocks(DeviceShape const& device, std::int64_t blocks, double steps_of_strip)
{
  constexpr int threads_of_warp = 32;
  auto const& policy = spgemm_tiles_policy;
  std::int64_t const warps = static_cast<std::int64_t>(device.multiprocessors) *
                             policy.blocks_of_multiprocessor * policy.threads_per_block /
                             threads_of_warp;
  auto const by_steps = static_cast<std::int64_t>(steps_of_strip / policy.least_steps_of_part);
  return static_cast<int>(std::clamp<std::int64_t>(
      std::min(warps / std::max<std::int64_t>(blocks, 1), by_steps), 1, policy.most_parts));
}

} // namespace heddle::cuda_native
