// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The symbolic phase of SpGEMM: row offsets and columns of C, and the bins of rows for both
// phases. Its steps are free functions, the first three in spgemm/row_bins.cuh. They do not know
// the kernels that find columns: call.find_columns (spgemm/launches.cuh) launches these.
//
//   bound_rows         how many products a row of C has at most, in which columns
//   bin_rows           rows into symbolic bins by these bounds; waits
//   bitmasks_of_b      B as column bitmasks, where rows have tables and it pays
//   count_columns      entries of each row; columns are kept where there is room
//   offsets_and_bins   row offsets, and rows into numeric bins by their entries; waits
//   place_columns      kept columns are moved to C, those without room are found again

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/bin_rows.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/bin_choice.hpp>
#include <heddle/cuda_native/spgemm/kept_columns.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/row_bins.cuh>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::cuda_native
{

struct SymbolicRequest
{
  FactorSizes sizes;
  // Bytes that may be used beside the arrays by row. Columns without room are found twice, and
  // where there is no room for all of C's they are left to the numeric call.
  std::size_t room;
  // The numeric phase follows at once: columns are C's own, outside of room, and those of merged
  // rows come with their sums.
  bool is_whole;
  bool may_have_one_pass; // short rows may have their sums at once: their order is free
};

template <class Result>
struct SymbolicResult
{
  impl::SpgemmPattern<Result> pattern;
  SpgemmBins bins;
  typename Result::values_view values; // of C, in a whole multiply: those of short rows are there
};

// Writes the entries of each row to bounds' counters and their blocks of columns to
// call.by_row.blocks, and keeps columns where there is room. Asynchronous.
template <class Call>
KeptColumns<Call> count_columns(Call const& call, SymbolicChoices const& choices,
                                RowBounds<Call> const& bounds, SymbolicRows const& binned,
                                typename Call::Bitmasks const& bitmasks,
                                SymbolicRequest const& request)
{
  using Ordinal = typename Call::Ordinal;
  using Sum = typename Call::Sum;
  KeptRoom const room =
      kept_room<Ordinal, Sum>(static_cast<std::size_t>(binned.products()),
                              static_cast<std::size_t>(binned.short_products()), request.room);
  KeptColumns<Call> kept{room,
                         {call.exec, room.of_tables + room.of_short},
                         {call.exec, room.of_short},
                         {call.exec, static_cast<std::size_t>(call.a.rows)}};
  SpgemmCounters* const counters = bounds.counters.data();
  CountingSink<Ordinal> const sink{bounds.counters.of_rows().data(),
                                   call.by_row.blocks,
                                   kept.at.data(),
                                   kept.columns.data(),
                                   &counters->kept,
                                   room.of_tables,
                                   request.is_whole};
  if (!choices.limits.has_one_pass)
  {
    call.find_columns(binned.bins, bitmasks, sink, sink);
    return kept;
  }
  CountingSumsSink<Ordinal, Sum> of_short{sink, kept.sums.data()};
  of_short.used = &counters->kept_of_short;
  of_short.room = room.of_short;
  of_short.base = static_cast<std::int64_t>(room.of_tables);
  call.find_columns(binned.bins, bitmasks, sink, of_short);
  return kept;
}

// What there is when all rows have been counted.
struct NumericRows
{
  SpgemmBins bins;
  std::int64_t entries;              // of C
  unsigned long long kept_of_tables; // columns that were kept, and those that had no room
};

// The numeric bins of rows that all stay in their bin: one list of rows serves both phases.
inline RowBins bins_as_counted(RowBins const& symbolic)
{
  RowBins numeric;
  numeric.ranges[NumericBin::empty] = symbolic.ranges[SymbolicBin::empty];
  std::copy_n(symbolic.ranges.begin() + SymbolicBin::merged,
              SymbolicBin::table - SymbolicBin::merged,
              numeric.ranges.begin() + NumericBin::merged);
  return numeric;
}

// Fills the row offsets of C, and call.by_row.numeric_list unless the symbolic list serves. Waits
// for the number of entries of C.
template <class Call, class Offsets>
NumericRows offsets_and_bins(Call const& call, SymbolicChoices const& choices,
                             RowBounds<Call> const& bounds, SymbolicRows const& binned,
                             SymbolicRequest const& request, Offsets const& offsets)
{
  using Offset = typename Offsets::non_const_value_type;
  auto const counts = bounds.counters.of_rows();
  if (binned.leaves_merged_rows(choices.limits.has_one_pass) &&
      std::in_range<Offset>(binned.products()))
  {
    offsets_from_counts(call.exec, counts, offsets);
    // A plan is not told how many columns were kept: at most one for each product.
    auto const kept = static_cast<unsigned long long>(binned.products() - binned.short_products());
    return {{binned.bins, bins_as_counted(binned.bins), true},
            last_of(call.exec, offsets),
            request.is_whole ? 0 : kept};
  }
  auto* const by_bin = &bounds.counters.data()->numeric;
  NumericBinOf<typename Call::A, typename Call::Sum> const bin_of{
      symbolic_bin_of(call, choices, bounds), counts.data(), call.by_row.blocks};
  count_row_bins(call.exec, bin_of, call.a.rows, by_bin);
  list_row_bins(call.exec, bin_of, call.a.rows, by_bin, call.by_row.numeric_list);
  offsets_from_counts(call.exec, counts, offsets);
  SpgemmCounters const counters = bounds.counters.on_host();
  RowBins numeric(counters.numeric);
  join_small_tables(numeric, NumericBin::table, device_shape(call.exec));
  return {{binned.bins, numeric, false}, numeric.weight, counters.kept};
}

// Kept columns are moved to C; those of rows without room, or whose columns come in windows, are
// found again. Asynchronous.
template <class Call, class Result>
void place_columns(Call const& call, SymbolicChoices const& choices, SymbolicRows const& binned,
                   typename Call::Bitmasks const& bitmasks, NumericRows const& numeric,
                   KeptColumns<Call> const& kept, SymbolicRequest const& request,
                   SymbolicResult<Result> const& result)
{
  using Ordinal = typename Call::Ordinal;
  using Offset = typename Call::Offset;
  using Sum = typename Call::Sum;
  bool const has_one_pass = choices.limits.has_one_pass;
  PlacingSink<Ordinal, Offset> const sink{kept.at.data(), result.pattern.row_offsets.data(),
                                          result.pattern.columns.data()};
  PlacingSumsSink<Ordinal, Offset, Sum> const of_short{sink, has_one_pass ? result.values.data()
                                                                          : nullptr};
  if (!request.is_whole || has_one_pass || merged_rows(symbolic_groups, binned.bins) != call.a.rows)
    move_kept_columns(call, kept, of_short, static_cast<std::int64_t>(result.pattern.nnz));
  if (numeric.kept_of_tables <= kept.room.of_tables &&
      kept.room.of_short >= static_cast<std::size_t>(binned.short_products()) &&
      rows_by(symbolic_groups, binned.bins, {RowMethod::windows}) == 0)
    return;
  RowBins bins = binned.bins;
  if (request.is_whole) // merged rows have their columns from the numeric phase
    bins.leave_out(SymbolicBin::merged, SymbolicBin::table);
  if (has_one_pass)
    call.find_columns(bins, bitmasks, sink, of_short);
  else
    call.find_columns(bins, bitmasks, sink, sink);
}

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
  SymbolicRows const binned = bin_rows(call, choices, bounds); // waits
  auto const bitmasks = bitmasks_of_b(call, request.sizes, choices, binned, bounds);
  auto const kept = count_columns(call, choices, bounds, binned, bitmasks, request);

  auto const offsets = impl::uninitialized<Kokkos::View<Offset*, typename Result::memory_space>>(
      exec, "heddle::row_offsets", static_cast<std::size_t>(call.a.rows) + 1);
  NumericRows const numeric =
      offsets_and_bins(call, choices, bounds, binned, request, offsets); // waits
  impl::require_offsets_hold<Offset>(numeric.entries);

  SymbolicResult<Result> result;
  auto& pattern = result.pattern;
  result.bins = numeric.bins;
  pattern.products = binned.products();
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
  place_columns(call, choices, binned, bitmasks, numeric, kept, request, result);
  return result;
}

} // namespace heddle::cuda_native
