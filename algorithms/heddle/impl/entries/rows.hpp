// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Visits of all entries by row, on any backend: a thread of a team takes a row and its vector lanes
// the entries (multiply/row_team.hpp), so that neighbouring lanes read neighbouring entries. Sums
// of a row are added in the same order each time.
//
// Limit: a row is the work of one thread and its lanes, however long it is.

#include <heddle/impl/multiply/row_team.hpp>
#include <heddle/impl/operands.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

template <class Exec, class Matrix>
RowTeams<Exec> teams_for_rows(Matrix const& a)
{
  double const rows = a.num_rows() > 0 ? static_cast<double>(a.num_rows()) : 1.0;
  return {static_cast<std::int64_t>(a.num_rows()),
          lanes_for<Exec>(static_cast<double>(a.nnz()) / rows)};
}

// What the functions below do with a team: functors, see scan.hpp.
template <class Offsets, class Visit>
struct VisitRowsOfTeam
{
  std::int64_t per_team, rows;
  Offsets offsets;
  Visit visit;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    for_rows_of_team(team, per_team, rows, [&](std::int64_t i) {
      auto const begin = static_cast<std::int64_t>(offsets(i));
      auto const end = static_cast<std::int64_t>(offsets(i + 1));
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, begin, end),
                           [&](std::int64_t k) { visit(i, k); });
    });
  }
};

// A reducer of Kokkos for what Fold gathers of a row.
template <class Fold>
struct FoldReducer
{
  using reducer = FoldReducer;
  using value_type = typename Fold::Sum;
  using result_view_type =
      Kokkos::View<value_type, Kokkos::AnonymousSpace, Kokkos::MemoryUnmanaged>;

  value_type* result;

  KOKKOS_FUNCTION void join(value_type& to, value_type const& from) const { Fold::join(to, from); }
  KOKKOS_FUNCTION void init(value_type& value) const { value = value_type{}; }
  KOKKOS_FUNCTION value_type& reference() const { return *result; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }
};

template <class Offsets, class Fold>
struct FoldRowsOfTeam
{
  std::int64_t per_team, rows;
  Offsets offsets;
  Fold fold;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    using Sum = typename Fold::Sum;
    for_rows_of_team(team, per_team, rows, [&](std::int64_t i) {
      if constexpr (requires { fold.skips(i); })
        if (fold.skips(i))
          return;
      auto const begin = static_cast<std::int64_t>(offsets(i));
      auto const end = static_cast<std::int64_t>(offsets(i + 1));
      Sum sum{};
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, begin, end),
          [&](std::int64_t k, Sum& partial) { fold.add(i, k, partial); }, FoldReducer<Fold>{&sum});
      Kokkos::single(Kokkos::PerThread(team), [&] { fold.finish(i, sum); });
    });
  }
};

// visit(i, k) for every entry k of every row i. Asynchronous.
template <class Exec, class Matrix, class Visit>
void for_each_entry(Exec const& exec, char const* label, Matrix const& a, Visit const& visit)
{
  if (a.num_rows() == 0)
    return;
  auto const teams = teams_for_rows<Exec>(a);
  using Offsets = typename Matrix::row_offsets_view;
  Kokkos::parallel_for(
      label, teams.policy(exec),
      VisitRowsOfTeam<Offsets, Visit>{teams.rows_per_team(), teams.rows, a.row_offsets(), visit});
}

// fold.finish(i, sum) for every row i, where fold.add(i, k, sum) has put every entry k of the row
// into one of several sums, which began as Fold::Sum{} and were put together by Fold::join. A fold
// may leave rows out, those for which it has skips(i). Asynchronous.
template <class Exec, class Matrix, class Fold>
void fold_rows(Exec const& exec, char const* label, Matrix const& a, Fold const& fold)
{
  if (a.num_rows() == 0)
    return;
  auto const teams = teams_for_rows<Exec>(a);
  using Offsets = typename Matrix::row_offsets_view;
  Kokkos::parallel_for(
      label, teams.policy(exec),
      FoldRowsOfTeam<Offsets, Fold>{teams.rows_per_team(), teams.rows, a.row_offsets(), fold});
}

} // namespace heddle::impl
