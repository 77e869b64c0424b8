// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/product_fits.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace heddle
{

/// ELLPACK with row lengths (ELLPACK-R; Vazquez et al., 2011): every row has room for width
/// entries, stored column by column. Entry n < row_lengths(i) of row i is at place i + n * stride
/// of columns and values. All other places have column -1 and value 0; kernels with and without row
/// lengths read the same arrays.
///
/// Offset is the type that row offsets get in a CsrMatrix made of this one. Copies are shallow; a
/// const Value makes a read-only view, to which every matrix converts.
template <class Value, class Ordinal = int, class Offset = std::size_t,
          class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class EllMatrix
{
  using csr_type = CsrMatrix<Value, Ordinal, Offset, MemorySpace>;

public:
  using value_type = std::remove_const_t<Value>;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using memory_space = MemorySpace;
  using const_type = EllMatrix<Value const, Ordinal, Offset, MemorySpace>;
  using non_const_type = EllMatrix<value_type, Ordinal, Offset, MemorySpace>;
  using row_lengths_view = Kokkos::View<Ordinal const*, MemorySpace>;
  using columns_view = typename csr_type::columns_view;
  using values_view = typename csr_type::values_view;

  /// 0 x 0.
  EllMatrix() = default;
  /// Shares the Views; nnz is the sum of row_lengths. Throws InvalidArgument unless there is one
  /// row length per row, stride is at least num_rows, and columns and values have width * stride
  /// entries, which 64 bits can count and which is not less than nnz.
  EllMatrix(Ordinal num_rows, Ordinal num_cols, std::size_t nnz, Ordinal width, std::size_t stride,
            row_lengths_view row_lengths, columns_view columns, values_view values)
      : m_num_rows(num_rows)
      , m_num_cols(num_cols)
      , m_nnz(nnz)
      , m_width(width)
      , m_stride(stride)
      , m_row_lengths(row_lengths)
      , m_columns(columns)
      , m_values(values)
  {
    impl::require(num_rows >= 0 && num_cols >= 0 && width >= 0, "EllMatrix", "negative size ",
                  num_rows, " x ", num_cols, ", width ", width);
    impl::require(row_lengths.extent(0) == static_cast<std::size_t>(num_rows), "EllMatrix",
                  "row_lengths has ", row_lengths.extent(0), " entries, expected ", num_rows);
    impl::require(stride >= static_cast<std::size_t>(num_rows), "EllMatrix", "stride ", stride,
                  " is less than ", num_rows, " rows");
    impl::require(impl::product_fits(static_cast<std::size_t>(width), stride), "EllMatrix",
                  "width ", width, " and stride ", stride, " do not fit into 64 bits");
    std::size_t const places = static_cast<std::size_t>(width) * stride;
    impl::require(columns.extent(0) == places && values.extent(0) == places, "EllMatrix",
                  "columns has ", columns.extent(0), " entries and values ", values.extent(0),
                  ", expected width * stride = ", places);
    impl::require(nnz <= places, "EllMatrix", nnz, " entries in ", places, " places");
  }
  /// The read-only view of a matrix that can be written.
  template <impl::ReadableAs<EllMatrix> Other>
  EllMatrix(Other const& other)
      : m_num_rows(other.num_rows())
      , m_num_cols(other.num_cols())
      , m_nnz(other.nnz())
      , m_width(other.width())
      , m_stride(other.stride())
      , m_row_lengths(other.row_lengths())
      , m_columns(other.columns())
      , m_values(other.values())
  {}

  KOKKOS_FUNCTION Ordinal num_rows() const { return m_num_rows; }
  KOKKOS_FUNCTION Ordinal num_cols() const { return m_num_cols; }
  KOKKOS_FUNCTION std::size_t nnz() const { return m_nnz; }
  KOKKOS_FUNCTION Ordinal width() const { return m_width; }
  KOKKOS_FUNCTION std::size_t stride() const { return m_stride; }
  KOKKOS_FUNCTION row_lengths_view const& row_lengths() const { return m_row_lengths; }
  KOKKOS_FUNCTION columns_view const& columns() const { return m_columns; }
  KOKKOS_FUNCTION values_view const& values() const { return m_values; }
  /// What makes the pattern: a plan's fingerprint is of these.
  auto index_arrays() const { return std::tuple(m_row_lengths, m_columns); }
  /// How the entries lie in the arrays, beside that.
  std::array<std::int64_t, 2> layout() const
  {
    return {m_width, static_cast<std::int64_t>(m_stride)};
  }

private:
  Ordinal m_num_rows = 0, m_num_cols = 0;
  std::size_t m_nnz = 0;
  Ordinal m_width = 0;
  std::size_t m_stride = 0;
  row_lengths_view m_row_lengths;
  columns_view m_columns;
  values_view m_values;
};

/// Whether T is an EllMatrix of any types.
template <class T>
inline constexpr bool is_ell_matrix_v = false;
template <class V, class O, class S, class M>
inline constexpr bool is_ell_matrix_v<EllMatrix<V, O, S, M>> = true;

/// Any EllMatrix.
template <class T>
concept Ell = is_ell_matrix_v<T>;

} // namespace heddle
