// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every native SpGEMM kernel for one type: scripts/compile_architectures.sh compiles it for older
// and newer GPUs than the one that the build is for.

#include <heddle/csr_matrix.hpp>
#include <heddle/spgemm.hpp>

#include <Kokkos_Core.hpp>

namespace heddle::impl
{

using Factor = CsrMatrix<double const, int, int, Kokkos::CudaSpace>;
template struct SpgemmInstance<Kokkos::Cuda, Factor, Factor>;

} // namespace heddle::impl
