// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// spmv and spmm of any format against the oracle: every implementation by name, deterministic or
// not, every op, alpha and beta.

#include <heddle/error.hpp>
#include <support/any_plan.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::test
{

template <class Value, class Layout, class Space>
auto plain(std::int64_t rows, std::int64_t cols)
{
  return Kokkos::View<Value**, Layout, Space>("heddle::test::operand", rows, cols);
}

// Kernels whose sums take any order refuse to be deterministic.
inline bool refuses_determinism(std::string const& name)
{
  return name.ends_with("_atomic") || name == "cuda_native::row_segments";
}

// Whether a plan is heddle's own for spmm: a requires-expression cannot tell, since spmv has an
// overload that refuses it (impl/refused_call.hpp). Those of tests have overloads for one of both.
template <class Plan>
inline constexpr bool is_spmm_plan_v = false;
template <class Exec, class Matrix>
inline constexpr bool is_spmm_plan_v<SpmmPlan<Exec, Matrix>> = true;

// spmm, or spmv on the only column.
template <class Exec, class Plan, class Value, class Matrix, class B, class C>
void multiply(Exec const& exec, Plan const& plan, Op op, Value alpha, Matrix const& a, B const& b,
              Value beta, C const& c)
{
  auto const column = [](auto const& view) { return Kokkos::subview(view, Kokkos::ALL, 0); };
  if constexpr (is_spmm_plan_v<Plan>)
    spmm(exec, plan, op, alpha, a, b, beta, c);
  else if constexpr (requires { spmv(exec, plan, op, alpha, a, column(b), beta, column(c)); })
    spmv(exec, plan, op, alpha, a, column(b), beta, column(c));
  else
    spmm(exec, plan, op, alpha, a, b, beta, c);
  exec.fence();
}

// A plan for each implementation, deterministic and not; those with `refusing` in their name must
// not take the matrix.
template <class MakePlan>
auto make_plans(std::vector<char const*> const& names, MakePlan const& make_plan,
                std::string const& refusing)
{
  std::vector<decltype(make_plan("", true))> plans;
  for (std::string const name : names)
    for (bool const deterministic : {false, true})
    {
      INFO(name << (deterministic ? ", deterministic" : ""));
      if (name.find(refusing) != std::string::npos || (deterministic && refuses_determinism(name)))
      {
        CHECK_THROWS_AS(make_plan(name, deterministic), Unsupported);
        continue;
      }
      plans.push_back(make_plan(name, deterministic));
      CHECK(plans.back().implementation_name() == name);
      for (Op const op : all_ops)
        CHECK((!deterministic || plans.back().is_repeatable(op)));
    }
  return plans;
}

// All plans on operands of this layout.
template <class Layout, class C, class Plan, class Matrix>
void check_plans(std::vector<Plan> const& plans, Matrix const& a, Structure const& s,
                 std::vector<std::int64_t> const& widths)
{
  using Value = typename C::value;
  typename C::exec const exec{};
  for (Op const op : all_ops)
    for (std::int64_t const k : widths)
    {
      std::int64_t const in = is_transposed(op) ? s.rows : s.cols;
      std::int64_t const out = is_transposed(op) ? s.cols : s.rows;
      auto const b = plain<Value, Layout, typename C::space>(in, k);
      auto const c = plain<Value, Layout, typename C::space>(out, k);
      fill_input(b);
      for (Value const beta : {Value(0), Value(2)})
      {
        auto const expected = reference_multiply<Value, Value, Value>(s, op, Value(-0.5), k, beta);
        for (Plan const& plan : plans)
        {
          INFO(s.name << ", " << plan.describe() << to_string(op) << ", k " << k << ", beta "
                      << wide(beta));
          fill_output(c, beta == Value(0));
          multiply(exec, plan, op, Value(-0.5), a, b, beta, c);
          CHECK(first_difference_in(expected, c) == "");
        }
      }
    }
}

// refusing: a part of the names of implementations that must refuse the matrix.
template <class C, class Matrix>
void check_spmv_of(Matrix const& a, Structure const& s, std::string const& refusing = "none")
{
  using Exec = typename C::exec;
  using List = AllOfSpmv<Exec, typename Matrix::const_type>;
  auto const make_plan = [&](std::string const& name, bool deterministic) {
    return AnySpmvPlan(Exec{}, a, {.implementation = name, .deterministic = deterministic});
  };
  check_plans<Kokkos::LayoutLeft, C>(make_plans(impl::names_of(List{}), make_plan, refusing), a, s,
                                     {1});
}

// Those of a list that take B and C of this layout.
template <class Value, class Layout, class... Is>
std::vector<std::string> names_taking(impl::Candidates<Is...>)
{
  using B = impl::MatrixOperand<Value const, Layout>;
  using C = impl::MatrixOperand<Value, Layout>;
  std::vector<std::string> names;
  auto const add = [&](std::vector<char const*> const& some, impl::Takes takes) {
    if (takes != impl::Takes::none)
      names.insert(names.end(), some.begin(), some.end());
  };
  (add(impl::names_for<Is>(), Is::template takes<B, C>), ...);
  return names;
}

// Columns of B and C: none, one, and more than a few hosts' tiles.
inline std::vector<std::int64_t> const some_widths{0, 1, 21};

template <class C, class Matrix>
void check_spmm_of(Matrix const& a, Structure const& s,
                   std::vector<std::int64_t> const& widths = some_widths,
                   std::string const& refusing = "none")
{
  using Exec = typename C::exec;
  using List = AllOfSpmm<Exec, typename Matrix::const_type>;
  auto const make_plan = [&](std::string const& name, bool deterministic) {
    return AnySpmmPlan(Exec{}, a, {.implementation = name, .deterministic = deterministic});
  };
  auto plans = make_plans(impl::names_of(List{}), make_plan, refusing);
  check_plans<Kokkos::LayoutRight, C>(plans, a, s, widths);
  if constexpr (std::is_same_v<typename C::value, double>) // the other types have one layout
  {
    auto const names = names_taking<typename C::value, Kokkos::LayoutLeft>(List{});
    std::erase_if(plans, [&](auto const& plan) {
      return std::find(names.begin(), names.end(), plan.implementation_name()) == names.end();
    });
    check_plans<Kokkos::LayoutLeft, C>(plans, a, s, {13});
  }
}

// A format on structures of every kind: As as in conversions.hpp.
template <class As, class C>
void check_spmv_as(std::vector<Structure> const& all, std::string const& refusing = "none")
{
  for (Structure const& s : all)
    check_spmv_of<C>(As::make(typename C::exec{}, make_csr<C>(s)), s, refusing);
}
template <class As, class C>
void check_spmm_as(std::vector<Structure> const& all,
                   std::vector<std::int64_t> const& widths = some_widths,
                   std::string const& refusing = "none")
{
  for (Structure const& s : all)
    check_spmm_of<C>(As::make(typename C::exec{}, make_csr<C>(s)), s, widths, refusing);
}

} // namespace heddle::test
