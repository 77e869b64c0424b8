// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/backend.hpp>
#include <heddle/row_segment_model.hpp>

#include <memory>
#include <string>

namespace heddle
{

/// Choices of an SpmmPlan; the defaults are what most callers want.
struct SpmmOptions
{
  Backend backend = Backend::automatic;
  /// A name such as "portable::csr_team"; empty: the plan chooses. "cuda_native::bsr_tensor", BSR
  /// with half_t or bhalf_t on tensor cores, is never its choice (docs/spmm.md).
  std::string implementation = {};
  bool deterministic = false; ///< bitwise repeatable values for every op, see describe()
  /// Calls with A^T or A^H are expected: a native plan holds the pattern of A^T (an ordinal and an
  /// offset an entry), so that they are about as fast as A B, and repeatable; without it they add
  /// by atomics.
  bool transposed = false;
  /// Of cuda_native::row_segments: slices of 32 columns of B that a warp takes at once, 1, 2 or 4
  /// (CF_V for heavy segments and CF_H for light rows in paper 000); 0: the plan chooses. Fewer
  /// where B has not so many columns or shared memory holds no more.
  int vertical_coarsening = 0, horizontal_coarsening = 0;
  /// By which it chooses them; none: shipped_row_segment_model().
  std::shared_ptr<RowSegmentModel const> row_segment_model = {};
  /// Of a ReorderedMatrix, a number of columns: the plan times a few calls with so many, row-major,
  /// with A as it was and in its new order, on a copy of A and scratch of B and C that live
  /// meanwhile, and plan.describe() says after how many calls the order pays. 0: no trial.
  int order_trial = 0;
};

} // namespace heddle
