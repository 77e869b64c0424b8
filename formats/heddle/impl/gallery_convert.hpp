// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>
#include <heddle/impl/gallery_hash.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace heddle::impl
{

// Antisymmetric in row and column, so 0 on the diagonal.
inline double gallery_imaginary_part(std::int64_t row, std::int64_t col)
{
  if (row == col)
    return 0;
  constexpr std::uint64_t key = gallery_key(0, GalleryStream::imaginary_parts);
  double const part = signed_unit(entry_hash(key, std::min(row, col), std::max(row, col)));
  return row < col ? part : -part;
}

template <class Value>
Value gallery_value(double value, std::int64_t row, std::int64_t col)
{
  if constexpr (is_complex_v<Value>)
    return Value(static_cast<real_t<Value>>(value),
                 static_cast<real_t<Value>>(gallery_imaginary_part(row, col)));
  else
    return static_cast<Value>(value);
}

// A View of host memory with its entries cast to those of the type View; itself where it is one.
template <class View, class From>
View cast_gallery_indices(char const* label, From const& from)
{
  if constexpr (std::is_same_v<typename View::non_const_value_type,
                               typename From::non_const_value_type>)
    return from;
  else
  {
    using Index = typename View::non_const_value_type;
    Kokkos::DefaultHostExecutionSpace const exec;
    auto const to = uninitialized<typename View::non_const_type>(exec, label, from.extent(0));
    Kokkos::parallel_for("heddle::gallery::cast_indices", range(exec, from.extent(0)),
                         [=](std::int64_t i) { to(i) = static_cast<Index>(from(i)); });
    exec.fence("heddle::gallery: indices are cast");
    return to;
  }
}

template <class Matrix, class From>
typename Matrix::values_view cast_gallery_values(From const& a)
{
  using Value = typename Matrix::value_type;
  if constexpr (std::is_same_v<Value, typename From::value_type>)
    return a.values();
  else
  {
    Kokkos::DefaultHostExecutionSpace const exec;
    auto values =
        uninitialized<typename Matrix::values_view>(exec, "heddle::gallery::values", a.nnz());
    Kokkos::parallel_for(
        "heddle::gallery::cast_values", range(exec, a.num_rows()), [=](std::int64_t row) {
          for (std::size_t k = a.row_offsets()(row); k < a.row_offsets()(row + 1); ++k)
            values(k) = gallery_value<Value>(a.values()(k), row, a.columns()(k));
        });
    exec.fence("heddle::gallery: values are cast");
    return values;
  }
}

template <class Matrix, class From>
Matrix converted_gallery_matrix(From const& a)
{
  using Ordinal = typename Matrix::ordinal_type;
  using Offset = typename Matrix::offset_type;
  require(std::in_range<Ordinal>(a.num_rows()) && std::in_range<Ordinal>(a.num_cols()), "gallery",
          "a matrix of ", a.num_rows(), " x ", a.num_cols(),
          " does not fit the ordinal type, which ", "ends at ",
          +std::numeric_limits<Ordinal>::max());
  require(std::in_range<Offset>(a.nnz()), "gallery", "a matrix of ", a.nnz(),
          " entries does not fit the offset type, which ends at ",
          +std::numeric_limits<Offset>::max());
  return Matrix(
      static_cast<Ordinal>(a.num_rows()), static_cast<Ordinal>(a.num_cols()),
      cast_gallery_indices<typename Matrix::row_offsets_view>("heddle::gallery::row_offsets",
                                                              a.row_offsets()),
      cast_gallery_indices<typename Matrix::columns_view>("heddle::gallery::columns", a.columns()),
      cast_gallery_values<Matrix>(a));
}

} // namespace heddle::impl
