// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/waiting.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace heddle::perf
{

namespace
{

// Seconds that threads spent in a run queue: the second of the numbers that Linux has for each
// (proc(5), schedstat).
double waited_seconds()
{
  double sum = 0;
  std::error_code none;
  for (auto const& thread : std::filesystem::directory_iterator("/proc/self/task", none))
  {
    std::ifstream file(thread.path() / "schedstat");
    double ran = 0, waited = 0;
    if (file >> ran >> waited)
      sum += waited;
  }
  return 1e-9 * sum;
}

} // namespace

WaitingForCores::WaitingForCores()
    : m_waited_s(waited_seconds())
    , m_start(std::chrono::steady_clock::now())
{}

double WaitingForCores::share() const
{
  std::chrono::duration<double> const spent = std::chrono::steady_clock::now() - m_start;
  double const waited = waited_seconds() - m_waited_s;
  return spent.count() > 0 ? std::clamp(waited / spent.count(), 0.0, 1.0) : 0.0;
}

} // namespace heddle::perf
