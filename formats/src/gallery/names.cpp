// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/family.hpp>
#include <gallery/limits.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/zoo.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

// A name is the prefix of a family and decimal numbers with "_" between them. A matrix has one
// name: numbers have no leading zeros, optional ones are left out where they say nothing new, and a
// matrix with a name of its own (own_names) is refused under that of its family. A name of the zoo
// stands for another name, "permuted_" with two numbers stands before one.

namespace heddle
{

namespace
{

using impl::Family;
using impl::Numbers;

struct OwnName
{
  std::string_view name, family_name;
};
constexpr std::array own_names = {
    OwnName{"band15", "banded_40000_15"},
    OwnName{"band63", "banded_40000_63"},
    OwnName{"band111", "banded_40000_111"},
    OwnName{"band15_perm", "banded_perm_40000_15"},
    OwnName{"band63_perm", "banded_perm_40000_63"},
    OwnName{"band111_perm", "banded_perm_40000_111"},
    OwnName{"uniform_1m_8", "uniform_1048576_1048576_8"},
    OwnName{"uniform_128k_32", "uniform_131072_131072_32_3"},
    OwnName{"dnn_4096_90", "pruned_4096_4096_90"},
};

constexpr char const* permuted_pattern = "permuted_GROUP_SEED_NAME";
constexpr std::string_view permuted_prefix = "permuted_";

std::string pattern_of(Family const& family) { return std::string(family.prefix) + family.numbers; }

std::string all_patterns()
{
  std::string list;
  for (auto const families : {impl::basic_families(), impl::structure_families()})
    for (Family const& family : families)
      list.append(pattern_of(family)).append(", ");
  for (OwnName const& own : own_names)
    list.append(own.name).append(", ");
  return list + permuted_pattern + ", zoo_FAMILY_NUMBER";
}

// The family with the longest prefix that the name has.
Family const* find_family(std::string_view name)
{
  Family const* found = nullptr;
  for (auto const families : {impl::basic_families(), impl::structure_families()})
    for (Family const& family : families)
    {
      std::string_view const prefix = family.prefix;
      if (name.starts_with(prefix) &&
          (found == nullptr || prefix.size() > std::string_view(found->prefix).size()))
        found = &family;
    }
  return found;
}

// "40000_15" as {40000, 15}; nothing where it is no list of numbers as written in names.
std::optional<Numbers> parse_numbers(std::string_view text)
{
  Numbers numbers;
  for (;;)
  {
    std::size_t const length = std::min(text.find('_'), text.size());
    char const* const end = text.data() + length;
    std::int64_t number = 0;
    auto const [stop, error] = std::from_chars(text.data(), end, number);
    bool const has_leading_zero = length > 1 && text.front() == '0';
    if (error != std::errc() || stop != end || number < 0 || text.front() == '-' ||
        has_leading_zero)
      return {};
    numbers.push_back(number);
    if (length == text.size())
      return numbers;
    text.remove_prefix(length + 1);
  }
}

std::string join(Family const& family, Numbers const& numbers, std::size_t count)
{
  std::string name = family.prefix;
  for (std::size_t i = 0; i < count; ++i)
    name.append(i > 0 ? "_" : "").append(std::to_string(numbers[i]));
  return name;
}

void require_own_name(std::string const& name, std::string_view own)
{
  impl::require(name == own, "gallery", "the matrix \"", name, "\" is called \"", own, "\"");
}

// What a name stands for, but for permutations.
struct OfFamily
{
  Family const& family;
  Numbers numbers; // complete
};

OfFamily find_in_family(std::string const& name)
{
  Family const* const family = find_family(name);
  impl::require(family != nullptr, "gallery", "no matrix is called \"", name, "\"; there are ",
                all_patterns());
  std::optional<Numbers> numbers =
      parse_numbers(std::string_view(name).substr(std::string_view(family->prefix).size()));
  std::size_t const all = family->required + family->optional;
  impl::require(numbers && (numbers->size() == family->required || numbers->size() == all),
                "gallery", "\"", name, "\" does not have the form ", family->prefix,
                family->numbers, " (decimal numbers below 2^63, no leading zeros)");
  Numbers completed(numbers->begin(),
                    numbers->begin() + static_cast<std::ptrdiff_t>(family->required));
  completed.resize(all, family->stand_in == impl::first_number ? completed[0] : family->stand_in);
  if (numbers->size() > family->required && *numbers == completed)
    require_own_name(name, join(*family, completed, family->required));
  return {*family, numbers->size() < all ? completed : *numbers};
}

OfFamily find_matrix(std::string const& name)
{
  for (OwnName const& own : own_names)
  {
    if (name == own.name)
      return find_in_family(std::string(own.family_name));
    if (name == own.family_name)
      require_own_name(name, own.name);
  }
  return find_in_family(name);
}

// "permuted_3_7_fem_9_9_9_3" as groups of 3, seed 7 and the rest; nothing of any other name.
struct OfPermuted
{
  std::int64_t group;
  std::uint64_t seed;
  std::string name;
};

std::optional<OfPermuted> parse_permuted(std::string const& name)
{
  if (!name.starts_with(permuted_prefix))
    return {};
  std::size_t const first = permuted_prefix.size(), second = name.find('_', first),
                    third = second == std::string::npos ? second : name.find('_', second + 1);
  auto const numbers = third == std::string::npos
                           ? std::optional<Numbers>()
                           : parse_numbers(std::string_view(name).substr(first, third - first));
  impl::require(numbers.has_value(), "gallery", "\"", name, "\" does not have the form ",
                permuted_pattern, " (decimal numbers below 2^63, no leading zeros)");
  return OfPermuted{(*numbers)[0], static_cast<std::uint64_t>((*numbers)[1]),
                    name.substr(third + 1)};
}

} // namespace

// NOLINTBEGIN(misc-no-recursion): each name stands for a shorter one, or for one without prefix.
impl::GallerySize impl::size_of_gallery_matrix(std::string const& name)
{
  if (auto const permuted = parse_permuted(name))
    return size_of_gallery_matrix(permuted->name);
  OfFamily const found = find_matrix(name);
  return found.family.size(found.numbers);
}

// NOLINTEND(misc-no-recursion)

std::vector<GalleryFamily> gallery_families()
try
{
  std::vector<GalleryFamily> list;
  for (auto const families : {impl::basic_families(), impl::structure_families()})
    for (Family const& family : families)
      list.push_back({pattern_of(family), family.description});
  for (OwnName const& own : own_names)
    list.push_back({std::string(own.name), "stands for " + std::string(own.family_name)});
  list.push_back({permuted_pattern,
                  "the matrix called NAME, its rows and columns permuted alike in "
                  "groups of GROUP"});
  for (ZooFamily const& family : zoo_families())
    list.push_back({std::string(impl::zoo_prefix) + family.name + "_NUMBER",
                    "of the zoo: " + family.description});
  return list;
}
catch (...)
{
  impl::rethrow_out_of_memory("gallery_families");
}

GalleryMatrix gallery(std::string const& name) // NOLINT(misc-no-recursion): as above
try
{
  if (name.starts_with(impl::zoo_prefix))
    return gallery(impl::zoo_stands_for(name));
  if (auto const permuted = parse_permuted(name))
    return generate::permuted(gallery(permuted->name), permuted->group, permuted->seed);
  OfFamily const found = find_matrix(name);
  return found.family.make(found.numbers);
}
catch (...)
{
  impl::rethrow_out_of_memory("gallery");
}

} // namespace heddle
