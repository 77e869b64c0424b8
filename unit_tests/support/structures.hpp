// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

// A matrix by its structure: what it tests is its name. Values are a function of the position
// (value_at), so oracles need no copy of them.
struct Structure
{
  std::string name;
  std::int64_t rows = 0, cols = 0;
  std::vector<std::vector<std::int64_t>> columns; // of each row, in storage order

  std::int64_t nnz() const
  {
    std::int64_t n = 0;
    for (auto const& row : columns)
      n += static_cast<std::int64_t>(row.size());
    return n;
  }
};

// Numbers from a seed, the same everywhere (splitmix64).
class Random
{
public:
  explicit Random(std::uint64_t seed)
      : m_state(seed)
  {}
  std::uint64_t next();
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(next() % n); }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-52 - 1.0; } // [-1, 1)

private:
  std::uint64_t m_state;
};

// In [-1, 1), never 0, from two numbers.
double hashed(std::int64_t i, std::int64_t j);

template <class Value>
Value value_at(std::int64_t i, std::int64_t j)
{
  if constexpr (impl::is_complex_v<Value>)
    return Value(static_cast<typename Value::value_type>(hashed(i, j)),
                 static_cast<typename Value::value_type>(hashed(i + 7919, j)));
  else
    return static_cast<Value>(hashed(i, j));
}

// Small ones of every kind: empty, 1 x 1, empty rows, dense row, dense column, power law, banded,
// blocked, rectangular, unsorted; sizes around 32 and 256.
std::vector<Structure> const& small_structures();
// Those and one with more than 2^16 rows.
std::vector<Structure> const& structures();
Structure const& structure(std::string const& name);

// per_row random columns in each row, ascending.
Structure random_structure(std::string const& name, std::int64_t rows, std::int64_t cols,
                           std::int64_t per_row, std::uint64_t seed);
// Columns of each row in random order.
Structure shuffled(Structure s, std::uint64_t seed);
Structure transposed(Structure const& s);
// Products of entries in A B.
std::int64_t number_of_products(Structure const& a, Structure const& b);

} // namespace heddle::test
