// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace heddle::impl
{

// The values of the gallery's matrices, and the structure of those that are not drawn as numpy
// draws (gallery_pcg64.hpp), are hashes of seed, row and column: an entry does not depend on the
// order in which entries are made, so every thread count makes the same matrix. All arithmetic is
// on integers or exact in double precision, so every compiler does too.

// The output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), a bijection; shifts and
// factors are Stafford's variant 13 (2011).
constexpr std::uint64_t mix64(std::uint64_t x)
{
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

// What the hashes are used for, so that no two uses of one seed are related.
enum class GalleryStream : std::uint64_t
{
  values = 1,
  imaginary_parts = 2,
  degrees = 3,
  columns = 4,
  groups = 5,    // what several rows share
  parameters = 6 // of the matrices of the zoo
};

// 2^64 over the golden ratio, the increment of SplitMix64.
inline constexpr std::uint64_t splitmix64_increment = 0x9e3779b97f4a7c15U;

constexpr std::uint64_t gallery_key(std::uint64_t seed, GalleryStream stream)
{
  return mix64(mix64(seed) + static_cast<std::uint64_t>(stream) * splitmix64_increment);
}

// Rows and columns of the gallery fit 32 bits.
constexpr std::uint64_t entry_hash(std::uint64_t key, std::int64_t row, std::int64_t col)
{
  return mix64(key ^ (static_cast<std::uint64_t>(row) << 32U | static_cast<std::uint64_t>(col)));
}

// An odd multiple of 2^-52 in (-1, 1), hence never 0, uniformly.
constexpr double signed_unit(std::uint64_t hash)
{
  auto const odd = static_cast<std::int64_t>(2U * (hash >> 12U) + 1U);
  return static_cast<double>(odd - (std::int64_t(1) << 52U)) * 0x1p-52;
}

} // namespace heddle::impl
