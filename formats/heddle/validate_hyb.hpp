// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/defect.hpp>
#include <heddle/hyb_matrix.hpp>
#include <heddle/impl/ell_places.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/hyb_places.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/validate_pattern.hpp>
#include <heddle/validate_coo.hpp>
#include <heddle/validate_ell.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle
{

namespace impl
{

// A row that has entries in the rest but room in the ELL part.
template <class Lengths, class Starts>
struct HasRoom
{
  Lengths lengths;
  Starts starts;
  std::int64_t width;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return starts(i + 1) > starts(i) && lengths(i) < width ? i : nowhere;
  }
};

// How the parts belong together, where each is good and the rows of the rest never fall; starts(i)
// is the first entry of row i in the rest.
template <class Exec, class Matrix, class Starts>
std::optional<Defect> joint_defect(Exec const& exec, Matrix const& a, Starts const& starts)
{
  using std::to_string;
  using Lengths = typename Matrix::ell_type::row_lengths_view;
  auto const& ell = a.ell();
  auto const& rest = a.rest();
  auto const& lengths = ell.row_lengths();
  auto const rows = static_cast<std::int64_t>(a.num_rows());
  std::int64_t const room =
      least_place(exec, "heddle::validate::room", rows,
                  HasRoom<Lengths, Starts>{lengths, starts, std::int64_t(ell.width())});
  if (room >= 0)
    return Defect{"row " + to_string(room) + " has entries in the rest but only " +
                      to_string(read_entry(exec, lengths, room)) + " of " + to_string(ell.width()) +
                      " in the ELL part",
                  room, -1};
  Scratch<std::int64_t, Exec> const offset_memory(exec, static_cast<std::size_t>(rows) + 1);
  Scratch<typename Matrix::ordinal_type, Exec> const column_memory(exec, a.nnz());
  auto const offsets = offset_memory.view();
  auto const columns = column_memory.view();
  offsets_from_counts(exec, rows, EntriesOfBoth<Lengths, Starts>{lengths, starts}, offsets);
  read_ell(exec, lengths, static_cast<std::int64_t>(ell.stride()), ell.columns(), offsets, columns);
  append_rest(exec, lengths, starts, rest.columns(), offsets, columns);
  std::int64_t const k = first_repeated(exec, offsets, columns, a.num_cols());
  if (k < 0)
    return {};
  // None stands twice in the ELL part, so this is an entry of the rest.
  std::int64_t const row = line_of_entry(exec, offsets, rows, k);
  std::int64_t const position = k - read_entry(exec, offsets, row) -
                                read_entry(exec, lengths, row) + read_entry(exec, starts, row);
  return Defect{"column " + to_string(read_entry(exec, columns, k)) + " stands twice in row " +
                    to_string(row) + ", again at position " + to_string(position) + " of the rest",
                row, position};
}

} // namespace impl

/// Checks each part as validate of its format does, that the rows of the rest never fall and fill
/// the ELL part first, and that no column stands twice in a row, be it in one part or in both.
/// Sentences about one part begin with "ell: " or "rest: ". Waits for exec.
template <ExecutionSpace Exec, Hyb Matrix>
std::optional<Defect> validate(Exec const& exec, Matrix const& a)
try
{
  using std::to_string;
  auto const& rows = a.rest().rows();
  if (auto defect = validate(exec, a.ell()))
  {
    defect->what = "ell: " + defect->what;
    return defect;
  }
  if (auto defect = validate(exec, a.rest()))
  {
    defect->what = "rest: " + defect->what;
    return defect;
  }
  std::int64_t const falls = impl::least_place(
      exec, "heddle::validate::rest", static_cast<std::int64_t>(rows.extent(0)) - 1,
      impl::Falls<typename Matrix::rest_type::indices_view>{rows});
  if (falls >= 0)
  {
    std::int64_t const row = impl::read_entry(exec, rows, falls + 1);
    return Defect{"rest: rows falls from " + to_string(impl::read_entry(exec, rows, falls)) +
                      " to " + to_string(row) + " at position " + to_string(falls + 1),
                  row, falls + 1};
  }
  impl::Scratch<std::int64_t, Exec> const memory(exec, static_cast<std::size_t>(a.num_rows()) + 1);
  auto const starts = memory.view();
  impl::offsets_of_sorted(exec, rows, impl::Identity{rows.extent(0)}, starts);
  return impl::joint_defect(exec, a, starts);
}
catch (...)
{
  impl::rethrow_out_of_memory("validate");
}

} // namespace heddle
