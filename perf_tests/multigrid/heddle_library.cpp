// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/epilogues.hpp>
#include <heddle/jacobi_product.hpp>
#include <heddle/spgemm_options.hpp>
#include <heddle/spmv.hpp>
#include <heddle/transpose_plan.hpp>
#include <heddle/triple_product.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <multigrid/chebyshev.hpp>
#include <multigrid/heddle_library.hpp>

namespace heddle::perf
{

namespace
{

using Matrix = MultigridMatrix;

using MultiplyPlan = decltype(SpmvPlan(Exec{}, Matrix{}));

LinearMap map(MultiplyPlan const& plan, Matrix const& a)
{
  return [=](double alpha, MultigridVector const& x, double beta, MultigridVector const& y) {
    spmv(Exec{}, plan, alpha, a, x, beta, y);
  };
}
LinearMap map(Matrix const& a) { return map(MultiplyPlan(Exec{}, a), a); }

// Each step but the first goes with the product before it.
void smooth(MultiplyPlan const& plan, Matrix const& a, ChebyshevSteps const& steps,
            SmootherVectors const& vectors)
{
  MultigridVector z = vectors.z, next_z = vectors.next_z;
  ChebyshevFactors factors(steps);
  chebyshev_step(factors, vectors);
  for (int step = 1; step < steps.count; ++step)
  {
    factors.advance();
    spmv(Exec{}, plan, 1.0, a, z, 0.0, next_z,
         epilogues::ChebyshevStep{factors.of_direction(), factors.of_residual(), vectors.d,
                                  vectors.r, z, vectors.x});
    Kokkos::kokkos_swap(z, next_z);
  }
  if (steps.updates_residual)
    spmv(Exec{}, plan, -1.0, a, z, 1.0, vectors.r);
}

// Passes over vectors as epilogues of products.
LevelOperator level_operator(Matrix const& a)
{
  MultiplyPlan const plan(Exec{}, a);
  return {map(plan, a),
          [=](MultigridVector const& b, MultigridVector const& x, MultigridVector const& r) {
            spmv(Exec{}, plan, -1.0, a, x, 0.0, r, epilogues::AddVector{1.0, b});
          },
          [=](ChebyshevSteps const& steps, SmootherVectors const& vectors) {
            smooth(plan, a, steps, vectors);
          }};
}

Prolongator prolongator(double omega, MultigridVector const& d, Matrix const& a, Matrix const& t,
                        SpgemmOptions const& options)
{
  using Plan = decltype(JacobiPlan(Exec{}, a, t));
  auto const plan = std::make_shared<Plan>(Exec{}, a, t, options);
  Matrix const p = plan->make_result(Exec{});
  auto const compute = [=](double by) { jacobi_product(Exec{}, *plan, by, d, a, t, p); };
  compute(omega);
  return {compute, p};
}

CoarseOperator coarse_operator(Matrix const& a, Matrix const& p, SpgemmOptions const& options)
{
  using Plan = decltype(TripleProductPlan(Exec{}, p, a, p));
  TransposePlan const transposed(Exec{}, p);
  Matrix const r = transposed.make_result(Exec{});
  auto const plan = std::make_shared<Plan>(Exec{}, r, a, p, options);
  Matrix const c = plan->make_result(Exec{});
  auto const compute = [=] {
    transpose(Exec{}, transposed, p, r);
    triple_product(Exec{}, *plan, r, a, p, c);
  };
  compute();
  return {compute, c, map(r)};
}

MultigridLibrary library(std::string const& name, SpgemmOptions const& options,
                         bool has_epilogues = true)
{
  return {name,
          [=](double omega, MultigridVector const& d, Matrix const& a, Matrix const& t) {
            return prolongator(omega, d, a, t, options);
          },
          [=](Matrix const& a, Matrix const& p) { return coarse_operator(a, p, options); },
          [](Matrix const& a) { return map(a); },
          has_epilogues ? level_operator : std::function<LevelOperator(Matrix const&)>{}};
}

} // namespace

std::vector<MultigridLibrary> heddle_multigrid()
{
  return {library("heddle::auto", {}), library("heddle::auto_once", {.expected_calls = 1}),
          library("heddle::auto_reuse", {.reuse = true}),
          library("heddle::auto_separate", {}, false)};
}

} // namespace heddle::perf
