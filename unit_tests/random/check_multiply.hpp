// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// y = alpha op(A) x + beta y and C = alpha op(A) B + beta C with A in any format: against the
// oracle, and what plans promise.

#include <heddle/copy.hpp>
#include <support/multiply.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <random/context.hpp>
#include <random/make_format.hpp>
#include <random/operands.hpp>
#include <random/oracle.hpp>
#include <random/problem.hpp>

namespace heddle::test::random
{

template <class Kind>
typename Kind::options options_of(Problem const& p)
{
  typename Kind::options options;
  options.backend = p.backend;
  options.implementation = p.implementation;
  options.deterministic = p.deterministic;
  if constexpr (requires { options.may_convert; })
    options.may_convert = p.may_convert;
  if constexpr (requires { options.transposed; })
    options.transposed = p.transposed;
  return options;
}

// Where an implementation is named or forced it may say that it cannot.
inline bool may_refuse(Problem const& p)
{
  return !p.implementation.empty() || p.backend != Backend::automatic;
}

// B and C of a call with op(A). What must not be read is NaN.
template <class C>
struct Operands
{
  using Value = typename C::value;
  Value alpha, beta;
  DenseOperand<C> b, c;

  Operands(Problem const& p, Op op, std::int64_t columns, Placement in, Placement out)
      : alpha(rounded<Value>(p.alpha))
      , beta(rounded<Value>(p.beta))
      , b(is_transposed(op) ? p.a.rows : p.a.cols, columns, in)
      , c(is_transposed(op) ? p.a.cols : p.a.rows, columns, out)
  {
    fill(b, alpha, p.seed, p.has_specials);
    fill(c, beta, p.seed == 0 ? 0 : ~p.seed, false);
  }

  // alpha op(A) B + beta C, row by row.
  std::vector<Sum> expected(EntryList const& a, Op op) const
  {
    std::int64_t const k = c.cols();
    std::vector<Sum> sums(static_cast<std::size_t>(c.rows() * k));
    if (alpha != Value(0))
      for (Entry const& entry : a.entries)
      {
        Wide const stored = wide(rounded<Value>(entry.value));
        Wide const value = is_conjugated(op) ? wide(conjugated(rounded<Value>(stored))) : stored;
        std::int64_t const to = is_transposed(op) ? entry.column : entry.row;
        std::int64_t const from = is_transposed(op) ? entry.row : entry.column;
        for (std::int64_t n = 0; n < k; ++n)
          sums[static_cast<std::size_t>(to * k + n)].add(wide(alpha), value,
                                                         wide(b.filled(from, n)));
      }
    if (beta != Value(0))
      for (std::int64_t i = 0; i < c.rows(); ++i)
        for (std::int64_t n = 0; n < k; ++n)
          sums[static_cast<std::size_t>(i * k + n)].add(wide(beta), wide(c.filled(i, n)));
    return sums;
  }
  // "" or where C, or what surrounds it, differs.
  std::string difference(std::vector<Sum> const& sums, bool may_be_nan) const
  {
    auto const now = c.read();
    for (std::int64_t i = 0; i < c.rows(); ++i)
      for (std::int64_t j = 0; j < c.cols(); ++j)
      {
        Sum const& sum = sums[static_cast<std::size_t>(i * c.cols() + j)];
        if (!is_near(sum, now[c.place(i, j)], may_be_nan))
          return "result (" + std::to_string(i) + ", " + std::to_string(j) + ") is " +
                 description(sum, now[c.place(i, j)]);
      }
    return c.is_untouched_around(now) ? "" : "values around the result were written";
  }

private:
  static void fill(DenseOperand<C>& to, Value scalar, std::uint64_t seed, bool has_specials)
  {
    constexpr bool is_complex = impl::is_complex_v<Value>;
    if (scalar == Value(0))
      to.fill(Value(std::numeric_limits<float>::quiet_NaN()));
    else
      to.fill([&](std::int64_t i, std::int64_t j) {
        return rounded<Value>(dense_value(seed, i, j, has_specials && !is_complex, is_complex));
      });
  }
};

// Other values in the same pattern.
inline EntryList with_new_values(EntryList a, std::uint64_t seed, bool is_complex)
{
  for (std::size_t k = 0; k < a.entries.size(); ++k)
    a.entries[k].value = dense_value(~seed, static_cast<std::int64_t>(k), 1, false, is_complex);
  return a;
}

template <Format format, class C>
class MultiplyCheck
{
  using Value = typename C::value;
  using Exec = typename C::exec;
  static constexpr bool is_complex = impl::is_complex_v<Value>;

public:
  MultiplyCheck(Problem const& problem, Context& context)
      : m_problem(problem)
      , m_context(context)
      , m_exec(instance<Exec>(problem.other_instance))
      , m_entries(held(problem.a))
  {}

