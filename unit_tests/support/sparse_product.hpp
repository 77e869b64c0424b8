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

template <class Value>
SparseRows reference_product(Structure const& a, Structure const& b, double scale_a)
{
  SparseRows c(static_cast<std::size_t>(a.rows));
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t const k : a.columns[i])
      for (std::int64_t const j : b.columns[k])
      {
        Wide const term = scale_a * wide(value_at<Value>(i, k)) * wide(value_at<Value>(k, j));
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
