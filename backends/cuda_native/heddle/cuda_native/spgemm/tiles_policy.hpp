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
  // Products per entry of C, per entry of A and per word of 32 columns of B's rows below which
  // tiles are not looked for.
  double least_products_of_c, least_products_of_a, least_products_of_word;
  // Times in picoseconds. Of a call by tiles: in any case, per step that two strips have in common,
  // per product of two tiles, per tile and per entry of A and B, and per entry of C. Of finding
  // tiles: in any case, per entry of A and B, and per entry of C. And per product of entries of
  // calls by other kernels.
  double of_call, of_step, of_tile_product, of_tile, of_entry, of_result;
  double of_finding, of_finding_entry, of_finding_result;
  double of_product;
};

// Tried on an H100 on 2026-11-27, on the zoo's tuning part
// (perf_tests/results/h100/spgemm_tiles.txt).
inline constexpr SpgemmTilesPolicy spgemm_tiles_policy{.threads_per_block = 128,
                                                       .blocks_of_multiprocessor = 3,
                                                       .most_parts = 128,
                                                       .least_steps_of_part = 8,
                                                       .assumed_calls = 100,
                                                       .least_products_of_c = 6.0,
                                                       .least_products_of_a = 16.0,
                                                       .least_products_of_word = 2.0,
                                                       .of_call = 15e6,
                                                       .of_step = 500.0,
                                                       .of_tile_product = 20.0,
                                                       .of_tile = 300.0,
                                                       .of_entry = 10.0,
                                                       .of_result = 10.0,
                                                       .of_finding = 450e6,
                                                       .of_finding_entry = 100.0,
                                                       .of_finding_result = 20.0,
                                                       .of_product = 4.4};

// What is known before tiles are looked for.
struct ProductSizes
{
  std::int64_t nnz_a;
  std::int64_t products, words; // of C's rows, and words of 32 columns in the rows of B they take
  std::int64_t nnz;             // of C
};

// Whether calls may repay finding out what tiles there are.
inline bool tiles_may_pay(ProductSizes const& sizes, std::int64_t calls)
{
  auto const& policy = spgemm_tiles_policy;
  auto const products = static_cast<double>(sizes.products);
  return products >= policy.least_products_of_c * static_cast<double>(sizes.nnz) &&
         products >= policy.least_products_of_a * static_cast<double>(sizes.nnz_a) &&
         products >= policy.least_products_of_word * static_cast<double>(sizes.words) &&
         static_cast<double>(calls) * (policy.of_product * products - policy.of_call) >
             policy.of_finding;
}

// What decides whether A and B are multiplied by tiles.
struct TilesQuestion
{
  std::int64_t common_steps;  // of two strips, in all blocks of C
  std::int64_t tile_products; // of a tile of A and one of B
  std::int64_t tiles;         // of A and B
  std::int64_t entries;       // of A and B
  std::int64_t products, nnz; // of C
};

// In picoseconds.
inline double time_of_tiles(TilesQuestion const& asked)
{
  auto const& policy = spgemm_tiles_policy;
  return policy.of_call + policy.of_step * static_cast<double>(asked.common_steps) +
         policy.of_tile_product * static_cast<double>(asked.tile_products) +
         policy.of_tile * static_cast<double>(asked.tiles) +
         policy.of_entry * static_cast<double>(asked.entries) +
         policy.of_result * static_cast<double>(asked.nnz);
}
inline double time_to_find_tiles(TilesQuestion const& asked)
{
  auto const& policy = spgemm_tiles_policy;
  return policy.of_finding + policy.of_finding_entry * static_cast<double>(asked.entries) +
         policy.of_finding_result * static_cast<double>(asked.nnz);
}

inline impl::Verdict tiles_pay(TilesQuestion const& asked, std::int64_t calls)
{
  constexpr double per_us = 1e6;
  double const tiles = time_of_tiles(asked);
  double const others = spgemm_tiles_policy.of_product * static_cast<double>(asked.products);
  return {static_cast<double>(calls) * (others - tiles) > time_to_find_tiles(asked),
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
