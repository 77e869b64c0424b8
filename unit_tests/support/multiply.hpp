// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// spmv and spmm behind one interface, for tests of what both promise.

#include <support/any_plan.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

// y = A x on contiguous vectors: B and C of one column.
struct Spmv
{
  static constexpr char const* name = "spmv";
  static constexpr std::int64_t k = 1;
  using layout = Kokkos::LayoutLeft;
  using options = SpmvOptions;
  template <class Exec, class Matrix>
  using Plan = AnySpmvPlan<Exec, typename Matrix::const_type>;
  template <class Exec, class Matrix>
  using Implementations = AllOfSpmv<Exec, typename Matrix::const_type>;

  template <class Exec, class Plan, class Value, class Matrix, class B, class C>
  static void run(Exec const& exec, Plan const& plan, Op op, Value alpha, Matrix const& a,
                  B const& b, Value beta, C const& c)
  {
    spmv(exec, plan, op, alpha, a, column(b), beta, column(c));
  }
  // Without op, without a plan.
  template <class Exec, class Plan, class Value, class Matrix, class B, class C>
  static void run(Exec const& exec, Plan const& plan, Value alpha, Matrix const& a, B const& b,
                  Value beta, C const& c)
  {
    spmv(exec, plan, alpha, a, column(b), beta, column(c));
  }
  template <class Exec, class Value, class Matrix, class B, class C>
  static void run_once(Exec const& exec, Op op, Value alpha, Matrix const& a, B const& b,
                       Value beta, C const& c)
  {
    spmv(exec, op, alpha, a, column(b), beta, column(c));
  }
  template <class Exec, class Value, class Matrix, class B, class C>
  static void run_once(Exec const& exec, Value alpha, Matrix const& a, B const& b, Value beta,
                       C const& c)
  {
    spmv(exec, alpha, a, column(b), beta, column(c));
  }

private:
  template <class View>
  static auto column(View const& view)
  {
    return Kokkos::subview(view, Kokkos::ALL, 0);
  }
};

// C = A B, row-major.
struct Spmm
{
  static constexpr char const* name = "spmm";
  static constexpr std::int64_t k = 5;
  using layout = Kokkos::LayoutRight;
  using options = SpmmOptions;
  template <class Exec, class Matrix>
  using Plan = AnySpmmPlan<Exec, typename Matrix::const_type>;
  template <class Exec, class Matrix>
  using Implementations = AllOfSpmm<Exec, typename Matrix::const_type>;

  template <class Exec, class Plan, class Value, class Matrix, class B, class C>
  static void run(Exec const& exec, Plan const& plan, Op op, Value alpha, Matrix const& a,
                  B const& b, Value beta, C const& c)
  {
    spmm(exec, plan, op, alpha, a, b, beta, c);
  }
  template <class Exec, class Plan, class Value, class Matrix, class B, class C>
  static void run(Exec const& exec, Plan const& plan, Value alpha, Matrix const& a, B const& b,
                  Value beta, C const& c)
  {
    spmm(exec, plan, alpha, a, b, beta, c);
  }
  template <class Exec, class Value, class Matrix, class B, class C>
  static void run_once(Exec const& exec, Op op, Value alpha, Matrix const& a, B const& b,
                       Value beta, C const& c)
  {
    spmm(exec, op, alpha, a, b, beta, c);
  }
  template <class Exec, class Value, class Matrix, class B, class C>
  static void run_once(Exec const& exec, Value alpha, Matrix const& a, B const& b, Value beta,
                       C const& c)
  {
    spmm(exec, alpha, a, b, beta, c);
  }
};

template <class Kind, class C>
std::vector<std::string> implementations_of()
{
  std::vector<std::string> names;
  for (char const* const name :
       impl::names_of(typename Kind::template Implementations<typename C::exec, CsrOf<C>>{}))
    names.emplace_back(name);
  return names;
}

// B and C of a call with op(A), filled as the oracle expects (C with NaN where beta = 0).
template <class Kind, class C>
struct Dense
{
  using Value = typename C::value;
  using View = Kokkos::View<Value**, typename Kind::layout, typename C::space>;
  View b, c;

  Dense(Structure const& s, Op op, Value beta)
      : b("heddle::test::b", is_transposed(op) ? s.rows : s.cols, Kind::k)
      , c("heddle::test::c", is_transposed(op) ? s.cols : s.rows, Kind::k)
  {
    fill_input(b);
    fill_output(c, beta == Value(0));
  }
};

// "" or where C differs from the oracle's.
template <class Kind, class C, class View>
std::string wrong_entry(Structure const& s, Op op, typename C::value alpha, typename C::value beta,
                        View const& c)
{
  using Value = typename C::value;
  return first_difference_in(reference_multiply<Value, Value, Value>(s, op, alpha, Kind::k, beta),
                             c);
}

// All entries of a dense matrix, row by row.
template <class View>
std::vector<typename View::non_const_value_type> entries_in(View const& c)
{
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
  std::vector<typename View::non_const_value_type> all;
  for (std::size_t i = 0; i < host.extent(0); ++i)
    for (std::size_t j = 0; j < host.extent(1); ++j)
      all.push_back(host(i, j));
  return all;
}

} // namespace heddle::test
