// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR whose columns come from row templates that the plan holds (core, impl/row_templates.hpp): a
// row keeps one byte, the number of its list of column offsets, and lists stay in the first-level
// cache. A block copies the values of its rows to shared memory while its threads load what of x
// their first entries need. One thread has a short row, so that neighbouring threads have
// neighbouring rows, which read neighbours in x; several share a long one. Rows without a list read
// the matrix's columns in the same loop. Bytes: values once, a byte and an offset per row, x
// gathered, y once. Bitwise repeatable. A row has as many entries as the caller's offsets say, at
// most its list's, so of another pattern than the plan's nothing outside of the operands is read.
// Rows that would delay the others are cut into parts, by a kernel before (long_rows.cuh). Limit:
// rows of very different lengths are for csr_tiles.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/staged_values.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/long_rows.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/cuda_native/spmv/row_results.cuh>
#include <heddle/cuda_native/spmv/row_threads.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/compressed_pattern.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/spmv_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::cuda_native
{

template <class RowOffsets>
struct MostEntriesAtOnce
{
  RowOffsets row_offsets;
  std::int64_t rows, limit;
  int rows_at_once;

  KOKKOS_FUNCTION void operator()(std::int64_t n, std::int64_t& most) const
  {
    std::int64_t const first = n * rows_at_once;
    std::int64_t const end = first + rows_at_once < rows ? first + rows_at_once : rows;
    auto const entries = static_cast<std::int64_t>(row_offsets(end) - row_offsets(first));
    most = most < entries && entries <= limit ? entries : most;
  }
};

// The most entries of a block of `rows_at_once` rows, of those blocks with at most `limit`. Waits
// for exec.
template <class Exec, class RowOffsets>
std::int64_t most_entries_at_once(Exec const& exec, RowOffsets const& row_offsets,
                                  std::int64_t rows, int rows_at_once, std::int64_t limit)
{
  std::int64_t most = 0;
  Kokkos::parallel_reduce("heddle::spmv::most_entries_at_once",
                          impl::range(exec, impl::divided_up(rows, rows_at_once)),
                          MostEntriesAtOnce<RowOffsets>{row_offsets, rows, limit, rows_at_once},
                          Kokkos::Max<std::int64_t>(most));
  return most > 0 ? most : 0; // a maximum of nothing is the least number
}

// What the native kernels by compressed patterns hold and answer.
template <class Exec, class Matrix, class Form>
struct CompressedTuning : impl::Compressed<Form>
{
  int threads = 1; // that share a row or a block of rows
  int room = 0;    // values that a block stages
  LongRowParts<typename Matrix::ordinal_type, typename Matrix::memory_space> long_rows = {};

  // The form, and which rows are cut into parts. Waits for exec.
  static CompressedTuning of(Exec const& exec, Matrix const& a, impl::SpmvStatistics const& rows)
  {
    CompressedTuning tuning{impl::compressed<Form>(exec, a, rows)};
    tuning.long_rows = {exec, a.row_offsets(), rows, SpmvCsrRowsPolicyFor::longest_regular(rows)};
    return tuning;
  }
  // mean: of rows that are not long; rows_at_once: of a block. Waits for exec.
  void make_room(Exec const& exec, Matrix const& a, double mean, int rows_at_once)
  {
    room = static_cast<int>(most_entries_at_once(
        exec, a.row_offsets(), a.num_rows(), rows_at_once,
        SpmvStagingPolicy::most_values(mean, rows_at_once, sizeof(typename Matrix::value_type))));
  }
  std::size_t bytes() const { return impl::Compressed<Form>::bytes() + long_rows.bytes(); }
  std::string describe() const
  {
    return std::to_string(threads) + " threads share rows; " + impl::Compressed<Form>::describe() +
           long_rows.describe();
  }
  static impl::Verdict can_run(Exec const& exec, Matrix const& a, impl::SpmvStatistics const& rows,
                               SpmvOptions const& options)
  {
    if (impl::Verdict const alike = VectorRows::can_run(exec, a, rows, options); !alike)
      return alike;
    return impl::compression_pays<Form>(exec, a, rows, options, spmv_compression);
  }
};

template <class Policy, int threads_per_row, bool is_conjugate, class Entries, class Templates,
          class Scalar, class Results>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_csr_templates_kernel(Entries a, Templates templates, int room,
                              LongRowSums<typename Entries::ordinal_type, Scalar> long_rows,
                              Scalar const* __restrict__ x, Results results)
{
  using Ordinal = typename Entries::ordinal_type;
  using Value = typename Entries::value_type;
  constexpr int rows_of_block = Policy::value.threads_per_block / threads_per_row;
  constexpr int batch = Policy::value.loads_in_flight;
  extern __shared__ int4 shared[];
  __shared__ CopyBarrier barrier;

  std::int64_t const first_row = static_cast<std::int64_t>(blockIdx.x) * rows_of_block;
  std::int64_t const i = first_row + static_cast<int>(threadIdx.x) / threads_per_row;
  int const lane = static_cast<int>(threadIdx.x) % threads_per_row;
  auto begin = a.offsets[first_row], end = begin; // of the row
  unsigned list = Templates::none;
  if (i < a.rows)
  {
    begin = a.offsets[i];
    end = a.offsets[i + 1];
    list = templates.of_row[i];
  }
  auto const first = a.offsets[first_row];
  auto const count = a.offsets[min(first_row + rows_of_block, a.rows)] - first;
  bool const is_staged = static_cast<std::int64_t>(count) <= room;
  StagedValues<Value> staged(shared, barrier, {a.values, a.count}, first,
                             is_staged ? static_cast<int>(count) : 0);

  bool const is_first_lane = i < a.rows && lane == 0;
  typename Results::Loaded loaded{};
  if (is_first_lane)
    loaded = results.load(i);
  auto length = static_cast<Ordinal>(end - begin);
  bool const is_long = long_rows.has(length);
  if (is_long)
    length = 0;
  Ordinal const* columns = a.columns + begin;
  Scalar const* x_of_row = x; // from where columns count
  if (list != Templates::none)
  {
    int const start = templates.starts[list];
    auto const of_list = static_cast<Ordinal>(templates.starts[list + 1] - start);
    columns = templates.offsets + start;
    x_of_row = x + i;
    length = length < of_list ? length : of_list;
  }
  // Entries from the lane-th on, every threads_per_row-th.
  constexpr int step = batch * threads_per_row;
  Ordinal left = length - lane;
  columns += lane;
  Scalar factor[batch];
  auto const load_factors = [&] {
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (n * threads_per_row < left)
        factor[n] = x_of_row[columns[n * threads_per_row]];
  };
  load_factors();
  staged.wait();
  Scalar sum{};
  auto const add_entries = [&](Value const* values) {
    while (true)
    {
#pragma unroll
      for (int n = 0; n < batch; ++n)
        if (n * threads_per_row < left)
          sum += Scalar(impl::conjugated<is_conjugate>(values[n * threads_per_row])) * factor[n];
      left -= step;
      if (left <= 0)
        break;
      values += step;
      columns += step;
      load_factors();
    }
  };
  if (is_staged) // apart, so that these are loads from shared memory
    add_entries(staged.values() + static_cast<int>(begin - first) + lane);
  else
    add_entries(a.values + begin + lane);
  sum = sum_of_lanes(sum, threads_per_row);
  if (is_first_lane && is_long)
    sum = long_rows.sum_of(i);
  typename Results::Sum of_rows{};
  if (is_first_lane)
    results.store(i, sum, loaded, of_rows);
  long_rows.finish();
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
    using Policy = SpmvTemplatesPolicyFor;
    Tuning tuning = Tuning::of(exec, a, rows);
    double const mean = tuning.long_rows.others(rows).mean();
    tuning.threads = Policy::threads_per_row(mean, sizeof(typename Matrix::value_type));
    tuning.make_room(exec, a, mean, Policy::rows_at_once(tuning.threads));
    return tuning;
  }
  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& matrix, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    using Policy = SpmvTemplatesPolicyFor;
    auto const a = stored_entries(matrix);
    using Entries = StoredEntries<typename Matrix::value_type, typename Matrix::ordinal_type,
                                  typename Matrix::offset_type>;
    using Templates = impl::RowTemplatesView<typename Matrix::ordinal_type>;
    with_one_of<1, 2, 4, 8, 32>(tuning.threads, [&]<class Threads>(Threads) {
      auto const long_rows = tuning.long_rows.template start<is_conjugate>(exec, a, x);
      Grid grid = one_thread_each(a.rows * Threads::value, Policy::value.threads_per_block);
      grid.shared_bytes = StagedValues<typename Matrix::value_type>::bytes(tuning.room);
      grid.starts_early = tuning.long_rows.has_rows();
      with_results(exec, grid, alpha, beta, y, [&]<class Results>(Results const& results) {
        launch(exec, "heddle::spmv::csr_templates",
               spmv_csr_templates_kernel<Policy, Threads::value, is_conjugate, Entries, Templates,
                                         Scalar, Results>,
               grid, a, tuning.structure.view(), tuning.room, long_rows.view(), x, results);
      });
    });
  }
};

} // namespace heddle::cuda_native
