// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/busy_stream.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::perf
{

#if defined(KOKKOS_ENABLE_CUDA)
namespace
{

__device__ std::uint64_t nanoseconds()
{
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

__global__ void wait_kernel(std::uint64_t duration)
{
  std::uint64_t const begin = nanoseconds();
  while (nanoseconds() - begin < duration)
    ;
}

} // namespace

void keep_busy(Kokkos::Cuda const& exec, double milliseconds)
{
  wait_kernel<<<1, 1, 0, exec.cuda_stream()>>>(static_cast<std::uint64_t>(1e6 * milliseconds));
}
#endif

} // namespace heddle::perf
