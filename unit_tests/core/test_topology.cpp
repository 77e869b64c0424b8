// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/error.hpp>
#include <heddle/topology.hpp>
#include <support/environment.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <optional>
#include <string>
#include <vector>
#if defined(__linux__)
#include <atomic>
#include <chrono>
#include <filesystem>
#include <sched.h>
#include <thread>
#endif

namespace heddle::test
{

namespace
{

Topology example()
{
  Topology t;
  t.cpu_model = "Example CPU";
  t.packages = 2;
  t.numa_nodes = 4;
  t.cores = 64;
  t.hardware_threads = 128;
  t.memory_bytes = std::size_t(512) << 30;
  t.caches = {{1, 32768, 64}, {2, 1048576, 64}, {3, 33554432, 8}};
  t.binding = "0-3,8";
  t.bound_threads = 5;
  t.has_hwloc = true;
  return t;
}

#if defined(__linux__)
// The hardware threads that the threads of this process may run on: an OpenMP library may have
// bound each to one.
class ProcessBinding
{
public:
  ProcessBinding()
  {
    for (auto const& entry : std::filesystem::directory_iterator("/proc/self/task"))
    {
      Thread thread{std::stoi(entry.path().filename()), {}};
      if (sched_getaffinity(thread.id, sizeof(thread.allowed), &thread.allowed) == 0)
        m_threads.push_back(thread);
    }
  }
  ~ProcessBinding()
  {
    for (Thread const& thread : m_threads)
      sched_setaffinity(thread.id, sizeof(thread.allowed), &thread.allowed);
  }
  ProcessBinding(ProcessBinding const&) = delete;
  ProcessBinding& operator=(ProcessBinding const&) = delete;

  cpu_set_t all() const
  {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (Thread const& thread : m_threads)
      CPU_OR(&set, &set, &thread.allowed);
    return set;
  }
  int first() const
  {
    cpu_set_t const set = all();
    int cpu = 0;
    while (!CPU_ISSET(cpu, &set))
      ++cpu;
    return cpu;
  }
  bool set_to(int cpu) const
  {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    bool is_set = true;
    for (Thread const& thread : m_threads)
      is_set = sched_setaffinity(thread.id, sizeof(one), &one) == 0 && is_set;
    return is_set;
  }

private:
  struct Thread
  {
    int id;
    cpu_set_t allowed;
  };
  std::vector<Thread> m_threads;
};
#endif

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using Catch::Matchers::Message;
using heddle::Topology;

TEST_CASE("the machine has hardware threads", "[topology]")
{
  Topology const t = heddle::host_topology();
  CHECK(t.hardware_threads >= 1);
  CHECK(to_string(t).find("hardware threads") != std::string::npos);
}

TEST_CASE("the numbers of the machine fit together", "[topology]")
{
  Topology const t = heddle::host_topology();
  if (!t.has_hwloc)
    SKIP("built without hwloc");
  CHECK(t.cores >= 1);
  CHECK(t.hardware_threads >= t.cores);
  CHECK(t.packages >= 1);
  CHECK(t.cores >= t.packages);
  CHECK(t.numa_nodes >= 1);
  CHECK(t.memory_bytes > (std::size_t(16) << 20));
  int level = 0;
  for (heddle::CacheLevel const& cache : t.caches)
  {
    CHECK(cache.level > level);
    level = cache.level;
    CHECK(cache.bytes >= 1024);
    CHECK(cache.count >= 1);
    CHECK(cache.count <= t.hardware_threads);
  }
}

#if defined(__linux__)
TEST_CASE("the binding is the one of the process", "[topology]")
{
  Topology const t = heddle::host_topology();
  if (!t.has_hwloc)
    SKIP("built without hwloc");
  cpu_set_t const allowed = ProcessBinding().all();
  CHECK(t.bound_threads == CPU_COUNT(&allowed));
  CHECK(t.bound_threads <= t.hardware_threads);
  CHECK_FALSE(t.binding.empty());
  CHECK(t.binding.find_first_not_of("0123456789,-") == std::string::npos);
}

TEST_CASE("a binding to one hardware thread is seen", "[topology]")
{
  Topology const unbound = heddle::host_topology();
  if (!unbound.has_hwloc)
    SKIP("built without hwloc");
  ProcessBinding const before; // and afterwards
  REQUIRE(before.set_to(before.first()));
  Topology const t = heddle::host_topology();
  CHECK(t.bound_threads == 1);
  CHECK(t.binding == std::to_string(before.first()));
  CHECK(t.hardware_threads == unbound.hardware_threads); // of the whole machine
}

TEST_CASE("the binding of one thread is not the one of the process", "[topology]")
{
  if (!heddle::host_topology().has_hwloc)
    SKIP("built without hwloc");
  std::atomic<bool> is_done = false;
  std::thread other([&] {
    while (!is_done)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  Topology t;
  cpu_set_t all, one;
  {
    ProcessBinding const before; // and afterwards
    all = before.all();
    CPU_ZERO(&one);
    CPU_SET(before.first(), &one);
    sched_setaffinity(0, sizeof(one), &one); // this thread
    t = heddle::host_topology();
  }
  is_done = true;
  other.join();
  CHECK(t.bound_threads == CPU_COUNT(&all));
}
#endif

TEST_CASE("the last cache is the machine's, or the one that a variable names", "[topology]")
{
  EnvironmentVariable const unset("HEDDLE_LAST_CACHE_BYTES", std::nullopt);
  auto const caches = heddle::host_topology().caches;
  CHECK(heddle::last_cache_bytes() == (caches.empty() ? 0 : caches.back().bytes));
  {
    EnvironmentVariable const set("HEDDLE_LAST_CACHE_BYTES", "1048576");
    CHECK(heddle::last_cache_bytes() == 1048576);
  }
  for (std::string const wrong : {"", "0", "-1", "32M", "1e6", "99999999999999999999999"})
  {
    EnvironmentVariable const set("HEDDLE_LAST_CACHE_BYTES", wrong);
    CHECK_THROWS_MATCHES(heddle::last_cache_bytes(), heddle::InvalidArgument,
                         Message("heddle::last_cache_bytes: HEDDLE_LAST_CACHE_BYTES is '" + wrong +
                                 "', expected a positive integer"));
  }
}

TEST_CASE("a topology has a text", "[topology]")
{
  CHECK(to_string(example()) == "Example CPU: 2 packages, 4 NUMA nodes, 64 cores, 128 hardware "
                                "threads, 524288 MiB of memory\n"
                                "L1 32 KiB x 64\nL2 1024 KiB x 64\nL3 32768 KiB x 8\n"
                                "bound to 5 hardware threads (0-3,8)\n");
  Topology without = example();
  without.has_hwloc = false;
  without.cpu_model.clear();
  CHECK(to_string(without) ==
        "unknown CPU: 128 hardware threads (built without hwloc: nothing else is known)\n");
}
