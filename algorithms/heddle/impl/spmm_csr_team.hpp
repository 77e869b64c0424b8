// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR SpMM on any Kokkos backend: a thread of a team takes a row of A, its vector lanes the columns
// of B and C, so that row-major operands are read and written side by side. A B is bitwise
// repeatable. A^T B scales C and adds by atomics; a plan with deterministic = true gathers through
// a transposed pattern instead, as in spmv_csr_team.hpp.

#include <heddle/backend.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_team.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/op.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::impl
{

template <class Exec, class Matrix>
struct SpmmCsrTeam
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::csr_team";
  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  using Transposed = TransposedPattern<typename Matrix::ordinal_type, typename Matrix::offset_type,
                                       typename Matrix::memory_space>;
  struct State
  {
    std::optional<Transposed> transposed = {};

    std::size_t bytes() const { return transposed ? transposed->bytes() : 0; }
    bool is_repeatable(Op op) const { return op == Op::none || transposed.has_value(); }
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
      state.transposed = transposed_pattern(exec, a);
    return state;
  }

  template <class Scalar, class B, class C>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  B const& b, Scalar beta, C const& c)
  {
    if (op == Op::none)
      multiply_rows(exec, alpha, a.row_offsets(), a.columns(),
                    OwnEntries<typename Matrix::values_view>{a.values()}, b, beta, c);
    else if (op == Op::transpose)
      multiply_transposed<false>(exec, state, alpha, a, b, beta, c);
    else
      multiply_transposed<true>(exec, state, alpha, a, b, beta, c);
  }

  template <bool is_conjugate, class Scalar, class B, class C>
  static void multiply_transposed(Exec const& exec, State const& state, Scalar alpha,
                                  Matrix const& a, B const& b, Scalar beta, C const& c)
  {
    if (state.transposed)
    {
      Transposed const& t = *state.transposed;
      TransposedEntries<is_conjugate, typename Matrix::values_view, decltype(t.positions)> const
          entries{a.values(), t.positions};
      multiply_rows(exec, alpha, t.row_offsets, t.columns, entries, b, beta, c);
    }
    else
    {
      scale(exec, beta, c);
      add_by_atomics<is_conjugate>(exec, alpha, a, b, c);
    }
  }

  template <class Scalar, class Offsets, class Columns, class Entries, class B, class C>
  static void multiply_rows(Exec const& exec, Scalar alpha, Offsets const& offsets,
                            Columns const& columns, Entries const& entries, B const& b, Scalar beta,
                            C const& c)
  {
    using Sum = accumulator_t<typename Matrix::value_type, typename B::value_type, Scalar>;
    RowTeams<Exec> const teams{c.rows, lanes_for<Exec>(static_cast<double>(c.cols))};
    std::int64_t const per_team = teams.rows_per_team();
    Kokkos::parallel_for(
        "heddle::spmm::csr_team", teams.policy(exec),
        KOKKOS_LAMBDA(typename RowTeams<Exec>::Member const& team) {
          std::int64_t const first = team.league_rank() * per_team;
          std::int64_t const last = Kokkos::min(first + per_team, c.rows);
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t i) {
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, c.cols), [&](std::int64_t j) {
              Sum sum{};
              for (auto k = offsets(i); k < offsets(i + 1); ++k)
                sum += Sum(entries(k)) * Sum(b(columns(k), j));
              store(c(i, j), alpha, sum, beta);
            });
          });
        });
  }

  template <bool is_conjugate, class Scalar, class B, class C>
  static void add_by_atomics(Exec const& exec, Scalar alpha, Matrix const& a, B const& b,
                             C const& c)
  {
    using Sum = accumulator_t<typename Matrix::value_type, typename B::value_type, Scalar>;
    RowTeams<Exec> const teams{b.rows, lanes_for<Exec>(static_cast<double>(b.cols))};
    std::int64_t const per_team = teams.rows_per_team();
    auto const& offsets = a.row_offsets();
    auto const& columns = a.columns();
    auto const& values = a.values();
    Kokkos::parallel_for(
        "heddle::spmm::csr_team::atomic", teams.policy(exec),
        KOKKOS_LAMBDA(typename RowTeams<Exec>::Member const& team) {
          std::int64_t const first = team.league_rank() * per_team;
          std::int64_t const last = Kokkos::min(first + per_team, b.rows);
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t i) {
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, b.cols), [&](std::int64_t j) {
              Sum const factor = Sum(alpha) * Sum(b(i, j));
              for (auto k = offsets(i); k < offsets(i + 1); ++k)
              {
                Sum const term = Sum(conjugated<is_conjugate>(values(k))) * factor;
                atomic_accumulate(c(columns(k), j), static_cast<Scalar>(term));
              }
            });
          });
        });
  }
};

} // namespace heddle::impl
