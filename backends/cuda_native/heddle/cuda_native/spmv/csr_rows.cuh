// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR kernels in which 1 to 32 neighbouring threads share a row (Bell and Garland 2009,
// sections 4.2 and 4.3): csr_scalar has one thread a row (Anzt et al. 2014, section 3), csr_vector
// as many as the plan found best for the lengths of the rows. A thread loads several entries before
// it uses the first, so that the latency of memory is waited for once per batch; the row's threads
// add up by shuffles, in a fixed order. Bytes: A once, x gathered, y once.
// Rows that would delay the others are cut into parts, by a kernel before (long_rows.cuh).
// Limit: a row is waited for by its warp: rows of very different lengths are for csr_tiles.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/long_rows.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/cuda_native/spmv/row_results.cuh>
#include <heddle/cuda_native/spmv/row_sums.cuh>
#include <heddle/cuda_native/spmv/row_threads.cuh>
#include <heddle/impl/compressed_pattern.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::cuda_native
{

// long_rows: LongRowSums, or NoLongRows.
template <class Policy, int threads_per_row, bool is_conjugate, class Entries, class LongRows,
          class Scalar, class Results>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_csr_rows_kernel(Entries a, LongRows long_rows, Scalar const* __restrict__ x,
                         Results results)
{
  using Ordinal = typename Entries::ordinal_type;
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / threads_per_row;
  int const lane = static_cast<int>(threadIdx.x) % threads_per_row;
  bool const is_first_lane = i < a.rows && lane == 0;
  typename Results::Loaded loaded{};
  if (is_first_lane)
    loaded = results.load(i);
  Scalar sum{};
  bool is_long = false;
  if (i < a.rows)
  {
    auto const first = static_cast<std::int64_t>(a.offsets[i]);
    auto const last = static_cast<std::int64_t>(a.offsets[i + 1]);
    is_long = long_rows.has(static_cast<Ordinal>(last - first));
    sum = sum_of_entries<threads_per_row, Policy::value.loads_in_flight, is_conjugate>(
        a, first, is_long ? first : last, lane, x);
  }
  sum = sum_of_lanes(sum, threads_per_row);
  if (is_first_lane && is_long)
    sum = Scalar(long_rows.sum_of(i));
  typename Results::Sum of_rows{};
  if (is_first_lane)
    results.store(i, sum, loaded, of_rows);
  long_rows.finish();
  results.finish(of_rows, warp_size, threads_per_row);
}

// What SpmvByRow (spmv/by_row.cuh) asks of a kernel.
template <class Exec, class Matrix, class Choice>
struct CsrRowsKernel : TakesAnyScalar
{
  static constexpr char const* name = Choice::name;
  static constexpr bool fuses = true;
  struct Tuning
  {
    int threads_per_row = 1;
    bool is_cached = false; // A stays in the second-level cache
    LongRowParts<typename Matrix::ordinal_type, typename Matrix::memory_space> long_rows = {};

    std::size_t bytes() const { return long_rows.bytes(); }
    std::string describe() const
    {
      return std::to_string(threads_per_row) + (threads_per_row == 1 ? " thread" : " threads") +
             " a row" + (is_cached ? ", A kept in the second-level cache" : "") +
             long_rows.describe();
    }
  };

  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  template <class Seen>
  static impl::Verdict can_run(Exec const& exec, Seen const& a, impl::SpmvStatistics const& rows,
                               SpmvOptions const& options)
  {
    return Choice::can_run(exec, a, rows, options);
  }
  static Tuning tune(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows)
  {
    using Bytes = impl::CompressedBytes<Matrix>;
    using Policy = SpmvCsrRowsPolicyFor;
    Tuning tuning;
    if constexpr (Choice::is_tuned)
    {
      tuning.long_rows = {exec, a.row_offsets(), rows, Policy::longest_regular(rows)};
      tuning.is_cached =
          !tuning.long_rows.has_rows() &&
          Policy::stays_cached(Bytes::of_numbers(a) + Bytes::of_csr(a), device_shape(exec));
    }
    tuning.threads_per_row = Choice::threads_per_row(tuning.long_rows.others(rows));
    return tuning;
  }

  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& matrix, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    using Value = typename Matrix::value_type;
    using Ordinal = typename Matrix::ordinal_type;
    using Offset = typename Matrix::offset_type;
    auto const stored = stored_entries(matrix);
    if constexpr (Choice::is_tuned)
    {
      if (tuning.long_rows.has_rows())
      {
        auto const parts = tuning.long_rows.template start<is_conjugate>(exec, stored, x);
        return multiply_entries<is_conjugate>(exec, tuning.threads_per_row, stored, parts.view(),
                                              alpha, x, beta, y);
      }
      if (tuning.is_cached)
        return multiply_entries<is_conjugate>(
            exec, tuning.threads_per_row, CachedEntries<Value, Ordinal, Offset>{csr_view(matrix)},
            NoLongRows{}, alpha, x, beta, y);
    }
    multiply_entries<is_conjugate>(exec, tuning.threads_per_row, stored, NoLongRows{}, alpha, x,
                                   beta, y);
  }

private:
  template <bool is_conjugate, class Entries, class LongRows, class Scalar, class Y>
  static void multiply_entries(Exec const& exec, int threads_per_row, Entries const& a,
                               LongRows const& long_rows, Scalar alpha, Scalar const* x,
                               Scalar beta, Y const& y)
  {
    using Policy = SpmvCsrRowsPolicyFor;
    Choice::with_threads(threads_per_row, [&]<class Threads>(Threads) {
      Grid grid = one_thread_each(a.rows * Threads::value, Policy::value.threads_per_block);
      grid.starts_early = LongRows::are_there;
      with_results(exec, grid, alpha, beta, y, [&]<class Results>(Results const& results) {
        launch(exec, Choice::label,
               spmv_csr_rows_kernel<Policy, Threads::value, is_conjugate, Entries, LongRows, Scalar,
                                    Results>,
               grid, a, long_rows, x, results);
      });
    });
  }
};

template <class Exec, class Matrix>
using CsrScalarKernel = CsrRowsKernel<Exec, Matrix, ScalarRows>;
template <class Exec, class Matrix>
using CsrVectorKernel = CsrRowsKernel<Exec, Matrix, VectorRows>;

} // namespace heddle::cuda_native
