// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle::cuda_native
{

struct SpmvCsrMergePolicy
{
  int threads_per_block;
  int items_per_thread; // rows and entries; odd, so that threads begin in different banks
};

// As the paper has it for Kepler (Merrill and Garland 2016, section 4.2); no target depends on it.
struct SpmvCsrMergePolicyFor
{
  static constexpr SpmvCsrMergePolicy value{128, 7};
  static constexpr int items_per_block = value.threads_per_block * value.items_per_thread;
};

} // namespace heddle::cuda_native
