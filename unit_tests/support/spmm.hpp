// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Every implementation of SpMM of CSR against the oracle.

#include <support/any_plan.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

template <class C>
std::vector<char const*> spmm_names()
{
  return impl::names_of(AllOfSpmm<typename C::exec, typename CsrOf<C>::const_type>{});
}

template <class C>
using SpmmPlanOf = AnySpmmPlan<typename C::exec, typename CsrOf<C>::const_type>;

// Of every implementation by its name, and those that a caller gets who names none: they choose by
// the operands too.
template <class C>
std::vector<SpmmPlanOf<C>> all_spmm_plans(typename C::exec const& exec, CsrOf<C> const& a)
{
  std::vector<SpmmPlanOf<C>> plans;
  for (char const* const name : spmm_names<C>())
  {
    plans.emplace_back(exec, a, SpmmOptions{.implementation = name});
    REQUIRE(std::string(plans.back().implementation_name()) == name);
  }
  plans.emplace_back(exec, a, SpmmOptions{});
  plans.emplace_back(exec, a, SpmmOptions{.transposed = true});
  return plans;
}

// A call with each plan against the oracle, which takes longer than they do: it is asked once. b is
// filled, c and start are not.
template <class C, class Value, class B, class Result>
void check_spmm(typename C::exec const& exec, std::vector<SpmmPlanOf<C>> const& plans,
                Structure const& s, CsrOf<C> const& a, Op op, Value alpha, Value beta, B const& b,
                Result const& c, Result const& start)
{
  auto const k = static_cast<std::int64_t>(b.extent(1));
  auto const expected =
      reference_multiply<typename C::value, typename B::non_const_value_type, Value>(s, op, alpha,
                                                                                     k, beta);
  fill_output(start, beta == Value(0));
  for (auto const& plan : plans)
  {
    INFO(plan.implementation_name()
         << ", " << s.name << ", " << to_string(op) << ", k " << k << ", beta " << wide(beta));
    Kokkos::deep_copy(exec, c, start);
    spmm(exec, plan, op, alpha, a, b, beta, c);
    exec.fence();
    CHECK(first_difference_in(expected, c) == "");
  }
}

// All implementations and ops; make(rows, cols) gives an operand.
template <class C, class Value, class MakeB, class MakeC>
void check_all_spmm(std::vector<Structure> const& all, std::vector<int> const& widths,
                    MakeB const& make_b, MakeC const& make_c)
{
  typename C::exec const exec{};
  for (auto const& s : all)
  {
    auto const a = make_csr<C>(s);
    auto const plans = all_spmm_plans<C>(exec, a);
    for (Op const op : all_ops)
      for (int const k : widths)
      {
        auto const b = make_b(is_transposed(op) ? s.rows : s.cols, k);
        auto const c = make_c(is_transposed(op) ? s.cols : s.rows, k);
        auto const start = make_c(is_transposed(op) ? s.cols : s.rows, k);
        fill_input(b);
        check_spmm<C>(exec, plans, s, a, op, Value(1), Value(0), b, c, start);
        check_spmm<C>(exec, plans, s, a, op, Value(-0.5), Value(2), b, c, start);
      }
  }
}

template <class Value, class Layout, class Space>
auto plain(std::int64_t rows, std::int64_t cols)
{
  return Kokkos::View<Value**, Layout, Space>("heddle::test::operand", rows, cols);
}

} // namespace heddle::test
