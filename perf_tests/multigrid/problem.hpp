// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/load.hpp>
#include <harness/types.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace heddle::perf
{

// What multigrid solves.
struct MultigridProblem
{
  std::string name;
  HostMatrix<double> a;
  int rows_of_node = 1;
  // Where the nodes are, for problems of elasticity; else 0 x 0.
  Kokkos::View<double**, Kokkos::HostSpace> coordinates;
};

// The matrix as it is; of the gallery's elastic bodies, elast3_NX[_NY_NZ], what is left of it where
// the nodes of z = 0 are held; or, if asked for, the Laplacian of the graph that the matrix is
// (laplacian_of). Throws InvalidArgument where the matrix is complex or not square.
MultigridProblem multigrid_problem(LoadedMatrix const& loaded, bool is_laplacian);

// L = D - W for the largest connected component of the graph with an edge of weight 1 where a has
// an entry off the diagonal at (i, j) or (j, i), without the row and the column of the vertex with
// the most edges: positive definite, with sorted rows. The others keep their order. Throws
// InvalidArgument where there is no edge.
HostMatrix<double> laplacian_of(HostMatrix<double> const& a);

} // namespace heddle::perf
