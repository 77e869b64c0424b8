// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Plans by any name: heddle's own, or those of papers where options name what only these have. With
// the lists of both, every implementation runs through the same tests.

#include <heddle/impl/papers_names.hpp>
#include <heddle/papers/spgemm.hpp>
#include <heddle/papers/spmm.hpp>
#include <heddle/papers/spmv.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace heddle::test
{

template <class Exec, class Matrix>
using AllOfSpmv = decltype(SpmvImplementations<Exec, Matrix>{} +
                           papers::SpmvImplementations<Exec, Matrix>{});
template <class Exec, class Matrix>
using AllOfSpmm = decltype(SpmmImplementations<Exec, Matrix>{} +
                           papers::SpmmImplementations<Exec, Matrix>{});
template <class Exec, class A, class B>
using AllOfSpgemm = decltype(SpgemmImplementations<Exec, A, B>{} +
                             papers::SpgemmImplementations<Exec, A, B>{});

template <class List>
inline constexpr bool is_empty_v = std::is_same_v<List, impl::Candidates<>>;

// Own, or Own and Papers where the list of papers has kernels for these types.
template <class Own, class Papers, class PapersList>
using OneOfPlans =
    std::conditional_t<is_empty_v<PapersList>, std::variant<Own>, std::variant<Own, Papers>>;

// The plan of OneOf that has what options name.
template <class OneOf, class Options, class... Args>
OneOf plan_by_name(char const* operation, Options const& options, Args const&... args)
{
  bool is_of_papers = impl::is_papers_name(operation, options.implementation);
  if constexpr (requires { to_string(options.accumulator); })
    is_of_papers = is_of_papers || impl::is_papers_name(operation, to_string(options.accumulator));
  if constexpr (std::variant_size_v<OneOf> == 2)
    if (is_of_papers)
      return OneOf(std::in_place_index<1>, args..., options);
  return OneOf(std::in_place_index<0>, args..., options);
}

// What plans of all operations tell.
template <class OneOf>
class AnyPlan
{
public:
  char const* implementation_name() const
  {
    return visit([](auto const& plan) { return plan.implementation_name(); });
  }
  Backend backend() const
  {
    return visit([](auto const& plan) { return plan.backend(); });
  }
  bool is_forced() const
  {
    return visit([](auto const& plan) { return plan.is_forced(); });
  }
  std::string describe() const
  {
    return visit([](auto const& plan) { return plan.describe(); });
  }
  template <class... Ops>
  bool is_repeatable(Ops... op) const
  {
    return visit([=](auto const& plan) { return plan.is_repeatable(op...); });
  }
  template <class... Args>
  bool matches(Args const&... args) const
  {
    return visit([&](auto const& plan) { return plan.matches(args...); });
  }
  // Where plans may keep values.
  template <class Exec, class Matrix>
  void update_values(Exec const& exec, Matrix const& a)
  {
    std::visit([&](auto& plan) { update(plan, exec, a); }, m_plan);
  }
  template <class Use>
  decltype(auto) visit(Use const& use) const
  {
    return std::visit(use, m_plan);
  }

protected:
  explicit AnyPlan(OneOf plan)
      : m_plan(std::move(plan))
  {}

private:
  template <class Plan, class Exec, class Matrix>
  static void update(Plan& plan, Exec const& exec, Matrix const& a)
  {
    if constexpr (requires { plan.update_values(exec, a); })
      plan.update_values(exec, a);
  }

  OneOf m_plan;
};

template <class Exec, class Matrix>
using OneOfSpmvPlans = OneOfPlans<SpmvPlan<Exec, Matrix>, papers::SpmvPlan<Exec, Matrix>,
                                  papers::SpmvImplementations<Exec, Matrix>>;
template <class Exec, class Matrix>
class AnySpmvPlan : public AnyPlan<OneOfSpmvPlans<Exec, Matrix>>
{
  using OneOf = OneOfSpmvPlans<Exec, Matrix>;

public:
  AnySpmvPlan(Exec const& exec, Matrix const& a, SpmvOptions const& options = {})
      : AnyPlan<OneOf>(plan_by_name<OneOf>("spmv", options, exec, a))
  {}
};
template <class Exec, class Matrix>
AnySpmvPlan(Exec const&, Matrix const&, SpmvOptions const& = {})
    -> AnySpmvPlan<Exec, typename Matrix::const_type>;

template <class Exec, class Matrix>
using OneOfSpmmPlans = OneOfPlans<SpmmPlan<Exec, Matrix>, papers::SpmmPlan<Exec, Matrix>,
                                  papers::SpmmImplementations<Exec, Matrix>>;
template <class Exec, class Matrix>
class AnySpmmPlan : public AnyPlan<OneOfSpmmPlans<Exec, Matrix>>
{
  using OneOf = OneOfSpmmPlans<Exec, Matrix>;

public:
  AnySpmmPlan(Exec const& exec, Matrix const& a, SpmmOptions const& options = {})
      : AnyPlan<OneOf>(plan_by_name<OneOf>("spmm", options, exec, a))
  {}
};
template <class Exec, class Matrix>
AnySpmmPlan(Exec const&, Matrix const&, SpmmOptions const& = {})
    -> AnySpmmPlan<Exec, typename Matrix::const_type>;

template <class Exec, class A, class B>
using OneOfSpgemmPlans = OneOfPlans<SpgemmPlan<Exec, A, B>, papers::SpgemmPlan<Exec, A, B>,
                                    papers::SpgemmImplementations<Exec, A, B>>;
template <class Exec, class A, class B>
class AnySpgemmPlan : public AnyPlan<OneOfSpgemmPlans<Exec, A, B>>
{
  using OneOf = OneOfSpgemmPlans<Exec, A, B>;

public:
  using result_type = SpgemmResult<A, B>;

  AnySpgemmPlan(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options = {})
      : AnyPlan<OneOf>(plan_by_name<OneOf>("spgemm", options, exec, a, b))
  {}
  auto make_result(Exec const& exec) const
  {
    return this->visit([&](auto const& plan) { return plan.make_result(exec); });
  }
  std::size_t nnz() const
  {
    return this->visit([](auto const& plan) { return plan.nnz(); });
  }
  std::int64_t products() const
  {
    return this->visit([](auto const& plan) { return plan.products(); });
  }
  bool keeps_columns() const
  {
    return this->visit([](auto const& plan) { return plan.keeps_columns(); });
  }
  Op op_a() const
  {
    return this->visit([](auto const& plan) { return plan.op_a(); });
  }
  Op op_b() const
  {
    return this->visit([](auto const& plan) { return plan.op_b(); });
  }
};
template <class Exec, class A, class B>
AnySpgemmPlan(Exec const&, A const&, B const&, SpgemmOptions const& = {})
    -> AnySpgemmPlan<Exec, typename A::const_type, typename B::const_type>;

// Calls with such plans.
template <class Exec, class Held, class Scalar, class Matrix, class X, class Y>
void spmv(Exec const& exec, AnySpmvPlan<Exec, Held> const& plan, Op op, Scalar alpha,
          Matrix const& a, X const& x, Scalar beta, Y const& y)
{
  plan.visit([&](auto const& one) { spmv(exec, one, op, alpha, a, x, beta, y); });
}
template <class Exec, class Held, class Scalar, class Matrix, class B, class C>
void spmm(Exec const& exec, AnySpmmPlan<Exec, Held> const& plan, Op op, Scalar alpha,
          Matrix const& a, B const& b, Scalar beta, C const& c)
{
  plan.visit([&](auto const& one) { spmm(exec, one, op, alpha, a, b, beta, c); });
}
template <class Exec, class HeldA, class HeldB, class A, class B, class C>
void spgemm(Exec const& exec, AnySpgemmPlan<Exec, HeldA, HeldB> const& plan, A const& a, B const& b,
            C const& c)
{
  plan.visit([&](auto const& one) { spgemm(exec, one, a, b, c); });
}
// Without op: plans of papers have no such call, and are told that there is none.
template <class Exec, class Held, class Scalar, class Matrix, class X, class Y>
void spmv(Exec const& exec, AnySpmvPlan<Exec, Held> const& plan, Scalar alpha, Matrix const& a,
          X const& x, Scalar beta, Y const& y)
{
  plan.visit([&]<class Plan>(Plan const& one) {
    if constexpr (std::is_same_v<Plan, SpmvPlan<Exec, Held>>)
      spmv(exec, one, alpha, a, x, beta, y);
    else
      spmv(exec, one, Op::none, alpha, a, x, beta, y);
  });
}
template <class Exec, class Held, class Scalar, class Matrix, class B, class C>
void spmm(Exec const& exec, AnySpmmPlan<Exec, Held> const& plan, Scalar alpha, Matrix const& a,
          B const& b, Scalar beta, C const& c)
{
  plan.visit([&]<class Plan>(Plan const& one) {
    if constexpr (std::is_same_v<Plan, SpmmPlan<Exec, Held>>)
      spmm(exec, one, alpha, a, b, beta, c);
    else
      spmm(exec, one, Op::none, alpha, a, b, beta, c);
  });
}

// A B in one call.
template <class Exec, class A, class B>
auto spgemm_by_name(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
{
  bool const is_of_papers = impl::is_papers_name("spgemm", options.implementation) ||
                            impl::is_papers_name("spgemm", to_string(options.accumulator));
  return is_of_papers ? papers::spgemm(exec, a, b, options) : heddle::spgemm(exec, a, b, options);
}

} // namespace heddle::test
