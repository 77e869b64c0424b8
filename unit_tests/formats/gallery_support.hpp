// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/gallery.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace heddle::test
{

using Dense = std::vector<std::vector<double>>;
using Row = std::vector<std::int64_t>;

inline Row row_of(GalleryMatrix const& a, std::int64_t i)
{
  Row row;
  for (std::size_t k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
    row.push_back(a.columns()(k));
  return row;
}

inline Dense dense(GalleryMatrix const& a)
{
  Dense d(static_cast<std::size_t>(a.num_rows()),
          std::vector<double>(static_cast<std::size_t>(a.num_cols())));
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
    for (std::size_t k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
      d[i][a.columns()(k)] = a.values()(k);
  return d;
}

// The place of point i of a grid.
inline std::array<std::int64_t, 3> point(std::int64_t i, std::int64_t nx, std::int64_t ny)
{
  return {i % nx, i / nx % ny, i / nx / ny};
}

inline bool are_equal(GalleryMatrix const& a, GalleryMatrix const& b)
{
  auto const same = [](auto const& x, auto const& y) {
    return std::equal(x.data(), x.data() + x.extent(0), y.data(), y.data() + y.extent(0));
  };
  return a.num_rows() == b.num_rows() && a.num_cols() == b.num_cols() &&
         same(a.row_offsets(), b.row_offsets()) && same(a.columns(), b.columns()) &&
         same(a.values(), b.values());
}

inline std::vector<Row> rows_of(GalleryMatrix const& a)
{
  std::vector<Row> rows;
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
    rows.push_back(row_of(a, i));
  return rows;
}

// The rows of an n x n matrix in which entry (i, j) is stored where the predicate holds.
inline std::vector<Row> rows_where(std::int64_t n,
                                   std::function<bool(std::int64_t, std::int64_t)> const& stored)
{
  std::vector<Row> rows(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      if (stored(i, j))
        rows[i].push_back(j);
  return rows;
}

// Ascending columns in range, which excludes duplicates, and offsets from 0 to nnz.
inline void check_rows(GalleryMatrix const& a)
{
  REQUIRE(a.row_offsets()(0) == 0);
  REQUIRE(a.row_offsets()(a.num_rows()) == a.nnz());
  bool is_in_range = true, is_ascending = true;
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
    for (std::size_t k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
    {
      is_in_range &= a.columns()(k) >= 0 && a.columns()(k) < a.num_cols();
      is_ascending &= k == a.row_offsets()(i) || a.columns()(k - 1) < a.columns()(k);
    }
  CHECK(is_in_range);
  CHECK(is_ascending);
}

inline bool has_entry(GalleryMatrix const& a, std::int64_t i, std::int64_t j)
{
  Row const row = row_of(a, i);
  return std::binary_search(row.begin(), row.end(), j);
}

inline std::int64_t row_length(GalleryMatrix const& a, std::int64_t i)
{
  return static_cast<std::int64_t>(a.row_offsets()(i + 1) - a.row_offsets()(i));
}

// The rows of each column, ascending.
inline std::vector<Row> columns_of(GalleryMatrix const& a)
{
  std::vector<Row> columns(static_cast<std::size_t>(a.num_cols()));
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
    for (std::int64_t const j : row_of(a, i))
      columns[static_cast<std::size_t>(j)].push_back(i);
  return columns;
}

inline void check_symmetric(GalleryMatrix const& a)
{
  check_rows(a);
  std::map<std::pair<std::int64_t, std::int64_t>, double> entries;
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
    for (std::size_t k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
      entries[{i, a.columns()(k)}] = a.values()(k);
  bool is_symmetric = true;
  for (auto const& [place, value] : entries)
  {
    auto const other = entries.find({place.second, place.first});
    is_symmetric &= other != entries.end() && other->second == value;
  }
  CHECK(is_symmetric);
}

// A number of successes is within four standard deviations of what is expected of so many trials.
inline bool is_likely(std::int64_t successes, std::int64_t trials, double probability)
{
  double const n = static_cast<double>(trials), mean = n * probability;
  return std::abs(static_cast<double>(successes) - mean) <=
         4 * std::sqrt(mean * (1 - probability)) + 1;
}

} // namespace heddle::test