  template <class Kind>
  std::string run()
  {
    return with_matrix([&](auto const& a) { return calls<Kind>(a); });
  }
  std::string run_both()
  {
    return with_matrix([&](auto const& a) { return both(a); });
  }

private:
  // What the format holds: only coordinates keep entries of one place apart.
  EntryList held(EntryList const& a) const
  {
    return m_problem.from_coordinates && format != Format::coo ? merged<Value>(a) : a;
  }
  template <class Use>
  std::string with_matrix(Use const& use)
  {
    Problem const& p = m_problem;
    if (format == Format::coo || p.from_coordinates)
      return use(make_format<format, C>(m_exec, make_coo<C>(p.a, p), p, Orders<C>(p)));
    if constexpr (format != Format::coo)
      return use(make_format<format, C>(m_exec, make_csr<C>(p.a, p), p, Orders<C>(p)));
    return {};
  }

  template <class Kind, class Matrix>
  using PlanOf = typename Kind::template Plan<Exec, Matrix>;

  template <class Kind, class Matrix>
  PlanOf<Kind, Matrix> make_plan(Matrix const& a)
  {
    auto const options = options_of<Kind>(m_problem);
    return m_context.call("plan", [&] { return PlanOf<Kind, Matrix>(m_exec, a, options); });
  }

  template <class Kind, class Matrix>
  std::string calls(Matrix const& a)
  {
    Problem const& p = m_problem;
    Operands<C> operands(p, p.op, Kind::k == 1 ? 1 : p.columns, p.in, p.out);
    std::optional<PlanOf<Kind, Matrix>> plan;
    try
    {
      plan.emplace(make_plan<Kind>(a));
      call<Kind>(*plan, a, operands);
    }
    catch (Unsupported const&)
    {
      if (!may_refuse(p))
        throw;
      ++m_context.tally().unsupported;
      return {};
    }
    ++m_context.tally().calls[std::string(Kind::name) + " " + to_string(format) + " " +
                              plan->implementation_name()];
    std::string const wrong = operands.difference(operands.expected(m_entries, p.op), may_be_nan());
    return wrong.empty() ? further<Kind>(*plan, a, operands) : wrong;
  }

  template <class Kind, class Plan, class Matrix>
  void call(Plan const& plan, Matrix const& a, Operands<C> const& operands)
  {
    m_context.call(
        Kind::name,
        [&] {
          Kind::run(m_exec, plan, m_problem.op, operands.alpha, a, operands.b.view(), operands.beta,
                    operands.c.view());
        },
        [&] { operands.c.send(); });
    m_exec.fence();
  }

  template <class Kind, class Plan, class Matrix>
  std::string further(Plan& plan, Matrix const& a, Operands<C>& operands)
  {
    switch (m_problem.extra)
    {
    case Extra::same_again:
      return again<Kind>(plan, plan, a, operands);
    case Extra::fresh_plan:
      return again<Kind>(plan, make_plan<Kind>(a), a, operands);
    case Extra::new_values:
      return with_new_values_under<Kind>(plan, a, operands);
    case Extra::copy:
      return again<Kind>(plan, plan, copy_of(a), operands);
    case Extra::without_plan:
      return once<Kind>(a, operands);
    case Extra::refused:
      return refused<Kind>(plan, a, operands);
    default:
      return {};
    }
  }

  // There is no clone of reordered matrices.
  template <class Matrix>
  Matrix copy_of(Matrix const& a)
  {
    if constexpr (format == Format::reordered)
      return a;
    else
      return m_context.call("clone", [&] { return clone(m_exec, a); });
  }

