// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/gallery_support.hpp>
#include <heddle/error.hpp>
#include <heddle/gallery.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <set>
#include <vector>

// Circuits, meshes, graphs, blocks, diagonals and permutations against their definitions.

namespace heddle::test
{

namespace
{

using Catch::Matchers::Message;

// The nodes that are joined to each, where unknowns that follow each other have the same ones.
std::vector<Row> nodes_of(GalleryMatrix const& a, std::int64_t unknowns)
{
  std::vector<Row> nodes;
  for (std::int64_t i = 0; i < a.num_rows(); i += unknowns)
  {
    Row const row = row_of(a, i);
    Row joined, expanded;
    for (std::int64_t const j : row)
      if (j % unknowns == 0)
        joined.push_back(j / unknowns);
    for (std::int64_t const node : joined)
      for (std::int64_t c = 0; c < unknowns; ++c)
        expanded.push_back(node * unknowns + c);
    for (std::int64_t c = 0; c < unknowns; ++c)
      CHECK(row_of(a, i + c) == expanded);
    nodes.push_back(joined);
  }
  return nodes;
}

} // namespace

TEST_CASE("arrow has full rows and columns in a tridiagonal matrix", "[gallery]")
{
  constexpr std::int64_t n = 60, dense = 3;
  GalleryMatrix const a = generate::arrow(n, dense, 1);
  check_symmetric(a);
  std::set<std::int64_t> full;
  for (std::int64_t i = 0; i < n; ++i)
    if (row_length(a, i) == n)
      full.insert(i);
  REQUIRE(full.size() == dense);
  CHECK(rows_of(a) == rows_where(n, [&](std::int64_t i, std::int64_t j) {
          return std::abs(i - j) <= 1 || full.count(i) + full.count(j) > 0;
        }));
  GalleryMatrix const other = generate::arrow(n, dense, 2);
  CHECK(rows_of(other) != rows_of(a));
}

TEST_CASE("bordered has blocks and a border alone", "[gallery]")
{
  constexpr std::int64_t blocks = 6, size = 20, border = 16, inner = blocks * size;
  GalleryMatrix const a = generate::bordered(blocks, size, border, 1);
  check_symmetric(a);
  REQUIRE(a.num_rows() == inner + border);
  for (std::int64_t i = 0; i < inner; ++i)
  {
    std::int64_t own = 0, of_border = 0;
    for (std::int64_t const j : row_of(a, i))
    {
      own += j / size == i / size && j < inner ? 1 : 0;
      of_border += j >= inner ? 1 : 0;
    }
    CHECK(own + of_border == row_length(a, i));
    CHECK(own >= 5); // itself and four
    CHECK(of_border == border / 8);
    CHECK(has_entry(a, i, i));
  }
  for (std::int64_t i = inner; i < inner + border; ++i)
    for (std::int64_t j = inner; j < inner + border; ++j)
      CHECK(has_entry(a, i, j));
}

TEST_CASE("circuit has hubs, the first with most", "[gallery]")
{
  constexpr std::int64_t n = 4000, hubs = 3;
  GalleryMatrix const a = generate::circuit(n, hubs, 1);
  check_rows(a);
  std::int64_t longer = 0, longest = 0;
  for (std::int64_t i = 0; i < n; ++i)
  {
    CHECK(has_entry(a, i, i));
    longest = std::max(longest, row_length(a, i));
    longer += row_length(a, i) > 60 ? 1 : 0;
    for (std::int64_t const j : row_of(a, i))
      CHECK(has_entry(a, j, i));
  }
  CHECK(longer == hubs);
  CHECK(longest > n / 2 * 19 / 27 - 4 * 30); // the lowest of three draws is 0 in 19 of 27 cases
}

TEST_CASE("power_grid has lines, vias and pads", "[gallery]")
{
  constexpr std::int64_t nx = 20, ny = 15, layers = 3, pads = 2, plane = nx * ny,
                         nodes = plane * layers;
  GalleryMatrix const a = generate::power_grid(nx, ny, layers, pads, 1);
  check_symmetric(a);
  REQUIRE(a.num_rows() == nodes + pads);
  std::int64_t vias = 0, of_pads = 0;
  for (std::int64_t i = 0; i < nodes; ++i)
  {
    std::int64_t const layer = i / plane, x = i % nx, y = i / nx % ny;
    CHECK((x + 1 == nx || has_entry(a, i, i + 1) == (layer % 2 == 0)));
    CHECK((y + 1 == ny || has_entry(a, i, i + nx) == (layer % 2 == 1)));
    for (std::int64_t const j : row_of(a, i))
    {
      std::int64_t const d = std::abs(j - i);
      vias += j == i + plane && j < nodes ? 1 : 0;
      of_pads += j >= nodes ? 1 : 0;
      CHECK((d == 0 || d == 1 || d == nx || d == plane || (j >= nodes && layer == layers - 1)));
    }
  }
  CHECK(is_likely(vias, (layers - 1) * plane, 0.25));
  CHECK(is_likely(of_pads, plane, 1.0 / 16));
  CHECK(row_length(a, nodes) + row_length(a, nodes + 1) == of_pads + 2);
}

TEST_CASE("kkt is a saddle point of short rows", "[gallery]")
{
  constexpr std::int64_t n = 500, constraints = 300;
  GalleryMatrix const a = generate::kkt(n, constraints, 1);
  check_symmetric(a);
  REQUIRE(a.num_rows() == n + constraints);
  std::int64_t next = 0;
  for (std::int64_t i = 0; i < n + constraints; ++i)
  {
    Row const row = row_of(a, i);
    CHECK(has_entry(a, i, i) == (i < n));
    if (i >= n)
    {
      CHECK((row.size() >= 2 && row.size() <= 5));
      CHECK(row.back() < n);
      continue;
    }
    next += has_entry(a, i, i + 1) && i + 1 < n ? 1 : 0;
    for (std::int64_t const j : row)
      CHECK((j >= n || std::abs(i - j) <= 1));
  }
  CHECK(is_likely(next, n - 1, 0.5));
}

TEST_CASE("meshes join the nodes that share an element", "[gallery]")
{
  constexpr std::int64_t nx = 4, ny = 3, nz = 3;
  auto const between = [](std::int64_t i, std::int64_t j) {
    auto const p = point(i, nx, ny), q = point(j, nx, ny);
    return std::array{q[0] - p[0], q[1] - p[1], q[2] - p[2]};
  };
  auto const is_box = [&](std::int64_t i, std::int64_t j) {
    auto const d = between(i, j);
    return std::ranges::all_of(d, [](std::int64_t x) { return std::abs(x) <= 1; });
  };
  // An edge of Kuhn's subdivision goes up, or down, along all axes that it follows.
  auto const is_kuhn = [&](std::int64_t i, std::int64_t j) {
    auto const d = between(i, j);
    return is_box(i, j) && (std::ranges::all_of(d, [](std::int64_t x) { return x >= 0; }) ||
                            std::ranges::all_of(d, [](std::int64_t x) { return x <= 0; }));
  };
  for (std::int64_t const unknowns : {1, 2, 6})
  {
    GalleryMatrix const hexahedra = generate::fem(nx, ny, nz, unknowns, 1),
                        tetrahedra = generate::tets(nx, ny, nz, unknowns, 1);
    check_symmetric(hexahedra);
    check_symmetric(tetrahedra);
    CHECK(nodes_of(hexahedra, unknowns) == rows_where(nx * ny * nz, is_box));
    CHECK(nodes_of(tetrahedra, unknowns) == rows_where(nx * ny * nz, is_kuhn));
  }
  GalleryMatrix const tube = generate::shell(5, 4, 3, 1);
  check_symmetric(tube);
  CHECK(nodes_of(tube, 3) == rows_where(20, [](std::int64_t i, std::int64_t j) {
          std::int64_t const around = (j % 5 - i % 5 + 5) % 5, along = j / 5 - i / 5;
          return (along == 0 && around != 2 && around != 3) || (along == 1 && around <= 1) ||
                 (along == -1 && (around == 0 || around == 4));
        }));
}

TEST_CASE("triangles cut each quadrilateral once", "[gallery]")
{
  constexpr std::int64_t nx = 20, ny = 15;
  GalleryMatrix const a = generate::triangles(nx, ny, 2, 1);
  check_symmetric(a);
  auto const nodes = nodes_of(a, 2);
  auto const are_joined = [&](std::int64_t i, std::int64_t j) {
    return std::binary_search(nodes[i].begin(), nodes[i].end(), j);
  };
  std::int64_t rising = 0, edges = 0;
  for (std::int64_t i = 0; i < nx * ny; ++i)
  {
    edges += static_cast<std::int64_t>(nodes[i].size()) - 1;
    CHECK(are_joined(i, i));
    bool const has_right = i % nx + 1 < nx, has_above = i + nx < nx * ny;
    CHECK((!has_right || are_joined(i, i + 1)));
    CHECK((!has_above || are_joined(i, i + nx)));
    if (has_right && has_above)
    {
      CHECK(are_joined(i, i + nx + 1) != are_joined(i + 1, i + nx));
      rising += are_joined(i, i + nx + 1) ? 1 : 0;
    }
  }
  CHECK(edges == 2 * ((nx - 1) * ny + nx * (ny - 1) + (nx - 1) * (ny - 1)));
  CHECK(is_likely(rising, (nx - 1) * (ny - 1), 0.5));
}

TEST_CASE("road has a share of the edges of a grid", "[gallery]")
{
  constexpr std::int64_t nx = 40, ny = 30;
  GalleryMatrix const a = generate::road(nx, ny, 60, 1);
  check_symmetric(a);
  for (std::int64_t i = 0; i < nx * ny; ++i)
    for (std::int64_t const j : row_of(a, i))
      CHECK(std::abs(i % nx - j % nx) + std::abs(i / nx - j / nx) == 1);
  CHECK(is_likely(static_cast<std::int64_t>(a.nnz()) / 2, 2 * nx * ny - nx - ny, 0.6));
  CHECK(generate::road(5, 4, 100, 1).nnz() == 2 * 31);
}

TEST_CASE("geometric has the clustering of points in a plane", "[gallery]")
{
  constexpr std::int64_t n = 4000, degree = 14;
  GalleryMatrix const a = generate::geometric(n, degree, 1);
  check_symmetric(a);
  CHECK(static_cast<double>(a.nnz()) / n == Catch::Approx(degree).epsilon(0.08));
  std::int64_t pairs = 0, closed = 0;
  for (std::int64_t i = 0; i < n; ++i)
  {
    Row const row = row_of(a, i);
    CHECK_FALSE(has_entry(a, i, i));
    for (std::size_t k = 0; k < row.size(); ++k)
      for (std::size_t l = k + 1; l < row.size(); ++l, ++pairs)
        closed += has_entry(a, row[k], row[l]) ? 1 : 0;
  }
  // 1 - 3 sqrt(3) / (4 pi) of the neighbours of a point are neighbours (Dall and Christensen,
  // Phys. Rev. E 66, 2002); a little more at the boundary.
  CHECK(static_cast<double>(closed) / static_cast<double>(pairs) ==
        Catch::Approx(0.5865).margin(0.02));
  CHECK(generate::geometric(10, 10, 1).nnz() <= 90);
}

TEST_CASE("small_world is a ring with some edges rewired", "[gallery]")
{
  constexpr std::int64_t n = 2000, reach = 4;
  auto const distance = [](std::int64_t i, std::int64_t j) {
    std::int64_t const d = std::abs(i - j);
    return std::min(d, n - d);
  };
  GalleryMatrix const ring = generate::small_world(n, reach, 0, 1),
                      a = generate::small_world(n, reach, 10, 1);
  check_symmetric(a);
  CHECK(rows_of(ring) == rows_where(n, [&](std::int64_t i, std::int64_t j) {
          return i != j && distance(i, j) <= reach;
        }));
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t const j : row_of(a, i))
      kept += distance(i, j) <= reach ? 1 : 0;
  CHECK(is_likely(kept / 2, n * reach, 0.9));
  CHECK(static_cast<double>(a.nnz()) > 0.98 * 2 * n * reach);
}

