// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/impl/entries/rigid_body_modes.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <type_traits>

namespace heddle
{

/// The motions of a rigid body, the near-nullspace of elasticity: coordinates is a View of N x d
/// with the places of the nodes, d = 2 or 3, and the result a View of (N d) x 3 or (N d) x 6, whose
/// row d i + c is component c of the displacement of node i. Its columns are the d translations, of
/// entries 0 and 1, and the rotations, in the planes x y, y z and z x, about the mean of the
/// coordinates: small numbers lose fewer digits than where the origin is far from the body. Throws
/// InvalidArgument where d is neither 2 nor 3. Waits for exec.
template <ExecutionSpace Exec, DenseMatrix Coordinates>
auto rigid_body_modes(Exec const& exec, Coordinates const& coordinates)
try
{
  using Real = typename Coordinates::non_const_value_type;
  using Modes = Kokkos::View<Real**, typename Coordinates::memory_space>;
  static_assert(std::is_floating_point_v<Real>, "heddle::rigid_body_modes: coordinates are real");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename Coordinates::memory_space>::accessible,
                "heddle::rigid_body_modes: the execution space cannot reach the coordinates");
  Kokkos::Profiling::ScopedRegion const region("heddle::rigid_body_modes");
  std::size_t const nodes = coordinates.extent(0), d = coordinates.extent(1);
  impl::require(d == 2 || d == 3, "rigid_body_modes", "coordinates has ", d,
                " columns, expected 2 or 3");
  auto modes =
      impl::allocated<Modes>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "heddle::modes"),
                             "heddle::modes", nodes * d, d == 2 ? 3 : 6);
  Kokkos::Array<double, 3> const center = impl::mean_of_rows(exec, coordinates);
  impl::write_rigid_body_modes(exec, coordinates, center, modes);
  exec.fence("heddle::rigid_body_modes");
  return modes;
}
catch (...)
{
  impl::rethrow_out_of_memory("rigid_body_modes");
}

} // namespace heddle
