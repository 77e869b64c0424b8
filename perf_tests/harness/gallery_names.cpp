// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/gallery_names.hpp>
#include <harness/nearest.hpp>
#include <heddle/gallery.hpp>

#include <algorithm>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace heddle::perf
{

namespace
{

// Of the patterns of gallery_families(): capitals are numbers, what is in [] may be left out.
std::regex const placeholder("[A-Z]+");

std::regex expression_of(std::string const& pattern)
{
  std::string expression = std::regex_replace(pattern, placeholder, "(0|#[0-9]*)");
  expression = std::regex_replace(expression, std::regex("\\[_"), "(_");
  expression = std::regex_replace(expression, std::regex("\\)\\]"), "))?");
  expression = std::regex_replace(expression, std::regex("#"), "[1-9]");
  return std::regex(expression);
}

// A name that another one stands behind, without what stands before that.
std::string without_permutations(std::string const& name)
{
  return std::regex_replace(name, std::regex("^(permuted_[0-9]+_[0-9]+_)+"), "");
}

bool is_in_gallery(std::string const& name)
{
  static std::vector<std::regex> const expressions = [] {
    std::vector<std::regex> all;
    for (GalleryFamily const& family : gallery_families())
      all.push_back(expression_of(family.pattern));
    return all;
  }();
  return std::ranges::any_of(expressions, [&](std::regex const& expression) {
    return std::regex_match(name, expression);
  });
}

std::vector<std::string> numbers_of(std::string const& name)
{
  std::regex const digits("[0-9]+");
  std::vector<std::string> all;
  std::transform(std::sregex_iterator(name.begin(), name.end(), digits), std::sregex_iterator(),
                 std::back_inserter(all), [](std::smatch const& match) { return match.str(); });
  return all;
}

// The pattern without what may be left out, and with the last of the numbers in it.
std::string filled(std::string pattern, std::vector<std::string> numbers)
{
  pattern.resize(std::min(pattern.size(), pattern.find('[')));
  auto const places = std::distance(
      std::sregex_iterator(pattern.begin(), pattern.end(), placeholder), std::sregex_iterator());
  auto const count = static_cast<std::size_t>(places);
  if (numbers.size() > count)
    numbers.erase(numbers.begin(), numbers.end() - places);
  numbers.resize(count, "1");
  for (std::string const& number : numbers)
    pattern =
        std::regex_replace(pattern, placeholder, number, std::regex_constants::format_first_only);
  return pattern;
}

// Of the family whose matrix with the numbers of the name is called most like it.
std::string nearest_pattern(std::string const& name)
{
  std::vector<std::string> patterns, filled_in;
  for (GalleryFamily const& family : gallery_families())
  {
    patterns.push_back(family.pattern);
    filled_in.push_back(filled(family.pattern, numbers_of(name)));
  }
  auto const found = std::ranges::find(filled_in, nearest(name, filled_in));
  return found == filled_in.end()
             ? ""
             : patterns[static_cast<std::size_t>(std::distance(filled_in.begin(), found))];
}

} // namespace

std::string why_not_in_gallery(std::string const& name)
{
  std::string const moved = without_permutations(name);
  if (is_in_gallery(moved))
    return {};
  std::string const pattern = nearest_pattern(moved);
  return "unknown gallery matrix '" + name + "'" +
         (pattern.empty() ? ";" : "; did you mean '" + pattern + "'?") +
         " heddle-perf gallery lists them";
}

} // namespace heddle::perf