TEST_CASE("balls are all points near enough", "[gallery]")
{
  for (auto const& [nx, ny, nz, radius] :
       {std::array{7, 6, 5, 2}, std::array{9, 8, 1, 3}, std::array{4, 3, 2, 9}})
  {
    GalleryMatrix const a = generate::balls(nx, ny, nz, radius, 1);
    check_symmetric(a);
    auto const is_near = [nx = nx, ny = ny, radius = radius](std::int64_t i, std::int64_t j) {
      auto const p = point(i, nx, ny), q = point(j, nx, ny);
      std::int64_t square = 0;
      for (std::size_t axis = 0; axis < 3; ++axis)
        square += (p[axis] - q[axis]) * (p[axis] - q[axis]);
      return square <= std::int64_t(radius) * radius;
    };
    CHECK(rows_of(a) == rows_where(std::int64_t(nx) * ny * nz, is_near));
  }
}

TEST_CASE("power_flow has a block and a strip in all rows of a block", "[gallery]")
{
  constexpr std::int64_t blocks = 12, size = 5, shared = 8;
  GalleryMatrix const a = generate::power_flow(blocks, size, shared, 1);
  check_rows(a);
  for (std::int64_t i = 0; i < blocks * size; ++i)
  {
    std::int64_t const block = i / size;
    Row const row = row_of(a, i);
    CHECK(row == row_of(a, block * size));
    Row strip, own;
    for (std::int64_t const j : row)
      (j / size == block ? own : strip).push_back(j);
    CHECK(own.size() == size);
    CHECK((strip.empty() || strip.back() - strip.front() < shared));
    CHECK(strip.size() <= shared);
    CHECK(std::ssize(row) >= std::max(size, shared));
  }
}

