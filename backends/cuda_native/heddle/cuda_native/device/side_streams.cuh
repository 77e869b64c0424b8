// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Launches that need not wait for each other, on streams of heddle's own beside that of an
// instance. What was launched on the instance before comes first, what is launched on it afterwards
// waits for all of them, so nobody outside can tell.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/own_streams.cuh>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <type_traits>

namespace heddle::cuda_native
{

// For so many launches. While a graph is captured, and for one launch, all are on the instance's
// own stream.
class SideStreams
{
public:
  SideStreams(Kokkos::Cuda const& exec, int launches)
      : m_exec(exec)
      , m_main(exec.cuda_stream())
  {
    int const wanted = std::min(launches - 1, detail::StreamsOfDevice::count);
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    if (wanted < 1 || cudaStreamIsCapturing(m_main, &capture) != cudaSuccess ||
        capture != cudaStreamCaptureStatusNone)
      return;
    m_streams = &detail::streams_of(exec.cuda_device());
    m_count = wanted;
    std::lock_guard const lock(m_streams->mutex);
    impl::require_cuda(cudaEventRecord(m_streams->begin.event, m_main), "cudaEventRecord");
    for (int n = 0; n < m_count; ++n)
      impl::require_cuda(cudaStreamWaitEvent(stream(n), m_streams->begin.event),
                         "cudaStreamWaitEvent");
  }
  // The instance's stream waits for the others. Where it cannot be told to, this thread waits, so
  // that memory of the call is never given back while kernels use it.
  ~SideStreams()
  {
    if (m_count == 0)
      return;
    std::lock_guard const lock(m_streams->mutex);
    for (int n = 0; n < m_count; ++n)
    {
      cudaEvent_t const end = m_streams->ends[static_cast<std::size_t>(n)].event;
      if (cudaEventRecord(end, stream(n)) == cudaSuccess &&
          cudaStreamWaitEvent(m_main, end) == cudaSuccess)
        continue;
      static_cast<void>(cudaStreamSynchronize(stream(n)));
      static_cast<void>(cudaGetLastError());
    }
  }
  SideStreams(SideStreams const&) = delete;
  SideStreams& operator=(SideStreams const&) = delete;

  Kokkos::Cuda const& exec() const { return m_exec; }
  // In turn, the instance's own first.
  cudaStream_t next()
  {
    int const turn = m_turn++ % (m_count + 1);
    return turn == 0 ? m_main : stream(turn - 1);
  }

private:
  cudaStream_t stream(int n) const
  {
    return m_streams->streams[static_cast<std::size_t>(n)].stream;
  }

  Kokkos::Cuda const& m_exec;
  cudaStream_t m_main;
  detail::StreamsOfDevice* m_streams = nullptr;
  int m_count = 0, m_turn = 0;
};

// As launch, on the next of the streams.
template <class... Parameters>
void launch(SideStreams& side, char const* label, void (*kernel)(Parameters...), Grid grid,
            std::type_identity_t<Parameters>... arguments)
{
  if (grid.blocks == 0)
    return;
  grid.stream = side.next();
  launch(side.exec(), label, kernel, grid, arguments...);
}

} // namespace heddle::cuda_native
