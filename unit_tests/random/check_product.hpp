// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// C = op(A) op(B) with all three sparse: against the oracle, and what plans promise; products of
// products.

#include <heddle/spmv.hpp>
#include <heddle/transpose.hpp>
#include <heddle/validate.hpp>
#include <support/any_plan.hpp>
#include <support/defects.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <random/check_conversion.hpp>
#include <random/check_multiply.hpp>
#include <random/context.hpp>
#include <random/operands.hpp>
#include <random/sparse_oracle.hpp>

namespace heddle::test::random
{

inline SpgemmOptions spgemm_options_of(Problem const& p)
{
  return {.backend = p.backend,
          .implementation = p.implementation,
          .accumulator = p.accumulator,
          .expected_calls = p.expected_calls,
          .reuse = p.reuse,
          .op_a = p.op,
          .op_b = p.op_b,
          .deterministic = p.deterministic,
          .max_workspace_bytes = p.max_workspace_bytes,
          .tuning = {.scatter_vector_paper = {.virtual_warps = p.virtual_warps}}};
}

template <class C>
class ProductCheck
{
  using Value = typename C::value;
  using Exec = typename C::exec;
  using Csr = CsrOf<C>;
  using Plan = AnySpgemmPlan<Exec, typename Csr::const_type, typename Csr::const_type>;

public:
  ProductCheck(Problem const& problem, Context& context)
      : m_problem(problem)
      , m_context(context)
      , m_exec(instance<Exec>(problem.other_instance))
      , m_a(make_csr<C>(problem.a, problem))
      , m_b(make_csr<C>(problem.b, problem))
  {}

  std::string spgemm()
  {
    Problem const& p = m_problem;
    try
    {
      if (p.extra == Extra::refused)
        return refused();
      return p.extra == Extra::without_plan ? compared(product(spgemm_options_of(p)), p)
                                            : with_plan();
    }
    catch (Unsupported const&)
    {
      if (!may_refuse(p) && p.accumulator == SpgemmAccumulator::automatic)
        throw;
      ++m_context.tally().unsupported;
    }
    catch (OutOfMemory const&)
    {
      if (p.max_workspace_bytes == std::numeric_limits<std::size_t>::max())
        throw;
      ++m_context.tally().out_of_memory;
    }
    return {};
  }

  // (A B) x against A (B x), and (A B)^T against B^T A^T.
  std::string associate()
  {
    Csr const c = product({});
    std::string const wrong = vectors(c);
    return wrong.empty() ? transposes(c) : wrong;
  }

private:
  Csr product(SpgemmOptions const& options)
  {
    return m_context.call("spgemm", [&] { return spgemm_by_name(m_exec, m_a, m_b, options); });
  }

  // "" or where C differs from the product of p's matrices.
  std::string compared(Csr const& c, Problem const& p)
  {
    std::string const defect = text_of(validate(m_exec, c));
    if (!defect.empty())
      return "validate finds of C: " + defect;
    return difference<Value>(expected_product<Value>(p.a, p.op, p.b, p.op_b),
                             is_transposed(p.op_b) ? p.b.rows : p.b.cols, read_csr(c));
  }

  std::string with_plan()
  {
    Problem const& p = m_problem;
    SpgemmOptions const options = spgemm_options_of(p);
    Plan const plan = m_context.call("plan", [&] { return Plan(m_exec, m_a, m_b, options); });
    Csr const c = m_context.call("make_result", [&] { return plan.make_result(m_exec); });
    call(plan, c);
    ++m_context.tally().calls[std::string("spgemm ") + plan.implementation_name() + " " +
                              to_string(p.accumulator)];
    std::string const wrong = compared(c, p);
    if (!wrong.empty() || p.extra == Extra::none)
      return wrong;
    if (p.extra == Extra::new_values)
      return with_new_values_under(plan, c);
    return again(plan, c);
  }

  void call(Plan const& plan, Csr const& c)
  {
    m_context.call("spgemm with a plan", [&] { test::spgemm(m_exec, plan, m_a, m_b, c); });
    m_exec.fence();
  }