TEST_CASE("supernodes have rows in common and a triangle", "[gallery]")
{
  constexpr std::int64_t n = 600, width = 6, below = 3;
  GalleryMatrix const a = generate::supernodes(n, width, below, 1);
  check_rows(a);
  std::int64_t count = 1; // of supernodes, but for those that happen to continue the one before
  for (std::int64_t i = 0; i < n; ++i)
  {
    Row const row = row_of(a, i);
    REQUIRE(row.back() == i); // lower triangular, with a diagonal
    // Whole supernodes are contiguous: at most three of them, and the row's own.
    std::int64_t ranges = 1;
    for (std::size_t k = 1; k < row.size(); ++k)
      ranges += row[k] > row[k - 1] + 1 ? 1 : 0;
    CHECK(ranges <= below + 1);
    CHECK(row_length(a, i) <= (below + 1) * (2 * width - 1));
    // Near the diagonal: of the 24 supernodes before.
    CHECK(row.front() >= i - (8 * below + 1) * (2 * width - 1));
    if (i == 0)
      continue;
    Row expected = row_of(a, i - 1);
    expected.push_back(i);
    count += row != expected ? 1 : 0;
  }
  CHECK(static_cast<double>(count) == Catch::Approx(1.0 * n / width).epsilon(0.3));
  CHECK(static_cast<double>(a.nnz()) ==
        Catch::Approx(n * (below * width + (2 * width + 1) / 3.0)).epsilon(0.2));
}

