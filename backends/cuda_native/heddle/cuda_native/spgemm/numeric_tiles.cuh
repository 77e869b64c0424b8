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
// A warp has the sums of a block of C in registers. It goes through the steps that both of its
// strips have, and multiplies each tile of A's by each of B's. Values that a tile lacks are zeros,
// so this pays where tiles are well filled, and where the same rows of B meet in C again and again
// (spgemm/tiles_policy.hpp). Each call writes the values of A and B into tiles, at places that the
// symbolic phase found (spgemm/tiles_of_factors.cuh). A sum is of doubles, whatever the type of the
// values, and in one order: repeatable.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/tensor_mma.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

inline constexpr int tile_size = 8, tiles_of_step = 4, strip_size = tile_size * tiles_of_step;
inline constexpr int values_of_tile = tile_size * tile_size;
inline constexpr int values_of_block = strip_size * strip_size;

// Where a tile has the value of its row `outer` (of B: column) and inner index `inner`: each lane
// of a warp has two neighbours, the factors that the tensor cores take from it.
KOKKOS_INLINE_FUNCTION constexpr int place_in_tile(int outer, int inner)
{
  return (outer * (tile_size / 2) + inner % (tile_size / 2)) * 2 + inner / (tile_size / 2);
}

// A step of a strip: bit n of tiles is set where it has tile n; the first of them is tile number
// `first` of the matrix, and the others follow.
struct alignas(8) TileStep
{
  std::uint32_t first = 0, tiles = 0;
};

// A matrix in strips: the steps of strip s are offsets[s] .. offsets[s + 1] - 1, those of inner
// indices 8 groups[n] to 8 groups[n] + 7.
struct TileStrips
{
  int const* offsets;
  int const* groups;
  TileStep const* steps;
};

// A block of C by its strips, and a row of it: a bit for each of its columns that C has, and where
// the first of them is in the row of C.
struct TileBlock
{
  int row_strip, column_strip;
};
struct alignas(8) TileBlockRow
{
  std::uint32_t first, columns;
};

struct TileProduct
{
  TileStrips a, b;
  TileBlock const* blocks;
  TileBlockRow const* rows; // strip_size for each block
  std::int64_t count;       // of blocks
  int parts;                // warps that share the steps of a block
  double const *a_values, *b_values;
  int const* has_infinite; // not 0: a value of A or B is infinite or not a number
};

// Writes the values of a matrix into its tiles. Zeros of the matrix become -0, which changes no sum
// that begins with 0, so that places where it has no entry can be told from them.
template <class Value>
struct TiledValues
{
  Value const* values;
  std::uint32_t const* places;
  std::int64_t count;
  double* tiles;

  __device__ void write(std::int64_t k, int* has_infinite) const
  {
    auto const value = static_cast<double>(values[k]);
    tiles[places[k]] = value == 0.0 ? -0.0 : value;
    if (!isfinite(value))
      *has_infinite = 1;
  }
};
template <class A, class B>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_write_tiles_kernel(TiledValues<A> a, TiledValues<B> b, int* has_infinite)
{
  std::int64_t const k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < a.count)
    a.write(k, has_infinite);
  else if (k - a.count < b.count)
    b.write(k - a.count, has_infinite);
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
                       std::int64_t(step.first) * (values_of_tile / 2) + lane;
#pragma unroll
    for (int n = 0; n < tiles_of_step; ++n)
      if ((step.tiles >> n & 1) != 0)
      {
        of[n] = __ldg(from);
        from += values_of_tile / 2;
      }
  }
};

// What two strips have at a common step.
struct CommonStep
{
  TileStep a, b;
  TileFactors a_factors, b_factors;

  CommonStep() = default;
  __device__ CommonStep(TileProduct const& product, TileStep const& of_a, TileStep const& of_b,
                        int lane)
      : a(of_a)
      , b(of_b)
      , a_factors(product.a_values, of_a, lane)
      , b_factors(product.b_values, of_b, lane)
  {}
  __device__ void multiply(TileSums& sums) const
  {
#pragma unroll
    for (int i = 0; i < tiles_of_step; i += 2)
      if ((a.tiles >> i & 3) != 0)
      {
#pragma unroll
        for (int j = 0; j < tiles_of_step; ++j)
          if ((b.tiles >> j & 1) != 0)
            multiply_add(sums.of[i][j], sums.of[i + 1][j],
                         {a_factors.of[i].x, a_factors.of[i + 1].x, a_factors.of[i].y,
                          a_factors.of[i + 1].y},
                         {b_factors.of[j].x, b_factors.of[j].y});
      }
  }
};

