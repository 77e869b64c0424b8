// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>

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

// What its architecture has.
inline ArchitectureShape device_architecture(Kokkos::Cuda const& exec)
{
  cudaDeviceProp const& device = exec.cuda_device_prop();
  return architecture_shape(device.major * 10 + device.minor);
}

// Shape of a launch.
struct Grid
{
  std::int64_t blocks;
  int threads_per_block;
  std::size_t shared_bytes = 0;
  int blocks_y = 1, threads_y = 1, threads_z = 1;
  // Blocks for whose shared memory a multiprocessor sets room aside; the rest is first-level cache.
  int blocks_per_processor = 0;
  int cluster = 1; // blocks that run side by side and reach each other's shared memory
  cudaStream_t stream = nullptr; // if it is not that of the instance: device/side_streams.cuh
  // Blocks may begin when those of the kernel before them on the stream have called let_next_start
  // or ended, and call wait_for_previous before they touch what it writes. Not the first kernel of
  // a call: what comes before that is the caller's.
  bool starts_early = false;
};

// Do nothing where kernels start one after the other.
__device__ inline void let_next_start()
{
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__device__ inline void wait_for_previous()
{
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

// Blocks that cover work with so much a block.
inline std::int64_t blocks_for(std::int64_t work, std::int64_t per_block)
{
  return impl::divided_up(work, per_block);
}

// The block of kernels in which threads, or groups of lanes, have work of their own and nothing in
// common: enough warps to hide each other's loads, few enough for blocks to end at about once. Not
// tuned.
struct IndependentThreadsPolicy
{
  int threads_per_block;
};
inline constexpr IndependentThreadsPolicy independent_threads{256};

inline Grid one_thread_each(std::int64_t work,
                            int threads_per_block = independent_threads.threads_per_block)
{
  return {blocks_for(work, threads_per_block), threads_per_block};
}

namespace detail
{
inline void check(cudaError_t status, char const* label, Grid const& grid)
{
  if (status == cudaSuccess)
    return;
  static_cast<void>(cudaGetLastError()); // reported here, it must not surface at the next launch
  impl::throw_error<DeviceError>("launch", label, ": ", cudaGetErrorString(status), " (",
                                 grid.blocks, " blocks of ", grid.threads_per_block, " threads, ",
                                 grid.shared_bytes, " bytes of shared memory)");
}

// What the runtime was told of a kernel on one device. Attributes belong to the kernel, not to a
// launch, and other host threads launch the same kernel with other needs: the limit on dynamic
// shared memory is therefore only ever raised, and each field changes when the runtime has taken
// the new value.
struct KernelAttributes
{
  int architecture = 0;               // what its code was compiled for, e.g. 90
  std::size_t static_bytes = 0;       // shared memory that it has by itself
  std::size_t most_dynamic_bytes = 0; // what a launch may ask for
  int carveout = cudaSharedmemCarveoutDefault;
};

// Kernels without shared memory get all of it as cache, those that say how many blocks there should
// be what these need, in percent. Left to itself the driver goes by what ran before, and kernels
// that gather x lose the cache that they live on.
inline int preferred_carveout(std::size_t shared_bytes, int blocks_per_processor,
                              DeviceShape const& device)
{
  if (shared_bytes == 0)
    return cudaSharedmemCarveoutMaxL1;
  if (blocks_per_processor == 0)
    return cudaSharedmemCarveoutDefault;
  std::size_t const wanted = static_cast<std::size_t>(blocks_per_processor) *
                             (shared_bytes + device.reserved_shared_bytes);
  return static_cast<int>(std::min<std::int64_t>(
      100, impl::divided_up(static_cast<std::int64_t>(100 * wanted),
                            static_cast<std::int64_t>(device.shared_bytes_of_multiprocessor))));
}

// use(attributes) for a kernel on the device of exec, one host thread at a time.
template <class Use>
auto with_attributes(Kokkos::Cuda const& exec, void const* kernel, char const* label,
                     Grid const& grid, Use const& use)
{
  static std::mutex mutex;
  static std::map<std::pair<int, void const*>, KernelAttributes> all;
  std::lock_guard const lock(mutex);
  std::pair const key(exec.cuda_device(), kernel);
  auto known = all.find(key);
  if (known == all.end())
  {
    cudaFuncAttributes of_kernel{};
    check(cudaFuncGetAttributes(&of_kernel, kernel), label, grid);
    KernelAttributes attributes;
    attributes.architecture = of_kernel.ptxVersion;
    attributes.static_bytes = of_kernel.sharedSizeBytes;
    known = all.emplace(key, attributes).first;
  }
  return use(known->second);
}

// Tells the runtime what a launch needs, where that has changed: a call takes as long as a launch.
inline void prepare(Kokkos::Cuda const& exec, void const* kernel, char const* label,
                    Grid const& grid)
{
  with_attributes(exec, kernel, label, grid, [&](KernelAttributes& known) {
    if (grid.shared_bytes > known.most_dynamic_bytes)
    {
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(grid.shared_bytes)),
            label, grid);
      known.most_dynamic_bytes = grid.shared_bytes;
    }
    int const carveout = preferred_carveout(known.static_bytes + grid.shared_bytes,
                                            grid.blocks_per_processor, device_shape(exec));
    if (carveout != known.carveout)
    {
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carveout),
            label, grid);
      known.carveout = carveout;
    }
  });
}
} // namespace detail

