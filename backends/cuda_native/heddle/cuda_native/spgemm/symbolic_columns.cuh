// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The steps of SpGEMM's symbolic phase (spgemm/symbolic.cuh) that find columns: count, offsets, and
// to their rows of C.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/rows/deferred_rows.cuh>
#include <heddle/cuda_native/spgemm/fused_sort.cuh>
#include <heddle/cuda_native/spgemm/launches.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/row_bins.cuh>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/symbolic_bins.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>

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
  SpgemmClasses classes;
  typename Result::values_view values; // of C, in a whole multiply: those of short rows are there
};

// Room for columns that are counted before their rows have offsets, in entries.
struct KeptRoom
{
  std::size_t of_tables = 0, of_short = 0; // of short rows all or nothing
};
template <class Ordinal, class Sum>
KeptRoom kept_room(SymbolicBins const& bins, std::size_t room)
{
  constexpr std::size_t most_kept = SpgemmPolicyFor::value.most_kept_bytes / sizeof(std::int32_t);
  auto const products = static_cast<std::size_t>(bins.products());
  auto const short_products = static_cast<std::size_t>(bins.short_products());
  bool const keeps_short = short_products * (sizeof(Ordinal) + sizeof(Sum)) <=
                           std::min(SpgemmPolicyFor::value.most_kept_bytes, room / 4);
  return {std::min({products - short_products, most_kept, room / 2 / sizeof(Ordinal)}),
          keeps_short ? short_products : 0};
}

// Columns of rows that have no offsets yet, and sums of short rows.
template <class Call>
struct KeptColumns
{
  KeptRoom room;
  impl::Scratch<typename Call::Ordinal, Kokkos::Cuda> columns;
  impl::Scratch<typename Call::Sum, Kokkos::Cuda> sums;
  impl::Scratch<std::int64_t, Kokkos::Cuda> at; // of each row
};

// Writes the entries of each row to bounds' counters and their blocks of columns to
// call.by_row.blocks, and keeps columns where there is room. Asynchronous.
template <class Call>
KeptColumns<Call> count_columns(Call const& call, SymbolicChoices const& choices,
                                RowBounds<Call> const& bounds, SymbolicBins const& bins,
                                typename Call::Bitmasks const& bitmasks,
                                SymbolicRequest const& request)
{
  using Ordinal = typename Call::Ordinal;
  using Sum = typename Call::Sum;
  KeptRoom const room = kept_room<Ordinal, Sum>(bins, request.room);
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
    launch_symbolic(call, bins.classes, bitmasks, sink, sink);
    return kept;
  }
  CountingSumsSink<Ordinal, Sum> of_short{sink, kept.sums.data()};
  of_short.used = &counters->kept_of_short;
  of_short.room = room.of_short;
  of_short.base = static_cast<std::int64_t>(room.of_tables);
  launch_symbolic(call, bins.classes, bitmasks, sink, of_short);
  return kept;
}

// What there is when all rows have been counted.
struct NumericBins
{
  SpgemmClasses classes;
  std::int64_t entries;              // of C
  unsigned long long kept_of_tables; // columns that were kept, and those that had no room
};

// The numeric classes of rows that all stay in their class: one list of rows serves both phases.
inline RowClasses classes_as_counted(RowClasses const& symbolic)
{
  RowClasses numeric;
  numeric.ranges[NumericClass::empty] = symbolic.ranges[SymbolicClass::empty];
  std::copy_n(symbolic.ranges.begin() + SymbolicClass::merged,
              SymbolicClass::table - SymbolicClass::merged,
              numeric.ranges.begin() + NumericClass::merged);
  return numeric;
}

// Fills the row offsets of C, and call.by_row.numeric_list unless the symbolic list serves. Waits
// for the number of entries of C.
template <class Call, class Offsets>
NumericBins offsets_and_bins(Call const& call, SymbolicChoices const& choices,
                             RowBounds<Call> const& bounds, SymbolicBins const& bins,
                             SymbolicRequest const& request, Offsets const& offsets)
{
  using Offset = typename Offsets::non_const_value_type;
  auto const counts = bounds.counters.of_rows();
  if (bins.leaves_merged_rows(choices.limits.has_one_pass) &&
      std::in_range<Offset>(bins.products()))
  {
    offsets_from_counts(call.exec, counts, offsets);
    // A plan is not told how many columns were kept: at most one for each product.
    auto const kept = static_cast<unsigned long long>(bins.products() - bins.short_products());
    return {{bins.classes, classes_as_counted(bins.classes), true},
            last_of(call.exec, offsets),
            request.is_whole ? 0 : kept};
  }
  auto* const by_class = &bounds.counters.data()->numeric;
  NumericClassOf<typename Call::A, typename Call::Sum> const class_of{
      symbolic_class_of(call, choices, bounds), counts.data(), call.by_row.blocks};
  count_row_classes(call.exec, class_of, call.a.rows, by_class);
  list_row_classes(call.exec, class_of, call.a.rows, by_class, call.by_row.numeric_list);
  offsets_from_counts(call.exec, counts, offsets);
  SpgemmCounters const counters = bounds.counters.on_host();
  RowClasses numeric(counters.numeric);
  join_small_tables(numeric, NumericClass::table, device_shape(call.exec));
  return {{bins.classes, numeric, false}, numeric.weight, counters.kept};
}

