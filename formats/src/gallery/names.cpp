// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>

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
// matrix with a name of its own (own_names) is refused under that of its family.

namespace heddle
{

namespace
{

using Numbers = std::vector<std::int64_t>;

// What stands for the optional numbers when they are left out.
constexpr std::int64_t first_number = -1; // the first number again; else a seed

struct Family
{
  char const* prefix;
  char const* numbers; // "NX[_NY_NZ]"
  char const* description;
  std::size_t required, optional;
  std::int64_t stand_in;
  GalleryMatrix (*make)(Numbers const&);
};

std::uint64_t seed_of(Numbers const& numbers) { return static_cast<std::uint64_t>(numbers.back()); }

// The seeds of rmat, banded_perm, uniform and pruned are those of synthetic.py.
constexpr std::array families = {
    Family{"stencil5_", "NX[_NY]", "5-point stencil on a grid of NX x NY points", 1, 1,
           first_number, [](Numbers const& n) { return generate::stencil5(n[0], n[1]); }},
    Family{"stencil9_", "NX[_NY]", "9-point stencil on a grid of NX x NY points", 1, 1,
           first_number, [](Numbers const& n) { return generate::stencil9(n[0], n[1]); }},
    Family{"stencil7_", "NX[_NY_NZ]", "7-point stencil on a grid of NX x NY x NZ points", 1, 2,
           first_number, [](Numbers const& n) { return generate::stencil7(n[0], n[1], n[2]); }},
    Family{"stencil27_", "NX[_NY_NZ]", "27-point stencil on a grid of NX x NY x NZ points", 1, 2,
           first_number, [](Numbers const& n) { return generate::stencil27(n[0], n[1], n[2]); }},
    Family{"elast3_", "NX[_NY_NZ]",
           "3-D linear elasticity, hexahedra, NX x NY x NZ nodes with 3 unknowns", 1, 2,
           first_number, [](Numbers const& n) { return generate::elasticity(n[0], n[1], n[2]); }},
    Family{"banded_", "N_H", "N rows, all entries up to H from the diagonal", 2, 0, 0,
           [](Numbers const& n) { return generate::banded(n[0], n[1]); }},
    Family{"banded_perm_", "N_H[_SEED]", "banded_N_H, rows and columns permuted at random", 2, 1, 3,
           [](Numbers const& n) { return generate::banded_permuted(n[0], n[1], seed_of(n)); }},
    Family{"rmat", "SCALE_EDGES[_SEED]", "R-MAT graph of 2^SCALE vertices with EDGES 2^SCALE edges",
           2, 1, 5, [](Numbers const& n) { return generate::rmat(n[0], n[1], seed_of(n)); }},
    Family{"fem_graph_", "NX_SCALE_EDGES[_SEED]",
           "elast3_NX above, rmatSCALE_EDGES below, each vertex coupled to a node", 3, 1, 5,
           [](Numbers const& n) { return generate::fem_graph(n[0], n[1], n[2], seed_of(n)); }},
    Family{"uniform_", "ROWS_COLS_PERROW[_SEED]",
           "PERROW columns drawn uniformly in each row, equal ones merged", 3, 1, 2,
           [](Numbers const& n) { return generate::uniform(n[0], n[1], n[2], seed_of(n)); }},
    Family{"pruned_", "ROWS_COLS_PERCENT[_SEED]",
           "dense layer of which PERCENT of the entries were pruned at random", 3, 1, 9,
           [](Numbers const& n) {
             impl::require(n[2] <= 100, "gallery", "pruned: PERCENT is ", n[2],
                           ", expected 0 to 100");
             double const density = static_cast<double>(100 - n[2]) / 100;
             return generate::pruned(n[0], n[1], density, seed_of(n));
           }},
    Family{"sampled_", "ROWS_COLS_ENTRIES[_SEED]",
           "exactly ENTRIES entries at places drawn from all", 3, 1, 1,
           [](Numbers const& n) { return generate::sampled(n[0], n[1], n[2], seed_of(n)); }},
    Family{"power_law_", "N_MEAN[_SEED]", "N rows, power-law row lengths with a mean of about MEAN",
           2, 1, 1,
           [](Numbers const& n) {
             return generate::power_law(n[0], static_cast<double>(n[1]), seed_of(n));
           }},
    Family{"dense_row_", "N[_SEED]", "4 entries in each of N rows, but one row full", 1, 1, 1,
           [](Numbers const& n) { return generate::dense_row(n[0], seed_of(n)); }},
    Family{"dense_column_", "N[_SEED]", "4 entries in each of N rows, one of them in a full column",
           1, 1, 1, [](Numbers const& n) { return generate::dense_column(n[0], seed_of(n)); }},
    Family{"empty_rows_", "N_PERCENT[_SEED]",
           "N rows, about PERCENT of them empty, 4 entries in each other", 2, 1, 1,
           [](Numbers const& n) { return generate::empty_rows(n[0], n[1], seed_of(n)); }},
    Family{"blocks_", "BLOCKROWS_SIZE_PERROW[_SEED]",
           "PERROW dense SIZE x SIZE blocks at random places of each block row", 3, 1, 1,
           [](Numbers const& n) { return generate::blocks(n[0], n[1], n[2], seed_of(n)); }},
    Family{"block_diagonal_", "BLOCKROWS_SIZE", "dense SIZE x SIZE blocks on the diagonal", 2, 0, 0,
           [](Numbers const& n) { return generate::block_diagonal(n[0], n[1]); }},
};

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

std::string all_patterns()
{
  std::string list;
  for (GalleryFamily const& family : gallery_families())
    list.append(list.empty() ? "" : ", ").append(family.pattern);
  return list;
}

// The family with the longest prefix that the name has.
Family const* find_family(std::string_view name)
{
  Family const* found = nullptr;
  for (Family const& family : families)
  {
    std::string_view const prefix = family.prefix;
    if (name.substr(0, prefix.size()) == prefix &&
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

GalleryMatrix make_of_family(std::string const& name)
{
  Family const* const family = find_family(name);
  impl::require(family != nullptr, "gallery", "no matrix is called \"", name, "\"; there are ",
                all_patterns());
  std::optional<Numbers> numbers =
      parse_numbers(std::string_view(name).substr(std::string_view(family->prefix).size()));
  std::size_t const all = family->required + family->optional;
  impl::require(numbers && (numbers->size() == family->required || numbers->size() == all),
                "gallery", "\"", name, "\" does not have the form ", family->prefix,
                family->numbers, " (decimal numbers below 2^63, no leading zeros); there are ",
                all_patterns());
  Numbers completed(numbers->begin(),
                    numbers->begin() + static_cast<std::ptrdiff_t>(family->required));
  completed.resize(all, family->stand_in == first_number ? completed[0] : family->stand_in);
  if (numbers->size() > family->required && *numbers == completed)
    require_own_name(name, join(*family, completed, family->required));
  if (numbers->size() < all)
    numbers = completed;
  return family->make(*numbers);
}

} // namespace

std::vector<GalleryFamily> gallery_families()
try
{
  std::vector<GalleryFamily> list;
  list.reserve(families.size() + own_names.size());
  for (Family const& family : families)
    list.push_back({std::string(family.prefix) + family.numbers, family.description});
  for (OwnName const& own : own_names)
    list.push_back({std::string(own.name), "stands for " + std::string(own.family_name)});
  return list;
}
catch (...)
{
  impl::rethrow_out_of_memory("gallery_families");
}

GalleryMatrix gallery(std::string const& name)
try
{
  for (OwnName const& own : own_names)
  {
    if (name == own.name)
      return make_of_family(std::string(own.family_name));
    if (name == own.family_name)
      require_own_name(name, own.name);
  }
  return make_of_family(name);
}
catch (...)
{
  impl::rethrow_out_of_memory("gallery");
}

} // namespace heddle
