// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/types.hpp>
#include <heddle/bsr_matrix.hpp>
#include <heddle/machine_description.hpp>
#include <heddle/multiply_work.hpp>
#include <heddle/pattern_figures.hpp>
#include <heddle/sell_matrix.hpp>
#include <heddle/suggest.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <analyze/density.hpp>

namespace heddle::perf
{

// An order of rows (and columns), tried.
struct TriedOrder
{
  std::string name;
  PatternFigures figures{}; // of the matrix in that order
  double seconds = 0;       // finding it and moving the matrix
};

// A product of sparse matrices, if it was counted.
struct SparseProduct
{
  std::string formula; // "A A" or "A A^T"
  std::int64_t products = 0;
  std::optional<std::int64_t> entries{}; // of C
  std::optional<MultiplyWork> work{};
};

// What a product moves through a cache, in words (paper 003, section IV).
struct ProductMovement
{
  std::string formula;  // "A x", "A A" or "A A^T"
  std::string vertices; // of the hypergraph: "products", or "rows" with all of theirs
  std::int64_t lower = 0, upper = 0;
  std::int64_t as_it_is =
      0; // moved at most by rows in their order; 0: a row does not fit the cache
  std::int64_t largest = 0, cache_words = 0; // what the largest part touches, what the cache holds
  int parts = 1;
  double seconds = 0;
};

// What a multiply took by heddle::auto, and the bytes of device memory that a profiler counted of a
// call; 0: not measured, not counted.
struct MeasuredMultiply
{
  std::string operation; // "spmv", "spmm" or "spgemm"
  double milliseconds = 0, memory_bytes = 0;
};

// All that is said of one matrix.
struct MatrixAnalysis
{
  std::string name, value_type = "";
  std::int64_t k = 1;
  bool is_double = true;
  PatternFigures figures{};
  MultiplyWork spmv{}, spmm{};
  SparseProduct product{};
  std::vector<ProductMovement> movements{}; // that were asked for
  std::vector<MeasuredMultiply> measured{};
  heddle::Candidate<BlockShape> blocks{};
  heddle::Candidate<SellShape> slices{};
  std::vector<TriedOrder> orders{};
  Density density{};
  double seconds = 0; // without the product and the orders
};

struct AnalysisSettings
{
  std::string value_type = "f64"; // c64 of a complex matrix, for which f64 stands
  std::int64_t k = 32;
  double most_products = 2e9; // of A A, above which C is not counted
  bool tries_orders = true;
};

// On the host. Indices are taken for the smallest that hold the matrix, 4 bytes or 8.
MatrixAnalysis analyze(std::string const& name, HostMatrix<double> const& a, bool is_complex,
                       AnalysisSettings const& settings);

// What the multiply of that operation is called and has to do; no work where C was not counted.
struct NamedWork
{
  std::string name;
  std::optional<MultiplyWork> work{};
};
NamedWork work_of(MatrixAnalysis const& analysis, std::string const& operation);

} // namespace heddle::perf
