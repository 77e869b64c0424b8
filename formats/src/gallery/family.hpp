// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gallery/limits.hpp>
#include <heddle/gallery.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::impl
{

using Numbers = std::vector<std::int64_t>;

// What stands for the optional numbers of a name when they are left out.
inline constexpr std::int64_t first_number = -1; // the first number again; else a seed

// Names that are a prefix and decimal numbers with "_" between them.
struct Family
{
  char const* prefix;
  char const* numbers; // "NX[_NY_NZ]"
  char const* description;
  std::size_t required, optional;
  std::int64_t stand_in;
  GalleryMatrix (*make)(Numbers const&);
  GallerySize (*size)(Numbers const&); // of what make makes, where that does not throw
};

inline std::uint64_t seed_of(Numbers const& numbers)
{
  return static_cast<std::uint64_t>(numbers.back());
}

std::span<Family const> basic_families();
std::span<Family const> structure_families();

// The size of the matrix of this name before it is made.
GallerySize size_of_gallery_matrix(std::string const& name);

// Names of the zoo begin so, and stand for other names (zoo.cpp).
inline constexpr std::string_view zoo_prefix = "zoo_";
std::string zoo_stands_for(std::string const& name);

} // namespace heddle::impl
