// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the caches of a host keep from one use to the next, as shares of the last cache that a core
// has. The shares were measured on AMD EPYC (Zen 5) with 1 MiB of L2 and 32 MiB of L3 cache,
// 2026-11 (docs/performance.md; perf_tests/results/epyc_2/spmv_prefetch.txt); its L3 is assumed
// where hwloc is not there or names no cache.

#include <heddle/topology.hpp>

#include <cstddef>

namespace heddle::impl
{

struct HostCaches
{
  std::size_t last_bytes = std::size_t(32) << 20;

  // Rows of a dense matrix that are gathered: with more, they are asked for in advance.
  std::size_t gathered_bytes() const { return last_bytes / 4; }
  // A dense window of a row of SpGEMM: up to this it beats a hash table.
  std::size_t window_bytes() const { return last_bytes / 2; }
  // Entries that each call reads from first to last: with more, they come from memory. Entries of 8
  // bytes are read no faster than they are multiplied until there are twice as many bytes.
  std::size_t streamed_bytes(std::size_t entry) const
  {
    return entry > 8 ? last_bytes / 2 : last_bytes;
  }
};

// Of this machine.
inline HostCaches host_caches()
{
  std::size_t const known = last_cache_bytes();
  return known == 0 ? HostCaches{} : HostCaches{known};
}

} // namespace heddle::impl
