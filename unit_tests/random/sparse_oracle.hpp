// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// C = op(A) op(B), entry by entry, and where a matrix differs from it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <random/oracle.hpp>
#include <random/problem.hpp>

namespace heddle::test::random
{

struct ExpectedEntry
{
  std::int64_t column;
  Sum sum;
};
// By rows, columns ascending.
using ExpectedRows = std::vector<std::vector<ExpectedEntry>>;

// Rows of op(A) with values in their type.
template <class Value>
std::vector<std::vector<std::pair<std::int64_t, Wide>>> rows_of(EntryList const& a, Op op)
{
  std::vector<std::vector<std::pair<std::int64_t, Wide>>> rows(
      static_cast<std::size_t>(is_transposed(op) ? a.cols : a.rows));
  for (Entry const& entry : a.entries)
  {
    Value const stored = rounded<Value>(entry.value);
    Wide const value = wide(is_conjugated(op) ? conjugated(stored) : stored);
    auto const [row, column] =
        is_transposed(op) ? std::pair(entry.column, entry.row) : std::pair(entry.row, entry.column);
    rows[static_cast<std::size_t>(row)].emplace_back(column, value);
  }
  return rows;
}

template <class Value>
ExpectedRows expected_product(EntryList const& a, Op op_a, EntryList const& b, Op op_b)
{
  auto const a_rows = rows_of<Value>(a, op_a), b_rows = rows_of<Value>(b, op_b);
  ExpectedRows c(a_rows.size());
  for (std::size_t i = 0; i < a_rows.size(); ++i)
  {
    std::vector<std::pair<std::int64_t, std::pair<Wide, Wide>>> products;
    for (auto const& [k, left] : a_rows[i])
      for (auto const& [j, right] : b_rows[static_cast<std::size_t>(k)])
        products.emplace_back(j, std::pair(left, right));
    std::stable_sort(products.begin(), products.end(),
                     [](auto const& x, auto const& y) { return x.first < y.first; });
    for (auto const& [column, factors] : products)
    {
      if (c[i].empty() || c[i].back().column != column)
        c[i].push_back({column, Sum()});
      c[i].back().sum.add(factors.first, factors.second);
    }
  }
  return c;
}

// "" or where C, as read_csr has it, differs from these rows, which have `cols` columns.
template <class Value>
std::string difference(ExpectedRows const& expected, std::int64_t cols, EntryList const& c)
{
  if (c.rows != static_cast<std::int64_t>(expected.size()) || c.cols != cols)
    return "C is " + std::to_string(c.rows) + " x " + std::to_string(c.cols) + ", expected " +
           std::to_string(expected.size()) + " x " + std::to_string(cols);
  auto entry = c.entries.begin();
  for (std::int64_t i = 0; i < c.rows; ++i)
    for (ExpectedEntry const& wanted : expected[static_cast<std::size_t>(i)])
    {
      std::string const place =
          "(" + std::to_string(i) + ", " + std::to_string(wanted.column) + ")";
      if (entry == c.entries.end() || entry->row != i || entry->column != wanted.column)
        return "C has no entry " + place + " where it is expected";
      Value const value = rounded<Value>(entry++->value);
      if (!is_near(wanted.sum, value))
        return "C" + place + " is " + description(wanted.sum, value);
    }
  return entry == c.entries.end() ? "" : "C has entries that are not expected";
}

} // namespace heddle::test::random
