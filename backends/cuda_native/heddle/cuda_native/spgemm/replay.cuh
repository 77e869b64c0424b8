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
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::cuda_native
{

// A product, by its entries of A and B.
struct alignas(8) SpgemmTerm
{
  std::uint32_t a, b;
};

// Those of entry e of C are of[starts[e]] .. of[starts[e + 1] - 1]. A block takes entries firsts[n]
// .. firsts[n + 1] - 1, whose terms begin among terms_of_block.
struct SpgemmTermsPolicy
{
  int threads_per_block, terms_of_block;
};
inline constexpr SpgemmTermsPolicy spgemm_terms_policy{256, 2048};
struct SpgemmTerms
{
  std::int64_t const* starts;
  SpgemmTerm const* of;
  std::int64_t const* firsts;
};

// visit(entry of A, entry of B, entry of C) for the products of all rows, one warp per row, which
// waits after each entry of A.
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
      visit(k, n, begin + index_of_column(c.columns + begin, count, b.columns[n]));
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

// firsts[n]: the first entry of C whose terms do not begin before n * terms_of_block, for n <
// blocks, and the number of entries for n = blocks.
static __global__ void spgemm_first_entries_kernel(std::int64_t const* starts, std::int64_t entries,
                                                   std::int64_t* firsts, std::int64_t blocks)
{
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n > blocks)
    return;
  auto const start_of = [&](std::int64_t entry) { return starts[entry]; };
  firsts[n] = n == blocks ? entries
                          : impl::lower_bound(start_of, std::int64_t(0), entries,
                                              n * spgemm_terms_policy.terms_of_block);
}

template <class A, class B, class C>
__global__ void __launch_bounds__(spgemm_terms_policy.threads_per_block)
    spgemm_sum_terms_kernel(A a, B b, C c, SpgemmTerms terms)
{
  using Sum = typename C::value_type;
  constexpr int threads = spgemm_terms_policy.threads_per_block;
  constexpr int per_block = spgemm_terms_policy.terms_of_block;
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
  Sum beyond(0); // of terms that did not fit
  for (std::int64_t t = begin + per_block + thread; t < end; t += threads)
    beyond += product(t);
  __syncthreads();
  products[thread] = beyond;
  __syncthreads();
  if (thread != 0)
    return;
  Sum sum = c.values[last - 1];
  for (int t = 0; t < threads; ++t)
    sum += products[t];
  c.values[last - 1] = sum;
}

// counts, zero before, become the number of terms of each entry of C. Asynchronous.
template <class Call>
void count_terms(Call const& call, typename Call::C const& c, std::uint32_t* counts)
{
  launch(call.exec, "heddle::spgemm::count_terms",
         spgemm_count_terms_kernel<typename Call::A, typename Call::B, typename Call::C>,
         one_thread_each(call.a.rows * warp_size), call.a, call.b, c, counts);
}
// ends, where the terms of each entry of C begin, become where they end. Asynchronous.
template <class Call>
void record_terms(Call const& call, typename Call::C const& c, std::int64_t* ends,
                  SpgemmTerm* terms)
{
  launch(call.exec, "heddle::spgemm::record_terms",
         spgemm_record_terms_kernel<typename Call::A, typename Call::B, typename Call::C>,
         one_thread_each(call.a.rows * warp_size), call.a, call.b, c, ends, terms);
}

// What a plan keeps of terms, in device memory.
struct RecordedTerms
{
  template <class T>
  using View = Kokkos::View<T*, Kokkos::CudaSpace>;
  View<std::int64_t> starts, firsts;
  View<SpgemmTerm> terms;

  bool are_there() const { return terms.extent(0) > 0; }
  std::size_t bytes() const
  {
    return (starts.span() + firsts.span()) * sizeof(std::int64_t) +
           terms.span() * sizeof(SpgemmTerm);
  }
  std::int64_t blocks() const { return static_cast<std::int64_t>(firsts.extent(0)) - 1; }

  static std::int64_t blocks_for_products(std::int64_t products)
  {
    return blocks_for(products, spgemm_terms_policy.terms_of_block);
  }
  // Bytes that recording takes, with counts of terms, which are not kept.
  static std::size_t bytes_to_record(std::size_t entries, std::int64_t products)
  {
    return static_cast<std::size_t>(products) * sizeof(SpgemmTerm) +
           (entries + static_cast<std::size_t>(blocks_for_products(products)) + 3) *
               sizeof(std::int64_t) +
           entries * sizeof(std::uint32_t);
  }
};

// The terms of all entries of c, whose offsets and columns are there. Asynchronous, but for the
// Views it makes.
template <class Call>
RecordedTerms recorded_terms(Call const& call, typename Call::C const& c, std::size_t entries,
                             std::int64_t products)
{
  Kokkos::Cuda const& exec = call.exec;
  RecordedTerms result;
  impl::Scratch<std::uint32_t, Kokkos::Cuda> const counts(exec, entries);
  Kokkos::deep_copy(exec, counts.view(), 0U);
  count_terms(call, c, counts.data());
  // One index on: recording moves the beginnings to the ends, which are the next one's beginnings.
  result.starts = impl::uninitialized<RecordedTerms::View<std::int64_t>>(
      exec, "heddle::spgemm::starts", entries + 2);
  Kokkos::deep_copy(exec, Kokkos::subview(result.starts, std::pair(0, 1)), 0);
  auto const ends = Kokkos::subview(result.starts, std::pair(std::size_t(1), entries + 2));
  offsets_from_counts(exec, counts.view(), ends);
  result.terms = impl::uninitialized<RecordedTerms::View<SpgemmTerm>>(
      exec, "heddle::spgemm::terms", static_cast<std::size_t>(products));
  record_terms(call, c, ends.data(), result.terms.data());
  std::int64_t const blocks = RecordedTerms::blocks_for_products(products);
  result.firsts = impl::uninitialized<RecordedTerms::View<std::int64_t>>(
      exec, "heddle::spgemm::firsts", static_cast<std::size_t>(blocks) + 1);
  launch(exec, "heddle::spgemm::first_entries", spgemm_first_entries_kernel,
         one_thread_each(blocks + 1), result.starts.data(), static_cast<std::int64_t>(entries),
         result.firsts.data(), blocks);
  return result;
}

// The numeric phase by recorded terms: in order, and repeatable. Asynchronous.
template <class Call>
void sum_terms(Call const& call, typename Call::C const& c, RecordedTerms const& recorded)
{
  launch(call.exec, "heddle::spgemm::sum_terms",
         spgemm_sum_terms_kernel<typename Call::A, typename Call::B, typename Call::C>,
         Grid{recorded.blocks(), spgemm_terms_policy.threads_per_block}, call.a, call.b, c,
         SpgemmTerms{recorded.starts.data(), recorded.terms.data(), recorded.firsts.data()});
}

} // namespace heddle::cuda_native
