// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Memory of one call. On CUDA it is stream-ordered (cudaMallocFromPoolAsync on the stream of the
// instance, from a pool of heddle's own), so making and dropping it waits for nothing, costs
// microseconds and can be captured in a graph. On hosts kernels have finished when a call returns,
// so plain memory will do. Other devices wait before they free.

#include <heddle/impl/operands.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

namespace heddle::impl
{

[[noreturn]] inline void throw_no_scratch(std::size_t needed, std::size_t available)
{
  throw FailedAllocation("heddle::scratch needs " + std::to_string(needed) + " bytes, " +
                             std::to_string(available) + " are available",
                         needed, available);
}

template <class Exec>
struct ScratchMemory
{
  static void* allocate(Exec const&, std::size_t bytes)
  {
    if constexpr (is_host_v<Exec>)
    {
      void* const memory = ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
      if (memory == nullptr)
        throw_no_scratch(bytes, 0);
      return memory;
    }
    else
      return Kokkos::kokkos_malloc<typename Exec::memory_space>("heddle::scratch", bytes);
  }
  static void release(Exec const& exec, void* memory)
  {
    if constexpr (is_host_v<Exec>)
      ::operator delete(memory, std::align_val_t(alignment));
    else
    {
      exec.fence("heddle::scratch");
      Kokkos::kokkos_free<typename Exec::memory_space>(memory);
    }
  }
  static constexpr std::size_t alignment = 64;
};

#if defined(KOKKOS_ENABLE_CUDA)
inline void require_cuda(cudaError_t status, char const* call)
{
  if (status == cudaSuccess)
    return;
  static_cast<void>(cudaGetLastError()); // reported here, it must not surface at the next launch
  if (status == cudaErrorMemoryAllocation)
    throw FailedAllocation(std::string(call) + ": the device is out of memory", 0, 0);
  throw_error<DeviceError>(call, cudaGetErrorString(status), " (error ", static_cast<int>(status),
                           ")");
}

// The pool of a device. Of what nothing uses it keeps up to an eighth of the device's memory until
// Kokkos::finalize; more than that goes back when the device is waited for.
inline cudaMemPool_t scratch_pool(int device)
{
  static std::mutex mutex;
  static std::map<int, cudaMemPool_t> pools;
  std::lock_guard const lock(mutex);
  auto const found = pools.find(device);
  if (found != pools.end())
    return found->second;
  if (pools.empty())
    Kokkos::push_finalize_hook([] {
      for (auto const& [id, pool] : pools)
        cudaMemPoolDestroy(pool);
      pools.clear();
    });
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  cudaMemPool_t pool{};
  require_cuda(cudaMemPoolCreate(&pool, &properties), "cudaMemPoolCreate");
  std::size_t available = 0, total = 0;
  require_cuda(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
  std::uint64_t kept = total / 8;
  require_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
               "cudaMemPoolSetAttribute");
  return pools[device] = pool;
}

// Bytes that the pool keeps for later calls and nothing uses now. The device counts them as used.
inline std::size_t idle_scratch_bytes(int device)
{
  cudaMemPool_t const pool = scratch_pool(device);
  std::uint64_t reserved = 0, used = 0;
  require_cuda(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved),
               "cudaMemPoolGetAttribute");
  require_cuda(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used),
               "cudaMemPoolGetAttribute");
  return static_cast<std::size_t>(reserved - used);
}

// Gives what the pool keeps and nothing uses back to the device, for Views and other libraries.
// Waits for exec, since what it released is the pool's only then; while a graph is captured nothing
// can be waited for, and nothing happens.
inline void return_idle_scratch(Kokkos::Cuda const& exec)
{
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  require_cuda(cudaStreamIsCapturing(exec.cuda_stream(), &capture), "cudaStreamIsCapturing");
  if (capture != cudaStreamCaptureStatusNone)
    return;
  exec.fence("heddle::scratch");
  require_cuda(cudaMemPoolTrimTo(scratch_pool(exec.cuda_device()), 0), "cudaMemPoolTrimTo");
}

template <>
struct ScratchMemory<Kokkos::Cuda>
{
  static void* allocate(Kokkos::Cuda const& exec, std::size_t bytes)
  {
    return allocate(exec, exec.cuda_stream(), bytes);
  }
  // In the order of another stream. What the pool keeps may be in pieces that do not fit: they are
  // given back once, and asked for again as one.
  static void* allocate(Kokkos::Cuda const& exec, cudaStream_t stream, std::size_t bytes)
  {
    void* memory = try_allocate(exec, stream, bytes);
    if (memory == nullptr && idle_scratch_bytes(exec.cuda_device()) > 0)
    {
      return_idle_scratch(exec);
      memory = try_allocate(exec, stream, bytes);
    }
    if (memory == nullptr)
    {
      std::size_t available = 0, total = 0;
      static_cast<void>(cudaMemGetInfo(&available, &total));
      throw_no_scratch(bytes, available);
    }
    return memory;
  }
  static void release(Kokkos::Cuda const& exec, void* memory)
  {
    cudaFreeAsync(memory, exec.cuda_stream());
  }

private:
  // Null where there is no memory.
  static void* try_allocate(Kokkos::Cuda const& exec, cudaStream_t stream, std::size_t bytes)
  {
    void* memory = nullptr;
    cudaError_t const status =
        cudaMallocFromPoolAsync(&memory, bytes, scratch_pool(exec.cuda_device()), stream);
    if (status == cudaErrorMemoryAllocation)
    {
      static_cast<void>(cudaGetLastError()); // it must not surface at the next launch
      return nullptr;
    }
    require_cuda(status, "cudaMallocFromPoolAsync");
    return memory;
  }
};
#endif

// count uninitialised values of type T for kernels of exec. Dropping it is ordered behind what was
// launched before.
template <class T, class Exec>
class Scratch
{
  static_assert(std::is_trivially_destructible_v<T>, "scratch memory is never destructed");

public:
  using view_type = Kokkos::View<T*, Kokkos::LayoutRight, typename Exec::memory_space,
                                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Scratch(Exec const& exec, std::size_t count)
      : m_exec(exec)
      , m_size(count)
      , m_data(count == 0 ? nullptr
                          : static_cast<T*>(ScratchMemory<Exec>::allocate(exec, count * sizeof(T))))
  {}
  ~Scratch()
  {
    if (m_data != nullptr)
      ScratchMemory<Exec>::release(m_exec, m_data);
  }
  Scratch(Scratch const&) = delete;
  Scratch& operator=(Scratch const&) = delete;
  Scratch(Scratch&& other) noexcept
      : m_exec(std::move(other.m_exec))
      , m_size(std::exchange(other.m_size, 0))
      , m_data(std::exchange(other.m_data, nullptr))
  {}
  Scratch& operator=(Scratch&&) = delete;

  T* data() const { return m_data; }
  std::size_t size() const { return m_size; }
  view_type view() const { return view_type(m_data, m_size); }

private:
  Exec m_exec;
  std::size_t m_size;
  T* m_data;
};

} // namespace heddle::impl
