// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/require.hpp>

namespace heddle::impl
{

// Two matrices that may have one pattern.
template <class Target, class Matrix>
void require_same_size(char const* function, Target const& target, Matrix const& a)
{
  require(target.num_rows() == a.num_rows() && target.num_cols() == a.num_cols() &&
              target.nnz() == a.nnz(),
          function, "the target is ", target.num_rows(), " x ", target.num_cols(), ", ",
          target.nnz(), " entries but the source ", a.num_rows(), " x ", a.num_cols(), ", ",
          a.nnz(), " entries");
}

} // namespace heddle::impl
