// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/defect.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/validate_compressed.hpp>

#include <cstdint>
#include <optional>

namespace heddle
{

namespace impl
{
inline constexpr CompressedNames csr_names{"row_offsets", "row", "column", "entries"};
}

/// Checks that row offsets start at 0, never fall and end at nnz, that columns lie in 0 .. cols - 1
/// and none stands twice in a row. Empty if all is well. Unsorted rows cost a sort and 3 scratch
/// arrays of nnz. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
std::optional<Defect> validate(Exec const& exec, Matrix const& a)
try
{
  impl::SameLine const row_of;
  auto const nnz = static_cast<std::int64_t>(a.nnz());
  if (auto defect = impl::offsets_defect(exec, impl::csr_names, a.row_offsets(), nnz, row_of))
    return defect;
  return impl::indices_defect(exec, impl::csr_names, a.row_offsets(), a.columns(), a.num_cols(),
                              row_of);
}
catch (...)
{
  impl::rethrow_out_of_memory("validate");
}

} // namespace heddle
