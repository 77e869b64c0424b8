// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What C = R A P checks, and the options of its two products.

#include <heddle/impl/overlap.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm_options.hpp>

#include <cstdint>

namespace heddle::impl
{

// Of A P.
inline SpgemmOptions inner_options(SpgemmOptions options)
{
  options.op_a = Op::none;
  return options;
}
// Of R (A P).
inline SpgemmOptions outer_options(SpgemmOptions options)
{
  options.op_b = Op::none;
  return options;
}

template <class R, class A, class P>
A const& checked_for_triple(R const& r, A const& a, P const& p, SpgemmOptions const& options)
{
  auto const suffix = [](Op op) { return is_transposed(op) ? " and to be transposed" : ""; };
  require((is_transposed(options.op_a) ? r.num_rows() : r.num_cols()) == a.num_rows() &&
              (is_transposed(options.op_b) ? p.num_cols() : p.num_rows()) == a.num_cols(),
          "triple_product", "A is ", a.num_rows(), " x ", a.num_cols(), " but R ", r.num_rows(),
          " x ", r.num_cols(), suffix(options.op_a), ", P ", p.num_rows(), " x ", p.num_cols(),
          suffix(options.op_b));
  return a;
}

// What a numeric call asks of its operands.
template <class Exec, class Plan, class R, class A, class P, class C>
void check_triple_call(Exec const& exec, Plan const& plan, R const& r, A const& a, P const& p,
                       C const& c)
{
  require_pattern(exec, "triple_product", "R", plan.outer().pattern_a(), r);
  require_pattern(exec, "triple_product", "A", plan.inner().pattern_a(), a);
  require_pattern(exec, "triple_product", "P", plan.inner().pattern_b(), p);
  std::int64_t const rows = plan.outer().result_rows(), cols = plan.outer().result_cols();
  require(c.num_rows() == rows && c.num_cols() == cols && c.nnz() == plan.nnz(), "triple_product",
          "C is ", c.num_rows(), " x ", c.num_cols(), ", ", c.nnz(), " entries but the result is ",
          rows, " x ", cols, ", ", plan.nnz(), " entries");
  require_disjoint("triple_product", "the values of R and C", r.values(), c.values());
  require_disjoint("triple_product", "the values of A and C", a.values(), c.values());
  require_disjoint("triple_product", "the values of P and C", p.values(), c.values());
}

} // namespace heddle::impl
