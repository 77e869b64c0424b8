// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What oracles of matrix operations are made of: the entries of a matrix by row, on the host, in
// double precision, and values that differ from matrix to matrix.

#include <support/matrices.hpp>
#include <support/reference.hpp>
#include <support/sparse_product.hpp>
#include <support/structures.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace heddle::test
{

using RowEntries = std::vector<std::map<std::int64_t, Wide>>;

template <class Matrix>
RowEntries row_entries(Matrix const& a)
{
  auto const h = to_host(a);
  RowEntries rows(static_cast<std::size_t>(h.rows));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto k = h.offsets[i]; k < h.offsets[i + 1]; ++k)
      rows[i].emplace(h.columns[k], wide(h.values[k]));
  return rows;
}

// Other values, which differ from seed to seed and from entry to entry.
template <class Matrix>
void fill_values(Matrix const& a, std::int64_t seed)
{
  using Value = typename Matrix::value_type;
  std::vector<Value> values(a.nnz());
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = value_at<Value>(static_cast<std::int64_t>(k), seed);
  Kokkos::deep_copy(a.values(), to_view<Value, typename Matrix::memory_space>(values));
}

template <class C>
CsrOf<C> make_csr_with(Structure const& s, std::int64_t seed)
{
  auto const a = make_csr<C>(s);
  fill_values(a, seed);
  return a;
}

// alpha A + beta B; an entry is there where A or B has one.
inline SparseRows reference_sum(Wide alpha, RowEntries const& a, Wide beta, RowEntries const& b)
{
  SparseRows c(a.size());
  auto const add = [&](Wide factor, RowEntries const& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (auto const& [j, value] : rows[i])
      {
        Entry& entry = c[i][j];
        entry.value += factor * value;
        entry.magnitude += std::abs(factor * value);
        ++entry.terms;
      }
  };
  add(alpha, a);
  add(beta, b);
  return c;
}

// Structures of the same sizes as s: s itself, its rows in another order, every other entry of it,
// none, and random ones.
inline std::vector<Structure> partners(Structure const& s)
{
  Structure half = s, none = s;
  for (auto& row : half.columns)
    for (std::size_t k = 0; k < row.size(); ++k)
      row.erase(row.begin() + static_cast<std::ptrdiff_t>(k));
  for (auto& row : none.columns)
    row.clear();
  std::vector<Structure> all{s, shuffled(s, 41), half, none};
  if (s.cols > 0)
    all.push_back(random_structure("", s.rows, s.cols, std::min<std::int64_t>(s.cols, 7), 42));
  char const* const names[] = {"itself", "shuffled", "every other entry", "none", "random"};
  for (std::size_t n = 0; n < all.size(); ++n)
    all[n].name = s.name + " and " + names[n];
  return all;
}

} // namespace heddle::test
