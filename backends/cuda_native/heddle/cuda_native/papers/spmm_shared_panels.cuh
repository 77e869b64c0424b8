// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Paper 002's kernels with B in shared memory, for comparison and by name only: csr_shared (its
// section 3.2.2) and ell_shared (3.4.2). Threads of a block load piece after piece of columns of B
// together, wait for each other, and multiply those entries of their rows that meet the piece, so
// that each row is read once a piece: the more rows B has the slower they are, as the paper found.
// csr_shared keeps the row offsets and the first column numbers of its rows in shared memory as
// well; a warp takes a row and adds up by shuffles. In ell_shared a thread takes a row.
// What differs: eight columns of B at once instead of one, because B has its rows together here,
// and no atomic additions, so that A B is repeatable.

#include <heddle/config.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/papers/blocks_beside.hpp>
#include <heddle/cuda_native/papers/by_name.hpp>
#include <heddle/cuda_native/papers/spmm_shared_panels_policy.hpp>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/ell_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/slice_row_views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// Rows first .. first + rows of B in eight columns from `column` on; zeros beyond the last column.
template <class Scalar>
__device__ void load_panel(Scalar* panel, RowMajorOperands<Scalar> const& all, std::int64_t first,
                           int rows, std::int64_t column)
{
  constexpr int columns = SharedPanelsPolicyFor::value.columns;
  for (int i = static_cast<int>(threadIdx.x); i < rows * columns; i += static_cast<int>(blockDim.x))
    panel[i] = column + i % columns < all.columns
                   ? all.b[(first + i / columns) * all.b_stride + column + i % columns]
                   : Scalar(0);
}

// sums += factor * the row of a piece.
template <class Scalar>
__device__ void add_panel_row(Scalar (&sums)[SharedPanelsPolicyFor::value.columns],
                              Scalar const& factor, Scalar const* row)
{
#pragma unroll
  for (int q = 0; q < SharedPanelsPolicyFor::value.columns; ++q)
    sums[q] += factor * row[q];
}

template <class Matrix, class Scalar>
__global__ void __launch_bounds__(SharedPanelsPolicyFor::value.threads_per_block)
    spmm_csr_shared_kernel(SpmmStoredEntries<Matrix> a, RowMajorOperands<Scalar> all,
                           std::int64_t rows_of_b)
{
  using Ordinal = typename Matrix::ordinal_type;
  constexpr int rows_per_warp = SharedPanelsPolicyFor::value.rows_per_warp,
                columns = SharedPanelsPolicyFor::value.columns;
  constexpr int most_rows = SharedPanelsPolicyFor::rows_per_block;
  extern __shared__ int4 shared[];
  auto* const panel = reinterpret_cast<Scalar*>(shared);
  __shared__ std::int64_t offsets[most_rows + 1];
  __shared__ Ordinal kept[SharedPanelsPolicyFor::value.kept_columns];
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  std::int64_t const first_row = static_cast<std::int64_t>(blockIdx.x) * most_rows;
  for (int i = static_cast<int>(threadIdx.x); i <= most_rows; i += static_cast<int>(blockDim.x))
    offsets[i] =
        static_cast<std::int64_t>(a.offsets[first_row + i < a.rows ? first_row + i : a.rows]);
  __syncthreads();
  std::int64_t const begin = offsets[0], entries = offsets[most_rows] - begin;
  for (std::int64_t k = threadIdx.x; k < entries && k < SharedPanelsPolicyFor::value.kept_columns;
       k += blockDim.x)
    kept[k] = a.columns[begin + k];

  for (std::int64_t column = static_cast<std::int64_t>(blockIdx.y) * columns; column < all.columns;
       column += static_cast<std::int64_t>(gridDim.y) * columns)
  {
    Scalar sums[rows_per_warp][columns];
#pragma unroll
    for (int r = 0; r < rows_per_warp; ++r)
#pragma unroll
      for (int q = 0; q < columns; ++q)
        sums[r][q] = Scalar(0);
    constexpr int most_here = SharedPanelsPolicyFor::rows<Scalar>;
    for (std::int64_t first = 0; first < rows_of_b; first += most_here)
    {
      int const here =
          static_cast<int>(rows_of_b - first < most_here ? rows_of_b - first : most_here);
      __syncthreads(); // the piece before is no longer read
      load_panel(panel, all, first, here, column);
      __syncthreads();
#pragma unroll
      for (int r = 0; r < rows_per_warp; ++r)
      {
        int const row = warp * rows_per_warp + r;
        for (std::int64_t k = offsets[row] - begin + lane; k < offsets[row + 1] - begin;
             k += warp_size)
        {
          std::int64_t const row_here =
              static_cast<std::int64_t>(
                  k < SharedPanelsPolicyFor::value.kept_columns ? kept[k] : a.columns[begin + k]) -
              first;
          if (row_here >= 0 && row_here < here)
            add_panel_row(sums[r], factor_of<Scalar>(a.values[begin + k], a.is_conjugate),
                          panel + row_here * columns);
        }
      }
    }
#pragma unroll
    for (int r = 0; r < rows_per_warp; ++r)
    {
      std::int64_t const row = first_row + warp * rows_per_warp + r;
#pragma unroll
      for (int q = 0; q < columns; ++q)
      {
        Scalar const sum = sum_of_lanes(sums[r][q], warp_size);
        if (lane == q && row < a.rows && column + q < all.columns)
          impl::store(all.c[row * all.c_stride + column + q], all.alpha, sum, all.beta);
      }
    }
  }
}

