// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every native SpMV kernel for one type: scripts/compile_architectures.sh compiles it for older and
// newer GPUs than the one that the build is for.

#include <heddle/bsr_matrix.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/ell_matrix.hpp>
#include <heddle/sell_matrix.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

namespace heddle::impl
{

using Space = Kokkos::CudaSpace;

template struct SpmvInstance<Kokkos::Cuda, CsrMatrix<float const, int, int, Space>>;
template struct SpmvInstance<Kokkos::Cuda, CooMatrix<float const, int, int, Space>>;
template struct SpmvInstance<Kokkos::Cuda, BsrMatrix<float const, int, int, Space>>;
template struct SpmvInstance<Kokkos::Cuda, EllMatrix<float const, int, int, Space>>;
template struct SpmvInstance<Kokkos::Cuda, SellMatrix<float const, int, int, Space>>;

} // namespace heddle::impl
