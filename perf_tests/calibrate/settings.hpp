// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/types.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::perf
{

// What the command line of calibrate asks for.
struct CalibrateSettings
{
  std::vector<std::string> paths; // files, or folders of them
  std::vector<std::string> gallery;
  std::vector<std::string> types = built_types();
  std::string out;     // the model
  std::string results; // every measurement; empty: beside out
  int every = 1;       // of the matrices by number of entries this one and its multiples train
  std::int64_t least_nnz = 100000;
  int k = 128;
  int synthetic = 4096; // rows and columns of the matrices that costs are measured on
  bool has_evaluation = false;
  int runs = 5;
  double budget_s = 0.5;
  double seconds = 0; // no measurement begins later; 0: no limit

  std::string results_file() const;
};

// Of a command that is to end in time.
class Deadline
{
public:
  explicit Deadline(double seconds)
      : m_seconds(seconds)
  {}
  bool is_over() const
  {
    std::chrono::duration<double> const spent = std::chrono::steady_clock::now() - m_start;
    return m_seconds > 0 && spent.count() > m_seconds;
  }

private:
  double m_seconds;
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace heddle::perf
