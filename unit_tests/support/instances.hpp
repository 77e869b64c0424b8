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

// Two instances that work at once and neither of which is the default one: of a thread each on
// OpenMP, which makes copies of the default instance unless nested parallelism is on, streams of
// their own on devices.
template <class Exec>
std::array<Exec, 2> two_instances()
{
#if defined(KOKKOS_ENABLE_OPENMP)
  if constexpr (std::is_same_v<Exec, Kokkos::OpenMP>)
    return {Kokkos::OpenMP(1), Kokkos::OpenMP(1)};
#endif
  return Kokkos::Experimental::partition_space(Exec{}, 1, 1);
}

// work(exec) on both instances at once, starting together; what the two return.
template <class Exec, class Work>
std::array<std::string, 2> at_once(Work const& work)
{
  auto const instances = two_instances<Exec>();
  std::array<std::string, 2> results;
  std::atomic<int> waiting = 2;
  auto const run = [&](int n) {
    --waiting;
    while (waiting > 0)
      std::this_thread::yield();
    try
    {
      results[n] = work(instances[n]);
    }
    catch (std::exception const& error)
    {
      results[n] = error.what();
    }
  };
  std::thread other([&] { run(1); });
  run(0);
  other.join();
  return results;
}

inline std::array<std::string, 2> const both_right{"", ""};

} // namespace heddle::test
