// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR by bundles of neighbouring rows that share columns (paper 000, section 7, remark 4:
// coarsening along M). The plan holds the union of a bundle's columns and
// for each of them a bitmask of the rows that have it; a group of lanes walks the union and loads
// each row of B once for all rows of the bundle, whose sums it holds in registers. Values stay
// where CSR has them: a row's bits before a column tell how many of its entries come first. A row
// that lacks the column adds nothing, not even zero times an infinity. Bytes: B gathered once a
// bundle and column; A's values once and five bytes per column and tile.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spmm/csr_call.hpp>
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/cuda_native/spmm/csr_short_kernel.cuh>
#include <heddle/cuda_native/spmm/csr_short_policy.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_bundles_kernel.cuh>
#include <heddle/cuda_native/spmm/row_bundles_plan.cuh>
#include <heddle/cuda_native/spmm/row_bundles_tensor.cuh>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// Whether it is worth while to look for columns that rows share. Waits for exec where the lengths
// of rows leave it open.
template <class Exec, class Entries, class Statistics>
impl::Verdict may_have_bundles(Exec const& exec, Entries const& a, Statistics const& statistics,
                               double shortest_mean)
{
  if (!SpmmCsrPolicyFor::is_regular(statistics))
    return {false, "the longest row has % entries where the mean is %: rows are too different",
            statistics.longest, statistics.mean()};
  if (are_cut(exec, a, statistics))
    return {false, "% rows of up to % entries are too few for bundles: csr_rows cuts them",
            statistics.rows, statistics.longest};
  return {statistics.mean() >= shortest_mean, "rows have % entries in the mean, % are needed",
          statistics.mean(), shortest_mean};
}

// A call that bundles do not suit.
template <class Tuning, class Entries, class Scalar>
void multiply_rows_of_bundles(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                              RowMajorOperands<Scalar> const& all, CsrCall const& call)
{
  if (has_packets(all) && SpmmCsrPolicyFor::is_short_beside(tuning.all, all.b_row_bytes()) &&
      SpmmCsrPolicyFor::short_pays(tuning.all, lanes_of_short_rows(all, call.tile_bytes)))
    return multiply_short_rows(exec, a, tuning.all, all, call.tile_bytes, 1);
  CsrRows::multiply(exec,
                    rows_as_they_stand(exec, a, tuning.all, all.b_row_bytes(), call.tile_bytes), a,
                    all, call);
}

// Two of the kernels behind an SpMM of CSR (spmm/csr.cuh). Calls whose operands packets do not fit,
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
    if (impl::Verdict const may_be =
            may_have_bundles(exec, a, statistics, SpmmCsrPolicyFor::shortest_mean);
        !may_be)
      return may_be;
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
    return row_bundles(exec, a, statistics, std::max(2, rows));
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
    if (has_packets(all) &&
        (call.is_named || (!SpmmCsrPolicyFor::are_shared(tuning.all, all.b_row_bytes()) &&
                           are_enough(exec, tuning, all))))
      return multiply_bundles(exec, tuning, a, all);
    multiply_rows_of_bundles(exec, tuning, a, all, call);
  }
  template <class Tuning, class Scalar>
  static bool are_enough(Kokkos::Cuda const& exec, Tuning const& tuning,
                         RowMajorOperands<Scalar> const& all)
  {
    return SpmmCsrPolicyFor::are_enough_bundles(
        tuning.all.nonzeros, all.b_row_bytes(),
        SpmmCsrPolicyFor::steps_of_bundle(tuning.mean_columns(), tuning.fill()),
        device_shape(exec));
  }
};

// On tensor cores, of matrices of doubles.
struct CsrTensorBundles : TilesForAllRows
{
  static constexpr char const* name = "cuda_native::tensor_bundles";
  template <class Ordinal, class Offset, class MemorySpace>
  using Tuning = RowBundles<Ordinal, Offset, MemorySpace>;

  template <class Matrix>
  static constexpr bool takes =
      has_tensor_doubles&& std::is_same_v<std::remove_cv_t<typename Matrix::value_type>, double>;

  // Waits for exec where the lengths of rows leave it open.
  template <class Exec, class Entries, class Statistics>
  static impl::Verdict is_best(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    if (impl::Verdict const may_be =
            may_have_bundles(exec, a, statistics, SpmmCsrPolicyFor::shortest_tensor_mean);
        !may_be)
      return may_be;
    RowOverlap const& overlap = statistics.overlap(exec, a);
    constexpr int rows = SpmmCsrPolicyFor::rows_of_tensor_bundle;
    constexpr std::int64_t many_columns = 512;
    bool const pays = SpmmCsrPolicyFor::tensor_bundles_pay(overlap);
    if (pays && !SpmmCsrPolicyFor::are_enough_tensor_bundles(
                    statistics.nonzeros, many_columns, overlap.gathered(rows),
                    overlap.fill(rows) * statistics.mean(), device_shape(exec)))
      return {false, "rows one by one take less time with up to % columns of B", many_columns};
    double const mean = statistics.mean();
    int const most_tiles = SpmmShortPolicy::most_tiles(
        SpmmCsrPolicyFor::rows_of_b_in_use(overlap, mean) * SpmmPolicy::widest_tile, mean,
        device_shape(exec));
    if (pays &&
        SpmmShortPolicy::pays_beside_tensor_bundles(mean, overlap.gathered(rows), most_tiles))
      return {false,
              "rows have % entries in the mean, and % tiles of B that they share stay in the "
              "second-level cache",
              mean, most_tiles};
    return {pays, "bundles of % rows would gather % rows of B per entry, % are few enough", rows,
            overlap.gathered(rows), SpmmCsrPolicyFor::most_gathered(overlap)};
  }
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static auto tune(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    return row_bundles(exec, a, statistics, SpmmCsrPolicyFor::rows_of_tensor_bundle);
  }
  template <class Tuning, class Entries, class Scalar>
  static void multiply(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                       RowMajorOperands<Scalar> const& all, CsrCall const& call)
  {
    if constexpr (std::is_same_v<Scalar, double>)
      if (has_packets(all) &&
          (call.is_named || SpmmCsrPolicyFor::are_enough_tensor_bundles(
                                tuning.all.nonzeros, all.columns, tuning.fill() / tuning.rows,
                                tuning.mean_columns(), device_shape(exec))))
        return multiply_tensor_bundles(exec, tuning, a, all, device_shape(exec));
    multiply_rows_of_bundles(exec, tuning, a, all, call);
  }
};

} // namespace heddle::cuda_native
