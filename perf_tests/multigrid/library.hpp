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
};

} // namespace heddle::perf
