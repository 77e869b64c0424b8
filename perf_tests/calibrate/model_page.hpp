// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/row_segment_model.hpp>

#include <string>
#include <vector>

#include <calibrate/statistics.hpp>
#include <calibrate/training.hpp>

namespace heddle::perf
{

// A matrix with fixed parameters, with those of the model and with the best of all.
struct ModelResult
{
  std::string matrix;
  double nnz = 0;
  bool is_training = false;
  Configuration fixed, model, best;
  double fixed_ms = 0, model_ms = 0, best_ms = 0;
};

// Of one value type.
struct ModelResults
{
  std::string value_type, device;
  int k = 0;
  std::vector<ModelResult> results;
};

// Of those matrices that were measured with all three, by entries.
std::vector<ModelResult> model_results(std::vector<MeasuredMatrix> const& matrices,
                                       RowSegmentModel::OfType const& model,
                                       Configuration const& fixed);

// Times over the best time.
struct ModelSummary
{
  RatioSummary fixed, model;
};
ModelSummary summary_of(std::vector<ModelResult> const& results);

// One HTML page after paper 000's Fig. 7: GFLOPS by matrix without model, with it and at best, and
// a table of them, for each value type.
std::string model_page(std::vector<ModelResults> const& all);

} // namespace heddle::perf
