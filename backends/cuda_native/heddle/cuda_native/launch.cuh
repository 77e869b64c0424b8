// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/require.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::cuda_native
{

// Shape of a launch. Dynamic shared memory above 48 KB is asked for once per kernel, see launch.
struct Grid
{
  std::int64_t blocks;
  int threads_per_block;
  std::size_t shared_bytes = 0;
};

// Blocks that cover work with so much a block.
inline std::int64_t blocks_for(std::int64_t work, std::int64_t per_block)
{
  return (work + per_block - 1) / per_block;
}

namespace detail
{
inline void check(cudaError_t status, char const* label, Grid const& grid)
{
  impl::require<DeviceError>(status == cudaSuccess, "launch", label, ": ",
                             cudaGetErrorString(status), " (", grid.blocks, " blocks of ",
                             grid.threads_per_block, " threads, ", grid.shared_bytes,
                             " bytes of shared memory)");
}
} // namespace detail

// The only place that launches: on the caller's stream, told to Kokkos Tools under its label, checked. An empty grid is
// no launch.
template <class... Parameters>
void launch(Kokkos::Cuda const& exec, char const* label, void (*kernel)(Parameters...),
            Grid const& grid, std::type_identity_t<Parameters>... arguments)
{
  constexpr std::size_t default_shared_bytes = 48 << 10;
  if (grid.blocks == 0)
    return;
  impl::require<DeviceError>(grid.blocks <= std::numeric_limits<int>::max(), "launch", label, ": ",
                             grid.blocks, " blocks are more than a grid takes");
  if (grid.shared_bytes > default_shared_bytes)
    detail::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(grid.shared_bytes)),
                  label, grid);
  std::uint64_t id = 0;
  bool const is_profiled = Kokkos::Tools::profileLibraryLoaded();
  if (is_profiled)
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(exec), &id);
  kernel<<<static_cast<unsigned>(grid.blocks), grid.threads_per_block, grid.shared_bytes,
           exec.cuda_stream()>>>(arguments...);
  cudaError_t const status = cudaGetLastError();
  if (is_profiled)
    Kokkos::Tools::endParallelFor(id);
  detail::check(status, label, grid);
}

} // namespace heddle::cuda_native
