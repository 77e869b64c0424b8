// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows of ELL and SELL times a vector on a host thread. Neighbours in a slice are taken together,
// as many as a cache line has sums: their entries stand side by side, and their sums do not wait
// for each other as those of one row do. They walk as far as the shortest of them; what longer ones
// have behind that follows row by row, so padding is never read.

#include <heddle/accumulator.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/slice_lines.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace heddle::impl
{

// The lines i .. i + lanes - 1 of one slice.
template <std::int64_t lanes, bool is_conjugate, class Sum, class Lines, class Value, class X>
std::array<Sum, lanes> sums_of_lanes(Lines const& lines, std::int64_t i, Value const* values,
                                     X const& x)
{
  auto const line = lines[i];
  std::int64_t common = line.length;
  for (std::int64_t t = 1; t < lanes; ++t)
    common = std::min<std::int64_t>(common, lines.lengths[i + t]);
  std::array<Sum, lanes> sums{};
  auto const* columns = line.columns + line.first;
  auto const* factors = values + line.first;
  for (std::int64_t n = 0; n < common; ++n, columns += line.step, factors += line.step)
    for (std::int64_t t = 0; t < lanes; ++t)
      sums[t] += Sum(conjugated<is_conjugate>(factors[t])) * Sum(x(columns[t]));
  for (std::int64_t t = 0; t < lanes; ++t)
  {
    std::int64_t const length = lines.lengths[i + t];
    for (std::int64_t n = common, at = t; n < length; ++n, at += line.step)
      sums[t] += Sum(conjugated<is_conjugate>(factors[at])) * Sum(x(columns[at]));
  }
  return sums;
}

template <std::int64_t lanes, bool is_conjugate, class Lines, class Value, class Scalar, class X,
          class Y>
void multiply_slices(Lines lines, std::int64_t first, std::int64_t last, Value const* values,
                     Scalar alpha, X x, Scalar beta, Y y)
{
  using Sum = accumulator_t<Value, typename X::value_type, Scalar>;
  std::int64_t i = first;
  if constexpr (lanes > 1)
    for (; i + lanes <= last; i += lanes)
    {
      auto const sums = sums_of_lanes<lanes, is_conjugate, Sum>(lines, i, values, x);
      for (std::int64_t t = 0; t < lanes; ++t)
        store(y(lines.row(i + t)), alpha, sums[t], beta);
    }
  for (; i < last; ++i)
    store(y(lines.row(i)), alpha, sums_of_lanes<1, is_conjugate, Sum>(lines, i, values, x)[0],
          beta);
}

// y(row) for the lines first .. last - 1, which begin with a slice. Lanes divide the height, so
// that none lie in two slices.
template <bool is_conjugate, class Lines, class Value, class Scalar, class X, class Y>
void multiply_by_lanes(Lines const& lines, std::int64_t first, std::int64_t last,
                       Value const* values, Scalar alpha, X const& x, Scalar beta, Y const& y)
{
  if (lines.unit % 8 == 0)
    multiply_slices<8, is_conjugate>(lines, first, last, values, alpha, x, beta, y);
  else if (lines.unit % 4 == 0)
    multiply_slices<4, is_conjugate>(lines, first, last, values, alpha, x, beta, y);
  else
    multiply_slices<1, is_conjugate>(lines, first, last, values, alpha, x, beta, y);
}

template <bool is_conjugate, class Ordinal, class Value, class Scalar, class X, class Y>
void multiply_lines(EllLines<Ordinal> const& lines, std::int64_t first, std::int64_t last,
                    Value const* values, Scalar alpha, X const& x, Scalar beta, Y const& y, bool)
{
  multiply_by_lanes<is_conjugate>(lines, first, last, values, alpha, x, beta, y);
}
template <bool is_conjugate, class Ordinal, class Offset, class Value, class Scalar, class X,
          class Y>
void multiply_lines(SellLines<Ordinal, Offset> const& lines, std::int64_t first, std::int64_t last,
                    Value const* values, Scalar alpha, X const& x, Scalar beta, Y const& y, bool)
{
  multiply_by_lanes<is_conjugate>(lines, first, last, values, alpha, x, beta, y);
}

} // namespace heddle::impl
