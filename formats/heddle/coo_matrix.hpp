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

/// Coordinates: entry k is values(k) at (rows(k), columns(k)), 0-based.
///
/// Entries may come in any order and the same place more than once: an entry of the matrix is the
/// sum of all that name it (to_csr adds them, in the order in which they stand). Offset is the type
/// that row offsets get in a CsrMatrix made of this one. Copies are shallow; a const Value makes a
/// read-only view, to which every matrix converts.
template <class Value, class Ordinal = int, class Offset = std::size_t,
          class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class CooMatrix
{
  static_assert(std::is_integral_v<Ordinal> && std::is_signed_v<Ordinal>,
                "heddle::CooMatrix: rows and columns are std::int32_t or std::int64_t");
  static_assert(Kokkos::is_memory_space_v<MemorySpace>,
                "heddle::CooMatrix: the last argument is a memory space");

public:
  using value_type = std::remove_const_t<Value>;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using memory_space = MemorySpace;
  using const_type = CooMatrix<Value const, Ordinal, Offset, MemorySpace>;
  using non_const_type = CooMatrix<value_type, Ordinal, Offset, MemorySpace>;
  using index_type = std::conditional_t<std::is_const_v<Value>, Ordinal const, Ordinal>;
  using indices_view = Kokkos::View<index_type*, MemorySpace>;
  using values_view = Kokkos::View<Value*, MemorySpace>;

  /// 0 x 0.
  CooMatrix() = default;
  /// Shares the Views. Throws InvalidArgument unless all three have the same number of entries.
  CooMatrix(Ordinal num_rows, Ordinal num_cols, indices_view rows, indices_view columns,
            values_view values)
      : m_num_rows(num_rows)
      , m_num_cols(num_cols)
      , m_rows(rows)
      , m_columns(columns)
      , m_values(values)
  {
    impl::require(num_rows >= 0 && num_cols >= 0, "CooMatrix", "negative size ", num_rows, " x ",
                  num_cols);
    impl::require(rows.extent(0) == values.extent(0) && columns.extent(0) == values.extent(0),
                  "CooMatrix", "rows has ", rows.extent(0), " entries, columns ", columns.extent(0),
                  ", values ", values.extent(0));
  }
  /// The read-only view of a matrix that can be written.
  template <impl::ReadableAs<CooMatrix> Other>
  CooMatrix(Other const& other)
      : m_num_rows(other.num_rows())
      , m_num_cols(other.num_cols())
      , m_rows(other.rows())
      , m_columns(other.columns())
      , m_values(other.values())
  {}

  KOKKOS_FUNCTION Ordinal num_rows() const { return m_num_rows; }
  KOKKOS_FUNCTION Ordinal num_cols() const { return m_num_cols; }
  /// Entries as stored, duplicates included.
  KOKKOS_FUNCTION std::size_t nnz() const { return m_values.extent(0); }
  KOKKOS_FUNCTION indices_view const& rows() const { return m_rows; }
  KOKKOS_FUNCTION indices_view const& columns() const { return m_columns; }
  KOKKOS_FUNCTION values_view const& values() const { return m_values; }
  /// What makes the pattern: a plan's fingerprint is of these.
  auto index_arrays() const { return std::tuple(m_rows, m_columns); }

private:
  Ordinal m_num_rows = 0, m_num_cols = 0;
  indices_view m_rows, m_columns;
  values_view m_values;
};

/// Whether T is a CooMatrix of any types.
template <class T>
inline constexpr bool is_coo_matrix_v = false;
template <class V, class O, class S, class M>
inline constexpr bool is_coo_matrix_v<CooMatrix<V, O, S, M>> = true;

/// Any CooMatrix.
template <class T>
concept Coo = is_coo_matrix_v<T>;

} // namespace heddle
