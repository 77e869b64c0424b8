// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A copy of a matrix without some of its entries. A scan over all entries tells where each goes, so
// that neighbouring threads read and write neighbouring entries and long rows cost no balance: two
// passes over what decides, one over the entries, and scratch of an offset per entry.

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/tabulate.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::impl
{

// row_offsets(i), also of a default-constructed matrix, which has none.
template <class RowOffsets>
struct BeginOfRow
{
  RowOffsets row_offsets;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return row_offsets.extent(0) == 0 ? 0 : static_cast<std::int64_t>(row_offsets(i));
  }
};

// before(where row i begins).
template <class RowOffsets, class Before>
struct KeptBeforeRow
{
  BeginOfRow<RowOffsets> begin;
  Before before;
  KOKKOS_FUNCTION auto operator()(std::int64_t i) const { return before(begin(i)); }
};

// What keep_entries does with one entry: a functor, see scan.hpp.
template <class Matrix, class Before, class Entries>
struct MoveKeptEntry
{
  Matrix a;
  Before before;
  Entries to;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    auto const slot = before(k);
    if (before(k + 1) == slot)
      return;
    to.columns(slot) = a.columns()(k);
    to.values(slot) = a.values()(k);
  }
};

// a without the entries k for which is_kept(k) is false, 0 or 1 as a number; the others keep their
// order. then(result, before), where before(k) says how many entries before k were kept, may launch
// more. Waits for exec.
template <class Exec, class Matrix, class IsKept, class Then>
auto keep_entries(Exec const& exec, char const* label, Matrix const& a, IsKept const& is_kept,
                  Then const& then)
{
  using Result = FormatLike<CsrMatrix, Matrix>;
  using Before = Scratch<typename Matrix::offset_type, Exec>;
  using RowOffsets = typename Matrix::row_offsets_view;
  Before const kept_before(exec, a.nnz() + 1);
  auto const before = kept_before.view();
  auto const kept = static_cast<std::size_t>(
      offsets_from_counts(exec, static_cast<std::int64_t>(a.nnz()), is_kept, before));
  auto const offsets = new_row_offsets<Result>(exec, a.num_rows());
  tabulate(exec, label, offsets.extent(0),
           KeptBeforeRow<RowOffsets, typename Before::view_type>{{a.row_offsets()}, before},
           offsets);
  auto const entries = new_entries<Result>(exec, kept);
  Kokkos::parallel_for(
      label, range(exec, a.nnz()),
      MoveKeptEntry<Matrix, typename Before::view_type, NewEntries<Result>>{a, before, entries});
  Result result(a.num_rows(), a.num_cols(), offsets, entries.columns, entries.values);
  then(result, before);
  exec.fence(label);
  return result;
}

// Hosts count and copy row by row, which needs no scratch.
template <class RowOffsets, class IsKept>
struct KeptOfRow
{
  RowOffsets offsets;
  IsKept is_kept;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    std::int64_t count = 0;
    for (auto k = offsets(i); k < offsets(i + 1); ++k)
      count += is_kept(static_cast<std::int64_t>(k));
    return count;
  }
};
template <class Matrix, class IsKept, class Offsets, class Entries>
struct MoveKeptOfRow
{
  Matrix a;
  IsKept is_kept;
  Offsets offsets;
  Entries to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto slot = offsets(i);
    for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
      if (is_kept(static_cast<std::int64_t>(k)) != 0)
      {
        to.columns(slot) = a.columns()(k);
        to.values(slot) = a.values()(k);
        ++slot;
      }
  }
};

// The same where nothing else is to be done.
template <class Exec, class Matrix, class IsKept>
auto keep_entries(Exec const& exec, char const* label, Matrix const& a, IsKept const& is_kept)
{
  using Result = FormatLike<CsrMatrix, Matrix>;
  using RowOffsets = typename Matrix::row_offsets_view;
  if constexpr (is_host_v<Exec>)
  {
    auto const offsets = new_row_offsets<Result>(exec, a.num_rows());
    KeptOfRow<RowOffsets, IsKept> const counts{a.row_offsets(), is_kept};
    auto const n =
        static_cast<std::size_t>(offsets_from_counts(exec, a.num_rows(), counts, offsets));
    auto const entries = new_entries<Result>(exec, n);
    using Offsets = std::remove_const_t<decltype(offsets)>;
    Kokkos::parallel_for(
        label, range(exec, a.num_rows()),
        MoveKeptOfRow<Matrix, IsKept, Offsets, NewEntries<Result>>{a, is_kept, offsets, entries});
    exec.fence(label);
    return Result(a.num_rows(), a.num_cols(), offsets, entries.columns, entries.values);
  }
  else
    return keep_entries(exec, label, a, is_kept, [](auto const&, auto const&) {});
}

} // namespace heddle::impl
