// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/coo_matrix.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/transposed_pattern.hpp>

#include <cstddef>
#include <optional>

namespace heddle::impl
{

// The orders of a matrix's entries that a plan holds beside the matrix. An implementation that does
// not take the operands of a call hands these over to one that does (plan/plan.hpp), so that
// what the plan says of repeatable calls holds for all operands.
template <class Matrix>
struct HeldOrders
{
  std::optional<TransposedRowsOf<Matrix>> transposed = {};

  // Of the state of a native kernel by rows.
  template <class State>
  static HeldOrders of(State const& state)
  {
    return {state.transposed};
  }
  std::size_t bytes() const { return transposed ? transposed->bytes() : 0; }
};

// Coordinates have no rows of their own: entries by row.
template <Coo Matrix>
struct HeldOrders<Matrix>
{
  TransposedPatternOf<Matrix> by_row = {};
  std::optional<TransposedRowsOf<Matrix>> transposed = {};

  template <class State>
  static HeldOrders of(State const& state)
  {
    return {state.tuning.by_row, state.transposed};
  }
  std::size_t bytes() const { return by_row.bytes() + (transposed ? transposed->bytes() : 0); }
};

} // namespace heddle::impl
