// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/baselines.hpp>
#include <harness/nearest.hpp>
#include <heddle/error.hpp>

#include <algorithm>
#include <iterator>
#include <names.hpp>
#include <string>
#include <vector>

namespace heddle::perf
{

namespace
{

// Those that are no library: serial code, of SpMM heddle's SpMV column by column, and nothing.
std::vector<std::string> own_baselines() { return {"serial", "spmv_loop", "none"}; }

template <class... Families>
std::vector<std::string> names_of(FamilyList<Families...>, bool is_built_alone)
{
  std::vector<std::string> all;
  auto const add = [&](char const* name, bool is_built) {
    if (is_built || !is_built_alone)
      all.emplace_back(name);
  };
  (add(Families::option, Families::template is_available_v<double>), ...);
  add_names(all, own_baselines());
  return all;
}

// A name that is known elsewhere is said to be so.
void require_built(std::string const& kind, std::vector<std::string> const& asked,
                   std::vector<std::string> const& built, std::vector<std::string> const& elsewhere)
{
  auto const missing = std::ranges::find_if(asked, [&](std::string const& name) {
    return !contains(built, name) && contains(elsewhere, name);
  });
  if (missing != asked.end())
    throw InvalidArgument("the " + kind + " '" + *missing +
                          "' is not in this build; there are: " + listed(built));
  require_known(kind, asked, built);
}

} // namespace

std::vector<std::string> known_baselines() { return names_of(BaselineFamilies{}, false); }

std::vector<std::string> built_baselines() { return names_of(BaselineFamilies{}, true); }

std::vector<std::string> built_of(std::vector<std::string> const& baselines)
{
  std::vector<std::string> const built = built_baselines();
  std::vector<std::string> kept;
  std::ranges::copy_if(baselines, std::back_inserter(kept),
                       [&](std::string const& name) { return contains(built, name); });
  return kept;
}

Settings checked(Settings settings, ImplementationNames const& implementations)
{
  std::vector<std::string> built = implementations.built, elsewhere = implementations.elsewhere;
  built.emplace_back("all");
#if !defined(HEDDLE_HAVE_CUDA_NATIVE)
  // What such a build has no names of.
  std::ranges::copy_if(settings.implementations, std::back_inserter(elsewhere),
                       [](std::string const& name) { return name.starts_with("cuda_native::"); });
#endif
  require_built("implementation", settings.implementations, built, elsewhere);
  require_built("baseline", settings.baselines, built_baselines(), known_baselines());
  std::erase(settings.baselines, "none");
  return settings;
}

} // namespace heddle::perf
