// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/epilogues.hpp>
#include <heddle/spmv.hpp>

#include <solver_steps/step.hpp>

namespace heddle::perf
{

void run_fused(StepProblem const& problem, StepPlan const& plan)
{
  using namespace epilogues;
  auto const& [step, a, v] = problem;
  Exec const exec{};
  switch (step)
  {
  case Step::dot:
  case Step::cg:
    spmv(exec, plan, 1.0, a, v.p, 0.0, v.q, Dot{v.p, v.p_q});
    if (step == Step::cg)
      run_after_dot(v);
    break;
  case Step::residual:
    spmv(exec, plan, -1.0, a, v.p, 0.0, v.r, Then{AddVector{1.0, v.b}, SquaredNorm{v.squares}});
    break;
  case Step::jacobi:
    spmv(exec, plan, 1.0, a, v.p, 0.0, v.next, JacobiStep{step_omega, v.d, v.b, v.p});
    break;
  case Step::chebyshev:
    spmv(exec, plan, 1.0, a, v.p, 0.0, v.next,
         ChebyshevStep{step_of_direction, step_of_residual, v.d, v.r, v.p, v.x});
    break;
  }
}

} // namespace heddle::perf
