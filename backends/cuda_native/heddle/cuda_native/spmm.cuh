// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The native implementations of SpMM, of all formats.

#include <heddle/cuda_native/spmm_bsr_blocks.cuh>
#include <heddle/cuda_native/spmm_by_row.cuh>
#include <heddle/cuda_native/spmm_lines.cuh>
#include <heddle/cuda_native/spmm_row_segments.cuh>

namespace heddle::cuda_native
{

template <class Exec, class Matrix>
using SpmmRowBundles = SpmmByRow<Exec, Matrix, CsrBundlesSpmm>;
template <class Exec, class Matrix>
using SpmmCsrStream = SpmmByRow<Exec, Matrix, CsrStreamSpmm>;
template <class Exec, class Matrix>
using SpmmCsrRows = SpmmByRow<Exec, Matrix, CsrRowsSpmm>;
template <class Exec, class Matrix>
using SpmmBsrBlocks = SpmmByRow<Exec, Matrix, BsrBlocksSpmm>;
template <class Exec, class Matrix>
using SpmmLines = SpmmByRow<Exec, Matrix, LinesSpmm>;

} // namespace heddle::cuda_native
