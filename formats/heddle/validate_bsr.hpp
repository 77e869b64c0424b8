// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/bsr_matrix.hpp>
#include <heddle/concepts.hpp>
#include <heddle/defect.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/sum_of.hpp>
#include <heddle/impl/validate_compressed.hpp>
#include <heddle/impl/validate_pattern.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle
{

namespace impl
{

// Values of block row r that lie inside the matrix.
template <class Matrix>
struct ValuesInside
{
  Matrix a;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t r) const
  {
    std::int64_t const height = a.shape().height, width = a.shape().width;
    std::int64_t const rows_left = a.num_rows() - r * height;
    std::int64_t columns = 0;
    for (auto b = a.row_offsets()(r); b < a.row_offsets()(r + 1); ++b)
    {
      std::int64_t const columns_left =
          a.num_cols() - static_cast<std::int64_t>(a.columns()(b)) * width;
      columns += columns_left < width ? columns_left : width;
    }
    return columns * (rows_left < height ? rows_left : height);
  }
};

} // namespace impl

/// Checks of blocks what validate of a CsrMatrix checks of entries, and that the blocks have room
/// inside the matrix for nnz entries. Waits for exec.
template <ExecutionSpace Exec, Bsr Matrix>
std::optional<Defect> validate(Exec const& exec, Matrix const& a)
try
{
  using std::to_string;
  impl::CompressedNames const names{"row_offsets", "block row", "block column", "blocks"};
  impl::SameLine const block_row_of;
  auto const blocks = static_cast<std::int64_t>(a.num_blocks());
  auto defect = impl::offsets_defect(exec, names, a.row_offsets(), blocks, block_row_of);
  if (!defect)
    defect = impl::indices_defect(exec, names, a.row_offsets(), a.columns(), a.num_block_cols(),
                                  block_row_of);
  if (defect)
  {
    if (defect->row > 0)
      defect->row *= a.shape().height;
    return defect;
  }
  auto const block_rows = static_cast<std::int64_t>(a.row_offsets().extent(0)) - 1;
  std::int64_t const inside = impl::sum_of(exec, "heddle::validate::values_inside", block_rows,
                                           impl::ValuesInside<Matrix>{a});
  auto const nnz = static_cast<std::int64_t>(a.nnz());
  if (nnz > inside)
    return Defect{"there are " + to_string(nnz) + " entries but the blocks have " +
                  to_string(inside) + " values inside the matrix"};
  return {};
}
catch (...)
{
  impl::rethrow_out_of_memory("validate");
}

} // namespace heddle
