// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace heddle::test
{

// Sets an environment variable, or unsets it, and puts back what was there.
class EnvironmentVariable
{
public:
  EnvironmentVariable(std::string name, std::optional<std::string> const& value)
      : m_name(std::move(name))
  {
    if (char const* const before = std::getenv(m_name.c_str()); before != nullptr)
      m_before = before;
    set(value);
  }
  ~EnvironmentVariable() { set(m_before); }
  EnvironmentVariable(EnvironmentVariable const&) = delete;
  EnvironmentVariable& operator=(EnvironmentVariable const&) = delete;

private:
  void set(std::optional<std::string> const& value)
  {
    if (value)
      setenv(m_name.c_str(), value->c_str(), 1);
    else
      unsetenv(m_name.c_str());
  }

  std::string m_name;
  std::optional<std::string> m_before;
};

} // namespace heddle::test
