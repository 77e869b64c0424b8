// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// y += alpha A^T x by atomic additions, row by row: 1 to 32 threads have a row, see scatter.cuh.
// For matrices of any format that has row views.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/impl/arithmetic.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Through a row view of any format (row_views.hpp). For at least one row.
template <class Policy, int threads_per_row, bool is_conjugate, class RowViews, class Value,
          class Scalar>
__global__ void __launch_bounds__(Policy::threads_per_block)
    spmv_scatter_rows_kernel(RowViews views, Value const* __restrict__ values, Scalar alpha,
                             Scalar const* __restrict__ x, Scalar* __restrict__ y)
{
  constexpr int batch = Policy::loads_in_flight;
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const row = thread / threads_per_row;
  std::int64_t const i = min(row, views.count - 1);
  auto const view = views[i];
  std::int64_t const length = row < views.count ? view.length : 0;
  Scalar const factor = alpha * x[views.row(i)];
  std::int64_t columns[batch]; // negative: no entry
  Value loaded[batch];
  auto const load = [&](std::int64_t first) {
#pragma unroll
    for (int k = 0; k < batch; ++k)
    {
      columns[k] = -1;
      if (std::int64_t const n = first + k * threads_per_row; n < length)
        view.visit(n, [&](std::int64_t column, std::int64_t slot) {
          columns[k] = column;
          loaded[k] = load_once(values + slot);
        });
    }
  };
  std::int64_t n = thread % threads_per_row;
  load(n);
  wait_for_previous();
  while (n < length)
  {
#pragma unroll
    for (int k = 0; k < batch; ++k)
      if (columns[k] >= 0)
        impl::atomic_accumulate(y[columns[k]],
                                Scalar(impl::conjugated<is_conjugate>(loaded[k])) * factor);
    n += batch * threads_per_row;
    load(n);
  }
}

// y[column] += product, by all lanes of a warp together, those without an entry with a column of
// -1. Lanes side by side with one column add up first.
template <class Scalar>
__device__ void add_neighbours_together(std::int64_t column, Scalar product, Scalar* y)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  auto const lane = static_cast<int>(threadIdx.x) % warp_size;
  std::int64_t const before = __shfl_up_sync(all_lanes, column, 1);
  bool const is_first = lane == 0 || before != column;
  unsigned const firsts = __ballot_sync(all_lanes, is_first);
  if (firsts != all_lanes)
  {
    unsigned const behind = firsts & (~1U << lane);
    int const end = behind != 0 ? __ffs(behind) - 1 : warp_size; // of the lanes with this column
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2)
    {
      Scalar const next = value_of_lane(product, min(lane + distance, warp_size - 1));
      if (lane + distance < end)
        product += next;
    }
  }
  if (column >= 0 && is_first)
    impl::atomic_accumulate(y[column], product);
}

// A thread per row. For at least one row.
template <class Policy, bool is_conjugate, class RowViews, class Value, class Scalar>
__global__ void __launch_bounds__(Policy::threads_per_block)
    spmv_scatter_short_rows_kernel(RowViews views, Value const* __restrict__ values, Scalar alpha,
                                   Scalar const* __restrict__ x, Scalar* __restrict__ y)
{
  constexpr int batch = Policy::loads_of_short_row;
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = min(row, views.count - 1);
  auto const view = views[i];
  std::int64_t const length = row < views.count ? view.length : 0;
  Scalar const factor = alpha * x[views.row(i)];
  std::int64_t columns[batch];
  Scalar products[batch];
  auto const load = [&](std::int64_t first) {
#pragma unroll
    for (int k = 0; k < batch; ++k)
    {
      columns[k] = -1;
      products[k] = Scalar(0);
      if (first + k < length)
        view.visit(first + k, [&](std::int64_t column, std::int64_t slot) {
          columns[k] = column;
          products[k] = Scalar(impl::conjugated<is_conjugate>(load_once(values + slot))) * factor;
        });
    }
  };
  load(0);
  wait_for_previous();
  for (std::int64_t n = 0; __any_sync(0xffffffffU, n < length); load(n))
  {
#pragma unroll
    for (int k = 0; k < batch; ++k)
      add_neighbours_together(columns[k], products[k], y);
    n += batch;
  }
}

// y += alpha A^T x. starts_early: behind scale_for_scatter. Asynchronous.
template <bool is_conjugate, class RowViews, class Value, class Scalar>
void scatter_rows(Kokkos::Cuda const& exec, int threads_per_row, bool starts_early,
                  RowViews const& views, Value const* values, Scalar alpha, Scalar const* x,
                  Scalar* y)
{
  using Policy = SpmvScatterPolicyFor;
  with_one_of<2, 4, 8, 16, 32>(threads_per_row, [&]<class Threads>(Threads) {
    Grid grid = one_thread_each(views.count * Threads::value, Policy::threads_per_block);
    grid.starts_early = starts_early;
    launch(exec, "heddle::spmv::scatter",
           spmv_scatter_rows_kernel<Policy, Threads::value, is_conjugate, RowViews, Value, Scalar>,
           grid, views, values, alpha, x, y);
  });
}
template <bool is_conjugate, class RowViews, class Value, class Scalar>
void scatter_short_rows(Kokkos::Cuda const& exec, bool starts_early, RowViews const& views,
                        Value const* values, Scalar alpha, Scalar const* x, Scalar* y)
{
  using Policy = SpmvScatterPolicyFor;
  Grid grid = one_thread_each(views.count, Policy::threads_per_block);
  grid.starts_early = starts_early;
  launch(exec, "heddle::spmv::scatter_short_rows",
         spmv_scatter_short_rows_kernel<Policy, is_conjugate, RowViews, Value, Scalar>, grid, views,
         values, alpha, x, y);
}
} // namespace heddle::cuda_native
