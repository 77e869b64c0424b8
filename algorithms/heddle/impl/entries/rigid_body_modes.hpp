// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

template <class Coordinates>
struct AddCoordinate
{
  Coordinates coordinates;
  std::size_t axis;
  KOKKOS_FUNCTION void operator()(std::int64_t i, double& sum) const
  {
    sum += coordinates(i, axis);
  }
};

// The mean of the two or three columns; 0 for one that is not there. Waits for exec.
template <class Exec, class Coordinates>
Kokkos::Array<double, 3> mean_of_rows(Exec const& exec, Coordinates const& coordinates)
{
  Kokkos::Array<double, 3> mean{0, 0, 0};
  std::size_t const n = coordinates.extent(0);
  for (std::size_t axis = 0; axis < coordinates.extent(1) && n > 0; ++axis)
  {
    Kokkos::parallel_reduce("heddle::rigid_body_modes::mean", range(exec, n),
                            AddCoordinate<Coordinates>{coordinates, axis}, mean[axis]);
    mean[axis] /= static_cast<double>(n);
  }
  return mean;
}

template <class Coordinates, class Modes>
struct WriteRigidBodyModes
{
  Coordinates coordinates;
  Kokkos::Array<double, 3> center;
  Modes modes;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto const d = static_cast<int>(coordinates.extent(1));
    int const columns = d == 2 ? 3 : 6;
    for (int c = 0; c < d; ++c)
      for (int mode = 0; mode < columns; ++mode)
        modes(d * i + c, mode) = mode < d ? (mode == c ? 1 : 0) : rotation(i, c, mode - d);
  }

private:
  // In the plane of axes a and b, for a = 0, 1, 2 and b the next one: the displacement of b is what
  // a is from the center, that of a is minus what b is.
  KOKKOS_FUNCTION typename Modes::non_const_value_type rotation(std::int64_t i, int c, int a) const
  {
    int const b = (a + 1) % 3;
    if (c != a && c != b)
      return 0;
    int const other = c == a ? b : a;
    double const arm = coordinates(i, other) - center[static_cast<std::size_t>(other)];
    return static_cast<typename Modes::non_const_value_type>(c == a ? -arm : arm);
  }
};

// Asynchronous.
template <class Exec, class Coordinates, class Modes>
void write_rigid_body_modes(Exec const& exec, Coordinates const& coordinates,
                            Kokkos::Array<double, 3> const& center, Modes const& modes)
{
  Kokkos::parallel_for("heddle::rigid_body_modes", range(exec, coordinates.extent(0)),
                       WriteRigidBodyModes<Coordinates, Modes>{coordinates, center, modes});
}

} // namespace heddle::impl
