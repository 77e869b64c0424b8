// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Large arrays of hosts in huge pages. The first write to a page is a fault that the kernel answers
// with zeros, and what a matrix product allocates is written once: with pages of 4 KiB these faults
// take longer than the product of two sparse matrices.

#if defined(__linux__)
#include <unistd.h>

#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// Asks for huge pages under memory that nobody has written yet, where Linux gives them to those who
// ask ("madvise" or "always" in /sys/kernel/mm/transparent_hugepage/enabled). Of no effect
// elsewhere, and to less than 4 MiB.
inline void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::size_t least = std::size_t(4) << 20;
  if (bytes < least)
    return;
  auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t const before = (page - reinterpret_cast<std::uintptr_t>(memory) % page) % page;
  // Advice: that it is not taken changes nothing but the time.
  static_cast<void>(
      madvise(static_cast<char*>(memory) + before, (bytes - before) / page * page, MADV_HUGEPAGE));
#endif
}

} // namespace heddle::impl
