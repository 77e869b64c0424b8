// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/defect.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/validate_compressed.hpp>
#include <heddle/impl/validate_pattern.hpp>
#include <heddle/row_segmented_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle
{

namespace impl
{

inline constexpr CompressedNames row_segment_names{"rows.offsets", "row", "column", "entries"};
inline constexpr CompressedNames panel_names{"segments.panels", "panel", "row", "segments"};
inline constexpr CompressedNames segment_names{"segments.offsets", "segment", "column",
                                               "heavy entries"};
inline constexpr CompressedNames light_names{"light_row_offsets", "row", "column", "light entries"};

// Segments that have no more entries than the threshold.
template <class Offsets>
struct IsTooShort
{
  Offsets offsets;
  std::int64_t threshold;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t s) const
  {
    return static_cast<std::int64_t>(offsets(s + 1) - offsets(s)) > threshold ? nowhere : s;
  }
};

// Segments whose row is not greater than that of the one before in their panel.
template <class Offsets, class Indices>
struct FallsInPanel
{
  Offsets panels;
  Indices rows;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t p) const
  {
    for (auto s = static_cast<std::int64_t>(panels(p)) + 1;
         s < static_cast<std::int64_t>(panels(p + 1)); ++s)
      if (rows(s) <= rows(s - 1))
        return s;
    return nowhere;
  }
};

// The last of 0 .. n - 1 whose offset is not greater than k, where offsets start at 0 and k lies
// before offsets(n).
template <class Offsets>
KOKKOS_INLINE_FUNCTION std::int64_t line_with(Offsets const& offsets, std::int64_t n,
                                              std::int64_t k)
{
  auto const offset_of = [&](std::int64_t line) {
    return static_cast<std::int64_t>(offsets(line));
  };
  return impl::last_not_above(offset_of, n, k);
}

// Entries whose place is out of range or has another row or column.
template <class Matrix, class RowNumbers>
struct IsMisplaced
{
  Matrix a;
  RowNumbers row_numbers;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t k) const
  {
    auto const place = static_cast<std::int64_t>(a.rows().places(k));
    auto const heavy = static_cast<std::int64_t>(a.heavy_nnz());
    if (place < 0 || place >= static_cast<std::int64_t>(a.nnz()))
      return k;
    std::int64_t row = 0, panel_begin = 0;
    if (place < heavy)
    {
      std::int64_t const segment =
          line_with(a.segments().offsets, static_cast<std::int64_t>(a.num_segments()), place);
      row = static_cast<std::int64_t>(a.segments().rows(segment));
      panel_begin = line_with(a.segments().panels, a.num_panels(), segment) * a.shape().panel_width;
    }
    else
      row = line_with(a.light_row_offsets(), a.num_rows(), place - heavy);
    // Columns of rows are known to be in range, those at the place may be any number.
    return row == static_cast<std::int64_t>(row_numbers(k)) &&
                   static_cast<std::int64_t>(a.columns()(place)) ==
                       static_cast<std::int64_t>(a.rows().columns(k)) - panel_begin
               ? nowhere
               : k;
  }
};

// What is wrong with the segments, but for their columns.
template <class Exec, class Matrix>
std::optional<Defect> segments_defect(Exec const& exec, Matrix const& a)
{
  using std::to_string;
  using Offsets = typename Matrix::offsets_view;
  using Indices = typename Matrix::indices_view;
  auto const& segments = a.segments();
  auto const count = static_cast<std::int64_t>(a.num_segments());
  // Their lines are no rows.
  auto const check_offsets = [&](CompressedNames const& names, auto const& offsets,
                                 std::int64_t stored) {
    auto defect = offsets_defect(exec, names, offsets, stored, SameLine{});
    if (defect)
      defect->row = -1;
    return defect;
  };
  if (auto defect = check_offsets(panel_names, segments.panels, count))
    return defect;
  auto const heavy = static_cast<std::int64_t>(a.heavy_nnz());
  if (auto defect = check_offsets(segment_names, segments.offsets, heavy))
    return defect;
  std::int64_t const outside = first_outside(exec, segments.rows, a.num_rows());
  if (outside >= 0)
  {
    std::int64_t const row = read_entry(exec, segments.rows, outside);
    return Defect{outside_text("row", row, " of segment " + to_string(outside), a.num_rows()), row,
                  outside};
  }
  std::int64_t const falls =
      least_place(exec, "heddle::validate::panels", a.num_panels(),
                  FallsInPanel<Offsets, Indices>{segments.panels, segments.rows});
  if (falls >= 0)
  {
    std::int64_t const row = read_entry(exec, segments.rows, falls);
    return Defect{"segments.rows does not ascend from " +
                      to_string(read_entry(exec, segments.rows, falls - 1)) + " to " +
                      to_string(row) + " at position " + to_string(falls) + ", within a panel",
                  row, falls};
  }
  std::int64_t const is_short =
      least_place(exec, "heddle::validate::segments", count,
                  IsTooShort<Offsets>{segments.offsets, a.shape().threshold});
  if (is_short >= 0)
    return Defect{"segment " + to_string(is_short) + " has " +
                      to_string(read_entry(exec, segments.offsets, is_short + 1) -
                                read_entry(exec, segments.offsets, is_short)) +
                      " entries, not more than the threshold " + to_string(a.shape().threshold),
                  read_entry(exec, segments.rows, is_short), is_short};
  return {};
}

} // namespace impl

/// Checks that rows is a CSR pattern, that segments lie in order and have more entries than the
/// threshold, that offsets of the light rows start at 0, never fall and end at the light entries,
/// and that each entry of rows stands at its place, in the same row and column. Waits for exec.
template <ExecutionSpace Exec, RowSegmented Matrix>
std::optional<Defect> validate(Exec const& exec, Matrix const& a)
try
{
  using std::to_string;
  impl::SameLine const row_of;
  auto const& rows = a.rows();
  auto const nnz = static_cast<std::int64_t>(a.nnz());
  if (auto defect = impl::offsets_defect(exec, impl::row_segment_names, rows.offsets, nnz, row_of))
    return defect;
  if (auto defect = impl::indices_defect(exec, impl::row_segment_names, rows.offsets, rows.columns,
                                         a.num_cols(), row_of))
    return defect;
  if (auto defect = impl::segments_defect(exec, a))
    return defect;
  auto const heavy = static_cast<std::int64_t>(a.heavy_nnz());
  if (auto defect =
          impl::offsets_defect(exec, impl::light_names, a.light_row_offsets(), nnz - heavy, row_of))
    return defect;
  using Numbers = impl::Scratch<typename Matrix::ordinal_type, Exec>;
  using Const = typename Matrix::const_type;
  Numbers const row_numbers(exec, a.nnz());
  impl::expand_rows(exec, rows.offsets, row_numbers.view());
  std::int64_t const misplaced = impl::least_place(
      exec, "heddle::validate::places", nnz,
      impl::IsMisplaced<Const, typename Numbers::view_type>{Const(a), row_numbers.view()});
  if (misplaced < 0)
    return {};
  std::int64_t const row = impl::read_entry(exec, row_numbers.view(), misplaced);
  return Defect{"entry " + to_string(misplaced) + ", column " +
                    to_string(impl::read_entry(exec, rows.columns, misplaced)) + " of row " +
                    to_string(row) + ", does not stand at its place " +
                    to_string(impl::read_entry(exec, rows.places, misplaced)),
                row, misplaced};
}
catch (...)
{
  impl::rethrow_out_of_memory("validate");
}

} // namespace heddle
