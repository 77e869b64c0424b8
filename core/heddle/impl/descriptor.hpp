// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unistd.h>
#include <utility>

namespace heddle::impl
{

// A file descriptor of the system, closed at the end; negative where there is none.
class Descriptor
{
public:
  explicit Descriptor(int value = -1)
      : m_value(value)
  {}
  Descriptor(Descriptor&& other) noexcept
      : m_value(other.release())
  {}
  Descriptor& operator=(Descriptor&& other) noexcept
  {
    std::swap(m_value, other.m_value);
    return *this;
  }
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;
  ~Descriptor()
  {
    if (m_value >= 0)
      close(m_value);
  }

  int value() const { return m_value; }
  // The caller closes it from now on.
  int release() { return std::exchange(m_value, -1); }

private:
  int m_value;
};

} // namespace heddle::impl
