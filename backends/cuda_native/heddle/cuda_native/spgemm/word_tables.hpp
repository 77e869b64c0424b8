// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The tables that a row may have in shared memory, and how large they are: words of 32 columns, by
// the block of columns that they stand for.

#include <heddle/impl/divided_up.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// Columns that a word of a table or of a column bitmask stands for.
inline constexpr int columns_per_word = 32;

// The block of columns that a column is in, and its bit there.
template <class Ordinal>
KOKKOS_INLINE_FUNCTION std::make_unsigned_t<Ordinal> block_of(Ordinal column)
{
  return static_cast<std::make_unsigned_t<Ordinal>>(column) / columns_per_word;
}
template <class Ordinal>
KOKKOS_INLINE_FUNCTION std::uint32_t bit_of(Ordinal column)
{
  return 1U << (static_cast<std::uint32_t>(column) % columns_per_word);
}

// A directly indexed table has a word for each block of columns between a row's first and last. It
// is taken where it fits the bin of the row and has at most this many times the slots of a hash
// table: the symbolic phase reads all of them at the end, the numeric phase only clears them.
struct WordTablePolicy
{
  int direct_factor_symbolic, direct_factor_numeric;
};
inline constexpr WordTablePolicy word_table_policy{2, 16};

KOKKOS_INLINE_FUNCTION std::int64_t power_of_two_from(std::int64_t n)
{
  std::int64_t result = 1;
  while (result < n)
    result *= 2;
  return result;
}

// A table for words of 32 columns: one for each block of columns from the first to the last
// (direct), or open addressing with at most two thirds of the slots taken.
struct WordTable
{
  std::int64_t slots;
  bool is_hashed;

  KOKKOS_INLINE_FUNCTION std::int64_t bytes(std::int64_t words_per_slot) const
  {
    return slots * (words_per_slot + (is_hashed ? 1 : 0)) *
           static_cast<std::int64_t>(sizeof(std::uint32_t));
  }
};

// Which tables a row may have.
KOKKOS_INLINE_FUNCTION bool may_hash(SpgemmAccumulator wanted)
{
  return wanted != SpgemmAccumulator::scatter_vector && wanted != SpgemmAccumulator::column_windows;
}
KOKKOS_INLINE_FUNCTION bool may_scatter(SpgemmAccumulator wanted)
{
  return wanted != SpgemmAccumulator::shared_hash;
}

// For so many blocks that have entries, or fewer, among `span` neighbouring ones: direct where its
// slots, of so many words, take no more than `room` bytes and are not many times those of a hash
// table.
KOKKOS_INLINE_FUNCTION WordTable word_table(SpgemmAccumulator wanted, std::int64_t blocks,
                                            std::int64_t span, std::int64_t words_per_slot,
                                            int direct_factor, std::int64_t room)
{
  std::int64_t const slots = power_of_two_from(impl::divided_up(3 * blocks, 2));
  WordTable const direct{span, false};
  bool const is_narrow = span <= direct_factor * slots && direct.bytes(words_per_slot) <= room;
  return (is_narrow && may_scatter(wanted)) || !may_hash(wanted) ? direct : WordTable{slots, true};
}

// The table of the symbolic phase in so many bytes, of windows where no other fits.
struct SymbolicTable : WordTable
{
  bool is_windowed;
};
KOKKOS_INLINE_FUNCTION SymbolicTable symbolic_table(SpgemmAccumulator wanted, std::int64_t blocks,
                                                    std::int64_t span, std::int64_t bytes)
{
  constexpr int words_per_slot = 1;
  if (WordTable const table = word_table(wanted, blocks, span, words_per_slot,
                                         word_table_policy.direct_factor_symbolic, bytes);
      table.bytes(words_per_slot) <= bytes)
    return {table, false};
  if (WordTable const table{span, false}; table.bytes(words_per_slot) <= bytes)
    return {table, false};
  return {{bytes / static_cast<std::int64_t>(sizeof(std::uint32_t)), false}, true};
}

// Sums, with what is behind them on a boundary of 8 bytes. One more than there are: what a column
// that the row does not have is added to at most.
KOKKOS_INLINE_FUNCTION std::int64_t bytes_of_sums(std::int64_t sums, std::int64_t bytes_per_sum)
{
  constexpr std::int64_t unit = 8;
  return sums == 0 ? 0 : impl::divided_up((sums + 1) * bytes_per_sum, unit) * unit;
}

// The table of the numeric phase with the sums before it, in so many bytes if it fits.
struct NumericTable : WordTable
{
  static constexpr int words_per_slot = 2;
  std::int64_t all_bytes;
};
KOKKOS_INLINE_FUNCTION NumericTable numeric_table(SpgemmAccumulator wanted, std::int64_t blocks,
                                                  std::int64_t span, std::int64_t sums,
                                                  std::int64_t bytes_per_sum, std::int64_t bytes)
{
  std::int64_t const of_sums = bytes_of_sums(sums, bytes_per_sum);
  WordTable const table = word_table(wanted, blocks, span, NumericTable::words_per_slot,
                                     word_table_policy.direct_factor_numeric, bytes - of_sums);
  return {table, table.bytes(NumericTable::words_per_slot) + of_sums};
}

} // namespace heddle::cuda_native
