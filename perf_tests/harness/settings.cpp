// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/nearest.hpp>
#include <harness/settings.hpp>

#include <string>

namespace heddle::perf
{

bool Settings::wants_baseline(std::string const& name) const { return contains(baselines, name); }

bool Settings::wants(std::string const& implementation) const
{
  return contains(implementations, implementation) || contains(implementations, "all");
}

} // namespace heddle::perf
