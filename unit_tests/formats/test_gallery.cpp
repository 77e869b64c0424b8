// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/gallery_support.hpp>
#include <heddle/gallery.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// The structures and values of the generators against their definitions, but for those that come
// from numpy's draws.

namespace heddle::test
{

TEST_CASE("stencil5 on 3 x 2 points", "[gallery]")
{
  Dense const expected = {{4, -1, 0, -1, 0, 0}, {-1, 4, -1, 0, -1, 0}, {0, -1, 4, 0, 0, -1},
                          {-1, 0, 0, 4, -1, 0}, {0, -1, 0, -1, 4, -1}, {0, 0, -1, 0, -1, 4}};
  GalleryMatrix const a = generate::stencil5(3, 2);
  CHECK(dense(a) == expected);
  CHECK(a.nnz() == 20); // no zeros are stored
}

TEST_CASE("stencil9 on 3 x 2 points", "[gallery]")
{
  Dense const expected = {{8, -1, 0, -1, -1, 0}, {-1, 8, -1, -1, -1, -1}, {0, -1, 8, 0, -1, -1},
                          {-1, -1, 0, 8, -1, 0}, {-1, -1, -1, -1, 8, -1}, {0, -1, -1, 0, -1, 8}};
  CHECK(dense(generate::stencil9(3, 2)) == expected);
}

TEST_CASE("a stencil on one point is its diagonal", "[gallery]")
{
  CHECK(dense(generate::stencil5(1, 1)) == Dense{{4}});
  CHECK(dense(generate::stencil9(1, 1)) == Dense{{8}});
  CHECK(dense(generate::stencil7(1, 1, 1)) == Dense{{6}});
  CHECK(dense(generate::stencil27(1, 1, 1)) == Dense{{26}});
}

TEST_CASE("stencils join the points their definition joins", "[gallery]")
{
  constexpr std::int64_t nx = 4, ny = 3, nz = 5;
  auto const distances = [](std::int64_t i, std::int64_t j) {
    auto const p = point(i, nx, ny), q = point(j, nx, ny);
    return std::array{std::abs(p[0] - q[0]), std::abs(p[1] - q[1]), std::abs(p[2] - q[2])};
  };
  auto const is_star = [&](std::int64_t i, std::int64_t j) {
    auto const d = distances(i, j);
    return d[0] + d[1] + d[2] <= 1;
  };
  auto const is_box = [&](std::int64_t i, std::int64_t j) {
    auto const d = distances(i, j);
    return d[0] <= 1 && d[1] <= 1 && d[2] <= 1;
  };
  CHECK(rows_of(generate::stencil5(nx, ny)) == rows_where(nx * ny, is_star));
  CHECK(rows_of(generate::stencil9(nx, ny)) == rows_where(nx * ny, is_box));
  CHECK(rows_of(generate::stencil7(nx, ny, nz)) == rows_where(nx * ny * nz, is_star));
  CHECK(rows_of(generate::stencil27(nx, ny, nz)) == rows_where(nx * ny * nz, is_box));

  for (auto const& [a, diagonal] : {std::pair(generate::stencil7(nx, ny, nz), 6.0),
                                    std::pair(generate::stencil27(nx, ny, nz), 26.0)})
  {
    Dense const d = dense(a);
    for (std::int64_t i = 0; i < a.num_rows(); ++i)
      for (std::int64_t const j : row_of(a, i))
        CHECK(d[i][j] == (i == j ? diagonal : -1));
  }
}

TEST_CASE("banded has all entries of the band", "[gallery]")
{
  for (std::int64_t const half_band : {0, 1, 3, 8})
  {
    GalleryMatrix const a = generate::banded(9, half_band);
    CHECK(rows_of(a) == rows_where(9, [half_band](std::int64_t i, std::int64_t j) {
            return std::abs(i - j) <= half_band;
          }));
  }
}

TEST_CASE("banded_permuted is the band under numpy's permutation", "[gallery]")
{
  // numpy.random.default_rng(3).permutation(8)
  std::array<std::int64_t, 8> const p = {6, 7, 2, 1, 4, 5, 3, 0};
  for (std::int64_t const half_band : {0, 1, 2, 7})
    CHECK(rows_of(generate::banded_permuted(8, half_band, 3)) ==
          rows_where(8, [&](std::int64_t i, std::int64_t j) {
            return std::abs(p[i] - p[j]) <= half_band;
          }));
  CHECK(rows_of(generate::banded_permuted(1, 0, 3)) == std::vector<Row>{{0}});
}

TEST_CASE("dense rows, dense columns and empty rows are where they should be", "[gallery]")
{
  for (std::int64_t const n : {1, 2, 3, 4, 5, 33, 1000})
  {
    GalleryMatrix const row = generate::dense_row(n, 1), column = generate::dense_column(n, 1),
                        empty = generate::empty_rows(n, 60, 1);
    check_rows(row);
    check_rows(column);
    check_rows(empty);
    auto const usual = static_cast<std::size_t>(std::min<std::int64_t>(4, n));
    std::int64_t empty_count = 0;
    for (std::int64_t i = 0; i < n; ++i)
    {
      CHECK(row_of(row, i).size() == (i == n / 2 ? static_cast<std::size_t>(n) : usual));
      Row const in_column = row_of(column, i), in_empty = row_of(empty, i);
      CHECK(in_column.size() == usual);
      CHECK(std::set(in_column.begin(), in_column.end()).count(n / 2) == 1);
      CHECK((in_empty.empty() || in_empty.size() == usual));
      empty_count += in_empty.empty() ? 1 : 0;
    }
    if (n == 1000)
      CHECK(std::abs(empty_count - 600) < 4 * 16); // four standard deviations
  }
  CHECK(generate::empty_rows(100, 0, 1).nnz() == 400);
  CHECK(generate::empty_rows(100, 100, 1).nnz() == 0);
}

TEST_CASE("random columns are spread over all columns", "[gallery]")
{
  // Both ways of drawing: 4 of 10000 (repeated draws) and 4 of 20 (selection).
  for (std::int64_t const n : {20, 10000})
  {
    constexpr std::int64_t seeds = 500;
    std::int64_t left = 0, all = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
      for (std::int64_t const j : row_of(generate::dense_row(n, seed), 0))
      {
        left += j < n / 2 ? 1 : 0;
        ++all;
      }
    CHECK(all == 4 * seeds);
    CHECK(std::abs(left - all / 2) < 4 * 23); // four standard deviations of 2000 fair coins
  }
}

TEST_CASE("power_law has lengths of a power law", "[gallery]")
{
  constexpr std::int64_t n = 100000;
  GalleryMatrix const a = generate::power_law(n, 8, 1);
  check_rows(a);
  CHECK(static_cast<double>(a.nnz()) / n == Catch::Approx(8).epsilon(0.1));
  // Of lengths x before rounding P(x > d) = (2 / d)^(4/3).
  for (double const d : {4.0, 16.0, 64.0, 256.0})
  {
    double longer = 0;
    for (std::int64_t i = 0; i < n; ++i)
      longer += static_cast<double>(a.row_offsets()(i + 1) - a.row_offsets()(i)) > d ? 1 : 0;
    // A length above d was rounded from above d on, at times from below d + 1.
    double const low = std::pow(2 / (d + 1), 4.0 / 3) * n, high = std::pow(2 / d, 4.0 / 3) * n;
    CHECK(longer > low - 4 * std::sqrt(low));
    CHECK(longer < high + 4 * std::sqrt(high));
  }
  // Where the mean comes near n, rows are full or nearly so.
  GalleryMatrix const full = generate::power_law(64, 64, 1);
  check_rows(full);
  CHECK(full.nnz() > 64 * 20);
}

TEST_CASE("sampled has exactly the entries asked for, spread over all places", "[gallery]")
{
  for (std::int64_t const entries : {0, 1, 29, 600, 1199, 1200})
  {
    GalleryMatrix const a = generate::sampled(30, 40, entries, 1);
    check_rows(a);
    CHECK(a.nnz() == static_cast<std::size_t>(entries));
  }
  // Paper 002's twelfth matrix has this size: left and right, above and below get their halves.
  GalleryMatrix const a = gallery("sampled_2372_4096_933343");
  check_rows(a);
  CHECK(a.nnz() == 933343);
  std::int64_t left = 0;
  for (std::size_t k = 0; k < a.nnz(); ++k)
    left += a.columns()(k) < 2048 ? 1 : 0;
  auto const above = static_cast<std::int64_t>(a.row_offsets()(1186));
  CHECK(std::abs(2 * left - 933343) < 8 * 483); // four standard deviations of 933343 fair coins
  CHECK(std::abs(2 * above - 933343) < 8 * 483);
  CHECK(rows_of(generate::sampled(30, 40, 600, 1)) == rows_of(generate::sampled(30, 40, 600, 1)));
  CHECK(rows_of(generate::sampled(30, 40, 600, 1)) != rows_of(generate::sampled(30, 40, 600, 2)));
}

TEST_CASE("a coupled problem has the parts that it is made of", "[gallery]")
{
  constexpr std::size_t nodes = 27, unknowns = 3 * nodes, vertices = 32;
  GalleryMatrix const elastic = generate::elasticity(3, 3, 3), graph = generate::rmat(5, 4, 7);
  GalleryMatrix const a = generate::fem_graph(3, 5, 4, 7);
  check_rows(a);
  REQUIRE(a.num_rows() == unknowns + vertices);
  CHECK(a.nnz() == elastic.nnz() + graph.nnz() + 6 * vertices);
  Dense const d = dense(a), k = dense(elastic), g = dense(graph);
  for (std::size_t i = 0; i < unknowns; ++i)
    for (std::size_t j = 0; j < unknowns; ++j)
      CHECK(d[i][j] == k[i][j]);
  for (std::size_t v = 0; v < vertices; ++v)
  {
    for (std::size_t w = 0; w < vertices; ++w)
      CHECK(d[unknowns + v][unknowns + w] == g[v][w]);
    for (std::size_t i = 0; i < unknowns; ++i)
    {
      CHECK((d[unknowns + v][i] != 0) == (v % nodes == i / 3));
      CHECK(d[unknowns + v][i] == d[i][unknowns + v]);
    }
  }
}

TEST_CASE("blocks are dense and aligned", "[gallery]")
{
  constexpr std::int64_t block_rows = 40, size = 3, per_row = 5;
  GalleryMatrix const a = generate::blocks(block_rows, size, per_row, 1);
  check_rows(a);
  REQUIRE(a.num_rows() == block_rows * size);
  REQUIRE(a.nnz() == block_rows * size * size * per_row);
  std::set<Row> different;
  for (std::int64_t i = 0; i < a.num_rows(); ++i)
  {
    Row const row = row_of(a, i);
    CHECK(row == row_of(a, i / size * size));
    for (std::size_t k = 0; k < row.size(); k += size)
    {
      CHECK(row[k] % size == 0);
      CHECK(row[k + size - 1] == row[k] + size - 1);
    }
    different.insert(row);
  }
  CHECK(different.size() > block_rows / 2);
  CHECK(generate::blocks(3, 2, 10, 1).nnz() == 36); // no more blocks than there are
  CHECK(generate::blocks(3, 2, 0, 1).nnz() == 0);
  CHECK(rows_of(generate::block_diagonal(3, 2)) ==
        rows_where(6, [](std::int64_t i, std::int64_t j) { return i / 2 == j / 2; }));
}

} // namespace heddle::test
