// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <unordered_map>

namespace heddle::perf
{

// Keeps blocks of memory that were freed for requests of their size. Sizes are rounded up by at
// most an eighth, so that requests that differ little share blocks. Safe to use from several
// threads.
class BlockCache
{
public:
  using Allocate = std::function<void*(std::size_t)>; // null where there is no memory
  using Free = std::function<void(void*)>;

  BlockCache(Allocate allocate, Free free);

  // A block of at least so many bytes, or null. What is kept is freed before it gives up.
  void* allocate(std::size_t bytes);
  // False if the block did not come from here.
  bool release(void* block);
  // Frees all blocks that nobody has; those in use stay known.
  void trim();

  // The most bytes of blocks in use at once since the last reset_peak.
  std::size_t peak();
  void reset_peak();

  static std::size_t rounded(std::size_t bytes);

private:
  void free_kept();

  Allocate m_allocate;
  Free m_free;
  std::mutex m_mutex;
  std::multimap<std::size_t, void*> m_kept;
  std::unordered_map<void*, std::size_t> m_used;
  std::size_t m_used_bytes = 0, m_peak = 0;
};

} // namespace heddle::perf
