// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The native implementations of SpMV, of all formats; those that only comparisons with papers name
// are in papers/spmv.cuh.

#include <heddle/cuda_native/spmv/bsr_blocks.cuh>
#include <heddle/cuda_native/spmv/by_row.cuh>
#include <heddle/cuda_native/spmv/coo_tiles.cuh>
#include <heddle/cuda_native/spmv/csr_panels.cuh>
#include <heddle/cuda_native/spmv/csr_rows.cuh>
#include <heddle/cuda_native/spmv/csr_runs.cuh>
#include <heddle/cuda_native/spmv/csr_templates.cuh>
#include <heddle/cuda_native/spmv/csr_tiles.cuh>
#include <heddle/cuda_native/spmv/slices.cuh>

namespace heddle::cuda_native
{

template <class Exec, class Matrix>
using SpmvCsrRuns = SpmvByRow<Exec, Matrix, CsrRunsKernel>;
template <class Exec, class Matrix>
using SpmvCsrTemplates = SpmvByRow<Exec, Matrix, CsrTemplatesKernel>;
template <class Exec, class Matrix>
using SpmvCsrPanels = SpmvByRow<Exec, Matrix, CsrPanelsKernel>;
template <class Exec, class Matrix>
using SpmvCsrVector = SpmvByRow<Exec, Matrix, CsrVectorKernel>;
template <class Exec, class Matrix>
using SpmvCsrTiles = SpmvByRow<Exec, Matrix, CsrTilesKernel>;
template <class Exec, class Matrix>
using SpmvCooTiles = SpmvByRow<Exec, Matrix, CooTilesKernel>;
template <class Exec, class Matrix>
using SpmvSellSlices = SpmvByRow<Exec, Matrix, SellSlicesKernel>;
template <class Exec, class Matrix>
using SpmvEllrT = SpmvByRow<Exec, Matrix, EllrTKernel>;
template <class Exec, class Matrix>
using SpmvBsrBlocks = SpmvByRow<Exec, Matrix, BsrBlocksKernel>;

} // namespace heddle::cuda_native
