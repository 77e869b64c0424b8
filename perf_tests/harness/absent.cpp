// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/absent.hpp>
#include <heddle/error.hpp>

#include <algorithm>

namespace heddle::perf
{

namespace
{

std::string message_of(std::string const& name, std::string const& value_type)
{
  std::string message = "there is no ";
  message.append(name).append(" for ").append(value_type).append(", or not for as many entries");
  return message;
}

} // namespace

void add_absent(std::vector<Candidate>& all, Settings const& settings,
                std::string const& value_type)
{
  for (std::string const& name : settings.implementations)
  {
    // Names without a namespace are no kernels but choices of heddle-perf.
    bool const is_kernel = name.find("::") != std::string::npos;
    bool const is_there = std::ranges::any_of(
        all, [&name](Candidate const& one) { return one.implementation == "heddle::" + name; });
    if (is_kernel && !is_there)
      all.push_back({"heddle::" + name,
                     "",
                     {},
                     [message = message_of(name, value_type)] { throw Unsupported(message); },
                     {}});
  }
}

} // namespace heddle::perf
