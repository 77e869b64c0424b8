// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/block_cache.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::perf
{

BlockCache::BlockCache(Allocate allocate, Free free)
    : m_allocate(std::move(allocate))
    , m_free(std::move(free))
{}

std::size_t BlockCache::rounded(std::size_t bytes)
{
  constexpr std::size_t least = 512;
  std::size_t const step = std::max(least, std::bit_ceil(bytes) / 16);
  return std::max(least, (bytes + step - 1) / step * step);
}

void* BlockCache::allocate(std::size_t bytes)
{
  std::scoped_lock const lock(m_mutex);
  std::size_t const size = rounded(bytes);
  void* block = nullptr;
  if (auto const kept = m_kept.find(size); kept != m_kept.end())
  {
    block = kept->second;
    m_kept.erase(kept);
  }
  else
  {
    block = m_allocate(size);
    if (block == nullptr && !m_kept.empty())
    {
      free_kept();
      block = m_allocate(size);
    }
  }
  if (block != nullptr)
  {
    m_used.emplace(block, size);
    m_used_bytes += size;
    m_peak = std::max(m_peak, m_used_bytes);
  }
  return block;
}

bool BlockCache::release(void* block)
{
  std::scoped_lock const lock(m_mutex);
  auto const used = m_used.find(block);
  if (used == m_used.end())
    return false;
  m_kept.emplace(used->second, block);
  m_used_bytes -= used->second;
  m_used.erase(used);
  return true;
}

void BlockCache::trim()
{
  std::scoped_lock const lock(m_mutex);
  free_kept();
}

std::size_t BlockCache::peak()
{
  std::scoped_lock const lock(m_mutex);
  return m_peak;
}

void BlockCache::reset_peak()
{
  std::scoped_lock const lock(m_mutex);
  m_peak = m_used_bytes;
}

void BlockCache::free_kept()
{
  for (auto const& [size, block] : m_kept)
    m_free(block);
  m_kept.clear();
}

} // namespace heddle::perf
