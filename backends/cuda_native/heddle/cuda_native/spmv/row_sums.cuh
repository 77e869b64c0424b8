// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What each of the threads adds up that share a row of CSR, or a part of it: entries at equal
// distances, in batches of loads.

#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/impl/arithmetic.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// Where x has the value for a column: at its index.
struct IndexOfColumn
{
  template <class Ordinal>
  __device__ Ordinal operator()(Ordinal column) const
  {
    return column;
  }
};

// Entries that stay in the caches from call to call, where the matrix is small enough: read like x,
// not past the caches.
template <class Value>
struct CachedValues
{
  Value const* values;

  __device__ Value operator[](int n) const { return load_cached(values + n); }
  __device__ CachedValues from(std::int64_t n) const { return {values + n}; }
};
template <class Value, class Ordinal, class Offset>
struct CachedEntries : CsrView<Value, Ordinal, Offset>
{
  __device__ CachedValues<Value> values_from(std::int64_t k) const { return {this->values + k}; }
};
template <class Values>
inline constexpr bool are_cached_v = false;
template <class Value>
inline constexpr bool are_cached_v<CachedValues<Value>> = true;

// A column, read as the values beside it.
template <class Values, class Ordinal>
__device__ Ordinal load_column(Ordinal const* from)
{
  if constexpr (are_cached_v<Values>)
    return load_cached(from);
  else
    return load_once(from);
}

// The sum over every threads_per_row-th of the `length` entries of a row, from the entry on at
// which columns and values are, the lane-th. Whole batches need no questions; whether one is whole
// is the same for all threads of the row. Few threads have rows of one batch, whole or not.
template <int threads_per_row, int batch, bool is_conjugate, class Ordinal, class Values,
          class Scalar, class IndexOf>
__device__ Scalar sum_of_row(Ordinal const* columns, Values values, Ordinal length, int lane,
                             Scalar const* __restrict__ x, IndexOf const& index_of)
{
  constexpr int step = batch * threads_per_row;
  constexpr bool has_whole_batches = threads_per_row > 2;
  Ordinal column[batch];
  std::remove_cvref_t<decltype(values[0])> value[batch];
  Scalar sum{};
  if constexpr (has_whole_batches)
    for (; length >= step; length -= step)
    {
#pragma unroll
      for (int n = 0; n < batch; ++n)
      {
        column[n] = load_column<Values>(columns + n * threads_per_row);
        value[n] = values[n * threads_per_row];
      }
#pragma unroll
      for (int n = 0; n < batch; ++n)
        sum += Scalar(impl::conjugated<is_conjugate>(value[n])) * x[index_of(column[n])];
      columns += step;
      values = values.from(step);
    }
  for (Ordinal left = length - lane; left > 0; left -= step) // once, behind whole batches
  {
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (n * threads_per_row < left)
      {
        column[n] = load_column<Values>(columns + n * threads_per_row);
        value[n] = values[n * threads_per_row];
      }
#pragma unroll
    for (int n = 0; n < batch; ++n)
      if (n * threads_per_row < left)
        sum += Scalar(impl::conjugated<is_conjugate>(value[n])) * x[index_of(column[n])];
    if constexpr (has_whole_batches)
      break;
    columns += step;
    values = values.from(step);
  }
  return sum;
}

// The sum over the entries first .. last - 1 by the threads of a row.
template <int threads_per_row, int batch, bool is_conjugate, class Entries, class Scalar,
          class IndexOf = IndexOfColumn>
__device__ Scalar sum_of_entries(Entries const& a, std::int64_t first, std::int64_t last, int lane,
                                 Scalar const* __restrict__ x, IndexOf const& index_of = {})
{
  return sum_of_row<threads_per_row, batch, is_conjugate>(
      a.columns + first + lane, a.values_from(first + lane),
      static_cast<typename Entries::ordinal_type>(last - first), lane, x, index_of);
}

} // namespace heddle::cuda_native
