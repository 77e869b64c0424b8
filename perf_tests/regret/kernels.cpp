// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/nearest.hpp>
#include <heddle/impl/papers_names.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <regret/kernels.hpp>

namespace heddle::perf
{

namespace
{

std::string joined(std::vector<std::string> const& list)
{
  std::string text;
  for (std::string const& name : list)
    text.append(text.empty() ? "" : ",").append(name);
  return text;
}

// Also of a name with a fixed number behind it, such as scatter_vector_paper_4.
bool only_papers_have(std::string_view operation, std::string_view name)
{
  std::string_view const without_number = name.substr(0, name.find_last_not_of("_0123456789") + 1);
  return impl::is_papers_name(operation, name) || impl::is_papers_name(operation, without_number);
}

} // namespace

std::vector<std::string> compared_names(std::string const& operation,
                                        std::vector<std::string> const& built,
                                        std::vector<std::string> const& asked)
{
  std::vector<std::string> names;
  std::ranges::copy_if(built, std::back_inserter(names), [&](std::string const& name) {
    bool const is_compared = !name.starts_with("auto_") && !name.starts_with("step_") &&
                             !only_papers_have(operation, name);
    return contains(asked, name) || (contains(asked, "all") && is_compared);
  });
  return names;
}

std::string scope_of(RegretSettings const& settings)
{
  Settings const& common = settings.common;
  std::vector<std::string> widths;
  std::ranges::transform(common.widths, std::back_inserter(widths),
                         [](int k) { return std::to_string(k); });
  std::string text;
  for (auto const& list : {settings.operations, common.ops, common.types, widths, common.layouts,
                           common.implementations, common.baselines})
    text.append(text.empty() ? "" : "; ").append(joined(list));
  return text;
}

} // namespace heddle::perf
