// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/require.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include <calibrate/train_tree.hpp>
#include <calibrate/training.hpp>

namespace heddle::perf
{

namespace
{

int most_frequent(std::vector<int> const& values)
{
  std::map<int, int> counts;
  for (int const value : values)
    ++counts[value];
  impl::require(!counts.empty(), "calibrate", "no matrix was measured");
  return std::ranges::max_element(counts,
                                  [](auto const& a, auto const& b) { return a.second < b.second; })
      ->first;
}

template <class Wanted>
std::map<Configuration, Timed> only(std::map<Configuration, Timed> times, Wanted const& wanted)
{
  std::erase_if(times, [&](auto const& time) { return !wanted(time.first); });
  return times;
}

std::vector<double> to_vector(RowSegmentFeatures const& features)
{
  std::vector<double> values;
  values.reserve(RowSegmentFeatures::count);
  for (std::size_t n = 0; n < RowSegmentFeatures::count; ++n)
    values.push_back(features[n]);
  return values;
}

} // namespace

Configuration paper_configuration(std::string const& value_type)
{
  return {2, 8, value_type == "f32" ? 2 : 1};
}

std::string to_text(Configuration const& c)
{
  return std::to_string(c.vertical) + "," + std::to_string(c.threshold) + "," +
         std::to_string(c.horizontal);
}

Configuration parse_configuration(std::string const& text)
{
  Configuration c;
  char const *at = text.data(), *const end = text.data() + text.size();
  bool is_right = true;
  for (int* const number : {&c.vertical, &c.threshold, &c.horizontal})
  {
    auto const [next, error] = std::from_chars(at, end, *number);
    bool const is_last = number == &c.horizontal;
    is_right = is_right && error == std::errc() && *number > 0 &&
               (is_last ? next == end : next != end && *next == ',');
    if (!is_right)
      break;
    at = next + 1;
  }
  impl::require(is_right, "calibrate", "parameters \"", text,
                "\", expected CF_V, threshold and CF_H such as 2,8,1");
  return c;
}

Configuration best_of(std::map<Configuration, Timed> const& times)
{
  impl::require(!times.empty(), "calibrate", "no times");
  return std::ranges::min_element(times,
                                  [](auto const& a, auto const& b) {
                                    return a.second.milliseconds < b.second.milliseconds;
                                  })
      ->first;
}

int most_frequent_horizontal(std::vector<MeasuredMatrix> const& matrices)
{
  std::vector<int> best;
  best.reserve(matrices.size());
  for (MeasuredMatrix const& matrix : matrices)
    best.push_back(best_of(matrix.times).horizontal);
  return most_frequent(best);
}

int most_frequent_vertical(std::vector<MeasuredMatrix> const& matrices, int horizontal)
{
  std::vector<int> best;
  best.reserve(matrices.size());
  for (MeasuredMatrix const& matrix : matrices)
    best.push_back(best_of(only(matrix.times, [&](Configuration const& c) {
                     return c.horizontal == horizontal;
                   })).vertical);
  return most_frequent(best);
}

DecisionTree train_thresholds(std::vector<MeasuredMatrix> const& matrices, int vertical,
                              int horizontal)
{
  std::vector<TreeSample> samples;
  for (MeasuredMatrix const& matrix : matrices)
  {
    auto const times = only(matrix.times, [&](Configuration const& c) {
      return c.horizontal == horizontal && c.vertical == vertical;
    });
    samples.push_back({to_vector(matrix.features.at(vertical)), best_of(times).threshold});
  }
  return train_tree(samples);
}

std::vector<bool> training_set(std::size_t matrices, std::size_t every)
{
  std::vector<bool> is_training(matrices, false);
  for (std::size_t n = every; n <= matrices; n += every)
    is_training[n - 1] = true;
  return is_training;
}

} // namespace heddle::perf