// The same where a value is infinite: products with what a matrix does not have are left out.
__device__ inline void multiply_entries_of_step(TileSums& sums, TileProduct const& product,
                                                TileStep const& of_a, TileStep const& of_b,
                                                int lane)
{
  auto const is_there = [](double value) { return __double_as_longlong(value) != 0; };
  auto const add = [&](double& sum, double of_row, double of_column) {
    if (is_there(of_row) && is_there(of_column))
      sum += of_row * of_column;
  };
  double const* a = product.a_values + std::int64_t(of_a.first) * values_of_tile;
#pragma unroll
  for (int i = 0; i < tiles_of_step; ++i)
  {
    if ((of_a.tiles >> i & 1) == 0)
      continue;
    double const* b = product.b_values + std::int64_t(of_b.first) * values_of_tile;
#pragma unroll
    for (int j = 0; j < tiles_of_step; ++j)
    {
      if ((of_b.tiles >> j & 1) == 0)
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

// Two sums of tile (i, j) of block n, if C has entries there.
template <class C>
__device__ void store_tile(C const& c, std::int64_t c_rows, TileProduct const& product,
                           std::int64_t n, int i, int j, double const (&sums)[2], int lane)
{
  int const r = i * tile_size + lane / 4;
  std::int64_t const row = std::int64_t(product.blocks[n].row_strip) * strip_size + r;
  if (row >= c_rows)
    return;
  TileBlockRow const of = product.rows[n * strip_size + r];
  auto* const to = c.values + static_cast<std::int64_t>(c.offsets[row]) + of.first;
#pragma unroll
  for (int x = 0; x < 2; ++x)
  {
    unsigned const column = 1U << (j * tile_size + lane % 4 * 2 + x);
    if ((of.columns & column) != 0)
      to[__popc(of.columns & (column - 1))] = static_cast<typename C::value_type>(sums[x]);
  }
}

// Where the sums of tile (i, j) of a part of a block stand until parts are added up.
__device__ inline double2* tile_of_part(double* parts, std::int64_t part, int i, int j, int lane)
{
  return reinterpret_cast<double2*>(parts + part * values_of_block) +
         (i * tiles_of_step + j) * warp_size + lane;
}

// A part of the steps of a block: number `number` of `count` equal ones.
struct PartOfSteps
{
  int number, count;
};

// Steps that two strips have in common: those of the shorter one, a part of them, are looked up in
// the other, as many at a time as a warp has lanes. load(step of A, step of B), their numbers, is
// what the lane that found them gets ready, and take(that of the caller, lane of the step) is
// called by all lanes for each, in their order, until it is false.
template <class Load, class Take>
__device__ void take_common_steps(TileStrips const& a, TileStrips const& b, TileBlock const& block,
                                  PartOfSteps const& part, int lane, Load const& load,
                                  Take const& take)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  int const a_begin = a.offsets[block.row_strip], a_end = a.offsets[block.row_strip + 1];
  int const b_begin = b.offsets[block.column_strip], b_end = b.offsets[block.column_strip + 1];
  bool const is_a_shorter = a_end - a_begin <= b_end - b_begin;
  int const* const groups = is_a_shorter ? a.groups : b.groups;
  int const* const longer = (is_a_shorter ? b.groups + b_begin : a.groups + a_begin);
  int const begin = is_a_shorter ? a_begin : b_begin, end = is_a_shorter ? a_end : b_end;
  int const other = is_a_shorter ? b_begin : a_begin;
  int const others = (is_a_shorter ? b_end : a_end) - other;
  std::int64_t const count = end - begin;
  auto const first = static_cast<int>(begin + count * part.number / part.count);
  auto const last = static_cast<int>(begin + count * (part.number + 1) / part.count);
  for (int from = first; from < last; from += warp_size)
  {
    bool is_common = false;
    decltype(load(0, 0)) loaded{};
    if (int const mine = from + lane; mine < last && others > 0)
    {
      int const group = groups[mine];
      int const found = impl::last_not_above([&](int k) { return longer[k]; }, others, group);
      is_common = longer[found] == group;
      loaded = is_a_shorter ? load(mine, other + found) : load(other + found, mine);
    }
    for (unsigned left = __ballot_sync(all_lanes, is_common); left != 0; left &= left - 1)
      if (!take(loaded, __ffs(static_cast<int>(left)) - 1))
        return;
  }
}

// A step of A and one of B.
struct StepPair
{
  TileStep a, b;

  // That of a lane. All lanes of the warp take part.
  __device__ StepPair of_lane(int lane) const
  {
    constexpr unsigned all_lanes = 0xffffffffU;
    return {{__shfl_sync(all_lanes, a.first, lane), __shfl_sync(all_lanes, a.tiles, lane)},
            {__shfl_sync(all_lanes, b.first, lane), __shfl_sync(all_lanes, b.tiles, lane)}};
  }
};
// take(step of A, step of B) for the common steps of a part of a block.
template <class Take>
__device__ void take_step_pairs(TileProduct const& product, TileBlock const& block, int part,
                                int lane, Take const& take)
{
  take_common_steps(
      product.a, product.b, block, {part, product.parts}, lane,
      [&](int of_a, int of_b) {
        return StepPair{product.a.steps[of_a], product.b.steps[of_b]};
      },
      [&](StepPair const& loaded, int source) {
        StepPair const pair = loaded.of_lane(source);
        take(pair.a, pair.b);
        return true;
      });
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
#pragma unroll
    for (int i = 0; i < tiles_of_step; ++i)
#pragma unroll
      for (int j = 0; j < tiles_of_step; ++j)
        if (parts == nullptr)
          store_tile(c, c_rows, product, n, i, j, sums.of[i][j], lane);
        else
          *tile_of_part(parts, part * product.count + n, i, j, lane) = {sums.of[i][j][0],
                                                                        sums.of[i][j][1]};
  };
  TileSums sums;
  if (*product.has_infinite != 0)
  {
    take_step_pairs(product, block, part, lane, [&](TileStep const& a, TileStep const& b) {
      multiply_entries_of_step(sums, product, a, b, lane);
    });
    return store(sums);
  }
  // Factors are loaded a step before they are multiplied.
  CommonStep waiting;
  take_step_pairs(product, block, part, lane, [&](TileStep const& a, TileStep const& b) {
    CommonStep const loaded(product, a, b, lane);
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
  store_tile(c, c_rows, product, n, i, j, sums, lane);
}

} // namespace heddle::cuda_native
