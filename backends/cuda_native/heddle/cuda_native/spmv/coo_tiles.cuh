// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Coordinates in any order: the plan holds the entries by row (one ordinal and one offset per
// entry) and the call gathers their values and sums up by tiles (spmv/csr_tiles.cuh), without
// atomics and bitwise repeatable; duplicates are added in the order in which they stand.
// Coordinates in the order of rows need none of that: they are CSR (multiply/csr_form.hpp).

#include <heddle/coo_matrix.hpp>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmv/csr_tiles.cuh>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace heddle::cuda_native
{

template <class Exec, class Matrix>
struct CooTilesKernel : TakesAnyScalar
{
  static constexpr char const* name = "cuda_native::coo_tiles";
  static constexpr bool fuses = true;
  struct Tuning
  {
    using Entries = impl::TransposedPatternOf<Matrix>;
    Entries by_row = {};
    SpmvTiles<typename Matrix::ordinal_type, typename Matrix::offset_type,
              typename Matrix::memory_space>
        tiles = {};

    std::size_t bytes() const { return by_row.bytes() + tiles.bytes(); }
    std::string describe() const
    {
      return "entries by row, held by the plan, in " + tiles.describe();
    }
  };

  static constexpr bool is_supported = is_coo_matrix_v<Matrix>;
  static impl::Verdict can_run(Exec const&, Matrix const&, impl::RowStatistics const&,
                               SpmvOptions const&)
  {
    return {true, "it takes coordinates in any order"};
  }
  static Tuning tune(Exec const& exec, Matrix const& a, impl::RowStatistics const&)
  {
    Tuning tuning{impl::entries_by_row(exec, a)};
    tuning.tiles = {exec, tuning.by_row.row_offsets,
                    impl::row_statistics(exec, tuning.by_row.row_offsets, a.num_rows(), a.nnz())};
    return tuning;
  }
  template <bool is_conjugate, class Scalar, class Y>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& a, Scalar alpha,
                       Scalar const* x, Scalar beta, Y const& y)
  {
    multiply_by_tiles<is_conjugate>(
        exec, tuning.tiles, gathered_entries(tuning.by_row, a.values().data()), alpha, x, beta, y);
  }
};

} // namespace heddle::cuda_native
