// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What CSR, CSC, DCSR and BSR have in common: lines (rows, columns or rows of blocks) of indices
// behind offsets. Defects have the line as their row. All wait for exec.

#include <heddle/defect.hpp>
#include <heddle/impl/validate_pattern.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::impl
{

// What an array and its parts are called in sentences.
struct CompressedNames
{
  char const* offsets;
  char const* line;
  char const* index;
  char const* stored; // what offsets count
};

// Lines that are rows of the matrix.
struct SameLine
{
  std::int64_t operator()(std::int64_t line) const { return line; }
};

// "column 7 at position 3 of row 1 is not in 0 .. 6", where at = " at position 3 of row 1".
inline std::string outside_text(char const* name, std::int64_t value, std::string const& at,
                                std::int64_t bound)
{
  return std::string(name) + " " + std::to_string(value) + at + " is not in 0 .. " +
         std::to_string(bound - 1);
}

// Offsets start at 0, never fall and end at stored. Line i is told as line_number(i).
template <class Exec, class Offsets, class LineNumber>
std::optional<Defect> offsets_defect(Exec const& exec, CompressedNames const& names,
                                     Offsets const& offsets, std::int64_t stored,
                                     LineNumber const& line_number)
{
  using std::to_string;
  std::string const array = names.offsets;
  std::int64_t const lines = static_cast<std::int64_t>(offsets.extent(0)) - 1;
  if (lines < 0)
    return {}; // the default-constructed matrix
  std::int64_t const first = read_entry(exec, offsets, 0);
  if (first != 0)
    return Defect{array + "(0) is " + to_string(first) + ", expected 0", -1, 0};
  std::int64_t const falls =
      least_place(exec, "heddle::validate::offsets", lines, Falls<Offsets>{offsets});
  if (falls >= 0)
    return Defect{array + " falls from " + to_string(read_entry(exec, offsets, falls)) + " to " +
                      to_string(read_entry(exec, offsets, falls + 1)) + " in " + names.line + " " +
                      to_string(line_number(falls)),
                  line_number(falls), falls + 1};
  std::int64_t const last = read_entry(exec, offsets, lines);
  if (last != stored)
    return Defect{array + " ends at " + to_string(last) + " but there are " + to_string(stored) +
                      " " + names.stored,
                  lines == 0 ? -1 : line_number(lines - 1), lines};
  return {};
}

// Indices lie in 0 .. bound - 1 and none stands twice in a line, where offsets are good.
template <class Exec, class Offsets, class Indices, class LineNumber>
std::optional<Defect> indices_defect(Exec const& exec, CompressedNames const& names,
                                     Offsets const& offsets, Indices const& indices,
                                     std::int64_t bound, LineNumber const& line_number)
{
  using std::to_string;
  std::int64_t const lines = static_cast<std::int64_t>(offsets.extent(0)) - 1;
  std::int64_t const outside = first_outside(exec, indices, bound);
  if (outside >= 0)
  {
    std::int64_t const line = line_number(line_of_entry(exec, offsets, lines, outside));
    std::string const at =
        " at position " + to_string(outside) + " of " + names.line + " " + to_string(line);
    return Defect{outside_text(names.index, read_entry(exec, indices, outside), at, bound), line,
                  outside};
  }
  std::int64_t const repeated = first_repeated(exec, offsets, indices, bound);
  if (repeated >= 0)
  {
    std::int64_t const line = line_number(line_of_entry(exec, offsets, lines, repeated));
    return Defect{names.index + (" " + to_string(read_entry(exec, indices, repeated))) +
                      " stands twice in " + names.line + " " + to_string(line) +
                      ", again at position " + to_string(repeated),
                  line, repeated};
  }
  return {};
}

} // namespace heddle::impl
