// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/nearest.hpp>
#include <heddle/error.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle::perf
{

std::size_t edit_distance(std::string_view a, std::string_view b)
{
  // Distances of the prefixes of b from a's prefix of i letters, and of one and two letters less.
  std::vector<std::size_t> current(b.size() + 1), one_less(current), two_less(current);
  std::iota(current.begin(), current.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i)
  {
    two_less = std::exchange(one_less, current);
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j)
    {
      std::size_t const replaced = one_less[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({replaced, one_less[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], two_less[j - 2] + 1);
    }
  }
  return current.back();
}

std::string nearest(std::string const& text, std::vector<std::string> const& names)
{
  std::string best;
  std::size_t least = text.size();
  for (std::string const& name : names)
  {
    std::size_t const distance = edit_distance(text, name);
    if (3 * distance <= std::max(text.size(), name.size()) && distance < least)
    {
      least = distance;
      best = name;
    }
  }
  return best;
}

std::string did_you_mean(std::string const& text, std::vector<std::string> const& names)
{
  std::string const name = nearest(text, names);
  return name.empty() ? "" : "; did you mean '" + name + "'?";
}

bool contains(std::vector<std::string> const& names, std::string const& name)
{
  return std::ranges::find(names, name) != names.end();
}

std::string listed(std::vector<std::string> const& names)
{
  std::string list;
  for (std::string const& name : names)
    list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

void require_known(std::string const& kind, std::vector<std::string> const& asked,
                   std::vector<std::string> const& names)
{
  auto const unknown =
      std::ranges::find_if(asked, [&](std::string const& name) { return !contains(names, name); });
  if (unknown == asked.end())
    return;
  std::string const guess = did_you_mean(*unknown, names);
  throw InvalidArgument("unknown " + kind + " '" + *unknown + "'" +
                        (guess.empty() ? "; there are: " : guess + " There are: ") + listed(names));
}

} // namespace heddle::perf