  // The same plan on the same C, or a plan of its own.
  std::string again(Plan const& plan, Csr const& c)
  {
    EntryList const before = read_csr(c);
    bool is_repeatable = plan.is_repeatable();
    Csr second = c;
    if (m_problem.extra == Extra::fresh_plan)
    {
      Plan const fresh(m_exec, m_a, m_b, spgemm_options_of(m_problem));
      second = fresh.make_result(m_exec);
      is_repeatable = is_repeatable && fresh.is_repeatable();
      call(fresh, second);
    }
    else
      call(plan, c);
    if (!is_repeatable)
      return compared(second, m_problem);
    std::string const wrong = first_difference(before, read_csr(second));
    return wrong.empty() ? "" : "a repeatable plan gives other bits the second time: " + wrong;
  }

  std::string with_new_values_under(Plan const& plan, Csr const& c)
  {
    Problem p = m_problem;
    constexpr bool is_complex = impl::is_complex_v<Value>;
    p.a = with_new_values(p.a, p.seed, is_complex);
    p.b = with_new_values(p.b, p.seed + 1, is_complex);
    Kokkos::deep_copy(m_a.values(), make_csr<C>(p.a, p).values());
    Kokkos::deep_copy(m_b.values(), make_csr<C>(p.b, p).values());
    call(plan, c);
    std::string const wrong = compared(c, p);
    return wrong.empty() ? "" : "with new values, " + wrong;
  }

  // A factor with a row and a column too many.
  std::string refused()
  {
    EntryList larger = m_problem.b;
    ++larger.rows;
    ++larger.cols;
    try
    {
      Plan const plan(m_exec, m_a, make_csr<C>(larger, m_problem), spgemm_options_of(m_problem));
      return "factors of wrong sizes were taken";
    }
    catch (InvalidArgument const&)
    {
      return {};
    }
  }

  // Both products may err by as many roundings as there are products, in every entry of A B x.
  std::string vectors(Csr const& c)
  {
    DenseOperand<C> x(m_problem.b.cols, 1, m_problem.in), inner(m_problem.b.rows, 1, m_problem.in);
    DenseOperand<C> const left(m_problem.a.rows, 1, m_problem.out);
    DenseOperand<C> const right(m_problem.a.rows, 1, m_problem.out);
    x.fill([&](std::int64_t i, std::int64_t j) {
      return rounded<Value>(dense_value(m_problem.seed, i, j, false, impl::is_complex_v<Value>));
    });
    spmv(m_exec, Value(1), c, x.vector(), Value(0), left.vector());
    spmv(m_exec, Value(1), m_b, x.vector(), Value(0), inner.vector());
    spmv(m_exec, Value(1), m_a, inner.vector(), Value(0), right.vector());
    m_exec.fence();
    auto const expected = expected_product<Value>(m_problem.a, Op::none, m_problem.b, Op::none);
    auto const first = left.read(), second = right.read();
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
      Sum sum;
      for (ExpectedEntry const& entry : expected[i])
        sum.add_scaled(entry.sum, wide(x.filled(entry.column, 0)));
      auto const place = left.place(static_cast<std::int64_t>(i), 0);
      for (Value const& value : {first[place], second[place]})
        if (!is_near(sum, value))
          return "A B x (" + std::to_string(i) + ") is " + description(sum, value);
    }
    return {};
  }

  std::string transposes(Csr const& c)
  {
    Problem p = m_problem;
    p.op = p.op_b = Op::transpose;
    std::swap(p.a, p.b);
    std::string const wrong = compared(transpose(m_exec, c), p);
    if (!wrong.empty())
      return "of (A B)^T, " + wrong;
    SpgemmOptions const both{.op_a = Op::transpose, .op_b = Op::transpose};
    std::string const other = compared(heddle::spgemm(m_exec, m_b, m_a, both), p);
    return other.empty() ? "" : "of B^T A^T, " + other;
  }

  Problem const& m_problem;
  Context& m_context;
  Exec const& m_exec;
  Csr m_a, m_b;
};

} // namespace heddle::test::random
