// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/baselines.hpp>
#include <commands.hpp>

#include <map>
#include <string>

namespace heddle::perf
{

std::map<std::string, std::string> library_versions()
{
  return library_versions(BaselineFamilies{});
}

} // namespace heddle::perf