// Whether the device has a feature and the code of the kernel was compiled for an architecture that
// has. Code for an older one also runs on newer devices, but knows nothing of a cluster, nor that
// it was started early.
inline bool has_feature(Kokkos::Cuda const& exec, char const* label, void const* kernel,
                        bool ArchitectureShape::*feature)
{
  return device_architecture(exec).*feature &&
         detail::with_attributes(exec, kernel, label, Grid{},
                                 [feature](detail::KernelAttributes const& attributes) {
                                   return architecture_shape(attributes.architecture).*feature;
                                 });
}
// Whether blocks of this kernel may form clusters.
template <class... Parameters>
bool has_clusters(Kokkos::Cuda const& exec, char const* label, void (*kernel)(Parameters...))
{
  return has_feature(exec, label, reinterpret_cast<void const*>(kernel),
                     &ArchitectureShape::has_clusters);
}

// The only place that launches: on the caller's stream or one that the caller's waits for, told to
// Kokkos Tools under its label, checked. An empty grid is no launch.
template <class... Parameters>
void launch(Kokkos::Cuda const& exec, char const* label, void (*kernel)(Parameters...),
            Grid const& grid, std::type_identity_t<Parameters>... arguments)
{
  if (grid.blocks == 0 || grid.blocks_y == 0)
    return;
  DeviceShape const device = device_shape(exec);
  impl::require<DeviceError>(grid.blocks <= device.most_blocks, "launch", label, ": ", grid.blocks,
                             " blocks are more than a grid takes");
  impl::require<DeviceError>(grid.blocks_y <= device.most_blocks_y, "launch", label, ": ",
                             grid.blocks_y, " rows of blocks are more than a grid takes");
  detail::prepare(exec, reinterpret_cast<void const*>(kernel), label, grid);
  std::uint64_t id = 0;
  bool const is_profiled = Kokkos::Tools::profileLibraryLoaded();
  if (is_profiled)
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(exec), &id);
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (grid.cluster > 1)
  {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count++].val.clusterDim = {static_cast<unsigned>(grid.cluster), 1, 1};
  }
  if (grid.starts_early && has_feature(exec, label, reinterpret_cast<void const*>(kernel),
                                       &ArchitectureShape::starts_early))
  {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(grid.blocks), static_cast<unsigned>(grid.blocks_y));
  config.blockDim =
      dim3(static_cast<unsigned>(grid.threads_per_block), static_cast<unsigned>(grid.threads_y),
           static_cast<unsigned>(grid.threads_z));
  config.dynamicSmemBytes = grid.shared_bytes;
  config.stream = grid.stream != nullptr ? grid.stream : exec.cuda_stream();
  config.attrs = attributes;
  config.numAttrs = count;
  cudaError_t const status = cudaLaunchKernelEx(&config, kernel, arguments...);
  if (is_profiled)
    Kokkos::Tools::endParallelFor(id);
  detail::check(status, label, grid);
}

} // namespace heddle::cuda_native
