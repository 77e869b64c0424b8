// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::perf
{

// A line that --json wrote, as far as the page needs it (docs/heddle_perf.md has the keys). Numbers
// that are not there are NaN.
struct Result
{
  std::string operation, matrix, value_type, index_types, implementation, device, commit;
  std::string format, parameters; // may be empty
  std::string layout, layout_c;   // of B and of C: row, col; empty where there are none
  std::string skipped;            // why there are no times
  std::string warning;            // of a self-check: what was wrong with the machine
  std::int64_t rows = 0, cols = 0, nnz = 0, k = 1;
  double plan_ms = 0, median_ms = 0, mean_ms = 0, runs = 0, gflops = 0, gbytes_per_s = 0;
  double prologue_ms = 0, epilogue_ms = 0, serial_ms = 0;
  double machine_gbytes_per_s = 0, machine_gflops = 0, roofline_gflops = 0;
  double products_nnz = 0; // entries of C, of SpGEMM
  double heavy_share = 0;  // of the entries, in heavy segments of rows

  bool is_skipped() const { return !skipped.empty(); }
  bool is_self_check() const { return operation == "self_check"; }
  bool is_of_formats() const { return !format.empty(); }
  bool is_serial() const { return implementation.starts_with("serial::"); }
  double total_ms() const { return prologue_ms + median_ms + epilogue_ms; }
  // By the mean of the calls, which paper 004 has; gflops is by their median.
  double mean_gflops() const { return gflops * median_ms / mean_ms; }
  double plan_calls() const { return plan_ms / median_ms; }
  // Operations over compulsory bytes.
  double intensity() const { return gflops / gbytes_per_s; }
  // What the machine allows at most for the compulsory bytes and the operations.
  double bound_gflops() const;
  double roofline_percent() const { return 100 * gflops / bound_gflops(); }
  double value_bytes() const;
};

// The lines of a file, self-checks among them; those of the command read are left out. Throws
// FileError where the file cannot be read, ParseError with file and line where a line is not such
// an object.
std::vector<Result> read_results(std::string const& file);

} // namespace heddle::perf
