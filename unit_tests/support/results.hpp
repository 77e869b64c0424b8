// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <limits>
#include <string>

#include <report/result.hpp>

namespace heddle::test
{

// Small results whose charts can be worked out by hand: 2000 operations and 4000 bytes a
// microsecond over ms, so 2 GFLOPS and 4 GB/s at 1 ms, on a machine of 10 GB/s and 8 GFLOPS.
inline perf::Result result(std::string const& matrix, std::string const& implementation, double ms)
{
  perf::Result r;
  r.operation = "spmv";
  r.matrix = matrix;
  r.implementation = implementation;
  r.index_types = "int32,int32";
  r.value_type = "f64";
  r.device = "a device";
  r.commit = "abc";
  r.rows = r.cols = 100;
  r.nnz = 1000;
  r.k = 1;
  r.median_ms = ms;
  r.mean_ms = r.runs = r.plan_ms = r.prologue_ms = r.epilogue_ms = r.serial_ms = r.roofline_gflops =
      r.products_nnz = r.heavy_share = std::numeric_limits<double>::quiet_NaN();
  r.gflops = 2 / ms;
  r.gbytes_per_s = 4 / ms;
  r.machine_gbytes_per_s = 10;
  r.machine_gflops = 8;
  return r;
}

inline perf::Result product(std::string const& operation, std::string const& matrix,
                            std::string const& implementation, double ms)
{
  perf::Result r = result(matrix, implementation, ms);
  r.operation = operation;
  r.layout = r.layout_c = "row";
  r.k = 8;
  return r;
}

inline perf::Result of_format(std::string const& matrix, std::string const& format,
                              std::string const& implementation, double ms)
{
  perf::Result r = product("formats_spmm", matrix, implementation, ms);
  r.format = format;
  r.k = 7;
  r.prologue_ms = 1;
  r.epilogue_ms = 1;
  r.serial_ms = 20;
  return r;
}

} // namespace heddle::test
