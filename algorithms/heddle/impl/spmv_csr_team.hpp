// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR SpMV on any Kokkos backend. A thread of a team takes a row, its vector lanes (a power of two
// near the mean row length) the entries, summed by a vector reduction: A x is bitwise repeatable.
// A^T x and A^H x scale y and add by atomics, whose order differs from run to run; a plan with
// deterministic = true holds the transposed pattern instead and gathers (its memory: an ordinal and
// an offset an entry).

#include <heddle/backend.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_team.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/op.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::impl
{

template <class Exec, class Matrix>
struct SpmvCsrTeam
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::csr_team";
  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  using Transposed = TransposedPattern<typename Matrix::ordinal_type, typename Matrix::offset_type,
                                       typename Matrix::memory_space>;
  struct State
  {
    int lanes = 1;
    std::optional<Transposed> transposed = {};

    std::size_t bytes() const { return transposed ? transposed->bytes() : 0; }
    bool is_repeatable(Op op) const { return op == Op::none || transposed.has_value(); }
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
      state.transposed = transposed_pattern(exec, a);
    return state;
  }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    if (op == Op::none)
      multiply_rows(exec, state.lanes, alpha, a.num_rows(), a.row_offsets(), a.columns(),
                    OwnEntries<typename Matrix::values_view>{a.values()}, x, beta, y);
    else if (op == Op::transpose)
      multiply_transposed<false>(exec, state, alpha, a, x, beta, y);
    else
      multiply_transposed<true>(exec, state, alpha, a, x, beta, y);
  }

  template <bool is_conjugate, class Scalar, class X, class Y>
  static void multiply_transposed(Exec const& exec, State const& state, Scalar alpha,
                                  Matrix const& a, X const& x, Scalar beta, Y const& y)
  {
    if (state.transposed)
    {
      Transposed const& t = *state.transposed;
      TransposedEntries<is_conjugate, typename Matrix::values_view, decltype(t.positions)> const
          entries{a.values(), t.positions};
      multiply_rows(exec, state.lanes, alpha, a.num_cols(), t.row_offsets, t.columns, entries, x,
                    beta, y);
    }
    else
    {
      scale(exec, beta, y);
      add_by_atomics<is_conjugate>(exec, state.lanes, alpha, a, x, y);
    }
  }

  template <class Scalar, class Offsets, class Columns, class Entries, class X, class Y>
  static void multiply_rows(Exec const& exec, int lanes, Scalar alpha, std::int64_t rows,
                            Offsets const& offsets, Columns const& columns, Entries const& entries,
                            X const& x, Scalar beta, Y const& y)
  {
    using Offset = typename Matrix::offset_type;
    using Sum = accumulator_t<typename Matrix::value_type, typename X::value_type, Scalar>;
    RowTeams<Exec> const teams{rows, lanes};
    std::int64_t const per_team = teams.rows_per_team();
    Kokkos::parallel_for(
        "heddle::spmv::csr_team", teams.policy(exec),
        KOKKOS_LAMBDA(typename RowTeams<Exec>::Member const& team) {
          std::int64_t const first = team.league_rank() * per_team;
          std::int64_t const last = Kokkos::min(first + per_team, rows);
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t i) {
            Sum sum{};
            Kokkos::parallel_reduce(
                Kokkos::ThreadVectorRange(team, offsets(i), offsets(i + 1)),
                [&](Offset k, Sum& partial) { partial += Sum(entries(k)) * Sum(x(columns(k))); },
                sum);
            Kokkos::single(Kokkos::PerThread(team), [&] { store(y(i), alpha, sum, beta); });
          });
        });
  }

  template <bool is_conjugate, class Scalar, class X, class Y>
  static void add_by_atomics(Exec const& exec, int lanes, Scalar alpha, Matrix const& a, X const& x,
                             Y const& y)
  {
    using Offset = typename Matrix::offset_type;
    using Sum = accumulator_t<typename Matrix::value_type, typename X::value_type, Scalar>;
    RowTeams<Exec> const teams{a.num_rows(), lanes};
    std::int64_t const per_team = teams.rows_per_team(), rows = a.num_rows();
    auto const& offsets = a.row_offsets();
    auto const& columns = a.columns();
    auto const& values = a.values();
    Kokkos::parallel_for(
        "heddle::spmv::csr_team::atomic", teams.policy(exec),
        KOKKOS_LAMBDA(typename RowTeams<Exec>::Member const& team) {
          std::int64_t const first = team.league_rank() * per_team;
          std::int64_t const last = Kokkos::min(first + per_team, rows);
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t i) {
            Sum const factor = Sum(alpha) * Sum(x(i));
            Kokkos::parallel_for(
                Kokkos::ThreadVectorRange(team, offsets(i), offsets(i + 1)), [&](Offset k) {
                  Sum const term = Sum(conjugated<is_conjugate>(values(k))) * factor;
                  atomic_accumulate(y(columns(k)), static_cast<Scalar>(term));
                });
          });
        });
  }
};

} // namespace heddle::impl
