// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What ELL and SELL have in common: an ELL matrix is a SELL one of a single slice, as high as its
// stride. Row lengths, then columns, then padding. All wait for exec.

#include <heddle/defect.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sell_places.hpp>
#include <heddle/impl/sum_of.hpp>
#include <heddle/impl/validate_compressed.hpp>
#include <heddle/impl/validate_pattern.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::impl
{

// The slice offsets of an ELL matrix.
struct OneSlice
{
  std::int64_t places;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t slice) const
  {
    return slice == 0 ? 0 : places;
  }
};
template <class Exec>
std::int64_t read_entry(Exec const&, OneSlice const& offsets, std::int64_t i)
{
  return offsets(i);
}

// Entries a row in slice s.
template <class Pattern>
KOKKOS_INLINE_FUNCTION std::int64_t slice_width(Pattern const& pattern, std::int64_t s)
{
  return static_cast<std::int64_t>(pattern.slice_offsets(s + 1) - pattern.slice_offsets(s)) /
         pattern.height;
}

template <class Pattern>
struct LengthIsOutside
{
  Pattern pattern;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t p) const
  {
    auto const length = static_cast<std::int64_t>(pattern.lengths(p));
    return length < 0 || length > slice_width(pattern, p / pattern.height) ? p : nowhere;
  }
};

enum class PlaceRule
{
  columns_of_entries, // in 0 .. bound - 1
  columns_of_padding, // -1
  values_of_padding   // 0
};

// The first place of a lane (a row of a slice, filled or not) that breaks a rule.
template <class Pattern, class Columns, class Values>
struct BreaksRule
{
  Pattern pattern;
  Columns columns;
  Values values;
  std::int64_t bound;
  PlaceRule rule;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t lane) const
  {
    std::int64_t const height = pattern.height, slice = lane / height;
    auto const end = static_cast<std::int64_t>(pattern.slice_offsets(slice + 1));
    auto const start = static_cast<std::int64_t>(pattern.slice_offsets(slice)) + lane % height;
    bool const is_row = lane < static_cast<std::int64_t>(pattern.lengths.extent(0));
    std::int64_t const length = is_row ? static_cast<std::int64_t>(pattern.lengths(lane)) : 0;
    std::int64_t const padding = start + length * height;
    bool const is_about_entries = rule == PlaceRule::columns_of_entries;
    std::int64_t const stop = is_about_entries ? padding : end;
    for (std::int64_t place = is_about_entries ? start : padding; place < stop; place += height)
      if (is_broken_at(place))
        return place;
    return nowhere;
  }

  KOKKOS_FUNCTION bool is_broken_at(std::int64_t place) const
  {
    if (rule == PlaceRule::values_of_padding)
      return values(place) != typename Values::non_const_value_type(0);
    auto const column = static_cast<std::int64_t>(columns(place));
    return rule == PlaceRule::columns_of_padding ? column != -1 : column < 0 || column >= bound;
  }
};

// The lane of a place.
template <class Pattern>
struct HasPlace
{
  Pattern pattern;
  std::int64_t place;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t lane) const
  {
    std::int64_t const slice = lane / pattern.height;
    auto const start = static_cast<std::int64_t>(pattern.slice_offsets(slice));
    auto const end = static_cast<std::int64_t>(pattern.slice_offsets(slice + 1));
    bool const is_there =
        start <= place && place < end && (place - start) % pattern.height == lane % pattern.height;
    return is_there ? lane : nowhere;
  }
};

// The row at position p, on the host; -1 where the last slice lacks it.
template <class Exec, class Pattern>
std::int64_t row_of_lane(Exec const& exec, Pattern const& pattern, std::int64_t lane)
{
  if (lane >= static_cast<std::int64_t>(pattern.lengths.extent(0)))
    return -1;
  return pattern.rows.extent(0) == 0 ? lane : read_entry(exec, pattern.rows, lane);
}

// Row lengths fit their slices and add up to nnz.
template <class Exec, class Pattern>
std::optional<Defect> lengths_defect(Exec const& exec, Pattern const& pattern, std::int64_t nnz)
{
  using std::to_string;
  std::string const name = "row_lengths";
  std::int64_t const outside =
      least_place(exec, "heddle::validate::row_lengths", pattern.lengths.extent(0),
                  LengthIsOutside<Pattern>{pattern});
  if (outside >= 0)
  {
    std::int64_t const slice = outside / pattern.height;
    std::int64_t const places = read_entry(exec, pattern.slice_offsets, slice + 1) -
                                read_entry(exec, pattern.slice_offsets, slice);
    return Defect{name + "(" + to_string(outside) + ") is " +
                      to_string(read_entry(exec, pattern.lengths, outside)) + ", not in 0 .. " +
                      to_string(places / pattern.height),
                  row_of_lane(exec, pattern, outside), outside};
  }
  std::int64_t const sum = sum_of(exec, "heddle::validate::row_lengths::sum",
                                  pattern.lengths.extent(0), pattern.lengths);
  if (sum != nnz)
    return Defect{name + " add up to " + to_string(sum) + " but there are " + to_string(nnz) +
                  " entries"};
  return {};
}

