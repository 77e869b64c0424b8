// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/grid_box.hpp>
#include <gallery/limits.hpp>
#include <heddle/impl/require.hpp>

#include <array>
#include <cstdint>

namespace heddle::impl
{

std::int64_t require_grid(char const* function, std::array<std::int64_t, 3> extents,
                          std::int64_t least_extent, std::int64_t rows_per_point)
{
  auto const [nx, ny, nz] = extents;
  require_between(function, "nx", nx, least_extent);
  require_between(function, "ny", ny, least_extent);
  require_between(function, "nz", nz, least_extent);
  // One product at a time: none overflows.
  std::int64_t const most_points = max_gallery_size / rows_per_point;
  require(nx * ny <= most_points && nx * ny * nz <= most_points, function, "a grid of ", nx, " x ",
          ny, " x ", nz, " points has more than ", max_gallery_size, " rows (", rows_per_point,
          " a point)");
  return nx * ny * nz;
}

GridBox::GridBox(char const* function, std::array<std::int64_t, 3> extents,
                 std::int64_t least_extent, std::int64_t rows_per_point, std::int64_t neighbours)
    : m_extents(extents)
{
  std::int64_t const rows =
      require_grid(function, extents, least_extent, rows_per_point) * rows_per_point;
  require_size(function, {rows, rows, rows * neighbours * rows_per_point, 0});
}

} // namespace heddle::impl
