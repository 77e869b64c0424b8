// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/check.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::perf
{

// C of C = A B at sampled rows: which columns, and each value with its bound (check.hpp).
template <class Value>
class SparseReference
{
public:
  SparseReference(HostMatrix<Value> const& a, HostMatrix<Value> const& b)
      : m_size(a.num_rows())
  {
    double products = 0;
    for (std::size_t e = 0; e < a.nnz(); ++e)
      products += static_cast<double>(length(b, a.columns()(e)));
    constexpr double cost = 20; // of a product in a map, in dense products
    m_rows = sample_rows(a.num_rows(), cost * products);
    for (std::int64_t const i : m_rows)
    {
      auto& row = m_entries.emplace_back();
      for (std::size_t e = a.row_offsets()(i); e < a.row_offsets()(i + 1); ++e)
        for (std::size_t f = b.row_offsets()(a.columns()(e));
             f < b.row_offsets()(a.columns()(e) + 1); ++f)
        {
          ReferenceEntry& entry = row[b.columns()(f)];
          auto const term = exact(a.values()(e)) * exact(b.values()(f));
          entry.value += term;
          entry.magnitude += static_cast<double>(std::abs(term));
          ++entry.terms;
        }
    }
  }

  // Rows of c may be in any order; each column once.
  Verdict check(HostMatrix<Value> const& c) const
  {
    Verdict verdict;
    if (c.num_rows() != m_size)
      return {0, "wrong result: " + std::to_string(c.num_rows()) + " rows"};
    for (std::size_t n = 0; n < m_rows.size(); ++n)
      check_row(verdict, c, m_rows[n], m_entries[n]);
    return verdict;
  }

private:
  using Row = std::map<int, ReferenceEntry>;

  static std::size_t length(HostMatrix<Value> const& b, int row)
  {
    return b.row_offsets()(row + 1) - b.row_offsets()(row);
  }
  static void check_row(Verdict& verdict, HostMatrix<Value> const& c, std::int64_t i,
                        Row const& row)
  {
    if (length(c, static_cast<int>(i)) != row.size())
    {
      verdict.wrong = "wrong result: row " + std::to_string(i) + " has " +
                      std::to_string(length(c, static_cast<int>(i))) + " entries, expected " +
                      std::to_string(row.size());
      return;
    }
    std::map<int, Value> found;
    for (std::size_t e = c.row_offsets()(i); e < c.row_offsets()(i + 1); ++e)
      found.emplace(c.columns()(e), c.values()(e));
    for (auto const& [column, expected] : row)
    {
      auto const at = found.find(column);
      if (at == found.end())
        verdict.wrong =
            "wrong result: row " + std::to_string(i) + " has no column " + std::to_string(column);
      else
        judge(verdict, expected, at->second, i, column);
    }
  }

  std::int64_t m_size;
  std::vector<std::int64_t> m_rows;
  std::vector<Row> m_entries;
};

} // namespace heddle::perf
