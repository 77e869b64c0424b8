// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// heddle::instances holds the kernels of the common types, compiled once: float, double and their
// complex with int columns under int and std::size_t offsets, and double with 64-bit columns and
// offsets, on the default execution space; where that is a device, double with int and std::size_t
// also on the host's. SpGEMM of BSR is there for double with int under both kinds of offsets.
// Whoever links it has HEDDLE_USE_INSTANCES defined, and the headers spmv/instances.hpp and their
// like declare these `extern template`. With the option HEDDLE_DOUBLE_ONLY it has double alone, and
// HEDDLE_INSTANCES_OF_DOUBLE is defined besides.

#include <heddle/bsr_matrix.hpp>
#include <heddle/csr_matrix.hpp>

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
#define HEDDLE_HOST_INSTANCES
#endif

namespace heddle::impl
{

using Device = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
using Complex64 = Kokkos::complex<float>;
using Complex128 = Kokkos::complex<double>;

template <class Value, class Ordinal, class Offset>
using DeviceCsr = CsrMatrix<Value const, Ordinal, Offset, Device::memory_space>;
template <class Value, class Ordinal, class Offset>
using HostCsr = CsrMatrix<Value const, Ordinal, Offset, Host::memory_space>;
template <class Value, class Ordinal, class Offset>
using DeviceBsr = BsrMatrix<Value const, Ordinal, Offset, Device::memory_space>;

} // namespace heddle::impl
