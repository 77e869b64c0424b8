// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Replaces the program's allocation functions. glibc lets a program have its own malloc, under
// which that of glibc is __libc_malloc; libraries then call the program's, and so does operator
// new. Sanitizers have a malloc of their own and CUDA's driver does not expect one to fail, so
// there operator new is replaced instead.

#include <support/failing_allocations.hpp>
#include <support/sanitizers.hpp>

#include <Kokkos_Core.hpp>
#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime_api.h>
#endif

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace heddle::test
{

namespace
{

// Constants at start: allocations come before any constructor.
constinit std::atomic<bool> is_counting = false;
constinit std::atomic<std::int64_t> count = 0, failing = -1, live = 0;
// Whether this thread drops a View, makes one whose memory is there, or launches a kernel of teams.
constinit thread_local bool drops_view = false, has_view_memory = false, launches_teams = false;

// Whether the allocation that is asked for now is to fail.
bool is_to_fail()
{
  return is_counting.load(std::memory_order_relaxed) && !drops_view && !has_view_memory &&
         !launches_teams && count++ == failing.load();
}

void note_allocated(void const* block)
{
  if (block != nullptr && is_counting.load(std::memory_order_relaxed))
    ++live;
}

void note_freed(void const* block)
{
  if (block != nullptr && is_counting.load(std::memory_order_relaxed))
    --live;
}

} // namespace

FailingAllocations::FailingAllocations(std::int64_t n)
{
  count = 0;
  live = 0;
  failing = n;
  has_view_memory = launches_teams = false;
  is_counting = true;
}

void FailingAllocations::stop() { is_counting = false; }

bool FailingAllocations::has_failed() const { return count > failing; }

std::int64_t FailingAllocations::kept() const { return live; }

} // namespace heddle::test

using heddle::test::drops_view;
using heddle::test::has_view_memory;
using heddle::test::is_to_fail;
using heddle::test::launches_teams;
using heddle::test::note_allocated;
using heddle::test::note_freed;

// Functions of Kokkos by their names for the linker, which is told to send calls of other files to
// __wrap_, and those of __real_ to Kokkos (ld --wrap; cmake/tests.cmake).
extern "C" {
using KokkosRecord = Kokkos::Impl::SharedAllocationRecord<void, void>;

// HostSpace::allocate(label, bytes, bytes without the header) const
void* __real__ZNK6Kokkos9HostSpace8allocateEPKcmm(Kokkos::HostSpace const*, char const*,
                                                  std::size_t, std::size_t);
void* __wrap__ZNK6Kokkos9HostSpace8allocateEPKcmm(Kokkos::HostSpace const* space, char const* label,
                                                  std::size_t bytes, std::size_t without_header)
{
  void* const block =
      __real__ZNK6Kokkos9HostSpace8allocateEPKcmm(space, label, bytes, without_header);
  has_view_memory = true;
  return block;
}
#if defined(KOKKOS_ENABLE_CUDA)
// CudaSpace::allocate(instance, label, bytes, bytes without the header) const
void* __real__ZNK6Kokkos9CudaSpace8allocateERKNS_4CudaEPKcmm(Kokkos::CudaSpace const*,
                                                             Kokkos::Cuda const&, char const*,
                                                             std::size_t, std::size_t);
void* __wrap__ZNK6Kokkos9CudaSpace8allocateERKNS_4CudaEPKcmm(Kokkos::CudaSpace const* space,
                                                             Kokkos::Cuda const& exec,
                                                             char const* label, std::size_t bytes,
                                                             std::size_t without_header)
{
  void* const block = __real__ZNK6Kokkos9CudaSpace8allocateERKNS_4CudaEPKcmm(space, exec, label,
                                                                             bytes, without_header);
  has_view_memory = true;
  return block;
}
// CudaInternal::acquire_team_scratch_space() and release_team_scratch_space(number), which stand
// around a launch
int __real__ZN6Kokkos4Impl12CudaInternal26acquire_team_scratch_spaceEv(Kokkos::Impl::CudaInternal*);
int __wrap__ZN6Kokkos4Impl12CudaInternal26acquire_team_scratch_spaceEv(
    Kokkos::Impl::CudaInternal* device)
{
  launches_teams = true;
  return __real__ZN6Kokkos4Impl12CudaInternal26acquire_team_scratch_spaceEv(device);
}
void __real__ZN6Kokkos4Impl12CudaInternal26release_team_scratch_spaceEi(Kokkos::Impl::CudaInternal*,
                                                                        int);
void __wrap__ZN6Kokkos4Impl12CudaInternal26release_team_scratch_spaceEi(
    Kokkos::Impl::CudaInternal* device, int number)
{
  __real__ZN6Kokkos4Impl12CudaInternal26release_team_scratch_spaceEi(device, number);
  launches_teams = false;
}
#endif
// SharedAllocationRecord<void, void>::increment(record), when a View has been made or is copied
void __real__ZN6Kokkos4Impl22SharedAllocationRecordIvvE9incrementEPS2_(KokkosRecord*);
void __wrap__ZN6Kokkos4Impl22SharedAllocationRecordIvvE9incrementEPS2_(KokkosRecord* record)
{
  has_view_memory = false;
  __real__ZN6Kokkos4Impl22SharedAllocationRecordIvvE9incrementEPS2_(record);
}
// SharedAllocationRecord<void, void>::decrement(record)
KokkosRecord* __real__ZN6Kokkos4Impl22SharedAllocationRecordIvvE9decrementEPS2_(KokkosRecord*);
KokkosRecord*
__wrap__ZN6Kokkos4Impl22SharedAllocationRecordIvvE9decrementEPS2_(KokkosRecord* record)
{
  bool const before = std::exchange(drops_view, true);
  KokkosRecord* const left =
      __real__ZN6Kokkos4Impl22SharedAllocationRecordIvvE9decrementEPS2_(record);
  drops_view = before;
  return left;
}
}

