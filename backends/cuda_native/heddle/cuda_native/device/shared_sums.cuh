// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Additions to sums in shared memory by several threads.

#include <heddle/accumulator.hpp>
#include <heddle/impl/arithmetic.hpp>

#include <type_traits>

namespace heddle::cuda_native
{

// Kokkos::atomic_add takes any address: the device tries it in global memory, and looks where it is
// when that fails, before it adds in shared memory. CUDA's own addition of float and double is told
// by the compiler which memory that is.
template <class Sum>
__device__ void add_in_shared(Sum& sum, Sum const& term)
{
  if constexpr (impl::is_complex_v<Sum>)
  {
    add_in_shared(sum.real(), term.real());
    add_in_shared(sum.imag(), term.imag());
  }
  else if constexpr (std::is_same_v<Sum, float> || std::is_same_v<Sum, double>)
    atomicAdd(&sum, term);
  else
    impl::atomic_accumulate(sum, term);
}

} // namespace heddle::cuda_native
