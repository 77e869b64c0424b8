// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR with many entries per column, scattered over few columns: what limits csr_vector there is how
// many cache lines of x the first-level cache can look up, one a cycle. Here a block, one on each
// multiprocessor, holds x in shared memory, which answers a whole warp in a few cycles; where x is
// larger than that, panel after panel, with the index in each row at which the next panel begins
// held by the plan. A block has neighbouring rows, as many entries as any other; the threads of a
// row add up by shuffles, panels in order: bitwise repeatable. Bytes: A once, x once for every
// multiprocessor, mostly out of the second-level cache.
// Limit: rows must be sorted where there are several panels, and vectors of the matrix's type.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/cuts.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/cuda_native/spmv/row_results.cuh>
#include <heddle/cuda_native/spmv/row_sums.cuh>
#include <heddle/cuda_native/spmv/row_threads.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/sum_of.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// Block b has the rows starts[b] .. starts[b + 1] - 1; panel p + 1 of row i begins with entry
// splits[p * rows + i].
template <class Ordinal, class Offset>
struct CsrPanels
{
  int count;
  std::int64_t longest;      // entries of a row
  std::int64_t length, cols; // columns of a panel, of all
  Ordinal const* __restrict__ starts;
  Offset const* __restrict__ splits;
};

// Where a panel has the value of x for a column. Of a matrix of another pattern than the plan's a
// column may be outside: it gets one of the panel's, so that nothing else is read.
struct IndexInPanel
{
  std::int64_t first_column;
  unsigned last; // index

  template <class Ordinal>
  __device__ unsigned operator()(Ordinal column) const
  {
    return min(static_cast<unsigned>(column - static_cast<Ordinal>(first_column)), last);
  }
};

template <class Policy, int threads_per_row, bool is_conjugate, class Entries, class Panels,
          class Scalar, class Results>
__global__ void __launch_bounds__(Policy::value.threads_per_block, 1)
    spmv_csr_panels_kernel(Entries a, Panels panels, Scalar const* __restrict__ x, Results results)
{
  constexpr int threads = Policy::value.threads_per_block;
  extern __shared__ int4 shared[];
  auto* const panel = reinterpret_cast<Scalar*>(shared);
  auto const first_row = static_cast<std::int64_t>(panels.starts[blockIdx.x]);
  auto const last_row = static_cast<std::int64_t>(panels.starts[blockIdx.x + 1]);
  int const lane = static_cast<int>(threadIdx.x) % threads_per_row;
  typename Results::Sum of_rows{};
  for (int p = 0; p < panels.count; ++p)
  {
    std::int64_t const first_column = p * panels.length;
    std::int64_t const left = panels.cols - first_column;
    int const columns = static_cast<int>(left < panels.length ? left : panels.length);
    if (p > 0)
      __syncthreads();
#pragma unroll 8
    for (int j = static_cast<int>(threadIdx.x); j < columns; j += threads)
      panel[j] = x[first_column + j];
    __syncthreads();
    std::int64_t i = first_row + threadIdx.x / threads_per_row;
    // Where this thread's next row lies, asked for while it has another.
    std::int64_t from = 0, to = 0;
    auto const find_row = [&] {
      if (i >= last_row)
        return;
      from = static_cast<std::int64_t>(p == 0 ? a.offsets[i] : panels.splits[(p - 1) * a.rows + i]);
      to = static_cast<std::int64_t>(p == panels.count - 1 ? a.offsets[i + 1]
                                                           : panels.splits[p * a.rows + i]);
    };
    find_row();
    // The same for all of a warp, which shuffles.
    std::int64_t warp_row = first_row + threadIdx.x / warp_size * (warp_size / threads_per_row);
    for (; warp_row < last_row; warp_row += threads / threads_per_row)
    {
      std::int64_t const row = i, first = from, last = to;
      i += threads / threads_per_row;
      find_row();
      Scalar sum{};
      if (row < last_row) // splits of another pattern may be far from the row
        sum = sum_of_entries<threads_per_row, Policy::value.loads_in_flight, is_conjugate>(
            a, first, last - first < panels.longest ? last : first + panels.longest, lane, panel,
            IndexInPanel{first_column, static_cast<unsigned>(columns - 1)});
      sum = sum_of_lanes(sum, threads_per_row);
      if (row < last_row && lane == 0)
        results.store_part(row, sum, p == 0, p == panels.count - 1, of_rows);
    }
  }
  results.finish(of_rows);
}

