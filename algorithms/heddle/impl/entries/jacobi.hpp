// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What C = B - omega D^-1 T, T = A B, checks, and what it does with one entry of C.

#include <heddle/accumulator.hpp>
#include <heddle/impl/entries/union.hpp>
#include <heddle/impl/overlap.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::impl
{

template <class A, class B>
A const& checked_for_jacobi(A const& a, B const& b, SpgemmOptions const& options)
{
  require(a.num_rows() == a.num_cols() && a.num_cols() == b.num_rows(), "jacobi_product", "A is ",
          a.num_rows(), " x ", a.num_cols(), " and B ", b.num_rows(), " x ", b.num_cols(),
          ", expected a square A with as many columns as B has rows");
  require(options.op_a == Op::none && options.op_b == Op::none, "jacobi_product", "op_a is ",
          to_string(options.op_a), " and op_b ", to_string(options.op_b), ", expected none");
  return a;
}

template <class Exec, class A, class D, class C>
void check_diagonal_of_jacobi(A const& a, D const& d)
{
  using Value = typename C::value_type;
  static_assert(Kokkos::SpaceAccessibility<Exec, typename D::memory_space>::accessible,
                "heddle::jacobi_product: the execution space cannot reach the inverse diagonal");
  static_assert(is_complex_v<Value> || !is_complex_v<typename D::non_const_value_type>,
                "heddle::jacobi_product: the inverse diagonal is complex, so A or B must be");
  require(static_cast<std::int64_t>(d.extent(0)) == static_cast<std::int64_t>(a.num_rows()),
          "jacobi_product", "the inverse diagonal has ", d.extent(0), " entries but A has ",
          a.num_rows(), " rows");
}

// What a numeric call asks of its operands.
template <class Exec, class Plan, class D, class A, class B, class C>
void check_jacobi_call(Exec const& exec, Plan const& plan, D const& d, A const& a, B const& b,
                       C const& c)
{
  require_pattern(exec, "jacobi_product", "A", plan.product().pattern_a(), a);
  require_pattern(exec, "jacobi_product", "B", plan.product().pattern_b(), b);
  check_diagonal_of_jacobi<Exec, A, D, C>(a, d);
  require(c.num_rows() == b.num_rows() && c.num_cols() == b.num_cols() && c.nnz() == plan.nnz(),
          "jacobi_product", "C is ", c.num_rows(), " x ", c.num_cols(), ", ", c.nnz(),
          " entries but the result is ", b.num_rows(), " x ", b.num_cols(), ", ", plan.nnz(),
          " entries");
  require_disjoint("jacobi_product", "the values of A and C", a.values(), c.values());
  require_disjoint("jacobi_product", "the values of B and C", b.values(), c.values());
  require_disjoint("jacobi_product", "the inverse diagonal and the values of C", d, c.values());
}

// c(slot) = b(p) - omega d(i) t(k) in row i, where either entry may be missing.
template <class First, class Second, class BValues, class TValues, class D, class Values>
struct SmoothEntry
{
  using Scalar = typename Values::non_const_value_type;

  First first;
  Second second;
  Scalar omega;
  D d;
  BValues b;
  TValues t;
  Values c;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t slot) const
  {
    std::int64_t const p = first(slot), k = second(slot);
    Scalar const of_b = p == no_entry ? Scalar(0) : static_cast<Scalar>(b(p));
    c(slot) = k == no_entry ? of_b : of_b - omega * static_cast<Scalar>(d(i)) * t(k);
  }
};

} // namespace heddle::impl
