// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include <multigrid/library.hpp>
#include <multigrid/problem.hpp>

namespace heddle::perf
{

// Milliseconds of a setup: whole, and in the library's sparse products.
struct SetupTimes
{
  double whole_ms = 0, products_ms = 0;
};

struct CgResult
{
  int iterations = 0;
  double residual = 1; // relative, as the recurrence has it
};

// A multigrid preconditioner and CG for one matrix, as heddle-perf multigrid times them.
class MultigridSolver
{
public:
  virtual ~MultigridSolver() = default;
  // The hierarchy, from nothing.
  virtual SetupTimes set_up() = 0;
  // The hierarchy again, twice, for new values, the second time the first values.
  virtual SetupTimes renew() = 0;
  // One cycle from x = 0.
  virtual void cycle(MultigridVector const& b) = 0;
  // Conjugate gradients for A x = b from x = 0, until the residual has become so much smaller or so
  // many iterations are done.
  virtual CgResult solve(MultigridVector const& b, MultigridVector const& x, double tolerance,
                         int most_iterations) = 0;
  virtual std::size_t levels() const = 0;
  virtual double operator_complexity() const = 0; // entries of all operators over those of A
};

struct MultigridMethod
{
  std::string name; // of its rows
  std::function<std::unique_ptr<MultigridSolver>(MultigridProblem const& problem)> make;
};

// Smoothed aggregation (Hierarchy) with the products of a library.
MultigridMethod smoothed_aggregation(MultigridLibrary const& library);

} // namespace heddle::perf
