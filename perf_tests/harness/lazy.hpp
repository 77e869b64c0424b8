// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

namespace heddle::perf
{

// Made when it is first asked for: a reference that no case needs costs nothing.
template <class Make>
class Lazy
{
public:
  explicit Lazy(Make make)
      : m_make(std::move(make))
  {}
  auto const& operator()() const
  {
    if (!m_value)
      m_value.emplace(m_make());
    return *m_value;
  }

private:
  Make m_make;
  mutable std::optional<std::invoke_result_t<Make const&>> m_value;
};

} // namespace heddle::perf
