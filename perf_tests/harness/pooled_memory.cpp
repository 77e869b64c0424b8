// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/block_cache.hpp>
#include <harness/pooled_memory.hpp>

#include <Kokkos_Core.hpp>

#if defined(HEDDLE_PERF_WRAPS_CUDA_MALLOC)

#include <cuda_runtime_api.h>

#include <atomic>

// The linker sends all calls of cudaMalloc in the program's own code and static libraries to
// __wrap_cudaMalloc, and those of __real_cudaMalloc to the CUDA runtime (ld --wrap).
extern "C" {
cudaError_t __real_cudaMalloc(void** block, std::size_t bytes);
cudaError_t __real_cudaFree(void* block);
}

namespace heddle::perf
{

namespace
{

std::atomic<bool>& is_pooling()
{
  static std::atomic<bool> is_on = false;
  return is_on;
}

// Never destroyed: static objects may free memory after it would be.
BlockCache& pool()
{
  static auto* const cache = new BlockCache(
      [](std::size_t bytes) {
        void* block = nullptr;
        if (__real_cudaMalloc(&block, bytes) != cudaSuccess)
        {
          cudaGetLastError(); // or the next call would report this one
          return static_cast<void*>(nullptr);
        }
        return block;
      },
      [](void* block) { __real_cudaFree(block); });
  return *cache;
}

} // namespace

PooledMemory::PooledMemory() { is_pooling() = true; }

PooledMemory::~PooledMemory()
{
  is_pooling() = false;
  pool().trim();
}

std::size_t PooledMemory::peak() { return pool().peak(); }
void PooledMemory::reset_peak() { pool().reset_peak(); }

} // namespace heddle::perf

extern "C" cudaError_t __wrap_cudaMalloc(void** block, std::size_t bytes)
{
  using namespace heddle::perf;
  if (!is_pooling() || bytes == 0)
    return __real_cudaMalloc(block, bytes);
  *block = pool().allocate(bytes);
  return *block != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

extern "C" cudaError_t __wrap_cudaFree(void* block)
{
  using namespace heddle::perf;
  if (block != nullptr && pool().release(block))
  {
    if (!is_pooling())
    {
      cudaDeviceSynchronize();
      pool().trim();
    }
    return cudaSuccess;
  }
  return __real_cudaFree(block);
}

#else

namespace heddle::perf
{

PooledMemory::PooledMemory() = default;
PooledMemory::~PooledMemory() = default;
std::size_t PooledMemory::peak() { return 0; }
void PooledMemory::reset_peak() {}

} // namespace heddle::perf

#endif
