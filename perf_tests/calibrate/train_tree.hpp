// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/decision_tree.hpp>

#include <cstddef>
#include <vector>

namespace heddle::perf
{

// What is known of one case, and what its answer is.
struct TreeSample
{
  std::vector<double> features;
  int label = 0;
};

// As paper 000 has them, which trained with Weka's "J48 -C 0.25 -M 2".
struct TreeOptions
{
  double confidence = 0.25; // of pruning: the less, the smaller the tree
  std::size_t least = 2;    // samples on either side of a question
};

// A tree in the manner of C4.5 (Quinlan, C4.5: Programs for Machine Learning, 1993), for features
// that are numbers: questions by gain ratio among those of at least average gain, then a subtree is
// replaced by a leaf or by its larger branch where the pessimistic estimate of errors does not
// grow. The details that the book leaves open are those of J48 (Weka 3.8). Throws InvalidArgument
// where there is no sample, or samples have different numbers of features.
DecisionTree train_tree(std::vector<TreeSample> const& samples, TreeOptions const& options = {});

// How many more than the errors seen among so many cases the upper end of their confidence interval
// is (C4.5, section 4.2).
double pessimistic_errors(double cases, double errors, double confidence);

} // namespace heddle::perf
