// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::test
{

// What the functions below do with one row or entry: functors, see impl/scan.hpp.
template <class Matrix>
struct AddPlacesOfRow
{
  Matrix a;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum) const
  {
    for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
      sum += (i + 1) * (static_cast<std::int64_t>(a.columns()(k)) + 1);
  }
};
template <class Matrix>
struct AddCoordinates
{
  Matrix a;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& sum) const
  {
    sum += (static_cast<std::int64_t>(a.rows()(k)) + 1) *
           (static_cast<std::int64_t>(a.columns()(k)) + 1);
  }
};

// What a user's kernel reads of a CSR matrix: the sum over all entries of (row + 1) (column + 1).
template <class Exec, class Matrix>
std::int64_t sum_of_places(Exec const& exec, Matrix const& a)
{
  std::int64_t result = 0;
  Kokkos::parallel_reduce("heddle::test::sum_of_places", impl::range(exec, a.num_rows()),
                          AddPlacesOfRow<Matrix>{a}, result);
  return result;
}

// The same of a COO matrix.
template <class Exec, class Matrix>
std::int64_t sum_of_coordinates(Exec const& exec, Matrix const& a)
{
  std::int64_t result = 0;
  Kokkos::parallel_reduce("heddle::test::sum_of_coordinates", impl::range(exec, a.nnz()),
                          AddCoordinates<Matrix>{a}, result);
  return result;
}

} // namespace heddle::test
