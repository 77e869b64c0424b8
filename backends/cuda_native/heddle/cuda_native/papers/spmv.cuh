// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The native implementations of SpMV that only comparisons with papers name. The simple kernels for
// CSR and ELL stand beside those that plans take, whose code they share.

#include <heddle/cuda_native/papers/spmv_csr_merge.cuh>
#include <heddle/cuda_native/papers/spmv_sellp.cuh>
#include <heddle/cuda_native/spmv/by_row.cuh>
#include <heddle/cuda_native/spmv/csr_rows.cuh>
#include <heddle/cuda_native/spmv/slices.cuh>

namespace heddle::cuda_native
{

template <class Exec, class Matrix>
using SpmvCsrScalar = SpmvByRow<Exec, Matrix, CsrScalarKernel>;
template <class Exec, class Matrix>
using SpmvCsrMerge = SpmvByRow<Exec, Matrix, CsrMergeKernel>;
template <class Exec, class Matrix>
using SpmvSellpPaper = SpmvByRow<Exec, Matrix, SellpPaperKernel>;
template <class Exec, class Matrix>
using SpmvEllr = SpmvByRow<Exec, Matrix, EllrKernel>;
template <class Exec, class Matrix>
using SpmvEll = SpmvByRow<Exec, Matrix, EllWholeKernel>;

} // namespace heddle::cuda_native
