// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The native implementations of SpMM that only comparisons with papers name. CsrKernels: the list
// of kernels for CSR (spmm/implementations.cuh), for A^T B where a plan holds a transposed pattern.

#include <heddle/cuda_native/papers/spmm_sellp.cuh>
#include <heddle/cuda_native/papers/spmm_shared_panels.cuh>
#include <heddle/cuda_native/spmm/by_row.cuh>

namespace heddle::cuda_native
{

template <class Exec, class Matrix, class CsrKernels>
using SpmmCsrShared = SpmmByRow<Exec, Matrix, CsrSharedSpmm<Exec, Matrix>, CsrKernels>;
template <class Exec, class Matrix, class CsrKernels>
using SpmmEllShared = SpmmByRow<Exec, Matrix, EllSharedSpmm<Exec, Matrix>, CsrKernels>;
template <class Exec, class Matrix, class CsrKernels>
using SpmmSellpPaper = SpmmByRow<Exec, Matrix, SellpPaperSpmm<Exec, Matrix>, CsrKernels>;

} // namespace heddle::cuda_native
