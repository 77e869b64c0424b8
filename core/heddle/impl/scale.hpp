// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/operands.hpp>
#include <heddle/impl/range.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// What scale does with one entry: functors, see scan.hpp.
template <class Scalar, class Layout>
struct ScaleVector
{
  Scalar beta;
  VectorOperand<Scalar, Layout> y;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    y(i) = beta == Scalar(0) ? Scalar(0) : beta * y(i);
  }
};
template <class Scalar, class Layout>
struct ScaleMatrix
{
  Scalar beta;
  MatrixOperand<Scalar, Layout> c;
  bool by_column;
  std::int64_t inner; // entries of a column, or of a row

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    std::int64_t const outer_index = n / inner, inner_index = n % inner;
    Scalar& target = by_column ? c(inner_index, outer_index) : c(outer_index, inner_index);
    target = beta == Scalar(0) ? Scalar(0) : beta * target;
  }
};

// y <- beta y; beta = 0 writes zeros without reading y. What a call with alpha = 0 comes down to,
// and the first step of kernels that add into y from several places. Asynchronous.
template <class Exec, class Scalar, class Layout>
void scale(Exec const& exec, Scalar beta, VectorOperand<Scalar, Layout> const& y)
{
  if (beta == Scalar(1) || y.size == 0)
    return;
  Kokkos::parallel_for("heddle::scale", range(exec, y.size), ScaleVector<Scalar, Layout>{beta, y});
}

template <class Exec, class Scalar, class Layout>
void scale(Exec const& exec, Scalar beta, MatrixOperand<Scalar, Layout> const& c)
{
  if (beta == Scalar(1) || c.rows == 0 || c.cols == 0)
    return;
  bool const by_column = c.row_stride < c.column_stride;
  std::int64_t const inner = by_column ? c.rows : c.cols;
  Kokkos::parallel_for("heddle::scale", range(exec, c.rows * c.cols),
                       ScaleMatrix<Scalar, Layout>{beta, c, by_column, inner});
}

} // namespace heddle::impl
