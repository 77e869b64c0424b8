// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/times.hpp>

#include <cstdint>
#include <string>

namespace heddle::perf
{

// One case: a line of the table and a JSON object. Times are there only if the result was checked
// and right.
struct Record
{
  std::string operation; // spm[mv], spm[mv]_t, spmm_both, spgemm[_numeric], formats_spm[mv],
                         // formats_spgemm[_numeric]
  std::string matrix;
  std::int64_t rows = 0, cols = 0, nnz = 0;
  std::int64_t k = 1;
  std::string value_type;  // f32, f64, c32, c64
  std::string index_types; // "int32,int32": column, offset
  std::string implementation;
  double plan_ms = 0.0, first_ms = 0.0; // first: the first call after the plan
  Times times;                          // of the calls that follow
  double cold_ms = 0.0; // median of calls that find nothing in the caches; 0: not asked for
  std::string noise;    // why times say little: then there is no ratio and no share of a bound
  double flops = 0.0;   // of a call
  double bytes = 0.0;   // compulsory, of a call
  double residual = 0.0;
  std::string skipped;  // why there are no times
  std::string layout;   // of B and C: row, col; none for others than SpMM
  std::string layout_c; // of C where it is another than that of B

  std::int64_t products_nnz = 0; // of SpGEMM: entries of C
  // Of SpGEMM: the most bytes at once, of the plan and a call, beyond those of A, B and C; below 0:
  // not measured.
  std::int64_t workspace_bytes = -1;
  std::string family, part; // of the zoo's matrices, see docs/zoo.md
  std::string chosen;       // of heddle::auto: the kernel that its plan took; empty without a plan
  double heavy_share = -1;  // of A's entries, in heavy row segments; below 0: A has no row segments

  // Of the command formats only, where format says which. Prologue: conversion from CSR and plan,
  // on a device also copying the operands there; epilogue: copying the result to the host.
  std::string format;
  std::string parameters;  // of the format: "2x2", "32,1,1"
  double fill_ratio = 1.0; // values stored over entries
  double prologue_ms = 0.0, epilogue_ms = 0.0;
  double serial_ms = 0.0; // of the same format's serial code; 0 where it did not run

  double gflops() const { return flops / times.median_ms * 1e-6; }
  double gbytes_per_s() const { return bytes / times.median_ms * 1e-6; }
  double total_ms() const { return prologue_ms + times.median_ms + epilogue_ms; }
};

} // namespace heddle::perf
