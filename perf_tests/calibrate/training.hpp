// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What is made of measured times, after paper 000, sections 4.1 and 4.2.

#include <heddle/decision_tree.hpp>
#include <heddle/row_segment_features.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::perf
{

// Parameters of row segments: CF_V, T and CF_H.
struct Configuration
{
  int vertical = 2, threshold = 8, horizontal = 1;
  auto operator<=>(Configuration const&) const = default;
};
// CF_V as panels of paper 000 are made for, the middle threshold, CF_H of its section 4.1.
Configuration paper_configuration(std::string const& value_type);
// "2,8,1"; parse throws InvalidArgument.
std::string to_text(Configuration const& configuration);
Configuration parse_configuration(std::string const& text);

struct Timed
{
  double milliseconds = 0;
  std::int64_t segments = 0, heavy_nnz = 0;
};

// All that was measured of a matrix in one value type.
struct MeasuredMatrix
{
  std::string name;
  std::int64_t rows = 0, nnz = 0;
  bool is_training = false;
  std::map<int, RowSegmentFeatures> features; // by CF_V, which makes panels narrower or wider
  std::map<Configuration, Timed> times;
};

// The fastest; of several the first.
Configuration best_of(std::map<Configuration, Timed> const& times);

// CF_H that is the most frequent among the best configurations, of several the least, ...
int most_frequent_horizontal(std::vector<MeasuredMatrix> const& matrices);
// ... CF_V among the best with this CF_H, ...
int most_frequent_vertical(std::vector<MeasuredMatrix> const& matrices, int horizontal);
// ... and a tree for the best thresholds with both.
DecisionTree train_thresholds(std::vector<MeasuredMatrix> const& matrices, int vertical,
                              int horizontal);

// Which of so many matrices, ascending by entries, are for training: every n-th of them.
std::vector<bool> training_set(std::size_t matrices, std::size_t every);

} // namespace heddle::perf
