// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace heddle
{

/// Compressed sparse columns: column j has the entries column_offsets(j) .. column_offsets(j + 1) -
/// 1 of rows and values. What CsrMatrix says of rows holds for columns here: rows in any order,
/// each at most once in a column.
template <class Value, class Ordinal = int, class Offset = std::size_t,
          class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class CscMatrix
{
public:
  /// A^T in compressed sparse rows is the same arrays.
  using transposed_type = CsrMatrix<Value, Ordinal, Offset, MemorySpace>;
  using value_type = std::remove_const_t<Value>;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using memory_space = MemorySpace;
  using const_type = CscMatrix<Value const, Ordinal, Offset, MemorySpace>;
  using non_const_type = CscMatrix<value_type, Ordinal, Offset, MemorySpace>;
  using column_offsets_view = typename transposed_type::row_offsets_view;
  using rows_view = typename transposed_type::columns_view;
  using values_view = typename transposed_type::values_view;

  /// 0 x 0.
  CscMatrix() = default;
  /// Shares the Views. Throws InvalidArgument unless column_offsets has cols + 1 entries (or none
  /// where there are neither columns nor entries) and rows as many as values.
  CscMatrix(Ordinal num_rows, Ordinal num_cols, column_offsets_view column_offsets, rows_view rows,
            values_view values)
  {
    impl::require(num_rows >= 0 && num_cols >= 0, "CscMatrix", "negative size ", num_rows, " x ",
                  num_cols);
    std::size_t const expected = static_cast<std::size_t>(num_cols) + 1;
    bool const is_empty = num_cols == 0 && column_offsets.extent(0) == 0 && rows.extent(0) == 0;
    impl::require(column_offsets.extent(0) == expected || is_empty, "CscMatrix",
                  "column_offsets has ", column_offsets.extent(0),
                  " entries, expected cols + 1 = ", expected);
    impl::require(rows.extent(0) == values.extent(0), "CscMatrix", "rows has ", rows.extent(0),
                  " entries but values has ", values.extent(0));
    m_transposed = transposed_type(num_cols, num_rows, column_offsets, rows, values);
  }
  /// The read-only view of a matrix that can be written.
  template <impl::ReadableAs<CscMatrix> Other>
  CscMatrix(Other const& other)
      : m_transposed(other.transposed())
  {}

  KOKKOS_FUNCTION Ordinal num_rows() const { return m_transposed.num_cols(); }
  KOKKOS_FUNCTION Ordinal num_cols() const { return m_transposed.num_rows(); }
  KOKKOS_FUNCTION std::size_t nnz() const { return m_transposed.nnz(); }
  KOKKOS_FUNCTION column_offsets_view const& column_offsets() const
  {
    return m_transposed.row_offsets();
  }
  KOKKOS_FUNCTION rows_view const& rows() const { return m_transposed.columns(); }
  KOKKOS_FUNCTION values_view const& values() const { return m_transposed.values(); }
  KOKKOS_FUNCTION transposed_type const& transposed() const { return m_transposed; }
  /// What makes the pattern: a plan's fingerprint is of these.
  auto index_arrays() const { return m_transposed.index_arrays(); }

private:
  transposed_type m_transposed;
};

/// Whether T is a CscMatrix of any types.
template <class T>
inline constexpr bool is_csc_matrix_v = false;
template <class V, class O, class S, class M>
inline constexpr bool is_csc_matrix_v<CscMatrix<V, O, S, M>> = true;

/// Any CscMatrix.
template <class T>
concept Csc = is_csc_matrix_v<T>;

} // namespace heddle
