// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// RowStatistics of every format. All wait for exec.

#include <heddle/coo_matrix.hpp>
#include <heddle/csc_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/dcsr_matrix.hpp>
#include <heddle/hyb_matrix.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/validate_pattern.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// indices(k) never falls.
template <class Exec, class Indices>
bool is_ascending(Exec const& exec, Indices const& indices)
{
  return least_place(exec, "heddle::is_ascending", static_cast<std::int64_t>(indices.extent(0)) - 1,
                     Falls<Indices>{indices}) < 0;
}

// What longest_run does with one index: a functor, see scan.hpp.
template <class Indices>
struct RunFrom
{
  Indices indices;
  std::int64_t n;

  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& longest) const
  {
    auto const index = indices(k);
    // A run that is no longer than the longest so far need not be walked.
    std::int64_t const found = longest > 0 ? longest : 0; // it begins with the least number
    if ((k > 0 && indices(k - 1) == index) || k + found >= n || indices(k + found) != index)
      return;
    longest = lower_bound(indices, k + found, n, index + 1) - k;
  }
};

// The longest run of one number in indices that never fall.
template <class Exec, class Indices>
std::int64_t longest_run(Exec const& exec, Indices const& indices)
{
  auto const n = static_cast<std::int64_t>(indices.extent(0));
  std::int64_t result = 0;
  if (n == 0)
    return result;
  Kokkos::parallel_reduce("heddle::longest_run", range(exec, n), RunFrom<Indices>{indices, n},
                          Kokkos::Max<std::int64_t>(result));
  return result;
}

template <class Exec, class Matrix>
RowStatistics statistics_of(Exec const& exec, Matrix const& a)
{
  if constexpr (is_csr_matrix_v<Matrix>)
    return row_statistics(exec, a.row_offsets(), a.num_rows(), a.nnz());
  else if constexpr (has_row_views_v<Matrix>)
    return statistics_of_row_views(exec, a);
  else if constexpr (is_csc_matrix_v<Matrix>)
    return statistics_of(exec, a.transposed());
  else if constexpr (is_dcsr_matrix_v<Matrix>)
    return statistics_of(exec, a.compressed());
  else
  {
    // Of the longest row nobody asks where coordinates are not in the order of rows, nor of HYB.
    RowStatistics result{.rows = a.num_rows(), .nonzeros = static_cast<std::int64_t>(a.nnz())};
    if constexpr (is_coo_matrix_v<Matrix>)
    {
      result.is_row_by_row = is_ascending(exec, a.rows());
      if (result.is_row_by_row)
        result.longest = longest_run(exec, a.rows());
    }
    return result;
  }
}

} // namespace heddle::impl
