// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/process_group.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <new>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace heddle::perf
{

namespace
{

void kill_all(std::vector<pid_t> const& processes)
{
  for (pid_t const process : processes)
  {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
}

[[noreturn]] void run_as_child(int rank, std::function<int(int)> const& body)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL); // or it would wait for ever where the first one is killed
  int const code = body(rank);
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(code); // what the first process has at its exit is not this one's to clean up
}

int code_of(int status)
{
  constexpr int killed = 128; // as shells say it
  return WIFEXITED(status) ? WEXITSTATUS(status) : killed + WTERMSIG(status);
}

// Waits for all; the code of the first that fails, when the others are gone.
int wait_for(std::vector<pid_t> processes)
{
  using namespace std::chrono_literals;
  while (!processes.empty())
  {
    for (auto process = processes.begin(); process != processes.end();)
    {
      int status = 0;
      if (waitpid(*process, &status, WNOHANG) == 0)
      {
        ++process;
        continue;
      }
      process = processes.erase(process);
      if (code_of(status) == 0)
        continue;
      kill_all(processes);
      return code_of(status);
    }
    std::this_thread::sleep_for(5ms);
  }
  return 0;
}

} // namespace

// Spins, since a system call takes as long as a small kernel, and lets others run where there are
// fewer cores than processes.
void meet(Meeting& meeting, int size)
{
  int const round = meeting.rounds.load();
  if (meeting.arrived.fetch_add(1) + 1 == size)
  {
    meeting.arrived.store(0); // before anybody can come again
    meeting.rounds.fetch_add(1);
    return;
  }
  while (meeting.rounds.load() == round)
    std::this_thread::yield();
}

namespace detail
{

void* new_shared_memory(std::size_t bytes)
{
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return memory;
}

void delete_shared_memory(void* memory, std::size_t bytes) { munmap(memory, bytes); }

int run_forked(int count, std::function<int(int)> const& body)
{
  std::cout.flush();
  std::fflush(nullptr); // or each process would print what is left in buffers
  std::vector<pid_t> processes;
  for (int rank = 0; rank < count; ++rank)
  {
    pid_t const process = fork();
    if (process == 0)
      run_as_child(rank, body);
    if (process < 0)
    {
      int const reason = errno;
      kill_all(processes);
      throw std::system_error(reason, std::generic_category(), "fork");
    }
    processes.push_back(process);
  }
  return wait_for(processes);
}

} // namespace detail

} // namespace heddle::perf
