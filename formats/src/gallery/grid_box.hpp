// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// The number of points of a grid, each of which is so many rows of a matrix. Throws InvalidArgument
// where an extent is below the least one or there would be too many rows.
std::int64_t require_grid(char const* function, std::array<std::int64_t, 3> extents,
                          std::int64_t least_extent, std::int64_t rows_per_point);

// nx x ny x nz points; point (x, y, z) has the number x + nx (y + ny z).
class GridBox
{
public:
  // Checks the numbers, with this many rows of a matrix for each point and its neighbours at most.
  GridBox(char const* function, std::array<std::int64_t, 3> extents, std::int64_t least_extent,
          std::int64_t rows_per_point, std::int64_t neighbours);

  std::int64_t points() const { return m_extents[0] * m_extents[1] * m_extents[2]; }
  std::int64_t extent(std::size_t axis) const { return m_extents[axis]; }

  std::array<std::int64_t, 3> point(std::int64_t number) const
  {
    std::int64_t const line = number / m_extents[0];
    return {number % m_extents[0], line % m_extents[1], line / m_extents[1]};
  }

  // Calls f(dx, dy, dz, number) for the points of the 3 x 3 x 3 box around a point that lie in the
  // grid, itself among them, in ascending order of their numbers.
  template <class F>
  void for_box(std::int64_t number, F const& f) const
  {
    auto const [x, y, z] = point(number);
    std::int64_t const plane = m_extents[0] * m_extents[1];
    for (int dz = z > 0 ? -1 : 0; dz <= (z + 1 < m_extents[2] ? 1 : 0); ++dz)
      for (int dy = y > 0 ? -1 : 0; dy <= (y + 1 < m_extents[1] ? 1 : 0); ++dy)
        for (int dx = x > 0 ? -1 : 0; dx <= (x + 1 < m_extents[0] ? 1 : 0); ++dx)
          f(dx, dy, dz, number + dz * plane + dy * m_extents[0] + dx);
  }

private:
  std::array<std::int64_t, 3> m_extents;
};

} // namespace heddle::impl
