// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/validate_pattern.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle
{

/// The first broken invariant of a matrix. Row and position (in columns and values, or in
/// row_offsets) are -1 where the defect has none.
struct Defect
{
  std::string what; ///< a sentence with the numbers
  std::int64_t row = -1;
  std::int64_t position = -1;
};

/// Checks that row offsets start at 0, never fall and end at nnz, that columns lie in 0 .. cols - 1
/// and none stands twice in a row. Empty if all is well. Unsorted rows cost a sort and 3 scratch
/// arrays of nnz. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
std::optional<Defect> validate(Exec const& exec, Matrix const& a)
{
  using std::to_string;
  auto const rows = static_cast<std::int64_t>(a.num_rows());
  auto const nnz = static_cast<std::int64_t>(a.nnz());
  if (rows == 0 && a.row_offsets().extent(0) == 0)
    return {}; // the default-constructed matrix
  auto const& offsets = a.row_offsets();
  auto const& columns = a.columns();
  std::int64_t const first = impl::read_entry(exec, offsets, 0);
  if (first != 0)
    return Defect{"row_offsets(0) is " + to_string(first) + ", expected 0", -1, 0};
  std::int64_t const falls = impl::first_fall(exec, offsets);
  if (falls >= 0)
    return Defect{"row_offsets falls from " + to_string(impl::read_entry(exec, offsets, falls)) +
                      " to " + to_string(impl::read_entry(exec, offsets, falls + 1)) + " in row " +
                      to_string(falls),
                  falls, falls + 1};
  std::int64_t const last = impl::read_entry(exec, offsets, rows);
  if (last != nnz)
    return Defect{"row_offsets ends at " + to_string(last) + " but there are " + to_string(nnz) +
                      " entries",
                  rows - 1, rows};
  std::int64_t const outside = impl::first_outside(exec, columns, a.num_cols());
  if (outside >= 0)
  {
    std::int64_t const row = impl::row_of_entry(exec, offsets, outside);
    return Defect{"column " + to_string(impl::read_entry(exec, columns, outside)) +
                      " at position " + to_string(outside) + " of row " + to_string(row) +
                      " is not in 0 .. " + to_string(static_cast<std::int64_t>(a.num_cols()) - 1),
                  row, outside};
  }
  std::int64_t const repeated = impl::first_repeated(exec, offsets, columns, a.num_cols());
  if (repeated >= 0)
  {
    std::int64_t const row = impl::row_of_entry(exec, offsets, repeated);
    return Defect{"column " + to_string(impl::read_entry(exec, columns, repeated)) +
                      " stands twice in row " + to_string(row) + ", again at position " +
                      to_string(repeated),
                  row, repeated};
  }
  return {};
}

/// Checks that rows and columns lie in range; duplicates and any order are legal. Waits for exec.
template <ExecutionSpace Exec, Coo Matrix>
std::optional<Defect> validate(Exec const& exec, Matrix const& a)
{
  using std::to_string;
  std::int64_t const row = impl::first_outside(exec, a.rows(), a.num_rows());
  std::int64_t const column = impl::first_outside(exec, a.columns(), a.num_cols());
  if (row >= 0 && (column < 0 || row <= column))
  {
    std::int64_t const value = impl::read_entry(exec, a.rows(), row);
    return Defect{"row " + to_string(value) + " at position " + to_string(row) +
                      " is not in 0 .. " + to_string(static_cast<std::int64_t>(a.num_rows()) - 1),
                  value, row};
  }
  if (column >= 0)
    return Defect{"column " + to_string(impl::read_entry(exec, a.columns(), column)) +
                      " at position " + to_string(column) + " is not in 0 .. " +
                      to_string(static_cast<std::int64_t>(a.num_cols()) - 1),
                  impl::read_entry(exec, a.rows(), column), column};
  return {};
}

} // namespace heddle
