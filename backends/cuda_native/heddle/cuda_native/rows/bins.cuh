// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows sorted into a few bins, a list of each, so that a launch takes rows of one kind, or a
// block does: how many rows each bin has, on the device and on the host, how kernels count them,
// and which blocks of a launch take which bin. rows/bin_rows.cuh launches the counting and the
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

inline constexpr int most_row_bins = 24;

// What the two kernels leave behind, on the device.
struct RowBinCounts
{
  unsigned long long rows[most_row_bins];
  unsigned long long cursors[most_row_bins];
  unsigned long long weight; // summed over all rows
};

// Which rows of the list are of a bin.
struct RowRange
{
  std::int64_t first, count;
};

// The same on the host.
struct RowBins
{
  std::array<RowRange, most_row_bins> ranges = {};
  std::int64_t weight = 0;

  // Adds rows of bins first .. last - 1 to those of the next while they are fewer than so many:
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

  // Bins first .. last - 1 have no rows any more; the list keeps them.
  void leave_out(int first, int last)
  {
    for (auto n = static_cast<std::size_t>(first); n < static_cast<std::size_t>(last); ++n)
      ranges[n].count = 0;
  }

  RowBins() = default;
  explicit RowBins(RowBinCounts const& counts)
      : weight(static_cast<std::int64_t>(counts.weight))
  {
    std::int64_t first = 0;
    for (int n = 0; n < most_row_bins; ++n)
    {
      auto const count = static_cast<std::int64_t>(counts.rows[n]);
      ranges[n] = {first, count};
      first += count;
    }
  }
};

template <int n>
using BinIndex = std::integral_constant<int, n>;

// body(BinIndex<n>) for n = count - 1, ..., 0.
template <int count, class Body>
void for_bins_down(Body const& body)
{
  if constexpr (count > 0)
  {
    body(BinIndex<count - 1>{});
    for_bins_down<count - 1>(body);
  }
}

// Neighbouring bins that one launch takes, the last one's blocks first.
template <int count>
struct BinBlocks
{
  RowRange rows[count];
  std::int64_t ends[count]; // of the blocks of each bin, which begin where those of the next end

  // Of bin first + c as many blocks as its rows need with rows_of_block(c) each.
  template <class RowsOfBlock>
  BinBlocks(RowBins const& bins, int first, RowsOfBlock const& rows_of_block)
  {
    std::int64_t blocks = 0;
    for (int c = count - 1; c >= 0; --c)
    {
      rows[c] = bins.ranges[static_cast<std::size_t>(first + c)];
      blocks += impl::divided_up(rows[c].count, rows_of_block(c));
      ends[c] = blocks;
    }
  }
  std::int64_t blocks() const { return ends[0]; }
  // body(BinIndex<c>, the rows of bin c, which of its blocks this is) for this block's bin.
  template <class Body, int c = count - 1>
  __device__ void visit(Body const& body, std::int64_t first_block = 0) const
  {
    if (c == 0 || static_cast<std::int64_t>(blockIdx.x) < ends[c])
      body(BinIndex<c>{}, rows[c], static_cast<std::int64_t>(blockIdx.x) - first_block);
    else if constexpr (c > 0)
      visit<Body, c - 1>(body, ends[c]);
  }
};

// Counts a row in the bin of each thread of a warp: lanes of one bin add to it together. All
// lanes of the warp take part; number is that of the thread's row among those of its bin in the
// block.
struct RankInBin
{
  static constexpr int none = most_row_bins; // the thread has no row
  unsigned int number = 0;

  __device__ RankInBin(int row_bin, unsigned int* counts)
  {
    constexpr unsigned all_lanes = 0xffffffffU;
    int const lane = static_cast<int>(threadIdx.x % warp_size);
    unsigned const peers = __match_any_sync(all_lanes, row_bin);
    int const leader = __ffs(static_cast<int>(peers)) - 1;
    unsigned int first = 0;
    if (lane == leader && row_bin != none)
      first = atomicAdd(&counts[row_bin], static_cast<unsigned int>(__popc(peers)));
    number = __shfl_sync(all_lanes, first, leader) +
             static_cast<unsigned int>(__popc(peers & ((1U << lane) - 1)));
  }
};

// Counts the rows of a block's threads and sums what they weigh, in shared memory; then adds that
// to counts. All threads of the block take part.
class RowBinCounter
{
public:
  struct Memory
  {
    unsigned int rows[most_row_bins];
    unsigned long long weight;
  };
  // The memory is anyone's before; waits for the block.
  __device__ explicit RowBinCounter(Memory& memory)
      : m_memory(memory)
  {
    if (threadIdx.x < most_row_bins)
      memory.rows[threadIdx.x] = 0;
    if (threadIdx.x == 0)
      memory.weight = 0;
    __syncthreads();
  }
  // The thread's row, or none.
  __device__ void add(int row_bin, std::int64_t weight, RowBinCounts* counts)
  {
    RankInBin(row_bin, m_memory.rows);
    std::int64_t const sum = sum_of_lanes(weight, warp_size);
    if (threadIdx.x % warp_size == 0 && sum != 0)
      atomicAdd(&m_memory.weight, static_cast<unsigned long long>(sum));
    __syncthreads();
    unsigned int const n = threadIdx.x;
    if (n < most_row_bins && m_memory.rows[n] != 0)
      atomicAdd(&counts->rows[n], static_cast<unsigned long long>(m_memory.rows[n]));
    if (n == 0 && m_memory.weight != 0)
      atomicAdd(&counts->weight, m_memory.weight);
  }

private:
  Memory& m_memory;
};

} // namespace heddle::cuda_native
