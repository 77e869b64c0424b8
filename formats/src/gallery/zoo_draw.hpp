// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gallery/distributions.hpp>
#include <gallery/row_random.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace heddle::impl
{

inline std::int64_t at_least(std::int64_t least, std::int64_t n) { return std::max(least, n); }

// The draws of the parameters of one matrix of the zoo.
class ZooDraw
{
public:
  // entries: about so many are asked for.
  ZooDraw(std::uint64_t family_hash, std::int64_t number, std::int64_t entries)
      : m_random(family_hash, GalleryStream::parameters, number)
      , m_entries(entries)
  {}

  std::int64_t entries() const { return m_entries; }
  std::int64_t between(std::int64_t low, std::int64_t high)
  {
    return m_random.between(low, std::max(low, high));
  }
  // Small numbers as often as their doubles.
  std::int64_t log_between(std::int64_t low, std::int64_t high)
  {
    return LogUniform(low, high)(m_random);
  }
  bool chance(std::int64_t percent) { return m_random.chance(percent); }
  std::int64_t one_of(std::initializer_list<std::int64_t> numbers)
  {
    auto const count = static_cast<std::int64_t>(numbers.size());
    return numbers.begin()[m_random.below(count)];
  }

  // A plane or a box of about so many points, no side more than about three times another.
  std::array<std::int64_t, 2> plane(std::int64_t points)
  {
    std::int64_t const nx = scaled(std::sqrt(static_cast<double>(points)));
    return {nx, at_least(1, points / nx)};
  }
  std::array<std::int64_t, 3> box(std::int64_t points)
  {
    double const side = exact_exp2(exact_log2(static_cast<std::uint64_t>(at_least(1, points))) / 3);
    std::int64_t const nx = scaled(side), ny = scaled(side);
    return {nx, ny, at_least(1, points / (nx * ny))};
  }

  // The name of a matrix with these numbers, and one with a seed as well.
  static std::string name(std::string const& prefix, std::initializer_list<std::int64_t> numbers)
  {
    std::string name = prefix;
    for (std::int64_t const number : numbers)
      name.append(name.size() > prefix.size() ? "_" : "").append(std::to_string(number));
    return name;
  }
  std::string seeded(std::string const& prefix, std::initializer_list<std::int64_t> numbers)
  {
    return name(prefix, numbers) + "_" + seed();
  }
  std::string permuted(std::int64_t group, std::string const& of)
  {
    return "permuted_" + std::to_string(group) + "_" + seed() + "_" + of;
  }

private:
  std::int64_t scaled(double side)
  {
    return at_least(1, static_cast<std::int64_t>(side) * between(70, 140) / 100);
  }
  std::string seed() { return std::to_string(between(1000, 999999)); }

  RowRandom m_random;
  std::int64_t m_entries;
};

// How a family of the zoo is drawn: the name of the gallery that its matrix stands for.
struct ZooFamilyDraw
{
  std::string_view name;
  char const* description;
  std::int64_t least_entries, most_entries;
  bool has_large;
  std::string (*draw)(ZooDraw& draw);
};

std::span<ZooFamilyDraw const> zoo_family_draws();

} // namespace heddle::impl
