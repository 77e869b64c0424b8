// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/watchdog.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace heddle::perf
{

Watchdog::Watchdog(double seconds, std::string const& what)
{
  if (seconds <= 0)
    return;
  m_thread = std::thread([this, seconds, what] {
    std::unique_lock lock(m_mutex);
    if (m_over.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return m_is_over; }))
      return;
    std::fprintf(stderr, "heddle-perf: %s took longer than %g s\n", what.c_str(), seconds);
    std::_Exit(exit_code); // without destructors, which would wait for the kernel
  });
}

Watchdog::~Watchdog()
{
  if (!m_thread.joinable())
    return;
  {
    std::scoped_lock const lock(m_mutex);
    m_is_over = true;
  }
  m_over.notify_one();
  m_thread.join();
}

} // namespace heddle::perf
