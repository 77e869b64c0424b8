// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::perf
{

// A line that --json wrote, as far as charts need it (docs/heddle_perf.md has the keys). Numbers
// that are not there are NaN.
struct Result
{
  std::string operation, matrix, value_type, implementation, device;
  std::string format, parameters, layout; // may be empty
  std::string skipped;                    // why there are no times
  std::int64_t rows = 0, cols = 0, nnz = 0, k = 1;
  double median_ms = 0, gflops = 0, gbytes_per_s = 0;
  double prologue_ms = 0, epilogue_ms = 0, serial_ms = 0;
  double machine_gbytes_per_s = 0, machine_gflops = 0;

  bool is_skipped() const { return !skipped.empty(); }
  bool is_of_formats() const { return !format.empty(); }
  bool is_serial() const { return implementation.starts_with("serial::"); }
  double total_ms() const { return prologue_ms + median_ms + epilogue_ms; }
};

// The lines of a file; those of the command read are left out. Throws FileError where the file
// cannot be read, ParseError with file and line where a line is not such an object.
std::vector<Result> read_results(std::string const& file);

} // namespace heddle::perf
