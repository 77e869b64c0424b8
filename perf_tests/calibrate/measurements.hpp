// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/json_lines.hpp>

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

#include <calibrate/training.hpp>

namespace heddle::perf
{

// The rows of a calibration: what an earlier run of this build measured is there and is not
// measured again.
class Measurements
{
public:
  // Throws what JsonLines does.
  explicit Measurements(std::string const& file);

  // The row of the same case; none if it is still to be measured.
  nlohmann::ordered_json const* find(nlohmann::ordered_json const& row) const;
  void write(nlohmann::ordered_json const& row);
  // The same, unless the row of the case says the same already.
  void replace(nlohmann::ordered_json const& row);
  std::vector<nlohmann::ordered_json> rows() const;

private:
  JsonLines m_file;
  std::map<std::string, nlohmann::ordered_json> m_rows;
};

// What rows say of the matrices in one value type, by entries. Rows of times have operation
// calibrate, rows of features calibrate_features; others are left out, as are times without
// features and features without times. Throws what nlohmann::json does where a key is missing.
std::vector<MeasuredMatrix> measured_matrices(std::vector<nlohmann::ordered_json> const& rows,
                                              std::string const& value_type);

} // namespace heddle::perf