#if defined(__GLIBC__) && !defined(HEDDLE_TEST_SANITIZER) && !defined(KOKKOS_ENABLE_CUDA)

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t bytes)
{
  if (is_to_fail())
  {
    errno = ENOMEM;
    return nullptr;
  }
  void* const block = __libc_malloc(bytes);
  note_allocated(block);
  return block;
}

void* calloc(std::size_t n, std::size_t bytes)
{
  if (is_to_fail())
  {
    errno = ENOMEM;
    return nullptr;
  }
  void* const block = __libc_calloc(n, bytes);
  note_allocated(block);
  return block;
}

void* realloc(void* before, std::size_t bytes)
{
  if (is_to_fail())
  {
    errno = ENOMEM;
    return nullptr;
  }
  void* const block = __libc_realloc(before, bytes);
  if (before == nullptr)
    note_allocated(block);
  return block;
}

void* memalign(std::size_t alignment, std::size_t bytes)
{
  if (is_to_fail())
  {
    errno = ENOMEM;
    return nullptr;
  }
  void* const block = __libc_memalign(alignment, bytes);
  note_allocated(block);
  return block;
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes)
{
  *block = memalign(alignment, bytes);
  return *block == nullptr ? ENOMEM : 0;
}

void free(void* block)
{
  note_freed(block);
  __libc_free(block);
}
}

#else

namespace
{

void* allocated(std::size_t bytes, std::size_t alignment)
{
  if (is_to_fail())
    return nullptr;
  std::size_t const whole = (bytes + alignment) / alignment * alignment; // never 0
  void* const block = std::aligned_alloc(alignment, whole);
  note_allocated(block);
  return block;
}

void* allocated_or_thrown(std::size_t bytes, std::size_t alignment)
{
  void* const block = allocated(bytes, alignment);
  if (block == nullptr)
    throw std::bad_alloc();
  return block;
}

void freed(void* block)
{
  note_freed(block);
  std::free(block);
}

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
using Alignment = std::align_val_t;

} // namespace

// The others of the standard library call these.
void* operator new(std::size_t bytes) { return allocated_or_thrown(bytes, usual); }
void* operator new(std::size_t bytes, Alignment alignment)
{
  return allocated_or_thrown(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept
{
  return allocated(bytes, usual);
}
void* operator new(std::size_t bytes, Alignment alignment, std::nothrow_t const&) noexcept
{
  return allocated(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { freed(block); }
void operator delete(void* block, std::size_t) noexcept { freed(block); }
void operator delete(void* block, Alignment) noexcept { freed(block); }
void operator delete(void* block, std::size_t, Alignment) noexcept { freed(block); }
void operator delete(void* block, std::nothrow_t const&) noexcept { freed(block); }
void operator delete(void* block, Alignment, std::nothrow_t const&) noexcept { freed(block); }

#endif

#if defined(KOKKOS_ENABLE_CUDA)

// In the program's own code and its static libraries.
extern "C" {
cudaError_t __real_cudaMalloc(void** block, std::size_t bytes);
cudaError_t __real_cudaMallocAsync(void** block, std::size_t bytes, cudaStream_t stream);
cudaError_t __real_cudaMallocFromPoolAsync(void** block, std::size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream);
cudaError_t __real_cudaMallocHost(void** block, std::size_t bytes);
cudaError_t __real_cudaHostAlloc(void** block, std::size_t bytes, unsigned flags);
cudaError_t __real_cudaFree(void* block);
cudaError_t __real_cudaFreeAsync(void* block, cudaStream_t stream);

cudaError_t __wrap_cudaMalloc(void** block, std::size_t bytes)
{
  if (is_to_fail())
    return cudaErrorMemoryAllocation;
  cudaError_t const status = __real_cudaMalloc(block, bytes);
  note_allocated(*block);
  return status;
}
cudaError_t __wrap_cudaMallocAsync(void** block, std::size_t bytes, cudaStream_t stream)
{
  if (is_to_fail())
    return cudaErrorMemoryAllocation;
  cudaError_t const status = __real_cudaMallocAsync(block, bytes, stream);
  note_allocated(*block);
  return status;
}
cudaError_t __wrap_cudaMallocFromPoolAsync(void** block, std::size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream)
{
  if (is_to_fail())
    return cudaErrorMemoryAllocation;
  cudaError_t const status = __real_cudaMallocFromPoolAsync(block, bytes, pool, stream);
  note_allocated(*block);
  return status;
}
// Page-locked memory is kept for later calls, so it does not count as kept here.
cudaError_t __wrap_cudaMallocHost(void** block, std::size_t bytes)
{
  return is_to_fail() ? cudaErrorMemoryAllocation : __real_cudaMallocHost(block, bytes);
}
cudaError_t __wrap_cudaHostAlloc(void** block, std::size_t bytes, unsigned flags)
{
  return is_to_fail() ? cudaErrorMemoryAllocation : __real_cudaHostAlloc(block, bytes, flags);
}
cudaError_t __wrap_cudaFree(void* block)
{
  note_freed(block);
  return __real_cudaFree(block);
}
cudaError_t __wrap_cudaFreeAsync(void* block, cudaStream_t stream)
{
  note_freed(block);
  return __real_cudaFreeAsync(block, stream);
}
}

#endif
