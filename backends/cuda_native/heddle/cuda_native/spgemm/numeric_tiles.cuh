// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The numeric phase of SpGEMM by dense tiles of 8 x 8 values, on the tensor cores that multiply
// doubles. A is cut into strips of 32 rows, B into strips of 32 columns, and C into blocks of
// 32 x 32, one for each pair of strips. Along the inner dimension a strip has a step for each 8
// columns of A (rows of B) in which it has entries, with up to four tiles:
//
//     strip of A        step 0  step 2        strip of B        step 0  step 2
//     rows  0 to 7       tile    tile          columns 0 to 7    tile     .
//     rows  8 to 15       .      tile          columns 8 to 15   tile    tile
//     ...                                      ...
//
// A warp has the sums of a block of C in registers. The symbolic phase lists the steps that both of
// its strips have (spgemm/blocks_of_result.cuh); the warp goes through them and multiplies each
// tile of A's by each of B's. Values that a tile lacks are zeros, so this pays where tiles are well
// filled, and where the same rows of B meet in C again and again (spgemm/tiles_policy.hpp). Each
// call writes the values of A and B into tiles, at places that the symbolic phase found
// (spgemm/tiles_of_factors.cuh). A sum is of doubles, whatever the type of the values, and in one
// order: repeatable.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/tensor_mma.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/tile_types.cuh>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

struct TileProduct
{
  StepPair const* pairs;
  TileBlock const* blocks;
  TileBlockRow const* rows; // strip_size for each block
  NodeAlignment alignment;
  std::int64_t count;      // of blocks
  int parts;               // warps that share the steps of a block
  double const* values;    // of the tiles of A and B
  int const* has_infinite; // not 0: a value of A or B is infinite or not a number
};

// Writes the values of A and B into their tiles: entries of A have the first places, then those of
// B. Zeros of a matrix become -0, which changes no sum that begins with 0, so that places where it
// has no entry can be told from them.
template <class A, class B>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_write_tiles_kernel(A const* a, std::int64_t entries_of_a, B const* b, std::int64_t count,
                              std::uint32_t const* places, double* tiles, int* has_infinite)
{
  std::int64_t const k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= count)
    return;
  auto const value =
      k < entries_of_a ? static_cast<double>(a[k]) : static_cast<double>(b[k - entries_of_a]);
  tiles[places[k]] = value == 0.0 ? -0.0 : value;
  if (!isfinite(value))
    *has_infinite = 1;
}

// The sums of a warp: those of tile (i, j) of a block in row lane / 4, columns 2 (lane % 4) and the
// next.
struct TileSums
{
  double of[tiles_of_step][tiles_of_step][2] = {};
};

// The factors of a warp in the tiles of a step: those of row (column) lane / 4 with inner indices
// lane % 4 and four more. Zeros where there is no tile.
struct TileFactors
{
  double2 of[tiles_of_step] = {};

  TileFactors() = default;
  __device__ TileFactors(double const* tiles, TileStep const& step, int lane)
  {
    auto const* from = reinterpret_cast<double2 const*>(tiles) +
                       std::int64_t(step.first()) * (values_of_tile / 2) + lane;
#pragma unroll
    for (int n = 0; n < tiles_of_step; ++n)
      if ((step.tiles() >> n & 1) != 0)
      {
        of[n] = __ldg(from);
        from += values_of_tile / 2;
      }
  }
};

// A pair of steps with its factors.
struct LoadedPair
{
  StepPair steps = {};
  TileFactors a, b;

