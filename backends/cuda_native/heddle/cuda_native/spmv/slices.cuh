// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// ELL and SELL-P / SELL-C-sigma (Anzt et al. 2014; Kreutzer et al. 2014): entries of neighbouring
// rows stand side by side, so a warp that takes 32 / t rows with t lanes each reads its slice as it
// lies there. Lanes of a row add up by shuffles instead of the paper's shared memory
// (papers/spmv_sellp.cuh has that); warps that share rows, where rows alone would not fill the GPU,
// by shared memory. Rows end at their length, so padding is not read but for what shares its
// sectors. Bytes: what is stored, x gathered, y once (through the permutation of sigma).

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/cuda_native/spmv/row_results.cuh>
#include <heddle/ell_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/slice_row_views.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/sell_matrix.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// Walks an ELL row's whole width, as plain ELLPACK has to: gaps are told by their column.
template <class Ordinal>
struct WholeWidthRowViews : impl::EllRowViews<Ordinal>
{
  std::int64_t width;

  __device__ impl::StridedRowView<Ordinal> operator[](std::int64_t i) const
  {
    return {this->columns, i, this->step, width};
  }
};

// The sum over every `stride`th entry of a row, from entry `first` on.
template <int batch, bool is_conjugate, class Ordinal, class Value, class Scalar>
__device__ Scalar sum_of_row_view(impl::StridedRowView<Ordinal> const& view, Value const* values,
                                  int first, int stride, Scalar const* __restrict__ x)
{
  Ordinal const* const columns = view.columns + view.first;
  values += view.first;
  std::int64_t const step = view.step;
  int const length = static_cast<int>(view.length);
  Scalar sum{};
  for (int base = 0; base < length; base += batch * stride)
  {
    Ordinal column[batch];
    Value value[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n)
    {
      column[n] = -1;
      if (int const k = base + first + n * stride; k < length)
      {
        column[n] = load_once(columns + k * step);
        value[n] = load_once(values + k * step);
      }
    }
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (column[n] >= 0)
        sum += Scalar(impl::conjugated<is_conjugate>(value[n])) * x[column[n]];
  }
  return sum;
}

// A block has warps / warps_per_row groups of 32 / lanes_per_row rows.
template <class Policy, int lanes_per_row, bool is_conjugate, class RowViews, class Value,
          class Scalar, class Results>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_slices_kernel(RowViews views, int warps_per_row, Value const* __restrict__ values,
                       Scalar const* __restrict__ x, Results results)
{
  constexpr int warps = Policy::value.threads_per_block / warp_size;
  constexpr int rows_per_warp = warp_size / lanes_per_row;
  extern __shared__ int4 shared[];
  auto* const sums = reinterpret_cast<Scalar*>(shared);
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const part = warp % warps_per_row;
  std::int64_t const group =
      static_cast<std::int64_t>(blockIdx.x) * (warps / warps_per_row) + warp / warps_per_row;
  std::int64_t const i = group * rows_per_warp + lane % rows_per_warp;

  bool const has_result = part == 0 && lane < rows_per_warp && i < views.count;
  typename Results::Loaded loaded{};
  if (has_result)
    loaded = results.load(views.row(i));
  Scalar sum{};
  if (i < views.count)
    sum = sum_of_row_view<Policy::value.loads_in_flight, is_conjugate>(
        views[i], values, part * lanes_per_row + lane / rows_per_warp,
        lanes_per_row * warps_per_row, x);
  sum = sum_of_lanes(sum, warp_size, rows_per_warp);
  if (warps_per_row > 1)
  {
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (part == 0)
      for (int n = 1; n < warps_per_row; ++n)
        sum += sums[threadIdx.x + n * warp_size];
  }
  typename Results::Sum of_rows{};
  if (has_result)
    results.store(views.row(i), sum, loaded, of_rows);
  results.finish(of_rows, rows_per_warp);
}

struct SliceTuning
{
  int lanes = 1, warps = 1;

  static std::size_t bytes() { return 0; }
  std::string describe() const
  {
    return std::to_string(lanes) + (lanes == 1 ? " lane" : " lanes") + " of " +
           std::to_string(warps) + (warps == 1 ? " warp a row" : " warps a row");
  }
};

template <int lanes, bool is_conjugate, class RowViews, class Value, class Scalar, class Y>
void multiply_slices(Kokkos::Cuda const& exec, char const* label, int warps, RowViews const& views,
                     Value const* values, Scalar alpha, Scalar const* x, Scalar beta, Y const& y)
{
  using Policy = SpmvSlicesPolicyFor;
  constexpr int threads = Policy::value.threads_per_block;
  Grid grid = one_thread_each(views.count * lanes * warps, threads);
  grid.shared_bytes = warps > 1 ? threads * sizeof(Scalar) : 0;
  with_results(exec, grid, alpha, beta, y, [&]<class Results>(Results const& results) {
    launch(exec, label,
           spmv_slices_kernel<Policy, lanes, is_conjugate, RowViews, Value, Scalar, Results>, grid,
           views, warps, values, x, results);
  });
}

