// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Every implementation of SpMM of CSR against the oracle.

#include <heddle/spmm.hpp>
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
  return impl::names_of(SpmmImplementations<typename C::exec, typename CsrOf<C>::const_type>{});
}

// One call against the oracle, on operands that the caller made.
template <class C, class Value, class B, class Result>
void check_spmm(typename C::exec const& exec, Structure const& s, Op op, Value alpha, Value beta,
                char const* name, B const& b, Result const& c)
{
  auto const k = static_cast<std::int64_t>(b.extent(1));
  INFO(name << ", " << s.name << ", " << to_string(op) << ", k " << k << ", beta " << wide(beta));
  auto const a = make_csr<C>(s);
  fill_input(b);
  fill_output(c, beta == Value(0));
  SpmmPlan const plan(exec, a, {.implementation = name});
  REQUIRE(std::string(plan.implementation_name()) == name);
  spmm(exec, plan, op, alpha, a, b, beta, c);
  exec.fence();
  auto const expected =
      reference_multiply<typename C::value, typename B::non_const_value_type, Value>(s, op, alpha,
                                                                                     k, beta);
  CHECK(first_difference_in(expected, c) == "");
}

// All implementations and ops; make(rows, cols) gives an operand.
template <class C, class Value, class MakeB, class MakeC>
void check_all_spmm(std::vector<Structure> const& all, std::vector<int> const& widths,
                    MakeB const& make_b, MakeC const& make_c)
{
  typename C::exec const exec{};
  for (auto const& s : all)
    for (auto const* const name : spmm_names<C>())
      for (Op const op : all_ops)
        for (int const k : widths)
        {
          auto const b = make_b(is_transposed(op) ? s.rows : s.cols, k);
          auto const c = make_c(is_transposed(op) ? s.cols : s.rows, k);
          check_spmm<C>(exec, s, op, Value(1), Value(0), name, b, c);
          check_spmm<C>(exec, s, op, Value(-0.5), Value(2), name, b, c);
        }
}

template <class Value, class Layout, class Space>
auto plain(std::int64_t rows, std::int64_t cols)
{
  return Kokkos::View<Value**, Layout, Space>("heddle::test::operand", rows, cols);
}

} // namespace heddle::test
