// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where the symbolic kernels leave the columns of C, as a template argument of theirs. Row offsets
// are known only when all rows have been counted. So the counting pass keeps columns in memory of
// the call as long as there is room, rows in any order, and these are moved afterwards; the placing
// pass finds again those for which there was none, and writes them to C.
//
// A sink has
//   is_counting                         which pass it is
//   row_of(list, n, listed)             row n of a list, or -1 where this pass leaves it out
//   count(row, lanes, entries, blocks)  what the row has, told by all lanes of its group
//   destination<threads, lanes>(row, count)
//                                       where its group writes its columns; null: nowhere

#include <heddle/cuda_native/device/warp.cuh>

#include <cstdint>

namespace heddle::cuda_native
{

// kept_at of a row whose columns are not kept.
inline constexpr std::int64_t not_kept = -1;

template <class Ordinal>
struct CountingSink
{
  static constexpr bool is_counting = true;
  Ordinal* counts;       // entries of each row
  Ordinal* blocks;       // of 32 columns, that have entries
  std::int64_t* kept_at; // where kept has the columns of each row
  Ordinal* kept;
  unsigned long long* used; // of kept; or more, what had no room
  unsigned long long room;
  bool skips_merged;     // columns of merged rows are not wanted: the numeric phase writes them
  std::int64_t base = 0; // the first slot of kept that is this sink's

  __device__ std::int64_t row_of(Ordinal const* list, std::int64_t n, std::int64_t listed) const
  {
    return n < listed ? static_cast<std::int64_t>(list[n]) : -1;
  }
  __device__ void count(std::int64_t row, int lanes, int entries, int blocks_with_entries) const
  {
    if (row < 0 || static_cast<int>(threadIdx.x) % lanes != 0)
      return;
    counts[row] = static_cast<Ordinal>(entries);
    blocks[row] = static_cast<Ordinal>(blocks_with_entries);
  }
  // Takes room for the rows of all groups of the block, or for none of them. row < 0: the group has
  // none. All threads of the block take part.
  template <int threads, int lanes>
  __device__ Ordinal* destination(std::int64_t row, std::int64_t count) const
  {
    constexpr int groups = threads / lanes;
    static_assert(groups <= warp_size);
    __shared__ unsigned long long first[groups];
    __shared__ bool is_room;
    int const group = static_cast<int>(threadIdx.x) / lanes;
    bool const is_leader = threadIdx.x % lanes == 0;
    if (is_leader)
      first[group] = row < 0 ? 0 : static_cast<unsigned long long>(count);
    __syncthreads();
    if (threadIdx.x < warp_size)
      place(first, groups, is_room);
    __syncthreads();
    if (is_leader && row >= 0)
      kept_at[row] = is_room ? static_cast<std::int64_t>(first[group]) : not_kept;
    return is_room && row >= 0 ? kept + first[group] : nullptr;
  }

private:
  // Counts become slots, by one warp with a lane for each group: a loop of one thread over 32
  // counts is unrolled and takes 80 registers, of kernels whose other threads need 22.
  __device__ void place(unsigned long long* first, int groups, bool& is_room) const
  {
    constexpr unsigned all_lanes = 0xffffffffU;
    int const lane = static_cast<int>(threadIdx.x);
    unsigned long long const here = lane < groups ? first[lane] : 0;
    unsigned long long const sum = inclusive_sum_of_lanes<warp_size>(here);
    unsigned long long before = 0;
    if (lane == groups - 1)
    {
      before = atomicAdd(used, sum);
      is_room = before + sum <= room;
    }
    before = __shfl_sync(all_lanes, before, groups - 1);
    if (lane < groups)
      first[lane] = static_cast<unsigned long long>(base) + before + sum - here;
  }
};

template <class Ordinal, class Offset>
struct PlacingSink
{
  static constexpr bool is_counting = false;
  std::int64_t const* kept_at; // null: no row was kept
  Offset const* offsets;       // of C
  Ordinal* columns;

  __device__ std::int64_t row_of(Ordinal const* list, std::int64_t n, std::int64_t listed) const
  {
    if (n >= listed || (kept_at != nullptr && kept_at[list[n]] != not_kept))
      return -1;
    return static_cast<std::int64_t>(list[n]);
  }
  __device__ void count(std::int64_t, int, int, int) const {}
  template <int threads, int lanes>
  __device__ Ordinal* destination(std::int64_t row, std::int64_t) const
  {
    return row < 0 ? nullptr : columns + offsets[row];
  }
};

// Sinks of columns with their sums.
template <class Ordinal, class Sum>
struct CountingSumsSink : CountingSink<Ordinal>
{
  using sum_type = Sum;
  Sum* sums; // beside kept from its first slot on

  // The sums that belong to these columns.
  __device__ Sum* beside(Ordinal const* to) const { return sums + (to - this->kept - this->base); }
};
template <class Ordinal, class Offset, class Sum>
struct PlacingSumsSink : PlacingSink<Ordinal, Offset>
{
  using sum_type = Sum;
  Sum* values; // of C

  __device__ Sum* beside(Ordinal const* to) const { return values + (to - this->columns); }
};
template <class Sink>
concept SumsSink = requires
{
  typename Sink::sum_type;
};

} // namespace heddle::cuda_native
