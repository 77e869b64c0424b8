// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/defect.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/validate_compressed.hpp>
#include <heddle/impl/validate_pattern.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle
{

/// Checks that rows and columns lie in range; duplicates and any order are legal. Waits for exec.
template <ExecutionSpace Exec, Coo Matrix>
std::optional<Defect> validate(Exec const& exec, Matrix const& a)
try
{
  std::int64_t const row = impl::first_outside(exec, a.rows(), a.num_rows());
  std::int64_t const column = impl::first_outside(exec, a.columns(), a.num_cols());
  if (row >= 0 && (column < 0 || row <= column))
  {
    std::int64_t const value = impl::read_entry(exec, a.rows(), row);
    return Defect{
        impl::outside_text("row", value, " at position " + std::to_string(row), a.num_rows()),
        value, row};
  }
  if (column >= 0)
    return Defect{impl::outside_text("column", impl::read_entry(exec, a.columns(), column),
                                     " at position " + std::to_string(column), a.num_cols()),
                  impl::read_entry(exec, a.rows(), column), column};
  return {};
}
catch (...)
{
  impl::rethrow_out_of_memory("validate");
}

} // namespace heddle
