// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/divided_up.hpp>
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

/// Height and width of the dense blocks of a BsrMatrix.
struct BlockShape
{
  int height = 1, width = 1;
  friend bool operator==(BlockShape const&, BlockShape const&) = default;
};

/// Block compressed sparse rows: dense blocks of one shape on a grid. Block row r has the blocks
/// row_offsets(r) .. row_offsets(r + 1) - 1; block b covers the columns columns(b) * width and
/// following, and its value (y, x) is values((b * height + y) * width + x).
///
/// The size need not be a multiple of the shape: the last blocks hang over the edge, and what they
/// hold there belongs to no entry and is never read. Each block column is at most once in a block
/// row, in any order. Copies are shallow; a const Value makes a read-only view, to which every
/// matrix converts.
template <class Value, class Ordinal = int, class Offset = std::size_t,
          class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class BsrMatrix
{
  using blocks_type = CsrMatrix<Value, Ordinal, Offset, MemorySpace>;

public:
  using value_type = std::remove_const_t<Value>;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using memory_space = MemorySpace;
  using const_type = BsrMatrix<Value const, Ordinal, Offset, MemorySpace>;
  using non_const_type = BsrMatrix<value_type, Ordinal, Offset, MemorySpace>;
  using row_offsets_view = typename blocks_type::row_offsets_view;
  using columns_view = typename blocks_type::columns_view;
  using values_view = typename blocks_type::values_view;

  /// 0 x 0.
  BsrMatrix() = default;
  /// Shares the Views; nnz is how many of the values are entries, the others being zeros that fill
  /// blocks. Throws InvalidArgument unless row_offsets has an entry for each block row and one more
  /// (or none where there are neither rows nor blocks), values has a block for each of columns, and
  /// nnz is not more than values.
  BsrMatrix(Ordinal num_rows, Ordinal num_cols, BlockShape shape, row_offsets_view row_offsets,
            columns_view columns, values_view values, std::size_t nnz)
      : m_num_rows(num_rows)
      , m_num_cols(num_cols)
      , m_shape(shape)
      , m_nnz(nnz)
      , m_row_offsets(row_offsets)
      , m_columns(columns)
      , m_values(values)
  {
    impl::require(num_rows >= 0 && num_cols >= 0, "BsrMatrix", "negative size ", num_rows, " x ",
                  num_cols);
    impl::require(shape.height > 0 && shape.width > 0, "BsrMatrix", "blocks of ", shape.height,
                  " x ", shape.width);
    std::size_t const expected = static_cast<std::size_t>(num_block_rows()) + 1;
    bool const is_empty = num_rows == 0 && row_offsets.extent(0) == 0 && columns.extent(0) == 0;
    impl::require(row_offsets.extent(0) == expected || is_empty, "BsrMatrix", "row_offsets has ",
                  row_offsets.extent(0), " entries, expected block rows + 1 = ", expected);
    impl::require(impl::product_fits(columns.extent(0), block_size()), "BsrMatrix",
                  columns.extent(0), " blocks of ", block_size(),
                  " values do not fit into 64 bits");
    impl::require(values.extent(0) == columns.extent(0) * block_size(), "BsrMatrix", "values has ",
                  values.extent(0), " entries, expected ", columns.extent(0), " blocks of ",
                  block_size());
    impl::require(nnz <= values.extent(0), "BsrMatrix", nnz, " entries in ", values.extent(0),
                  " values");
  }
  /// All values are entries.
  BsrMatrix(Ordinal num_rows, Ordinal num_cols, BlockShape shape, row_offsets_view row_offsets,
            columns_view columns, values_view values)
      : BsrMatrix(num_rows, num_cols, shape, row_offsets, columns, values, values.extent(0))
  {}
  /// The read-only view of a matrix that can be written.
  template <impl::ReadableAs<BsrMatrix> Other>
  BsrMatrix(Other const& other)
      : m_num_rows(other.num_rows())
      , m_num_cols(other.num_cols())
      , m_shape(other.shape())
      , m_nnz(other.nnz())
      , m_row_offsets(other.row_offsets())
      , m_columns(other.columns())
      , m_values(other.values())
  {}

  KOKKOS_FUNCTION Ordinal num_rows() const { return m_num_rows; }
  KOKKOS_FUNCTION Ordinal num_cols() const { return m_num_cols; }
  KOKKOS_FUNCTION std::size_t nnz() const { return m_nnz; }
  KOKKOS_FUNCTION BlockShape shape() const { return m_shape; }
  KOKKOS_FUNCTION std::size_t block_size() const
  {
    return static_cast<std::size_t>(m_shape.height) * static_cast<std::size_t>(m_shape.width);
  }
  KOKKOS_FUNCTION Ordinal num_block_rows() const
  {
    return static_cast<Ordinal>(impl::divided_up(m_num_rows, m_shape.height));
  }
  KOKKOS_FUNCTION Ordinal num_block_cols() const
  {
    return static_cast<Ordinal>(impl::divided_up(m_num_cols, m_shape.width));
  }
  KOKKOS_FUNCTION std::size_t num_blocks() const { return m_columns.extent(0); }
  KOKKOS_FUNCTION row_offsets_view const& row_offsets() const { return m_row_offsets; }
  KOKKOS_FUNCTION columns_view const& columns() const { return m_columns; }
  KOKKOS_FUNCTION values_view const& values() const { return m_values; }
  /// What makes the pattern: a plan's fingerprint is of these.
  auto index_arrays() const { return std::tuple(m_row_offsets, m_columns); }
  /// How the entries lie in the arrays, beside that.
  std::array<std::int64_t, 3> layout() const
  {
    return {m_shape.height, m_shape.width, static_cast<std::int64_t>(num_blocks())};
  }

private:
  Ordinal m_num_rows = 0, m_num_cols = 0;
  BlockShape m_shape;
  std::size_t m_nnz = 0;
  row_offsets_view m_row_offsets;
  columns_view m_columns;
  values_view m_values;
};

/// Whether T is a BsrMatrix of any types.
template <class T>
inline constexpr bool is_bsr_matrix_v = false;
template <class V, class O, class S, class M>
inline constexpr bool is_bsr_matrix_v<BsrMatrix<V, O, S, M>> = true;

/// Any BsrMatrix.
template <class T>
concept Bsr = is_bsr_matrix_v<T>;

} // namespace heddle
