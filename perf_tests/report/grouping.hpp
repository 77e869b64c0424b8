// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <report/result.hpp>

namespace heddle::perf
{

// Groups by key, in the order in which keys first come.
template <class Key>
using Groups = std::vector<std::pair<Key, std::vector<Result>>>;

template <class KeyOf>
auto grouped(std::vector<Result> const& results, KeyOf const& key_of)
{
  using Key = decltype(key_of(results.front()));
  Groups<Key> groups;
  for (Result const& result : results)
  {
    Key const key = key_of(result);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&key](auto const& candidate) { return candidate.first == key; });
    if (group == groups.end())
      group = groups.insert(groups.end(), {key, {}});
    group->second.push_back(result);
  }
  return groups;
}

template <class Predicate>
std::vector<Result> filtered(std::vector<Result> const& results, Predicate const& predicate)
{
  std::vector<Result> some;
  std::copy_if(results.begin(), results.end(), std::back_inserter(some), predicate);
  return some;
}

// How a legend calls the implementation of a result: of formats the format with its parameters.
std::string series_name(Result const& result);

// What implementations are compared on.
std::string problem_name(Result const& result);

} // namespace heddle::perf
