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
#include <utility>

namespace heddle
{

/// Columns are cut into panels of panel_width; a row is heavy in a panel where more than threshold
/// of its entries lie.
struct RowSegmentShape
{
  std::int64_t panel_width = 0, threshold = 0;
  friend bool operator==(RowSegmentShape const&, RowSegmentShape const&) = default;
};

/// Heavy row segments and a light rest (RS-SpMM: Hong et al., HPDC 2018, section 3.1). What a row
/// has in a panel where it is heavy is a segment. columns and values have the segments first, panel
/// by panel, then the light entries, row by row:
///
///   panel p has the segments segments().panels(p) .. segments().panels(p + 1) - 1, rows ascending;
///   segment s is of row segments().rows(s) and has the places segments().offsets(s) ..
///   segments().offsets(s + 1) - 1, whose columns count from the first of the panel;
///   row i has the places heavy_nnz() + light_row_offsets(i) .. heavy_nnz() + light_row_offsets(i +
///   1) - 1, whose columns are those of the matrix.
///
/// rows() is the pattern of the CSR matrix that it was made of: entry k there, in column
/// rows().columns(k), has its value at the place rows().places(k). So new values are taken over in
/// one pass, and kernels that want whole rows have them.
///
/// Copies are shallow; a const Value makes a read-only view, to which every matrix converts.
template <class Value, class Ordinal = int, class Offset = std::size_t,
          class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class RowSegmentedMatrix
{
public:
  /// The light rest as a matrix of its own.
  using light_type = CsrMatrix<Value, Ordinal, Offset, MemorySpace>;
  using value_type = std::remove_const_t<Value>;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  using memory_space = MemorySpace;
  using const_type = RowSegmentedMatrix<Value const, Ordinal, Offset, MemorySpace>;
  using non_const_type = RowSegmentedMatrix<value_type, Ordinal, Offset, MemorySpace>;
  using offsets_view = Kokkos::View<Offset const*, MemorySpace>;
  using indices_view = Kokkos::View<Ordinal const*, MemorySpace>;
  using columns_view = typename light_type::columns_view;
  using values_view = typename light_type::values_view;
  /// The pattern of the heavy segments, as the comment of the class says.
  struct Segments
  {
    offsets_view panels;
    indices_view rows;
    offsets_view offsets;
  };
  /// The entries of each row, wherever they lie, as the comment of the class says.
  struct Rows
  {
    offsets_view offsets;
    indices_view columns;
    offsets_view places;
  };

  /// 0 x 0.
  RowSegmentedMatrix() = default;
  /// Shares the Views; the first heavy_nnz places are those of segments. Throws InvalidArgument
  /// unless the panel width is positive and the threshold not negative, segments.panels has an
  /// entry a panel and one more, segments.offsets one more than segments.rows, light_row_offsets
  /// and rows.offsets rows + 1, and columns, rows.columns and rows.places as many as values, which
  /// are not fewer than heavy_nnz.
  RowSegmentedMatrix(Ordinal num_rows, Ordinal num_cols, std::size_t heavy_nnz,
                     RowSegmentShape const& shape, Segments const& segments,
                     offsets_view light_row_offsets, columns_view columns, values_view values,
                     Rows const& rows)
      : m_num_rows(num_rows)
      , m_num_cols(num_cols)
      , m_heavy_nnz(heavy_nnz)
      , m_shape(shape)
      , m_segments(segments)
      , m_light_row_offsets(light_row_offsets)
      , m_columns(columns)
      , m_values(values)
      , m_rows(rows)
  {
    char const* const function = "RowSegmentedMatrix";
    impl::require(num_rows >= 0 && num_cols >= 0, function, "negative size ", num_rows, " x ",
                  num_cols);
    require_shape(function, shape);
    require_extent("segments.panels", segments.panels,
                   "panels + 1 = ", static_cast<std::size_t>(num_panels()) + 1);
    require_extent("segments.offsets", segments.offsets,
                   "one more than segments.rows: ", segments.rows.extent(0) + 1);
    std::size_t const offsets = static_cast<std::size_t>(num_rows) + 1;
    require_extent("light_row_offsets", light_row_offsets, "rows + 1 = ", offsets);
    require_extent("rows.offsets", rows.offsets, "rows + 1 = ", offsets);
    std::size_t const n = values.extent(0);
    require_extent("columns", columns, "as many as values: ", n);
    require_extent("rows.columns", rows.columns, "as many as values: ", n);
    require_extent("rows.places", rows.places, "as many as values: ", n);
    impl::require(heavy_nnz <= n, function, heavy_nnz, " heavy entries in ", n, " places");
  }
  /// The read-only view of a matrix that can be written.
  template <impl::ReadableAs<RowSegmentedMatrix> Other>
  RowSegmentedMatrix(Other const& other)
      : m_num_rows(other.num_rows())
      , m_num_cols(other.num_cols())
      , m_heavy_nnz(other.heavy_nnz())
      , m_shape(other.shape())
      , m_segments{other.segments().panels, other.segments().rows, other.segments().offsets}
      , m_light_row_offsets(other.light_row_offsets())
      , m_columns(other.columns())
      , m_values(other.values())
      , m_rows{other.rows().offsets, other.rows().columns, other.rows().places}
  {}

