// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace heddle::test
{

// What plans of native kernels look at of a matrix in CSR.
template <class Matrix>
struct PatternOf
{
  using ordinal_type = typename Matrix::ordinal_type;
  using offset_type = typename Matrix::offset_type;
  std::int64_t rows;
  offset_type const* offsets;
  ordinal_type const* columns;

  explicit PatternOf(Matrix const& a)
      : rows(a.num_rows())
      , offsets(a.row_offsets().data())
      , columns(a.columns().data())
  {}
};

} // namespace heddle::test
