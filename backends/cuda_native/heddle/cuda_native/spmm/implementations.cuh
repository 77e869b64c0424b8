// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The native implementations of SpMM, of all formats.

#include <heddle/cuda_native/papers/spmm_sellp.cuh>
#include <heddle/cuda_native/papers/spmm_shared_panels.cuh>
#include <heddle/cuda_native/spmm/bsr_blocks.cuh>
#include <heddle/cuda_native/spmm/bsr_tensor.cuh>
#include <heddle/cuda_native/spmm/by_row.cuh>
#include <heddle/cuda_native/spmm/coo_rows.cuh>
#include <heddle/cuda_native/spmm/lines.cuh>
#include <heddle/cuda_native/spmm/row_segments.cuh>

namespace heddle::cuda_native
{

template <class Exec, class Matrix, template <class, class> class Portable>
using SpmmRowBundles = SpmmByRow<Exec, Matrix, CsrBundlesSpmm, Portable>;
template <class Exec, class Matrix, template <class, class> class Portable>
using SpmmCsrMixed = SpmmByRow<Exec, Matrix, CsrMixedSpmm, Portable>;
template <class Exec, class Matrix, template <class, class> class Portable>
using SpmmCsrStream = SpmmByRow<Exec, Matrix, CsrStreamSpmm, Portable>;
template <class Exec, class Matrix, template <class, class> class Portable>
using SpmmCsrRows = SpmmByRow<Exec, Matrix, CsrRowsSpmm, Portable>;
template <class Exec, class Matrix, template <class, class> class Portable>
using SpmmCsrAny = SpmmByRow<Exec, Matrix, CsrAnySpmm, Portable>;
template <class Exec, class Matrix, template <class, class> class Portable>
using SpmmCooRows = SpmmByRow<Exec, Matrix, CooRowsSpmm, Portable>;
template <class Exec, class Matrix, template <class, class> class Portable>
using SpmmBsrBlocks = SpmmByRow<Exec, Matrix, BsrBlocksSpmm, Portable>;
template <class Exec, class Matrix, template <class, class> class Portable>
using SpmmLines = SpmmByRow<Exec, Matrix, LinesSpmm, Portable>;

// By name only.
template <class Exec, class Matrix, template <class, class> class Portable>
using SpmmCsrShared = SpmmByRow<Exec, Matrix, CsrSharedSpmm, Portable>;
template <class Exec, class Matrix, template <class, class> class Portable>
using SpmmEllShared = SpmmByRow<Exec, Matrix, EllSharedSpmm, Portable>;
template <class Exec, class Matrix, template <class, class> class Portable>
using SpmmSellpPaper = SpmmByRow<Exec, Matrix, SellpPaperSpmm, Portable>;

} // namespace heddle::cuda_native
