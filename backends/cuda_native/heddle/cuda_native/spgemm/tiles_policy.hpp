// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of SpGEMM by dense tiles (spgemm/tiles.cuh).

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/spgemm/node_sizes.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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
  // Strips of 32 rows of which tiles are counted to estimate how they are filled, and entries of
  // each of their rows at most; pairs of steps that a block of C is then taken to have, unless
  // there are as few blocks as strips allow.
  int sampled_strips, sampled_entries_of_row;
  double sampled_steps_of_block;
  // Sizes of nodes that are tried aligned to tiles, where rows and columns are multiples of them,
  // largest first: larger ones, and 8, fill tiles well wherever they begin. And the part of the
  // estimated time that aligned nodes may take.
  std::array<int, 9> aligned_sizes;
  double most_time_aligned;
  // Times in picoseconds. Of a call by tiles: in any case, per pair of steps that strips have in
  // common, per product of two tiles, per tile and per entry of A and B, and per block of C. Of
  // finding tiles: in any case, per tile of A and B, and per entry of a strip, which one thread
  // block finds. Of C's pattern by them: in any case, and per block of C. And of the sample that
  // comes before, as much as it has to promise.
  double of_call, of_step, of_tile_product, of_tile, of_entry, of_block;
  double of_finding, of_finding_tile, of_finding_entry_of_strip;
  double of_listing, of_listing_block;
  double of_sample;
  // Of other kernels: of finding C's pattern in any case and per product of entries, and of calls
  // per product; of rows, of nodes of two rows and of more, and in dense rows of C, which also take
  // their time per sum that groups hand on. And what calls take of that if values are floats.
  double of_pattern, of_pattern_in_nodes, of_pattern_in_dense_rows;
  double of_pattern_product;
  double of_product, of_product_in_pairs, of_product_in_nodes, of_product_in_dense_rows;
  double of_dense_row_sum;
  double of_floats;
};

// Fitted on the zoo's tuning part and six real matrices on an H200 on 2026-11-30
// (perf_tests/results/h200/spgemm_tiles_sample.txt).
inline constexpr SpgemmTilesPolicy spgemm_tiles_policy{
    .threads_per_block = 128,
    .blocks_of_multiprocessor = 3,
    .most_parts = 128,
    .least_steps_of_part = 8,
    .assumed_calls = 100,
    .least_products_of_a = 16.0,
    .sampled_strips = 128,
    .sampled_entries_of_row = 512,
    .sampled_steps_of_block = 8.0,
    .aligned_sizes = {15, 14, 13, 12, 11, 10, 7, 6, 5},
    .most_time_aligned = 0.85,
    .of_call = 29e6,
    .of_step = 380.0,
    .of_tile_product = 4.4,
    .of_tile = 44.0,
    .of_entry = 13.0,
    .of_block = 1.75e3,
    .of_finding = 60e6,
    .of_finding_tile = 1.6e3,
    .of_finding_entry_of_strip = 1.9e3,
    .of_listing = 49e6,
    .of_listing_block = 920.0,
    .of_sample = 40e6,
    .of_pattern = 150e6,
    .of_pattern_in_nodes = 280e6,
    .of_pattern_in_dense_rows = 70e6,
    .of_pattern_product = 0.4,
    .of_product = 4.4,
    .of_product_in_pairs = 2.2,
    .of_product_in_nodes = 1.0,
    .of_product_in_dense_rows = 2.2,
    .of_dense_row_sum = 26.0,
    .of_floats = 0.75};

