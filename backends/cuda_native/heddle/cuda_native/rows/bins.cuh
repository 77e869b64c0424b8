// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows sorted into a few classes, a list of each, so that a launch takes rows of one kind, or a
// block does: how many rows each class has, on the device and on the host, how kernels count them,
// and which blocks of a launch take which class. rows/bin_rows.cuh launches the counting and the
// listing.

#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/impl/divided_up.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

inline constexpr int most_row_classes = 24;

// What the two kernels leave behind, on the device.
struct RowClassCounts
{
  unsigned long long rows[most_row_classes];
  unsigned long long cursors[most_row_classes];
  unsigned long long weight; // summed over all rows
};

// Which rows of the list are of a class.
struct RowRange
{
  std::int64_t first, count;
};

// The same on the host.
struct RowClasses
{
  std::array<RowRange, most_row_classes> ranges = {};
  std::int64_t weight = 0;

  // Adds rows of classes first .. last - 1 to those of the next while they are fewer than so many:
  // a launch of few rows takes as long as one with more.
  void join_small(int first, int last, std::int64_t few)
  {
    for (auto n = static_cast<std::size_t>(first); n < static_cast<std::size_t>(last); ++n)
      if (ranges[n].count < few)
      {
        ranges[n + 1] = {ranges[n].first, ranges[n].count + ranges[n + 1].count};
        ranges[n].count = 0;
      }
  }

  // Classes first .. last - 1 have no rows any more; the list keeps them.
  void leave_out(int first, int last)
  {
    for (auto n = static_cast<std::size_t>(first); n < static_cast<std::size_t>(last); ++n)
      ranges[n].count = 0;
  }

  RowClasses() = default;
  explicit RowClasses(RowClassCounts const& counts)
      : weight(static_cast<std::int64_t>(counts.weight))
  {
    std::int64_t first = 0;
    for (int n = 0; n < most_row_classes; ++n)
    {
      auto const count = static_cast<std::int64_t>(counts.rows[n]);
      ranges[n] = {first, count};
      first += count;
    }
  }
};

template <int n>
using ClassIndex = std::integral_constant<int, n>;

// body(ClassIndex<n>) for n = count - 1, ..., 0.
template <int count, class Body>
void for_classes_down(Body const& body)
{
  if constexpr (count > 0)
  {
    body(ClassIndex<count - 1>{});
    for_classes_down<count - 1>(body);
  }
}

// Neighbouring classes that one launch takes, the last one's blocks first.
template <int count>
struct ClassBlocks
{
  RowRange rows[count];
  std::int64_t ends[count]; // of the blocks of each class, which begin where those of the next end

  // Of class first + c as many blocks as its rows need with rows_of_block(c) each.
  template <class RowsOfBlock>
  ClassBlocks(RowClasses const& classes, int first, RowsOfBlock const& rows_of_block)
  {
    std::int64_t blocks = 0;
    for (int c = count - 1; c >= 0; --c)
    {
      rows[c] = classes.ranges[static_cast<std::size_t>(first + c)];
      blocks += impl::divided_up(rows[c].count, rows_of_block(c));
      ends[c] = blocks;
    }
  }
  std::int64_t blocks() const { return ends[0]; }
  // body(ClassIndex<c>, the rows of class c, which of its blocks this is) for this block's class.
  template <class Body, int c = count - 1>
  __device__ void visit(Body const& body, std::int64_t first_block = 0) const
  {
    if (c == 0 || static_cast<std::int64_t>(blockIdx.x) < ends[c])
      body(ClassIndex<c>{}, rows[c], static_cast<std::int64_t>(blockIdx.x) - first_block);
    else if constexpr (c > 0)
      visit<Body, c - 1>(body, ends[c]);
  }
};

// Counts a row in the class of each thread of a warp: lanes of one class add to it together. All
// lanes of the warp take part; number is that of the thread's row among those of its class in the
// block.
struct RankInClass
{
  static constexpr int none = most_row_classes; // the thread has no row
  unsigned int number = 0;

  __device__ RankInClass(int row_class, unsigned int* counts)
  {
    constexpr unsigned all_lanes = 0xffffffffU;
    int const lane = static_cast<int>(threadIdx.x % warp_size);
    unsigned const peers = __match_any_sync(all_lanes, row_class);
    int const leader = __ffs(static_cast<int>(peers)) - 1;
    unsigned int first = 0;
    if (lane == leader && row_class != none)
      first = atomicAdd(&counts[row_class], static_cast<unsigned int>(__popc(peers)));
    number = __shfl_sync(all_lanes, first, leader) +
             static_cast<unsigned int>(__popc(peers & ((1U << lane) - 1)));
  }
};

// Counts the rows of a block's threads and sums what they weigh, in shared memory; then adds that
// to counts. All threads of the block take part.
class RowClassCounter
{
public:
  struct Memory
  {
    unsigned int rows[most_row_classes];
    unsigned long long weight;
  };
  // The memory is anyone's before; waits for the block.
  __device__ explicit RowClassCounter(Memory& memory)
      : m_memory(memory)
  {
    if (threadIdx.x < most_row_classes)
      memory.rows[threadIdx.x] = 0;
    if (threadIdx.x == 0)
      memory.weight = 0;
    __syncthreads();
  }
  // The thread's row, or none.
  __device__ void add(int row_class, std::int64_t weight, RowClassCounts* counts)
  {
    RankInClass(row_class, m_memory.rows);
    std::int64_t const sum = sum_of_lanes(weight, warp_size);
    if (threadIdx.x % warp_size == 0 && sum != 0)
      atomicAdd(&m_memory.weight, static_cast<unsigned long long>(sum));
    __syncthreads();
    unsigned int const n = threadIdx.x;
    if (n < most_row_classes && m_memory.rows[n] != 0)
      atomicAdd(&counts->rows[n], static_cast<unsigned long long>(m_memory.rows[n]));
    if (n == 0 && m_memory.weight != 0)
      atomicAdd(&counts->weight, m_memory.weight);
  }

private:
  Memory& m_memory;
};

} // namespace heddle::cuda_native
