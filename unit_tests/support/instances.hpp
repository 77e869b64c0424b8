// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace heddle::test
{

// An instance of five threads, whatever the machine has, where the space lets its user choose: work
// is then cut into pieces that a machine of two cores never sees. Else the default one.
template <class Exec>
Exec instance_of_five()
{
#if defined(KOKKOS_ENABLE_OPENMP)
  if constexpr (std::is_same_v<Exec, Kokkos::OpenMP>)
    return Kokkos::OpenMP(5);
#endif
  return Exec{};
}

// Instances that work at once and none of which is the default one: of a thread each on OpenMP,
// which makes copies of the default instance unless nested parallelism is on, streams of their own
// on devices.
template <class Exec>
std::vector<Exec> instances_of(std::size_t count)
{
#if defined(KOKKOS_ENABLE_OPENMP)
  if constexpr (std::is_same_v<Exec, Kokkos::OpenMP>)
  {
    std::vector<Exec> instances;
    for (std::size_t n = 0; n < count; ++n)
      instances.emplace_back(1);
    return instances;
  }
#endif
  return Kokkos::Experimental::partition_space(Exec{}, std::vector<int>(count, 1));
}

template <class Exec>
std::array<Exec, 2> two_instances()
{
  auto const both = instances_of<Exec>(2);
  return {both[0], both[1]};
}

// work(exec, n) on instance n, each in a thread of its own, starting together; what they return, or
// the words of what they throw.
template <class Exec, class Work>
std::vector<std::string> at_once_on(std::vector<Exec> const& instances, Work const& work)
{
  std::vector<std::string> results(instances.size());
  std::atomic<std::size_t> waiting = instances.size();
  auto const run = [&](std::size_t n) {
    --waiting;
    while (waiting > 0)
      std::this_thread::yield();
    try
    {
      results[n] = work(instances[n], n);
    }
    catch (std::exception const& error)
    {
      results[n] = error.what();
    }
  };
  std::vector<std::thread> others;
  for (std::size_t n = 1; n < instances.size(); ++n)
    others.emplace_back(run, n);
  run(0);
  for (std::thread& other : others)
    other.join();
  return results;
}

// work(exec) on two instances at once.
template <class Exec, class Work>
std::array<std::string, 2> at_once(Work const& work)
{
  auto const results =
      at_once_on(instances_of<Exec>(2), [&](Exec const& exec, std::size_t) { return work(exec); });
  return {results[0], results[1]};
}

inline std::array<std::string, 2> const both_right{"", ""};

} // namespace heddle::test
