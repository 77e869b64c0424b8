// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM on any Kokkos backend, for formats that store rows (lines.hpp): a thread of a team takes a
// row of A, its vector lanes the columns of B and C, so that row-major operands are read and
// written side by side. A B is bitwise repeatable. A^T B scales C and adds by atomics; a plan with
// deterministic = true gathers through a transposed pattern instead, as in spmv_team.hpp.

#include <heddle/backend.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/line_formats.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_team.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/op.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::impl
{

// C <- alpha A B + beta C, where lines tell the places in values.
template <bool is_conjugate, class Exec, class Lines, class Value, class Scalar, class B, class C>
void spmm_by_teams(Exec const& exec, std::string const& label, Lines const& lines,
                   Value const* values, Scalar alpha, B const& b, Scalar beta, C const& c)
{
  using Sum = accumulator_t<Value, typename B::value_type, Scalar>;
  RowTeams<Exec> const teams{lines.count, lanes_for<Exec>(static_cast<double>(c.cols))};
  std::int64_t const per_team = teams.rows_per_team();
  Kokkos::parallel_for(
      label, teams.policy(exec), KOKKOS_LAMBDA(typename RowTeams<Exec>::Member const& team) {
        std::int64_t const first = team.league_rank() * per_team;
        std::int64_t const last = Kokkos::min(first + per_team, lines.count);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t i) {
          auto const line = lines[i];
          std::int64_t const row = lines.row(i);
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, c.cols), [&](std::int64_t j) {
            Sum sum{};
            line.for_each([&](std::int64_t column, std::int64_t place) {
              sum += Sum(conjugated<is_conjugate>(values[place])) * Sum(b(column, j));
            });
            store(c(row, j), alpha, sum, beta);
          });
        });
      });
}

// C <- C + alpha A^T B.
template <bool is_conjugate, class Exec, class Lines, class Value, class Scalar, class B, class C>
void add_spmm_by_atomics(Exec const& exec, std::string const& label, Lines const& lines,
                         Value const* values, Scalar alpha, B const& b, C const& c)
{
  using Sum = accumulator_t<Value, typename B::value_type, Scalar>;
  RowTeams<Exec> const teams{lines.count, lanes_for<Exec>(static_cast<double>(b.cols))};
  std::int64_t const per_team = teams.rows_per_team();
  Kokkos::parallel_for(
      label, teams.policy(exec), KOKKOS_LAMBDA(typename RowTeams<Exec>::Member const& team) {
        std::int64_t const first = team.league_rank() * per_team;
        std::int64_t const last = Kokkos::min(first + per_team, lines.count);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t i) {
          auto const line = lines[i];
          std::int64_t const row = lines.row(i);
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, b.cols), [&](std::int64_t j) {
            Sum const factor = Sum(alpha) * Sum(b(row, j));
            line.for_each([&](std::int64_t column, std::int64_t place) {
              Sum const term = Sum(conjugated<is_conjugate>(values[place])) * factor;
              atomic_accumulate(c(column, j), static_cast<Scalar>(term));
            });
          });
        });
      });
}

template <class Exec, class Matrix>
struct SpmmTeam
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = LineKernelNames<Matrix>::team;
  static constexpr bool is_supported = has_lines_v<Matrix>;
  struct State
  {
    std::optional<TransposedLinesOf<Matrix>> transposed = {};

    std::size_t bytes() const { return transposed ? transposed->bytes() : 0; }
    bool is_repeatable(Op op) const { return !is_transposed(op) || transposed.has_value(); }
    std::string describe() const
    {
      return std::string("a thread a row, lanes over the columns of B; transposed ") +
             (transposed ? "by gathering through a pattern it holds" : "by atomic additions");
    }
  };
  template <class B, class C>
  static constexpr bool takes = true;

  static bool can_run(Exec const&, Matrix const&, RowStatistics const&, SpmmOptions const&)
  {
    return true;
  }
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const&,
                       SpmmOptions const& options)
  {
    State state;
    if (options.deterministic)
      state.transposed = transposed_lines(exec, a);
    return state;
  }

  template <class Scalar, class B, class C>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  B const& b, Scalar beta, C const& c)
  {
    auto const* const values = a.values().data();
    with_conjugation<typename Matrix::value_type>(op, [&]<class Is>(Is) {
      if (!is_transposed(op))
        spmm_by_teams<Is::value>(exec, kernel_label("spmm", name), lines_of(a), values, alpha, b,
                                 beta, c);
      else if (state.transposed)
        spmm_by_teams<Is::value>(exec, kernel_label("spmm", name),
                                 gathered_lines(*state.transposed), values, alpha, b, beta, c);
      else
      {
        scale(exec, beta, c);
        add_spmm_by_atomics<Is::value>(exec, kernel_label("spmm", name, "::atomic"), lines_of(a),
                                       values, alpha, b, c);
      }
    });
  }
};

} // namespace heddle::impl
