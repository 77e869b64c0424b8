// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/device/warp.cuh>

#include <Kokkos_Core.hpp>

namespace heddle::cuda_native
{

// The shape of the device of exec. Kokkos asks the runtime once per device: this only copies.
inline DeviceShape device_shape(Kokkos::Cuda const& exec)
{
  cudaDeviceProp const& device = exec.cuda_device_prop();
  return {.multiprocessors = device.multiProcessorCount,
          .warps_of_multiprocessor = device.maxThreadsPerMultiProcessor / warp_size,
          .shared_bytes_of_multiprocessor = device.sharedMemPerMultiprocessor,
          .shared_bytes_of_block = device.sharedMemPerBlockOptin,
          .reserved_shared_bytes = device.reservedSharedMemPerBlock,
          .l2_bytes = static_cast<std::size_t>(device.l2CacheSize),
          .most_blocks = device.maxGridSize[0],
          .most_blocks_y = device.maxGridSize[1]};
}

} // namespace heddle::cuda_native
