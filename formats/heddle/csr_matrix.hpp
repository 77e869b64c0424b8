// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace heddle
{

namespace impl
{
template <class From, class To>
concept ReadableAs = !std::is_same_v<From, To> && std::is_same_v<typename From::const_type, To>;
}

/// Compressed sparse rows: row i has the entries row_offsets(i) .. row_offsets(i + 1) - 1 of
/// columns and values.
///
/// Columns are 0-based, each at most once in a row, in any order; what needs them ascending says so
/// and offers sort_rows. Rows may be empty, a matrix rectangular or 0 x n. Copies are shallow, like
/// those of a View: clone and copy_to make deep ones. A const Value makes a read-only view of a
/// matrix (const columns too); every matrix converts to it and algorithms take their inputs as it.
/// Row offsets are always const, as in KokkosSparse::CrsMatrix, with which storage can be shared
/// (heddle/kokkos_sparse.hpp).
///
/// The constructor compares sizes, which costs nothing; validate(exec, a) reads the content.
template <class Value, class Ordinal = int, class Offset = std::size_t,
          class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class CsrMatrix
{
  static_assert(std::is_integral_v<Ordinal> && std::is_signed_v<Ordinal>,
                "heddle::CsrMatrix: columns are std::int32_t or std::int64_t");
  static_assert(std::is_integral_v<Offset>, "heddle::CsrMatrix: offsets are integers");
  static_assert(Kokkos::is_memory_space_v<MemorySpace>,
                "heddle::CsrMatrix: the last argument is a memory space");

public:
  using value_type = std::remove_const_t<Value>;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using memory_space = MemorySpace;
  using const_type = CsrMatrix<Value const, Ordinal, Offset, MemorySpace>;
  using non_const_type = CsrMatrix<value_type, Ordinal, Offset, MemorySpace>;
  using column_type = std::conditional_t<std::is_const_v<Value>, Ordinal const, Ordinal>;
  using row_offsets_view = Kokkos::View<Offset const*, MemorySpace>;
  using columns_view = Kokkos::View<column_type*, MemorySpace>;
  using values_view = Kokkos::View<Value*, MemorySpace>;

  /// 0 x 0.
  CsrMatrix() = default;
  /// Shares the Views. Throws InvalidArgument unless row_offsets has rows + 1 entries (or none
  /// where there are neither rows nor entries) and columns as many as values.
  CsrMatrix(Ordinal rows, Ordinal cols, row_offsets_view row_offsets, columns_view columns,
            values_view values)
      : m_rows(rows)
      , m_cols(cols)
      , m_row_offsets(row_offsets)
      , m_columns(columns)
      , m_values(values)
  {
    impl::require(rows >= 0 && cols >= 0, "CsrMatrix", "negative size ", rows, " x ", cols);
    std::size_t const expected = static_cast<std::size_t>(rows) + 1;
    bool const is_empty = rows == 0 && row_offsets.extent(0) == 0 && columns.extent(0) == 0;
    impl::require(row_offsets.extent(0) == expected || is_empty, "CsrMatrix", "row_offsets has ",
                  row_offsets.extent(0), " entries, expected rows + 1 = ", expected);
    impl::require(columns.extent(0) == values.extent(0), "CsrMatrix", "columns has ",
                  columns.extent(0), " entries but values has ", values.extent(0));
  }
  /// The read-only view of a matrix that can be written.
  template <impl::ReadableAs<CsrMatrix> Other>
  CsrMatrix(Other const& other)
      : m_rows(other.num_rows())
      , m_cols(other.num_cols())
      , m_row_offsets(other.row_offsets())
      , m_columns(other.columns())
      , m_values(other.values())
  {}

  KOKKOS_FUNCTION Ordinal num_rows() const { return m_rows; }
  KOKKOS_FUNCTION Ordinal num_cols() const { return m_cols; }
  KOKKOS_FUNCTION std::size_t nnz() const { return m_columns.extent(0); }
  KOKKOS_FUNCTION row_offsets_view const& row_offsets() const { return m_row_offsets; }
  KOKKOS_FUNCTION columns_view const& columns() const { return m_columns; }
  KOKKOS_FUNCTION values_view const& values() const { return m_values; }
  /// What makes the pattern: a plan's fingerprint is of these.
  auto index_arrays() const { return std::tuple(m_row_offsets, m_columns); }

private:
  Ordinal m_rows = 0, m_cols = 0;
  row_offsets_view m_row_offsets;
  columns_view m_columns;
  values_view m_values;
};

namespace impl
{
// The value type of a matrix that shares these Views: const where columns or values are.
template <class Offsets, class Columns, class Values>
struct CsrOfViews
{
  static_assert(
      std::is_same_v<typename Offsets::memory_space, typename Values::memory_space> &&
          std::is_same_v<typename Columns::memory_space, typename Values::memory_space>,
      "heddle::CsrMatrix: row_offsets, columns and values are in different memory spaces");
  using value_type =
      std::conditional_t<std::is_const_v<typename Columns::value_type>,
                         typename Values::const_value_type, typename Values::value_type>;
};
} // namespace impl

/// CsrMatrix a(rows, cols, row_offsets, columns, values) has the types and the memory space of
/// these Views, and is read-only where columns or values are.
template <class Rows, class Cols, Vector Offsets, Vector Columns, Vector Values>
CsrMatrix(Rows, Cols, Offsets const&, Columns const&, Values const&)
    -> CsrMatrix<typename impl::CsrOfViews<Offsets, Columns, Values>::value_type,
                 typename Columns::non_const_value_type, typename Offsets::non_const_value_type,
                 typename Values::memory_space>;

/// Whether T is a CsrMatrix of any types.
template <class T>
inline constexpr bool is_csr_matrix_v = false;
template <class V, class O, class S, class M>
inline constexpr bool is_csr_matrix_v<CsrMatrix<V, O, S, M>> = true;

/// Any CsrMatrix.
template <class T>
concept Csr = is_csr_matrix_v<T>;

} // namespace heddle