// 1 where the columns of a sampled entry and the next lie in two lines of x.
template <class Columns>
struct ChangesLine
{
  Columns columns;
  std::int64_t step, values_per_line;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t n) const
  {
    std::int64_t const k = n * step;
    return static_cast<std::int64_t>(columns(k)) / values_per_line !=
           static_cast<std::int64_t>(columns(k + 1)) / values_per_line;
  }
};

// The share of entries whose column lies in another line of x than the next entry's, of a sample.
// Waits for exec.
template <class Exec, class Columns>
double scattered_share(Exec const& exec, Columns const& columns, std::int64_t values_per_line)
{
  constexpr std::int64_t most = 1 << 18;
  auto const pairs = static_cast<std::int64_t>(columns.extent(0)) - 1;
  if (pairs <= 0)
    return 0.0;
  std::int64_t const step = impl::divided_up(pairs, most), samples = impl::divided_up(pairs, step);
  std::int64_t const scattered = impl::sum_of(exec, "heddle::csr_panels::scattered", samples,
                                              ChangesLine<Columns>{columns, step, values_per_line});
  return static_cast<double>(scattered) / static_cast<double>(samples);
}

// One of the splits of CsrPanels.
template <class RowOffsets, class Columns, class Offset>
struct SplitOfRow
{
  RowOffsets row_offsets;
  Columns columns;
  std::int64_t rows, panel_length;

  KOKKOS_FUNCTION Offset operator()(std::int64_t n) const
  {
    std::int64_t const i = n % rows, column = (n / rows + 1) * panel_length;
    return impl::lower_bound(columns, static_cast<Offset>(row_offsets(i)),
                             static_cast<Offset>(row_offsets(i + 1)), column);
  }
};

// splits of CsrPanels, for sorted rows.
template <class Exec, class RowOffsets, class Columns, class Splits>
void split_rows(Exec const& exec, RowOffsets const& row_offsets, Columns const& columns,
                std::int64_t rows, std::int64_t panel_length, Splits const& splits)
{
  using Offset = typename Splits::non_const_value_type;
  impl::tabulate(exec, "heddle::csr_panels::split", splits.extent(0),
                 SplitOfRow<RowOffsets, Columns, Offset>{row_offsets, columns, rows, panel_length},
                 splits);
}

// What SpmvByRow (spmv/by_row.cuh) asks of a kernel.
template <class Exec, class Matrix>
struct CsrPanelsKernel
{
  static constexpr char const* name = "cuda_native::csr_panels";
  static constexpr bool fuses = true;
  using Value = typename Matrix::value_type;
  using Ordinal = typename Matrix::ordinal_type;
  using Offset = typename Matrix::offset_type;
  using Space = typename Matrix::memory_space;
  using Policy = SpmvCsrPanelsPolicyFor;
  struct Tuning
  {
    Kokkos::View<Ordinal*, Space> starts = {};
    Kokkos::View<Offset*, Space> splits = {};
    int panels = 0, threads_per_row = 2;
    std::int64_t longest = 0;

