// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The second factor of a rank's local product A B: a row for each of its columns of A, from its own
// rows of B and from those that it has received (exchange_rows.hpp), with columns as C numbers
// them. One pass over both.

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::impl
{

// Row c is own's row number(c), or where that is negative received's row -number(c) - 1.
template <class Own, class Received, class Numbers>
struct LengthOfEither
{
  Own own;
  Received received;
  Numbers number;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t c) const
  {
    std::int64_t const i = number(c);
    if (i < 0)
      return static_cast<std::int64_t>(received.row_offsets()(-i) - received.row_offsets()(-i - 1));
    return static_cast<std::int64_t>(own.row_offsets()(i + 1) - own.row_offsets()(i));
  }
};
template <class Own, class Received, class Numbers, class Result>
struct CopyEither
{
  Own own;
  Received received;
  Numbers number;
  Numbers renumbered; // own's columns in the result; empty where they stay
  Result result;
  KOKKOS_FUNCTION void operator()(std::int64_t c) const
  {
    std::int64_t const i = number(c);
    auto to = result.row_offsets()(c);
    auto const end = result.row_offsets()(c + 1);
    bool const is_own = i >= 0, stays = !is_own || renumbered.extent(0) == 0;
    auto const* const columns = is_own ? own.columns().data() : received.columns().data();
    auto const* const values = is_own ? own.values().data() : received.values().data();
    auto from = is_own ? own.row_offsets()(i) : received.row_offsets()(-i - 1);
    for (; to < end; ++to, ++from)
    {
      result.columns()(to) = stays ? columns[from] : renumbered(columns[from]);
      result.values()(to) = values[from];
    }
  }
};

// number(remote(j)) = -j - 1.
template <class Numbers, class Remote>
struct NumberReceived
{
  Numbers number;
  Remote remote;
  KOKKOS_FUNCTION void operator()(std::int64_t j) const
  {
    number(remote(j)) = static_cast<typename Numbers::non_const_value_type>(-j - 1);
  }
};

// A View of these numbers in the memory of exec.
template <class View, class Exec, class T>
View copied(Exec const& exec, char const* label, std::vector<T> const& data)
{
  auto const view = uninitialized<View>(exec, label, data.size());
  Kokkos::deep_copy(
      exec, view,
      Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(data.data(), data.size()));
  return view;
}

// number: of each column of A its row of B on this rank, negative where another rank has it;
// remote: those columns, in the order of the received rows. Both matrices have C's columns,
// num_cols of them, B's after renumbered (empty where they are the same). Waits for exec.
template <class Exec, class Own, class Received, class Numbers, class Remote>
typename Own::non_const_type rows_by_columns(Exec const& exec, Own const& own,
                                             Received const& received, Numbers const& number,
                                             Remote const& remote, Numbers const& renumbered,
                                             typename Own::ordinal_type num_cols)
{
  using Result = typename Own::non_const_type;
  Kokkos::parallel_for("heddle::tpetra::number_received", range(exec, remote.extent(0)),
                       NumberReceived<Numbers, Remote>{number, remote});
  auto const n = static_cast<std::int64_t>(number.extent(0));
  auto const offsets = new_row_offsets<Result>(exec, n);
  auto const nnz = static_cast<std::size_t>(offsets_from_counts(
      exec, n, LengthOfEither<Own, Received, Numbers>{own, received, number}, offsets));
  auto const [columns, values] = new_entries<Result>(exec, nnz);
  Result const result(static_cast<typename Own::ordinal_type>(n), num_cols, offsets, columns,
                      values);
  Kokkos::parallel_for(
      "heddle::tpetra::rows_by_columns", range(exec, n),
      CopyEither<Own, Received, Numbers, Result>{own, received, number, renumbered, result});
  exec.fence("heddle::tpetra::rows_by_columns");
  return result;
}

} // namespace heddle::impl
