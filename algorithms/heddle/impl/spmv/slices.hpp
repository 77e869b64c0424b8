// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows of ELL and SELL times a vector on a host thread. Neighbours in a slice are taken together:
// their entries stand side by side, and their sums do not wait for each other as those of one row
// do. They walk as far as the shortest of them; what longer ones have behind that follows row by
// row, so padding is never read.

#include <heddle/accumulator.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/slice_row_views.hpp>
#include <heddle/impl/spmv/rows.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace heddle::impl
{

// Neighbours whose sums are in registers together.
inline constexpr std::int64_t slice_lanes = 8;
// Neighbours that are done together, slice_depth entries at a time: then memory is read as it lies
// there, in slices of 32 rows all at once, in slices of 256 rows and in ELL as slice_depth streams.
inline constexpr std::int64_t low_strip = 32, high_strip = 256, slice_depth = 8;

// sums += entries first .. last - 1 of lanes neighbours, whose entry 0 is at columns and values.
template <std::int64_t lanes, bool is_conjugate, class Sum, class Ordinal, class Value, class X>
void add_lanes(Sum* sums, Ordinal const* columns, Value const* values, std::int64_t step,
               std::int64_t first, std::int64_t last, X const& x)
{
  std::array<Sum, lanes> own;
  std::copy(sums, sums + lanes, own.begin());
  for (std::int64_t n = first; n < last; ++n)
    for (std::int64_t t = 0; t < lanes; ++t)
      own[t] += Sum(conjugated<is_conjugate>(values[n * step + t])) * Sum(x(columns[n * step + t]));
  std::copy(own.begin(), own.end(), sums);
}

// The rows i .. i + groups * lanes - 1 of one slice.
template <std::int64_t groups, std::int64_t lanes, bool is_conjugate, class Sum, class RowViews,
          class Value, class X>
std::array<Sum, groups * lanes> sums_of_strip(RowViews const& views, std::int64_t i,
                                              Value const* values, X const& x)
{
  auto const view = views[i];
  auto const* const lengths = views.lengths + i;
  auto const* const columns = view.columns + view.first;
  auto const* const own = values + view.first;
  std::array<std::int64_t, groups> common; // entries that all of a group have
  for (std::int64_t g = 0; g < groups; ++g)
    common[g] = *std::min_element(lengths + g * lanes, lengths + (g + 1) * lanes);
  std::int64_t const longest = *std::max_element(common.begin(), common.end());
  std::array<Sum, groups * lanes> sums{};
  for (std::int64_t n = 0; n < longest; n += slice_depth)
    for (std::int64_t g = 0; g < groups; ++g)
      add_lanes<lanes, is_conjugate>(&sums[g * lanes], columns + g * lanes, own + g * lanes,
                                     view.step, n, std::min(n + slice_depth, common[g]), x);
  for (std::int64_t t = 0; t < groups * lanes; ++t)
    add_lanes<1, is_conjugate>(&sums[t], columns + t, own + t, view.step, common[t / lanes],
                               static_cast<std::int64_t>(lengths[t]), x);
  return sums;
}

// The rows i .. last - 1, as many as full strips hold; returns the first that is not done.
template <std::int64_t groups, std::int64_t lanes, bool is_conjugate, class RowViews, class Value,
          class Scalar, class X, class Y>
std::int64_t multiply_strips(RowViews const& views, std::int64_t i, std::int64_t last,
                             Value const* values, Scalar alpha, X const& x, Scalar beta, Y const& y)
{
  using Sum = accumulator_t<Value, typename X::value_type, Scalar>;
  for (; i + groups * lanes <= last; i += groups * lanes)
  {
    auto const sums = sums_of_strip<groups, lanes, is_conjugate, Sum>(views, i, values, x);
    for (std::int64_t t = 0; t < groups * lanes; ++t)
      store(y(views.row(i + t)), alpha, sums[t], beta);
  }
  return i;
}

// y(row) for the rows first .. last - 1, which begin with a slice. Strips divide the height, so
// that none lies in two slices; what is left of the last slice goes in shorter ones. All by value:
// what a closure holds would be loaded again after every store to y.
template <bool is_conjugate, class RowViews, class Value, class Scalar, class X, class Y>
void multiply_by_strips(RowViews views, std::int64_t first, std::int64_t last, Value const* values,
                        Scalar alpha, X x, Scalar beta, Y y)
{
  constexpr std::int64_t lanes = slice_lanes, high = high_strip / lanes, low = low_strip / lanes;
  std::int64_t i = first;
  if (views.unit % high_strip == 0)
    i = multiply_strips<high, lanes, is_conjugate>(views, i, last, values, alpha, x, beta, y);
  if (views.unit % low_strip == 0)
    i = multiply_strips<low, lanes, is_conjugate>(views, i, last, values, alpha, x, beta, y);
  if (views.unit % lanes == 0)
    i = multiply_strips<1, lanes, is_conjugate>(views, i, last, values, alpha, x, beta, y);
  multiply_strips<1, 1, is_conjugate>(views, i, last, values, alpha, x, beta, y);
}

template <bool is_conjugate, class Ordinal, class Value, class Scalar, class X, class Y>
void multiply_row_views(EllRowViews<Ordinal> const& views, std::int64_t first, std::int64_t last,
                        Value const* values, Scalar alpha, X const& x, Scalar beta, Y const& y,
                        SpmvRowTuning)
{
  multiply_by_strips<is_conjugate>(views, first, last, values, alpha, x, beta, y);
}
template <bool is_conjugate, class Ordinal, class Offset, class Value, class Scalar, class X,
          class Y>
void multiply_row_views(SellRowViews<Ordinal, Offset> const& views, std::int64_t first,
                        std::int64_t last, Value const* values, Scalar alpha, X const& x,
                        Scalar beta, Y const& y, SpmvRowTuning)
{
  multiply_by_strips<is_conjugate>(views, first, last, values, alpha, x, beta, y);
}

} // namespace heddle::impl
