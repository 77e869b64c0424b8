// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/grid_box.hpp>
#include <gallery/limits.hpp>
#include <gallery/row_lists.hpp>
#include <gallery/row_random.hpp>
#include <gallery/sizes.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

// Undirected graphs that are given by where their vertices are.

namespace heddle
{

namespace
{

using impl::add;
using impl::Columns;
using impl::GallerySize;
using impl::GalleryStream;
using impl::RowRandom;

constexpr double pi = std::numbers::pi;

// Random points of a square of side 2^26, in the order of square cells that are as wide as the
// radius or wider, row by row of cells.
class PointsInCells
{
public:
  PointsInCells(std::int64_t n, std::int64_t degree, std::uint64_t seed)
      : m_square(static_cast<std::int64_t>(side * side * static_cast<double>(degree) /
                                           (static_cast<double>(n) * pi)))
  {
    auto const radius = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::sqrt(static_cast<double>(m_square))));
    m_cells = std::clamp<std::int64_t>(static_cast<std::int64_t>(side) / (radius + 1), 1, 1 << 14U);
    std::vector<Point> drawn(static_cast<std::size_t>(n));
    impl::for_each_row("heddle::gallery::points", n, [&](std::int64_t i) {
      RowRandom random(seed, GalleryStream::columns, i);
      std::int64_t const x = random.below(static_cast<std::int64_t>(side));
      drawn[static_cast<std::size_t>(i)] = {x, random.below(static_cast<std::int64_t>(side))};
    });
    m_starts.assign(static_cast<std::size_t>(m_cells * m_cells) + 1, 0);
    for (Point const& point : drawn)
      ++m_starts[cell_of(point) + 1];
    for (std::size_t c = 1; c < m_starts.size(); ++c)
      m_starts[c] += m_starts[c - 1];
    std::vector<std::size_t> next(m_starts.begin(), m_starts.end() - 1);
    m_points.resize(drawn.size());
    for (Point const& point : drawn)
      m_points[next[cell_of(point)]++] = point;
  }

  void add_near(std::int64_t i, Columns& columns) const
  {
    Point const point = m_points[static_cast<std::size_t>(i)];
    std::int64_t const cell_x = cell(point.x), cell_y = cell(point.y);
    for (std::int64_t y = std::max<std::int64_t>(0, cell_y - 1);
         y <= std::min(m_cells - 1, cell_y + 1); ++y)
    {
      // The cells of one row of cells are neighbours in the order.
      auto const first =
          static_cast<std::size_t>(y * m_cells + std::max<std::int64_t>(0, cell_x - 1));
      auto const last = static_cast<std::size_t>(y * m_cells + std::min(m_cells - 1, cell_x + 1));
      for (std::size_t j = m_starts[first]; j < m_starts[last + 1]; ++j)
      {
        std::int64_t const dx = m_points[j].x - point.x, dy = m_points[j].y - point.y;
        if (dx * dx + dy * dy <= m_square && std::cmp_not_equal(j, i))
          add(columns, static_cast<std::int64_t>(j));
      }
    }
  }

private:
  struct Point
  {
    std::int64_t x = 0, y = 0;
  };
  static constexpr double side = 0x1p26;

  std::int64_t cell(std::int64_t x) const { return x * m_cells / static_cast<std::int64_t>(side); }
  std::size_t cell_of(Point const& point) const
  {
    return static_cast<std::size_t>(cell(point.y) * m_cells + cell(point.x));
  }

  std::int64_t m_square; // of the radius
  std::int64_t m_cells = 1;
  std::vector<std::size_t> m_starts;
  std::vector<Point> m_points;
};

// How many pairs of points of the grid are (dx, dy, dz) apart.
std::int64_t pairs(std::int64_t extent, std::int64_t distance)
{
  return std::max<std::int64_t>(0, extent - std::abs(distance));
}

} // namespace

GallerySize impl::road_size(std::int64_t nx, std::int64_t ny, std::int64_t percent)
{
  constexpr char const* function = "generate::road";
  std::int64_t const points = require_grid(function, {nx, ny, 1}, 1, 1);
  require_between(function, "percent", percent, 0, 100);
  std::int64_t const entries = 2 * (2 * nx * ny - nx - ny) * percent / 100;
  return {points, points, entries, transposed_bytes(entries)};
}

