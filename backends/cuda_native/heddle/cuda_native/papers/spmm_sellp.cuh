// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// MAGMA's SpMM of SELL-P (paper 000, section 2, after Anzt et al.), for comparison and by name
// only: blocks of b x t x z threads, threadIdx.x the row in its slice of b rows, threadIdx.y one of
// the t threads that share the row (t is the alignment of the row lengths) and threadIdx.z the
// column of B; sums are added up in shared memory. Padding is read, as there, but has no column
// here (-1) and is skipped.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/papers/blocks_beside.hpp>
#include <heddle/cuda_native/papers/by_name.hpp>
#include <heddle/cuda_native/papers/sellp.cuh>
#include <heddle/cuda_native/papers/sellp_policy.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/slice_row_views.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/sell_matrix.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

template <class RowViews, class Value, class Scalar>
__global__ void __launch_bounds__(SellpPaperPolicyFor::value.most_threads)
    spmm_sellp_paper_kernel(RowViews views, Value const* __restrict__ values, bool is_conjugate,
                            RowMajorOperands<Scalar> all)
{
  extern __shared__ int4 shared[];
  int const b = static_cast<int>(blockDim.x), t = static_cast<int>(blockDim.y);
  int const at = static_cast<int>(threadIdx.y) * b + static_cast<int>(threadIdx.x);
  auto* const sums = reinterpret_cast<Scalar*>(shared) + static_cast<int>(threadIdx.z) * b * t;
  std::int64_t const slice = blockIdx.x;
  std::int64_t const i = slice * b + threadIdx.x;
  auto const begin = static_cast<std::int64_t>(views.slice_offsets[slice]);
  auto const end = static_cast<std::int64_t>(views.slice_offsets[slice + 1]);
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * blockDim.z; first < all.columns;
       first += static_cast<std::int64_t>(gridDim.y) * blockDim.z)
  {
    std::int64_t const column = first + threadIdx.z;
    Scalar sum(0);
    if (column < all.columns)
      for (std::int64_t slot = begin + at; slot < end; slot += static_cast<std::int64_t>(b) * t)
        if (auto const j = static_cast<std::int64_t>(views.columns[slot]); j >= 0)
          sum += factor_of<Scalar>(values[slot], is_conjugate) * all.b[j * all.b_stride + column];
    sums[at] = sum;
    add_up_rows(sums, at, b, t);
    if (threadIdx.y == 0 && i < views.count && column < all.columns)
      impl::store(all.c[views.row(i) * all.c_stride + column], all.alpha, sums[at], all.beta);
    __syncthreads(); // the next sums go to the same slots
  }
}

template <class Exec, class Matrix>
struct SellpPaperSpmm : ByNameSpmm<Exec, Matrix, SellpPaperSpmm<Exec, Matrix>>
{
  static constexpr char const* name = "cuda_native::sellp_paper";
  static constexpr char const* description = "blocks of rows x threads a row x columns of B";
  static constexpr bool is_supported = is_sell_matrix_v<Matrix>;
  using Base = ByNameSpmm<Exec, Matrix, SellpPaperSpmm>;
  using Tuning = typename Base::Tuning;

  static impl::Verdict can_run(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows,
                               SpmmOptions const& options)
  {
    if (!SellpPaperPolicyFor::can_take(a.shape()))
      return {false, "its blocks have at most % threads", SellpPaperPolicyFor::value.most_threads};
    return Base::can_run(exec, a, rows, options);
  }
  template <class Scalar>
  static void multiply(Exec const& exec, Tuning const&, Matrix const& a, bool is_conjugate,
                       RowMajorOperands<Scalar> const& all)
  {
    using RowViews = decltype(impl::row_views_of(a));
    auto const [b, t, sigma] = a.shape();
    int const columns = SellpPaperPolicyFor::columns_per_block(a.shape(), all.columns);
    Grid grid{a.num_slices(), b};
    grid.threads_y = t;
    grid.threads_z = columns;
    grid.shared_bytes = static_cast<std::size_t>(b) * t * columns * sizeof(Scalar);
    grid.blocks_y = blocks_beside(all.columns, columns, device_shape(exec));
    launch(exec, "heddle::spmm::sellp_paper",
           spmm_sellp_paper_kernel<RowViews, typename Matrix::value_type, Scalar>, grid,
           impl::row_views_of(a), a.values().data(), is_conjugate, all);
  }
};

} // namespace heddle::cuda_native
