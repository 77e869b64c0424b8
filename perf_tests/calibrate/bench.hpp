// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/types.hpp>
#include <heddle/row_segment_model.hpp>

#include <array>
#include <string>
#include <vector>

#include <calibrate/measurements.hpp>
#include <calibrate/settings.hpp>

namespace heddle::perf
{

// The parameters that there are on this device: with native kernels all of the paper's, else one
// pair of coarsenings, of which portable kernels have none.
struct Grid
{
  std::string implementation; // empty: the automatic choice
  std::vector<int> verticals, horizontals;
  static constexpr int thresholds = 16; // from 1
  std::vector<Configuration> all() const;
};
Grid grid_of(std::string const& value_type);

struct MatrixName
{
  std::string name;
  bool is_training = false;
};

// Each is there for float and double, in files of their own because kernels take long to compile.

// What is not measured yet of a matrix: its features, for each CF_V, ...
template <class Value>
void measure_features(Measurements& rows, std::string const& name, HostMatrix<Value> const& a);
// ... and its times. False where the deadline came first. Throws WrongResult.
template <class Value>
bool measure_grid(CalibrateSettings const& settings, Deadline const& deadline, Measurements& rows,
                  MatrixName const& name, HostMatrix<Value> const& a);
// Of both synthetic matrices: heavy for each CF_V, light with this CF_H. False where the deadline
// came first.
template <class Value>
bool measure_costs(CalibrateSettings const& settings, Deadline const& deadline, Measurements& rows,
                   int horizontal);

// The rows as they are looked for.
nlohmann::ordered_json features_row(std::string const& matrix, std::string const& value_type,
                                    int vertical);
nlohmann::ordered_json time_row(std::string const& matrix, std::string const& value_type, int k,
                                Configuration const& configuration);
// part: "heavy,2" or "light,1"; matrix: "dense" or "clustered".
nlohmann::ordered_json cost_row(std::string const& matrix, std::string const& value_type, int k,
                                int size, std::string const& part);
// way: "tree" or "single", which see held_out.hpp.
nlohmann::ordered_json held_out_row(std::string const& matrix, std::string const& value_type, int k,
                                    std::string const& way);

} // namespace heddle::perf
