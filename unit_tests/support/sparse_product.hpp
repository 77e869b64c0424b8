// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The oracle of C = A B with all three sparse: plain serial loops.

#include <support/matrices.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::test
{

// C of C = A B as rows of column -> (value, magnitude, products).
struct Entry
{
  Wide value = 0;
  double magnitude = 0;
  std::int64_t terms = 0;
};
using SparseRows = std::vector<std::map<std::int64_t, Entry>>;

// op of what make_csr makes of a structure.
template <class Value>
struct Factor
{
  Op op;
  Structure rows;

  Factor(Structure const& s, Op with)
      : op(with)
      , rows(is_transposed(with) ? transposed(s) : s)
  {}
  Wide value(std::int64_t i, std::int64_t j) const
  {
    Wide const value = wide(is_transposed(op) ? value_at<Value>(j, i) : value_at<Value>(i, j));
    return is_conjugated(op) ? std::conj(value) : value;
  }
};

template <class Value>
SparseRows reference_product(Structure const& a_structure, Structure const& b_structure,
                             double scale_a, Op op_a = Op::none, Op op_b = Op::none)
{
  Factor<Value> const a(a_structure, op_a), b(b_structure, op_b);
  SparseRows c(static_cast<std::size_t>(a.rows.rows));
  for (std::int64_t i = 0; i < a.rows.rows; ++i)
    for (std::int64_t const k : a.rows.columns[i])
      for (std::int64_t const j : b.rows.columns[k])
      {
        Wide const term = scale_a * a.value(i, k) * b.value(k, j);
        Entry& entry = c[i][j];
        entry.value += term;
        entry.magnitude += std::abs(term);
        ++entry.terms;
      }
  return c;
}

// "" or where the matrix differs: structure and order exactly, values within their bounds.
template <class Matrix>
std::string difference(SparseRows const& expected, Matrix const& c)
{
  using Value = typename Matrix::value_type;
  auto const h = to_host(c);
  for (std::size_t i = 0; i < expected.size(); ++i)
  {
    std::string const row = "row " + std::to_string(i) + ": ";
    auto k = h.offsets[i];
    if (h.offsets[i + 1] - k != static_cast<std::int64_t>(expected[i].size()))
      return row + std::to_string(h.offsets[i + 1] - k) + " entries, expected " +
             std::to_string(expected[i].size());
    for (auto const& [column, entry] : expected[i])
    {
      if (h.columns[k] != column)
        return row + "column " + std::to_string(h.columns[k]) + ", expected " +
               std::to_string(column);
      double const error = std::abs(wide(h.values[k]) - entry.value);
      if (!(error <= error_bound<Value>(entry.terms, entry.magnitude)))
        return row + "column " + std::to_string(column) + " is wrong by " + std::to_string(error);
      ++k;
    }
  }
  return "";
}

} // namespace heddle::test
