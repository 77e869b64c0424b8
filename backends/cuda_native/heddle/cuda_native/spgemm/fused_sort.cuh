// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Both phases of a whole multiply in one pass for rows with few products, where there are so few
// altogether that launches and waits take the time: a group of lanes finds the columns of its row
// as the symbolic phase does, sorted in registers, and has the sums at once, so that nothing is
// sorted into bins again. As long as the row has no offset in C both are kept in memory of the
// call and moved later.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/shared_sums.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/product_sequence.cuh>
#include <heddle/cuda_native/spgemm/sorted_products.cuh>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>

#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>
#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Products of a row in shared memory by their number, which stands below the distance that they are
// sorted by, become the sums of its columns there.
template <int items, class Sum>
struct SumsOfSorted
{
  static constexpr std::uint32_t numbers = (1U << SpgemmPolicyFor::value.bits_of_product) - 1;
  Sum* terms;

  // For the sort: notes a product of values of A and B.
  template <class Left, class Right>
  __device__ auto noting(Left const* left, Right const* right) const
  {
    return [to = terms, left, right](int product, int k, std::int64_t at) {
      to[product] = Sum(left[k]) * Sum(right[at]);
      return static_cast<std::uint32_t>(product);
    };
  }
  // keys: a thread's, as they were sorted; is_new(t): the first of a column; rank: how many columns
  // begin before the thread's first key; wait: for all threads of the row. A thread stores what it
  // has of columns that begin with it, and adds what it has of the one before.
  template <class IsNew, class Wait>
  __device__ void add(std::uint32_t const (&keys)[items], std::uint32_t none, IsNew const& is_new,
                      int rank, Wait const& wait) const
  {
    Sum mine[items];
    wait(); // all products are there
#pragma unroll
    for (int t = 0; t < items; ++t)
      mine[t] = keys[t] < none ? terms[keys[t] & numbers] : Sum(0);
    wait();
    Sum before(0), sum(0);
    int column = rank - 1;
#pragma unroll
    for (int t = 0; t < items; ++t)
    {
      if (is_new(t))
      {
        if (column < rank)
          before = sum;
        else
          terms[column] = sum;
        ++column;
        sum = Sum(0);
      }
      sum += mine[t];
    }
    if (column < rank)
      before = sum;
    else
      terms[column] = sum;
    wait();
    if (rank > 0 && keys[0] < none && !is_new(0))
      add_in_shared(terms[rank - 1], before);
    wait();
  }
};

// Columns and sums of row i, which a group has in shared memory, to where the sink wants them.
template <int threads, int lanes, class Sink, class Ordinal, class Sum>
__device__ void write_short_row(Sink const& sink, std::int64_t i, int count, Ordinal const* columns,
                                Sum const* sums)
{
  Ordinal* const to = sink.template destination<threads, lanes>(i, count);
  if (to == nullptr)
    return;
  Sum* const values = sink.beside(to);
  for (int k = static_cast<int>(threadIdx.x) % lanes; k < count; k += lanes)
  {
    to[k] = columns[k];
    values[k] = sums[k];
  }
}

// A block of rows, each of at most lanes * items products.
template <int threads, int lanes, int items, class A, class B, class Sink, class Memory>
__device__ void multiply_sorted_rows(A const& a, B const& b,
                                     ProductRow<typename A::ordinal_type> const* rows,
                                     typename A::ordinal_type const* list, std::int64_t listed,
                                     std::int64_t block, Memory& memory, Sink const& sink)
{
  using Sum = typename Sink::sum_type;
  using Ordinal = typename A::ordinal_type;
  constexpr int groups = threads / lanes, most = lanes * items;
  int const group = static_cast<int>(threadIdx.x) / lanes;
  std::int64_t const i = sink.row_of(list, block * groups + group, listed);
  auto [begin, entries] = entries_of(a, i);
  auto& sequence = memory.sequence[group];
  set_product_sequence<lanes, most>(sequence, a, b, begin,
                                    entries); // they fit: they were just counted
  Ordinal* const columns = memory.columns + group * most;
  Sum* const sums = memory.sums() + group * most;
  SumsOfSorted<items, Sum> const of_columns{sums};
  using Sorted = SortedProducts<lanes, items, Ordinal, SpgemmPolicyFor::value.bits_of_product>;
  Sorted const sorted(sequence, b, entries, i < 0 ? Ordinal(0) : rows[i].first,
                      of_columns.noting(a.values + begin, b.values));
  int const count = sorted.count;
  sink.count(i, lanes, count, sorted.blocks);
  sorted.write(columns);
  of_columns.add(
      sorted.keys, Sorted::none, [&](int t) { return sorted.is_new(t); }, sorted.rank,
      [] { __syncwarp(); });
  write_short_row<threads, lanes>(sink, i, count, columns, sums);
}

template <class A, class B, class Sink>
__global__ void __launch_bounds__(SpgemmPolicyFor::value.shared_block)
    spgemm_multiply_sorted_kernel(A a, B b, ProductRow<typename A::ordinal_type> const* rows,
                                  typename A::ordinal_type const* list, SortedBlocks bins,
                                  Sink sink)
{
  using Sum = typename Sink::sum_type;
  constexpr int threads = SpgemmPolicyFor::value.shared_block;
  constexpr int most =
      threads * SpgemmPolicyFor::sorted_items(SpgemmPolicyFor::value.sorted_bins - 1); // in any bin
  __shared__
      GroupsMemory<threads / SpgemmPolicyFor::sorted_lanes(0),
                   SpgemmPolicyFor::value.sequence_entries, most, typename A::ordinal_type, Sum>
          memory;
  bins.visit([&]<int c>(BinIndex<c>, RowRange const& of_bin, std::int64_t block) {
    multiply_sorted_rows<threads, SpgemmPolicyFor::sorted_lanes(c),
                         SpgemmPolicyFor::sorted_items(c)>(a, b, rows, list + of_bin.first,
                                                           of_bin.count, block, memory, sink);
  });
}

