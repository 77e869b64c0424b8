// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What iterative methods do with A p, and the vectors that they do it on. D is the inverse of A's
// diagonal.

#include <baselines/problem.hpp>
#include <harness/operands.hpp>
#include <harness/types.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <functional>

namespace heddle::perf
{

enum class Step
{
  dot,       // q = A p, p^T q
  residual,  // r = b - A p, r^T r
  jacobi,    // next = p + omega D (b - A p)
  chebyshev, // r = r - A p, next = of_direction p + of_residual D r, x = x + next
  cg         // q = A p, p^T q, x = x + alpha p, r = r - alpha q, r^T D r, p = D r + beta p
};

struct StepWork
{
  char const* name;      // on the command line; rows have spmv_NAME
  int vectors;           // that are read or written, in each pass over the rows by itself
  int operations_of_row; // beside those of A p
};

// In the order of Step.
inline constexpr std::array<StepWork, 5> step_works{
    {{"dot", 2, 2}, {"residual", 3, 3}, {"jacobi", 4, 4}, {"chebyshev", 7, 6}, {"cg", 13, 12}}};

// Factors that a method would have computed, of no meaning here.
inline constexpr double step_omega = 0.75, step_of_direction = 0.5, step_of_residual = 0.25;

struct StepVectors
{
  using Scalar = Kokkos::View<double, Space>;

  Vector<double> p, q, r, b, x, d, next;
  Scalar p_q, rho, rho_next, squares; // p^T q, r^T D r before and after an iteration, r^T r

  explicit StepVectors(HostMatrix<double> const& a);
  // What p, r, b, x and rho begin with. Asynchronous.
  void reset() const;
  // What reset gives to entry i.
  static KOKKOS_FUNCTION double first_p(std::int64_t i) { return dense_value<double>(i, 0); }
  static KOKKOS_FUNCTION double first_r(std::int64_t i) { return dense_value<double>(i, 1); }
  static KOKKOS_FUNCTION double first_b(std::int64_t i) { return dense_value<double>(i, 2); }
  static KOKKOS_FUNCTION double first_x(std::int64_t i) { return dense_value<double>(i, 3); }
  static constexpr double first_rho = 0.5;
};

// One step on the vectors of a matrix.
struct StepProblem
{
  Step step;
  Matrix32<double> a;
  StepVectors v;
};
// The SpMV of libraries for a problem.
using SpmvFamily = std::function<Candidates(SpmvProblem<double> const&)>;

using StepPlan = SpmvPlan<Exec, Matrix32<double>::const_type>;

// The step with its epilogue. Asynchronous, as the others.
void run_fused(StepProblem const& problem, StepPlan const& plan);

// The step in parts: SpMV as this problem has it,
SpmvProblem<double> spmv_of(StepProblem const& problem);
// and what is left, by Kokkos: as few passes over the rows as there can be.
void run_after_spmv(Step step, StepVectors const& v);
// x, r and p of an iteration of CG, once there is p^T q.
void run_after_dot(StepVectors const& v);

} // namespace heddle::perf
