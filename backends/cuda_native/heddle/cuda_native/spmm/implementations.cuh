// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The native implementations of SpMM, of all formats; those that only comparisons with papers name
// are in papers/spmm.cuh.

#include <heddle/cuda_native/spmm/bsr_blocks.cuh>
#include <heddle/cuda_native/spmm/bsr_tensor.cuh>
#include <heddle/cuda_native/spmm/by_row.cuh>
#include <heddle/cuda_native/spmm/coo_rows.cuh>
#include <heddle/cuda_native/spmm/csr.cuh>
#include <heddle/cuda_native/spmm/csr_mixed.cuh>
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/cuda_native/spmm/csr_short.cuh>
#include <heddle/cuda_native/spmm/csr_tiles.cuh>
#include <heddle/cuda_native/spmm/row_bundles.cuh>
#include <heddle/cuda_native/spmm/row_segments.cuh>
#include <heddle/cuda_native/spmm/slices.cuh>
#include <heddle/impl/dispatch.hpp>

#include <type_traits>

namespace heddle::cuda_native
{

// The kernels for CSR, best first; the last takes any matrix. A plan holds a variant over what
// these need.
using CsrKernelsOfAll = impl::Candidates<CsrBundles, // rows that share most of their columns
                                         CsrMixed,   // ... in some ranges
                                         CsrShort,   // short rows
                                         CsrTiles,   // rows that differ, for narrow B
                                         CsrRows>;   // any rows
using CsrKernelsOfDoubles = impl::Candidates<CsrTensorBundles, // rows that share columns
                                             CsrBundles, CsrMixed, CsrShort, CsrTiles, CsrRows>;
template <class Matrix>
using CsrKernels =
    std::conditional_t<CsrTensorBundles::takes<Matrix>, CsrKernelsOfDoubles, CsrKernelsOfAll>;

template <class Exec, class Matrix, class Kernel>
using SpmmWith = SpmmByRow<Exec, Matrix, Kernel, CsrKernels<Matrix>>;

template <class Exec, class Matrix>
struct SpmmCsr : SpmmWith<Exec, Matrix, CsrSpmm<Exec, Matrix, CsrKernels<Matrix>>>
{
  using kernels = CsrKernels<Matrix>;
  using State = typename SpmmWith<Exec, Matrix, CsrSpmm<Exec, Matrix, kernels>>::State;
  static char const* kernel_name(State const& state) { return state.tuning.name(); }
  static auto const& kernel_verdicts(State const& state) { return state.tuning.verdicts; }
};
template <class Exec, class Matrix>
using SpmmCsrAny = SpmmWith<Exec, Matrix, CsrAnySpmm<Exec, Matrix, CsrKernels<Matrix>>>;
template <class Exec, class Matrix>
using SpmmCooRows = SpmmWith<Exec, Matrix, CooRowsSpmm<Exec, Matrix, CsrKernels<Matrix>>>;
template <class Exec, class Matrix>
using SpmmBsrBlocks = SpmmWith<Exec, Matrix, BsrBlocksSpmm<Exec, Matrix>>;
template <class Exec, class Matrix>
using SpmmSlices = SpmmWith<Exec, Matrix, SlicesSpmm<Exec, Matrix>>;

} // namespace heddle::cuda_native
