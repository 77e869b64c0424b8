// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The products of a short row of C as one sequence, so that a group of lanes takes them side by
// side whatever the lengths of B's rows: which entry of A a product belongs to is found by search
// among the sums of those lengths.

#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/impl/search.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Shared memory of a group.
template <int most_entries>
struct ProductSequence
{
  int starts[most_entries + 1];      // number of the first product of each entry of A
  std::int64_t begins[most_entries]; // where its row of B begins
};

// What the groups of a block have in shared memory: entries of A, so many of each group; columns
// and sums, so many of all groups.
template <int groups, int entries, int all, class Ordinal, class Sum>
struct GroupsMemory
{
  static constexpr int most = all;
  ProductSequence<entries> sequence[groups];
  Ordinal columns[most];
  // As words: a complex number has a constructor, which shared variables must not have.
  int4 words_of_sums[sizeof(Sum) * most / sizeof(int4)];

  __device__ Sum* sums() { return reinterpret_cast<Sum*>(words_of_sums); }
};

// Where row i of A or C begins and how many entries it has: none where i < 0.
struct EntriesOfRow
{
  std::int64_t begin;
  int count;
};
template <class Matrix>
__device__ EntriesOfRow entries_of(Matrix const& a, std::int64_t i)
{
  if (i < 0)
    return {0, 0};
  auto const begin = static_cast<std::int64_t>(a.offsets[i]);
  return {begin, static_cast<int>(static_cast<std::int64_t>(a.offsets[i + 1]) - begin)};
}

// Entries first .. first + entries - 1 of A. All lanes of the warp take part, groups of `lanes`
// each for its own. Whether they, and their products, are no more than the kernel has room for:
// always, unless a plan is used for another pattern. Else the group has no entries.
template <int lanes, int most_products, int most_entries, class A, class B>
__device__ bool set_product_sequence(ProductSequence<most_entries>& sequence, A const& a,
                                     B const& b, std::int64_t first, int& entries)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  bool fits = entries <= most_entries;
  entries = fits ? entries : 0;
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  int before = 0;
  for (int k = 0; __any_sync(all_lanes, k < entries); k += lanes)
  {
    std::int64_t begin = 0;
    int length = 0;
    if (k + lane < entries)
    {
      auto const row = a.columns[first + k + lane];
      begin = static_cast<std::int64_t>(b.offsets[row]);
      // One more than fit is enough to know that they do not, and sums stay in 32 bits.
      std::int64_t const there = static_cast<std::int64_t>(b.offsets[row + 1]) - begin;
      length = static_cast<int>(there <= most_products ? there : most_products + 1);
    }
    int const sum = inclusive_sum_of_lanes<lanes>(length);
    if (k + lane < entries)
    {
      sequence.starts[k + lane] = before + sum - length;
      sequence.begins[k + lane] = begin;
    }
    before += __shfl_sync(all_lanes, sum, lanes - 1, lanes);
  }
  fits = fits && before <= most_products;
  entries = fits ? entries : 0;
  if (lane == 0)
    sequence.starts[entries] = fits ? before : 0;
  __syncwarp();
  return fits;
}

// The entry of A that product t belongs to.
template <int most_entries>
__device__ int entry_of(ProductSequence<most_entries> const& sequence, int entries, int t)
{
  return impl::last_not_above([&](int k) { return sequence.starts[k]; }, entries, t);
}

} // namespace heddle::cuda_native
