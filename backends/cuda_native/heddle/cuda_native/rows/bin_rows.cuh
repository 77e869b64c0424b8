// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows into the lists of their bins (rows/bins.cuh): one kernel counts, a second fills the
// lists. Within a list rows are about in their order; what is done with them must not depend on it.
// Where they must stay in their order lists come from rows/length_order.hpp, which sorts.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/bins.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Of: bin_of(i); weight_of(i), which is summed; row_of(i), if i is not the row itself.
template <class Of>
__global__ void count_row_bins_kernel(Of of, std::int64_t rows, RowBinCounts* counts)
{
  __shared__ RowBinCounter::Memory memory;
  RowBinCounter counter(memory);
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  counter.add(i < rows ? of.bin_of(i) : RankInBin::none, i < rows ? of.weight_of(i) : 0, counts);
}

template <class Of, class Ordinal>
__global__ void list_row_bins_kernel(Of of, std::int64_t rows, RowBinCounts* counts, Ordinal* list)
{
  __shared__ unsigned int here[most_row_bins];
  __shared__ unsigned long long first[most_row_bins];
  if (threadIdx.x < most_row_bins)
    here[threadIdx.x] = 0;
  __syncthreads();
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  int const row_bin = i < rows ? of.bin_of(i) : RankInBin::none;
  unsigned int const rank = RankInBin(row_bin, here).number;
  __syncthreads();
  if (threadIdx.x < most_row_bins && here[threadIdx.x] != 0)
  {
    unsigned long long before = 0;
    for (unsigned int n = 0; n < threadIdx.x; ++n)
      before += counts->rows[n];
    first[threadIdx.x] = before + atomicAdd(&counts->cursors[threadIdx.x],
                                            static_cast<unsigned long long>(here[threadIdx.x]));
  }
  __syncthreads();
  if (i >= rows)
    return;
  if constexpr (requires { of.row_of(i); })
    list[first[row_bin] + rank] = static_cast<Ordinal>(of.row_of(i));
  else
    list[first[row_bin] + rank] = static_cast<Ordinal>(i);
}

// Rows and cursors of counts are zero before; weights are added. Asynchronous.
template <class Of>
void count_row_bins(Kokkos::Cuda const& exec, Of const& of, std::int64_t rows, RowBinCounts* counts)
{
  launch(exec, "heddle::row_bins::count", count_row_bins_kernel<Of>, one_thread_each(rows), of,
         rows, counts);
}
// When rows have been counted. Asynchronous.
template <class Of, class Ordinal>
void list_row_bins(Kokkos::Cuda const& exec, Of const& of, std::int64_t rows, RowBinCounts* counts,
                   Ordinal* list)
{
  launch(exec, "heddle::row_bins::list", list_row_bins_kernel<Of, Ordinal>, one_thread_each(rows),
         of, rows, counts, list);
}

} // namespace heddle::cuda_native
