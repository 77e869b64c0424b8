// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle::cuda_native
{

struct SpmvCsrScalarPolicy
{
  int threads_per_block;
  double mean_row; // automatic takes this kernel up to this mean of entries a row
  int longest_row; // and only where no row is longer
};

// A thread per row is the fastest of all peers at 7 entries a row, a warp per row at 127 (DESIGN.md
// section 2, measured on an H200); between them lies the portable kernel. The longest row bounds
// how long one thread keeps its warp waiting. A kernel takes this type, not its value: nvcc 13.0
// cannot compile a __global__ template whose parameter is a struct value from a namespace.
struct SpmvCsrScalarPolicyFor
{
  static constexpr SpmvCsrScalarPolicy value{256, 8.0, 64};
};

} // namespace heddle::cuda_native
