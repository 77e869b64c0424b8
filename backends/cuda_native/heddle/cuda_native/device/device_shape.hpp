// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What policies ask of a GPU: at compile time what every GPU of an architecture has, at run time
// what the device of a call has. Policies take these as arguments, so that a host tests them for
// any GPU; device_shape(exec) of device/launch.cuh reads them.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// Shared memory in KiB, of a multiprocessor and what one block may have of it (CUDA C++ Programming
// Guide, "Technical Specifications per Compute Capability"), and instructions that kernels use
// where they are.
struct ArchitectureShape
{
  int shared_kib_of_multiprocessor, shared_kib_of_block;
  bool has_clusters;   // blocks that reach each other's shared memory
  bool has_16_bit_mma; // m16n8k16 of half_t and bhalf_t on tensor cores
  bool has_f64_mma;    // doubles on tensor cores, at the full rate of a server's GPU
  bool starts_early;   // kernels that begin before the one before them ends, and wait for it then
};
// architecture: the compute capability without its dot, as HEDDLE_CUDA_ARCH.
KOKKOS_INLINE_FUNCTION constexpr ArchitectureShape architecture_shape(int architecture)
{
  bool const has_f64_mma = architecture == 80 || architecture == 90 || architecture == 100;
  if (architecture == 86 || architecture == 89)
    return {100, 99, false, true, has_f64_mma, false};
  if (architecture >= 120)
    return {100, 99, true, true, has_f64_mma, true};
  return architecture >= 90   ? ArchitectureShape{228, 227, true, true, has_f64_mma, true}
         : architecture >= 80 ? ArchitectureShape{164, 163, false, true, has_f64_mma, false}
                              : ArchitectureShape{64, 64, false, false, has_f64_mma, false};
}

// Blocks of a grid in y on every GPU, for what no device is asked about.
inline constexpr std::int64_t most_grid_blocks_y = 65535;

struct DeviceShape
{
  int multiprocessors;
  int warps_of_multiprocessor; // that it holds at once
  std::size_t shared_bytes_of_multiprocessor;
  std::size_t shared_bytes_of_block; // most that a launch may ask for
  std::size_t reserved_shared_bytes; // of each block, by the system
  std::size_t l2_bytes;
  std::int64_t most_blocks, most_blocks_y; // of a grid

  std::int64_t warps() const
  {
    return static_cast<std::int64_t>(multiprocessors) * warps_of_multiprocessor;
  }
};

} // namespace heddle::cuda_native
