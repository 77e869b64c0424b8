// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What kernels and calls of SpGEMM by dense tiles (spgemm/numeric_tiles.cuh) hand to each other.

#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

inline constexpr int tile_size = 8, tiles_of_step = 4, strip_size = tile_size * tiles_of_step;
inline constexpr int values_of_tile = tile_size * tile_size;
inline constexpr int values_of_block = strip_size * strip_size;

// Rows and columns of matrices of dense blocks (nodes) stand apart in tiles, so that each node
// begins where a tile does: nodes of 15 as those of 16. Index i stands at place_of(i), and gaps are
// rows and columns without entries. Of an alignment without size places are the indices themselves.
struct NodeAlignment
{
  int size = 0;

  KOKKOS_FUNCTION constexpr int padded_size() const
  {
    return (size + tile_size - 1) / tile_size * tile_size;
  }
  KOKKOS_FUNCTION constexpr int place_of(int index) const
  {
    return size == 0 ? index : index / size * padded_size() + index % size;
  }
  // The index at a place; of a gap that of the next place that has one.
  KOKKOS_FUNCTION constexpr int index_at(int place) const
  {
    if (size == 0)
      return place;
    int const within = place % padded_size();
    return place / padded_size() * size + (within < size ? within : size);
  }
  KOKKOS_FUNCTION constexpr bool is_gap(int place) const
  {
    return size != 0 && place % padded_size() >= size;
  }
  // Places that the given number of indices take.
  KOKKOS_FUNCTION constexpr std::int64_t places(std::int64_t indices) const
  {
    return size == 0 ? indices : indices / size * padded_size() + indices % size;
  }
};

// Whether places, with those up to the end of the last strip, can be numbered in an int.
constexpr bool are_numbered_places(std::int64_t places)
{
  return places <= std::int64_t(0x7fffffff) - strip_size;
}

// Where a tile has the value of its row `outer` (of B: column) and inner index `inner`: each lane
// of a warp has two neighbours, the factors that the tensor cores take from it.
KOKKOS_INLINE_FUNCTION constexpr int place_in_tile(int outer, int inner)
{
  return (outer * (tile_size / 2) + inner % (tile_size / 2)) * 2 + inner / (tile_size / 2);
}

// A step of a strip: bit n of tiles() is set where it has tile n; the first of them is tile number
// first() of A and B, and the others follow.
struct TileStep
{
  static constexpr std::uint32_t most_tiles = std::uint32_t(1) << (32 - tiles_of_step);
  std::uint32_t bits;

  KOKKOS_FUNCTION static TileStep of(std::uint32_t first, std::uint32_t tiles)
  {
    return {first << tiles_of_step | tiles};
  }
  KOKKOS_FUNCTION std::uint32_t first() const { return bits >> tiles_of_step; }
  KOKKOS_FUNCTION std::uint32_t tiles() const { return bits & ((1U << tiles_of_step) - 1); }
};

// Steps of A and B of the same inner indices: their tiles are multiplied.
struct alignas(8) StepPair
{
  TileStep a, b;
};

// A block of C by its strips, and the pairs of steps that are summed for it; and a row of it: a bit
// for each of its columns that C has, and where the first of them is in the row of C.
struct alignas(16) TileBlock
{
  int row_strip, column_strip;
  std::uint32_t first_pair, pairs;
};
struct alignas(8) TileBlockRow
{
  std::uint32_t first, columns;
};

// Which entries a step has. Of A: bit c of byte r, its row r of 32 and column c of 8. Of B: bit c
// of word r, its row r of 8 and column c of 32.
struct alignas(16) StepMask
{
  static constexpr int count = strip_size * tile_size / 32;
  std::uint32_t words[count];
};

// The steps of strips: those of strip s are offsets[s] .. offsets[s + 1] - 1, of inner indices
// 8 groups[n] to 8 groups[n] + 7.
struct TileStrips
{
  int const* offsets;
  int const* groups;
};

// What is counted on the device, in words that the host reads.
struct TileCounters
{
  // Steps and tiles of A and of B (StepCount), entries of both that are different, blocks of C,
  // steps of A and B that meet in them, products of their tiles, products of entries, and entries
  // of C.
  unsigned long long of_a, of_b, entries_of_a, entries_of_b, blocks, common_steps, tile_products,
      products, nnz;
};

// Steps in the high half of a word and tiles in the low one.
struct StepCount
{
  static constexpr int shift = 32;
  static std::int64_t steps(unsigned long long both)
  {
    return static_cast<std::int64_t>(both >> shift);
  }
  static std::int64_t tiles(unsigned long long both)
  {
    return static_cast<std::int64_t>(static_cast<std::uint32_t>(both));
  }
};

// The steps of a matrix by group of rows: those of group g are first_step(g) .. first_step(g + 1) -
// 1, and its tiles likewise.
struct StepsByRow
{
  std::int64_t const* before; // steps and tiles of all groups before, those of A before B's
  int* columns;               // the group of columns of each step
  TileStep* steps;
  StepMask* masks;

  __device__ int first_step(std::int64_t group) const
  {
    return static_cast<int>((before[group] - before[0]) >> StepCount::shift);
  }
  __device__ std::uint32_t first_tile(std::int64_t group) const
  {
    return static_cast<std::uint32_t>(before[group]);
  }
};

// A pair of steps by their numbers, until it is known what is multiplied.
struct alignas(sizeof(StepPair)) NumberedPair
{
  int a, b;
};

// The blocks of a strip of C among all, and its pairs of steps.
struct BlocksOfStrip
{
  unsigned long long first, first_pair;
  int count;
};

// Memory of a call; of a plan it is KeptMemory (spgemm/kept_tiles.cuh).
template <class T>
using TileScratch = impl::Scratch<T, Kokkos::Cuda>;

} // namespace heddle::cuda_native
