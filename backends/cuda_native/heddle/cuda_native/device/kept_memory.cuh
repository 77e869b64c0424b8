// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Memory that plans keep, from the pool that scratch memory is from (impl/scratch.hpp): a View
// takes cudaMalloc and cudaFree, some 0.25 ms for a megabyte, and plans have many.

#include <heddle/cuda_native/device/own_streams.cuh>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <type_traits>

namespace heddle::cuda_native
{

// count uninitialised values for kernels of exec, and of other instances that wait for it. Copies
// share them. The last one waits for the devices before it gives them back, as a View does: kernels
// of any instance may read them. They come and go in the order of one stream of heddle's own: that
// of the instance may be gone by then, and what is given back on another stream than it came from
// counts as used for ever in the pool's attributes.
template <class T>
class KeptMemory
{
  static_assert(std::is_trivially_destructible_v<T>, "kept memory is never destructed");

public:
  using view_type = Kokkos::View<T*, Kokkos::CudaSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  KeptMemory() = default;
  KeptMemory(Kokkos::Cuda const& exec, std::size_t count)
      : m_size(count)
  {
    if (count > 0)
      m_data.reset(static_cast<T*>(allocate(exec, count * sizeof(T))),
                   [device = exec.cuda_device()](T* data) { release(data, device); });
  }

  T* data() const { return m_data.get(); }
  std::size_t size() const { return m_size; }
  std::size_t bytes() const { return m_size * sizeof(T); }
  view_type view() const { return view_type(data(), m_size); }

private:
  static cudaStream_t stream_of(detail::StreamsOfDevice const& streams)
  {
    return streams.streams.front().stream;
  }
  static void* allocate(Kokkos::Cuda const& exec, std::size_t bytes)
  {
    detail::StreamsOfDevice& streams = detail::streams_of(exec.cuda_device());
    std::lock_guard const lock(streams.mutex);
    void* const memory =
        impl::ScratchMemory<Kokkos::Cuda>::allocate(exec, stream_of(streams), bytes);
    // What had the memory before may still be at work on another stream, which ours waits for.
    if (cudaEventRecord(streams.begin.event, stream_of(streams)) != cudaSuccess ||
        cudaStreamWaitEvent(exec.cuda_stream(), streams.begin.event) != cudaSuccess)
    {
      static_cast<void>(cudaGetLastError());
      static_cast<void>(cudaStreamSynchronize(stream_of(streams)));
    }
    return memory;
  }
  static void release(T* data, int device)
  {
    if (!Kokkos::is_initialized()) // the pool has gone
      return;
    // This must not throw: the label is so short that std::string allocates nothing for it.
    Kokkos::fence("heddle::kept");
    static_cast<void>(cudaFreeAsync(data, stream_of(detail::streams_of(device))));
  }

  std::shared_ptr<T> m_data;
  std::size_t m_size = 0;
};

} // namespace heddle::cuda_native
