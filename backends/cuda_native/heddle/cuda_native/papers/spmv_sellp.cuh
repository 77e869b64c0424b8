// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The SELL-P kernel of Anzt, Tomov and Dongarra 2014 (Fig. 2), for comparison: a block of b x t
// threads takes a slice of b rows, threadIdx.x the row and threadIdx.y the thread in the row
// (b = t = 8 there); the loop is unrolled by two and reads padding; sums are added up in shared
// memory; the grid is two-dimensional, near the square root of the slices a side. The barriers
// stand outside of the conditionals, where the printed ones hang. t is the alignment of the row
// lengths. What differs: padding has no column here (-1) and is skipped.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/papers/sellp.cuh>
#include <heddle/cuda_native/papers/sellp_policy.hpp>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/slice_row_views.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/sell_matrix.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::cuda_native
{

template <bool is_conjugate, class RowViews, class Value, class Scalar>
__global__ void spmv_sellp_paper_kernel(RowViews views, Value const* __restrict__ values,
                                        Scalar alpha, Scalar const* __restrict__ x, Scalar beta,
                                        Scalar* __restrict__ y)
{
  extern __shared__ int4 shared[];
  auto* const sums = reinterpret_cast<Scalar*>(shared);
  int const b = static_cast<int>(blockDim.x), t = static_cast<int>(blockDim.y);
  int const at = static_cast<int>(threadIdx.y) * b + static_cast<int>(threadIdx.x);
  std::int64_t const slice = static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x;
  std::int64_t const i = slice * b + threadIdx.x;
  std::int64_t const block = b * t;

  Scalar sum{};
  if (slice * b < views.count)
  {
    auto const offset = static_cast<std::int64_t>(views.slice_offsets[slice]);
    auto const end = static_cast<std::int64_t>(views.slice_offsets[slice + 1]);
    std::int64_t const steps = (end - offset) / block;
    auto const* const columns = views.columns + offset + at;
    auto const* const own = values + offset + at;
    auto const product = [&](auto column, Value const& value) {
      return column < 0 ? Scalar{} : Scalar(impl::conjugated<is_conjugate>(value)) * x[column];
    };
    std::int64_t k = 0;
    for (; k < steps - 1; k += 2)
    {
      auto const column_1 = columns[block * k], column_2 = columns[block * k + block];
      Value const value_1 = own[block * k], value_2 = own[block * k + block];
      sum += product(column_1, value_1);
      sum += product(column_2, value_2);
    }
    if (k < steps)
      sum += product(columns[block * k], own[block * k]);
  }
  sums[at] = sum;
  add_up_rows(sums, at, b, t);
  if (threadIdx.y == 0 && i < views.count)
    impl::store(y[views.row(i)], alpha, sums[at], beta);
}

template <class Exec, class Matrix>
struct SellpPaperKernel : TakesAnyScalar
{
  static constexpr char const* name = "cuda_native::sellp_paper";
  static constexpr bool fuses = false;
  struct Tuning
  {
    SellShape shape = {};

    static std::size_t bytes() { return 0; }
    std::string describe() const
    {
      return "slices of b = " + std::to_string(shape.height) +
             " rows, t = " + std::to_string(shape.alignment) + " threads a row";
    }
  };

  static constexpr bool is_supported = is_sell_matrix_v<Matrix>;
  static impl::Verdict can_run(Exec const&, Matrix const& a, impl::RowStatistics const&,
                               SpmvOptions const& options)
  {
    if (!SellpPaperPolicyFor::can_take(a.shape()))
      return {false, "its blocks have at most % threads", SellpPaperPolicyFor::value.most_threads};
    return impl::only_by_name(!options.implementation.empty());
  }
  static Tuning tune(Exec const&, Matrix const& a, impl::RowStatistics const&)
  {
    return {a.shape()};
  }
  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& a, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    using Value = typename Matrix::value_type;
    auto const views = impl::row_views_of(a);
    std::int64_t const slices = a.num_slices();
    auto const side = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(slices))));
    auto const [b, t, sigma] = tuning.shape;
    Grid grid{side, b};
    grid.blocks_y = side == 0 ? 0 : static_cast<int>(impl::divided_up(slices, side));
    grid.threads_y = t;
    grid.shared_bytes = static_cast<std::size_t>(b) * t * sizeof(Scalar);
    launch(exec, "heddle::spmv::sellp_paper",
           spmv_sellp_paper_kernel<is_conjugate, decltype(impl::row_views_of(a)), Value, Scalar>,
           grid, views, a.values().data(), alpha, x, beta, y.data);
  }
};

} // namespace heddle::cuda_native