  // A second call, with another plan or a copy of A, after the first. Trials may choose otherwise
  // each time.
  template <class Kind, class Plan, class Matrix>
  std::string again(Plan const& first, Plan const& second, Matrix const& a,
                    Operands<C> const& operands)
  {
    auto const before = operands.c.read();
    call<Kind>(second, a, operands);
    auto const now = operands.c.read();
    Op const op = m_problem.op;
    bool const is_repeatable =
        first.is_repeatable(op) && second.is_repeatable(op) && !m_problem.may_convert;
    if (is_repeatable && !are_same(now, before))
      return "a repeatable plan gives other bits the second time";
    return operands.difference(operands.expected(m_entries, op), may_be_nan());
  }

  template <class Kind, class Matrix>
  std::string once(Matrix const& a, Operands<C> const& operands)
  {
    m_context.call(
        "a call without a plan",
        [&] {
          Kind::run_once(m_exec, m_problem.op, operands.alpha, a, operands.b.view(), operands.beta,
                         operands.c.view());
        },
        [&] { operands.c.send(); });
    m_exec.fence();
    return operands.difference(operands.expected(m_entries, m_problem.op), may_be_nan());
  }

  template <class Kind, class Plan, class Matrix>
  std::string with_new_values_under(Plan& plan, Matrix const& a, Operands<C>& operands)
  {
    Problem p = m_problem;
    p.a = with_new_values(p.a, p.seed, is_complex);
    if constexpr (is_coo_matrix_v<Matrix>)
      Kokkos::deep_copy(a.values(), make_coo<C>(p.a, p).values());
    else
    {
      auto const csr = make_csr<C>(held(p.a), p);
      if constexpr (is_csr_matrix_v<Matrix>)
        Kokkos::deep_copy(a.values(), csr.values());
      else
        m_context.call("update_values", [&] { update_values(m_exec, a, csr); });
    }
    if constexpr (requires { plan.update_values(m_exec, a); })
      m_context.call("update_values of the plan", [&] { plan.update_values(m_exec, a); });
    m_exec.fence();
    call<Kind>(plan, a, operands);
    std::string const wrong = operands.difference(operands.expected(held(p.a), p.op), may_be_nan());
    return wrong.empty() ? "" : "with new values, " + wrong;
  }

  // B with a row too many.
  template <class Kind, class Plan, class Matrix>
  std::string refused(Plan const& plan, Matrix const& a, Operands<C> const& operands)
  {
    DenseOperand<C> const longer(operands.b.rows() + 1, operands.b.cols(), m_problem.in);
    operands.c.send();
    auto const before = operands.c.read();
    try
    {
      Kind::run(m_exec, plan, m_problem.op, operands.alpha, a, longer.view(), operands.beta,
                operands.c.view());
      return "operands of wrong sizes were taken";
    }
    catch (InvalidArgument const&)
    {}
    m_exec.fence();
    auto const now = operands.c.read();
    return are_same(now, before) ? "" : "a call that was refused changed its result";
  }

  template <class Matrix>
  std::string both(Matrix const& a)
  {
    Problem const& p = m_problem;
    Operands<C> const transposed(p, p.op, p.columns, p.in, p.out);
    Operands<C> const plain(p, Op::none, p.columns + 1, p.out, p.in);
    try
    {
      SpmmOptions const options = options_of<Spmm>(p); // whose name is no allocation of the plan
      SpmmPlan const plan = m_context.call("plan", [&] { return SpmmPlan(m_exec, a, options); });
      m_context.call(
          "spmm_both",
          [&] {
            spmm_both(m_exec, plan, p.op, plain.alpha, a, transposed.b.view(), plain.b.view(),
                      plain.beta, transposed.c.view(), plain.c.view());
          },
          [&] {
            transposed.c.send();
            plain.c.send();
          });
      m_exec.fence();
      ++m_context.tally().calls["spmm_both " + std::string(to_string(format)) + " " +
                                plan.implementation_name()];
    }
    catch (Unsupported const&)
    {
      if (!may_refuse(p))
        throw;
      ++m_context.tally().unsupported;
      return {};
    }
    std::string const wrong =
        transposed.difference(transposed.expected(m_entries, p.op), may_be_nan());
    return wrong.empty() ? plain.difference(plain.expected(m_entries, Op::none), may_be_nan())
                         : "of op(A) B_t, " + wrong;
  }

  // Blocks multiply the zeros that fill them.
  bool may_be_nan() const { return format == Format::bsr; }

  Problem const& m_problem;
  Context& m_context;
  Exec const& m_exec;
  EntryList m_entries;
};

} // namespace heddle::test::random
