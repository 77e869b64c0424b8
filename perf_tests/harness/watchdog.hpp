// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace heddle::perf
{

// Ends the program with exit_code if it lives longer than so many seconds: nothing else stops a
// kernel that runs for hours. 0 seconds: does nothing.
class Watchdog
{
public:
  static constexpr int exit_code = 8;

  Watchdog(double seconds, std::string const& what);
  ~Watchdog();
  Watchdog(Watchdog const&) = delete;
  Watchdog& operator=(Watchdog const&) = delete;

private:
  std::mutex m_mutex;
  std::condition_variable m_over;
  bool m_is_over = false;
  std::thread m_thread;
};

} // namespace heddle::perf
