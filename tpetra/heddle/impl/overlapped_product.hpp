// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/convert_dcsr.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/dcsr_matrix.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/local_product.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/split_columns.hpp>
#include <heddle/impl/split_epilogue.hpp>
#include <heddle/op.hpp>
#include <heddle/row_epilogue.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace heddle::impl
{

// A rank's matrix as the sum of what its own columns give, numbered as x is, and what columns of
// other ranks give, numbered as A has them (split_columns.hpp). Copies of both are held;
// update_values refreshes them. Rows that have entries in columns of other ranks are boundary rows
// here, the others interior ones.
//
// Where many rows are boundary rows they are kept whole: to begin each of them twice, and to write
// its y twice, costs more than to have x in a second place. An eighth: one thread begins a row in
// the time in which it copies about eight entries of x. With 5 % split (stencil27_40 on two ranks)
// and 10 % (elast3_20) times are as before or better, with 37 % (rmat16_8) they are 1.55 times as
// long (perf_tests/results/epyc_2/tpetra_operator.txt).
template <class Exec, class Matrix, class Own>
class OverlappedProduct
{
public:
  // own(c): this rank's number of column c, negative if it is another rank's; kept.
  OverlappedProduct(Exec const& exec, Matrix const& a, Own const& own,
                    typename Matrix::ordinal_type own_columns)
      : m_numbers(own)
      , m_keeps_rows_whole(8 * count_boundary_rows(exec, a, own) > a.num_rows())
      , m_own(split_columns(exec, a, own, own_columns, first()))
      , m_remote(split_columns(exec, a, own, own_columns, second()))
      , m_boundary(boundary_rows(exec, m_remote))
      , m_own_product(exec, m_own)
      , m_remote_product(exec, m_boundary)
      , m_remote_with_epilogue(exec, m_boundary.compressed())
  {}

  // The values of a, which has the pattern of the first one. Asynchronous.
  void update_values(Exec const& exec, Matrix const& a) const
  {
    copy_values(exec, a, m_numbers, m_own, m_remote);
  }

  // Whether remote reads this rank's own part of x as well.
  bool keeps_rows_whole() const { return m_keeps_rows_whole; }

  // What this rank's columns give, for all rows (but those kept whole, which get beta y).
  template <class Value, class X, class Y>
  void own(Exec const& exec, Op op, Value alpha, X const& x, Value beta, Y const& y) const
  {
    m_own_product(exec, op, alpha, m_own, x, beta, y);
  }
  // What the rest gives, for boundary rows (transposed: for the columns of A).
  template <class Value, class X, class Y>
  void remote(Exec const& exec, Op op, Value alpha, X const& x, Value beta, Y const& y) const
  {
    m_remote_product(exec, op, alpha, m_boundary, x, beta, y);
  }

  // The same for A x with an epilogue, for Views of one column: the first calls it for interior
  // rows, whose sums are complete then, the second for boundary rows. *sum, in memory that exec
  // reaches, is of the interior rows in between.
  template <class Value, class X, class Y, class Epilogue>
  void own_with_epilogue(Exec const& exec, Value alpha, X const& x, Value beta, Y const& y,
                         Epilogue const& epilogue, sum_of_epilogue_t<Epilogue>* sum) const
  {
    m_own_product(exec, alpha, m_own, x, beta, y,
                  InteriorEpilogue<Epilogue, Offsets>(epilogue, m_remote.row_offsets(), sum));
  }
  template <class Value, class X, class Y, class Epilogue>
  void remote_with_epilogue(Exec const& exec, Value alpha, X const& x, Y const& y,
                            Epilogue const& epilogue, sum_of_epilogue_t<Epilogue> const* sum) const
  {
    auto const column = Kokkos::subview(y, Kokkos::ALL, 0);
    using Boundary = BoundaryEpilogue<Epilogue, typename BoundaryRows::rows_view,
                                      std::remove_const_t<decltype(column)>>;
    Scratch<Value, Exec> const results(exec, m_boundary.rows().extent(0));
    spmv(exec, m_remote_with_epilogue, alpha, m_boundary.compressed(),
         Kokkos::subview(x, Kokkos::ALL, 0), Value(0), results.view(),
         Boundary(epilogue, m_boundary.rows(), column, sum));
  }

private:
  using Rows = typename Matrix::non_const_type;
  using BoundaryRows = FormatLike<DcsrMatrix, Rows>;
  using Offsets = typename Rows::row_offsets_view;

  // The rows that have entries, so that other rows of y are neither read nor written: with the
  // columns and values of a, not copies of them.
  static BoundaryRows boundary_rows(Exec const& exec, Rows const& a)
  {
    auto const rows = to_dcsr(exec, a);
    return {a.num_rows(), a.num_cols(), rows.rows(), rows.row_offsets(), a.columns(), a.values()};
  }

  PartOfRows first() const { return {false, m_keeps_rows_whole}; }
  PartOfRows second() const { return {true, m_keeps_rows_whole}; }

  Own m_numbers;
  bool m_keeps_rows_whole;
  Rows m_own, m_remote;
  BoundaryRows m_boundary;
  LocalProduct<Exec, typename Rows::const_type> m_own_product;
  LocalProduct<Exec, typename BoundaryRows::const_type> m_remote_product;
  SpmvPlan<Exec, typename BoundaryRows::compressed_type::const_type> m_remote_with_epilogue;
};

} // namespace heddle::impl
