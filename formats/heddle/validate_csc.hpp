// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csc_matrix.hpp>
#include <heddle/defect.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/validate_compressed.hpp>

#include <cstdint>
#include <optional>

namespace heddle
{

/// Checks of the columns what validate of a CsrMatrix checks of the rows. Row is the entry's, where
/// the defect has an entry. Waits for exec.
template <ExecutionSpace Exec, Csc Matrix>
std::optional<Defect> validate(Exec const& exec, Matrix const& a)
try
{
  impl::CompressedNames const names{"column_offsets", "column", "row", "entries"};
  impl::SameLine const column_of;
  auto const nnz = static_cast<std::int64_t>(a.nnz());
  auto defect = impl::offsets_defect(exec, names, a.column_offsets(), nnz, column_of);
  if (defect)
  {
    defect->row = -1;
    return defect;
  }
  defect = impl::indices_defect(exec, names, a.column_offsets(), a.rows(), a.num_rows(), column_of);
  if (defect)
    defect->row = impl::read_entry(exec, a.rows(), defect->position);
  return defect;
}
catch (...)
{
  impl::rethrow_out_of_memory("validate");
}

} // namespace heddle
