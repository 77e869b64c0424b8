// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A CSR matrix as kernels of all operations read it. CsrView has its arrays; StoredEntries and
// GatheredEntries add how its values are found and whether columns may be loaded four at a time, in
// 16-byte words. What is read once is read past the caches.

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::cuda_native
{

// What numbers the entries of a matrix: 32 bits where offsets have no more.
template <class Offset>
using EntryIndexOf =
    std::conditional_t<(sizeof(Offset) <= sizeof(std::int32_t)), std::int32_t, std::int64_t>;

template <class Value, class Ordinal, class Offset>
struct CsrView
{
  using value_type = Value;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using entry_index = EntryIndexOf<Offset>;
  std::int64_t rows;
  Offset const* __restrict__ offsets;
  Ordinal const* __restrict__ columns;
  Value const* __restrict__ values;

  __device__ entry_index begin_of(std::int64_t row) const
  {
    return static_cast<entry_index>(offsets[row]);
  }
  __device__ int length_of(std::int64_t row) const
  {
    return static_cast<int>(static_cast<entry_index>(offsets[row + 1]) - begin_of(row));
  }
};

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

// What no kernel of the moment writes and others read again.
template <class T>
__device__ T load_cached(T const* from)
{
  if constexpr (std::is_arithmetic_v<T>)
    return __ldg(from);
  else if constexpr (sizeof(T) == sizeof(float2))
  {
    float2 const word = __ldg(reinterpret_cast<float2 const*>(from));
    return T(word.x, word.y);
  }
  else
  {
    static_assert(sizeof(T) == sizeof(double2));
    double2 const word = __ldg(reinterpret_cast<double2 const*>(from));
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

// A matrix whose values stand beside its columns.
template <class Value, class Ordinal, class Offset>
struct StoredEntries : CsrView<Value, Ordinal, Offset>
{
  static constexpr bool is_gathered = false;
  std::int64_t count;
  bool is_aligned; // columns and values begin at 16-byte words

  __device__ StoredValues<Value> values_from(std::int64_t k) const { return {this->values + k}; }
};

// A matrix whose values stand elsewhere: a transposed pattern with the values of the matrix itself.
template <class Value, class Ordinal, class Offset>
struct GatheredEntries : CsrView<Value, Ordinal, Offset>
{
  static constexpr bool is_gathered = true;
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
