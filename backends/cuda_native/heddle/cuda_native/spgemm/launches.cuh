// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Launches of the SpGEMM kernels by the lists of bins (spgemm/bin_choice.hpp): for each group
// of them one launch, or one for each bin that has rows, side by side. Rows that take longest
// come first.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/bin_choice.hpp>
#include <heddle/cuda_native/spgemm/fused_sort.cuh>
#include <heddle/cuda_native/spgemm/merge_registers.cuh>
#include <heddle/cuda_native/spgemm/merge_shared.cuh>
#include <heddle/cuda_native/spgemm/numeric_search.cuh>
#include <heddle/cuda_native/spgemm/numeric_table.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/symbolic_bitmap.cuh>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>
#include <heddle/cuda_native/spgemm/symbolic_sort.cuh>
#include <heddle/cuda_native/spgemm/symbolic_table.cuh>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// What is known of the rows of C when all have been counted: device memory, of a plan or of a call.
template <class Ordinal>
struct SpgemmRowArrays
{
  ProductRow<Ordinal>* rows;
  Ordinal* blocks;        // of 32 columns, with entries
  Ordinal* symbolic_list; // rows by symbolic bin
  Ordinal* numeric_list;  // and by numeric bin
};

// Rows of all bins to their sinks: sorted ones to one of their own, which may want their sums.
// Asynchronous.
template <class Call, class Sink, class SortedSink>
void launch_symbolic(Call const& call, RowBins const& bins, typename Call::Bitmasks const& bitmasks,
                     Sink const& sink, SortedSink const& sorted_sink);

// What all passes of one multiply read.
template <class FactorA, class FactorB, class Target>
struct SpgemmCall
{
  using A = FactorA;
  using B = FactorB;
  using C = Target;
  using Ordinal = typename A::ordinal_type;
  using Offset = typename C::offset_type; // of C
  using Sum = typename C::value_type;
  using Bitmasks = FactorBitmasks<Ordinal, typename B::offset_type>;

  Kokkos::Cuda const& exec;
  SpgemmAccumulator wanted;
  A a;
  B b;
  SpgemmRowArrays<Ordinal> by_row;

  // launch_symbolic of this call, for the steps of the symbolic phase (spgemm/symbolic.cuh).
  template <class Sink, class SortedSink>
  void find_columns(RowBins const& bins, Bitmasks const& bitmasks, Sink const& sink,
                    SortedSink const& sorted_sink) const
  {
    launch_symbolic(*this, bins, bitmasks, sink, sorted_sink);
  }
};

// How many launches the bins of a list take.
template <std::size_t count>
int launches_of(std::array<BinGroup, count> const& groups, RowBins const& bins)
{
  int launches = 0;
  std::size_t n = 0;
  for (BinGroup const& group : groups)
  {
    int with_rows = 0;
    for (int c = 0; c < group.bins; ++c, ++n)
      with_rows += bins.ranges[n].count > 0 ? 1 : 0;
    if (group.method != RowMethod::none)
      launches += group.is_one_launch ? std::min(with_rows, 1) : with_rows;
  }
  return launches;
}

template <RowMethod method>
using MethodConstant = std::integral_constant<RowMethod, method>;

// visit(MethodConstant<method>) for the groups of a list, the last one first.
template <auto const& groups, std::size_t count = groups.size(), class Visit>
void for_groups_down(Visit const& visit)
{
  if constexpr (count > 0)
  {
    visit(MethodConstant<groups[count - 1].method>{});
    for_groups_down<groups, count - 1>(visit);
  }
}

// Rows of a bin.
template <class Ordinal>
struct ListedRows
{
  Ordinal const* list;
  std::int64_t count;
};
template <class Ordinal>
ListedRows<Ordinal> listed_rows(Ordinal const* list, RowBins const& bins, int n)
{
  RowRange const range = bins.ranges[static_cast<std::size_t>(n)];
  return {list + range.first, range.count};
}

// visit(bin, lanes, rows of B per lane) for the bins that are merged in registers.
template <class Visit>
void for_merged_bins(SpgemmAccumulator wanted, Visit const& visit)
{
  for_bins_down<SpgemmPolicyFor::value.merged_bins>([&]<int c>(BinIndex<c> n) {
    auto const with = [&]<bool is_one_to_one>(std::bool_constant<is_one_to_one>) {
      visit(n, BinIndex<SpgemmPolicyFor::merged_lanes(c, is_one_to_one)>{},
            BinIndex<SpgemmPolicyFor::merged_rows(c, is_one_to_one)>{});
    };
    if (wanted == SpgemmAccumulator::register_merge_one_to_one)
      with(std::true_type{});
    else
      with(std::false_type{});
  });
}

