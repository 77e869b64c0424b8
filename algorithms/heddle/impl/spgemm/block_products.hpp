// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a block of A adds to a row of C's blocks, on a host thread: its products with a row of B's
// blocks, of which the caller has looked up the places. Square blocks of up to 8 x 8 are loops of
// known length, with A's block and a row of C's in registers. Those of double, and odd ones of
// float, go by two columns in a vector register, the last column of an odd block together with that
// of the next block: of such short loops compilers vectorise little (g++ 12 of 3 x 3: nothing).

#include <heddle/impl/spgemm/block_pattern.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::impl
{

// c += a b for the rows, columns and inner indices inside the matrices; blocks are stored whole.
template <class Sum, class ValueA, class ValueB>
void add_block_product(Sum* __restrict__ c, ValueA const* a, ValueB const* b,
                       ProductShape const& stored, ProductShape const& inside)
{
  for (std::int64_t y = 0; y < inside.height; ++y)
    for (std::int64_t z = 0; z < inside.inner; ++z)
    {
      Sum const left(a[y * stored.inner + z]);
      for (std::int64_t x = 0; x < inside.width; ++x)
        c[y * stored.width + x] += left * Sum(b[z * stored.width + x]);
    }
}

// Adds a b(m) to block places[m] of the row of C's blocks that begins at c, where that is not -1,
// for count blocks of B that begin at b.
template <class Sum, class ValueA, class ValueB, class Ordinal>
using AddBlockProducts = void (*)(Sum* c, Ordinal const* places, std::int64_t count,
                                  ValueA const* a, ValueB const* b, ProductShape const& shape);

template <class Sum, class ValueA, class ValueB, class Ordinal>
void add_products_of_any(Sum* c, Ordinal const* places, std::int64_t count, ValueA const* a,
                         ValueB const* b, ProductShape const& shape)
{
  for (std::int64_t m = 0; m < count; ++m)
    if (places[m] >= 0)
      add_block_product(c + static_cast<std::int64_t>(places[m]) * shape.height * shape.width, a,
                        b + m * shape.inner * shape.width, shape, shape);
}

template <std::int64_t n, class Sum, class ValueA, class ValueB, class Ordinal>
void add_products_of_squares(Sum* __restrict__ c, Ordinal const* places, std::int64_t count,
                             ValueA const* a, ValueB const* b, ProductShape const&)
{
  std::array<Sum, n * n> left;
  for (std::int64_t e = 0; e < n * n; ++e)
    left[e] = Sum(a[e]);
  for (std::int64_t m = 0; m < count; ++m)
  {
    if (places[m] < 0)
      continue;
    Sum* __restrict__ const to = c + static_cast<std::int64_t>(places[m]) * n * n;
    ValueB const* __restrict__ const right = b + m * n * n;
    for (std::int64_t y = 0; y < n; ++y)
    {
      std::array<Sum, n> row;
      for (std::int64_t x = 0; x < n; ++x)
        row[x] = to[y * n + x];
      for (std::int64_t z = 0; z < n; ++z)
        for (std::int64_t x = 0; x < n; ++x)
          row[x] += left[y * n + z] * Sum(right[z * n + x]);
      for (std::int64_t x = 0; x < n; ++x)
        to[y * n + x] = row[x];
    }
  }
}

#if defined(__GNUC__) // and whatever has its vector types: clang, and compilers made of the two
// Whether compilers vectorise less of the loop for n x n blocks by themselves than pairs do, as
// measured with g++ 12: of double all, of float blocks of odd size.
template <std::int64_t n, class Value>
inline constexpr bool has_pairs_v = n > 1 && (std::is_same_v<Value, double> ||
                                              (std::is_same_v<Value, float> && n % 2 == 1));

// Two values in a register: by name, since g++ ignores the attribute of a template's type.
template <class Value>
struct PairVector;
template <>
struct PairVector<double>
{
  using type = double __attribute__((vector_size(2 * sizeof(double))));
};
template <>
struct PairVector<float>
{
  using type = float __attribute__((vector_size(2 * sizeof(float))));
};
template <class Value>
struct ValuePair
{
  using Vector = typename PairVector<Value>::type;
  Vector vector;

  static ValuePair of(Value first, Value second) { return {Vector{first, second}}; }
  static ValuePair load(Value const* from)
  {
    ValuePair pair;
    std::memcpy(&pair.vector, from, sizeof(Vector));
    return pair;
  }
  void store(Value* to) const { std::memcpy(to, &vector, sizeof(Vector)); }
  void add_product(ValuePair const& a, ValuePair const& b) { vector += a.vector * b.vector; }
};

// A's block, each value twice.
template <std::int64_t n, class Value>
using PairedBlock = std::array<ValuePair<Value>, n * n>;

// to += left right, all but the last column of odd blocks.
template <std::int64_t n, class Value>
void add_column_pairs(Value* __restrict__ to, PairedBlock<n, Value> const& left,
                      Value const* __restrict__ right)
{
  for (std::int64_t x = 0; x + 1 < n; x += 2)
    for (std::int64_t y = 0; y < n; ++y)
    {
      auto sum = ValuePair<Value>::load(to + y * n + x);
      for (std::int64_t z = 0; z < n; ++z)
        sum.add_product(left[y * n + z], ValuePair<Value>::load(right + z * n + x));
      sum.store(to + y * n + x);
    }
}

// The last columns of two products at once, with both of their right factors behind each other.
template <std::int64_t n, class Value>
void add_last_columns(Value* __restrict__ first, Value* __restrict__ second,
                      PairedBlock<n, Value> const& left, Value const* __restrict__ right)
{
  std::array<ValuePair<Value>, n> column;
  for (std::int64_t z = 0; z < n; ++z)
    column[z] = ValuePair<Value>::of(right[z * n + n - 1], right[(n + z) * n + n - 1]);
  for (std::int64_t y = 0; y < n; ++y)
  {
    std::int64_t const at = y * n + n - 1;
    auto sum = ValuePair<Value>::of(first[at], second[at]);
    for (std::int64_t z = 0; z < n; ++z)
      sum.add_product(left[y * n + z], column[z]);
    first[at] = sum.vector[0];
    second[at] = sum.vector[1];
  }
}

template <std::int64_t n, class Value>
void add_last_column(Value* __restrict__ to, PairedBlock<n, Value> const& left,
                     Value const* __restrict__ right)
{
  for (std::int64_t y = 0; y < n; ++y)
  {
    Value sum = to[y * n + n - 1];
    for (std::int64_t z = 0; z < n; ++z)
      sum += left[y * n + z].vector[0] * right[z * n + n - 1];
    to[y * n + n - 1] = sum;
  }
}

template <std::int64_t n, class Value, class Ordinal>
void add_products_in_pairs(Value* c, Ordinal const* places, std::int64_t count, Value const* a,
                           Value const* b, ProductShape const&)
{
  PairedBlock<n, Value> left;
  for (std::int64_t e = 0; e < n * n; ++e)
    left[e] = ValuePair<Value>::of(a[e], a[e]);
  auto const block = [&](std::int64_t m) {
    return c + static_cast<std::int64_t>(places[m]) * n * n;
  };
  for (std::int64_t m = 0; m < count; ++m)
  {
    if (places[m] < 0)
      continue;
    Value const* const right = b + m * n * n;
    add_column_pairs<n>(block(m), left, right);
    if (n % 2 == 0)
      continue;
    if (m + 1 < count && places[m + 1] >= 0)
    {
      add_column_pairs<n>(block(m + 1), left, right + n * n);
      add_last_columns<n>(block(m), block(m + 1), left, right);
      ++m;
    }
    else
      add_last_column<n>(block(m), left, right);
  }
}
#else
template <std::int64_t n, class Value>
inline constexpr bool has_pairs_v = false;
#endif

template <std::int64_t n, class Sum, class ValueA, class ValueB, class Ordinal>
constexpr AddBlockProducts<Sum, ValueA, ValueB, Ordinal> square_products_loop()
{
  constexpr bool is_one_type = std::is_same_v<Sum, ValueA> && std::is_same_v<Sum, ValueB>;
  if constexpr (is_one_type && has_pairs_v<n, Sum>)
    return add_products_in_pairs<n, Sum, Ordinal>;
  else
    return add_products_of_squares<n, Sum, ValueA, ValueB, Ordinal>;
}

// The loop for blocks of this shape.
template <class Sum, class ValueA, class ValueB, class Ordinal>
AddBlockProducts<Sum, ValueA, ValueB, Ordinal> block_products_loop(ProductShape const& shape)
{
  bool const is_square = shape.height == shape.inner && shape.inner == shape.width;
  switch (is_square ? shape.width : 0)
  {
  case 1:
    return square_products_loop<1, Sum, ValueA, ValueB, Ordinal>();
  case 2:
    return square_products_loop<2, Sum, ValueA, ValueB, Ordinal>();
  case 3:
    return square_products_loop<3, Sum, ValueA, ValueB, Ordinal>();
  case 4:
    return square_products_loop<4, Sum, ValueA, ValueB, Ordinal>();
  case 5:
    return square_products_loop<5, Sum, ValueA, ValueB, Ordinal>();
  case 6:
    return square_products_loop<6, Sum, ValueA, ValueB, Ordinal>();
  case 7:
    return square_products_loop<7, Sum, ValueA, ValueB, Ordinal>();
  case 8:
    return square_products_loop<8, Sum, ValueA, ValueB, Ordinal>();
  default:
    return add_products_of_any<Sum, ValueA, ValueB, Ordinal>;
  }
}

} // namespace heddle::impl
