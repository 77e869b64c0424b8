// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The sums of a tile of a row of C on hosts, in registers while the row's entries are added, and
// their store.

#include <heddle/impl/arithmetic.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::impl
{

// One number after the other: any types and strides.
template <class Sum, std::int64_t tile, class In>
struct PlainSums
{
  using sum_type = Sum;
  static constexpr std::int64_t width = tile;
  std::array<Sum, tile> sums{};

  void add(Sum value, In const* piece, std::int64_t step)
  {
    for (std::int64_t t = 0; t < tile; ++t)
      sums[t] += value * Sum(piece[t * step]);
  }
  void add(PlainSums const& other)
  {
    for (std::int64_t t = 0; t < tile; ++t)
      sums[t] += other.sums[t];
  }
  template <class Scalar, class C>
  void store_to(C const& c, std::int64_t i, std::int64_t j, Scalar alpha, Scalar beta) const
  {
    for (std::int64_t t = 0; t < tile; ++t)
      store(c(i, j + t), alpha, sums[t], beta);
  }
};

#if defined(__AVX512F__)
inline constexpr std::int64_t vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::int64_t vector_bytes = 32;
#else
inline constexpr std::int64_t vector_bytes = 16; // SSE2, NEON
#endif

#if defined(__GNUC__)
// Real numbers in contiguous rows, in vectors that are spelled out: left to itself g++ 12 unrolls
// the loop over a narrow tile before it looks for vectors and then finds none
// (docs/performance.md).
template <class Sum, std::int64_t tile>
struct VectorSums
{
  using sum_type = Sum;
  static constexpr std::int64_t width = tile;
  static constexpr std::int64_t lanes =
      std::min<std::int64_t>(vector_bytes / static_cast<std::int64_t>(sizeof(Sum)), tile);
  using Vector [[gnu::vector_size(lanes * sizeof(Sum))]] = Sum;
  // std::array would drop the attribute.
  Vector sums[tile / lanes] = {}; // NOLINT(modernize-avoid-c-arrays)

  void add(Sum value, Sum const* piece, std::int64_t)
  {
    for (std::int64_t v = 0; v < tile / lanes; ++v)
    {
      Vector part;
      std::memcpy(&part, piece + v * lanes, sizeof(part));
      sums[v] += value * part;
    }
  }
  void add(VectorSums const& other)
  {
    for (std::int64_t v = 0; v < tile / lanes; ++v)
      sums[v] += other.sums[v];
  }
  template <class C>
  void store_to(C const& c, std::int64_t i, std::int64_t j, Sum alpha, Sum beta) const
  {
    for (std::int64_t v = 0; v < tile / lanes; ++v)
    {
      Sum* const place = &c(i, j + v * lanes);
      Vector result = alpha * sums[v];
      if (beta != Sum(0))
      {
        Vector before;
        std::memcpy(&before, place, sizeof(before));
        result += beta * before;
      }
      std::memcpy(place, &result, sizeof(result));
    }
  }
};
// B and C have one layout (operands.hpp).
template <class Sum, std::int64_t tile, class B, class C>
inline constexpr bool has_vector_sums =
    std::conjunction_v<std::is_floating_point<Sum>, std::is_same<Sum, typename B::value_type>,
                       std::is_same<Sum, typename C::value_type>,
                       std::is_same<typename B::layout, Kokkos::LayoutRight>,
                       std::bool_constant<(tile * sizeof(Sum) >= 16)>>;
template <class Sum, std::int64_t tile, class B, class C>
using TileSums = std::conditional_t<has_vector_sums<Sum, tile, B, C>, VectorSums<Sum, tile>,
                                    PlainSums<Sum, tile, typename B::value_type>>;
#else
template <class Sum, std::int64_t tile, class B, class C>
inline constexpr bool has_vector_sums = false;
template <class Sum, std::int64_t tile, class B, class C>
using TileSums = PlainSums<Sum, tile, typename B::value_type>;
#endif

} // namespace heddle::impl
