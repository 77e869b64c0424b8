// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Coordinates as row views (row_views.hpp) of one entry each, several of which may be of one row:
// for what adds entry by entry.

#include <heddle/coo_matrix.hpp>
#include <heddle/impl/row_views.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

template <class Ordinal>
struct EntryRowViews
{
  using ordinal_type = Ordinal;
  static constexpr std::int64_t unit = 1;
  std::int64_t count;
  Ordinal const* rows;
  Ordinal const* columns;

  KOKKOS_FUNCTION std::int64_t row(std::int64_t k) const
  {
    return static_cast<std::int64_t>(rows[k]);
  }
  KOKKOS_FUNCTION ContiguousRowView<Ordinal> operator[](std::int64_t k) const
  {
    return {columns, k, 1};
  }
  static std::int64_t work(std::int64_t k) { return k; }
};

template <Coo Matrix>
auto row_views_of(Matrix const& a)
{
  return EntryRowViews<typename Matrix::ordinal_type>{static_cast<std::int64_t>(a.nnz()),
                                                      a.rows().data(), a.columns().data()};
}

} // namespace heddle::impl
