// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numeric phase with recorded terms: a plan that is used often keeps, for each entry of C, which
// entries of A and B are multiplied for it. Nothing is looked up then and nothing atomic: a block
// takes so many products, whatever rows they are of, and each entry of C is summed in the order of
// A's entries.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/numeric_search.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// A product, by its entries of A and B.
struct alignas(8) SpgemmTerm
{
  std::uint32_t a, b;
};

// Those of entry e of C are of[starts[e]] .. of[starts[e + 1] - 1]. A block takes entries firsts[n]
// .. firsts[n + 1] - 1, whose terms begin among per_block.
struct SpgemmTerms
{
  static constexpr int per_block = 2048;
  static constexpr int threads = 256;
  std::int64_t const* starts;
  SpgemmTerm const* of;
  std::int64_t const* firsts;
};

// visit(entry of A, entry of B, entry of C) for the products of all rows, a warp a row, which waits
// after each entry of A.
template <class A, class B, class C, class Visit>
__device__ void for_each_term(A const& a, B const& b, C const& c, Visit const& visit)
{
  std::int64_t const i =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (i >= a.rows)
    return;
  auto const begin = static_cast<std::int64_t>(c.offsets[i]);
  int const count = static_cast<int>(static_cast<std::int64_t>(c.offsets[i + 1]) - begin);
  for (auto k = static_cast<std::int64_t>(a.offsets[i]);
       k < static_cast<std::int64_t>(a.offsets[i + 1]); ++k)
  {
    auto const row = static_cast<std::int64_t>(a.columns[k]);
    std::int64_t const from = b.begin_of(row), to = from + b.length_of(row);
    for (std::int64_t n = from + threadIdx.x % warp_size; n < to; n += warp_size)
      visit(k, n, begin + place_of(c.columns + begin, count, b.columns[n]));
    __syncwarp();
  }
}

// Adds the number of terms of each entry of C to counts.
template <class A, class B, class C>
__global__ void spgemm_count_terms_kernel(A a, B b, C c, std::uint32_t* counts)
{
  for_each_term(a, b, c, [&](std::int64_t, std::int64_t, std::int64_t e) {
    atomicAdd(&counts[e], 1U); // a row is one warp's, but its lanes' entries are not ordered
  });
}

// ends[e], where the terms of entry e of C begin, becomes where they end.
template <class A, class B, class C>
__global__ void spgemm_record_terms_kernel(A a, B b, C c, std::int64_t* ends, SpgemmTerm* terms)
{
  for_each_term(a, b, c, [&](std::int64_t k, std::int64_t n, std::int64_t e) {
    // A row of B has each column once: no other lane has this entry now.
    terms[ends[e]++] = {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(n)};
  });
}

// firsts[n]: the first entry of C whose terms do not begin before n * per_block, for n < blocks,
// and the number of entries for n = blocks.
static __global__ void spgemm_first_entries_kernel(std::int64_t const* starts, std::int64_t entries,
                                                   std::int64_t* firsts, std::int64_t blocks)
{
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n > blocks)
    return;
  auto const start_of = [&](std::int64_t entry) { return starts[entry]; };
  firsts[n] = n == blocks ? entries
                          : impl::lower_bound(start_of, std::int64_t(0), entries,
                                              n * SpgemmTerms::per_block);
}

template <class A, class B, class C>
__global__ void __launch_bounds__(SpgemmTerms::threads)
    spgemm_sum_terms_kernel(A a, B b, C c, SpgemmTerms terms)
{
  using Sum = typename C::value_type;
  constexpr int threads = SpgemmTerms::threads, per_block = SpgemmTerms::per_block;
  // As words: a complex number has a constructor, which shared variables must not have.
  __shared__ int4 words[sizeof(Sum) * per_block / sizeof(int4)];
  Sum* const products = reinterpret_cast<Sum*>(words);
  int const thread = static_cast<int>(threadIdx.x);
  std::int64_t const first = terms.firsts[blockIdx.x], last = terms.firsts[blockIdx.x + 1];
  if (first == last)
    return;
  std::int64_t const begin = terms.starts[first], end = terms.starts[last];
  int const here = static_cast<int>(end - begin < per_block ? end - begin : per_block);
  auto const product = [&](std::int64_t t) {
    SpgemmTerm const term = terms.of[t];
    return Sum(a.values[term.a]) * Sum(b.values[term.b]);
  };
#pragma unroll 4
  for (int t = thread; t < here; t += threads)
    products[t] = product(begin + t);
  __syncthreads();
  for (std::int64_t e = first + thread; e < last; e += threads)
  {
    int const from = static_cast<int>(terms.starts[e] - begin);
    std::int64_t const to = terms.starts[e + 1] - begin;
    Sum sum(0);
    for (int t = from; t < (to < here ? static_cast<int>(to) : here); ++t)
      sum += products[t];
    c.values[e] = sum;
  }
  if (end - begin <= per_block)
    return;
  // The last entry has more than fit.
  Sum rest(0);
  for (std::int64_t t = begin + per_block + thread; t < end; t += threads)
    rest += product(t);
  __syncthreads();
  products[thread] = rest;
  __syncthreads();
  if (thread != 0)
    return;
  Sum sum = c.values[last - 1];
  for (int t = 0; t < threads; ++t)
    sum += products[t];
  c.values[last - 1] = sum;
}

} // namespace heddle::cuda_native