    std::size_t bytes() const
    {
      return starts.span() * sizeof(Ordinal) + splits.span() * sizeof(Offset);
    }
    std::string describe() const
    {
      return std::to_string(panels) + (panels == 1 ? " panel" : " panels") +
             " of x in shared memory, " + std::to_string(threads_per_row) + " threads a row";
    }
  };

  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  template <class Scalar>
  static constexpr bool takes = std::is_same_v<Scalar, Value>;
  static impl::Verdict can_run(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows,
                               SpmvOptions const& options)
  {
    impl::Verdict const pays = is_best(exec, a, rows, !options.implementation.empty());
    if (!pays)
      return pays;
    std::size_t const most_bytes = device_shape(exec).shared_bytes_of_block;
    if (static_cast<std::size_t>(Policy::value.panel_bytes) > most_bytes)
      return {false, "a panel takes % bytes of shared memory, a block has %",
              Policy::value.panel_bytes, most_bytes};
    if (Policy::panels(a.num_cols(), sizeof(Value)) > 1 && a.nnz() > 0 &&
        !impl::has_ascending_rows(exec, a.row_offsets(), a.columns()))
      return {false, "rows are not sorted"};
    return pays;
  }
  static impl::Verdict is_best(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows,
                               bool is_named)
  {
    if (is_named)
      return true;
    constexpr std::int64_t line_bytes = 128;
    std::int64_t const panels = Policy::panels(a.num_cols(), sizeof(Value));
    if (panels != Policy::best_panels)
      return {false, "x would have % panels in shared memory, it pays with %", panels,
              Policy::best_panels};
    if (!Policy::can_pay(rows, a.num_cols(), sizeof(Value), device_shape(exec)))
      return {false, "A has % entries, it pays from % on", rows.nonzeros,
              std::ceil(Policy::least_entries(a.num_cols(), sizeof(Value), device_shape(exec)))};
    if (impl::Verdict const regular = VectorRows::are_regular(rows); !regular)
      return regular;
    double const scattered = scattered_share(exec, a.columns(), line_bytes / sizeof(Value));
    return {scattered >= Policy::least_scattered,
            "of neighbours in a row, % have columns in different lines of x, % are needed",
            scattered, Policy::least_scattered};
  }
  static Tuning tune(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows)
  {
    Tuning tuning;
    tuning.panels = static_cast<int>(Policy::panels(a.num_cols(), sizeof(Value)));
    tuning.longest = rows.longest;
    if (rows.rows == 0)
      return tuning;
    std::int64_t const panels = std::max(tuning.panels, 1);
    tuning.threads_per_row = SpmvCsrRowsPolicyFor::threads_per_row(
        {.rows = rows.rows, .nonzeros = rows.nonzeros / panels, .longest = rows.longest});
    std::int64_t const blocks = device_shape(exec).multiprocessors;
    tuning.starts = impl::uninitialized<decltype(tuning.starts)>(
        exec, "heddle::csr_panels::starts", static_cast<std::size_t>(blocks) + 1);
    cut_rows(exec, MergePathPosition<typename Matrix::row_offsets_view>{a.row_offsets()}, rows.rows,
             impl::divided_up(rows.rows + rows.nonzeros, blocks), tuning.starts);
    tuning.splits = impl::uninitialized<decltype(tuning.splits)>(
        exec, "heddle::csr_panels::splits", static_cast<std::size_t>((panels - 1) * rows.rows));
    split_rows(exec, a.row_offsets(), a.columns(), rows.rows, Policy::panel_length(sizeof(Value)),
               tuning.splits);
    return tuning;
  }

  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& matrix, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    using Entries = StoredEntries<Value, Ordinal, Offset>;
    using Panels = CsrPanels<Ordinal, Offset>;
    if (matrix.num_rows() == 0)
      return with_results(exec, Grid{0, warp_size}, alpha, beta, y, [](auto const&) {});
    Panels const panels{
        std::max(tuning.panels, 1), tuning.longest,       Policy::panel_length(sizeof(Value)),
        matrix.num_cols(),          tuning.starts.data(), tuning.splits.data()};
    Grid grid{static_cast<std::int64_t>(tuning.starts.extent(0)) - 1,
              Policy::value.threads_per_block};
    grid.shared_bytes =
        static_cast<std::size_t>(std::min<std::int64_t>(panels.length, panels.cols)) *
        sizeof(Scalar);
    grid.blocks_per_processor = 1;
    VectorRows::with_threads(tuning.threads_per_row, [&]<class Threads>(Threads) {
      with_results(exec, grid, alpha, beta, y, [&]<class Results>(Results const& results) {
        launch(exec, "heddle::spmv::csr_panels",
               spmv_csr_panels_kernel<Policy, Threads::value, is_conjugate, Entries, Panels, Scalar,
                                      Results>,
               grid, stored_entries(matrix), panels, x, results);
      });
    });
  }
};

} // namespace heddle::cuda_native