// What multiplies A and B if not tiles: its times per product of entries and beside, of a call and
// of finding C's pattern.
struct OtherKernels
{
  double of_product, of_call, of_pattern_product, of_pattern;
};
// Rows one by one where node_size is 1, else nodes of that number of rows.
constexpr OtherKernels by_nodes(int node_size, std::size_t bytes_of_value = sizeof(double))
{
  auto const& policy = spgemm_tiles_policy;
  double const of_product = node_size == 1   ? policy.of_product
                            : node_size == 2 ? policy.of_product_in_pairs
                                             : policy.of_product_in_nodes;
  return {of_product * (bytes_of_value < sizeof(double) ? policy.of_floats : 1.0), 0.0,
          policy.of_pattern_product,
          node_size == 1 ? policy.of_pattern : policy.of_pattern_in_nodes};
}
// Dense rows of C. sums: how many their groups hand on.
constexpr OtherKernels by_dense_rows(double sums, std::size_t bytes_of_value = sizeof(double))
{
  auto const& policy = spgemm_tiles_policy;
  return {policy.of_product_in_dense_rows *
              (bytes_of_value < sizeof(double) ? policy.of_floats : 1.0),
          policy.of_dense_row_sum * sums, 0.0, policy.of_pattern_in_dense_rows};
}

// What decides whether A and B are multiplied by tiles.
struct TilesQuestion
{
  std::int64_t common_steps = 0;     // of two strips, in all blocks of C
  std::int64_t tile_products = 0;    // of a tile of A and one of B
  std::int64_t tiles = 0;            // of A and B
  std::int64_t entries = 0;          // of A and B
  std::int64_t products = 0;         // of entries
  std::int64_t blocks = 0;           // of C
  std::int64_t entries_of_strip = 0; // of the rows that a thread block finds tiles in, in the mean
};

// Of a call.
inline double time_of_tiles(TilesQuestion const& asked)
{
  auto const& policy = spgemm_tiles_policy;
  return policy.of_call + policy.of_step * static_cast<double>(asked.common_steps) +
         policy.of_tile_product * static_cast<double>(asked.tile_products) +
         policy.of_tile * static_cast<double>(asked.tiles) +
         policy.of_entry * static_cast<double>(asked.entries) +
         policy.of_block * static_cast<double>(asked.blocks);
}
// Of finding tiles, unless that has been done, and of C's pattern by them.
inline double time_to_find_tiles(TilesQuestion const& asked, bool are_found = false)
{
  auto const& policy = spgemm_tiles_policy;
  double const to_find =
      policy.of_finding + policy.of_finding_tile * static_cast<double>(asked.tiles) +
      policy.of_finding_entry_of_strip * static_cast<double>(asked.entries_of_strip);
  return (are_found ? 0.0 : to_find) + policy.of_listing +
         policy.of_listing_block * static_cast<double>(asked.blocks);
}
// Whether tiles are to be looked for, or, when they have been found, to be taken.
inline impl::Verdict tiles_pay(TilesQuestion const& asked, OtherKernels const& kernels,
                               std::int64_t calls, bool are_found = false)
{
  constexpr double per_us = 1e6;
  double const tiles = time_of_tiles(asked);
  double const products = static_cast<double>(asked.products);
  double const others = kernels.of_call + kernels.of_product * products;
  double const more_to_find = time_to_find_tiles(asked, are_found) - kernels.of_pattern -
                              kernels.of_pattern_product * products;
  return {static_cast<double>(calls) * (others - tiles) > more_to_find,
          "a call by % products of tiles is taken to last % us, others % us", asked.tile_products,
          tiles / per_us, others / per_us};
}

// What is known of A and B before tiles are looked for, and about how many products there are.
struct ProductSizes
{
  std::int64_t entries_a = 0, entries_b = 0;
  double products = 0.0;
  std::int64_t rows = 0, inner = 0, cols = 0; // of A, of B, and columns of B

