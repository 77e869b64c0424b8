// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A random case as plain data: one operation, its matrices entry by entry, and every option. What
// is checked is a function of this alone, so that a case can be shrunk and pasted into a test.

#include <heddle/backend.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm_options.hpp>
#include <support/reference.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace heddle::test::random
{

// Values, ordinals and offsets of the matrices.
enum class Type
{
  f64,      // double, int, std::size_t
  f32,      // float, int, int
  c128,     // complex double, int, std::size_t
  f64_int64 // double, std::int64_t, std::int64_t
};
inline constexpr std::array types = {Type::f64, Type::f32, Type::c128, Type::f64_int64};

enum class Format
{
  csr,
  coo,
  csc,
  dcsr,
  bsr,
  ell,
  sell,
  hyb,
  row_segmented,
  reordered
};
inline constexpr std::array formats = {
    Format::csr, Format::coo,  Format::csc, Format::dcsr,          Format::bsr,
    Format::ell, Format::sell, Format::hyb, Format::row_segmented, Format::reordered};

// Those of one format first, then those of CSR alone.
enum class Operation
{
  spmv,
  spmm,
  spmm_both,
  convert,       // to the format, new values, a copy, and back
  spgemm,        // C = op(A) op(B)
  associate,     // A (B x) = (A B) x and (A B)^T = B^T A^T
  transpose,     // with sort_rows and drop_zeros
  permute,       // P A Q^T with random permutations
  reorder,       // the orders that heddle finds
  suggest,       // what blocks and slices would take
  balanced_rows, // parts of the rows
  files          // Matrix Market and CSRB1 and back
};
inline constexpr std::array operations = {
    Operation::spmv,    Operation::spmm,      Operation::spmm_both,     Operation::convert,
    Operation::spgemm,  Operation::associate, Operation::transpose,     Operation::permute,
    Operation::reorder, Operation::suggest,   Operation::balanced_rows, Operation::files};
constexpr bool has_format(Operation operation) { return operation <= Operation::convert; }
constexpr bool is_product(Operation operation)
{
  return operation == Operation::spgemm || operation == Operation::associate;
}

// Where a dense operand lies in memory; what surrounds it must stay as it is.
enum class Placement
{
  row_major,
  column_major,
  shifted,        // row-major, one value behind the start of an allocation
  padded_rows,    // row-major with values between the rows
  padded_columns, // column-major with values between the columns
  strided         // values between all entries
};
inline constexpr std::array placements = {Placement::row_major,      Placement::column_major,
                                          Placement::shifted,        Placement::padded_rows,
                                          Placement::padded_columns, Placement::strided};

// What else is checked of a call.
enum class Extra
{
  none,
  same_again,   // the same plan once more: the same bits where it says so
  fresh_plan,   // another plan made alike: the same bits where both say so
  new_values,   // other values under the same plan
  copy,         // a clone under the same plan
  without_plan, // the call that makes its own
  refused       // operands of wrong sizes change nothing
};
inline constexpr std::array extras = {Extra::none,       Extra::same_again, Extra::fresh_plan,
                                      Extra::new_values, Extra::copy,       Extra::without_plan,
                                      Extra::refused};

struct Entry
{
  std::int64_t row = 0, column = 0;
  Wide value = 1;
};

// Of coordinates, the order is theirs and entries may repeat; of CSR, each row has its entries in
// this order.
struct EntryList
{
  std::int64_t rows = 0, cols = 0;
  std::vector<Entry> entries = {};
};

struct Problem
{
  Type type = Type::f64;
  Operation operation = Operation::spmv;
  Format format = Format::csr;
  std::array<std::int64_t, 3> shape = {1, 1, 1}; // of the format: see make_format.hpp
  EntryList a = {}, b = {};                      // b: of products
  bool from_coordinates = false;                 // the format is made of coordinates, not of CSR
  bool shifted_arrays = false; // arrays of A and B begin one number behind their allocation
  bool no_offsets = false;     // a matrix without rows has no row offsets at all
  Op op = Op::none, op_b = Op::none;
  Wide alpha = 1, beta = 0;
  std::int64_t columns = 1; // of the dense operands
  Placement in = Placement::row_major, out = Placement::row_major;
  std::uint64_t seed = 0;    // of dense values, new values and permutations; 0: all are 1
  bool has_specials = false; // NaN and infinities among the dense values; A has its own
  bool other_instance = false;

  Backend backend = Backend::automatic;
  std::string implementation = {};
  bool deterministic = false, transposed = false, may_convert = false, reuse = false;
  std::int64_t expected_calls = 0;
  SpgemmAccumulator accumulator = SpgemmAccumulator::automatic;
  int virtual_warps = 0;
  std::size_t max_workspace_bytes = std::numeric_limits<std::size_t>::max();
  Extra extra = Extra::none;
};

char const* to_string(Type type);
char const* to_string(Format format);
char const* to_string(Operation operation);
char const* to_string(Placement placement);
char const* to_string(Extra extra);

// C++ that makes the problem: the members that are not the default.
std::string to_code(Problem const& problem);

} // namespace heddle::test::random
