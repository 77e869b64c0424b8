// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The numeric phase of SpGEMM by nodes with gaps (spgemm/nodes_with_gaps.cuh): values of A and B
// are copied into padded blocks (spgemm/padded_blocks.cuh), which are multiplied as blocks of BSR
// are (spgemm/numeric_panel.cuh), and the sums that C has entries for go to their places in CSR.
//
// A zero that fills a block adds +0 or -0 to a sum that began as +0, which changes nothing, as long
// as what it is multiplied by is finite. Where a value is not, a second kernel, which otherwise
// ends at once, sums all rows by search in C's columns: 0 * inf would be no number.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/numeric_panel.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/padded_block_types.cuh>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace heddle::cuda_native
{

// C by blocks, whose offsets and columns stand in those of CSR, and its values in CSR.
template <class Value, class Ordinal, class Offset>
struct TargetWithGaps : SpgemmTarget<Value, Ordinal, Offset>
{
  Ordinal const* firsts; // rows of nodes
  Offset const* row_offsets;
  PaddedBlockRow const* block_rows;
};

// Padded blocks of factors, and rows of C that have some of their sums.
template <int rows>
struct BlocksWithGaps : BlocksInBsr<rows, false>
{
  static constexpr int size = rows;
  static constexpr bool has_gaps = true;

  template <int threads, class C>
  __device__ static void write_sums(C const& c, std::int64_t node, PanelFactorRow const& of_c,
                                    typename C::value_type const* panel, int rank)
  {
    using Ordinal = typename C::ordinal_type;
    Ordinal const first = c.firsts[node], past = c.firsts[node + 1];
    std::int64_t begins[size]; // of rows; those that the node lacks have no columns
#pragma unroll
    for (int r = 0; r < size; ++r)
      begins[r] = static_cast<std::int64_t>(c.row_offsets[min(first + Ordinal(r), past)]);
    PaddedBlockRow const* const block_rows = c.block_rows + of_c.begin * size;
    for (int k = rank; k < of_c.width; k += threads)
    {
      int const n = k / size, x = k % size;
      PaddedBlockRow rows_of_block[size]; // loads of all before what waits for them
#pragma unroll
      for (int r = 0; r < size; ++r)
        rows_of_block[r] = block_rows[n * size + r];
#pragma unroll
      for (int r = 0; r < size; ++r)
        if (rows_of_block[r].has(x))
          c.values[begins[r] + rows_of_block[r].place_of(x)] = panel[r * of_c.width + k];
    }
  }
};

// Rows of C one after the other, a warp each, where a value is not finite.
template <class A, class B, class C>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_search_infinite_kernel(A a, B b, C c, int const* has_infinite)
{
  using Sum = typename C::value_type;
  if (*has_infinite == 0)
    return;
  std::int64_t const warps = static_cast<std::int64_t>(gridDim.x) * blockDim.x / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  for (std::int64_t row =
           (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
       row < a.rows; row += warps)
  {
    auto const begin = static_cast<std::int64_t>(c.offsets[row]);
    auto const end = static_cast<std::int64_t>(c.offsets[row + 1]);
    for (std::int64_t k = begin + lane; k < end; k += warp_size)
      c.values[k] = Sum(0);
    __syncwarp();
    for (auto k = a.offsets[row]; k < a.offsets[row + 1]; ++k)
    {
      Sum const factor(a.values[k]);
      auto const row_of_b = static_cast<std::int64_t>(a.columns[k]);
      auto const b_end = static_cast<std::int64_t>(b.offsets[row_of_b + 1]);
      for (std::int64_t m = static_cast<std::int64_t>(b.offsets[row_of_b]) + lane; m < b_end;
           m += warp_size)
      {
        auto const column = b.columns[m];
        std::int64_t const at = impl::partition_point(
            begin, end, [&](std::int64_t n) { return c.columns[n] < column; });
        if (at < end && c.columns[at] == column)
          c.values[at] += factor * Sum(b.values[m]);
        else
          c.report();
      }
      __syncwarp();
    }
  }
}

// Asynchronous.
template <class A, class B, class C>
void search_infinite(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c,
                     int const* has_infinite)
{
  std::int64_t const warps = std::min(a.rows, device_shape(exec).warps());
  launch(exec, "heddle::spgemm::search_infinite", spgemm_search_infinite_kernel<A, B, C>,
         one_thread_each(warps * warp_size), a, b, c, has_infinite);
}

} // namespace heddle::cuda_native
