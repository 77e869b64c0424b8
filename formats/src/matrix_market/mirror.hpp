// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>
#include <heddle/matrix_market.hpp>

#include <Kokkos_Core.hpp>

namespace heddle::impl::matrix_market
{

// What stands at (column, row) where value stands at (row, column).
template <class Value>
Value mirrored(MatrixMarketSymmetry symmetry, Value const& value)
{
  if (symmetry == MatrixMarketSymmetry::skew_symmetric)
    return -value;
  if constexpr (is_complex_v<Value>)
    if (symmetry == MatrixMarketSymmetry::hermitian)
      return Kokkos::conj(value);
  return value;
}

} // namespace heddle::impl::matrix_market
