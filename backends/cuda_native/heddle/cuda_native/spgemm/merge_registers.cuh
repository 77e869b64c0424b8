// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows of C by merging rows of B in registers (reg-spgemm of Liu et al., paper 001, Fig. 1): N rows
// of B per lane, M lanes per row of C. Each turn finds the smallest column that is next in any of
// them, within a lane and then between lanes by shuffles, adds up what they have there, and moves
// those on: one output a turn, in order of columns, with no memory. Rows of B must be sorted.
//
// A warp steps until the longest of its rows of C is done. So few lanes and more rows of B for each
// are the fastest where rows are alike, a whole warp where their lengths differ (section 1 of
// perf_tests/results/h200/register_merge.txt).

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/merged_rows.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/product_sequence.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// visit(number, column, sum) for each output of row i, in order; every lane of the group has all
// of them. i < 0: the group has no row. All lanes of the warp take part.
template <int lanes, int rows, bool has_values, class A, class B, class Sum, class Visit>
__device__ int for_each_merged(A const& a, B const& b, std::int64_t i, Visit const& visit)
{
  using Merged = MergedRows<rows, has_values, A, B, Sum>;
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  EntriesOfRow const row = entries_of(a, i);
  Merged merged(a, b, row.begin + lane, row.begin + row.count, lanes);
  int count = 0;
  while (true)
  {
    auto const column = merged.next(lanes);
    if (!__any_sync(0xffffffffU, column != Merged::none))
      return count;
    Sum sum = merged.take(b, column);
    if constexpr (has_values)
      sum = merged_sum<lanes>(sum, merged.has_taken);
    if (column != Merged::none)
      visit(count++, column, sum);
  }
}

// Symbolic phase.
template <int lanes, int rows, class A, class B, class Sink>
__global__ void __launch_bounds__(SpgemmPolicyFor::value.shared_block)
    spgemm_find_merged_kernel(A a, B b, ProductRow<typename A::ordinal_type> const* product_rows,
                              typename A::ordinal_type const* list, std::int64_t listed, Sink sink)
{
  using Ordinal = typename A::ordinal_type;
  using Sum = typename B::value_type;
  std::int64_t const n = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
  std::int64_t const i = sink.row_of(list, n, listed);
  MergedColumns<lanes, Ordinal> columns(
      destination_for_merged<SpgemmPolicyFor::value.shared_block, lanes>(sink, i, product_rows));
  int const count = for_each_merged<lanes, rows, false, A, B, Sum>(
      a, b, i, [&](int number, Ordinal column, Sum const&) { columns(number, column); });
  columns.finish(i, count, sink);
}

// Numeric phase, which writes columns too unless that is null. Each sum is added up in one order:
// repeatable.
template <int lanes, int rows, class A, class B, class C>
__global__ void __launch_bounds__(SpgemmPolicyFor::value.shared_block)
    spgemm_sum_merged_kernel(A a, B b, C c, typename A::ordinal_type* columns,
                             typename A::ordinal_type const* list, std::int64_t listed)
{
  using Ordinal = typename A::ordinal_type;
  using Sum = typename C::value_type;
  std::int64_t const n = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
  std::int64_t const i = n < listed ? static_cast<std::int64_t>(list[n]) : -1;
  EntriesOfRow const row = entries_of(c, i);
  LanesWrite<lanes, Sum> write(c.values + row.begin, row.count);
  if (columns == nullptr)
  {
    int const count = for_each_merged<lanes, rows, true, A, B, Sum>(
        a, b, i, [&](int number, Ordinal, Sum const& sum) { write(number, sum); });
    write.finish(count);
    if (count != row.count)
      c.report();
    return;
  }
  LanesWrite<lanes, Ordinal> write_column(columns + row.begin);
  int const count = for_each_merged<lanes, rows, true, A, B, Sum>(
      a, b, i, [&](int number, Ordinal column, Sum const& sum) {
        write(number, sum);
        write_column(number, column);
      });
  write.finish(count);
  write_column.finish(count);
}

// Rows of a bin, by its numbers of lanes per row of C and of rows of B per lane. Asynchronous.
template <int lanes, int rows, class A, class B, class Sink>
void find_merged(SideStreams& side, A const& a, B const& b,
                 ProductRow<typename A::ordinal_type> const* product_rows,
                 typename A::ordinal_type const* list, std::int64_t listed, Sink const& sink)
{
  launch(side, "heddle::spgemm::find_merged", spgemm_find_merged_kernel<lanes, rows, A, B, Sink>,
         one_thread_each(listed * lanes, SpgemmPolicyFor::value.shared_block), a, b, product_rows,
         list, listed, sink);
}
template <int lanes, int rows, class A, class B, class C>
void sum_merged(SideStreams& side, A const& a, B const& b, C const& target,
                typename A::ordinal_type* columns, typename A::ordinal_type const* list,
                std::int64_t listed)
{
  launch(side, "heddle::spgemm::sum_merged", spgemm_sum_merged_kernel<lanes, rows, A, B, C>,
         one_thread_each(listed * lanes, SpgemmPolicyFor::value.shared_block), a, b, target,
         columns, list, listed);
}

} // namespace heddle::cuda_native
