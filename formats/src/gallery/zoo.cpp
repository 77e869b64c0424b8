// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/distributions.hpp>
#include <gallery/family.hpp>
#include <gallery/zoo_draw.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/zoo.hpp>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

// zoo_FAMILY_NUMBER: the parameters are drawn from a hash of family and number. Sizes are spread
// over the range of the family by the golden section, so that any few numbers in turn cover it.

namespace heddle
{

namespace
{

using impl::ZooFamilyDraw;

constexpr std::int64_t first_large = 100, last_large = 199;
constexpr std::int64_t least_of_large = 50000000, most_of_large = 200000000;

// FNV-1a (Fowler, Noll and Vo).
std::uint64_t hash_of(std::string_view text)
{
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (char const letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  return hash;
}

struct Chosen
{
  ZooFamilyDraw const& family;
  std::int64_t number;
};

Chosen choose(std::string const& name)
{
  std::string_view const rest = std::string_view(name).substr(impl::zoo_prefix.size());
  std::string_view const family_name = rest.substr(0, rest.rfind('_'));
  ZooFamilyDraw const* family = nullptr;
  for (ZooFamilyDraw const& known : impl::zoo_family_draws())
    if (known.name == family_name)
      family = &known;
  impl::require(family != nullptr, "gallery", "the zoo has no family \"", family_name, "\", as \"",
                name, "\" asks for");
  std::string_view const digits = rest.substr(std::min(rest.size(), family->name.size() + 1));
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  std::int64_t const last = family->has_large ? last_large : first_large - 1;
  impl::require(error == std::errc() && end == digits.data() + digits.size() &&
                    digits == std::to_string(number) && number >= 1 && number <= last,
                "gallery", "\"", name, "\" does not have the form zoo_", family->name,
                "_NUMBER with a number of 1 to ", last);
  return {*family, number};
}

} // namespace

std::string impl::zoo_stands_for(std::string const& name)
{
  Chosen const chosen = choose(name);
  std::uint64_t const hash = hash_of(chosen.family.name);
  auto const step = static_cast<std::uint64_t>(chosen.number) * splitmix64_increment;
  auto const share = static_cast<std::uint32_t>((mix64(hash) + step) >> 32U);
  LogUniform const sizes = chosen.number < first_large
                               ? LogUniform(chosen.family.least_entries, chosen.family.most_entries)
                               : LogUniform(least_of_large, most_of_large);
  ZooDraw draw(hash, chosen.number, sizes.at_share(share));
  return chosen.family.draw(draw);
}

std::vector<ZooFamily> zoo_families()
try
{
  std::vector<ZooFamily> list;
  for (ZooFamilyDraw const& family : impl::zoo_family_draws())
    list.push_back({std::string(family.name), family.description, family.least_entries,
                    family.most_entries, family.has_large});
  return list;
}
catch (...)
{
  impl::rethrow_out_of_memory("zoo_families");
}

ZooMatrix zoo_matrix(std::string const& name)
try
{
  impl::require(name.starts_with(impl::zoo_prefix), "zoo_matrix", "\"", name,
                "\" does not have the form zoo_FAMILY_NUMBER");
  std::string stands_for = impl::zoo_stands_for(name);
  impl::GallerySize const size = impl::size_of_gallery_matrix(stands_for);
  return {name,         std::string(choose(name).family.name),
          stands_for,   size.rows,
          size.cols,    size.entries,
          size.is_exact};
}
catch (...)
{
  impl::rethrow_out_of_memory("zoo_matrix");
}

} // namespace heddle
