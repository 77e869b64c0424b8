// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numeric phase of rows with few products and entries: a group of lanes has the columns of its row
// of C in shared memory, finds the index of each product's column by binary search, and adds it to
// a sum there: by atomics, side by side, or in the order of A's entries, whose rows of B have each
// column once.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/shared_sums.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/product_sequence.cuh>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// The index of a column among count sorted ones, which have it; else any of their indices.
template <class Ordinal>
__device__ int index_of_column(Ordinal const* columns, int count, Ordinal column)
{
  return impl::last_not_above([&](int n) { return columns[n]; }, count, column);
}

// A row of C and the row of A it comes from; nothing where i < 0.
struct RowToSum
{
  std::int64_t begin = 0, c_begin = 0;
  int entries = 0, count = 0;

  template <class A, class C>
  __device__ RowToSum(A const& a, C const& c, std::int64_t i)
  {
    EntriesOfRow const of_a = entries_of(a, i), of_c = entries_of(c, i);
    begin = of_a.begin;
    entries = of_a.count;
    c_begin = of_c.begin;
    count = of_c.count;
  }
};

template <class Sum>
struct AddedProduct
{
  int index = -1; // of its sum; none
  Sum term = Sum(0);
};

// sums[index(at, t)] += factor(k) * value(at) for product t of a row, of entry k of A and entry at
// of B; in order also where that leaves few lanes idle, since no addition is atomic then. All lanes
// of the warp take part; waits for them.
template <bool in_order, int lanes, class Sequence, class Factor, class Value, class Index,
          class Sum>
__device__ void add_products_of_sequence(Sequence const& sequence, int entries,
                                         Factor const& factor, Value const& value,
                                         Index const& index, Sum* sums)
{
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  int const products = sequence.starts[entries];
  if (in_order || __all_sync(0xffffffffU, entries * lanes <= 2 * products))
  {
    // The first product of a lane is looked up one entry before it is added.
    auto const first_of = [&](int k) {
      AddedProduct<Sum> next;
      if (int const t = k < entries ? sequence.starts[k] + lane : 0;
          k < entries && t < sequence.starts[k + 1])
      {
        std::int64_t const at = sequence.begins[k] + lane;
        next = {index(at, t), factor(k) * value(at)};
      }
      return next;
    };
    AddedProduct<Sum> next = first_of(0);
    for (int k = 0; __any_sync(0xffffffffU, k < entries); ++k)
    {
      AddedProduct<Sum> const now = next;
      next = first_of(k + 1);
      if (now.index >= 0)
        sums[now.index] += now.term;
      if (k < entries)
        for (int t = sequence.starts[k] + lane + lanes; t < sequence.starts[k + 1]; t += lanes)
        {
          std::int64_t const at = sequence.begins[k] + t - sequence.starts[k];
          sums[index(at, t)] += factor(k) * value(at);
        }
      __syncwarp();
    }
  }
  else
  {
    for (int t = lane; t < products; t += lanes)
    {
      int const k = entry_of(sequence, entries, t);
      std::int64_t const at = sequence.begins[k] + t - sequence.starts[k];
      add_in_shared(sums[index(at, t)], factor(k) * value(at));
    }
    __syncwarp();
  }
}

// What a block of the searched bins has in shared memory: columns and sums of its groups.
template <class Ordinal, class Sum>
using SearchedMemory =
    GroupsMemory<SpgemmPolicyFor::value.shared_block / SpgemmPolicyFor::searched_lanes(0),
                 SpgemmPolicyFor::value.sequence_entries,
                 SpgemmPolicyFor::value.shared_block / SpgemmPolicyFor::searched_lanes(0) *
                     SpgemmPolicyFor::searched_entries(0), // as many in each bin
                 Ordinal, Sum>;

// A block of rows of a bin, of at most `most` entries each.
template <bool in_order, int lanes, int most, class A, class B, class C>
__device__ void
sum_searched_rows(A const& a, B const& b, C const& c,
                  ProductRow<typename A::ordinal_type> const* rows,
                  typename A::ordinal_type const* list, std::int64_t listed, std::int64_t block,
                  SearchedMemory<typename A::ordinal_type, typename C::value_type>& memory)
{
  using Ordinal = typename A::ordinal_type;
  using Sum = typename C::value_type;
  constexpr int groups = SpgemmPolicyFor::value.shared_block / lanes;
  static_assert(groups * most <= SearchedMemory<Ordinal, Sum>::most);
  int const group = static_cast<int>(threadIdx.x) / lanes;
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  std::int64_t const n = block * groups + group;
  std::int64_t const i = n < listed ? static_cast<std::int64_t>(list[n]) : -1;
  RowToSum row(a, c, i);
  Ordinal const products = i < 0 ? 0 : rows[i].products; // that the plan found
  Ordinal* const columns = memory.columns + group * most;
  Sum* const sums = memory.sums() + group * most;
  for (int k = lane; k < row.count; k += lanes)
  {
    columns[k] = c.columns[row.c_begin + k];
    sums[k] = Sum(0);
  }
  auto& sequence = memory.sequence[group];
  bool const fits =
      set_product_sequence<lanes, most>(sequence, a, b, row.begin, row.entries); // waits
  if (row.count > 0 && (!fits || sequence.starts[row.entries] != static_cast<int>(products)))
    c.report();
  add_products_of_sequence<in_order, lanes>(
      sequence, row.entries, [&](int k) { return Sum(a.values[row.begin + k]); },
      [&](std::int64_t at) { return Sum(b.values[at]); },
      [&](std::int64_t at, int) { return index_of_column(columns, row.count, b.columns[at]); },
      sums);
  for (int k = lane; k < row.count; k += lanes)
    c.values[row.c_begin + k] = sums[k];
}

using SearchedBlocks = BinBlocks<SpgemmPolicyFor::value.searched_bins>;
inline SearchedBlocks blocks_of_searched(RowBins const& bins, int first)
{
  return {bins, first, [](int c) {
            return SpgemmPolicyFor::value.shared_block / SpgemmPolicyFor::searched_lanes(c);
          }};
}

template <bool in_order, class A, class B, class C>
__global__ void __launch_bounds__(SpgemmPolicyFor::value.shared_block)
    spgemm_searched_kernel(A a, B b, C c, ProductRow<typename A::ordinal_type> const* rows,
                           typename A::ordinal_type const* list, SearchedBlocks bins)
{
  __shared__ SearchedMemory<typename A::ordinal_type, typename C::value_type> memory;
  bins.visit([&]<int n>(BinIndex<n>, RowRange const& of_bin, std::int64_t block) {
    sum_searched_rows<in_order, SpgemmPolicyFor::searched_lanes(n),
                      SpgemmPolicyFor::searched_entries(n)>(a, b, c, rows, list + of_bin.first,
                                                            of_bin.count, block, memory);
  });
}

// Rows of the searched bins, of which `first` is the first. Asynchronous.
template <bool in_order, class A, class B, class C>
void sum_searched(SideStreams& side, A const& a, B const& b, C const& c,
                  ProductRow<typename A::ordinal_type> const* rows,
                  typename A::ordinal_type const* list, RowBins const& bins, int first)
{
  SearchedBlocks const blocks = blocks_of_searched(bins, first);
  launch(side, "heddle::spgemm::searched", spgemm_searched_kernel<in_order, A, B, C>,
         Grid{blocks.blocks(), SpgemmPolicyFor::value.shared_block}, a, b, c, rows, list, blocks);
}

} // namespace heddle::cuda_native
