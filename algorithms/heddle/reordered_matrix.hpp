// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/same_size.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/order/gather.hpp>
#include <heddle/impl/order/permutation.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/plan/trial.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/order_cost.hpp>
#include <heddle/permute.hpp>
#include <heddle/storage.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace heddle
{

/// A CSR matrix A that is held in another order, P A Q^T, and multiplied in its own: spmv, spmm and
/// spgemm take it in place of A, with plans, and their other operands and results stay in A's
/// numbering. What renumbers them is a pass over x or B and one over y or C a call, on the device.
///
/// to_reordered makes one, update_values gives it new values. Copies are shallow; a const Value
/// makes a read-only view, to which every matrix converts.
template <class Value, class Ordinal = int, class Offset = std::size_t,
          class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class ReorderedMatrix
{
public:
  using csr_type = CsrMatrix<Value, Ordinal, Offset, MemorySpace>;
  using value_type = std::remove_const_t<Value>;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using memory_space = MemorySpace;
  using const_type = ReorderedMatrix<Value const, Ordinal, Offset, MemorySpace>;
  using non_const_type = ReorderedMatrix<value_type, Ordinal, Offset, MemorySpace>;
  using order_view = Kokkos::View<Ordinal const*, MemorySpace>;
  using sources_view = Kokkos::View<Offset const*, MemorySpace>;

  /// 0 x 0.
  ReorderedMatrix() = default;
  /// Shares the Views: P A Q^T, p, q, and for each of its entries the one of A that it is. Throws
  /// InvalidArgument unless they have as many entries as moved has rows, columns and entries;
  /// trusts what is in them.
  ReorderedMatrix(csr_type const& moved, order_view const& row_order,
                  order_view const& column_order, sources_view const& sources,
                  OrderCost const& cost = {})
      : m_moved(moved)
      , m_row_order(row_order)
      , m_column_order(column_order)
      , m_sources(sources)
      , m_cost(cost)
  {
    impl::require(row_order.extent(0) == static_cast<std::size_t>(moved.num_rows()) &&
                      column_order.extent(0) == static_cast<std::size_t>(moved.num_cols()) &&
                      sources.extent(0) == moved.nnz(),
                  "ReorderedMatrix", "orders of ", row_order.extent(0), " rows and ",
                  column_order.extent(0), " columns and ", sources.extent(0),
                  " sources do not fit a matrix of ", moved.num_rows(), " x ", moved.num_cols(),
                  ", ", moved.nnz(), " entries");
  }
  /// The read-only view of a matrix that can be written.
  template <impl::ReadableAs<ReorderedMatrix> Other>
  ReorderedMatrix(Other const& other)
      : m_moved(other.moved())
      , m_row_order(other.row_order())
      , m_column_order(other.column_order())
      , m_sources(other.sources())
      , m_cost(other.cost())
  {}

  KOKKOS_FUNCTION Ordinal num_rows() const { return m_moved.num_rows(); }
  KOKKOS_FUNCTION Ordinal num_cols() const { return m_moved.num_cols(); }
  KOKKOS_FUNCTION std::size_t nnz() const { return m_moved.nnz(); }
  /// P A Q^T.
  csr_type const& moved() const { return m_moved; }
  /// p: row i of P A Q^T is row p(i) of A.
  order_view const& row_order() const { return m_row_order; }
  /// q: column j of P A Q^T is column q(j) of A.
  order_view const& column_order() const { return m_column_order; }
  /// Entry k of P A Q^T is entry sources(k) of A.
  sources_view const& sources() const { return m_sources; }
  /// What it took to find the order and to move the matrix.
  OrderCost const& cost() const { return m_cost; }
  /// What makes the pattern: a plan's fingerprint is of these.
  auto index_arrays() const
  {
    return std::tuple_cat(m_moved.index_arrays(), std::tuple(m_row_order, m_column_order));
  }

private:
  csr_type m_moved;
  order_view m_row_order, m_column_order;
  sources_view m_sources;
  OrderCost m_cost;
};

/// Whether T is a ReorderedMatrix of any types.
template <class T>
inline constexpr bool is_reordered_matrix_v = false;
template <class V, class O, class S, class M>
inline constexpr bool is_reordered_matrix_v<ReorderedMatrix<V, O, S, M>> = true;

/// Any ReorderedMatrix.
template <class T>
concept Reordered = is_reordered_matrix_v<T>;

namespace impl
{

// The pattern of a with the numbers of its entries for values. Asynchronous.
template <class Exec, class Matrix>
auto numbered_entries(Exec const& exec, Matrix const& a)
{
  using Offset = typename Matrix::offset_type;
  using Numbered =
      CsrMatrix<Offset const, typename Matrix::ordinal_type, Offset, typename Matrix::memory_space>;
  auto const numbers = uninitialized<Kokkos::View<Offset*, typename Matrix::memory_space>>(
      exec, "heddle::sources", a.nnz());
  fill_with_positions(exec, numbers);
  return Numbered(a.num_rows(), a.num_cols(), a.row_offsets(), a.columns(), numbers);
}

// A copy of an order in the ordinals of a matrix, once it is seen to be one of so many numbers.
// Waits for exec.
template <class Matrix, class Exec, class Permutation>
auto checked_order(Exec const& exec, char const* name, Permutation const& p, std::int64_t n,
                   char const* of_what)
{
  using Ordinal = typename Matrix::ordinal_type;
  Scratch<Ordinal, Exec> const places(exec, p.extent(0));
  invert_checked(exec, "to_reordered", name, p, n, of_what, places.view());
  auto const order = uninitialized<Kokkos::View<Ordinal*, typename Matrix::memory_space>>(
      exec, "heddle::order", p.extent(0));
  tabulate(exec, "heddle::copy_numbers", order.extent(0), p, order);
  return order;
}

// A again, on the values that there are.
template <class Exec, class Matrix>
typename Matrix::csr_type::const_type in_own_order(Exec const& exec, Matrix const& a)
{
  return permute(exec, a.moved(), inverse_permutation(exec, a.row_order()),
                 inverse_permutation(exec, a.column_order()));
}

} // namespace impl

/// P A Q^T with what it takes to multiply by it in A's numbering: rows in the order p, columns in
/// the order q, as permute has them, which are copied. order_seconds is what finding the
/// order took, for plan.describe(). Throws InvalidArgument with the first place where p is no
/// permutation of the rows or q none of the columns. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix, Vector RowPermutation, Vector ColumnPermutation>
auto to_reordered(Exec const& exec, Matrix const& a, RowPermutation const& p,
                  ColumnPermutation const& q, double order_seconds = 0)
try
{
  impl::require_permutation_types<Exec, Matrix, RowPermutation>();
  impl::require_permutation_types<Exec, Matrix, ColumnPermutation>();
  using Result = impl::FormatLike<ReorderedMatrix, Matrix>;
  Result result;
  double const seconds = impl::seconds_on(exec, [&] {
    auto const rows = impl::checked_order<Matrix>(exec, "p", p, a.num_rows(), "rows");
    auto const columns = impl::checked_order<Matrix>(exec, "q", q, a.num_cols(), "columns");
    auto const numbered = permute(exec, impl::numbered_entries(exec, a), rows, columns);
    auto const values = impl::uninitialized<typename Result::csr_type::values_view>(
        exec, "heddle::values", a.nnz());
    impl::gather(exec, numbered.values(), a.values(), values);
    typename Result::csr_type const moved(a.num_rows(), a.num_cols(), numbered.row_offsets(),
                                          numbered.columns(), values);
    result = Result(moved, rows, columns, numbered.values());
  });
  return Result(result.moved(), result.row_order(), result.column_order(), result.sources(),
                {.order = order_seconds, .conversion = seconds});
}
catch (...)
{
  impl::rethrow_out_of_memory("to_reordered");
}

/// Copies the values of a CSR matrix into the reordered one that was made of it, or of another of
/// its pattern. Throws InvalidArgument where their sizes differ. Asynchronous.
template <ExecutionSpace Exec, Reordered Target, Csr Matrix>
void update_values(Exec const& exec, Target const& target, Matrix const& a)
try
{
  impl::require_same_size("update_values", target, a);
  impl::gather(exec, target.sources(), a.values(), target.moved().values());
}
catch (...)
{
  impl::rethrow_out_of_memory("update_values");
}

/// Bytes of all arrays of a matrix, wherever they are. Touches no device.
template <Reordered Matrix>
std::size_t storage_bytes(Matrix const& a)
{
  return storage_bytes(a.moved()) + impl::bytes_of(a.row_order(), a.column_order(), a.sources());
}

} // namespace heddle
