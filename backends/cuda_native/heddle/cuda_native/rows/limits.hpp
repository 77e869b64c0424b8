// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What native kernels count in 32 bits although offsets and columns may have 64. Matrices beyond
// these limits are left to the portable kernels.

#include <heddle/impl/row_statistics.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace heddle::cuda_native
{

// Entries of a row. Below 2^31, since kernels count a batch ahead of the entries that there are.
inline constexpr std::int64_t most_entries_of_row = std::int64_t(1) << 30;

inline bool has_short_rows(impl::RowStatistics const& rows)
{
  return rows.longest <= most_entries_of_row;
}
// The same for a CSR matrix whose statistics are not known. Waits for exec where a row could be too
// long.
template <class Exec, class Matrix>
bool has_short_rows(Exec const& exec, Matrix const& a)
{
  return a.nnz() <= static_cast<std::size_t>(most_entries_of_row) ||
         has_short_rows(impl::row_statistics(exec, a.row_offsets(),
                                             static_cast<std::int64_t>(a.num_rows()), a.nnz()));
}

// Whether the rows of C = A B can be numbered in 32 bits: a row of C has no more entries than B has
// columns or entries, and SpGEMM's tables number blocks of 32 columns.
inline bool has_short_products(std::int64_t cols_b, std::size_t nnz_b)
{
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t most_cols = (std::int64_t(1) << 37) - 32;
  return cols_b <= most || (cols_b <= most_cols && nnz_b <= static_cast<std::size_t>(most));
}

} // namespace heddle::cuda_native