  LoadedPair() = default;
  __device__ LoadedPair(TileProduct const& product, StepPair const& pair, int lane)
      : steps(pair)
      , a(product.values, pair.a, lane)
      , b(product.values, pair.b, lane)
  {}
  __device__ void multiply(TileSums& sums) const
  {
#pragma unroll
    for (int i = 0; i < tiles_of_step; i += 2)
      if ((steps.a.tiles() >> i & 3) != 0)
      {
#pragma unroll
        for (int j = 0; j < tiles_of_step; ++j)
          if ((steps.b.tiles() >> j & 1) != 0)
            multiply_add(sums.of[i][j], sums.of[i + 1][j],
                         {a.of[i].x, a.of[i + 1].x, a.of[i].y, a.of[i + 1].y},
                         {b.of[j].x, b.of[j].y});
      }
  }
};

// The same where a value is infinite: products with what a matrix does not have are left out.
__device__ inline void multiply_entries(TileSums& sums, TileProduct const& product,
                                        StepPair const& pair, int lane)
{
  auto const is_there = [](double value) { return __double_as_longlong(value) != 0; };
  auto const add = [&](double& sum, double of_row, double of_column) {
    if (is_there(of_row) && is_there(of_column))
      sum += of_row * of_column;
  };
  double const* a = product.values + std::int64_t(pair.a.first()) * values_of_tile;
#pragma unroll
  for (int i = 0; i < tiles_of_step; ++i)
  {
    if ((pair.a.tiles() >> i & 1) == 0)
      continue;
    double const* b = product.values + std::int64_t(pair.b.first()) * values_of_tile;
#pragma unroll
    for (int j = 0; j < tiles_of_step; ++j)
    {
      if ((pair.b.tiles() >> j & 1) == 0)
        continue;
#pragma unroll 1
      for (int inner = 0; inner < tile_size; ++inner)
      {
        double const of_row = a[place_in_tile(lane / 4, inner)];
        add(sums.of[i][j][0], of_row, b[place_in_tile(lane % 4 * 2, inner)]);
        add(sums.of[i][j][1], of_row, b[place_in_tile(lane % 4 * 2 + 1, inner)]);
      }
      b += values_of_tile;
    }
    a += values_of_tile;
  }
}

// Where the sums of a lane go in C: row lane / 4 of tile row i of block n.
template <class Value>
struct RowOfSums
{
  Value* to;
  std::uint32_t columns; // bits of those that C has in the block

  template <class C>
  __device__ RowOfSums(C const& c, std::int64_t c_rows, TileProduct const& product, std::int64_t n,
                       int row_strip, int i, int lane)
      : to(nullptr)
      , columns(0)
  {
    int const r = i * tile_size + lane / 4;
    int const row = product.alignment.index_at(row_strip * strip_size + r);
    if (row >= c_rows)
      return;
    TileBlockRow const of = product.rows[n * strip_size + r];
    to = c.values + static_cast<std::int64_t>(c.offsets[row]) + of.first;
    columns = of.columns;
  }
  // Two sums of tile j, if C has entries there.
  __device__ void store(int j, double const (&sums)[2], int lane) const
  {
#pragma unroll
    for (int x = 0; x < 2; ++x)
    {
      unsigned const column = 1U << (j * tile_size + lane % 4 * 2 + x);
      if ((columns & column) != 0)
        to[__popc(columns & (column - 1))] = static_cast<Value>(sums[x]);
    }
  }
};
// All sums of block n. Rows are looked up before anything is stored: loads would wait for stores
// that may be to the same memory.
template <class C>
__device__ void store_sums(C const& c, std::int64_t c_rows, TileProduct const& product,
                           std::int64_t n, int row_strip, TileSums const& sums, int lane)
{
  using Row = RowOfSums<typename C::value_type>;
  Row const rows[tiles_of_step] = {{c, c_rows, product, n, row_strip, 0, lane},
                                   {c, c_rows, product, n, row_strip, 1, lane},
                                   {c, c_rows, product, n, row_strip, 2, lane},
                                   {c, c_rows, product, n, row_strip, 3, lane}};
  static_assert(tiles_of_step == 4);
#pragma unroll
  for (int i = 0; i < tiles_of_step; ++i)
#pragma unroll
    for (int j = 0; j < tiles_of_step; ++j)
      rows[i].store(j, sums.of[i][j], lane);
}

