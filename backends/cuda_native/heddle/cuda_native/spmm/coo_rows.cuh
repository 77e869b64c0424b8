// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of coordinates in any order: the plan holds the entries by row and column (one ordinal and
// one offset per entry) and the kernel for CSR that suits them, which gathers their values as it
// does for A^T B (spmm/csr.cuh). Without atomics and bitwise repeatable; duplicates are added in
// the order in which they stand. Limit: a value is a random access, and two packets per lane are
// not for gathered values. Coordinates in the order of rows need none of that: they are CSR
// (multiply/csr_form.hpp).

#include <heddle/coo_matrix.hpp>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmm/csr.cuh>
#include <heddle/cuda_native/spmm/csr_statistics.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace heddle::cuda_native
{

template <class Exec, class Matrix, class Kernels>
struct CooRowsSpmm
{
  static constexpr char const* name = "cuda_native::coo_rows";
  static constexpr bool is_supported = is_coo_matrix_v<Matrix>;
  using Entries =
      SpmmEntries<GatheredEntries<typename Matrix::value_type, typename Matrix::ordinal_type,
                                  typename Matrix::offset_type>>;
  struct Tuning
  {
    impl::TransposedPatternOf<Matrix> by_row = {};
    CsrTuningOf<Entries, Exec, Kernels> csr = {};

    std::size_t bytes() const { return by_row.bytes() + csr.bytes(); }
    std::string describe() const
    {
      return "entries by row and column, held by the plan, " + csr.describe();
    }
  };

  static impl::Verdict can_run(Exec const&, Matrix const&, impl::RowStatistics const&,
                               SpmmOptions const&)
  {
    return {true, "it takes coordinates in any order"};
  }
  static Tuning tune(Exec const& exec, Matrix const& a, impl::RowStatistics const&,
                     SpmmOptions const& options)
  {
    Tuning tuning{.by_row = in_order(exec, a)};
    SpmmCsrStatistics const rows(
        impl::row_statistics(exec, tuning.by_row.row_offsets, a.num_rows(), a.nnz()));
    tuning.csr = csr_tuning(Kernels{}, exec, entries_of(tuning, a, false), rows, options);
    return tuning;
  }
  template <class Scalar>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& a, bool is_conjugate,
                       RowMajorOperands<Scalar> const& all)
  {
    multiply_csr(exec, tuning.csr, entries_of(tuning, a, is_conjugate), all);
  }

  // Columns ascend in each row, so that rows which share them look alike to bundles.
  static impl::TransposedPatternOf<Matrix> in_order(Exec const& exec, Matrix const& a)
  {
    auto t = impl::new_transposed_pattern<impl::TransposedPatternOf<Matrix>>(exec, a.num_rows(),
                                                                             a.nnz());
    impl::order_by_row_and_column(exec, a.rows(), a.num_rows(), a.columns(), a.num_cols(),
                                  t.positions);
    impl::gather_sorted(exec, a.rows(), a.columns(), t.row_offsets, t.columns, t.positions);
    return t;
  }
  static Entries entries_of(Tuning const& tuning, Matrix const& a, bool is_conjugate)
  {
    return {gathered_entries(tuning.by_row, a.values().data()), is_conjugate};
  }
};

} // namespace heddle::cuda_native
