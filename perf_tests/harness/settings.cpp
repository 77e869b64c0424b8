// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/settings.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace heddle::perf
{

namespace
{

bool contains(std::vector<std::string> const& list, std::string const& name)
{
  return std::ranges::find(list, name) != list.end();
}

} // namespace

bool Settings::wants_baseline(std::string const& name) const { return contains(baselines, name); }

bool Settings::wants(std::string const& implementation) const
{
  return contains(implementations, implementation) || contains(implementations, "all");
}

} // namespace heddle::perf
