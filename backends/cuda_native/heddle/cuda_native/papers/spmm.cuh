// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The native implementations of SpMM that only comparisons with papers name. Where a plan holds a
// transposed pattern, A^T B takes the kernels for CSR that all plans have.

#include <heddle/cuda_native/papers/spmm_sellp.cuh>
#include <heddle/cuda_native/papers/spmm_shared_panels.cuh>
#include <heddle/cuda_native/spmm/implementations.cuh>

namespace heddle::cuda_native
{

template <class Exec, class Matrix>
using SpmmCsrShared = SpmmWith<Exec, Matrix, CsrSharedSpmm<Exec, Matrix>>;
template <class Exec, class Matrix>
using SpmmEllShared = SpmmWith<Exec, Matrix, EllSharedSpmm<Exec, Matrix>>;
template <class Exec, class Matrix>
using SpmmSellpPaper = SpmmWith<Exec, Matrix, SellpPaperSpmm<Exec, Matrix>>;

} // namespace heddle::cuda_native