template <class RowViews, class Value, class Scalar>
__global__ void __launch_bounds__(SharedPanelsPolicyFor::value.threads_per_block)
    spmm_ell_shared_kernel(RowViews views, Value const* __restrict__ values, bool is_conjugate,
                           RowMajorOperands<Scalar> all, std::int64_t rows_of_b)
{
  constexpr int columns = SharedPanelsPolicyFor::value.columns;
  extern __shared__ int4 shared[];
  auto* const panel = reinterpret_cast<Scalar*>(shared);
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  auto const view = views[row < views.count ? row : 0];
  std::int64_t const length = row < views.count ? view.length : 0;
  for (std::int64_t column = static_cast<std::int64_t>(blockIdx.y) * columns; column < all.columns;
       column += static_cast<std::int64_t>(gridDim.y) * columns)
  {
    Scalar sums[columns];
#pragma unroll
    for (int q = 0; q < columns; ++q)
      sums[q] = Scalar(0);
    constexpr int most_here = SharedPanelsPolicyFor::rows<Scalar>;
    for (std::int64_t first = 0; first < rows_of_b; first += most_here)
    {
      int const here =
          static_cast<int>(rows_of_b - first < most_here ? rows_of_b - first : most_here);
      __syncthreads(); // the piece before is no longer read
      load_panel(panel, all, first, here, column);
      __syncthreads();
      for (std::int64_t n = 0; n < length; ++n)
        view.visit(n, [&](std::int64_t j, std::int64_t slot) {
          if (j >= first && j < first + here)
            add_panel_row(sums, factor_of<Scalar>(values[slot], is_conjugate),
                          panel + (j - first) * columns);
        });
    }
#pragma unroll
    for (int q = 0; q < columns; ++q)
      if (row < views.count && column + q < all.columns)
        impl::store(all.c[row * all.c_stride + column + q], all.alpha, sums[q], all.beta);
  }
}

template <class Scalar>
Grid shared_panels_grid(RowMajorOperands<Scalar> const& all, std::int64_t rows, int rows_per_block,
                        DeviceShape const& device)
{
  Grid grid{blocks_for(rows, rows_per_block), SharedPanelsPolicyFor::value.threads_per_block};
  grid.shared_bytes = SharedPanelsPolicyFor::value.bytes;
  grid.blocks_y = blocks_beside(all.columns, SharedPanelsPolicyFor::value.columns, device);
  return grid;
}

template <class Exec, class Matrix>
struct CsrSharedSpmm : ByNameSpmm<Exec, Matrix, CsrSharedSpmm<Exec, Matrix>>
{
  static constexpr char const* name = "cuda_native::csr_shared";
  static constexpr char const* description = "pieces of B in shared memory, a warp a row";
  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  using Tuning = typename ByNameSpmm<Exec, Matrix, CsrSharedSpmm>::Tuning;

  template <class Scalar>
  static void multiply(Exec const& exec, Tuning const&, Matrix const& a, bool is_conjugate,
                       RowMajorOperands<Scalar> const& all)
  {
    static_assert(
        SharedPanelsPolicyFor::fits(HEDDLE_CUDA_ARCH, sizeof(typename Matrix::ordinal_type)));
    launch(exec, "heddle::spmm::csr_shared", spmm_csr_shared_kernel<Matrix, Scalar>,
           shared_panels_grid(all, a.num_rows(), SharedPanelsPolicyFor::rows_per_block,
                              device_shape(exec)),
           {stored_entries(a), is_conjugate}, all, a.num_cols());
  }
};

template <class Exec, class Matrix>
struct EllSharedSpmm : ByNameSpmm<Exec, Matrix, EllSharedSpmm<Exec, Matrix>>
{
  static constexpr char const* name = "cuda_native::ell_shared";
  static constexpr char const* description = "pieces of B in shared memory, a thread a row";
  static constexpr bool is_supported = is_ell_matrix_v<Matrix>;
  using Tuning = typename ByNameSpmm<Exec, Matrix, EllSharedSpmm>::Tuning;

  template <class Scalar>
  static void multiply(Exec const& exec, Tuning const&, Matrix const& a, bool is_conjugate,
                       RowMajorOperands<Scalar> const& all)
  {
    using RowViews = decltype(impl::row_views_of(a));
    launch(exec, "heddle::spmm::ell_shared",
           spmm_ell_shared_kernel<RowViews, typename Matrix::value_type, Scalar>,
           shared_panels_grid(all, a.num_rows(), SharedPanelsPolicyFor::value.threads_per_block,
                              device_shape(exec)),
           impl::row_views_of(a), a.values().data(), is_conjugate, all, a.num_cols());
  }
};

} // namespace heddle::cuda_native
