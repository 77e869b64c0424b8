// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/require.hpp>
#include <heddle/impl/text_stream.hpp>
#include <heddle/matrix_market.hpp>
#include <matrix_market/header.hpp>
#include <matrix_market/mirror.hpp>
#include <matrix_market/to_text.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::impl::matrix_market
{

// NaN is the same as NaN here: both make the same text.
template <class Value>
bool is_same(Value const& a, Value const& b)
{
  if constexpr (is_complex_v<Value>)
    return is_same(a.real(), b.real()) && is_same(a.imag(), b.imag());
  else
    return a == b || (std::isnan(a) && std::isnan(b));
}

template <class Value>
void require_mirrored(MatrixMarketSymmetry symmetry, std::int64_t row, std::int64_t column,
                      Value const& value, Value const& image)
{
  // The diagonal of a skew-symmetric matrix is not written, so NaN would be lost there.
  bool const is_dropped = row == column && symmetry == MatrixMarketSymmetry::skew_symmetric;
  if (is_dropped ? value == Value(0) : is_same(image, mirrored(symmetry, value))) [[likely]]
    return;
  TextStream second;
  if (row != column)
    second << " and (" << column << ", " << row << ") is " << to_text(image);
  require(false, "write_matrix_market", "A is not ", name_of(symmetry), ": (", row, ", ", column,
          ") is ", to_text(value), second.str());
}

template <class Value, class Ordinal>
struct Entry
{
  Ordinal row, column;
  Value value;

  bool operator<(Entry const& other) const
  {
    return std::tie(row, column) < std::tie(other.row, other.column);
  }
};

// In ascending order of places, each once.
template <class Value, class Ordinal>
std::vector<Entry<Value, Ordinal>> sorted_sums(HostCoo<Value const, Ordinal> const& a)
{
  std::vector<Entry<Value, Ordinal>> entries(a.nnz());
  for (std::size_t k = 0; k < a.nnz(); ++k)
    entries[k] = {a.rows()(k), a.columns()(k), a.values()(k)};
  std::stable_sort(entries.begin(), entries.end());
  std::size_t n = 0; // entries[n - 1] is the place that is added to
  for (Entry<Value, Ordinal> const entry : entries)
    if (n > 0 && !(entries[n - 1] < entry))
      entries[n - 1].value += entry.value;
    else
      entries[n++] = entry;
  entries.resize(n);
  return entries;
}

// Throws InvalidArgument unless each entry has its mirror image, one on the diagonal itself. Where
// several entries stand at one place, their sums are compared; no values without has_values.
// O(nnz log nnz).
template <class Value, class Ordinal>
void check_symmetry(HostCoo<Value const, Ordinal> const& a, MatrixMarketSymmetry symmetry,
                    bool has_values)
{
  auto const entries = sorted_sums(a);
  for (auto const& entry : entries)
  {
    Entry<Value, Ordinal> const wanted{entry.column, entry.row, entry.value};
    auto const image = std::lower_bound(entries.begin(), entries.end(), wanted);
    bool const is_there = image != entries.end() && !(wanted < *image);
    if (!is_there)
      require(false, "write_matrix_market", "A is not ", name_of(symmetry), ": (", entry.row, ", ",
              entry.column, ") is ", to_text(entry.value), " and (", entry.column, ", ", entry.row,
              ") has no entry");
    if (has_values)
      require_mirrored(symmetry, entry.row, entry.column, entry.value, image->value);
  }
}

template <class Value>
void check_symmetry(HostDense<Value const, Kokkos::LayoutStride> const& a,
                    MatrixMarketSymmetry symmetry)
{
  auto const n = static_cast<std::int64_t>(a.extent(0));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j)
      require_mirrored<Value>(symmetry, i, j, a(i, j), a(j, i));
}

} // namespace heddle::impl::matrix_market
