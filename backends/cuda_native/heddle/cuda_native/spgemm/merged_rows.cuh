// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the kernels that merge rows of B share (spgemm/merge_registers.cuh,
// spgemm/merge_shared.cuh): the rows that a lane has, of which each step takes the smallest next
// column, and how a group of lanes writes outputs that come one after another.

#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>
#include <heddle/cuda_native/spgemm/word_tables.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace heddle::cuda_native
{

// The smallest of a group of lanes. A whole warp has an instruction for 32 bits.
template <class Ordinal>
__device__ Ordinal smallest_of_lanes(Ordinal smallest, int lanes)
{
  if constexpr (sizeof(Ordinal) == sizeof(int))
    if (lanes == warp_size)
      return smallest_of_warp(static_cast<int>(smallest));
#pragma unroll
  for (int mask = warp_size / 2; mask > 0; mask /= 2)
    if (mask < lanes)
    {
      Ordinal const other = value_of_lane_xor(smallest, mask);
      smallest = other < smallest ? other : smallest;
    }
  return smallest;
}

// What the lanes of a group have taken of one column. Most columns of long rows are in one lane's
// rows alone, whose sum needs no addition; a warp asks for that, since its own sum takes five
// shuffles of each word. All lanes of the warp take part.
template <int lanes, class Sum>
__device__ Sum merged_sum(Sum const& sum, bool has_taken)
{
  if constexpr (lanes == warp_size)
  {
    unsigned const takers = __ballot_sync(0xffffffffU, has_taken);
    if ((takers & (takers - 1)) == 0)
      return value_of_lane(sum, __ffs(static_cast<int>(takers)) - 1);
  }
  return sum_of_lanes(sum, lanes);
}

// Rows of B that a lane merges, with their values or without.
template <int rows, bool has_values, class A, class B, class Sum>
struct MergedRows
{
  using Ordinal = typename A::ordinal_type;
  static constexpr Ordinal none = WidestRange<Ordinal>::first;

  using EntryIndex = typename B::entry_index;
  Ordinal columns[rows]; // next of each, or none
  EntryIndex at[rows], ends[rows];
  Sum factors[rows];
  Sum values[rows];       // of B, loaded with their columns, a step before they are wanted
  bool has_taken = false; // from any of them, in the last step

  // Entries first, first + step, ... below last of A.
  __device__ MergedRows(A const& a, B const& b, std::int64_t first, std::int64_t last, int step)
  {
#pragma unroll
    for (int r = 0; r < rows; ++r)
    {
      std::int64_t const k = first + r * step;
      at[r] = ends[r] = 0;
      factors[r] = values[r] = Sum(0);
      if (k < last)
      {
        auto const row = a.columns[k];
        at[r] = static_cast<EntryIndex>(b.offsets[row]);
        ends[r] = static_cast<EntryIndex>(b.offsets[row + 1]);
        factors[r] = Sum(a.values[k]);
      }
      load(b, r);
    }
  }
  // The next entry of row r.
  __device__ void load(B const& b, int r)
  {
    columns[r] = none;
    if (at[r] < ends[r])
    {
      columns[r] = b.columns[at[r]];
      if constexpr (has_values)
        values[r] = Sum(b.values[at[r]]);
    }
  }
  // The smallest next column of all lanes of the group.
  __device__ Ordinal next(int lanes) const
  {
    Ordinal smallest = columns[0];
#pragma unroll
    for (int r = 1; r < rows; ++r)
      smallest = columns[r] < smallest ? columns[r] : smallest;
    return smallest_of_lanes(smallest, lanes);
  }
  // What this lane has at the column, with which it moves on.
  __device__ Sum take(B const& b, Ordinal column)
  {
    Sum sum(0);
    has_taken = false;
#pragma unroll
    for (int r = 0; r < rows; ++r)
      if (columns[r] == column && column != none)
      {
        if constexpr (has_values)
          sum += factors[r] * values[r];
        has_taken = true;
        ++at[r];
        load(b, r);
      }
    return sum;
  }
};

// What a group of lanes writes one after another, as many at once as it has lanes. All of them see
// all of it. Nothing is written beyond the room there is.
template <int lanes, class T>
class LanesWrite
{
  T* m_to;
  int m_room;
  T m_mine = T(0);
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % lanes; }

public:
  static constexpr int any_room = std::numeric_limits<int>::max();
  __device__ explicit LanesWrite(T* to, int room = any_room)
      : m_to(to)
      , m_room(room)
  {}
  __device__ void operator()(int number, T const& value)
  {
    if (number >= m_room)
      return;
    if (number % lanes == lane())
      m_mine = value;
    if (number % lanes == lanes - 1)
      m_to[number - lanes + 1 + lane()] = m_mine;
  }
  // What is left of so many.
  __device__ void finish(int count)
  {
    count = min(count, m_room);
    if (lane() < count % lanes)
      m_to[count / lanes * lanes + lane()] = m_mine;
  }
};

// The columns of a row as they come in order, written unless `to` is null, and what is counted.
template <int lanes, class Ordinal>
class MergedColumns
{
  LanesWrite<lanes, Ordinal> m_write;
  bool m_is_written;
  Ordinal m_last_block = -1;
  int m_blocks = 0;

public:
  __device__ explicit MergedColumns(Ordinal* to)
      : m_write(to)
      , m_is_written(to != nullptr)
  {}
  __device__ void operator()(int number, Ordinal column)
  {
    Ordinal const block = column / columns_per_word;
    m_blocks += block != m_last_block ? 1 : 0;
    m_last_block = block;
    if (m_is_written)
      m_write(number, column);
  }
  // When row i, if it is one, has had so many.
  template <class Sink>
  __device__ void finish(std::int64_t i, int count, Sink const& sink)
  {
    if (m_is_written)
      m_write.finish(count);
    sink.count(i, lanes, count, m_blocks);
    if constexpr (Sink::is_counting)
      if (sink.skips_merged && threadIdx.x % lanes == 0 && i >= 0)
        sink.kept_at[i] = not_kept;
  }
};
// Where they go: the counting pass, which does not know yet how many columns there will be, takes
// room for all products, or counts only. All threads of the block take part.
template <int threads, int lanes, class Sink, class Ordinal>
__device__ Ordinal* destination_for_merged(Sink const& sink, std::int64_t i,
                                           ProductRow<Ordinal> const* product_rows)
{
  if constexpr (Sink::is_counting)
    if (sink.skips_merged)
      return nullptr;
  return sink.template destination<threads, lanes>(
      i, i < 0 ? 0 : static_cast<std::int64_t>(product_rows[i].products));
}

} // namespace heddle::cuda_native
