// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR kernels in which 1 to 32 neighbouring threads share a row (Bell and Garland 2009,
// sections 4.2 and 4.3): csr_scalar has one thread a row (Anzt et al. 2014, section 3), csr_vector
// as many as the plan found best for the lengths of the rows. A thread loads several entries before
// it uses the first, so that the latency of memory is waited for once per batch; the row's threads
// add up by shuffles, in a fixed order. Bytes: A once, x gathered, y once.
// Limit: a row is waited for by its warp: rows of very different lengths are for csr_tiles.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// Where x has the value for a column: at its index.
struct IndexOfColumn
{
  template <class Ordinal>
  __device__ Ordinal operator()(Ordinal column) const
  {
    return column;
  }
};

// The sum over every threads_per_row-th of the `length` entries of a row, from the entry on at
// which columns and values are, the lane-th. Whole batches need no questions; whether one is whole
// is the same for all threads of the row. Few threads have rows of one batch, whole or not.
template <int threads_per_row, int batch, bool is_conjugate, class Ordinal, class Values,
          class Scalar, class IndexOf>
__device__ Scalar sum_of_row(Ordinal const* columns, Values values, Ordinal length, int lane,
                             Scalar const* __restrict__ x, IndexOf const& index_of)
{
  constexpr int step = batch * threads_per_row;
  constexpr bool has_whole_batches = threads_per_row > 2;
  Ordinal column[batch];
  std::remove_cvref_t<decltype(values[0])> value[batch];
  Scalar sum{};
  if constexpr (has_whole_batches)
    for (; length >= step; length -= step)
    {
#pragma unroll
      for (int n = 0; n < batch; ++n)
      {
        column[n] = load_once(columns + n * threads_per_row);
        value[n] = values[n * threads_per_row];
      }
#pragma unroll
      for (int n = 0; n < batch; ++n)
        sum += Scalar(impl::conjugated<is_conjugate>(value[n])) * x[index_of(column[n])];
      columns += step;
      values = values.from(step);
    }
  for (Ordinal left = length - lane; left > 0; left -= step) // once, behind whole batches
  {
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (n * threads_per_row < left)
      {
        column[n] = load_once(columns + n * threads_per_row);
        value[n] = values[n * threads_per_row];
      }
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (n * threads_per_row < left)
        sum += Scalar(impl::conjugated<is_conjugate>(value[n])) * x[index_of(column[n])];
    if constexpr (has_whole_batches)
      break;
    columns += step;
    values = values.from(step);
  }
  return sum;
}

// The sum over the entries first .. last - 1 by the threads of a row.
template <int threads_per_row, int batch, bool is_conjugate, class Entries, class Scalar,
          class IndexOf = IndexOfColumn>
__device__ Scalar sum_of_entries(Entries const& a, std::int64_t first, std::int64_t last, int lane,
                                 Scalar const* __restrict__ x, IndexOf const& index_of = {})
{
  return sum_of_row<threads_per_row, batch, is_conjugate>(
      a.columns + first + lane, a.values_from(first + lane),
      static_cast<typename Entries::ordinal_type>(last - first), lane, x, index_of);
}

template <class Policy, int threads_per_row, bool is_conjugate, class Entries, class Scalar>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_csr_rows_kernel(Entries a, Scalar alpha, Scalar const* __restrict__ x, Scalar beta,
                         Scalar* __restrict__ y)
{
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / threads_per_row;
  int const lane = static_cast<int>(threadIdx.x) % threads_per_row;
  Scalar sum{};
  if (i < a.rows)
    sum = sum_of_entries<threads_per_row, Policy::value.loads_in_flight, is_conjugate>(
        a, static_cast<std::int64_t>(a.offsets[i]), static_cast<std::int64_t>(a.offsets[i + 1]),
        lane, x);
  sum = sum_of_lanes(sum, threads_per_row);
  if (i < a.rows && lane == 0)
    impl::store(y[i], alpha, sum, beta);
}

// The two kernels: how many threads share a row, and when.
struct ScalarRows
{
  static constexpr char const* name = "cuda_native::csr_scalar";
  static constexpr char const* label = "heddle::spmv::csr_scalar";

  static impl::Verdict can_run(impl::RowStatistics const&, bool is_named)
  {
    return impl::only_by_name(is_named);
  }
  static int threads_per_row(impl::RowStatistics const&) { return 1; }
  template <class Run>
  static void with_threads(int threads, Run const& run)
  {
    with_one_of<1>(threads, run);
  }
};
struct VectorRows
{
  static constexpr char const* name = "cuda_native::csr_vector";
  static constexpr char const* label = "heddle::spmv::csr_vector";

  static impl::Verdict can_run(impl::RowStatistics const& rows, bool is_named)
  {
    return {is_named || SpmvCsrRowsPolicyFor::is_regular(rows),
            "the longest row has % entries, % do not delay the others", rows.longest,
            SpmvCsrRowsPolicyFor::longest_regular(rows)};
  }
  static int threads_per_row(impl::RowStatistics const& rows)
  {
    return SpmvCsrRowsPolicyFor::threads_per_row(rows);
  }
  template <class Run>
  static void with_threads(int threads, Run const& run)
  {
    with_one_of<2, 4, 8, 16, 32>(threads, run);
  }
};

// What SpmvByRow (spmv/by_row.cuh) asks of a kernel.
template <class Exec, class Matrix, class Rows>
struct CsrRowsKernel : TakesAnyScalar
{
  static constexpr char const* name = Rows::name;
  struct Tuning
  {
    int threads_per_row = 1;

    static std::size_t bytes() { return 0; }
    std::string describe() const
    {
      return std::to_string(threads_per_row) + (threads_per_row == 1 ? " thread" : " threads") +
             " a row";
    }
  };

  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  template <class Seen>
  static impl::Verdict can_run(Exec const&, Seen const&, impl::RowStatistics const& rows,
                               SpmvOptions const& options)
  {
    return Rows::can_run(rows, !options.implementation.empty());
  }
  static Tuning tune(Exec const&, Matrix const&, impl::RowStatistics const& rows)
  {
    return {Rows::threads_per_row(rows)};
  }

  template <bool is_conjugate, class Scalar>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& matrix, Scalar alpha,
                       Scalar const* x, Scalar beta, Scalar* y)
  {
    using Policy = SpmvCsrRowsPolicyFor;
    auto const a = stored_entries(matrix);
    using Entries = StoredEntries<typename Matrix::value_type, typename Matrix::ordinal_type,
                                  typename Matrix::offset_type>;
    Rows::with_threads(tuning.threads_per_row, [&]<class Threads>(Threads) {
      launch(exec, Rows::label,
             spmv_csr_rows_kernel<Policy, Threads::value, is_conjugate, Entries, Scalar>,
             one_thread_each(a.rows * Threads::value, Policy::value.threads_per_block), a, alpha, x,
             beta, y);
    });
  }
};

template <class Exec, class Matrix>
using CsrScalarKernel = CsrRowsKernel<Exec, Matrix, ScalarRows>;
template <class Exec, class Matrix>
using CsrVectorKernel = CsrRowsKernel<Exec, Matrix, VectorRows>;

} // namespace heddle::cuda_native
