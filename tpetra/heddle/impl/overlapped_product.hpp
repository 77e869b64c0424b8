// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/convert_dcsr.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/dcsr_matrix.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/local_product.hpp>
#include <heddle/impl/some_rows.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace heddle::impl
{

// A rank's matrix as the sum of its interior rows, whose columns are all this rank's and are
// numbered as x is, and its boundary rows, which also need columns of other ranks and keep the
// numbers of A. Copies of both are held; update_values refreshes them.
template <class Exec, class Matrix>
class OverlappedProduct
{
public:
  // own(c): this rank's number of column c, negative if it is another rank's.
  template <class Own>
  OverlappedProduct(Exec const& exec, Matrix const& a, Own const& own,
                    typename Matrix::ordinal_type own_columns)
      : m_interior(some_rows(exec, a, own, own_columns, false))
      , m_boundary(some_rows(exec, a, own, own_columns, true))
      , m_nonempty(nonempty_rows(exec, m_boundary))
      , m_interior_product(exec, m_interior)
      , m_boundary_product(exec, m_nonempty)
  {}

  // The values of a, which has the pattern of the first one. Asynchronous.
  void update_values(Exec const& exec, Matrix const& a) const
  {
    copy_values(exec, a, m_interior);
    copy_values(exec, a, m_boundary);
  }
  std::size_t nnz() const { return m_interior.nnz() + m_boundary.nnz(); }

  template <class Value, class X, class Y>
  void interior(Exec const& exec, Op op, Value alpha, X const& x, Value beta, Y const& y) const
  {
    m_interior_product(exec, op, alpha, m_interior, x, beta, y);
  }
  template <class Value, class X, class Y>
  void boundary(Exec const& exec, Op op, Value alpha, X const& x, Value beta, Y const& y) const
  {
    m_boundary_product(exec, op, alpha, m_nonempty, x, beta, y);
  }

private:
  using Rows = typename Matrix::non_const_type;
  using Nonempty = FormatLike<DcsrMatrix, Rows>;

  // With the columns and values of a, not copies of them.
  static Nonempty nonempty_rows(Exec const& exec, Rows const& a)
  {
    auto const rows = to_dcsr(exec, a);
    return {a.num_rows(), a.num_cols(), rows.rows(), rows.row_offsets(), a.columns(), a.values()};
  }

  Rows m_interior, m_boundary;
  Nonempty m_nonempty; // of the boundary, so that other rows of y are neither read nor written
  LocalProduct<Exec, typename Rows::const_type> m_interior_product;
  LocalProduct<Exec, typename Nonempty::const_type> m_boundary_product;
};

} // namespace heddle::impl
