// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR whose columns come from row templates that the plan holds (core, impl/row_templates.hpp): a
// row keeps one byte, the number of its list of column offsets, and lists stay in the first-level
// cache. Threads share rows as in csr_vector, and rows without a list read the matrix's columns in
// the same loop. Bytes: values once, a byte and an offset per row, x gathered, y once. Bitwise
// repeatable. A row has as many entries as the caller's offsets say, at most its list's, so of
// another pattern than the plan's nothing outside of the operands is read.
// Limit: rows of very different lengths are for csr_tiles.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/cuda_native/spmv/row_results.cuh>
#include <heddle/cuda_native/spmv/row_threads.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/compressed_pattern.hpp>
#include <heddle/impl/spmv_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::cuda_native
{

// What the native kernels by compressed patterns hold and answer.
template <class Exec, class Matrix, class Form>
struct CompressedTuning : impl::Compressed<Form>
{
  int threads = 1; // that share a row or a block of rows

  std::string describe() const
  {
    return std::to_string(threads) + " threads share rows; " + impl::Compressed<Form>::describe();
  }
  static impl::Verdict can_run(Exec const& exec, Matrix const& a, impl::SpmvStatistics const& rows,
                               SpmvOptions const& options)
  {
    bool const is_named = !options.implementation.empty();
    if (impl::Verdict const regular = VectorRows::can_run(rows, is_named); !regular)
      return regular;
    return impl::compression_pays<Form>(exec, a, rows, options, spmv_compression);
  }
};

// As sum_of_row (row_threads.cuh), in the same order, with columns that stay in the caches.
template <int threads_per_row, int batch, bool is_conjugate, class Ordinal, class Value,
          class Scalar>
__device__ Scalar sum_by_list(Ordinal const* __restrict__ columns, Ordinal base,
                              Value const* __restrict__ values, Ordinal length, int lane,
                              Scalar const* __restrict__ x)
{
  constexpr int step = batch * threads_per_row;
  Scalar sum{};
  for (Ordinal k = lane; k < length; k += step)
  {
    Value value[batch];
    Ordinal column[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (k + n * threads_per_row < length)
        value[n] = load_once(values + k + n * threads_per_row);
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (k + n * threads_per_row < length)
        column[n] = base + columns[k + n * threads_per_row];
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (k + n * threads_per_row < length)
        sum += Scalar(impl::conjugated<is_conjugate>(value[n])) * x[column[n]];
  }
  return sum;
}

template <class Policy, int threads_per_row, bool is_conjugate, class Entries, class Templates,
          class Scalar, class Results>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_csr_templates_kernel(Entries a, Templates templates, Scalar const* __restrict__ x,
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
  if (i < a.rows)
  {
    auto const first = static_cast<std::int64_t>(a.offsets[i]);
    auto length = static_cast<Ordinal>(static_cast<std::int64_t>(a.offsets[i + 1]) - first);
    unsigned const list = templates.of_row[i];
    Ordinal const* columns = a.columns + first;
    Ordinal base = 0;
    if (list != Templates::none)
    {
      int const start = templates.starts[list];
      auto const of_list = static_cast<Ordinal>(templates.starts[list + 1] - start);
      columns = templates.offsets + start;
      base = static_cast<Ordinal>(i);
      length = length < of_list ? length : of_list;
    }
    sum = sum_by_list<threads_per_row, Policy::value.loads_in_flight, is_conjugate>(
        columns, base, a.values + first, length, lane, x);
  }
  sum = sum_of_lanes(sum, threads_per_row);
  typename Results::Sum of_rows{};
  if (is_first_lane)
    results.store(i, sum, loaded, of_rows);
  results.finish(of_rows, warp_size, threads_per_row);
}

// What SpmvByRow (spmv/by_row.cuh) asks of a kernel.
template <class Exec, class Matrix>
struct CsrTemplatesKernel : TakesAnyScalar
{
  static constexpr char const* name = "cuda_native::csr_templates";
  static constexpr bool fuses = true;
  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  using Form = impl::TemplatesForm<Matrix>;
  using Tuning = CompressedTuning<Exec, Matrix, Form>;

  static impl::Verdict can_run(Exec const& exec, Matrix const& a, impl::SpmvStatistics const& rows,
                               SpmvOptions const& options)
  {
    return Tuning::can_run(exec, a, rows, options);
  }
  static Tuning tune(Exec const& exec, Matrix const& a, impl::SpmvStatistics const& rows)
  {
    return {impl::compressed<Form>(exec, a, rows),
            SpmvTemplatesPolicyFor::threads_per_row(rows.mean())};
  }
  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& matrix, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    using Policy = SpmvTemplatesPolicyFor;
    auto const a = csr_view(matrix);
    using Entries = CsrView<typename Matrix::value_type, typename Matrix::ordinal_type,
                            typename Matrix::offset_type>;
    using Templates = impl::RowTemplatesView<typename Matrix::ordinal_type>;
    with_one_of<2, 4, 8>(tuning.threads, [&]<class Threads>(Threads) {
      Grid const grid = one_thread_each(a.rows * Threads::value, Policy::value.threads_per_block);
      with_results(exec, grid, alpha, beta, y, [&]<class Results>(Results const& results) {
        launch(exec, "heddle::spmv::csr_templates",
               spmv_csr_templates_kernel<Policy, Threads::value, is_conjugate, Entries, Templates,
                                         Scalar, Results>,
               grid, a, tuning.structure.view(), x, results);
      });
    });
  }
};

} // namespace heddle::cuda_native
