// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/gallery_hash.hpp>

#include <cstdint>

namespace heddle::impl
{

// Draws of one row: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) from a start of the row's own,
// so that rows are independent of each other and of the order in which they are made.
class RowRandom
{
public:
  RowRandom(std::uint64_t seed, GalleryStream stream, std::int64_t row)
      : m_state(mix64(gallery_key(seed, stream) + static_cast<std::uint64_t>(row)))
  {}

  std::uint64_t next()
  {
    m_state += splitmix64_increment;
    return mix64(m_state);
  }

  // 0 .. n - 1, each with probability 1 / n up to n / 2^64.
  std::int64_t below(std::int64_t n)
  {
    auto const product = static_cast<unsigned __int128>(next()) * static_cast<std::uint64_t>(n);
    return static_cast<std::int64_t>(product >> 64U);
  }

  // low .. high, each with the same probability.
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }

  // True in so many of 100 cases.
  bool chance(std::int64_t percent) { return below(100) < percent; }

  // A multiple of 2^-53 in [0, 1).
  double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

private:
  std::uint64_t m_state;
};

// Writes count <= n different columns below n in ascending order, each set equally likely; returns
// their end.
std::int32_t* draw_columns(RowRandom& random, std::int64_t n, std::int64_t count,
                           std::int32_t* columns);

} // namespace heddle::impl
