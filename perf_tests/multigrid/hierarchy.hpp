// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/types.hpp>

#include <cstddef>
#include <functional>
#include <vector>

#include <multigrid/library.hpp>
#include <multigrid/solver.hpp>

namespace heddle::perf
{

// One operator of the hierarchy and what leads to the next one, which the coarsest level lacks.
struct MultigridLevel
{
  MultigridMatrix a;
  LevelOperator op;
  MultigridVector b;
  SmootherVectors vectors; // d is 0 where a row is zeros
  // No eigenvalue of D^-1 A is larger: Gershgorin's bound, or an estimate where there are modes.
  double largest = 0;

  Prolongator prolongator;
  CoarseOperator coarse;
  LinearMap prolongation;
};

// What the prolongators have in their range: constants where there are no modes, else the columns
// of modes, on nodes of several rows.
struct NearNullspace
{
  int rows_of_node = 1;
  Kokkos::View<double**, Space> modes;
};

// Smoothed aggregation (Vanek, Mandel and Brezina, Computing 56, 1996) of a symmetric positive
// definite matrix: strong connections as filter has them, aggregates of aggregate, prolongators
// smoothed by one step of Jacobi with 4 / 3 over the largest eigenvalue, Galerkin products,
// V-cycles with two steps of Chebyshev iteration before and after, forty on the coarsest level. The
// products are a library's.
class Hierarchy
{
public:
  // Shares a. Throws InvalidArgument where its diagonal is not positive.
  Hierarchy(MultigridLibrary library, MultigridMatrix const& a, NearNullspace nullspace = {});
  // Everything again for new values of a; aggregates stay.
  void renew();
  // x of the finest level = what one V-cycle from x = 0 makes of b.
  void cycle() const;

  MultigridLevel const& finest() const { return m_levels.front(); }
  std::vector<MultigridLevel> const& levels() const { return m_levels; }
  SetupTimes times() const { return m_times; } // of the last setup
  double operator_complexity() const;          // entries of all operators over those of the first

private:
  void add_level(MultigridMatrix const& a);
  void find_largest(MultigridLevel& level, bool is_finest) const;
  void timed_product(std::function<void()> const& product);

  MultigridLibrary m_library;
  bool m_has_modes;
  std::vector<MultigridLevel> m_levels;
  SetupTimes m_times;
};

// Conjugate gradients for A x = b, preconditioned by a V-cycle, from x = 0, until the residual has
// become so much smaller or so many iterations are done. b is not kept.
CgResult solve(Hierarchy const& hierarchy, MultigridVector const& b, MultigridVector const& x,
               double tolerance, int most_iterations);

} // namespace heddle::perf
