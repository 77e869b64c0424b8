// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace heddle::impl
{

// What host loops read of a matrix.
template <class Matrix>
struct CsrPointers
{
  typename Matrix::offset_type const* offsets;
  typename Matrix::ordinal_type const* columns;
  typename Matrix::value_type const* values;
  std::size_t nnz;

  explicit CsrPointers(Matrix const& a)
      : offsets(a.row_offsets().data())
      , columns(a.columns().data())
      , values(a.values().data())
      , nnz(a.nnz())
  {}
};

} // namespace heddle::impl