// A row's products sorted by column by a block of so many threads. All of them take part.
template <int threads, int items, class Ordinal>
struct BlockSorted
{
  using Sort = cub::BlockRadixSort<std::uint32_t, threads, items>;
  using Scan = cub::BlockScan<int, threads>;
  static constexpr int bits_below = SpgemmPolicyFor::value.bits_of_product;
  union Memory {
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
    std::uint32_t last[threads]; // key of each thread
  };
  std::uint32_t none; // not less: there is no product
  std::uint32_t keys[items], before;
  int rank = 0, count = 0; // columns before the thread's first key, and of the row

  template <class Sequence, class B, class Note>
  __device__ BlockSorted(Sequence const& sequence, B const& b, int entries,
                         ProductRow<Ordinal> const& row, Memory& memory, Note const& note)
      : none(static_cast<std::uint32_t>(row.width) << bits_below)
  {
    int const thread = static_cast<int>(threadIdx.x);
    load_distances<threads, bits_below>(sequence, b, entries, thread, row.first, none, note, keys);
    Sort(memory.sort).Sort(keys, bits_below, 32 - __clz(static_cast<int>(none)));
    __syncthreads();
    memory.last[thread] = keys[items - 1];
    __syncthreads();
    before = thread == 0 ? none : memory.last[thread - 1];
    __syncthreads();
    int of_thread = 0;
#pragma unroll
    for (int t = 0; t < items; ++t)
      of_thread += is_new(t) ? 1 : 0;
    Scan(memory.scan).ExclusiveSum(of_thread, rank, count);
  }
  __device__ bool is_new(int t) const
  {
    return keys[t] < none &&
           keys[t] >> bits_below != (t == 0 ? before : keys[t == 0 ? 0 : t - 1]) >> bits_below;
  }
  // The columns, each once, in order.
  __device__ void write(Ordinal first, Ordinal* columns) const
  {
    int at = rank;
#pragma unroll
    for (int t = 0; t < items; ++t)
      if (is_new(t))
        columns[at++] = first + static_cast<Ordinal>(keys[t] >> bits_below);
  }
};

// One block per row.
template <class A, class B, class Sink>
__global__ void __launch_bounds__(SpgemmPolicyFor::value.shared_block)
    spgemm_multiply_long_sorted_kernel(A a, B b, ProductRow<typename A::ordinal_type> const* rows,
                                       typename A::ordinal_type const* list, Sink sink)
{
  using Sum = typename Sink::sum_type;
  using Ordinal = typename A::ordinal_type;
  constexpr int threads = SpgemmPolicyFor::value.shared_block;
  constexpr int items = SpgemmPolicyFor::value.long_sorted_items;
  using Sorted = BlockSorted<threads, items, Ordinal>;
  __shared__ GroupsMemory<1, SpgemmPolicyFor::value.sequence_entries,
                          SpgemmPolicyFor::long_sorted_products, Ordinal, Sum>
      memory;
  __shared__ typename Sorted::Memory sorted_memory;
  std::int64_t const i = sink.row_of(list, blockIdx.x, gridDim.x);
  if (i < 0)
    return; // the whole block
  EntriesOfRow row = entries_of(a, i);
  auto& sequence = memory.sequence[0];
  if (threadIdx.x < warp_size)
    set_product_sequence<warp_size, SpgemmPolicyFor::long_sorted_products>(sequence, a, b,
                                                                           row.begin, row.count);
  __syncthreads();
  Ordinal* const columns = memory.columns;
  Sum* const sums = memory.sums();
  SumsOfSorted<items, Sum> const of_columns{sums};
  Sorted const sorted(sequence, b, row.count, rows[i], sorted_memory,
                      of_columns.noting(a.values + row.begin, b.values));
  sink.count(i, threads, sorted.count, 0); // nobody asks for its blocks
  sorted.write(rows[i].first, columns);
  of_columns.add(
      sorted.keys, sorted.none, [&](int t) { return sorted.is_new(t); }, sorted.rank,
      [] { __syncthreads(); });
  write_short_row<threads, threads>(sink, i, sorted.count, columns, sums);
}

// Rows of the bins of products sorted in registers, of which `first` is the first, and of those
// sorted by blocks. Asynchronous.
template <class A, class B, class Sink>
void multiply_sorted(SideStreams& side, A const& a, B const& b,
                     ProductRow<typename A::ordinal_type> const* rows,
                     typename A::ordinal_type const* list, RowBins const& bins, int first,
                     Sink const& sink)
{
  SortedBlocks const blocks = blocks_of_sorted(bins, first);
  launch(side, "heddle::spgemm::multiply_sorted", spgemm_multiply_sorted_kernel<A, B, Sink>,
         Grid{blocks.blocks(), SpgemmPolicyFor::value.shared_block}, a, b, rows, list, blocks,
         sink);
}
template <class A, class B, class Sink>
void multiply_long_sorted(SideStreams& side, A const& a, B const& b,
                          ProductRow<typename A::ordinal_type> const* rows,
                          typename A::ordinal_type const* list, std::int64_t listed,
                          Sink const& sink)
{
  launch(side, "heddle::spgemm::multiply_long_sorted",
         spgemm_multiply_long_sorted_kernel<A, B, Sink>,
         Grid{listed, SpgemmPolicyFor::value.shared_block}, a, b, rows, list, sink);
}

} // namespace heddle::cuda_native
