// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Symbolic phase of rows with few products: a group of lanes holds the columns of all products in
// registers, sorts them and keeps each once (expand, sort and compress as in paper 003, II.B,
// within a warp).

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/product_sequence.cuh>
#include <heddle/cuda_native/spgemm/sorted_products.cuh>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Shared memory of a block.
struct SortedMemory
{
  ProductSequence<SpgemmPolicyFor::value.sequence_entries>
      sequence[SpgemmPolicyFor::value.shared_block / SpgemmPolicyFor::sorted_lanes(0)];
};

// A block of rows of a bin.
template <int lanes, int items, class A, class B, class Sink>
__device__ void find_sorted_rows(A const& a, B const& b,
                                 ProductRow<typename A::ordinal_type> const* rows,
                                 typename A::ordinal_type const* list, std::int64_t listed,
                                 std::int64_t block, SortedMemory& memory, Sink const& sink)
{
  using Ordinal = typename A::ordinal_type;
  constexpr int groups = SpgemmPolicyFor::value.shared_block / lanes;
  int const group = static_cast<int>(threadIdx.x) / lanes;
  std::int64_t const i = sink.row_of(list, block * groups + group, listed);
  auto [begin, entries] = entries_of(a, i);
  auto& sequence = memory.sequence[group];
  set_product_sequence<lanes, lanes * items>(sequence, a, b, begin, entries);
  SortedProducts<lanes, items, Ordinal> const sorted(sequence, b, entries,
                                                     i < 0 ? Ordinal(0) : rows[i].first,
                                                     [](int, int, std::int64_t) { return 0U; });
  sink.count(i, lanes, sorted.count, sorted.blocks);
  if (Ordinal* const to =
          sink.template destination<SpgemmPolicyFor::value.shared_block, lanes>(i, sorted.count);
      to != nullptr)
    sorted.write(to);
}

template <class A, class B, class Sink>
__global__ void __launch_bounds__(SpgemmPolicyFor::value.shared_block)
    spgemm_sorted_kernel(A a, B b, ProductRow<typename A::ordinal_type> const* rows,
                         typename A::ordinal_type const* list, SortedBlocks bins, Sink sink)
{
  __shared__ SortedMemory memory;
  bins.visit([&]<int c>(BinIndex<c>, RowRange const& of_bin, std::int64_t block) {
    find_sorted_rows<SpgemmPolicyFor::sorted_lanes(c), SpgemmPolicyFor::sorted_items(c)>(
        a, b, rows, list + of_bin.first, of_bin.count, block, memory, sink);
  });
}

// Rows of the sorted bins, of which `first` is the first. Asynchronous.
template <class A, class B, class Sink>
void find_sorted(SideStreams& side, A const& a, B const& b,
                 ProductRow<typename A::ordinal_type> const* rows,
                 typename A::ordinal_type const* list, RowBins const& bins, int first,
                 Sink const& sink)
{
  SortedBlocks const blocks = blocks_of_sorted(bins, first);
  launch(side, "heddle::spgemm::sorted", spgemm_sorted_kernel<A, B, Sink>,
         Grid{blocks.blocks(), SpgemmPolicyFor::value.shared_block}, a, b, rows, list, blocks,
         sink);
}

} // namespace heddle::cuda_native