TEST_CASE("time_steps has one network, coupled in time", "[gallery]")
{
  constexpr std::int64_t steps = 4, nodes = 50, ramps = 10;
  GalleryMatrix const a = generate::time_steps(steps, nodes, ramps, 1);
  check_symmetric(a);
  for (std::int64_t i = 0; i < steps * nodes; ++i)
  {
    std::int64_t const step = i / nodes;
    CHECK(has_entry(a, i, i));
    for (std::int64_t const j : row_of(a, i))
    {
      if (j / nodes == step)
        CHECK(has_entry(a, i % nodes, j % nodes));
      else
        CHECK(std::abs(j - i) == nodes);
    }
    CHECK((step + 1 == steps || has_entry(a, i, i + nodes) == (i % nodes < ramps)));
  }
  CHECK(row_length(a, nodes) > 1);
}

TEST_CASE("diagonals and scatter have their diagonals and random entries", "[gallery]")
{
  constexpr std::int64_t n = 200, count = 5, reach = 30;
  GalleryMatrix const a = generate::diagonals(n, count, reach, 1);
  check_rows(a);
  std::set<std::int64_t> offsets;
  for (std::int64_t const j : row_of(a, n / 2))
    offsets.insert(j - n / 2);
  CHECK(offsets.size() == 1 + 2 * count);
  CHECK(*offsets.rbegin() <= reach);
  CHECK(rows_of(a) == rows_where(n, [&](std::int64_t i, std::int64_t j) {
          return offsets.count(j - i) > 0 && offsets.count(i - j) > 0;
        }));
  GalleryMatrix const b = generate::scatter(n, 6, 1);
  check_rows(b);
  std::int64_t right = 0;
  for (std::int64_t i = 0; i < n; ++i)
  {
    CHECK(row_length(b, i) == 7);
    CHECK(has_entry(b, i, i));
    for (std::int64_t const j : row_of(b, i))
      right += j >= n / 2 && j != i ? 1 : 0;
  }
  CHECK(is_likely(right, 6 * n, 0.5));
  CHECK(generate::scatter(5, 4, 1).nnz() == 25);
}

TEST_CASE("permuted moves groups of rows and columns with their values", "[gallery]")
{
  // numpy.random.default_rng(3).permutation(8)
  std::array<std::int64_t, 8> const p = {6, 7, 2, 1, 4, 5, 3, 0};
  for (std::int64_t const group : {1, 3})
  {
    GalleryMatrix const a = generate::banded(8 * group, 2), b = generate::permuted(a, group, 3);
    check_rows(b);
    CHECK(a.nnz() == b.nnz());
    Dense const before = dense(a), after = dense(b);
    for (std::int64_t i = 0; i < 8 * group; ++i)
      for (std::int64_t j = 0; j < 8 * group; ++j)
        CHECK(after[i][j] ==
              before[p[i / group] * group + i % group][p[j / group] * group + j % group]);
  }
  CHECK(rows_of(generate::permuted(generate::banded(8, 1), 1, 3)) ==
        rows_of(generate::banded_permuted(8, 1, 3)));
  CHECK_THROWS_MATCHES(generate::permuted(generate::uniform(3, 4, 1, 1), 1, 1), InvalidArgument,
                       Message("heddle::generate::permuted: a matrix of 3 x 4 is not square"));
  CHECK_THROWS_MATCHES(
      generate::permuted(generate::banded(8, 1), 3, 1), InvalidArgument,
      Message("heddle::generate::permuted: groups of 3 rows do not divide 8 rows"));
  CHECK_THROWS_MATCHES(
      generate::permuted(generate::banded(8, 1), 0, 1), InvalidArgument,
      Message("heddle::generate::permuted: groups of 0 rows do not divide 8 rows"));
}

} // namespace heddle::test
