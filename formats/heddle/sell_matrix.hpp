// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace heddle
{

/// How rows are cut into slices: height rows a slice, as many entries a row as its longest has,
/// rounded up to a multiple of alignment; before that rows are sorted by falling length within
/// windows of sigma rows. sigma = 1 is SELL-P (Anzt et al., 2014, section 3: height b, alignment
/// t), sigma > 1 with alignment 1 SELL-C-sigma (Kreutzer et al., SIAM J. Sci. Comput. 36, 2014).
struct SellShape
{
  int height = 32, alignment = 1;
  std::int64_t sigma = 1;
  friend bool operator==(SellShape const&, SellShape const&) = default;
};

/// Sliced ELLPACK. The row at position p (p = 0 .. rows - 1) is rows(p), or p itself where rows has
/// no entries, as with sigma = 1. It lies in slice s = p / height, and its entry n < row_lengths(p)
/// is at place slice_offsets(s) + n * height + p % height of columns and values. Places behind a
/// row's entries, and the rows that the last slice lacks, have column -1 and value 0.
///
/// Copies are shallow; a const Value makes a read-only view, to which every matrix converts.
template <class Value, class Ordinal = int, class Offset = std::size_t,
          class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class SellMatrix
{
  using csr_type = CsrMatrix<Value, Ordinal, Offset, MemorySpace>;

public:
  using value_type = std::remove_const_t<Value>;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using memory_space = MemorySpace;
  using const_type = SellMatrix<Value const, Ordinal, Offset, MemorySpace>;
  using non_const_type = SellMatrix<value_type, Ordinal, Offset, MemorySpace>;
  using slice_offsets_view = Kokkos::View<Offset const*, MemorySpace>;
  using indices_view = Kokkos::View<Ordinal const*, MemorySpace>;
  using columns_view = typename csr_type::columns_view;
  using values_view = typename csr_type::values_view;

  /// 0 x 0.
  SellMatrix() = default;
  /// Shares the Views; nnz is the sum of row_lengths. Throws InvalidArgument unless slice_offsets
  /// has an entry a slice and one more (or none where there are neither rows nor places), there is
  /// a row length a row, rows has an entry a row or none at all, and columns as many as values,
  /// which is not less than nnz.
  SellMatrix(Ordinal num_rows, Ordinal num_cols, std::size_t nnz, SellShape shape,
             slice_offsets_view slice_offsets, indices_view row_lengths, indices_view rows,
             columns_view columns, values_view values)
      : m_num_rows(num_rows)
      , m_num_cols(num_cols)
      , m_nnz(nnz)
      , m_shape(shape)
      , m_slice_offsets(slice_offsets)
      , m_row_lengths(row_lengths)
      , m_rows(rows)
      , m_columns(columns)
      , m_values(values)
  {
    auto const n = static_cast<std::size_t>(num_rows);
    impl::require(num_rows >= 0 && num_cols >= 0, "SellMatrix", "negative size ", num_rows, " x ",
                  num_cols);
    require_shape("SellMatrix", shape);
    std::size_t const expected = static_cast<std::size_t>(num_slices()) + 1;
    bool const is_empty = n == 0 && slice_offsets.extent(0) == 0 && columns.extent(0) == 0;
    impl::require(slice_offsets.extent(0) == expected || is_empty, "SellMatrix",
                  "slice_offsets has ", slice_offsets.extent(0),
                  " entries, expected slices + 1 = ", expected);
    impl::require(row_lengths.extent(0) == n, "SellMatrix", "row_lengths has ",
                  row_lengths.extent(0), " entries, expected ", n);
    impl::require(rows.extent(0) == n || rows.extent(0) == 0, "SellMatrix", "rows has ",
                  rows.extent(0), " entries, expected ", n, " or none");
    impl::require(columns.extent(0) == values.extent(0), "SellMatrix", "columns has ",
                  columns.extent(0), " entries but values has ", values.extent(0));
    impl::require(nnz <= values.extent(0), "SellMatrix", nnz, " entries in ", values.extent(0),
                  " places");
  }
  /// The read-only view of a matrix that can be written.
  template <impl::ReadableAs<SellMatrix> Other>
  SellMatrix(Other const& other)
      : m_num_rows(other.num_rows())
      , m_num_cols(other.num_cols())
      , m_nnz(other.nnz())
      , m_shape(other.shape())
      , m_slice_offsets(other.slice_offsets())
      , m_row_lengths(other.row_lengths())
      , m_rows(other.rows())
      , m_columns(other.columns())
      , m_values(other.values())
  {}

  /// Throws InvalidArgument, in the name of function, unless all numbers are positive.
  static void require_shape(char const* function, SellShape const& shape)
  {
    impl::require(shape.height > 0 && shape.alignment > 0 && shape.sigma > 0, function,
                  "slice height ", shape.height, ", alignment ", shape.alignment, ", sigma ",
                  shape.sigma, ": all must be positive");
  }

  KOKKOS_FUNCTION Ordinal num_rows() const { return m_num_rows; }
  KOKKOS_FUNCTION Ordinal num_cols() const { return m_num_cols; }
  KOKKOS_FUNCTION std::size_t nnz() const { return m_nnz; }
  KOKKOS_FUNCTION SellShape shape() const { return m_shape; }
  KOKKOS_FUNCTION Ordinal num_slices() const
  {
    return static_cast<Ordinal>(impl::divided_up(m_num_rows, m_shape.height));
  }
  KOKKOS_FUNCTION slice_offsets_view const& slice_offsets() const { return m_slice_offsets; }
  KOKKOS_FUNCTION indices_view const& row_lengths() const { return m_row_lengths; }
  KOKKOS_FUNCTION indices_view const& rows() const { return m_rows; }
  KOKKOS_FUNCTION columns_view const& columns() const { return m_columns; }
  KOKKOS_FUNCTION values_view const& values() const { return m_values; }
  /// What makes the pattern: a plan's fingerprint is of these.
  auto index_arrays() const
  {
    return std::tuple(m_slice_offsets, m_row_lengths, m_rows, m_columns);
  }
  /// How the entries lie in the arrays, beside that.
  std::array<std::int64_t, 4> layout() const
  {
    return {m_shape.height, m_shape.alignment, m_shape.sigma,
            static_cast<std::int64_t>(m_columns.extent(0))};
  }

private:
  Ordinal m_num_rows = 0, m_num_cols = 0;
  std::size_t m_nnz = 0;
  SellShape m_shape;
  slice_offsets_view m_slice_offsets;
  indices_view m_row_lengths, m_rows;
  columns_view m_columns;
  values_view m_values;
};

/// Whether T is a SellMatrix of any types.
template <class T>
inline constexpr bool is_sell_matrix_v = false;
template <class V, class O, class S, class M>
inline constexpr bool is_sell_matrix_v<SellMatrix<V, O, S, M>> = true;

/// Any SellMatrix.
template <class T>
concept Sell = is_sell_matrix_v<T>;

} // namespace heddle
