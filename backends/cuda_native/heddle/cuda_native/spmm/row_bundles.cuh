// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR by bundles of two to six neighbouring rows that share most of their columns (paper
// 000, section 7, remark 4: coarsening along M). The plan holds the union of a bundle's columns and
// for each of them a bitmask of the rows that have it; a group of lanes walks the union and loads
// each row of B once for all rows of the bundle, whose sums it holds in registers. Values stay
// where CSR has them: a row's bits before a column tell how many of its entries come first. A row
// that lacks the column adds nothing, not even zero times an infinity. Bytes: B gathered once a
// bundle and column; A's values once and five bytes per column and tile.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spmm/csr_call.hpp>
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_bundles_kernel.cuh>
#include <heddle/cuda_native/spmm/row_bundles_plan.cuh>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>

namespace heddle::cuda_native
{

// One of the kernels behind an SpMM of CSR (spmm/csr.cuh). Calls whose operands packets do not fit,
// or for which bundles are too few, take csr_rows.
struct CsrBundles
{
  static constexpr char const* name = "cuda_native::row_bundles";
  template <class Ordinal, class Offset, class MemorySpace>
  using Tuning = RowBundles<Ordinal, Offset, MemorySpace>;

  // Waits for exec where the lengths of rows leave it open.
  template <class Exec, class Entries, class Statistics>
  static impl::Verdict is_best(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    if (!SpmmCsrPolicyFor::is_regular(statistics))
      return {false, "the longest row has % entries where the mean is %: rows are too different",
              statistics.longest, statistics.mean()};
    if (are_cut(exec, a, statistics))
      return {false, "% rows of up to % entries are too few for bundles: csr_rows cuts them",
              statistics.rows, statistics.longest};
    if (!SpmmCsrPolicyFor::may_have_bundles(statistics))
      return {false, "rows have % entries in the mean, % are needed", statistics.mean(),
              SpmmCsrPolicyFor::shortest_mean};
    RowOverlap const& overlap = statistics.overlap(exec, a);
    int const rows = std::max(2, SpmmCsrPolicyFor::rows_of_bundle(overlap));
    return {SpmmCsrPolicyFor::rows_of_bundle(overlap) > 1,
            "a column of % neighbouring rows is in % of them in the mean, % are needed", rows,
            rows / overlap.fill(rows), rows / SpmmCsrPolicyFor::most_fill(rows)};
  }
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static auto tune(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    int const rows = SpmmCsrPolicyFor::may_have_bundles(statistics)
                         ? SpmmCsrPolicyFor::rows_of_bundle(statistics.overlap(exec, a))
                         : 1;
    return row_bundles(exec, a, statistics.nonzeros, std::max(2, rows));
  }
  template <class Exec, class Entries, class Statistics>
  static int tile_bytes(Exec const&, Entries const&, Statistics const&)
  {
    return SpmmPolicy::widest_tile;
  }
  template <class Tuning, class Entries, class Scalar>
  static void multiply(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                       RowMajorOperands<Scalar> const& all, CsrCall const& call)
  {
    if (has_packets(all) && (call.is_named || are_enough(exec, tuning, all)))
      return multiply_bundles(exec, tuning, a, all);
    impl::RowStatistics const rows{.rows = a.rows,
                                   .nonzeros = tuning.entries,
                                   .longest = static_cast<std::int64_t>(tuning.mean_columns())};
    CsrRows::multiply(exec, rows_as_they_stand(exec, a, rows, all.b_row_bytes(), call.tile_bytes),
                      a, all, call);
  }
  template <class Tuning, class Scalar>
  static bool are_enough(Kokkos::Cuda const& exec, Tuning const& tuning,
                         RowMajorOperands<Scalar> const& all)
  {
    return SpmmCsrPolicyFor::are_enough_bundles(
        tuning.entries, all.b_row_bytes(),
        SpmmCsrPolicyFor::steps_of_bundle(tuning.mean_columns(), tuning.fill()),
        device_shape(exec));
  }
};

} // namespace heddle::cuda_native
