// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Long rows of A by merging (smem-spgemm of Liu et al., paper 001): each warp of a block merges its
// share of the rows of B in registers (spgemm/merged_rows.cuh) into a ring in shared memory;
// when all rings have something, or will have no more, the first warp merges these by the same
// steps, a ring a lane, until one is empty. By name: an entry of C takes 280 instructions of a
// warp, of tables some 10 to 45, and half of the warps' waiting is for the first one
// (perf_tests/results/h200/register_merge.txt, 5).

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

// What the warps of a block have merged and the first has not taken yet.
template <int threads, class Ordinal, class Sum>
struct MergeRings
{
  static constexpr int warps = threads / warp_size;
  static constexpr int size = SpgemmPolicyFor::value.shared_merged_ring; // outputs of a warp
  static_assert(warps <= warp_size, "the first warp has a lane for each");

  Ordinal columns[warps][size];
  // As words: a complex number has a constructor, which shared variables must not have.
  int4 words_of_sums[warps * size * sizeof(Sum) / sizeof(int4)];
  int taken[warps], filled[warps]; // outputs so far
  bool has_more[warps];
  bool is_done;

  __device__ Sum& sum(int warp, int number)
  {
    return reinterpret_cast<Sum*>(words_of_sums)[warp * size + number % size];
  }
  __device__ Ordinal& column(int warp, int number) { return columns[warp][number % size]; }
};

// A warp fills its ring; all lanes have `filled`.
template <bool has_values, class Merged, class B, int threads, class Ordinal, class Sum>
__device__ void fill_ring(Merged& merged, B const& b, MergeRings<threads, Ordinal, Sum>& rings,
                          int& filled)
{
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  bool const is_writer = threadIdx.x % warp_size == 0;
  int const most = rings.taken[warp] + rings.size;
  bool has_more = true;
  while (has_more && filled < most)
  {
    Ordinal const column = merged.next(warp_size);
    has_more = column != Merged::none;
    if (!has_more)
      break;
    Sum sum = merged.take(b, column);
    if constexpr (has_values)
      sum = merged_sum<warp_size>(sum, merged.has_taken);
    if (is_writer)
    {
      rings.column(warp, filled) = column;
      if constexpr (has_values)
        rings.sum(warp, filled) = sum;
    }
    ++filled;
  }
  if (is_writer)
  {
    rings.filled[warp] = filled;
    rings.has_more[warp] = has_more;
  }
}

// One warp merges the rings as far as they go: visit(number, column, sum) for each output.
template <bool has_values, int threads, class Ordinal, class Sum, class Visit>
__device__ void merge_rings(MergeRings<threads, Ordinal, Sum>& rings, int& count,
                            Visit const& visit)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  constexpr Ordinal none = WidestRange<Ordinal>::first;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  bool const has_ring = lane < rings.warps;
  int at = has_ring ? rings.taken[lane] : 0;
  int const end = has_ring ? rings.filled[lane] : 0;
  bool const has_more = has_ring && rings.has_more[lane];
  bool is_done = false;
  while (!__any_sync(all_lanes, at == end && has_more))
  {
    Ordinal const mine = at < end ? rings.column(lane, at) : none;
    Ordinal const column = smallest_of_lanes(mine, warp_size);
    is_done = column == none;
    if (is_done)
      break;
    Sum sum(0);
    bool const has_taken = mine == column;
    if (has_taken)
    {
      if constexpr (has_values)
        sum = rings.sum(lane, at);
      ++at;
    }
    if constexpr (has_values)
      sum = merged_sum<warp_size>(sum, has_taken);
    visit(count++, column, sum);
  }
  if (has_ring)
    rings.taken[lane] = at;
  if (lane == 0)
    rings.is_done = is_done;
}

// visit(number, column, sum) for each output of row i, in order, in the first warp, which is told
// how many there are. All threads of the block take part.
template <int rows, bool has_values, class A, class B, int threads, class Ordinal, class Sum,
          class Visit>
