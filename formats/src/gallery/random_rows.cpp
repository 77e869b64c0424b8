// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/build.hpp>
#include <gallery/limits.hpp>
#include <gallery/row_random.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

// Matrices whose rows are drawn each for itself.

namespace heddle
{

namespace
{

using impl::GalleryStream;
using impl::RowRandom;

constexpr std::int64_t background = 4; // entries of a row that is nothing special

std::int32_t* draw_row(std::uint64_t seed, std::int64_t row, std::int64_t n, std::int64_t count,
                       std::int32_t* columns)
{
  RowRandom random(seed, GalleryStream::columns, row);
  return impl::draw_columns(random, n, count, columns);
}

// Pareto's distribution by inversion: u^(-3/4) for uniform u in (0, 1] has P(> x) = x^(-4/3) and
// mean 4. Square root and quotient are exactly rounded everywhere, pow is not. Rounded up or down
// at random, so that the mean of the lengths is that of the distribution.
std::int64_t power_law_length(std::uint64_t seed, std::int64_t row, std::int64_t n, double mean)
{
  RowRandom random(seed, GalleryStream::degrees, row);
  double const u = 1 - random.unit();
  double const root = std::sqrt(u);
  double const length = mean / 4 / (root * std::sqrt(root));
  return static_cast<std::int64_t>(std::min(length + random.unit(), static_cast<double>(n)));
}

} // namespace

namespace generate
{

GalleryMatrix power_law(std::int64_t n, double mean, std::uint64_t seed)
try
{
  constexpr char const* function = "generate::power_law";
  impl::require_between(function, "n", n, 1);
  impl::require(mean >= 1 && mean <= static_cast<double>(n), function, "mean is ", mean,
                ", expected 1 to ", n);
  double const expected = mean * static_cast<double>(n);
  impl::require_size(function, {n, n, static_cast<std::int64_t>(expected), 0});
  auto const length = [=](std::int64_t i) { return power_law_length(seed, i, n, mean); };
  return impl::build_pattern(n, n, seed, length, [=](std::int64_t i, std::int32_t* columns) {
    return draw_row(seed, i, n, length(i), columns);
  });
}
catch (...)
{
  impl::rethrow_out_of_memory("power_law");
}

GalleryMatrix dense_row(std::int64_t n, std::uint64_t seed)
try
{
  impl::require_between("generate::dense_row", "n", n, 1);
  impl::require_size("generate::dense_row", {n, n, n * (background + 1), 0});
  auto const length = [n](std::int64_t i) { return i == n / 2 ? n : std::min(background, n); };
  return impl::build_pattern(n, n, seed, length, [=](std::int64_t i, std::int32_t* columns) {
    return draw_row(seed, i, n, length(i), columns);
  });
}
catch (...)
{
  impl::rethrow_out_of_memory("dense_row");
}

GalleryMatrix dense_column(std::int64_t n, std::uint64_t seed)
try
{
  impl::require_between("generate::dense_column", "n", n, 1);
  impl::require_size("generate::dense_column", {n, n, n * background, 0});
  std::int64_t const others = std::min(background, n) - 1;
  auto const dense = static_cast<std::int32_t>(n / 2);
  return impl::build_pattern(
      n, n, seed, [others](std::int64_t) { return others + 1; },
      [=](std::int64_t i, std::int32_t* columns) {
        // Drawn from the n - 1 other columns, counted without the dense one.
        std::int32_t* const end = draw_row(seed, i, n - 1, others, columns);
        std::int32_t* const middle = std::lower_bound(columns, end, dense);
        std::transform(middle, end, middle, [](std::int32_t column) { return column + 1; });
        std::copy_backward(middle, end, end + 1);
        *middle = dense;
        return end + 1;
      });
}
catch (...)
{
  impl::rethrow_out_of_memory("dense_column");
}

GalleryMatrix empty_rows(std::int64_t n, std::int64_t percent, std::uint64_t seed)
try
{
  constexpr char const* function = "generate::empty_rows";
  impl::require_between(function, "n", n, 1);
  impl::require_between(function, "percent", percent, 0, 100);
  impl::require_size(function, {n, n, n * background, 0});
  auto const length = [=](std::int64_t i) {
    RowRandom random(seed, GalleryStream::degrees, i);
    return random.below(100) < percent ? std::int64_t(0) : std::min(background, n);
  };
  return impl::build_pattern(n, n, seed, length, [=](std::int64_t i, std::int32_t* columns) {
    return draw_row(seed, i, n, length(i), columns);
  });
}
catch (...)
{
  impl::rethrow_out_of_memory("empty_rows");
}

} // namespace generate

} // namespace heddle
