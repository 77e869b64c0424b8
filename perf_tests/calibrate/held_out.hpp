// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A tree for thresholds (paper 000, section 4.2) or one threshold for all matrices: which is better
// on matrices that did not train it, by leave-one-out cross-validation.

#include <heddle/row_segment_model.hpp>

#include <string>
#include <vector>

#include <calibrate/training.hpp>

namespace heddle::perf
{

// What conversion and plan take for a matrix by a model, of the parameters that were measured: the
// threshold of the tree, then the CF_V of the least cost.
Configuration chosen_by(RowSegmentModel::OfType const& model, MeasuredMatrix const& matrix);

// The threshold with which times over the best have the least geometric mean, with the coarsenings
// and costs of a model; of several the least. Throws InvalidArgument where there is no matrix.
int single_threshold(std::vector<MeasuredMatrix> const& matrices, RowSegmentModel::OfType model);

// What is chosen for a matrix by what all others teach, and its time over the best.
struct HeldOut
{
  struct Choice
  {
    Configuration configuration;
    double over_best = 1;
  };
  std::string matrix;
  Choice tree, single;
};

// Each matrix in turn, with the coarsenings and costs of a model; none of fewer than two matrices.
std::vector<HeldOut> hold_out_each(std::vector<MeasuredMatrix> const& matrices,
                                   RowSegmentModel::OfType const& model);

// Over the best, of matrices held out.
struct OverBest
{
  double mean = 1, most = 1; // mean: geometric
};
OverBest over_best(std::vector<HeldOut> const& matrices, HeldOut::Choice HeldOut::*choice);

// The tree that train_thresholds grows, where it was better on matrices held out; else a leaf.
DecisionTree validated_thresholds(std::vector<MeasuredMatrix> const& matrices,
                                  RowSegmentModel::OfType const& model,
                                  std::vector<HeldOut> const& held_out);

} // namespace heddle::perf
