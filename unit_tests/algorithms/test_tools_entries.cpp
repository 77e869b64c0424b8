// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What Kokkos Tools sees of sums of matrices and of operations on their entries.

#include <heddle/add.hpp>
#include <heddle/aggregate.hpp>
#include <heddle/block_norms.hpp>
#include <heddle/convert_bsr.hpp>
#include <heddle/diagonal.hpp>
#include <heddle/filter.hpp>
#include <heddle/jacobi_product.hpp>
#include <heddle/rigid_body_modes.hpp>
#include <heddle/row_norms.hpp>
#include <heddle/scale.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/symmetrize_pattern.hpp>
#include <heddle/tentative_prolongator.hpp>
#include <heddle/triple_product.hpp>
#include <support/row_entries.hpp>
#include <support/tool_checks.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <any>
#include <string>
#include <tuple>

namespace heddle::test
{

namespace
{

template <class Exec, class Matrix>
Operations sum_operations(Exec const& exec, std::string const& what, Matrix const& a,
                          Matrix const& b)
{
  using Plan = AddPlan<Exec, typename Matrix::const_type, typename Matrix::const_type>;
  Plan const plan(exec, a, b);
  auto const c = plan.make_result(exec);
  return {{"add once, " + what, [=] { return add(exec, 1.0, a, 2.0, b); }},
          {"AddPlan, " + what, [=] { return Plan(exec, a, b); }},
          {"AddPlan matches, " + what, [=] { return plan.matches(exec, a, b); }},
          {"AddPlan result, " + what, [=] { return plan.make_result(exec); }},
          {"add, " + what, [=] { return add(exec, plan, 1.0, a, 2.0, b, c), std::any(); }, true}};
}

template <class Exec, class Matrix>
auto jacobi_plan(Exec const& exec, Matrix const& a, Matrix const& b)
{
  return JacobiPlan(exec, a, b);
}

template <class Exec, class Matrix>
Operations triple_operations(Exec const& exec, Matrix const& a)
{
  SpgemmOptions const options{.op_a = Op::transpose};
  using Const = typename Matrix::const_type;
  using Plan = TripleProductPlan<Exec, Const, Const, Const>;
  Plan const plan(exec, a, a, a, options);
  auto const c = plan.make_result(exec);
  return {
      {"triple_product once", [=] { return triple_product(exec, a, a, a, options); }, false, true},
      {"TripleProductPlan", [=] { return Plan(exec, a, a, a, options); }},
      {"TripleProductPlan matches", [=] { return plan.matches(exec, a, a, a); }},
      {"TripleProductPlan result", [=] { return plan.make_result(exec); }},
      {"triple_product", [=] { return triple_product(exec, plan, a, a, a, c), std::any(); }}};
}

// C = alpha A B + beta C, with the passes over C that there are.
template <class Exec, class Matrix>
Operations accumulating_operations(Exec const& exec, Matrix const& a)
{
  using Const = typename Matrix::const_type;
  SpgemmPlan<Exec, Const, Const> const plan(exec, a, a);
  auto const c = plan.make_result(exec);
  Operations all;
  for (double const alpha : {0.0, 2.0})
    for (double const beta : {0.0, 3.0})
      all.push_back({"spgemm, alpha " + std::to_string(alpha) + " beta " + std::to_string(beta),
                     [=] { return spgemm(exec, plan, alpha, a, a, beta, c), std::any(); }});
  return all;
}

template <class Exec, class Matrix>
Operations block_product_operations(Exec const& exec, Matrix const& a)
{
  auto const blocks = to_bsr(exec, a, {2, 3}), others = to_bsr(exec, a, {3, 2});
  SpgemmOptions const options{.op_a = Op::transpose, .op_b = Op::transpose};
  auto const plan = SpgemmPlan(exec, others, blocks, options);
  auto const c = plan.make_result(exec);
  return {{"spgemm of BSR once", [=] { return spgemm(exec, blocks, others); }, false, true},
          {"SpgemmPlan of BSR", [=] { return SpgemmPlan(exec, blocks, others); }},
          {"SpgemmPlan of BSR matches", [=] { return plan.matches(exec, others, blocks); }},
          {"SpgemmPlan of BSR result", [=] { return plan.make_result(exec); }},
          {"spgemm of BSR",
           [=] { return spgemm(exec, plan, 2.0, others, blocks, 3.0, c), std::any(); }}};
}

template <class Exec, class Matrix>
Operations aggregation_operations(Exec const& exec, Matrix const& a)
{
  auto const blocks = to_bsr(exec, a, {2, 2});
  auto const aggregates = aggregate(exec, a);
  Kokkos::View<double**, typename Matrix::memory_space> const coordinates("heddle::test::points",
                                                                          a.num_rows(), 3);
  auto const modes = rigid_body_modes(exec, coordinates);
  return {
      {"block_norms", [=] { return block_norms(exec, blocks); }},
      {"aggregate", [=] { return aggregate(exec, a); }},
      {"rigid_body_modes", [=] { return rigid_body_modes(exec, coordinates); }},
      {"tentative_prolongator", [=] { return tentative_prolongator(exec, aggregates, modes); }}};
}

template <class Exec>
Operations all_operations(Exec const& exec)
{
  using C = DoubleCase<Exec>;
  Structure const& s = structure("power law");
  auto const a = make_csr<C>(s), b = make_csr<C>(partners(s).back()),
             unsorted = make_csr<C>(shuffled(s, 3)), banded = make_csr<C>(structure("banded"));
  Kokkos::View<double*, typename C::space> const d("heddle::test::d", a.num_rows());
  Kokkos::deep_copy(d, 1.0);
  auto const jacobi = jacobi_plan(exec, a, b);
  auto const smoothed = jacobi.make_result(exec);
  FilterOptions const by_norm{FilterCriterion::row_norm}, absolute{FilterCriterion::absolute},
      lumped{.keeps_row_sums = true};
  Operations all = sum_operations(exec, "sorted", a, b);
  append(all, sum_operations(exec, "unsorted", unsorted, a));
  append(all, sum_operations(exec, "equal", a, a));
  append(all,
         {{"diagonal", [=] { return diagonal(exec, a, d), std::any(); }, true},
          {"row_norms", [=] { return row_norms(exec, a, Norm::two, d), std::any(); }, true},
          {"scale_rows", [=] { return scale_rows(exec, d, a), std::any(); }, true},
          {"scale_columns", [=] { return scale_columns(exec, a, d), std::any(); }, true},
          {"remove_diagonal", [=] { return remove_diagonal(exec, a); }},
          {"filter", [=] { return filter(exec, a, 0.5); }},
          {"filter by norms", [=] { return filter(exec, a, 0.5, by_norm); }},
          {"filter by value", [=] { return filter(exec, a, 0.5, absolute); }},
          {"filter with row sums", [=] { return filter(exec, banded, 0.5, lumped); }},
          {"jacobi_product once", [=] { return jacobi_product(exec, 0.5, d, a, b); }, false, true},
          {"JacobiPlan", [=] { return jacobi_plan(exec, a, b); }},
          {"JacobiPlan result", [=] { return jacobi.make_result(exec); }},
          {"jacobi_product",
           [=] { return jacobi_product(exec, jacobi, 0.5, d, a, b, smoothed), std::any(); }},
          {"symmetrize_pattern", [=] { return symmetrize_pattern(exec, a); }}});
  append(all, triple_operations(exec, banded));
  append(all, accumulating_operations(exec, banded));
  append(all, block_product_operations(exec, banded));
  append(all, aggregation_operations(exec, banded));
  exec.fence();
  return all;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("operations on entries name what they do and stay on their instance",
                        "[tools]", DeviceAndHost)
{
  auto const exec = two_instances<TestType>()[0];
  check_labels_and_instances(exec, all_operations(exec));
}

TEMPLATE_LIST_TEST_CASE("asynchronous operations on entries neither wait nor make Views", "[tools]",
                        DeviceAndHost)
{
  auto const exec = two_instances<TestType>()[0];
  check_asynchronous_calls(exec, all_operations(exec));
}

TEMPLATE_LIST_TEST_CASE("operations on entries do not wait for other instances", "[tools]",
                        std::tuple<Host>)
{
  auto const exec = two_instances<TestType>()[0];
  check_no_waiting_for_the_default_instance(exec, all_operations(exec));
}
