// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Streams of heddle's own on each device: for launches beside those of an instance
// (device/side_streams.cuh), and for memory that outlives instances (device/kept_memory.cuh).

#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <map>
#include <memory>
#include <mutex>

namespace heddle::cuda_native
{

namespace detail
{
// Makes a device the current one of this host thread until the end of the scope.
class DeviceScope
{
public:
  explicit DeviceScope(int device)
  {
    impl::require_cuda(cudaGetDevice(&m_before), "cudaGetDevice");
    impl::require_cuda(cudaSetDevice(device), "cudaSetDevice");
  }
  ~DeviceScope() { static_cast<void>(cudaSetDevice(m_before)); }
  DeviceScope(DeviceScope const&) = delete;
  DeviceScope& operator=(DeviceScope const&) = delete;

private:
  int m_before = 0;
};

// A stream and an event of the current device, which live as long as these.
struct OwnStream
{
  cudaStream_t stream = {};
  OwnStream()
  {
    impl::require_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                       "cudaStreamCreate");
  }
  ~OwnStream() { cudaStreamDestroy(stream); }
  OwnStream(OwnStream const&) = delete;
  OwnStream& operator=(OwnStream const&) = delete;
};
struct OwnEvent
{
  cudaEvent_t event = {};
  OwnEvent()
  {
    impl::require_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
  }
  ~OwnEvent() { cudaEventDestroy(event); }
  OwnEvent(OwnEvent const&) = delete;
  OwnEvent& operator=(OwnEvent const&) = delete;
};

// The streams of a device, and what is recorded on them and on the instance's.
struct StreamsOfDevice
{
  static constexpr int count = 3;
  std::array<OwnStream, count> streams;
  std::array<OwnEvent, count> ends;
  OwnEvent begin;
  std::mutex mutex; // an event is one call's from being recorded to being waited for
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
  {
    DeviceScope const scope(device);
    streams = std::make_unique<StreamsOfDevice>();
  }
  return *streams;
}
} // namespace detail

} // namespace heddle::cuda_native
