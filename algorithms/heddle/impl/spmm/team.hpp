// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM on any Kokkos backend, for formats that store rows (row_views.hpp): a thread of a team takes
// a row of A, its vector lanes the columns of B and C, so that row-major operands are read and
// written side by side. A B is bitwise repeatable. A^T B adds by atomics, whose order differs from
// run to run, or gathers (multiply/row_view_kernels.hpp).

#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/multiply/row_team.hpp>
#include <heddle/impl/multiply/row_view_kernels.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace heddle::impl
{

// What a team does in the functions below: functors, see scan.hpp.
template <bool is_conjugate, class RowViews, class Value, class Scalar, class B, class C>
struct SpmmOfTeam
{
  std::int64_t per_team;
  RowViews views;
  Value const* values;
  Scalar alpha;
  B b;
  Scalar beta;
  C c;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    using Sum = accumulator_t<Value, typename B::value_type, Scalar>;
    for_rows_of_team(team, per_team, views.count, [&](std::int64_t i) {
      auto const view = views[i];
      std::int64_t const row = views.row(i);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, c.cols), [&](std::int64_t j) {
        Sum sum{};
        view.for_each([&](std::int64_t column, std::int64_t slot) {
          sum += Sum(conjugated<is_conjugate>(values[slot])) * Sum(b(column, j));
        });
        store(c(row, j), alpha, sum, beta);
      });
    });
  }
};
template <bool is_conjugate, class RowViews, class Value, class Scalar, class B, class C>
struct AddSpmmOfTeam
{
  std::int64_t per_team;
  RowViews views;
  Value const* values;
  Scalar alpha;
  B b;
  C c;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    using Sum = accumulator_t<Value, typename B::value_type, Scalar>;
    for_rows_of_team(team, per_team, views.count, [&](std::int64_t i) {
      auto const view = views[i];
      std::int64_t const row = views.row(i);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, b.cols), [&](std::int64_t j) {
        Sum const factor = Sum(alpha) * Sum(b(row, j));
        view.for_each([&](std::int64_t column, std::int64_t slot) {
          Sum const term = Sum(conjugated<is_conjugate>(values[slot])) * factor;
          atomic_accumulate(c(column, j), static_cast<Scalar>(term));
        });
      });
    });
  }
};

// C <- alpha A B + beta C, where row views tell the indices of values.
template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class B,
          class C>
void spmm_by_teams(Exec const& exec, std::string const& label, RowViews const& views,
                   Value const* values, Scalar alpha, B const& b, Scalar beta, C const& c)
{
  RowTeams<Exec> const teams{views.count, lanes_for<Exec>(static_cast<double>(c.cols))};
  Kokkos::parallel_for(label, teams.policy(exec),
                       SpmmOfTeam<is_conjugate, RowViews, Value, Scalar, B, C>{
                           teams.rows_per_team(), views, values, alpha, b, beta, c});
}

// C <- C + alpha A^T B.
template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class B,
          class C>
void add_spmm_by_atomics(Exec const& exec, std::string const& label, RowViews const& views,
                         Value const* values, Scalar alpha, B const& b, C const& c)
{
  RowTeams<Exec> const teams{views.count, lanes_for<Exec>(static_cast<double>(b.cols))};
  Kokkos::parallel_for(label, teams.policy(exec),
                       AddSpmmOfTeam<is_conjugate, RowViews, Value, Scalar, B, C>{
                           teams.rows_per_team(), views, values, alpha, b, c});
}

struct SpmmTeams
{
  static constexpr char const* operation = "spmm";
  template <class Matrix>
  static constexpr char const* name = RowViewKernelNames<Matrix>::team;
  template <class Matrix>
  static constexpr bool is_supported = has_row_views_v<Matrix>;
  static constexpr bool is_by_name_only = false;
  struct Tuning
  {
    static std::string describe() { return "a thread a row, lanes over the columns of B"; }
  };
  template <class Exec>
  static Tuning tune(RowStatistics const&)
  {
    return {};
  }
  template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class B,
            class C>
  static void multiply(Exec const& exec, std::string const& label, Tuning, RowViews const& views,
                       Value const* values, Scalar alpha, B const& b, Scalar beta, C const& c)
  {
    spmm_by_teams<is_conjugate>(exec, label, views, values, alpha, b, beta, c);
  }
  template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class B,
            class C>
  static void add_transposed(Exec const& exec, std::string const& label, Tuning,
                             RowViews const& views, Value const* values, Scalar alpha, B const& b,
                             C const& c)
  {
    add_spmm_by_atomics<is_conjugate>(exec, label, views, values, alpha, b, c);
  }
};

template <class Exec, class Matrix>
struct SpmmTeam : RowViewKernels<Exec, Matrix, SpmmTeams>
{};

} // namespace heddle::impl
