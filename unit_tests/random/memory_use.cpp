// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <random/memory_use.hpp>

namespace heddle::test::random
{

MemoryUse memory_use()
{
  MemoryUse use;
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  struct mallinfo2 const heap = mallinfo2();
  use.host = static_cast<std::int64_t>(heap.uordblks + heap.hblkhd);
#endif
#if defined(KOKKOS_ENABLE_CUDA)
  std::size_t free = 0, all = 0;
  if (cudaMemGetInfo(&free, &all) == cudaSuccess)
    use.device = static_cast<std::int64_t>(all - free);
#endif
  return use;
}

} // namespace heddle::test::random
