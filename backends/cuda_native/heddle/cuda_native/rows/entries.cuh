// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The entries of a CSR matrix as kernels see them: columns and values, read once and past the
// caches, four neighbours at a time where they lie in 16-byte words. GatheredEntries are those of a
// transposed pattern, whose values stand elsewhere.

#include <heddle/cuda_native/rows/csr_view.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::cuda_native
{

// What is read once need not stay in the caches.
template <class T>
__device__ T load_once(T const* from)
{
  if constexpr (std::is_arithmetic_v<T>)
    return __ldcs(from);
  else if constexpr (sizeof(T) == sizeof(float2))
  {
    float2 const word = __ldcs(reinterpret_cast<float2 const*>(from));
    return T(word.x, word.y);
  }
  else
  {
    static_assert(sizeof(T) == sizeof(double2));
    double2 const word = __ldcs(reinterpret_cast<double2 const*>(from));
    return T(word.x, word.y);
  }
}

// to[0 .. 3] from 16-byte words.
template <class T>
__device__ void load_four_once(T* to, T const* from)
{
  constexpr int words = 4 * sizeof(T) / sizeof(int4);
  static_assert(words >= 1);
  int4 word[words];
#pragma unroll
  for (int n = 0; n < words; ++n)
    word[n] = __ldcs(reinterpret_cast<int4 const*>(from) + n);
  std::memcpy(static_cast<void*>(to), word, sizeof word);
}

// to[0 .. 3] in 16-byte words; `to` begins at one.
template <class T>
__device__ void store_four(T* to, T const* from)
{
  constexpr int words = 4 * sizeof(T) / sizeof(int4);
  int4 word[words];
  std::memcpy(word, static_cast<void const*>(from), sizeof word);
#pragma unroll
  for (int n = 0; n < words; ++n)
    reinterpret_cast<int4*>(to)[n] = word[n];
}

// Values from an entry on, one after the other; and values that stand elsewhere, by their
// positions.
template <class Value>
struct StoredValues
{
  Value const* values;

  __device__ Value operator[](int n) const { return load_once(values + n); }
  __device__ void load_four(Value* to) const { load_four_once(to, values); }
  __device__ StoredValues from(std::int64_t n) const { return {values + n}; }
};
template <class Value, class Offset>
struct GatheredValues
{
  Value const* values;
  Offset const* positions;

  __device__ Value operator[](int n) const { return values[positions[n]]; }
  __device__ void load_four(Value* to) const
  {
#pragma unroll
    for (int n = 0; n < 4; ++n)
      to[n] = (*this)[n];
  }
  __device__ GatheredValues from(std::int64_t n) const { return {values, positions + n}; }
};

template <class Value, class Ordinal, class Offset>
struct StoredEntries : CsrView<Value, Ordinal, Offset>
{
  std::int64_t count;
  bool is_aligned; // columns and values begin at 16-byte words

  __device__ StoredValues<Value> values_from(std::int64_t k) const { return {this->values + k}; }
};

template <class Value, class Ordinal, class Offset>
struct GatheredEntries : CsrView<Value, Ordinal, Offset>
{
  std::int64_t count;
  Offset const* __restrict__ positions; // of the values
  bool is_aligned;                      // columns begin at 16-byte words

  __device__ GatheredValues<Value, Offset> values_from(std::int64_t k) const
  {
    return {this->values, positions + k};
  }
};

inline bool is_word_aligned(void const* memory)
{
  return reinterpret_cast<std::uintptr_t>(memory) % sizeof(int4) == 0;
}

template <class Matrix>
auto csr_view(Matrix const& a)
{
  return CsrView<typename Matrix::value_type, typename Matrix::ordinal_type,
                 typename Matrix::offset_type>{static_cast<std::int64_t>(a.num_rows()),
                                               a.row_offsets().data(), a.columns().data(),
                                               a.values().data()};
}

template <class Matrix>
auto stored_entries(Matrix const& a)
{
  auto const view = csr_view(a);
  return StoredEntries<typename Matrix::value_type, typename Matrix::ordinal_type,
                       typename Matrix::offset_type>{view, static_cast<std::int64_t>(a.nnz()),
                                                     is_word_aligned(view.columns) &&
                                                         is_word_aligned(view.values)};
}

// t: a TransposedPattern or another list of the entries by row.
template <class Value, class Pattern>
auto gathered_entries(Pattern const& t, Value const* values)
{
  auto const* const columns = t.columns.data();
  return GatheredEntries<Value, typename decltype(t.columns)::non_const_value_type,
                         typename decltype(t.positions)::non_const_value_type>{
      {static_cast<std::int64_t>(t.row_offsets.extent(0)) - 1, t.row_offsets.data(), columns,
       values},
      static_cast<std::int64_t>(t.columns.extent(0)),
      t.positions.data(),
      is_word_aligned(columns)};
}

} // namespace heddle::cuda_native
