// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// BSR with 16-bit values, and how far a product of it may be from the oracle's.

#include <heddle/bsr_matrix.hpp>
#include <support/conversions.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace heddle::test
{

using Half = Kokkos::Experimental::half_t;
using Bhalf = Kokkos::Experimental::bhalf_t;

// Significant bits of a type, and its smallest positive number.
template <class Value>
struct Precision
{
  static constexpr int bits = std::numeric_limits<Value>::digits;
  static constexpr double least = std::numeric_limits<Value>::denorm_min();
};
template <>
struct Precision<Half>
{
  static constexpr int bits = 11;
  static constexpr double least = 0x1p-24;
};
template <>
struct Precision<Bhalf>
{
  static constexpr int bits = 8;
  static constexpr double least = 0x1p-133;
};

// A in blocks, with NaN wherever a block hangs over the edge; what the tests ask of its pattern.
template <class C>
struct Blocks
{
  using Value = typename C::value;
  using Matrix = BsrMatrix<Value, typename C::ordinal, typename C::offset, typename C::space>;
  Matrix a;
  std::vector<typename C::offset> offsets;
  std::vector<typename C::ordinal> columns;

  Blocks(Structure const& s, BlockShape shape)
      : a(to_bsr(typename C::exec{}, make_csr<C>(s), shape, no_limit))
      , offsets(to_vector(a.row_offsets()))
      , columns(to_vector(a.columns()))
  {
    auto values = to_vector(a.values());
    auto const size = static_cast<std::int64_t>(a.block_size());
    for (std::int64_t r = 0; r < a.num_block_rows(); ++r)
      for (std::int64_t n = first(r); n < first(r + 1); ++n)
        for (std::int64_t at = 0; at < size; ++at)
          if (r * shape.height + at / shape.width >= s.rows ||
              column(n) * shape.width + at % shape.width >= s.cols)
            values[static_cast<std::size_t>(n * size + at)] =
                Value(std::numeric_limits<float>::quiet_NaN());
    Kokkos::deep_copy(a.values(), to_view<Value, typename C::space>(values));
  }
  std::int64_t first(std::int64_t r) const
  {
    return static_cast<std::int64_t>(offsets[static_cast<std::size_t>(r)]);
  }
  std::int64_t column(std::int64_t n) const
  {
    return static_cast<std::int64_t>(columns[static_cast<std::size_t>(n)]);
  }
  // Products of depth 16 that a row of this block row is summed by.
  std::int64_t products(std::int64_t r) const
  {
    return ((first(r + 1) - first(r)) * a.shape().width + 15) / 16;
  }
};

// The bound of |result - expected|. A product of two 16-bit numbers is exact in float. Tensor cores
// add n of them and the sum so far at once, each cut off at the last place of the largest, and cut
// off what comes out (Fasi et al., PeerJ Computer Science 7, 2021): n + 2 errors of eps times the
// magnitudes a product of depth 16, n in all. Expected counts n, and the three operations with
// alpha and beta. Result is rounded once.
template <class Result>
double half_error_bound(Expected const& expected, std::size_t at, std::int64_t products)
{
  constexpr double eps = std::numeric_limits<float>::epsilon();
  double const sum =
      eps * static_cast<double>(expected.terms[at] + 2 + 2 * products) * expected.magnitudes[at];
  double const rounding = std::ldexp(std::abs(expected.values[at]) + sum, -Precision<Result>::bits);
  return sum + rounding + Precision<Result>::least;
}

// "" or the first entry outside its bound, of rows for which is_asked(row).
template <class C, class View, class Asked>
std::string first_half_difference(Blocks<C> const& blocks, Expected const& expected, View const& c,
                                  Asked const& is_asked)
{
  auto const contiguous = contiguous_like(c);
  Kokkos::deep_copy(contiguous, c);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, contiguous);
  for (std::int64_t i = 0; i < expected.rows; ++i)
    for (std::int64_t j = 0; is_asked(i) && j < expected.cols; ++j)
    {
      auto const at = static_cast<std::size_t>(i * expected.cols + j);
      auto const result = static_cast<double>(host(i, j));
      double const bound = half_error_bound<typename View::non_const_value_type>(
          expected, at, blocks.products(i / blocks.a.shape().height));
      if (!(std::abs(result - expected.values[at].real()) <= bound)) // true for NaN
        return "(" + std::to_string(i) + ", " + std::to_string(j) + ") is " +
               std::to_string(result) + ", expected " + std::to_string(expected.values[at].real()) +
               " within " + std::to_string(bound);
    }
  return "";
}
template <class C, class View>
std::string first_half_difference(Blocks<C> const& blocks, Expected const& expected, View const& c)
{
  return first_half_difference(blocks, expected, c, [](std::int64_t) { return true; });
}

} // namespace heddle::test
