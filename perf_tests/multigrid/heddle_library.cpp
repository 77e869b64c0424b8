// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/jacobi_product.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm_options.hpp>
#include <heddle/spmv.hpp>
#include <heddle/triple_product.hpp>

#include <memory>

#include <multigrid/heddle_library.hpp>

namespace heddle::perf
{

namespace
{

using Matrix = MultigridMatrix;

Prolongator prolongator(double omega, MultigridVector const& d, Matrix const& a, Matrix const& t)
{
  using Plan = decltype(JacobiPlan(Exec{}, a, t));
  auto const plan = std::make_shared<Plan>(Exec{}, a, t, SpgemmOptions{.reuse = true});
  Matrix const p = plan->make_result(Exec{});
  auto const compute = [=](double by) { jacobi_product(Exec{}, *plan, by, d, a, t, p); };
  compute(omega);
  return {compute, p};
}

CoarseOperator coarse_operator(Matrix const& a, Matrix const& p)
{
  using Plan = decltype(TripleProductPlan(Exec{}, p, a, p));
  auto const plan =
      std::make_shared<Plan>(Exec{}, p, a, p, SpgemmOptions{.reuse = true, .op_a = Op::transpose});
  Matrix const c = plan->make_result(Exec{});
  auto const compute = [=] { triple_product(Exec{}, *plan, p, a, p, c); };
  compute();
  SpmvPlan const multiply(Exec{}, p);
  return {compute, c,
          [=](double alpha, MultigridVector const& x, double beta, MultigridVector const& y) {
            spmv(Exec{}, multiply, Op::transpose, alpha, p, x, beta, y);
          }};
}

LinearMap map(Matrix const& a)
{
  SpmvPlan const plan(Exec{}, a);
  return [=](double alpha, MultigridVector const& x, double beta, MultigridVector const& y) {
    spmv(Exec{}, plan, alpha, a, x, beta, y);
  };
}

} // namespace

MultigridLibrary heddle_multigrid() { return {"heddle::auto", prolongator, coarse_operator, map}; }

} // namespace heddle::perf
