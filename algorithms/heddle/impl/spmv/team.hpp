// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMV on any Kokkos backend, for formats that store rows (row_views.hpp). A thread of a team takes
// a row, its vector lanes (a power of two near the mean row length) the entries, summed by a vector
// reduction: A x is bitwise repeatable. A^T x and A^H x add by atomics, whose order differs from
// run to run, or gather (multiply/row_view_kernels.hpp).

#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/multiply/row_team.hpp>
#include <heddle/impl/multiply/row_view_kernels.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace heddle::impl
{

// What a team does in the functions below: functors, see scan.hpp.
template <bool is_conjugate, class RowViews, class Value, class Scalar, class X, class Y>
struct SpmvOfTeam
{
  std::int64_t per_team;
  RowViews views;
  Value const* values;
  Scalar alpha;
  X x;
  Scalar beta;
  Y y;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    using Sum = accumulator_t<Value, typename X::value_type, Scalar>;
    for_rows_of_team(team, per_team, views.count, [&](std::int64_t i) {
      auto const view = views[i];
      Sum sum{};
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, view.length),
          [&](std::int64_t n, Sum& partial) {
            view.visit(n, [&](std::int64_t column, std::int64_t slot) {
              partial += Sum(conjugated<is_conjugate>(values[slot])) * Sum(x(column));
            });
          },
          sum);
      Kokkos::single(Kokkos::PerThread(team), [&] { store(y(views.row(i)), alpha, sum, beta); });
    });
  }
};
template <bool is_conjugate, class RowViews, class Value, class Scalar, class X, class Y>
struct AddSpmvOfTeam
{
  std::int64_t per_team;
  RowViews views;
  Value const* values;
  Scalar alpha;
  X x;
  Y y;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    using Sum = accumulator_t<Value, typename X::value_type, Scalar>;
    for_rows_of_team(team, per_team, views.count, [&](std::int64_t i) {
      auto const view = views[i];
      Sum const factor = Sum(alpha) * Sum(x(views.row(i)));
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, view.length), [&](std::int64_t n) {
        view.visit(n, [&](std::int64_t column, std::int64_t slot) {
          Sum const term = Sum(conjugated<is_conjugate>(values[slot])) * factor;
          atomic_accumulate(y(column), static_cast<Scalar>(term));
        });
      });
    });
  }
};

// y <- alpha A x + beta y, where row views tell the indices of values.
template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class X,
          class Y>
void spmv_by_teams(Exec const& exec, std::string const& label, int lanes, RowViews const& views,
                   Value const* values, Scalar alpha, X const& x, Scalar beta, Y const& y)
{
  RowTeams<Exec> const teams{views.count, lanes};
  Kokkos::parallel_for(label, teams.policy(exec),
                       SpmvOfTeam<is_conjugate, RowViews, Value, Scalar, X, Y>{
                           teams.rows_per_team(), views, values, alpha, x, beta, y});
}

// y <- y + alpha A^T x.
template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class X,
          class Y>
void add_spmv_by_atomics(Exec const& exec, std::string const& label, int lanes,
                         RowViews const& views, Value const* values, Scalar alpha, X const& x,
                         Y const& y)
{
  RowTeams<Exec> const teams{views.count, lanes};
  Kokkos::parallel_for(label, teams.policy(exec),
                       AddSpmvOfTeam<is_conjugate, RowViews, Value, Scalar, X, Y>{
                           teams.rows_per_team(), views, values, alpha, x, y});
}

struct SpmvTeams
{
  static constexpr char const* operation = "spmv";
  template <class Matrix>
  static constexpr char const* name = RowViewKernelNames<Matrix>::team;
  template <class Matrix>
  static constexpr bool is_supported = has_row_views_v<Matrix>;
  static constexpr bool is_by_name_only = false;
  struct Tuning
  {
    int lanes = 1;
    std::string describe() const { return std::to_string(lanes) + " lanes a row"; }
  };
  template <class Exec>
  static Tuning tune(RowStatistics const& rows)
  {
    return {lanes_for<Exec>(rows.mean())};
  }
  template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class X,
            class Y>
  static void multiply(Exec const& exec, std::string const& label, Tuning tuning,
                       RowViews const& views, Value const* values, Scalar alpha, X const& x,
                       Scalar beta, Y const& y)
  {
    spmv_by_teams<is_conjugate>(exec, label, tuning.lanes, views, values, alpha, x, beta, y);
  }
  template <bool is_conjugate, class Exec, class RowViews, class Value, class Scalar, class X,
            class Y>
  static void add_transposed(Exec const& exec, std::string const& label, Tuning tuning,
                             RowViews const& views, Value const* values, Scalar alpha, X const& x,
                             Y const& y)
  {
    add_spmv_by_atomics<is_conjugate>(exec, label, tuning.lanes, views, values, alpha, x, y);
  }
};

template <class Exec, class Matrix>
struct SpmvTeam : RowViewKernels<Exec, Matrix, SpmvTeams>
{};

} // namespace heddle::impl
