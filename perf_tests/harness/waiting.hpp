// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>

namespace heddle::perf
{

// How much of the time since its construction the threads of this process were ready to run and had
// no core: because other programs run, or because there are more threads than cores.
class WaitingForCores
{
public:
  WaitingForCores();
  // Of all threads together over the time of one, at most 1; 0 where the system does not count it.
  double share() const;

private:
  double m_waited_s;
  std::chrono::steady_clock::time_point m_start;
};

} // namespace heddle::perf
