// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/types.hpp>

#include <cstddef>
#include <functional>
#include <vector>

#include <multigrid/library.hpp>

namespace heddle::perf
{

// One operator of the hierarchy and what leads to the next one, which the coarsest level lacks.
struct MultigridLevel
{
  MultigridMatrix a;
  LinearMap multiply;
  MultigridVector d; // the inverse of the diagonal of a
  MultigridVector x, b, r, z;
  double largest = 0; // no eigenvalue of D^-1 A is larger (Gershgorin)

  Prolongator prolongator;
  CoarseOperator coarse;
  LinearMap prolongation;
};

// Smoothed aggregation (Vanek, Mandel and Brezina, Computing 56, 1996) of a symmetric positive
// definite matrix: strong connections as filter has them, aggregates of aggregate, prolongators
// smoothed by one step of Jacobi with 4 / 3 over the largest eigenvalue, Galerkin products,
// V-cycles with two steps of Chebyshev iteration before and after, forty on the coarsest level. The
// products are a library's.
class Hierarchy
{
public:
  // Milliseconds of a setup: whole, and in the library's sparse products.
  struct SetupTimes
  {
    double whole_ms = 0, products_ms = 0;
  };

  // Shares a. Throws InvalidArgument where its diagonal is not positive.
  Hierarchy(MultigridLibrary library, MultigridMatrix const& a);
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
  void timed_product(std::function<void()> const& product);

  MultigridLibrary m_library;
  std::vector<MultigridLevel> m_levels;
  SetupTimes m_times;
};

struct CgResult
{
  int iterations = 0;
  double residual = 1; // relative, as the recurrence has it
};

// Conjugate gradients for A x = b, preconditioned by a V-cycle, from x = 0, until the residual has
// become so much smaller or so many iterations are done. b is not kept.
CgResult solve(Hierarchy const& hierarchy, MultigridVector const& b, MultigridVector const& x,
               double tolerance, int most_iterations);

} // namespace heddle::perf
