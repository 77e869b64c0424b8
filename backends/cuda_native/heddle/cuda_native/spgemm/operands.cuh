// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the SpGEMM kernels read and write: the factors A and B, B as column bitmasks, the bounds of
// each row of C, and C itself.

#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spgemm/word_tables.hpp>
#include <heddle/impl/mismatch_flag.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::cuda_native
{

// A row of B. blocks is how often the block of 32 columns changes along the row: the number of
// blocks where columns are sorted, not less where they are not.
template <class Ordinal>
struct alignas(4 * sizeof(Ordinal)) FactorRow
{
  Ordinal first, last, length, blocks;
};

// A word of a column bitmask: the columns of a row of B that are in one block of 32, by the block's
// number and a bit for each.
template <class Ordinal>
struct alignas(2 * sizeof(Ordinal)) ColumnWord
{
  Ordinal block;
  std::uint32_t bits;
};

// B as column bitmasks: row i has rows[i].blocks words, the first where B has the row's first
// entry.
template <class Ordinal, class Offset>
struct FactorBitmasks
{
  FactorRow<Ordinal> const* rows;
  Offset const* offsets;
  ColumnWord<Ordinal>* words; // null: B is taken in columns

  using entry_index = EntryIndexOf<Offset>;
  __device__ entry_index begin_of(std::int64_t row) const
  {
    return static_cast<entry_index>(offsets[row]);
  }
  __device__ int length_of(std::int64_t row) const { return static_cast<int>(rows[row].blocks); }
};

// A row of C: the columns of its products are among first .. first + width - 1; words: the sum of
// the blocks of the rows of B it takes. Words and products stay at the largest value of their type.
template <class Ordinal>
struct alignas(4 * sizeof(Ordinal)) ProductRow
{
  Ordinal first, width, words, products;
};

// Of the products of all rows, on the device and on the host.
struct BoundTotals
{
  unsigned long long products, words;
  unsigned long long unsorted; // not 0: a row of B has its columns out of order
};

// Blocks of columns from the first to the last that products have.
template <class Ordinal>
__device__ std::int64_t span_of(ProductRow<Ordinal> const& row)
{
  constexpr int per_word = columns_per_word;
  auto const first = static_cast<std::int64_t>(row.first);
  return row.width == 0
             ? 0
             : (first + static_cast<std::int64_t>(row.width) - 1) / per_word - first / per_word + 1;
}

// A bound of how many blocks of columns a row of C has.
template <class Ordinal>
__device__ std::int64_t blocks_of(ProductRow<Ordinal> const& row)
{
  std::int64_t const span = span_of(row), words = static_cast<std::int64_t>(row.words);
  return words < span ? words : span;
}

template <class Ordinal>
struct WidestRange
{
  static constexpr Ordinal first = std::numeric_limits<Ordinal>::max(), last = -1;
};

// C as the numeric kernels see it: columns are there, values are written. A and B have the pattern
// that the plan was made for, or report is called and nothing beside C is written.
template <class Value, class Ordinal, class Offset>
struct SpgemmTarget
{
  using value_type = Value;
  using ordinal_type = Ordinal;
  using offset_type = Offset;
  Offset const* offsets;
  Ordinal const* columns;
  Value* values;
  impl::MismatchReport report = {};
};

} // namespace heddle::cuda_native
