// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Launches that need not wait for each other, on streams of heddle's own beside that of an
// instance. What was launched on the instance before comes first, what is launched on it afterwards
// waits for all of them, so nobody outside can tell.

#include <heddle/cuda_native/launch.cuh>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>

namespace heddle::cuda_native
{

namespace detail
{
// The streams of a device, and what is recorded on them and on the instance's.
struct StreamsOfDevice
{
  static constexpr int count = 3;
  std::array<cudaStream_t, count> streams = {};
  std::array<cudaEvent_t, count> ends = {};
  cudaEvent_t begin = {};
  std::mutex mutex; // an event is one call's from being recorded to being waited for

  explicit StreamsOfDevice(int device)
  {
    int current = 0;
    impl::require_cuda(cudaGetDevice(&current), "cudaGetDevice");
    impl::require_cuda(cudaSetDevice(device), "cudaSetDevice");
    auto const make_event = [](cudaEvent_t& event) {
      impl::require_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming),
                         "cudaEventCreate");
    };
    make_event(begin);
    for (auto& end : ends)
      make_event(end);
    for (auto& stream : streams)
      impl::require_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                         "cudaStreamCreate");
    impl::require_cuda(cudaSetDevice(current), "cudaSetDevice");
  }
  ~StreamsOfDevice()
  {
    cudaEventDestroy(begin);
    for (auto const& end : ends)
      cudaEventDestroy(end);
    for (auto const& stream : streams)
      cudaStreamDestroy(stream);
  }
  StreamsOfDevice(StreamsOfDevice const&) = delete;
  StreamsOfDevice& operator=(StreamsOfDevice const&) = delete;
};

// They live until Kokkos::finalize.
inline StreamsOfDevice& streams_of(int device)
{
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<StreamsOfDevice>> all;
  std::lock_guard const lock(mutex);
  if (all.empty())
    Kokkos::push_finalize_hook([] { all.clear(); });
  auto& streams = all[device];
  if (!streams)
    streams = std::make_unique<StreamsOfDevice>(device);
  return *streams;
}
} // namespace detail

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
    impl::require_cuda(cudaEventRecord(m_streams->begin, m_main), "cudaEventRecord");
    for (int n = 0; n < m_count; ++n)
      impl::require_cuda(cudaStreamWaitEvent(stream(n), m_streams->begin), "cudaStreamWaitEvent");
  }
  // The instance's stream waits for the others. A failure there shows at the instance's next call.
  ~SideStreams()
  {
    if (m_count == 0)
      return;
    std::lock_guard const lock(m_streams->mutex);
    for (int n = 0; n < m_count; ++n)
    {
      cudaEvent_t const end = m_streams->ends[static_cast<std::size_t>(n)];
      static_cast<void>(cudaEventRecord(end, stream(n)));
      static_cast<void>(cudaStreamWaitEvent(m_main, end));
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
  cudaStream_t stream(int n) const { return m_streams->streams[static_cast<std::size_t>(n)]; }

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