// Blocks for this number of rows, each taken by a team with a table of the bin.
template <int table_bin>
Grid grid_of_tables(std::int64_t rows)
{
  constexpr int threads = SpgemmPolicyFor::table_threads(table_bin);
  constexpr int block = SpgemmPolicyFor::block_of(threads), teams = block / threads;
  Grid grid{blocks_for(rows, teams), block};
  grid.shared_bytes = static_cast<std::size_t>(teams * SpgemmPolicyFor::table_bytes(table_bin));
  return grid;
}
inline constexpr int largest_table = SpgemmPolicyFor::value.table_bins - 1;

template <int table_bin, class Call, class Source, class Sink>
void find_by_table_of(SideStreams& side, Call const& call,
                      ListedRows<typename Call::Ordinal> const& rows, Source const& source,
                      Sink const& sink)
{
  constexpr int threads = SpgemmPolicyFor::table_threads(table_bin);
  launch(side, "heddle::spgemm::find", spgemm_find_kernel<threads, typename Call::A, Source, Sink>,
         grid_of_tables<table_bin>(rows.count), call.a, source, call.by_row.rows, rows.list,
         rows.count, call.wanted, SpgemmPolicyFor::table_bytes(table_bin), sink);
}
// B as column bitmasks where these have words.
template <int table_bin, class Call, class Sink>
void find_by_table(SideStreams& side, Call const& call,
                   ListedRows<typename Call::Ordinal> const& rows,
                   typename Call::Bitmasks const& bitmasks, Sink const& sink)
{
  if (bitmasks.words != nullptr)
    find_by_table_of<table_bin>(side, call, rows, bitmasks, sink);
  else
    find_by_table_of<table_bin>(side, call, rows, call.b, sink);
}

// Narrow rows, likewise.
template <class Call, class Sink>
void find_by_bitmap(SideStreams& side, Call const& call,
                    ListedRows<typename Call::Ordinal> const& rows, int words,
                    typename Call::Bitmasks const& bitmasks, Sink const& sink)
{
  if (bitmasks.words != nullptr)
    find_bitmap(side, call.a, bitmasks, call.by_row.rows, rows.list, rows.count, words, sink);
  else
    find_bitmap(side, call.a, call.b, call.by_row.rows, rows.list, rows.count, words, sink);
}

template <int table_bin, bool in_order, bool in_place, bool is_shared = false, class Call>
void sum_by_table(SideStreams& side, Call const& call,
                  ListedRows<typename Call::Ordinal> const& rows, typename Call::C const& c)
{
  constexpr int threads = SpgemmPolicyFor::table_threads(table_bin);
  RowParts parts{1, 0};
  if (is_shared)
    parts = {SpgemmPolicyFor::most_parts(device_shape(call.exec), rows.count, threads),
             SpgemmPolicyFor::value.least_of_shared_warp * (threads / warp_size)};
  launch(side, is_shared ? "heddle::spgemm::sum_shared" : "heddle::spgemm::sum",
         spgemm_sum_kernel<threads, in_order, in_place, is_shared, typename Call::A,
                           typename Call::B, typename Call::C>,
         grid_of_tables<table_bin>(rows.count * parts.most), call.a, call.b, c, call.by_row.rows,
         call.by_row.blocks, rows.list, rows.count, call.wanted,
         SpgemmPolicyFor::table_bytes(table_bin), parts);
}

// Rows that teams share, or, where sums are to be in order, do not.
template <bool in_order, class Call>
void sum_shared_rows(SideStreams& side, Call const& call, RowBins const& bins,
                     typename Call::C const& c)
{
  for_bins_down<SpgemmPolicyFor::value.shared_bins>([&]<int n>(BinIndex<n>) {
    constexpr bool in_place = n == SpgemmPolicyFor::value.shared_bins - 1;
    sum_by_table<SpgemmPolicyFor::shared_table(n), in_order, in_place, !in_order>(
        side, call, listed_rows(call.by_row.numeric_list, bins, NumericBin::shared_rows + n), c);
  });
}
template <class Call>
void begin_shared_rows(Call const& call, RowBins const& bins, typename Call::C const& c)
{
  for (int n = 0; n < SpgemmPolicyFor::value.shared_bins; ++n)
  {
    auto const [list, count] =
        listed_rows(call.by_row.numeric_list, bins, NumericBin::shared_rows + n);
    launch(call.exec, "heddle::spgemm::begin_shared",
           spgemm_begin_shared_kernel<typename Call::A, typename Call::B, typename Call::C>,
           {count, SpgemmPolicyFor::value.large_block}, call.a, call.b, c, call.by_row.rows, list);
  }
}

