// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR whose columns come from runs that the plan holds (core, impl/row_runs.hpp): blocks of `size`
// rows with the same columns, which stand in runs of `size`, with one 16-bit index per run. Here a
// *team* of 8 to 32 neighbouring threads shares a block of rows, and a thread takes whole runs: it
// loads one index and the values of x from there on, and multiplies them by the entries of all
// rows, which the thread block has copied to shared memory meanwhile. The sums of the rows are
// added up by shuffles in a fixed order. Rows of irregular blocks are taken one after the other as
// in csr_vector, from the matrix. Bytes: values once, 2 per size^2 entries and 4 per block of rows,
// x gathered, y once. Bitwise repeatable. Where the entries of a regular block stand the plan
// knows, and its columns are those of the plan's pattern, or of the matrix and then held within x:
// of another pattern nothing outside of the operands is read. Rows that would delay the others are
// cut into parts, by a kernel before (long_rows.cuh). Limit: rows of very different lengths are for
// csr_tiles.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/staged_values.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/csr_templates.cuh>
#include <heddle/cuda_native/spmv/long_rows.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/cuda_native/spmv/row_results.cuh>
#include <heddle/cuda_native/spmv/row_sums.cuh>
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

template <class Policy, int threads, int size, bool is_conjugate, class Entries, class Runs,
          class Scalar, class Results>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_csr_runs_kernel(Entries a, Runs runs, typename Entries::ordinal_type last_run, int room,
                         LongRowSums<typename Entries::ordinal_type, Scalar> long_rows,
                         Scalar const* __restrict__ x, Results results)
{
  using Ordinal = typename Entries::ordinal_type;
  using Value = typename Entries::value_type;
  constexpr int teams = Policy::value.threads_per_block / threads;
  constexpr int batch = Policy::template batch<size, threads>;
  static_assert(size <= threads); // lane r has the result of the block's row r
  extern __shared__ int4 shared[];
  __shared__ CopyBarrier barrier;

  std::int64_t const first_block = static_cast<std::int64_t>(blockIdx.x) * teams;
  std::int64_t const b = first_block + static_cast<int>(threadIdx.x) / threads;
  int const lane = static_cast<int>(threadIdx.x) % threads;
  bool const is_there = b < runs.blocks;
  bool is_regular = is_there && runs.is_regular(b);
  std::int64_t begin = 0, end = 0; // of the block's entries
  Ordinal base = 0, unit = 0;
  if (is_regular)
  {
    begin = runs.first(b);
    end = runs.first(b + 1);
    if (long_rows.has(static_cast<Ordinal>((end - begin) / size))) // then row by row
    {
      is_regular = false;
      end = begin;
    }
    base = runs.bases[b / Runs::group];
    unit = runs.units[b / Runs::group];
  }
  std::int64_t const first = runs.first(first_block);
  std::int64_t const count = runs.first(min(first_block + teams, runs.blocks)) - first;
  bool const is_staged = count <= room;
  StagedValues<Value> staged(shared, barrier, {a.values, a.count}, first,
                             is_staged ? static_cast<int>(count) : 0);

  typename Results::Loaded loaded{};
  if (is_regular && lane < size)
    loaded = results.load(b * size + lane);
  // Runs from the lane-th on, every threads-th.
  constexpr int step = batch * threads;
  int const runs_of_block = static_cast<int>(static_cast<unsigned>(end - begin) / (size * size));
  int left = runs_of_block - lane;
  std::uint16_t const* indices = runs.indices + Runs::first_index(begin, size) + lane;
  Ordinal const* columns = a.columns + begin + lane * size; // where the group has no indices
  Scalar factor[batch][size];
  auto const load_factors = [&] {
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (n * threads < left)
      {
        Ordinal const column = base >= 0 ? base + unit * static_cast<Ordinal>(indices[n * threads])
                                         : min(columns[n * threads * size], last_run);
        Scalar const* const from = x + column;
#pragma unroll
        for (int c = 0; c < size; ++c)
          factor[n][c] = from[c];
      }
  };
  load_factors();
  staged.wait();
  int const length = runs_of_block * size;
  Scalar sums[size] = {};
  auto const add_runs = [&](Value const* values) {
    while (true)
    {
#pragma unroll
      for (int n = 0; n < batch; ++n)
        if (n * threads < left)
        {
#pragma unroll
          for (int r = 0; r < size; ++r)
#pragma unroll
            for (int c = 0; c < size; ++c)
              sums[r] += Scalar(impl::conjugated<is_conjugate>(
                             values[r * length + n * threads * size + c])) *
                         factor[n][c];
        }
      left -= step;
      if (left <= 0)
        break;
      values += step * size;
      indices += step;
      columns += step * size;
      load_factors();
    }
  };
  if (is_staged) // apart, so that these are loads from shared memory
    add_runs(staged.values() + static_cast<int>(begin - first) + lane * size);
  else
    add_runs(a.values + begin + lane * size);
  typename Results::Sum of_rows{};
  constexpr bool stores_at_once = Policy::template stores_at_once<Scalar>;
  Scalar of_lane{}; // the sum of row `lane`
#pragma unroll
  for (int r = 0; r < size; ++r)
  {
    Scalar const sum = sum_of_lanes(sums[r], threads);
    if (stores_at_once && lane == r)
      of_lane = sum;
    else if (is_regular && lane == r)
      results.store(b * size + r, sum, loaded, of_rows);
  }
  if (stores_at_once && is_regular && lane < size)
    results.store(b * size + lane, of_lane, loaded, of_rows);
  bool const is_irregular = is_there && !is_regular;
  if (__any_sync(0xffffffffU, is_irregular))
#pragma unroll 1
    for (int r = 0; r < size; ++r)
    {
      std::int64_t const i = b * size + r;
      bool const has_row = is_irregular && i < a.rows;
      Scalar sum{};
      bool is_long = false;
      if (has_row)
      {
        auto const from = static_cast<std::int64_t>(a.offsets[i]);
        auto const to = static_cast<std::int64_t>(a.offsets[i + 1]);
        is_long = long_rows.has(static_cast<Ordinal>(to - from));
        sum = sum_of_entries<threads, 2, is_conjugate>(a, from, is_long ? from : to, lane, x);
      }
      sum = sum_of_lanes(sum, threads);
      if (is_long && lane == 0)
        sum = long_rows.sum_of(i);
      if (has_row && lane == 0)
        results.store(i, sum, of_rows);
    }
  long_rows.finish();
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
    using Policy = SpmvRunsPolicyFor;
    Tuning tuning = Tuning::of(exec, a, rows);
    double const mean = tuning.long_rows.others(rows).mean();
    int const size = tuning.structure.size;
    tuning.threads =
        Policy::threads_per_block_of_rows(mean, size, sizeof(typename Matrix::value_type));
    tuning.make_room(exec, a, mean, Policy::rows_at_once(tuning.threads, size));
    return tuning;
  }
  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& matrix, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    using Policy = SpmvRunsPolicyFor;
    using Ordinal = typename Matrix::ordinal_type;
    using Entries =
        StoredEntries<typename Matrix::value_type, Ordinal, typename Matrix::offset_type>;
    using Runs = impl::RowRunsView<Ordinal>;
    auto const a = stored_entries(matrix);
    auto const runs = tuning.structure.view();
    auto const long_rows = tuning.long_rows.template start<is_conjugate>(exec, a, x);
    with_one_of<8, 16, 32>(tuning.threads, [&]<class Threads>(Threads) {
      with_one_of<2, 3, 4, 5, 6>(tuning.structure.size, [&]<class Size>(Size) {
        Grid grid = one_thread_each(runs.blocks * Threads::value, Policy::value.threads_per_block);
        grid.shared_bytes = StagedValues<typename Matrix::value_type>::bytes(tuning.room);
        grid.starts_early = tuning.long_rows.has_rows();
        auto const last_run = static_cast<Ordinal>(matrix.num_cols() - Size::value);
        with_results(exec, grid, alpha, beta, y, [&]<class Results>(Results const& results) {
          launch(exec, "heddle::spmv::csr_runs",
                 spmv_csr_runs_kernel<Policy, Threads::value, Size::value, is_conjugate, Entries,
                                      Runs, Scalar, Results>,
                 grid, a, runs, last_run, tuning.room, long_rows.view(), x, results);
        });
      });
    });
  }
};

} // namespace heddle::cuda_native
