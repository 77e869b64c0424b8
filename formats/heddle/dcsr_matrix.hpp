// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace heddle
{

/// Doubly compressed sparse rows (Buluc and Gilbert, IPDPS 2008): compressed sparse rows of the
/// rows that have entries. Row rows(r) has the entries row_offsets(r) .. row_offsets(r + 1) - 1 of
/// columns and values; rows ascends. Saves the offsets of matrices most of whose rows are empty.
template <class Value, class Ordinal = int, class Offset = std::size_t,
          class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class DcsrMatrix
{
public:
  /// The rows that have entries, as a matrix of their own.
  using compressed_type = CsrMatrix<Value, Ordinal, Offset, MemorySpace>;
  using value_type = std::remove_const_t<Value>;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using memory_space = MemorySpace;
  using const_type = DcsrMatrix<Value const, Ordinal, Offset, MemorySpace>;
  using non_const_type = DcsrMatrix<value_type, Ordinal, Offset, MemorySpace>;
  using rows_view = Kokkos::View<Ordinal const*, MemorySpace>;
  using row_offsets_view = typename compressed_type::row_offsets_view;
  using columns_view = typename compressed_type::columns_view;
  using values_view = typename compressed_type::values_view;

  /// 0 x 0.
  DcsrMatrix() = default;
  /// Shares the Views. Throws InvalidArgument unless row_offsets has one entry more than rows (or
  /// both have none) and columns as many as values, or if there are more rows than num_rows.
  DcsrMatrix(Ordinal num_rows, Ordinal num_cols, rows_view rows, row_offsets_view row_offsets,
             columns_view columns, values_view values)
      : m_num_rows(num_rows)
      , m_rows(rows)
  {
    std::size_t const n = rows.extent(0);
    impl::require(num_rows >= 0 && num_cols >= 0, "DcsrMatrix", "negative size ", num_rows, " x ",
                  num_cols);
    impl::require(n <= static_cast<std::size_t>(num_rows), "DcsrMatrix", "rows has ", n,
                  " entries but there are ", num_rows, " rows");
    bool const is_empty = n == 0 && row_offsets.extent(0) == 0 && columns.extent(0) == 0;
    impl::require(row_offsets.extent(0) == n + 1 || is_empty, "DcsrMatrix", "row_offsets has ",
                  row_offsets.extent(0), " entries, expected one more than rows: ", n + 1);
    impl::require(columns.extent(0) == values.extent(0), "DcsrMatrix", "columns has ",
                  columns.extent(0), " entries but values has ", values.extent(0));
    m_compressed = compressed_type(static_cast<Ordinal>(n), num_cols, row_offsets, columns, values);
  }
  /// The read-only view of a matrix that can be written.
  template <impl::ReadableAs<DcsrMatrix> Other>
  DcsrMatrix(Other const& other)
      : m_num_rows(other.num_rows())
      , m_rows(other.rows())
      , m_compressed(other.compressed())
  {}

  KOKKOS_FUNCTION Ordinal num_rows() const { return m_num_rows; }
  KOKKOS_FUNCTION Ordinal num_cols() const { return m_compressed.num_cols(); }
  KOKKOS_FUNCTION std::size_t nnz() const { return m_compressed.nnz(); }
  /// Rows that have entries.
  KOKKOS_FUNCTION Ordinal num_nonempty_rows() const { return m_compressed.num_rows(); }
  KOKKOS_FUNCTION rows_view const& rows() const { return m_rows; }
  KOKKOS_FUNCTION row_offsets_view const& row_offsets() const { return m_compressed.row_offsets(); }
  KOKKOS_FUNCTION columns_view const& columns() const { return m_compressed.columns(); }
  KOKKOS_FUNCTION values_view const& values() const { return m_compressed.values(); }
  KOKKOS_FUNCTION compressed_type const& compressed() const { return m_compressed; }
  /// What makes the pattern: a plan's fingerprint is of these.
  auto index_arrays() const
  {
    return std::tuple_cat(std::tuple(m_rows), m_compressed.index_arrays());
  }

private:
  Ordinal m_num_rows = 0;
  rows_view m_rows;
  compressed_type m_compressed;
};

/// Whether T is a DcsrMatrix of any types.
template <class T>
inline constexpr bool is_dcsr_matrix_v = false;
template <class V, class O, class S, class M>
inline constexpr bool is_dcsr_matrix_v<DcsrMatrix<V, O, S, M>> = true;

/// Any DcsrMatrix.
template <class T>
concept Dcsr = is_dcsr_matrix_v<T>;

} // namespace heddle
