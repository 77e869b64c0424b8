// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/defect.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sell_places.hpp>
#include <heddle/impl/validate_compressed.hpp>
#include <heddle/impl/validate_padded.hpp>
#include <heddle/impl/validate_pattern.hpp>
#include <heddle/sell_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle
{

namespace impl
{

template <class SliceOffsets>
struct IsNoMultiple
{
  SliceOffsets slice_offsets;
  std::int64_t unit;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t s) const
  {
    return static_cast<std::int64_t>(slice_offsets(s + 1) - slice_offsets(s)) % unit != 0 ? s
                                                                                          : nowhere;
  }
};

template <class Rows>
struct LeavesWindow
{
  Rows rows;
  std::int64_t sigma;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t p) const
  {
    return static_cast<std::int64_t>(rows(p)) / sigma != p / sigma ? p : nowhere;
  }
};

// What note_first_positions does with one position: a functor, see scan.hpp.
template <class Rows, class First>
struct NotePosition
{
  Rows rows;
  First first;
  KOKKOS_FUNCTION void operator()(std::int64_t p) const { Kokkos::atomic_min(&first(rows(p)), p); }
};

// first(row) = the first position of each row.
template <class Exec, class Rows, class First>
void note_first_positions(Exec const& exec, Rows const& rows, First const& first)
{
  Kokkos::deep_copy(exec, first, nowhere);
  Kokkos::parallel_for("heddle::validate::first_positions", range(exec, rows.extent(0)),
                       NotePosition<Rows, First>{rows, first});
}
template <class Rows, class First>
struct IsThereBefore
{
  Rows rows;
  First first;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t p) const
  {
    return first(rows(p)) < p ? p : nowhere;
  }
};

// Each row is at one position, inside its window.
template <class Exec, class Rows>
std::optional<Defect> positions_defect(Exec const& exec, Rows const& rows, std::int64_t sigma)
{
  using std::to_string;
  auto const n = static_cast<std::int64_t>(rows.extent(0));
  auto const row_text = [&](std::int64_t p) {
    return "row " + to_string(read_entry(exec, rows, p)) + " at position " + to_string(p);
  };
  if (n == 0)
    return {}; // rows are in their order
  if (std::int64_t const p = first_outside(exec, rows, n); p >= 0)
    return Defect{row_text(p) + " is not in 0 .. " + to_string(n - 1), read_entry(exec, rows, p),
                  p};
  if (std::int64_t const p =
          least_place(exec, "heddle::validate::windows", n, LeavesWindow<Rows>{rows, sigma});
      p >= 0)
  {
    std::int64_t const begin = p / sigma * sigma;
    return Defect{row_text(p) + " is not in its window " + to_string(begin) + " .. " +
                      to_string(begin + std::min(sigma, n - begin) - 1),
                  read_entry(exec, rows, p), p};
  }
  using Positions = Scratch<std::int64_t, Exec>;
  Positions const memory(exec, rows.extent(0));
  auto const first = memory.view();
  note_first_positions(exec, rows, first);
  if (std::int64_t const p =
          least_place(exec, "heddle::validate::rows", n,
                      IsThereBefore<Rows, typename Positions::view_type>{rows, first});
      p >= 0)
    return Defect{row_text(p) + " is at position " +
                      to_string(read_entry(exec, first, read_entry(exec, rows, p))) + " already",
                  read_entry(exec, rows, p), p};
  return {};
}

} // namespace impl

/// Checks that slice offsets start at 0, never fall, end at the number of places and leave each row
/// of a slice a multiple of alignment; that rows, where it has entries, is a permutation that keeps
/// rows in their windows; that row lengths fit their slices and add up to nnz; that columns of
/// entries lie in 0 .. cols - 1 and none stands twice in a row, and that all other places have
/// column -1 and value 0. Costs scratch for the columns of all entries, unsorted rows a sort and 3
/// arrays of nnz more. Waits for exec.
template <ExecutionSpace Exec, Sell Matrix>
std::optional<Defect> validate(Exec const& exec, Matrix const& a)
try
{
  using std::to_string;
  auto const& offsets = a.slice_offsets();
  SellShape const shape = a.shape();
  auto const places = static_cast<std::int64_t>(a.columns().extent(0));
  if (offsets.extent(0) == 0)
    return {}; // the default-constructed matrix
  impl::CompressedNames const names{"slice_offsets", "slice", "column", "places"};
  if (auto defect = impl::offsets_defect(exec, names, offsets, places, impl::SameLine{}))
  {
    defect->row = -1;
    return defect;
  }
  std::int64_t const unit = static_cast<std::int64_t>(shape.height) * shape.alignment;
  std::int64_t const odd =
      impl::least_place(exec, "heddle::validate::slice_offsets", a.num_slices(),
                        impl::IsNoMultiple<typename Matrix::slice_offsets_view>{offsets, unit});
  if (odd >= 0)
    return Defect{"slice " + to_string(odd) + " has " +
                      to_string(impl::read_entry(exec, offsets, odd + 1) -
                                impl::read_entry(exec, offsets, odd)) +
                      " places, no multiple of height * alignment = " + to_string(unit),
                  -1, odd + 1};
  if (auto defect = impl::positions_defect(exec, a.rows(), shape.sigma))
    return defect;
  return impl::padded_defect(exec, impl::sell_pattern_of(a), a);
}
catch (...)
{
  impl::rethrow_out_of_memory("validate");
}

} // namespace heddle
