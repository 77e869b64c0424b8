// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How much memory an execution space can still have. Systems promise more than they have and then
// end the process, so what may be large asks here first.

#include <heddle/impl/operands.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <string>
#include <type_traits>

namespace heddle::impl
{

// A number in a file, or unlimited where the file is not there or says otherwise ("max").
inline std::size_t number_in_file(char const* path)
{
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : std::numeric_limits<std::size_t>::max();
}

// Of the host, where Linux tells: what it calls available, and not more than a container's limit
// leaves.
inline std::size_t available_host_bytes()
{
  std::size_t available = std::numeric_limits<std::size_t>::max();
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word)
    if (word == "MemAvailable:")
    {
      std::size_t kibibytes = 0;
      if (file >> kibibytes)
        available = kibibytes << 10;
      break;
    }
  std::size_t const limit = number_in_file("/sys/fs/cgroup/memory.max");
  std::size_t const used = number_in_file("/sys/fs/cgroup/memory.current");
  if (limit != std::numeric_limits<std::size_t>::max() && used <= limit)
    available = std::min(available, limit - used);
  return available;
}

#if defined(KOKKOS_ENABLE_CUDA)
inline std::size_t free_device_bytes()
{
  std::size_t available = 0, total = 0;
  require_cuda(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
  return available;
}
#endif

// On CUDA with what the pool of scratch memory keeps and nothing uses: require_available makes it
// available to others.
template <class Exec>
std::size_t available_bytes(Exec const& exec)
{
  static_cast<void>(exec);
  if constexpr (is_host_v<Exec>)
    return available_host_bytes();
#if defined(KOKKOS_ENABLE_CUDA)
  else if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
    return free_device_bytes() + idle_scratch_bytes(exec.cuda_device());
#endif
  else
    return std::numeric_limits<std::size_t>::max();
}

// Bytes up to which it is not worth asking how many there are.
inline constexpr std::size_t small_allocation = std::size_t(64) << 20;

// Throws OutOfMemory where so many bytes are not there for Views. On CUDA idle scratch memory is
// given back where the bytes are not there without it.
template <class Exec>
void require_available(Exec const& exec, char const* function, std::string const& what,
                       std::size_t bytes)
{
  if (bytes <= small_allocation)
    return;
  std::size_t const available = available_bytes(exec);
  if (bytes > available)
    throw OutOfMemory("heddle::" + std::string(function) + ": " + what + " needs " +
                          std::to_string(bytes) + " bytes, " + std::to_string(available) +
                          " are available",
                      bytes, available);
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
    if (bytes > free_device_bytes())
      return_idle_scratch(exec);
#endif
}

} // namespace heddle::impl
