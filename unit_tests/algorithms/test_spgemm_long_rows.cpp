// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Few rows that have most of the entries, of A, of B and of C: what keeps a device waiting if it is
// left to a warp.

#include <support/spgemm_checks.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace heddle::test;

namespace
{

using C = Case<Device, double, int, std::size_t>;

// Sums in any order and in order.
void check(Structure const& a, Structure const& b)
{
  for (bool const deterministic : {false, true})
    check_spgemm<C>(a, b, {.deterministic = deterministic});
}

std::vector<std::int64_t> all_columns(std::int64_t cols)
{
  std::vector<std::int64_t> all(static_cast<std::size_t>(cols));
  for (std::int64_t j = 0; j < cols; ++j)
    all[static_cast<std::size_t>(j)] = j;
  return all;
}

// Three entries a row, with dense rows, dense columns, or both.
Structure arrow(std::int64_t n, std::vector<std::int64_t> const& dense_rows,
                std::vector<std::int64_t> const& dense_columns)
{
  Structure s{"arrow", n, n, {}};
  for (std::int64_t i = 0; i < n; ++i)
  {
    std::vector<std::int64_t> row;
    for (std::int64_t const j : {i - 1, i, i + 1})
      if (j >= 0 && j < n)
        row.push_back(j);
    row.insert(row.end(), dense_columns.begin(), dense_columns.end());
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    s.columns.push_back(row);
  }
  for (std::int64_t const i : dense_rows)
    s.columns[static_cast<std::size_t>(i)] = all_columns(n);
  return s;
}

} // namespace

TEST_CASE("spgemm multiplies few long rows by their transpose", "[spgemm]")
{
  Structure const s = random_structure("2500 a row", 11, 6000, 2500, 41);
  check(s, transposed(s));
  check(shuffled(s, 42), shuffled(transposed(s), 43));
}

TEST_CASE("spgemm multiplies few long rows by many", "[spgemm]")
{
  Structure const s = random_structure("2000 a row", 5, 4000, 2000, 44);
  check(s, random_structure("6 a row", 4000, 900, 6, 45));  // sums for a small block
  check(s, random_structure("9 a row", 4000, 7000, 9, 46)); // for a larger one
}

TEST_CASE("spgemm adds sums of more columns than shared memory holds", "[spgemm]")
{
  check(random_structure("1500 a row", 2, 3000, 1500, 47),
        random_structure("40 a row", 3000, 60000, 40, 48));
}

TEST_CASE("spgemm multiplies matrices with dense rows and columns", "[spgemm]")
{
  check(arrow(2500, {3, 1200}, {}), arrow(2500, {3, 1200}, {}));
  check(arrow(1500, {}, {7}), arrow(1500, {9, 700}, {}));
  check(arrow(1200, {5}, {800}), arrow(1200, {5}, {800}));
}

TEST_CASE("a block shares what is long of the rows of B", "[spgemm]")
{
  // Rows of twelve entries, one of which is a row of B with 3000, others with two: more than there
  // is room for in the list of long rows too.
  Structure b = random_structure("2 a row", 400, 4000, 2, 51);
  for (std::size_t j = 0; j < 60; ++j)
    b.columns[j] = random_structure("3000", 1, 4000, 3000, 52 + j).columns.front();
  Structure a = random_structure("12 a row", 80, 400, 12, 53);
  a.columns[17] = all_columns(400);
  for (std::size_t i = 0; i < 40; ++i)
    a.columns[i].front() = 0;
  for (auto& row : a.columns)
  {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  check(a, b);
  check(shuffled(a, 54), shuffled(b, 55));
}
