// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The rows of a row-segmented matrix as lines (lines.hpp), in the order of the CSR matrix that it
// was made of: the values of a row lie in several pieces, found through their places.

#include <heddle/impl/lines.hpp>
#include <heddle/row_segmented_matrix.hpp>

namespace heddle::impl
{

template <RowSegmented Matrix>
auto lines_of(Matrix const& a)
{
  return GatheredLines<typename Matrix::ordinal_type, typename Matrix::offset_type>{
      a.num_rows(), a.rows().offsets.data(), a.rows().columns.data(), a.rows().places.data()};
}

} // namespace heddle::impl
