// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// B as the symbolic phase of SpGEMM goes through it, whether in columns or as column bitmasks
// (row_bounds.cuh): words of 32 neighbouring columns, a column being a word with one bit.

#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/word_tables.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// How many entries and how many words that are not zero.
struct WordCount
{
  std::int64_t entries = 0, words = 0;
};

// The word of a step through a row of B, in columns or as column bitmasks.
template <class Value, class Ordinal, class Offset>
__device__ ColumnWord<Ordinal> word_at(CsrView<Value, Ordinal, Offset> const& b, std::int64_t n)
{
  Ordinal const column = b.columns[n];
  return {static_cast<Ordinal>(block_of(column)), bit_of(column)};
}
template <class Ordinal, class Offset>
__device__ ColumnWord<Ordinal> word_at(FactorBitmasks<Ordinal, Offset> const& b, std::int64_t n)
{
  return b.words[n];
}

// How many steps the rows of B take that a row of C needs.
template <class Value, class Ordinal, class Offset>
__device__ std::int64_t steps_of(CsrView<Value, Ordinal, Offset> const&,
                                 ProductRow<Ordinal> const& row)
{
  return static_cast<std::int64_t>(row.products);
}
template <class Ordinal, class Offset>
__device__ std::int64_t steps_of(FactorBitmasks<Ordinal, Offset> const&,
                                 ProductRow<Ordinal> const& row)
{
  return static_cast<std::int64_t>(row.words);
}

} // namespace heddle::cuda_native
