// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every native SpMM kernel for float, which has instructions of its own, and BSR with 16-bit values
// for tensor cores: scripts/compile_architectures.sh compiles it for older and newer GPUs than the
// one that the build is for.

#include <heddle/bsr_matrix.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/ell_matrix.hpp>
#include <heddle/row_segmented_matrix.hpp>
#include <heddle/sell_matrix.hpp>
#include <heddle/spmm.hpp>

#include <Kokkos_Core.hpp>

namespace heddle::impl
{

using Space = Kokkos::CudaSpace;
using Half = Kokkos::Experimental::half_t;

template struct SpmmInstance<Kokkos::Cuda, CsrMatrix<float const, int, int, Space>>;
template struct SpmmInstance<Kokkos::Cuda, CooMatrix<float const, int, int, Space>>;
template struct SpmmInstance<Kokkos::Cuda, BsrMatrix<float const, int, int, Space>>;
template struct SpmmInstance<Kokkos::Cuda, BsrMatrix<Half const, int, int, Space>>;
template struct SpmmInstance<Kokkos::Cuda, EllMatrix<float const, int, int, Space>>;
template struct SpmmInstance<Kokkos::Cuda, SellMatrix<float const, int, int, Space>>;
template struct SpmmInstance<Kokkos::Cuda, RowSegmentedMatrix<float const, int, int, Space>>;

} // namespace heddle::impl