GallerySize impl::geometric_size(std::int64_t n, std::int64_t degree)
{
  require_between("generate::geometric", "n", n, 1);
  require_between("generate::geometric", "degree", degree, 1, n);
  constexpr std::int64_t point_bytes = 90;
  // Balls around points near the boundary reach out of the square.
  double const radius = std::sqrt(static_cast<double>(degree) / (static_cast<double>(n) * pi));
  auto const entries = static_cast<std::int64_t>(static_cast<double>(n * degree) *
                                                 (1 - std::min(0.5, 8 / (3 * pi) * radius)));
  return {n, n, entries, point_bytes * n + drawn_bytes(entries)};
}

GallerySize impl::small_world_size(std::int64_t n, std::int64_t reach, std::int64_t percent)
{
  constexpr char const* function = "generate::small_world";
  require_between(function, "n", n, 3);
  require_between(function, "reach", reach, 1, (n - 1) / 2);
  require_between(function, "percent", percent, 0, 100);
  return {n, n, 2 * n * reach, transposed_bytes(2 * n * reach)};
}

GallerySize impl::balls_size(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t radius)
{
  constexpr char const* function = "generate::balls";
  std::int64_t const points = require_grid(function, {nx, ny, nz}, 1, 1);
  require_between(function, "radius", radius, 0, 64);
  double entries = 0; // whole numbers, exact while they are not refused
  for (std::int64_t dz = -radius; dz <= radius; ++dz)
    for (std::int64_t dy = -radius; dy <= radius; ++dy)
      for (std::int64_t dx = -radius; dx <= radius; ++dx)
        if (dx * dx + dy * dy + dz * dz <= radius * radius)
          entries += static_cast<double>(pairs(nx, dx)) *
                     static_cast<double>(pairs(ny, dy) * pairs(nz, dz));
  auto const count = static_cast<std::int64_t>(std::min(entries, 0x1p60));
  return {points, points, count, drawn_bytes(count), true};
}

namespace generate
{

GalleryMatrix road(std::int64_t nx, std::int64_t ny, std::int64_t percent, std::uint64_t seed)
try
{
  GallerySize const size = impl::road_size(nx, ny, percent);
  impl::require_size("generate::road", size);
  auto const half = impl::draw_rows(size.rows, size.cols, [=](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    if (random.chance(percent) && i % nx + 1 < nx)
      add(columns, i + 1);
    if (random.chance(percent) && i / nx + 1 < ny)
      add(columns, i + nx);
  });
  return impl::with_symmetric_values(impl::symmetrized(half), seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("road");
}

GalleryMatrix geometric(std::int64_t n, std::int64_t degree, std::uint64_t seed)
try
{
  impl::require_size("generate::geometric", impl::geometric_size(n, degree));
  PointsInCells const points(n, degree, seed);
  auto const lists =
      impl::draw_rows(n, n, [&](std::int64_t i, Columns& columns) { points.add_near(i, columns); });
  return impl::with_symmetric_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("geometric");
}

GalleryMatrix small_world(std::int64_t n, std::int64_t reach, std::int64_t percent,
                          std::uint64_t seed)
try
{
  impl::require_size("generate::small_world", impl::small_world_size(n, reach, percent));
  auto const half = impl::draw_rows(n, n, [=](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    for (std::int64_t k = 1; k <= reach; ++k)
      add(columns, (i + (random.chance(percent) ? random.between(1, n - 1) : k)) % n);
  });
  return impl::with_symmetric_values(impl::symmetrized(half), seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("small_world");
}

GalleryMatrix balls(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t radius,
                    std::uint64_t seed)
try
{
  GallerySize const size = impl::balls_size(nx, ny, nz, radius);
  impl::require_size("generate::balls", size);
  auto const lists = impl::draw_rows(size.rows, size.cols, [=](std::int64_t i, Columns& columns) {
    std::int64_t const x = i % nx, y = i / nx % ny, z = i / nx / ny;
    for (std::int64_t dz = -std::min(radius, z); dz <= std::min(radius, nz - 1 - z); ++dz)
      for (std::int64_t dy = -std::min(radius, y); dy <= std::min(radius, ny - 1 - y); ++dy)
        for (std::int64_t dx = -std::min(radius, x); dx <= std::min(radius, nx - 1 - x); ++dx)
          if (dx * dx + dy * dy + dz * dz <= radius * radius)
            add(columns, i + dx + nx * (dy + ny * dz));
  });
  return impl::with_symmetric_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("balls");
}

} // namespace generate

} // namespace heddle
