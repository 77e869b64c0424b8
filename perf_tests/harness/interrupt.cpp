// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/interrupt.hpp>

#include <array>
#include <csignal>
#include <string_view>
#include <unistd.h>

namespace heddle::perf
{

namespace
{

constexpr std::array caught = {SIGINT, SIGTERM};
volatile std::sig_atomic_t noted = 0;

// Calls only what POSIX lets a handler call.
void note(int signal)
{
  if (noted != 0)
  {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  noted = signal;
  constexpr std::string_view text = "heddle-perf: interrupted: this case still comes to its end "
                                    "(once more: ends at once)\n";
  [[maybe_unused]] auto const written = write(STDERR_FILENO, text.data(), text.size());
}

} // namespace

void catch_interrupts()
{
  for (int const each : caught)
    if (std::signal(each, note) == SIG_IGN) // as nohup and shells ask it of what runs behind
      std::signal(each, SIG_IGN);
}

int interrupted_by() { return noted; }

} // namespace heddle::perf
