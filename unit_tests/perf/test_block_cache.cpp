// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/block_cache.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <map>

using heddle::perf::BlockCache;

namespace
{

// Memory of limited size that counts.
struct Memory
{
  std::size_t most = 1 << 20, used = 0;
  int allocations = 0;
  std::size_t next = 1; // addresses are numbers
  std::map<void*, std::size_t> sizes;

  void* allocate(std::size_t bytes)
  {
    if (used + bytes > most)
      return nullptr;
    used += bytes;
    ++allocations;
    auto* const block = reinterpret_cast<void*>(next++);
    sizes[block] = bytes;
    return block;
  }
  void free(void* block)
  {
    used -= sizes.at(block);
    sizes.erase(block);
  }
};

BlockCache cache_of(Memory& memory)
{
  return {[&memory](std::size_t bytes) { return memory.allocate(bytes); },
          [&memory](void* block) { memory.free(block); }};
}

} // namespace

TEST_CASE("sizes of blocks are rounded up by at most an eighth, or to 512 bytes", "[perf]")
{
  for (std::size_t bytes : {1UL, 511UL, 512UL, 513UL, 4097UL, 1000000UL, 123456789UL})
  {
    std::size_t const rounded = BlockCache::rounded(bytes);
    CAPTURE(bytes, rounded);
    CHECK(rounded >= bytes);
    CHECK(rounded <= bytes + std::max<std::size_t>(bytes / 8, 512));
    CHECK(BlockCache::rounded(rounded) == rounded);
  }
}

TEST_CASE("a freed block is given to the next who asks for its size", "[perf]")
{
  Memory memory;
  BlockCache cache = cache_of(memory);
  void* const first = cache.allocate(1000);
  void* const second = cache.allocate(1000);
  CHECK(first != second);
  CHECK(cache.release(first));
  CHECK(cache.allocate(1020) == first);
  CHECK(memory.allocations == 2);
  CHECK(cache.allocate(5000) != nullptr);
  CHECK(memory.allocations == 3);
}

TEST_CASE("the peak is of blocks in use, not of those kept", "[perf]")
{
  Memory memory;
  BlockCache cache = cache_of(memory);
  std::size_t const size = BlockCache::rounded(1000);
  void* const first = cache.allocate(1000);
  void* const second = cache.allocate(1000);
  cache.release(first);
  CHECK(cache.allocate(1000) == first);
  CHECK(cache.peak() == 2 * size);
  cache.release(first);
  cache.reset_peak();
  CHECK(cache.peak() == size);
  cache.release(second);
  CHECK(cache.allocate(4096) != nullptr);
  CHECK(cache.peak() == BlockCache::rounded(4096));
}

TEST_CASE("a block is freed once, and strange ones not at all", "[perf]")
{
  Memory memory;
  BlockCache cache = cache_of(memory);
  void* const block = cache.allocate(1000);
  CHECK_FALSE(cache.release(reinterpret_cast<void*>(77)));
  CHECK(cache.release(block));
  CHECK_FALSE(cache.release(block));
  cache.trim();
  CHECK(memory.used == 0);
}

TEST_CASE("what is kept is freed before there is no memory", "[perf]")
{
  Memory memory;
  BlockCache cache = cache_of(memory);
  void* const block = cache.allocate(memory.most / 2 + 1);
  CHECK(cache.allocate(memory.most / 2 - 100000) != nullptr);
  CHECK(cache.allocate(memory.most / 2) == nullptr); // the first is in use
  CHECK(cache.release(block));
  CHECK(cache.allocate(memory.most / 2) != nullptr);
}