// Where the sums of tile (i, j) of a part of a block stand until parts are added up.
__device__ inline double2* tile_of_part(double* parts, std::int64_t part, int i, int j, int lane)
{
  return reinterpret_cast<double2*>(parts + part * values_of_block) +
         (i * tiles_of_step + j) * warp_size + lane;
}

// take(pair) for the pairs of a part of a block, in their order. A warp loads as many at a time as
// it has lanes.
template <class Take>
__device__ void take_pairs(TileProduct const& product, TileBlock const& block, int part, int lane,
                           Take const& take)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  std::int64_t const pairs = block.pairs;
  std::int64_t const last = block.first_pair + pairs * (part + 1) / product.parts;
  for (std::int64_t from = block.first_pair + pairs * part / product.parts; from < last;
       from += warp_size)
  {
    auto const count = static_cast<int>(min(last - from, std::int64_t(warp_size)));
    StepPair const mine = lane < count ? product.pairs[from + lane] : StepPair{};
    for (int n = 0; n < count; ++n)
      take(StepPair{{__shfl_sync(all_lanes, mine.a.bits, n)},
                    {__shfl_sync(all_lanes, mine.b.bits, n)}});
  }
}

// A warp sums a part of a block of C; neighbouring warps have blocks of one strip of A.
template <class C>
__global__ void __launch_bounds__(spgemm_tiles_policy.threads_per_block,
                                  spgemm_tiles_policy.blocks_of_multiprocessor)
    spgemm_sum_tiles_kernel(C c, std::int64_t c_rows, TileProduct product, double* parts)
{
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  std::int64_t const warp =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (warp >= product.count * product.parts)
    return;
  std::int64_t const n = warp % product.count;
  int const part = static_cast<int>(warp / product.count);
  TileBlock const block = product.blocks[n];
  auto const store = [&](TileSums const& sums) {
    if (parts == nullptr)
      return store_sums(c, c_rows, product, n, block.row_strip, sums, lane);
#pragma unroll
    for (int i = 0; i < tiles_of_step; ++i)
#pragma unroll
      for (int j = 0; j < tiles_of_step; ++j)
        *tile_of_part(parts, part * product.count + n, i, j, lane) = {sums.of[i][j][0],
                                                                      sums.of[i][j][1]};
  };
  TileSums sums;
  if (*product.has_infinite != 0)
  {
    take_pairs(product, block, part, lane,
               [&](StepPair const& pair) { multiply_entries(sums, product, pair, lane); });
    return store(sums);
  }
  // Factors are loaded a step before they are multiplied.
  LoadedPair waiting;
  take_pairs(product, block, part, lane, [&](StepPair const& pair) {
    LoadedPair const loaded(product, pair, lane);
    waiting.multiply(sums);
    waiting = loaded;
  });
  waiting.multiply(sums);
  store(sums);
}

// Adds up the parts of a tile of a block, a warp each.
template <class C>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_add_tiles_kernel(C c, std::int64_t c_rows, TileProduct product, double* parts)
{
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  std::int64_t const warp =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  constexpr int tiles = tiles_of_step * tiles_of_step;
  std::int64_t const n = warp / tiles;
  if (n >= product.count)
    return;
  int const i = static_cast<int>(warp % tiles) / tiles_of_step;
  int const j = static_cast<int>(warp % tiles) % tiles_of_step;
  double sums[2] = {};
#pragma unroll 8
  for (int part = 0; part < product.parts; ++part)
  {
    double2 const of = *tile_of_part(parts, part * product.count + n, i, j, lane);
    sums[0] += of.x;
    sums[1] += of.y;
  }
  RowOfSums<typename C::value_type>(c, c_rows, product, n, product.blocks[n].row_strip, i, lane)
      .store(j, sums, lane);
}

} // namespace heddle::cuda_native
