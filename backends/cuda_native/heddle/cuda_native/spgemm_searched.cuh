// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numeric phase of rows with few products and entries: a group of lanes has the columns of its row
// of C in shared memory, finds the place of each product by binary search, and adds it to a sum
// there: by atomics, side by side, or in the order of A's entries, whose rows of B have each column
// once.

#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/spgemm_flat.cuh>
#include <heddle/cuda_native/spgemm_policy.hpp>
#include <heddle/cuda_native/spgemm_survey.cuh>
#include <heddle/impl/arithmetic.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// C as the numeric kernels see it: columns are there, values are written.
template <class Value, class Ordinal, class Offset>
struct SpgemmTarget
{
  using value = Value;
  using ordinal = Ordinal;
  using offset = Offset;
  Offset const* offsets;
  Ordinal const* columns;
  Value* values;
};

// The place of column among count sorted ones, which have it.
template <class Ordinal>
__device__ int place_of(Ordinal const* columns, int count, Ordinal column)
{
  int first = 0;
  while (count > 1)
  {
    int const half = count / 2;
    if (columns[first + half] <= column)
    {
      first += half;
      count -= half;
    }
    else
      count = half;
  }
  return first;
}

// A row of C and the row of A it comes from; nothing where i < 0.
struct RowToSum
{
  std::int64_t begin = 0, c_begin = 0;
  int entries = 0, count = 0;

  template <class A, class C>
  __device__ RowToSum(A const& a, C const& c, std::int64_t i)
  {
    if (i < 0)
      return;
    begin = static_cast<std::int64_t>(a.offsets[i]);
    entries = static_cast<int>(static_cast<std::int64_t>(a.offsets[i + 1]) - begin);
    c_begin = static_cast<std::int64_t>(c.offsets[i]);
    count = static_cast<int>(static_cast<std::int64_t>(c.offsets[i + 1]) - c_begin);
  }
};

// sums[place(at, t)] += factor(k) * value(at) for product t of a row, of entry k of A and entry at
// of B. All lanes of the warp take part; waits for them.
template <bool in_order, int lanes, class Flat, class Factor, class Value, class Place, class Sum>
__device__ void add_flat_products(Flat const& flat, int entries, Factor const& factor,
                                  Value const& value, Place const& place, Sum* sums)
{
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  if constexpr (in_order)
  {
    for (int k = 0; __any_sync(0xffffffffU, k < entries); ++k)
    {
      if (k < entries)
        for (int t = flat.starts[k] + lane; t < flat.starts[k + 1]; t += lanes)
        {
          std::int64_t const at = flat.begins[k] + t - flat.starts[k];
          sums[place(at, t)] += factor(k) * value(at);
        }
      __syncwarp();
    }
  }
  else
  {
    int const products = flat.starts[entries];
    for (int t = lane; t < products; t += lanes)
    {
      int const k = entry_of(flat, entries, t);
      std::int64_t const at = flat.begins[k] + t - flat.starts[k];
      impl::atomic_accumulate(sums[place(at, t)], factor(k) * value(at));
    }
    __syncwarp();
  }
}

// Rows of at most `most` entries.
template <bool in_order, int lanes, int most, class A, class B, class C>
__global__ void __launch_bounds__(SpgemmPolicy::shared_block)
    spgemm_searched_kernel(A a, B b, C c, typename A::ordinal const* list, std::int64_t listed)
{
  using Ordinal = typename A::ordinal;
  using Sum = typename C::value;
  constexpr int groups = SpgemmPolicy::shared_block / lanes;
  __shared__ FlatRows<SpgemmPolicy::flat_entries> flat_rows[groups];
  __shared__ Ordinal all_columns[groups][most];
  // As words: a complex number has a constructor, which shared variables must not have.
  __shared__ int4 all_sums[sizeof(Sum) * groups * most / sizeof(int4)];
  int const group = static_cast<int>(threadIdx.x) / lanes;
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * groups + group;
  RowToSum const row(a, c, n < listed ? static_cast<std::int64_t>(list[n]) : -1);
  Ordinal* const columns = all_columns[group];
  Sum* const sums = reinterpret_cast<Sum*>(all_sums) + group * most;
  for (int k = lane; k < row.count; k += lanes)
  {
    columns[k] = c.columns[row.c_begin + k];
    sums[k] = Sum(0);
  }
  auto& flat = flat_rows[group];
  set_flat_rows<lanes>(flat, a, b, row.begin, row.entries); // waits for the warp
  add_flat_products<in_order, lanes>(
      flat, row.entries, [&](int k) { return Sum(a.values[row.begin + k]); },
      [&](std::int64_t at) { return Sum(b.values[at]); },
      [&](std::int64_t at, int) { return place_of(columns, row.count, b.columns[at]); }, sums);
  for (int k = lane; k < row.count; k += lanes)
    c.values[row.c_begin + k] = sums[k];
}

// Rows of searched class n. Asynchronous.
template <bool in_order, int n, class A, class B, class C>
void sum_searched(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c,
                  typename A::ordinal const* list, std::int64_t listed)
{
  constexpr int lanes = SpgemmPolicy::searched_lanes(n), most = SpgemmPolicy::searched_entries(n);
  launch(exec, "heddle::spgemm::searched", spgemm_searched_kernel<in_order, lanes, most, A, B, C>,
         one_thread_each(listed * lanes, SpgemmPolicy::shared_block), a, b, c, list, listed);
}

} // namespace heddle::cuda_native
