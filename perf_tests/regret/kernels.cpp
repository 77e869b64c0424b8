// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <regret/kernels.hpp>

namespace heddle::perf
{

namespace
{

bool has(std::vector<std::string> const& list, std::string const& name)
{
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::string joined(std::vector<std::string> const& list)
{
  std::string text;
  for (std::string const& name : list)
    text.append(text.empty() ? "" : ",").append(name);
  return text;
}

} // namespace

std::vector<std::string> compared_names(std::vector<std::string> const& built,
                                        std::vector<std::string> const& asked)
{
  std::vector<std::string> names;
  std::copy_if(built.begin(), built.end(), std::back_inserter(names), [&](std::string const& name) {
    bool const is_compared = !name.starts_with("auto_") && !name.starts_with("step_");
    return has(asked, name) || (has(asked, "all") && is_compared);
  });
  return names;
}

std::string scope_of(RegretSettings const& settings)
{
  Settings const& common = settings.common;
  std::vector<std::string> widths;
  std::transform(common.widths.begin(), common.widths.end(), std::back_inserter(widths),
                 [](int k) { return std::to_string(k); });
  std::string text;
  for (auto const& list : {settings.operations, common.ops, common.types, widths, common.layouts,
                           common.implementations, common.baselines})
    text.append(text.empty() ? "" : "; ").append(joined(list));
  return text;
}

} // namespace heddle::perf
