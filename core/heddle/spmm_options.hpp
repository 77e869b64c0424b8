// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/backend.hpp>
#include <heddle/row_segment_model.hpp>
#include <heddle/version.hpp>

#include <memory>
#include <string>

namespace heddle
{

/// Numbers of cuda_native::row_segments; the plan chooses those that are 0.
struct RowSegmentsTuning
{
  /// Slices of 32 columns of B that a warp takes at once, 1, 2 or 4 (CF_V for heavy segments and
  /// CF_H for light rows in paper 000). Fewer where B has not so many columns or shared memory
  /// holds no more.
  int vertical_coarsening = 0, horizontal_coarsening = 0;
  /// By which the plan chooses them; none: shipped_row_segment_model().
  std::shared_ptr<RowSegmentModel const> model = {};
};

/// Numbers of single kernels, by the name of the kernel.
struct SpmmTuning
{
  RowSegmentsTuning row_segments = {};
};

// Compilers report uses of deprecated members in the functions that a class has implicitly, too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

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
  /// What tuning.row_segments has of the same name; tuning is read where it has another number
  /// than 0. To be removed after this release.
  HEDDLE_DEPRECATED("use tuning.row_segments.vertical_coarsening") int vertical_coarsening = 0;
  /// See vertical_coarsening.
  HEDDLE_DEPRECATED("use tuning.row_segments.horizontal_coarsening") int horizontal_coarsening = 0;
  /// See vertical_coarsening; the model of tuning.row_segments is read where there is one.
  HEDDLE_DEPRECATED("use tuning.row_segments.model")
  std::shared_ptr<RowSegmentModel const> row_segment_model = {};
  /// Of a ReorderedMatrix, a number of columns: the plan times a few calls with so many, row-major,
  /// with A as it was and in its new order, on a copy of A and scratch of B and C that live
  /// meanwhile, and plan.describe() says after how many calls the order pays. 0: no trial.
  int order_trial = 0;
  SpmmTuning tuning = {}; ///< numbers of single kernels; other kernels do not read them
};

namespace impl
{

// The same with the deprecated members in tuning.
inline SpmmOptions with_tuning(SpmmOptions options)
{
  RowSegmentsTuning& tuning = options.tuning.row_segments;
  if (tuning.vertical_coarsening == 0)
    tuning.vertical_coarsening = options.vertical_coarsening;
  if (tuning.horizontal_coarsening == 0)
    tuning.horizontal_coarsening = options.horizontal_coarsening;
  if (tuning.model == nullptr)
    tuning.model = options.row_segment_model;
  return options;
}

} // namespace impl

#pragma GCC diagnostic pop

} // namespace heddle
