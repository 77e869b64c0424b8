// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/jacobi_product.hpp>
#include <heddle/spgemm_options.hpp>
#include <heddle/spmv.hpp>
#include <heddle/transpose_plan.hpp>
#include <heddle/triple_product.hpp>

#include <memory>
#include <string>
#include <vector>

#include <multigrid/heddle_library.hpp>

namespace heddle::perf
{

namespace
{

using Matrix = MultigridMatrix;

LinearMap map(Matrix const& a)
{
  SpmvPlan const plan(Exec{}, a);
  return [=](double alpha, MultigridVector const& x, double beta, MultigridVector const& y) {
    spmv(Exec{}, plan, alpha, a, x, beta, y);
  };
}

Prolongator prolongator(double omega, MultigridVector const& d, Matrix const& a, Matrix const& t,
                        bool reuse)
{
  using Plan = decltype(JacobiPlan(Exec{}, a, t));
  auto const plan = std::make_shared<Plan>(Exec{}, a, t, SpgemmOptions{.reuse = reuse});
  Matrix const p = plan->make_result(Exec{});
  auto const compute = [=](double by) { jacobi_product(Exec{}, *plan, by, d, a, t, p); };
  compute(omega);
  return {compute, p};
}

CoarseOperator coarse_operator(Matrix const& a, Matrix const& p, bool reuse)
{
  using Plan = decltype(TripleProductPlan(Exec{}, p, a, p));
  TransposePlan const transposed(Exec{}, p);
  Matrix const r = transposed.make_result(Exec{});
  auto const plan = std::make_shared<Plan>(Exec{}, r, a, p, SpgemmOptions{.reuse = reuse});
  Matrix const c = plan->make_result(Exec{});
  auto const compute = [=] {
    transpose(Exec{}, transposed, p, r);
    triple_product(Exec{}, *plan, r, a, p, c);
  };
  compute();
  return {compute, c, map(r)};
}

MultigridLibrary library(std::string const& name, bool reuse)
{
  return {name,
          [=](double omega, MultigridVector const& d, Matrix const& a, Matrix const& t) {
            return prolongator(omega, d, a, t, reuse);
          },
          [=](Matrix const& a, Matrix const& p) { return coarse_operator(a, p, reuse); }, map};
}

} // namespace

std::vector<MultigridLibrary> heddle_multigrid()
{
  return {library("heddle::auto", false), library("heddle::auto_reuse", true)};
}

} // namespace heddle::perf
