// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The names that --implementation and --baseline take, from the lists that kernels and baselines
// themselves are taken from.

#include <harness/settings.hpp>
#include <harness/types.hpp>
#include <heddle/impl/dispatch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::perf
{

// Whether a list of implementations has one: those of papers are empty for some types.
template <class List>
inline constexpr bool has_any_v = !std::is_same_v<List, impl::Candidates<>>;

// Of one command, besides all.
struct ImplementationNames
{
  std::vector<std::string> built;     // in this build, for one value type at least
  std::vector<std::string> elsewhere; // in other builds alone
};

// Adds the names that are not yet there.
template <class Names>
void add_names(std::vector<std::string>& all, Names const& names)
{
  for (auto const& name : names)
    if (std::find(all.begin(), all.end(), name) == all.end())
      all.emplace_back(name);
}

// Adds names_of.template operator()<Value>() for every value type of this build.
template <class NamesOf>
void add_names_of_types(std::vector<std::string>& all, NamesOf const& names_of)
{
  auto const add = [&]<class Value>(Value const&) {
    if constexpr (is_built_v<Value>)
      add_names(all, names_of.template operator()<Value>());
  };
  add(float{});
  add(double{});
  add(Kokkos::complex<float>{});
  add(Kokkos::complex<double>{});
}

// Of any build; "none" is one of them.
std::vector<std::string> known_baselines();
// Those of this build.
std::vector<std::string> built_baselines();
// Of these the ones of this build.
std::vector<std::string> built_of(std::vector<std::string> const& baselines);

// The settings with the baseline none taken out, if all of their names are in this build. Throws
// InvalidArgument.
Settings checked(Settings settings, ImplementationNames const& implementations);

} // namespace heddle::perf
