// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Row views of a row-segmented matrix (row_views.hpp), in the order of the CSR matrix that it
// was made of: the values of a row lie in several pieces, found through their places.

#include <heddle/impl/row_views.hpp>
#include <heddle/row_segmented_matrix.hpp>

namespace heddle::impl
{

template <RowSegmented Matrix>
auto row_views_of(Matrix const& a)
{
  return GatheredRowViews<typename Matrix::ordinal_type, typename Matrix::offset_type>{
      a.num_rows(), a.rows().offsets.data(), a.rows().columns.data(), a.rows().places.data()};
}

} // namespace heddle::impl
