// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The symbolic phase of SpGEMM: row offsets and columns of C, and the classes of rows for both
// phases. Its steps are free functions (spgemm/symbolic_bins.cuh, spgemm/symbolic_columns.cuh):
//
//   bound_rows         how many products a row of C has at most, in which columns
//   bin_rows           rows into symbolic classes by these bounds; waits
//   bitmasks_of_b      B as column bitmasks, where rows have tables and it pays
//   count_columns      entries of each row; columns are kept where there is room
//   offsets_and_bins   row offsets, and rows into numeric classes by their entries; waits
//   place_columns      kept columns are moved to C, those without room are found again

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/symbolic_bins.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/cuda_native/spgemm/symbolic_columns.cuh>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace heddle::cuda_native
{

// Row offsets and columns of C, and the arrays of call.by_row. Waits twice.
template <class Result, class Call>
SymbolicResult<Result> symbolic_phase(Call const& call, SymbolicRequest const& request)
{
  using Ordinal = typename Call::Ordinal;
  using Offset = typename Call::Offset;
  Kokkos::Cuda const& exec = call.exec;
  SymbolicChoices const choices =
      choose_symbolic(request.sizes, sizeof(ColumnWord<Ordinal>), request.room,
                      request.may_have_one_pass, device_shape(exec));
  RowBounds<Call> bounds = bound_rows(call, request.sizes, choices);
  SymbolicBins const bins = bin_rows(call, choices, bounds); // waits
  auto const bitmasks = bitmasks_of_b(call, request.sizes, choices, bins, bounds);
  auto const kept = count_columns(call, choices, bounds, bins, bitmasks, request);

  auto const offsets = impl::uninitialized<Kokkos::View<Offset*, typename Result::memory_space>>(
      exec, "heddle::row_offsets", static_cast<std::size_t>(call.a.rows) + 1);
  NumericBins const numeric =
      offsets_and_bins(call, choices, bounds, bins, request, offsets); // waits
  impl::require_offsets_hold<Offset>(numeric.entries);

  SymbolicResult<Result> result;
  auto& pattern = result.pattern;
  result.classes = numeric.classes;
  pattern.products = bins.products();
  pattern.nnz = static_cast<std::size_t>(numeric.entries);
  pattern.row_offsets = offsets;
  pattern.keeps_columns =
      request.is_whole ||
      (pattern.nnz + kept.room.of_tables) * sizeof(Ordinal) + bounds.bitmask_bytes() <=
          request.room;
  if (!pattern.keeps_columns)
    return result;
  pattern.columns = impl::uninitialized<typename Result::columns_view>(
      exec, "heddle::spgemm::columns", pattern.nnz);
  if (request.is_whole)
    result.values =
        impl::uninitialized<typename Result::values_view>(exec, "heddle::values", pattern.nnz);
  place_columns(call, choices, bins, bitmasks, numeric, kept, request, result);
  return result;
}

} // namespace heddle::cuda_native
