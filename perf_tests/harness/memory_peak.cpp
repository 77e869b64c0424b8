// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/memory_peak.hpp>
#include <harness/pooled_memory.hpp>
#include <harness/types.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace heddle::perf
{

std::optional<std::size_t> bytes_in_status(std::string const& status, std::string const& name)
{
  std::istringstream lines(status);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name + ":"))
    {
      std::istringstream rest(line.substr(name.size() + 1));
      std::size_t kibibytes = 0;
      std::string unit;
      if (rest >> kibibytes >> unit && unit == "kB")
        return 1024 * kibibytes;
    }
  return std::nullopt;
}

#if defined(KOKKOS_ENABLE_CUDA)

std::optional<MemoryTaken> memory_taken(std::function<void()> const& call)
{
  Exec{}.fence("heddle::perf::memory");
  cudaMemPool_t const scratch = impl::scratch_pool(Exec{}.cuda_device());
  std::uint64_t before = 0, high = 0;
  cudaMemPoolGetAttribute(scratch, cudaMemPoolAttrUsedMemCurrent, &before);
  std::uint64_t zero = 0;
  cudaMemPoolSetAttribute(scratch, cudaMemPoolAttrUsedMemHigh, &zero);
  PooledMemory::reset_peak();
  std::size_t const pooled = PooledMemory::peak();
  call();
  Exec{}.fence("heddle::perf::memory");
  cudaMemPoolGetAttribute(scratch, cudaMemPoolAttrUsedMemHigh, &high);
  return MemoryTaken{PooledMemory::peak() - pooled + (high > before ? high - before : 0), 0};
}

#else

namespace
{

std::string status()
{
  std::ifstream file("/proc/self/status");
  return {std::istreambuf_iterator<char>(file), {}};
}

void give_back()
{
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

} // namespace

std::optional<MemoryTaken> memory_taken(std::function<void()> const& call)
{
  give_back();
  std::ofstream reset("/proc/self/clear_refs");
  reset << "5" << std::flush; // VmHWM begins again
  auto const before = bytes_in_status(status(), "VmRSS");
  call();
  auto const high = bytes_in_status(status(), "VmHWM");
  give_back();
  auto const after = bytes_in_status(status(), "VmRSS");
  if (!reset || !before || !high || !after)
    return std::nullopt;
  return MemoryTaken{*high - std::min(*high, *before), *after - std::min(*after, *before)};
}

#endif

} // namespace heddle::perf