// Columns that the counting pass kept, and the sums that are kept beside those of short rows, to
// their rows of C. Rows with more entries than `longest` are the block's.
template <class Ordinal, class Offset, class Sum>
__global__ void __launch_bounds__(row_bounds_policy.threads_per_block)
    spgemm_place_kernel(PlacingSumsSink<Ordinal, Offset, Sum> to, Ordinal const* kept,
                        std::int64_t first_of_sums, Sum const* sums, std::int64_t rows, int lanes,
                        std::int64_t longest)
{
  __shared__ DeferredRows<row_bounds_policy.threads_per_block> long_rows;
  if (threadIdx.x == 0)
    long_rows.clear();
  __syncthreads();
  auto const place = [&](std::int64_t i, std::int64_t rank, std::int64_t step) {
    auto const begin = static_cast<std::int64_t>(to.offsets[i]);
    std::int64_t const count = static_cast<std::int64_t>(to.offsets[i + 1]) - begin;
    if (count == 0 || to.kept_at[i] == not_kept)
      return;
    std::int64_t const from = to.kept_at[i];
#pragma unroll 4
    for (std::int64_t n = rank; n < count; n += step)
      to.columns[begin + n] = kept[from + n];
    if (to.values == nullptr || from < first_of_sums)
      return;
#pragma unroll 4
    for (std::int64_t n = rank; n < count; n += step)
      to.values[begin + n] = sums[from - first_of_sums + n];
  };
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / lanes, lane = thread % lanes;
  if (i < rows)
  {
    if (static_cast<std::int64_t>(to.offsets[i + 1] - to.offsets[i]) <= longest)
      place(i, lane, lanes);
    else if (lane == 0)
      long_rows.add(i);
  }
  long_rows.for_each([&](std::int64_t row) { place(row, threadIdx.x, blockDim.x); });
}

// Kept columns are moved to C; those of rows without room, or whose columns come in windows, are
// found again. Asynchronous.
template <class Call, class Result>
void place_columns(Call const& call, SymbolicChoices const& choices, SymbolicBins const& bins,
                   typename Call::Bitmasks const& bitmasks, NumericBins const& numeric,
                   KeptColumns<Call> const& kept, SymbolicRequest const& request,
                   SymbolicResult<Result> const& result)
{
  using Ordinal = typename Call::Ordinal;
  using Offset = typename Call::Offset;
  using Sum = typename Call::Sum;
  bool const has_one_pass = choices.limits.has_one_pass;
  std::int64_t const rows = call.a.rows;
  PlacingSink<Ordinal, Offset> const sink{kept.at.data(), result.pattern.row_offsets.data(),
                                          result.pattern.columns.data()};
  PlacingSumsSink<Ordinal, Offset, Sum> const of_short{sink, has_one_pass ? result.values.data()
                                                                          : nullptr};
  if (!request.is_whole || has_one_pass || merged_rows(symbolic_groups, bins.classes) != rows)
  {
    auto const entries = static_cast<std::int64_t>(result.pattern.nnz);
    int const lanes = lanes_for_rows(rows, entries);
    launch(call.exec, "heddle::spgemm::place", spgemm_place_kernel<Ordinal, Offset, Sum>,
           one_thread_each(rows * lanes, row_bounds_policy.threads_per_block), of_short,
           kept.columns.data(), static_cast<std::int64_t>(kept.room.of_tables), kept.sums.data(),
           rows, lanes, longest_of_lanes(rows, entries, device_shape(call.exec)));
  }
  if (numeric.kept_of_tables <= kept.room.of_tables &&
      kept.room.of_short >= static_cast<std::size_t>(bins.short_products()) &&
      rows_by(symbolic_groups, bins.classes, {RowMethod::windows}) == 0)
    return;
  RowClasses classes = bins.classes;
  if (request.is_whole) // merged rows have their columns from the numeric phase
    classes.leave_out(SymbolicClass::merged, SymbolicClass::table);
  if (has_one_pass)
    launch_symbolic(call, classes, bitmasks, sink, of_short);
  else
    launch_symbolic(call, classes, bitmasks, sink, sink);
}

} // namespace heddle::cuda_native