template <class Call, class Sink, class SortedSink>
void launch_symbolic(Call const& call, RowBins const& bins, typename Call::Bitmasks const& bitmasks,
                     Sink const& sink, SortedSink const& sorted_sink)
{
  auto const* const list = call.by_row.symbolic_list;
  auto const* const rows = call.by_row.rows;
  SideStreams side(call.exec, launches_of(symbolic_groups, bins));
  for_groups_down<symbolic_groups>([&]<RowMethod method>(MethodConstant<method>) {
    constexpr int first = first_bin(symbolic_groups, method);
    if constexpr (method == RowMethod::windows)
      find_by_table<largest_table>(side, call, listed_rows(list, bins, first), bitmasks, sink);
    else if constexpr (method == RowMethod::table)
      for_bins_down<SpgemmPolicyFor::value.table_bins>([&]<int c>(BinIndex<c>) {
        find_by_table<c>(side, call, listed_rows(list, bins, first + c), bitmasks, sink);
      });
    else if constexpr (method == RowMethod::shared_merge)
      for_bins_down<SpgemmPolicyFor::value.shared_merged_bins>([&]<int c>(BinIndex<c>) {
        auto const [merged, count] = listed_rows(list, bins, first + c);
        find_shared_merged<c>(side, call.a, call.b, rows, merged, count, sink);
      });
    else if constexpr (method == RowMethod::register_merge)
      for_merged_bins(
          call.wanted, [&]<int lanes, int of_lane>(int c, BinIndex<lanes>, BinIndex<of_lane>) {
            auto const [merged, count] = listed_rows(list, bins, first + c);
            find_merged<lanes, of_lane>(side, call.a, call.b, rows, merged, count, sink);
          });
    else if constexpr (method == RowMethod::bitmap)
      for_bins_down<SpgemmPolicyFor::value.bitmap_bins>([&]<int c>(BinIndex<c>) {
        find_by_bitmap(side, call, listed_rows(list, bins, first + c),
                       SpgemmPolicyFor::bitmap_words(c), bitmasks, sink);
      });
    else if constexpr (method == RowMethod::block_sort)
    {
      if constexpr (SumsSink<SortedSink>) // only rows whose sums are wanted have this bin
      {
        auto const [sorted, count] = listed_rows(list, bins, first);
        multiply_long_sorted(side, call.a, call.b, rows, sorted, count, sorted_sink);
      }
    }
    else if constexpr (method == RowMethod::sort)
    {
      if constexpr (SumsSink<SortedSink>)
        multiply_sorted(side, call.a, call.b, rows, list, bins, first, sorted_sink);
      else
        find_sorted(side, call.a, call.b, rows, list, bins, first, sorted_sink);
    }
  });
}

// The numeric phase, which also writes the columns of merged rows unless these are null.
// Asynchronous.
template <bool in_order, class Call>
void launch_numeric(Call const& call, RowBins const& bins, typename Call::C const& c,
                    typename Call::Ordinal* merged_columns)
{
  auto const* const list = call.by_row.numeric_list;
  if constexpr (!in_order)
    begin_shared_rows(call, bins, c);
  SideStreams side(call.exec, launches_of(numeric_groups, bins));
  for_groups_down<numeric_groups>([&]<RowMethod method>(MethodConstant<method>) {
    constexpr int first = first_bin(numeric_groups, method);
    if constexpr (method == RowMethod::shared_rows)
      sum_shared_rows<in_order>(side, call, bins, c);
    else if constexpr (method == RowMethod::in_place)
      sum_by_table<largest_table, in_order, true>(side, call, listed_rows(list, bins, first), c);
    else if constexpr (method == RowMethod::table)
      for_bins_down<SpgemmPolicyFor::value.table_bins>([&]<int n>(BinIndex<n>) {
        sum_by_table<n, in_order, false>(side, call, listed_rows(list, bins, first + n), c);
      });
    else if constexpr (method == RowMethod::shared_merge)
      for_bins_down<SpgemmPolicyFor::value.shared_merged_bins>([&]<int n>(BinIndex<n>) {
        auto const [merged, count] = listed_rows(list, bins, first + n);
        sum_shared_merged<n>(side, call.a, call.b, c, merged_columns, merged, count);
      });
    else if constexpr (method == RowMethod::register_merge)
      for_merged_bins(
          call.wanted, [&]<int lanes, int of_lane>(int n, BinIndex<lanes>, BinIndex<of_lane>) {
            auto const [merged, count] = listed_rows(list, bins, first + n);
            sum_merged<lanes, of_lane>(side, call.a, call.b, c, merged_columns, merged, count);
          });
    else if constexpr (method == RowMethod::search)
      sum_searched<in_order>(side, call.a, call.b, c, call.by_row.rows, list, bins, first);
  });
}

} // namespace heddle::cuda_native
