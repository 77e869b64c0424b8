// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How many neighbouring threads, 1 to 32, share a row of CSR, and for which matrices. Kernels that
// take rows this way are csr_rows, csr_templates, csr_runs and csr_panels.

#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/spmv/policy.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/spmv_statistics.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// What a group of neighbouring rows takes, counted in entries of its longest, and what it has; of
// rows with at most `most` entries.
template <class RowOffsets>
struct WaitingOfGroup
{
  RowOffsets row_offsets;
  std::int64_t rows, most;
  int size;

  KOKKOS_FUNCTION void operator()(std::int64_t group, double& taken, double& entries) const
  {
    std::int64_t longest = 0;
    for (int n = 0; n < size; ++n)
      if (std::int64_t const i = group * size + n; i < rows)
      {
        auto const length = static_cast<std::int64_t>(row_offsets(i + 1) - row_offsets(i));
        if (length > most)
          continue;
        longest = longest < length ? length : longest;
        entries += static_cast<double>(length);
      }
    taken += static_cast<double>(longest * size);
  }
};
// Waits for exec.
template <class Exec, class RowOffsets>
double waiting_of_groups(Exec const& exec, RowOffsets const& row_offsets, std::int64_t rows,
                         int size, std::int64_t most)
{
  double taken = 0, entries = 0;
  Kokkos::parallel_reduce(
      "heddle::spmv::waiting_of_groups", impl::range(exec, impl::divided_up(rows, size)),
      WaitingOfGroup<RowOffsets>{row_offsets, rows, most, size}, taken, entries);
  return entries > 0 ? taken / entries : 1.0;
}

// The two kernels of csr_rows.cuh: how many threads share a row, and when.
struct ScalarRows
{
  static constexpr char const* name = "cuda_native::csr_scalar";
  static constexpr char const* label = "heddle::spmv::csr_scalar";
  static constexpr bool is_tuned = false;

  template <class Exec, class Matrix>
  static impl::Verdict can_run(Exec const&, Matrix const&, impl::RowStatistics const&,
                               SpmvOptions const& options)
  {
    return impl::only_by_name(!options.implementation.empty());
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
  static constexpr bool is_tuned = true;

  // Whether no row delays the others.
  static impl::Verdict are_regular(impl::RowStatistics const& rows)
  {
    return {SpmvCsrRowsPolicyFor::is_regular(rows),
            "the longest row has % entries, % do not delay the others", rows.longest,
            SpmvCsrRowsPolicyFor::longest_regular(rows)};
  }
  // Whether none does but a few, which are cut into parts. Waits for exec where it has to look at
  // all rows.
  template <class Exec, class Matrix>
  static impl::Verdict can_run(Exec const& exec, Matrix const& a, impl::SpmvStatistics const& rows,
                               SpmvOptions const& options)
  {
    if (!options.implementation.empty())
      return true;
    impl::Verdict const regular = are_regular(rows);
    if constexpr (is_csr_matrix_v<Matrix>)
      if (!regular && rows.nonzeros >= SpmvLongRowsPolicy::least_nonzeros)
        return are_alike(exec, a, rows, SpmvCsrRowsPolicyFor::longest_regular(rows));
    return regular;
  }
  // Whether rows of at most `most` entries are.
  template <class Exec, class Matrix>
  static impl::Verdict are_alike(Exec const& exec, Matrix const& a,
                                 impl::SpmvStatistics const& rows, std::int64_t most)
  {
    constexpr double allowed = SpmvCsrRowsPolicyFor::most_waiting;
    double const waiting = rows.measured_once([&] {
      return waiting_of_groups(exec, a.row_offsets(), rows.rows, 32 / threads_per_row(rows), most);
    });
    return {waiting <= allowed,
            "rows of at most % entries, which are done side by side, wait for the longest as long "
            "as % times their entries take, % are allowed",
            most, waiting, allowed};
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

} // namespace heddle::cuda_native