  // Those that a thread block finds tiles in: of 32 rows of A, or 8 of B.
  std::int64_t entries_of_strip() const
  {
    constexpr std::int64_t rows_of_strip = 32, rows_of_group = 8;
    return std::max(entries_a / std::max<std::int64_t>(impl::divided_up(rows, rows_of_strip), 1),
                    entries_b / std::max<std::int64_t>(impl::divided_up(inner, rows_of_group), 1));
  }
};
// Entries and tiles of the sampled strips of a factor, and its steps if it is A, or if it is B.
struct SampledTiles
{
  double entries = 0.0, tiles = 0.0, steps_of_a = 0.0, steps_of_b = 0.0;
};
// Of tiles that are full, in steps that have all of theirs.
inline constexpr SampledTiles full_tiles{64.0, 1.0, 0.25, 0.25};

// What is to be expected by samples of A and B.
inline TilesQuestion expected_tiles(ProductSizes const& sizes, SampledTiles const& a,
                                    SampledTiles const& b)
{
  constexpr double places_of_tile = 64.0, places_of_product = 512.0, rows_of_strip = 32.0;
  auto const count = [](double n) { return static_cast<std::int64_t>(n); };
  auto const tiles_of_entry = [](SampledTiles const& sampled) {
    return sampled.tiles / std::max(sampled.entries, 1.0);
  };
  double const entries_a = static_cast<double>(sizes.entries_a);
  double const entries_b = static_cast<double>(sizes.entries_b);
  double const strips = std::ceil(static_cast<double>(sizes.rows) / rows_of_strip);
  double const column_strips = std::ceil(static_cast<double>(sizes.cols) / rows_of_strip);
  double const tile_products = sizes.products * places_of_tile * tiles_of_entry(a) *
                               places_of_tile * tiles_of_entry(b) / places_of_product;
  double const steps =
      tile_products * a.steps_of_a / std::max(a.tiles, 1.0) * b.steps_of_b / std::max(b.tiles, 1.0);
  return {.common_steps = count(steps),
          .tile_products = count(tile_products),
          .tiles = count(entries_a * tiles_of_entry(a) + entries_b * tiles_of_entry(b)),
          .entries = sizes.entries_a + sizes.entries_b,
          .products = count(sizes.products),
          .blocks = count(
              std::min(strips * column_strips, steps / spgemm_tiles_policy.sampled_steps_of_block)),
          .entries_of_strip = sizes.entries_of_strip()};
}
// Whether tiles could pay at all, if they were full: else there is no sample.
inline bool full_tiles_pay(ProductSizes const& sizes, OtherKernels const& kernels,
                           std::int64_t calls)
{
  OtherKernels after_sample = kernels;
  after_sample.of_pattern -= spgemm_tiles_policy.of_sample;
  return sizes.products >=
             spgemm_tiles_policy.least_products_of_a * static_cast<double>(sizes.entries_a) &&
         static_cast<bool>(
             tiles_pay(expected_tiles(sizes, full_tiles, full_tiles), after_sample, calls));
}
// Whether nodes are to be aligned to tiles: what is expected then, and if not, beside what both
// take in any case.
inline bool alignment_pays(TilesQuestion const& aligned, TilesQuestion const& as_they_are,
                           std::int64_t calls)
{
  auto const time = [calls](TilesQuestion const& asked) {
    auto const& policy = spgemm_tiles_policy;
    return static_cast<double>(calls) * (time_of_tiles(asked) - policy.of_call) +
           time_to_find_tiles(asked) - policy.of_finding - policy.of_listing;
  };
  return time(aligned) < spgemm_tiles_policy.most_time_aligned * time(as_they_are);
}

// Sizes of nodes that are aligned to tiles, largest first.
struct NodeSizesInTiles
{
  static constexpr int most = 6;
  int sizes[most] = {};
  int count = 0;
};
// The sizes that those of A and B do not rule out, as far as there is room.
inline NodeSizesInTiles possible_alignments(MatrixSizes const& a, MatrixSizes const& b)
{
  NodeSizesInTiles possible;
  for (int const size : spgemm_tiles_policy.aligned_sizes)
    if (possible.count < NodeSizesInTiles::most && may_have_nodes(a, size) &&
        may_have_nodes(b, size))
      possible.sizes[possible.count++] = size;
  return possible;
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
