// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/convert_dcsr.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/dcsr_matrix.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/local_product.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/some_rows.hpp>
#include <heddle/impl/split_epilogue.hpp>
#include <heddle/op.hpp>
#include <heddle/row_epilogue.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

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
      , m_boundary_with_epilogue(exec, m_nonempty.compressed())
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

  // The same with an epilogue, which each pass calls for its own rows, for Views of one column:
  // first y <- alpha A x + beta y of the interior rows, beta y of the others, then what the
  // boundary rows add. *sum, in memory that exec reaches, is of the interior rows in between.
  template <class Value, class X, class Y, class Epilogue>
  void interior(Exec const& exec, Value alpha, X const& x, Value beta, Y const& y,
                Epilogue const& epilogue, sum_of_epilogue_t<Epilogue>* sum) const
  {
    m_interior_product(
        exec, alpha, m_interior, x, beta, y,
        InteriorEpilogue<Epilogue, Offsets>(epilogue, m_boundary.row_offsets(), sum));
  }
  template <class Value, class X, class Y, class Epilogue>
  void boundary(Exec const& exec, Value alpha, X const& x, Y const& y, Epilogue const& epilogue,
                sum_of_epilogue_t<Epilogue> const* sum) const
  {
    auto const column = Kokkos::subview(y, Kokkos::ALL, 0);
    using Boundary = BoundaryEpilogue<Epilogue, typename Nonempty::rows_view,
                                      std::remove_const_t<decltype(column)>>;
    Scratch<Value, Exec> const results(exec, m_nonempty.rows().extent(0));
    spmv(exec, m_boundary_with_epilogue, alpha, m_nonempty.compressed(),
         Kokkos::subview(x, Kokkos::ALL, 0), Value(0), results.view(),
         Boundary(epilogue, m_nonempty.rows(), column, sum));
  }

private:
  using Rows = typename Matrix::non_const_type;
  using Nonempty = FormatLike<DcsrMatrix, Rows>;
  using Offsets = typename Rows::row_offsets_view;

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
  SpmvPlan<Exec, typename Nonempty::compressed_type::const_type> m_boundary_with_epilogue;
};

} // namespace heddle::impl
