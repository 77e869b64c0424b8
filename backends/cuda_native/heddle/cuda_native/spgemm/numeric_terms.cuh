// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numeric phase with recorded terms: a plan keeps, for each entry of C, which entries of A and B
// are multiplied for it (spgemm/terms.cuh). Nothing is looked up then and nothing atomic: a block
// takes terms_of_block products, of as many rows as have them, and adds up what belongs to an entry
// of C: by one thread in the order of A's entries, or, where the block has few entries, by
// neighbouring lanes, which take its terms in turn.

#include <heddle/cuda_native/device/launch.cuh>
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

template <class Index, class A, class B, class C>
__global__ void __launch_bounds__(spgemm_terms_policy.threads_per_block,
                                  spgemm_terms_policy.blocks_of_multiprocessor)
    spgemm_sum_terms_kernel(A a, B b, C c, SpgemmTerms<Index> terms)
{
  using Sum = typename C::value_type;
  constexpr int threads = spgemm_terms_policy.threads_per_block;
  constexpr int per_block = spgemm_terms_policy.terms_of_block;
  // As words: a complex number has a constructor, which shared variables must not have.
  __shared__ int4 words[sizeof(Sum) * per_block / sizeof(int4)];
  Sum* const products = reinterpret_cast<Sum*>(words);
  int const thread = static_cast<int>(threadIdx.x);
  SpgemmTermBlock const block = terms.blocks[blockIdx.x], next = terms.blocks[blockIdx.x + 1];
  if (block.entry == next.entry)
    return;
  std::int64_t const end = next.begin;
  int const here = static_cast<int>(end - block.begin < per_block ? end - block.begin : per_block);
  // Terms of the last entry may be in the next block.
  int const of_this = static_cast<int>((blockIdx.x + std::int64_t(1)) * per_block - block.begin);
  auto const product = [&](std::int64_t t, std::uint32_t first) {
    return Sum(a.values[first + terms.a[t]]) * Sum(b.values[terms.b[t]]);
  };
#pragma unroll
  for (int n = 0; n < per_block / threads; ++n)
    if (int const t = n * threads + thread; t < here)
      products[t] = product(block.begin + t, t < of_this ? block.first : next.first);
  __syncthreads();
  int const offset = static_cast<int>(blockIdx.x * std::int64_t(per_block) - block.begin);
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
  if (end - block.begin <= per_block)
    return;
  // The last entry has more than fit. Each thread takes several of these at once: what it waits for
  // is loads.
  constexpr int at_once = 4;
  Sum beyond(0);
  for (std::int64_t first = block.begin + per_block + thread; first < end;
       first += at_once * threads)
  {
    Sum some[at_once];
#pragma unroll
    for (int n = 0; n < at_once; ++n)
    {
      std::int64_t const t = first + n * threads;
      some[n] = t < end ? product(t, terms.blocks[t / per_block].first) : Sum(0);
    }
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      beyond += some[n];
  }
  beyond = sum_of_lanes(beyond, warp_size);
  __syncthreads();
  if (thread % warp_size == 0)
    products[thread / warp_size] = beyond;
  __syncthreads();
  if (thread != 0)
    return;
  Sum sum = c.values[next.entry - 1];
  for (int warp = 0; warp < threads / warp_size; ++warp)
    sum += products[warp];
  c.values[next.entry - 1] = sum;
}

} // namespace heddle::cuda_native
