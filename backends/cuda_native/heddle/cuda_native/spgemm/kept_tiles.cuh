// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Dense tiles as a plan keeps them: copies of what was found in scratch memory (spgemm/tiles.cuh),
// because dropping kept memory waits for every instance, and not all that is found is taken.

#include <heddle/cuda_native/device/kept_memory.cuh>
#include <heddle/cuda_native/spgemm/tiles.cuh>

#include <Kokkos_Core.hpp>

namespace heddle::cuda_native
{

template <class T>
KeptMemory<T> kept(Kokkos::Cuda const& exec, TileScratch<T> const& scratch)
{
  KeptMemory<T> memory(exec, scratch.size());
  if (scratch.size() > 0)
    Kokkos::deep_copy(exec, memory.view(), scratch.view());
  return memory;
}
inline SpgemmTiles<KeptMemory> kept(Kokkos::Cuda const& exec, SpgemmTiles<TileScratch> const& tiles)
{
  return {kept(exec, tiles.places),
          kept(exec, tiles.pairs),
          kept(exec, tiles.blocks),
          kept(exec, tiles.rows),
          tiles.alignment,
          tiles.parts,
          tiles.counted};
}

} // namespace heddle::cuda_native
