// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numeric phase with recorded terms: a plan keeps, for each entry of C, which entries of A and B
// are multiplied for it (spgemm/terms.cuh). Nothing is looked up then and nothing atomic: a block
// takes terms_of_block products, of as many rows as have them, and adds up what belongs to an entry
// of C: by one thread in the order of A's entries, or, where the block has few entries, by
// neighbouring lanes, which take its terms in turn.
//
// An entry belongs to the block that its terms begin in, and that block adds up all of it. Where an
// entry has more terms than terms_to_cut (spgemm/terms_policy.hpp), entries are cut: every block
// sums what it has of an entry, and a second launch adds these parts, in their order, to what the
// first block has.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/terms_policy.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Terms of C's entries, by entry, in blocks of terms_of_block. Entries of A count from the first
// that terms of the block may have, so that 16 bits are enough for most patterns.
struct SpgemmTermBlock
{
  std::int64_t entry;  // the first of C whose terms do not begin before the block
  std::int64_t begin;  // where they begin
  std::uint32_t first; // that entries of A count from
};
template <class Index>
struct SpgemmTerms
{
  Index const* a;                // entry of A, for each term
  std::uint32_t const* b;        // entry of B
  std::uint16_t const* starts;   // first term, for each entry of C, from the block's
  SpgemmTermBlock const* blocks; // and one behind the last
};

// Of plans whose entries are cut: whether the last entry whose terms begin in block n is, or, if
// none begins there, the one whose terms fill it.
__device__ inline bool is_cut_behind(SpgemmTermBlock const* blocks, std::int64_t n)
{
  return blocks[n + 1].begin > (n + 1) * spgemm_terms_policy.terms_of_block;
}
// Whether block n begins with terms of an entry that is cut. If none begins in the block before,
// terms of one fill that block and go on.
__device__ inline bool is_cut_before(SpgemmTermBlock const* blocks, std::int64_t n)
{
  return n > 0 && blocks[n].begin > n * spgemm_terms_policy.terms_of_block &&
         (blocks[n - 1].entry == blocks[n].entry || is_cut_behind(blocks, n - 1));
}

// parts: where entries are cut, for each block the sum of its terms of an entry that is and that
// begins before it; else null.
template <class Index, class A, class B, class C>
__global__ void __launch_bounds__(spgemm_terms_policy.threads_per_block,
                                  spgemm_terms_policy.blocks_of_multiprocessor)
    spgemm_sum_terms_kernel(A a, B b, C c, SpgemmTerms<Index> terms, typename C::value_type* parts)
{
  using Sum = typename C::value_type;
  constexpr int threads = spgemm_terms_policy.threads_per_block;
  constexpr int per_block = spgemm_terms_policy.terms_of_block;
  // As words: a complex number has a constructor, which shared variables must not have.
  __shared__ int4 words[sizeof(Sum) * per_block / sizeof(int4)];
  Sum* const products = reinterpret_cast<Sum*>(words);
  int const thread = static_cast<int>(threadIdx.x);
  std::int64_t const begin_of_block = blockIdx.x * std::int64_t(per_block);
  if (parts != nullptr)
    let_next_start();
  SpgemmTermBlock const block = terms.blocks[blockIdx.x], next = terms.blocks[blockIdx.x + 1];
  auto const product = [&](std::int64_t t, std::uint32_t first) {
    return Sum(a.values[first + terms.a[t]]) * Sum(b.values[terms.b[t]]);
  };
  int const end_of_block = static_cast<int>(begin_of_block + per_block - block.begin);
  if (parts != nullptr && is_cut_before(terms.blocks, blockIdx.x))
  {
    int const before = end_of_block > 0 ? per_block - end_of_block : per_block;
    Sum sum(0);
#pragma unroll
    for (int n = 0; n < per_block / threads; ++n)
      if (int const t = n * threads + thread; t < before)
        sum += product(begin_of_block + t, block.first);
    sum = sum_of_block<threads>(sum, products);
    if (thread == 0)
      parts[blockIdx.x] = sum;
    __syncthreads(); // before products are others
  }
  if (block.entry == next.entry)
    return;
  // Of the last entry what fits, or what is before the cut.
  std::int64_t const all = next.begin - block.begin;
  int const here = parts != nullptr && is_cut_behind(terms.blocks, blockIdx.x) ? end_of_block
                   : all < per_block ? static_cast<int>(all)
                                     : per_block;
#pragma unroll
  for (int n = 0; n < per_block / threads; ++n)
    if (int const t = n * threads + thread; t < here)
      products[t] = product(block.begin + t, t < end_of_block ? block.first : next.first);
  __syncthreads();
  int const offset = static_cast<int>(begin_of_block - block.begin);
  int const entries = static_cast<int>(next.entry - block.entry);
  auto const sum_of = [&](int entry, int first, int step) {
    std::int64_t const e = block.entry + entry;
    int const to = entry + 1 < entries ? offset + static_cast<int>(terms.starts[e + 1]) : here;
    Sum sum(0);
    for (int t = offset + static_cast<int>(terms.starts[e]) + first; t < to; t += step)
      sum += products[t];
    return sum;
  };
  if (2 * entries > threads)
    for (int entry = thread; entry < entries; entry += threads)
      c.values[block.entry + entry] = sum_of(entry, 0, 1);
  else
  {
    int lanes = 2; // of an entry
    while (lanes < warp_size && 2 * lanes * entries <= threads)
      lanes *= 2;
    int const entry = thread / lanes;
    Sum const sum =
        sum_of_lanes(entry < entries ? sum_of(entry, thread % lanes, lanes) : Sum(0), lanes);
    if (entry < entries && thread % lanes == 0)
      c.values[block.entry + entry] = sum;
  }
  if (parts != nullptr || all <= per_block)
    return;
  // The last entry has more than fit. Each thread takes several of these at once: what it waits for
  // is loads.
  constexpr int at_once = 4;
  Sum beyond(0);
  for (std::int64_t first = block.begin + per_block + thread; first < next.begin;
       first += at_once * threads)
  {
    Sum some[at_once];
#pragma unroll
    for (int n = 0; n < at_once; ++n)
    {
      std::int64_t const t = first + n * threads;
      some[n] = t < next.begin ? product(t, terms.blocks[t / per_block].first) : Sum(0);
    }
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      beyond += some[n];
  }
  __syncthreads(); // products have been read
  beyond = sum_of_block<threads>(beyond, products);
  if (thread == 0)
    c.values[next.entry - 1] += beyond;
}

// Adds to each entry that is cut the parts of the blocks behind its first, a warp for each block.
// Starts early, behind spgemm_sum_terms_kernel.
template <class C>
__global__ void spgemm_add_parts_kernel(C c, SpgemmTermBlock const* blocks, std::int64_t count,
                                        typename C::value_type const* parts)
{
  using Sum = typename C::value_type;
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const n = thread / warp_size;
  bool const is_cut =
      n < count && blocks[n].entry != blocks[n + 1].entry && is_cut_behind(blocks, n);
  wait_for_previous(); // all threads, so that this kernel ends behind that one
  if (!is_cut)
    return;
  std::int64_t const end = blocks_of_terms(blocks[n + 1].begin);
  Sum sum(0);
#pragma unroll 4
  for (std::int64_t part = n + 1 + thread % warp_size; part < end; part += warp_size)
    sum += parts[part];
  sum = sum_of_lanes(sum, warp_size);
  if (thread % warp_size == 0)
    c.values[blocks[n + 1].entry - 1] += sum;
}

} // namespace heddle::cuda_native