__device__ int for_each_shared_merged(A const& a, B const& b, std::int64_t i,
                                      MergeRings<threads, Ordinal, Sum>& rings, Visit const& visit)
{
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  std::int64_t const begin = static_cast<std::int64_t>(a.offsets[i]);
  std::int64_t const end = static_cast<std::int64_t>(a.offsets[i + 1]);
  MergedRows<rows, has_values, A, B, Sum> merged(a, b, begin + threadIdx.x, end, threads);
  if (threadIdx.x % warp_size == 0)
    rings.taken[warp] = 0;
  __syncwarp();
  int filled = 0, count = 0;
  do
  {
    fill_ring<has_values>(merged, b, rings, filled);
    __syncthreads();
    if (warp == 0)
      merge_rings<has_values>(rings, count, visit);
    __syncthreads();
  } while (!rings.is_done);
  return count;
}

// Symbolic phase, one block per row.
template <int threads, int rows, class A, class B, class Sink>
__global__ void __launch_bounds__(threads)
    spgemm_find_shared_merged_kernel(A a, B b,
                                     ProductRow<typename A::ordinal_type> const* product_rows,
                                     typename A::ordinal_type const* list, std::int64_t listed,
                                     Sink sink)
{
  using Ordinal = typename A::ordinal_type;
  using Sum = typename B::value_type;
  __shared__ MergeRings<threads, Ordinal, Sum> rings;
  std::int64_t const i = sink.row_of(list, static_cast<std::int64_t>(blockIdx.x), listed);
  if (i < 0) // the whole block
    return;
  MergedColumns<warp_size, Ordinal> columns(
      destination_for_merged<threads, threads>(sink, i, product_rows));
  int const count = for_each_shared_merged<rows, false>(
      a, b, i, rings, [&](int number, Ordinal column, Sum const&) { columns(number, column); });
  if (threadIdx.x < warp_size)
    columns.finish(i, count, sink);
}

// Numeric phase, which writes columns too unless that is null. Each sum is added up in one order:
// repeatable.
template <int threads, int rows, class A, class B, class C>
__global__ void __launch_bounds__(threads)
    spgemm_sum_shared_merged_kernel(A a, B b, C c, typename A::ordinal_type* columns,
                                    typename A::ordinal_type const* list)
{
  using Ordinal = typename A::ordinal_type;
  using Sum = typename C::value_type;
  __shared__ MergeRings<threads, Ordinal, Sum> rings;
  auto const i = static_cast<std::int64_t>(list[blockIdx.x]);
  EntriesOfRow const row = entries_of(c, i);
  LanesWrite<warp_size, Sum> write(c.values + row.begin, row.count);
  LanesWrite<warp_size, Ordinal> write_column(columns + row.begin);
  int const count = for_each_shared_merged<rows, true>(
      a, b, i, rings, [&](int number, Ordinal column, Sum const& sum) {
        write(number, sum);
        if (columns != nullptr)
          write_column(number, column);
      });
  if (threadIdx.x >= warp_size)
    return;
  write.finish(count);
  if (count != row.count)
    c.report();
  if (columns != nullptr)
    write_column.finish(count);
}

// Rows of bin c. Asynchronous.
template <int c, class A, class B, class Sink>
void find_shared_merged(SideStreams& side, A const& a, B const& b,
                        ProductRow<typename A::ordinal_type> const* product_rows,
                        typename A::ordinal_type const* list, std::int64_t listed, Sink const& sink)
{
  constexpr int threads = SpgemmPolicyFor::shared_merged_block(c);
  constexpr int rows = SpgemmPolicyFor::shared_merged_rows(c);
  launch(side, "heddle::spgemm::find_shared_merged",
         spgemm_find_shared_merged_kernel<threads, rows, A, B, Sink>, Grid{listed, threads}, a, b,
         product_rows, list, listed, sink);
}
template <int c, class A, class B, class C>
void sum_shared_merged(SideStreams& side, A const& a, B const& b, C const& target,
                       typename A::ordinal_type* columns, typename A::ordinal_type const* list,
                       std::int64_t listed)
{
  constexpr int threads = SpgemmPolicyFor::shared_merged_block(c);
  constexpr int rows = SpgemmPolicyFor::shared_merged_rows(c);
  launch(side, "heddle::spgemm::sum_shared_merged",
         spgemm_sum_shared_merged_kernel<threads, rows, A, B, C>, Grid{listed, threads}, a, b,
         target, columns, list);
}

} // namespace heddle::cuda_native
