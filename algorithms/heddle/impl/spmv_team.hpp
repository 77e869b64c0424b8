// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMV on any Kokkos backend, for formats that store rows (lines.hpp). A thread of a team takes a
// row, its vector lanes (a power of two near the mean row length) the entries, summed by a vector
// reduction: A x is bitwise repeatable. A^T x and A^H x scale y and add by atomics, whose order
// differs from run to run; a plan with deterministic = true holds the transposed pattern instead
// and gathers (its memory: an ordinal and an offset an entry).

#include <heddle/backend.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/line_formats.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_team.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/op.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::impl
{

// y <- alpha A x + beta y, where lines tell the places in values.
template <bool is_conjugate, class Exec, class Lines, class Value, class Scalar, class X, class Y>
void spmv_by_teams(Exec const& exec, std::string const& label, int lanes, Lines const& lines,
                   Value const* values, Scalar alpha, X const& x, Scalar beta, Y const& y)
{
  using Sum = accumulator_t<Value, typename X::value_type, Scalar>;
  RowTeams<Exec> const teams{lines.count, lanes};
  std::int64_t const per_team = teams.rows_per_team();
  Kokkos::parallel_for(
      label, teams.policy(exec), KOKKOS_LAMBDA(typename RowTeams<Exec>::Member const& team) {
        std::int64_t const first = team.league_rank() * per_team;
        std::int64_t const last = Kokkos::min(first + per_team, lines.count);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t i) {
          auto const line = lines[i];
          Sum sum{};
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, line.length),
              [&](std::int64_t n, Sum& partial) {
                line.visit(n, [&](std::int64_t column, std::int64_t place) {
                  partial += Sum(conjugated<is_conjugate>(values[place])) * Sum(x(column));
                });
              },
              sum);
          Kokkos::single(Kokkos::PerThread(team),
                         [&] { store(y(lines.row(i)), alpha, sum, beta); });
        });
      });
}

// y <- y + alpha A^T x.
template <bool is_conjugate, class Exec, class Lines, class Value, class Scalar, class X, class Y>
void add_spmv_by_atomics(Exec const& exec, std::string const& label, int lanes, Lines const& lines,
                         Value const* values, Scalar alpha, X const& x, Y const& y)
{
  using Sum = accumulator_t<Value, typename X::value_type, Scalar>;
  RowTeams<Exec> const teams{lines.count, lanes};
  std::int64_t const per_team = teams.rows_per_team();
  Kokkos::parallel_for(
      label, teams.policy(exec), KOKKOS_LAMBDA(typename RowTeams<Exec>::Member const& team) {
        std::int64_t const first = team.league_rank() * per_team;
        std::int64_t const last = Kokkos::min(first + per_team, lines.count);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t i) {
          auto const line = lines[i];
          Sum const factor = Sum(alpha) * Sum(x(lines.row(i)));
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, line.length), [&](std::int64_t n) {
            line.visit(n, [&](std::int64_t column, std::int64_t place) {
              Sum const term = Sum(conjugated<is_conjugate>(values[place])) * factor;
              atomic_accumulate(y(column), static_cast<Scalar>(term));
            });
          });
        });
      });
}

template <class Exec, class Matrix>
struct SpmvTeam
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = LineKernelNames<Matrix>::team;
  static constexpr bool is_supported = has_lines_v<Matrix>;
  struct State
  {
    int lanes = 1;
    std::optional<TransposedLinesOf<Matrix>> transposed = {};

    std::size_t bytes() const { return transposed ? transposed->bytes() : 0; }
    bool is_repeatable(Op op) const { return !is_transposed(op) || transposed.has_value(); }
    std::string describe() const
    {
      return std::to_string(lanes) + " lanes a row; transposed " +
             (transposed ? "by gathering through a pattern it holds" : "by atomic additions");
    }
  };
  template <class X, class Y>
  static constexpr bool takes = true;

  static bool can_run(Exec const&, Matrix const&, RowStatistics const&, SpmvOptions const&)
  {
    return true;
  }
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const& rows,
                       SpmvOptions const& options)
  {
    State state{lanes_for<Exec>(rows.mean())};
    if (options.deterministic)
      state.transposed = transposed_lines(exec, a);
    return state;
  }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    auto const* const values = a.values().data();
    with_conjugation<typename Matrix::value_type>(op, [&]<class Is>(Is) {
      if (!is_transposed(op))
        spmv_by_teams<Is::value>(exec, kernel_label("spmv", name), state.lanes, lines_of(a), values,
                                 alpha, x, beta, y);
      else if (state.transposed)
        spmv_by_teams<Is::value>(exec, kernel_label("spmv", name), state.lanes,
                                 gathered_lines(*state.transposed), values, alpha, x, beta, y);
      else
      {
        scale(exec, beta, y);
        add_spmv_by_atomics<Is::value>(exec, kernel_label("spmv", name, "::atomic"), state.lanes,
                                       lines_of(a), values, alpha, x, y);
      }
    });
  }
};

} // namespace heddle::impl
