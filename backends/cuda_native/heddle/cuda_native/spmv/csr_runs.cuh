// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR whose columns come from runs that the plan holds (core, impl/row_runs.hpp): blocks of `size`
// rows with the same columns, which stand in runs of `size`, with one 16-bit index per run. 8 or 16
// neighbouring threads share a block: each takes columns, multiplies the entries of all its rows by
// one value of x, and the sums of the rows are added up by shuffles in a fixed order. Rows of
// irregular blocks are taken one after the other as in csr_vector, from the matrix. Bytes: values
// once, 2 per size^2 entries and 4 per block, x gathered, y once. Bitwise repeatable. Where the
// entries of a regular block stand the plan knows, and its columns are those of the plan's pattern:
// of another pattern nothing outside of the operands is read.
// Limit: rows of very different lengths are for csr_tiles.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/csr_templates.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/cuda_native/spmv/row_results.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/compressed_pattern.hpp>
#include <heddle/impl/spmv_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// Adds the entries of a regular block to the sums of its rows. indices are those of its runs, from
// base on; null: columns are the matrix's, of the block's first row.
template <int threads, int batch, int size, bool is_conjugate, class Ordinal, class Value,
          class Scalar>
__device__ void add_block(std::uint16_t const* __restrict__ indices, Ordinal base, Ordinal unit,
                          Ordinal const* __restrict__ columns, Value const* __restrict__ values,
                          Ordinal length, int lane, Scalar const* __restrict__ x,
                          Scalar (&sums)[size])
{
  for (Ordinal k = lane; k < length; k += batch * threads)
  {
    Value value[batch][size];
    Scalar factor[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (k + n * threads < length)
      {
#pragma unroll
        for (int r = 0; r < size; ++r)
          value[n][r] = load_once(values + static_cast<std::int64_t>(r) * length + k + n * threads);
      }
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (k + n * threads < length)
      {
        auto const m = static_cast<unsigned>(k) + n * threads;
        Ordinal const column = indices != nullptr
                                   ? base + unit * static_cast<Ordinal>(indices[m / size]) +
                                         static_cast<Ordinal>(m % size)
                                   : columns[m];
        factor[n] = x[column];
      }
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (k + n * threads < length)
      {
#pragma unroll
        for (int r = 0; r < size; ++r)
          sums[r] += Scalar(impl::conjugated<is_conjugate>(value[n][r])) * factor[n];
      }
  }
}

template <class Policy, int threads, int size, bool is_conjugate, class Entries, class Runs,
          class Scalar, class Results>
__global__ void __launch_bounds__(Policy::value.threads_per_block,
                                  Policy::value.blocks_per_processor)
    spmv_csr_runs_kernel(Entries a, Runs runs, Scalar const* __restrict__ x, Results results)
{
  using Ordinal = typename Entries::ordinal_type;
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const b = thread / threads;
  int const lane = static_cast<int>(threadIdx.x) % threads;
  bool const is_there = b < runs.blocks;
  bool const is_regular = is_there && runs.is_regular(b);
  static_assert(size <= threads); // lane r has the result of the block's row r
  typename Results::Loaded loaded{};
  if (is_regular && lane < size)
    loaded = results.load(b * size + lane);
  Scalar sums[size] = {};
  typename Results::Sum of_rows{};
  if (is_regular)
  {
    std::int64_t const first = runs.first(b), group = b / Runs::group;
    auto const length = static_cast<Ordinal>((runs.first(b + 1) - first) / size);
    Ordinal const base = runs.bases[group];
    add_block<threads, Policy::template batch<size>, size, is_conjugate>(
        base >= 0 ? runs.indices + Runs::first_index(first, size) : nullptr, base,
        runs.units[group], a.columns + first, a.values + first, length, lane, x, sums);
  }
#pragma unroll
  for (int r = 0; r < size; ++r)
  {
    Scalar const sum = sum_of_lanes(sums[r], threads);
    if (is_regular && lane == r)
      results.store(b * size + r, sum, loaded, of_rows);
  }
  bool const is_irregular = is_there && !is_regular;
  if (__any_sync(0xffffffffU, is_irregular))
#pragma unroll 1
    for (int r = 0; r < size; ++r)
    {
      std::int64_t const i = b * size + r;
      bool const has_row = is_irregular && i < a.rows;
      Scalar sum{};
      if (has_row)
      {
        auto const first = static_cast<std::int64_t>(a.offsets[i]);
        auto const length =
            static_cast<Ordinal>(static_cast<std::int64_t>(a.offsets[i + 1]) - first);
        sum = sum_by_list<threads, 2, is_conjugate>(a.columns + first, Ordinal(0), a.values + first,
                                                    length, lane, x);
      }
      sum = sum_of_lanes(sum, threads);
      if (has_row && lane == 0)
        results.store(i, sum, of_rows);
    }
  results.finish(of_rows);
}

// What SpmvByRow (spmv/by_row.cuh) asks of a kernel.
template <class Exec, class Matrix>
struct CsrRunsKernel : TakesAnyScalar
{
  static constexpr char const* name = "cuda_native::csr_runs";
  static constexpr bool fuses = true;
  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  using Form = impl::RunsForm<Matrix>;
  using Tuning = CompressedTuning<Exec, Matrix, Form>;

  static impl::Verdict can_run(Exec const& exec, Matrix const& a, impl::SpmvStatistics const& rows,
                               SpmvOptions const& options)
  {
    return Tuning::can_run(exec, a, rows, options);
  }
  static Tuning tune(Exec const& exec, Matrix const& a, impl::SpmvStatistics const& rows)
  {
    Tuning tuning{impl::compressed<Form>(exec, a, rows)};
    tuning.threads =
        SpmvRunsPolicyFor<1>::threads_per_block_of_rows(rows.mean(), tuning.structure.size);
    return tuning;
  }
  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& matrix, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    using Policy = SpmvRunsPolicyFor<sizeof(Scalar)>;
    auto const a = csr_view(matrix);
    using Entries = CsrView<typename Matrix::value_type, typename Matrix::ordinal_type,
                            typename Matrix::offset_type>;
    auto const runs = tuning.structure.view();
    using Runs = impl::RowRunsView<typename Matrix::ordinal_type>;
    with_one_of<8, 16>(tuning.threads, [&]<class Threads>(Threads) {
      with_one_of<2, 3, 4, 5, 6>(tuning.structure.size, [&]<class Size>(Size) {
        Grid const grid =
            one_thread_each(runs.blocks * Threads::value, Policy::value.threads_per_block);
        with_results(exec, grid, alpha, beta, y, [&]<class Results>(Results const& results) {
          launch(exec, "heddle::spmv::csr_runs",
                 spmv_csr_runs_kernel<Policy, Threads::value, Size::value, is_conjugate, Entries,
                                      Runs, Scalar, Results>,
                 grid, a, runs, x, results);
        });
      });
    });
  }
};

} // namespace heddle::cuda_native
