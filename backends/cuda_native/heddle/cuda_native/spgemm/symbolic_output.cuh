// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where the symbolic kernels leave the columns of C. Their places are known only when all rows have
// been counted, so a first pass keeps columns in memory of the call as long as there is room, rows
// in any order; a second writes those for which there was none, to their places in C.

#include <heddle/cuda_native/device/warp.cuh>

#include <cstdint>

namespace heddle::cuda_native
{

template <class Ordinal, class Offset>
struct FoundColumns
{
  // The first pass. counts[i], blocks[i]: entries of row i and how many blocks of 32 columns have
  // them; places[i]: where kept has its columns, or nowhere.
  Ordinal* counts;
  Ordinal* blocks;
  std::int64_t* places;
  Ordinal* kept;
  unsigned long long* used; // of kept
  unsigned long long room;
  // The second pass.
  Offset const* offsets;
  Ordinal* columns; // null: it is the first
  // Columns of merged rows are not wanted: they come with the sums.
  bool leaves_merged;
  // The first place in kept.
  std::int64_t base = 0;

  static constexpr std::int64_t nowhere = -1;
  __device__ bool is_first() const { return columns == nullptr; }
  // The first pass notes what row i, if it is one, has: the first lane of a group does.
  __device__ void count(std::int64_t i, int lanes, int entries, int blocks_with_entries) const
  {
    if (!is_first() || i < 0 || static_cast<int>(threadIdx.x) % lanes != 0)
      return;
    counts[i] = static_cast<Ordinal>(entries);
    blocks[i] = static_cast<Ordinal>(blocks_with_entries);
  }
  // Row n of a list, or -1 where there is none or the first pass has kept its columns.
  __device__ std::int64_t row_of(Ordinal const* list, std::int64_t n, std::int64_t listed) const
  {
    if (n >= listed || (!is_first() && places[list[n]] != nowhere))
      return -1;
    return static_cast<std::int64_t>(list[n]);
  }
};

// Where a group of `lanes` threads writes the columns of its row i, of which there are `count`;
// null where they are not kept. row < 0: the group has none. All threads of the block take part.
template <int threads, int lanes, class Ordinal, class Offset>
__device__ Ordinal* place_for(FoundColumns<Ordinal, Offset> const& found, std::int64_t row,
                              std::int64_t count)
{
  if (!found.is_first())
    return row < 0 ? nullptr : found.columns + found.offsets[row];
  constexpr int groups = threads / lanes;
  __shared__ unsigned long long first[groups];
  __shared__ bool is_room;
  int const group = static_cast<int>(threadIdx.x) / lanes;
  bool const is_leader = threadIdx.x % lanes == 0;
  if (is_leader)
    first[group] = row < 0 ? 0 : static_cast<unsigned long long>(count);
  __syncthreads();
  if (threadIdx.x == 0)
  {
    unsigned long long all = 0;
    for (int g = 0; g < groups; ++g)
    {
      unsigned long long const here = first[g];
      first[g] = all;
      all += here;
    }
    unsigned long long const before = atomicAdd(found.used, all);
    is_room = before + all <= found.room;
    for (int g = 0; g < groups; ++g)
      first[g] += static_cast<unsigned long long>(found.base) + before;
  }
  __syncthreads();
  if (is_leader && row >= 0)
    found.places[row] =
        is_room ? static_cast<std::int64_t>(first[group]) : FoundColumns<Ordinal, Offset>::nowhere;
  return is_room && row >= 0 ? found.kept + first[group] : nullptr;
}

} // namespace heddle::cuda_native