// What is wrong with a place that breaks a rule.
template <class Exec, class Pattern, class Columns>
Defect defect_at(Exec const& exec, Pattern const& pattern, Columns const& columns,
                 std::int64_t bound, PlaceRule rule, std::int64_t place)
{
  using std::to_string;
  std::int64_t const lane =
      least_place(exec, "heddle::validate::lane", pattern.slices * pattern.height,
                  HasPlace<Pattern>{pattern, place});
  std::int64_t const row = row_of_lane(exec, pattern, lane);
  std::string const at = " at position " + to_string(place);
  std::string const padding =
      ", padding " + (row < 0 ? "behind the last row" : "of row " + to_string(row)) + ", is not ";
  if (rule == PlaceRule::values_of_padding)
    return {"the value" + at + padding + "0", row, place};
  std::int64_t const column = read_entry(exec, columns, place);
  if (rule == PlaceRule::columns_of_padding)
    return {"column " + to_string(column) + at + padding + "-1", row, place};
  return {outside_text("column", column, at + " of row " + to_string(row), bound), row, place};
}

// Columns of entries are in range, padding has column -1 and value 0; row lengths are good.
template <class Exec, class Pattern, class Columns, class Values>
std::optional<Defect> places_defect(Exec const& exec, Pattern const& pattern,
                                    Columns const& columns, Values const& values,
                                    std::int64_t bound)
{
  for (PlaceRule const rule :
       {PlaceRule::columns_of_entries, PlaceRule::columns_of_padding, PlaceRule::values_of_padding})
  {
    std::int64_t const place =
        least_place(exec, "heddle::validate::places", pattern.slices * pattern.height,
                    BreaksRule<Pattern, Columns, Values>{pattern, columns, values, bound, rule});
    if (place >= 0)
      return defect_at(exec, pattern, columns, bound, rule, place);
  }
  return {};
}

// No column stands twice in a row, where all the rest is good. Columns are gathered row by row.
template <class Exec, class Pattern, class Columns>
std::optional<Defect> repeated_defect(Exec const& exec, Pattern const& pattern,
                                      Columns const& columns, std::int64_t nnz,
                                      std::int64_t num_cols)
{
  using std::to_string;
  auto const n = static_cast<std::int64_t>(pattern.lengths.extent(0));
  Scratch<std::int64_t, Exec> const offset_memory(exec, static_cast<std::size_t>(n) + 1);
  Scratch<typename Columns::non_const_value_type, Exec> const column_memory(
      exec, static_cast<std::size_t>(nnz));
  auto const offsets = offset_memory.view();
  auto const gathered = column_memory.view();
  Pattern by_position = pattern;
  by_position.rows = {};
  offsets_from_counts(exec, n, pattern.lengths, offsets);
  read_sell(exec, by_position, columns, offsets, gathered);
  std::int64_t const k = first_repeated(exec, offsets, gathered, num_cols);
  if (k < 0)
    return {};
  std::int64_t const p = line_of_entry(exec, offsets, n, k);
  std::int64_t const place = read_entry(exec, pattern.slice_offsets, p / pattern.height) +
                             (k - read_entry(exec, offsets, p)) * pattern.height +
                             p % pattern.height;
  std::int64_t const row = row_of_lane(exec, pattern, p);
  return Defect{"column " + to_string(read_entry(exec, gathered, k)) + " stands twice in row " +
                    to_string(row) + ", again at position " + to_string(place),
                row, place};
}

// All three, of a matrix with this pattern.
template <class Exec, class Pattern, class Matrix>
std::optional<Defect> padded_defect(Exec const& exec, Pattern const& pattern, Matrix const& a)
{
  auto const nnz = static_cast<std::int64_t>(a.nnz());
  if (auto defect = lengths_defect(exec, pattern, nnz))
    return defect;
  if (auto defect = places_defect(exec, pattern, a.columns(), a.values(), a.num_cols()))
    return defect;
  return repeated_defect(exec, pattern, a.columns(), nnz, a.num_cols());
}

} // namespace heddle::impl
