// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/convert_dcsr.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/dcsr_matrix.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/local_product.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/split_columns.hpp>
#include <heddle/impl/split_epilogue.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/op.hpp>
#include <heddle/row_epilogue.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace heddle::impl
{

// to(i, j) += from(i, j) for all j.
template <class From, class To>
struct AddRow
{
  From from;
  To to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    for (std::size_t j = 0; j < to.extent(1); ++j)
      to(i, j) += from(i, j);
  }
};

// to <- from, column by column: each of them is contiguous, the whole of it need not be.
template <class Exec, class To, class From>
void copy_columns(Exec const& exec, To const& to, From const& from)
{
  for (std::size_t j = 0; j < to.extent(1); ++j)
    Kokkos::deep_copy(exec, Kokkos::subview(to, Kokkos::ALL, j),
                      Kokkos::subview(from, Kokkos::ALL, j));
}

// Leaves the results of rows as they are.
struct NoEpilogue
{
  template <class Value>
  KOKKOS_FUNCTION void operator()(std::int64_t, Value const&) const
  {}
};

// A rank's matrix as the sum of what its own columns give, numbered as x is, and what columns of
// other ranks give, numbered as they are received (split_columns.hpp). Copies of both are held;
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
  using Ordinal = typename Matrix::ordinal_type;

  // own(c): this rank's number of column c, -1 - r if it is the r-th of other ranks; kept.
  OverlappedProduct(Exec const& exec, Matrix const& a, Own const& own, Ordinal own_columns,
                    Ordinal remote_columns)
      : m_numbers(own)
      , m_own_columns(own_columns)
      , m_remote_columns(remote_columns)
      , m_keeps_rows_whole(8 * count_boundary_rows(exec, a, own) > a.num_rows())
      , m_own(split_columns(exec, a, own, part(false)))
      , m_remote(split_columns(exec, a, own, part(true)))
      , m_boundary(boundary_rows(exec, m_remote))
      , m_own_product(exec, m_own)
      , m_remote_product(exec, m_boundary)
      , m_boundary_rows(exec, m_boundary.compressed())
  {}

  // The values of a, which has the pattern of the first one. Asynchronous.
  void update_values(Exec const& exec, Matrix const& a) const
  {
    copy_values(exec, a, m_numbers, m_own, m_remote);
  }

  // What this rank's columns give, for all rows (but those kept whole, which get beta y).
  template <class Value, class X, class Y>
  void own(Exec const& exec, Op op, Value alpha, X const& x, Value beta, Y const& y) const
  {
    m_own_product(exec, op, alpha, m_own, x, beta, y);
  }
  // What the rest gives, for boundary rows: y += alpha A x, where received is x in columns of other
  // ranks.
  template <class Value, class X, class Received, class Y>
  void remote(Exec const& exec, Value alpha, X const& x, Received const& received, Y const& y) const
  {
    if (y.extent(1) == 1) // by kernels for CSR
      return remote_with_epilogue(exec, alpha, x, received, y, NoEpilogue{}, nullptr);
    with_columns(exec, x, received, [&](auto const& columns) {
      m_remote_product(exec, Op::none, alpha, m_boundary, columns, Value(1), y);
    });
  }
  // The same transposed: sent <- alpha op(A) x in columns of other ranks, and y += what is left in
  // this rank's.
  template <class Value, class X, class Sent, class Y>
  void remote_transposed(Exec const& exec, Op op, Value alpha, X const& x, Sent const& sent,
                         Y const& y) const
  {
    if (!m_keeps_rows_whole)
      return m_remote_product(exec, op, alpha, m_boundary, x, Value(0), sent);
    auto const& all = joined(exec, sent.extent(1));
    m_remote_product(exec, op, alpha, m_boundary, x, Value(0), all);
    Kokkos::parallel_for("heddle::tpetra::add_own_columns", range(exec, m_own_columns),
                         AddRow<Joined, Y>{all, y});
    copy_columns(exec, sent, remote_columns_of(all));
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
  template <class Value, class X, class Received, class Y, class Epilogue>
  void remote_with_epilogue(Exec const& exec, Value alpha, X const& x, Received const& received,
                            Y const& y, Epilogue const& epilogue,
                            sum_of_epilogue_t<Epilogue> const* sum) const
  {
    auto const column = Kokkos::subview(y, Kokkos::ALL, 0);
    using Boundary = BoundaryEpilogue<Epilogue, typename BoundaryRows::rows_view,
                                      std::remove_const_t<decltype(column)>>;
    Scratch<Value, Exec> const results(exec, m_boundary.rows().extent(0));
    with_columns(exec, x, received, [&](auto const& columns) {
      spmv(exec, m_boundary_rows, alpha, m_boundary.compressed(),
           Kokkos::subview(columns, Kokkos::ALL, 0), Value(0), results.view(),
           Boundary(epilogue, m_boundary.rows(), column, sum));
    });
  }

private:
  using Rows = typename Matrix::non_const_type;
  using BoundaryRows = FormatLike<DcsrMatrix, Rows>;
  using Offsets = typename Rows::row_offsets_view;
  using Joined =
      Kokkos::View<typename Matrix::value_type**, Kokkos::LayoutLeft, typename Exec::memory_space>;

  // The rows that have entries, so that other rows of y are neither read nor written: with the
  // columns and values of a, not copies of them.
  static BoundaryRows boundary_rows(Exec const& exec, Rows const& a)
  {
    auto const rows = to_dcsr(exec, a);
    return {a.num_rows(), a.num_cols(), rows.rows(), rows.row_offsets(), a.columns(), a.values()};
  }

  PartOfRows<Ordinal> part(bool takes_remote) const
  {
    return {takes_remote, m_keeps_rows_whole, m_own_columns, m_remote_columns};
  }

  // run(x in the columns of the second part): received, behind x where rows are kept whole.
  template <class X, class Received, class Run>
  void with_columns(Exec const& exec, X const& x, Received const& received, Run const& run) const
  {
    if (!m_keeps_rows_whole)
      return run(received);
    auto const& all = joined(exec, received.extent(1));
    std::pair const own(std::size_t(0), static_cast<std::size_t>(m_own_columns));
    copy_columns(exec, Kokkos::subview(all, own, Kokkos::ALL), x);
    copy_columns(exec, remote_columns_of(all), received);
    run(all);
  }
  // k columns of this rank's part and what comes from others, kept for the next call.
  Joined const& joined(Exec const& exec, std::size_t k) const
  {
    auto const n =
        static_cast<std::size_t>(m_own_columns) + static_cast<std::size_t>(m_remote_columns);
    if (m_joined.extent(0) != n || m_joined.extent(1) != k)
    {
      std::string const label = "heddle::tpetra::joined";
      m_joined = allocated<Joined>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, label),
                                   label, n, k);
    }
    return m_joined;
  }
  template <class All>
  auto remote_columns_of(All const& all) const
  {
    return Kokkos::subview(all, std::pair(static_cast<std::size_t>(m_own_columns), all.extent(0)),
                           Kokkos::ALL);
  }

  Own m_numbers;
  Ordinal m_own_columns, m_remote_columns;
  mutable Joined m_joined;
  bool m_keeps_rows_whole;
  Rows m_own, m_remote;
  BoundaryRows m_boundary;
  LocalProduct<Exec, typename Rows::const_type> m_own_product;
  LocalProduct<Exec, typename BoundaryRows::const_type> m_remote_product;
  SpmvPlan<Exec, typename BoundaryRows::compressed_type::const_type> m_boundary_rows;
};

} // namespace heddle::impl