template <class Exec, class Matrix>
struct SellSlicesKernel : TakesAnyScalar
{
  static constexpr char const* name = "cuda_native::sell_slices";
  static constexpr bool fuses = true;
  using Tuning = SliceTuning;

  static constexpr bool is_supported = is_sell_matrix_v<Matrix>;
  static impl::Verdict can_run(Exec const&, Matrix const&, impl::RowStatistics const&,
                               SpmvOptions const&)
  {
    return {true, "it takes any matrix of this format"};
  }
  static Tuning tune(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows)
  {
    int const lanes = SpmvSlicesPolicyFor::lanes_per_row(a.shape().height, rows.mean(),
                                                         sizeof(typename Matrix::value_type));
    return {lanes,
            SpmvSlicesPolicyFor::warps_per_row(rows.rows, rows.mean(), lanes, device_shape(exec))};
  }
  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& a, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    with_one_of<1, 2, 4, 8, 16, 32>(tuning.lanes, [&]<class Lanes>(Lanes) {
      multiply_slices<Lanes::value, is_conjugate>(exec, "heddle::spmv::sell_slices", tuning.warps,
                                                  impl::row_views_of(a), a.values().data(), alpha,
                                                  x, beta, y);
    });
  }
};

// ELLPACK: one thread per row, which walks the whole width.
struct WholeWidth
{
  static constexpr char const* name = "cuda_native::ell";
  static constexpr char const* label = "heddle::spmv::ell";
  static constexpr bool is_best = false;

  static int warps(impl::RowStatistics const&, DeviceShape const&) { return 1; }
  template <class Matrix>
  static auto row_views(Matrix const& a)
  {
    return WholeWidthRowViews<typename Matrix::ordinal_type>{impl::row_views_of(a),
                                                             static_cast<std::int64_t>(a.width())};
  }
};
// ELLPACK-R (Vazquez et al. 2011): one thread per row, which stops at the row's length.
struct ToLength
{
  static constexpr char const* name = "cuda_native::ellr";
  static constexpr char const* label = "heddle::spmv::ellr";
  static constexpr bool is_best = false;

  static int warps(impl::RowStatistics const&, DeviceShape const&) { return 1; }
  template <class Matrix>
  static auto row_views(Matrix const& a)
  {
    return impl::row_views_of(a);
  }
};
// ELLR-T (Vazquez et al. 2012): t threads per row, each in a warp of its own so that loads stay
// coalesced without another order of the entries.
struct ToLengthShared
{
  static constexpr char const* name = "cuda_native::ellr_t";
  static constexpr char const* label = "heddle::spmv::ellr_t";
  static constexpr bool is_best = true;

  static int warps(impl::RowStatistics const& rows, DeviceShape const& device)
  {
    return SpmvSlicesPolicyFor::warps_per_row(rows.rows, rows.mean(), 1, device);
  }
  template <class Matrix>
  static auto row_views(Matrix const& a)
  {
    return impl::row_views_of(a);
  }
};

template <class Exec, class Matrix, class Walk>
struct EllKernel : TakesAnyScalar
{
  static constexpr char const* name = Walk::name;
  static constexpr bool fuses = true;
  using Tuning = SliceTuning;

  static constexpr bool is_supported = is_ell_matrix_v<Matrix>;
  static impl::Verdict can_run(Exec const&, Matrix const&, impl::RowStatistics const&,
                               SpmvOptions const& options)
  {
    if (Walk::is_best)
      return {true, "it takes any matrix of this format"};
    return impl::only_by_name(!options.implementation.empty());
  }
  static Tuning tune(Exec const& exec, Matrix const&, impl::RowStatistics const& rows)
  {
    return {1, Walk::warps(rows, device_shape(exec))};
  }
  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& a, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    multiply_slices<1, is_conjugate>(exec, Walk::label, tuning.warps, Walk::row_views(a),
                                     a.values().data(), alpha, x, beta, y);
  }
};
template <class Exec, class Matrix>
using EllWholeKernel = EllKernel<Exec, Matrix, WholeWidth>;
template <class Exec, class Matrix>
using EllrKernel = EllKernel<Exec, Matrix, ToLength>;
template <class Exec, class Matrix>
using EllrTKernel = EllKernel<Exec, Matrix, ToLengthShared>;

} // namespace heddle::cuda_native
