// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a multigrid hierarchy asks of a library of sparse matrices. A library is these functions;
// everything else of the hierarchy is the same code for all of them.

#include <harness/types.hpp>

#include <Kokkos_Core.hpp>

#include <functional>
#include <string>
#include <vector>

namespace heddle::perf
{

using MultigridVector = Kokkos::View<double*, Space>;
using MultigridMatrix = Matrix32<double>;

// y = alpha A x + beta y.
using LinearMap = std::function<void(double alpha, MultigridVector const& x, double beta,
                                     MultigridVector const& y)>;

// Chebyshev iteration with a fixed number of steps for eigenvalues of D^-1 A from largest / ratio
// to largest (Saad, Iterative Methods for Sparse Linear Systems, 2003, algorithm 12.1).
struct ChebyshevSteps
{
  int count;
  double largest, ratio;
  bool updates_residual; // r is b - A x afterwards too
};

// What a level has for its smoother: the inverse of the diagonal, x, r = b - A x, and directions.
struct SmootherVectors
{
  MultigridVector d, x, r, z, next_z;
};

// What a cycle does with the operator of a level.
struct LevelOperator
{
  LinearMap multiply;
  // r = b - A x.
  std::function<void(MultigridVector const& b, MultigridVector const& x, MultigridVector const& r)>
      residual;
  std::function<void(ChebyshevSteps const& steps, SmootherVectors const& vectors)> smooth;
};

// With products and passes over vectors apart.
LevelOperator separate_operator(LinearMap const& multiply);

// P = T - omega diag(d) A T; compute finds its values again where those of d and A have changed.
struct Prolongator
{
  std::function<void(double omega)> compute;
  MultigridMatrix p;
};

// P^T A P in the same way, and y = alpha P^T x + beta y with P as of the last time.
struct CoarseOperator
{
  std::function<void()> compute;
  MultigridMatrix a;
  LinearMap restriction;
};

struct MultigridLibrary
{
  std::string name; // of its rows
  std::function<Prolongator(double omega, MultigridVector const& d, MultigridMatrix const& a,
                            MultigridMatrix const& t)>
      prolongator;
  std::function<CoarseOperator(MultigridMatrix const& a, MultigridMatrix const& p)> coarse_operator;
  std::function<LinearMap(MultigridMatrix const& a)> map;
  // Where it has more than products: else separate_operator(map(a)).
  std::function<LevelOperator(MultigridMatrix const& a)> level_operator = {};
};

} // namespace heddle::perf