  /// Throws InvalidArgument, in the name of function, where a number is out of range.
  static void require_shape(char const* function, RowSegmentShape const& shape)
  {
    impl::require(shape.panel_width > 0 && shape.threshold >= 0, function, "panels of ",
                  shape.panel_width, " columns, threshold ", shape.threshold);
  }

  KOKKOS_FUNCTION Ordinal num_rows() const { return m_num_rows; }
  KOKKOS_FUNCTION Ordinal num_cols() const { return m_num_cols; }
  KOKKOS_FUNCTION std::size_t nnz() const { return m_values.extent(0); }
  /// Entries of segments.
  KOKKOS_FUNCTION std::size_t heavy_nnz() const { return m_heavy_nnz; }
  KOKKOS_FUNCTION RowSegmentShape shape() const { return m_shape; }
  KOKKOS_FUNCTION std::int64_t num_panels() const
  {
    return m_shape.panel_width == 0 ? 0 : impl::divided_up(m_num_cols, m_shape.panel_width);
  }
  KOKKOS_FUNCTION std::size_t num_segments() const { return m_segments.rows.extent(0); }
  KOKKOS_FUNCTION Segments const& segments() const { return m_segments; }
  KOKKOS_FUNCTION offsets_view const& light_row_offsets() const { return m_light_row_offsets; }
  KOKKOS_FUNCTION columns_view const& columns() const { return m_columns; }
  KOKKOS_FUNCTION values_view const& values() const { return m_values; }
  KOKKOS_FUNCTION Rows const& rows() const { return m_rows; }
  light_type light() const
  {
    std::pair const rest(m_heavy_nnz, nnz());
    return {m_num_rows, m_num_cols, m_light_row_offsets, Kokkos::subview(m_columns, rest),
            Kokkos::subview(m_values, rest)};
  }
  /// What makes the pattern: a plan's fingerprint is of these.
  auto index_arrays() const
  {
    return std::tuple(m_rows.offsets, m_rows.columns, m_rows.places, m_segments.panels,
                      m_segments.rows, m_segments.offsets, m_light_row_offsets, m_columns);
  }
  /// How the entries lie in the arrays, beside that.
  std::array<std::int64_t, 3> layout() const
  {
    return {m_shape.panel_width, m_shape.threshold, static_cast<std::int64_t>(m_heavy_nnz)};
  }

private:
  template <class View>
  static void require_extent(char const* name, View const& view, char const* meaning,
                             std::size_t expected)
  {
    impl::require(view.extent(0) == expected, "RowSegmentedMatrix", name, " has ", view.extent(0),
                  " entries, expected ", meaning, expected);
  }

  Ordinal m_num_rows = 0, m_num_cols = 0;
  std::size_t m_heavy_nnz = 0;
  RowSegmentShape m_shape;
  Segments m_segments;
  offsets_view m_light_row_offsets;
  columns_view m_columns;
  values_view m_values;
  Rows m_rows;
};

/// Whether T is a RowSegmentedMatrix of any types.
template <class T>
inline constexpr bool is_row_segmented_matrix_v = false;
template <class V, class O, class S, class M>
inline constexpr bool is_row_segmented_matrix_v<RowSegmentedMatrix<V, O, S, M>> = true;

/// Any RowSegmentedMatrix.
template <class T>
concept RowSegmented = is_row_segmented_matrix_v<T>;

} // namespace heddle
