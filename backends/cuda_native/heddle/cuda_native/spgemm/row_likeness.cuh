// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How much of their columns neighbouring rows have in common, by a warp for each two: what makes
// rows nodes (spgemm/node_partition.cuh), and a sample of it.

#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/row_likeness.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Columns that two rows have in common, and those that either has.
struct CommonColumns
{
  std::int64_t common, all;

  __device__ bool are_most() const
  {
    return row_likeness.of_parts * common >= row_likeness.common_part * all;
  }
};

// For all lanes of the warp, which take part. Columns are taken to ascend; rows whose lengths are
// too different to be alike have none in common.
template <class Matrix>
__device__ CommonColumns common_columns(Matrix const& a, std::int64_t row, std::int64_t other,
                                        int lane)
{
  auto const begin = static_cast<std::int64_t>(a.offsets[row]);
  auto const next = static_cast<std::int64_t>(a.offsets[other]);
  int const length = a.length_of(row), length_of_next = a.length_of(other);
  if (!CommonColumns{min(length, length_of_next), max(length, length_of_next)}.are_most())
    return {0, std::int64_t(length) + length_of_next};
  int common = 0, shift = 0; // of places of common columns
  for (int first = 0; first < length; first += warp_size)
  {
    int const k = first + lane;
    int place = k + shift;
    if (k < length)
    {
      auto const column = a.columns[begin + k];
      if (place < 0 || place >= length_of_next || a.columns[next + place] != column)
        place = impl::partition_point(0, length_of_next,
                                      [&](int n) { return a.columns[next + n] < column; });
      common += place < length_of_next && a.columns[next + place] == column ? 1 : 0;
    }
    shift = value_of_lane(place - k, warp_size - 1);
  }
  common = sum_of_lanes(common, warp_size);
  return {common, std::int64_t(length) + length_of_next - common};
}

// Whether a row has its diagonal entry alone.
template <class Matrix>
__device__ bool is_of_identity(Matrix const& a, std::int64_t row)
{
  return a.offsets[row + 1] - a.offsets[row] == 1 &&
         static_cast<std::int64_t>(a.columns[a.offsets[row]]) == row;
}
// What decides whether a row and the next are of one node, for all lanes of the warp, which take
// part. Rows of the identity are alike, and one between two rows that are is taken for a row of
// their node, so that the columns of that stay in one block.
template <class Matrix>
__device__ CommonColumns common_columns_of_node(Matrix const& a, std::int64_t row, int lane)
{
  bool const is_first = is_of_identity(a, row), is_second = is_of_identity(a, row + 1);
  if (is_first && is_second)
    return {1, 1};
  std::int64_t const one = is_first ? row - 1 : row, other = is_second ? row + 2 : row + 1;
  return one < 0 || other >= a.rows ? CommonColumns{0, 1} : common_columns(a, one, other, lane);
}

// The window of a thread block, which is one of as many as the grid has in x, from equal ranges of
// rows; for thread 0. A warp has a row. All threads of the block take part.
template <class Matrix>
__device__ SampledWindow sample_window(Matrix const& a)
{
  constexpr int rows = SampledWindow::rows;
  __shared__ unsigned linked, alike;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const n = static_cast<int>(threadIdx.x) / warp_size;
  std::int64_t const range = a.rows / gridDim.x;
  std::int64_t const free = max(min(range, a.rows - blockIdx.x * range - rows), std::int64_t(0));
  std::int64_t const first =
      blockIdx.x * range +
      static_cast<std::int64_t>(impl::mix(blockIdx.x + 1) % static_cast<std::uint64_t>(free + 1));
  if (threadIdx.x == 0)
    linked = alike = 0;
  __syncthreads();
  if (n + 1 < rows && first + n + 1 < a.rows)
    if (CommonColumns const columns = common_columns_of_node(a, first + n, lane);
        columns.are_most() && lane == 0)
    {
      atomicOr(&linked, 1U << n);
      atomicAdd(&alike, static_cast<unsigned>(columns.all == 0 ? SampledWindow::parts
                                                               : SampledWindow::parts *
                                                                     columns.common / columns.all));
    }
  __syncthreads();
  return {linked, alike};
}

} // namespace heddle::cuda_native
