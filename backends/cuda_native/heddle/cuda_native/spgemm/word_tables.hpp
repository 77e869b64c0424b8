// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The tables that a row may have in shared memory, and how large they are: words of 32 columns, by
// the block of columns that they stand for.

#include <heddle/impl/divided_up.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_BitManipulation.hpp>
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
// table. The symbolic phase clears all of its words and reads them, 16 bytes at a time, where a
// hash table is compacted and sorted (perf_tests/results/h200/spgemm_whole.txt, 3); where sums are
// in C they are cleared for each window of columns.
struct WordTablePolicy
{
  int direct_factor_symbolic, direct_factor_in_place;
};
inline constexpr WordTablePolicy word_table_policy{8, 16};

// Words of a table that are loaded at once: a table has a multiple of them.
inline constexpr int words_per_load = 4;

KOKKOS_INLINE_FUNCTION std::int64_t power_of_two_from(std::int64_t n)
{
  return static_cast<std::int64_t>(Kokkos::bit_ceil(static_cast<std::uint64_t>(n)));
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

KOKKOS_INLINE_FUNCTION std::int64_t slots_of_hash_table(std::int64_t blocks)
{
  std::int64_t const least = impl::divided_up(3 * blocks, 2);
  return power_of_two_from(least < words_per_load ? words_per_load : least);
}
KOKKOS_INLINE_FUNCTION WordTable direct_table(std::int64_t span)
{
  return {impl::divided_up(span, words_per_load) * words_per_load, false};
}

// Which tables a row may have.
KOKKOS_INLINE_FUNCTION bool may_hash(SpgemmAccumulator wanted)
{
  return wanted != SpgemmAccumulator::scatter_vector && wanted != SpgemmAccumulator::column_windows;
}
KOKKOS_INLINE_FUNCTION bool may_scatter(SpgemmAccumulator wanted)
{
  return wanted != SpgemmAccumulator::shared_hash;
}

// For at most `blocks` blocks that have entries, among `span` neighbouring ones: direct where its
// slots, of `words_per_slot` words, take no more than `room` bytes and are at most `direct_factor`
// times those of a hash table.
KOKKOS_INLINE_FUNCTION WordTable word_table(SpgemmAccumulator wanted, std::int64_t blocks,
                                            std::int64_t span, std::int64_t words_per_slot,
                                            int direct_factor, std::int64_t room)
{
  std::int64_t const slots = slots_of_hash_table(blocks);
  WordTable const direct = direct_table(span);
  bool const is_narrow = span <= direct_factor * slots && direct.bytes(words_per_slot) <= room;
  return (is_narrow && may_scatter(wanted)) || !may_hash(wanted) ? direct : WordTable{slots, true};
}

// The table of the symbolic phase in the bytes of a bin, of windows where no other fits.
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
  if (WordTable const table = direct_table(span); table.bytes(words_per_slot) <= bytes)
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

// What the numeric phase has of C's row in shared memory behind its sums, so that the index of a
// column is found (spgemm/column_index.cuh): ranked words by block of columns, hashed or from the
// row's first block to its last, or a map, which has 2 bytes for each of these blocks and a word
// for each entry.
enum class NumericLayout
{
  hashed,
  direct,
  map
};
struct NumericTable
{
  NumericLayout layout;
  std::int64_t slots;     // by block
  std::int64_t all_bytes; // with the sums
};
// The table that fits into `bytes`: by blocks from the first to the last where it can, in the
// shorter of the two ways.
KOKKOS_INLINE_FUNCTION NumericTable numeric_table(SpgemmAccumulator wanted, std::int64_t blocks,
                                                  std::int64_t span, std::int64_t sums,
                                                  std::int64_t bytes_per_sum, std::int64_t bytes)
{
  constexpr std::int64_t word = sizeof(std::uint32_t), ranked_word = 2 * word,
                         number = sizeof(std::uint16_t);
  std::int64_t const of_sums = bytes_of_sums(sums, bytes_per_sum);
  std::int64_t const direct = of_sums + span * ranked_word;
  std::int64_t const map = of_sums + sums * word + span * number;
  NumericTable const by_block{direct <= map ? NumericLayout::direct : NumericLayout::map, span,
                              direct <= map ? direct : map};
  if ((may_scatter(wanted) && by_block.all_bytes <= bytes) || !may_hash(wanted))
    return by_block;
  std::int64_t const slots = slots_of_hash_table(blocks);
  return {NumericLayout::hashed, slots, of_sums + slots * (ranked_word + word)};
}

// The table of ranked words of a row whose sums are in C, in `bytes` bytes: a direct one of fewer
// blocks than the row has where it takes several passes.
KOKKOS_INLINE_FUNCTION WordTable in_place_table(SpgemmAccumulator wanted, std::int64_t blocks,
                                                std::int64_t span, std::int64_t bytes)
{
  constexpr int words_per_slot = 2;
  WordTable const table = word_table(wanted, blocks, span, words_per_slot,
                                     word_table_policy.direct_factor_in_place, bytes);
  if (table.bytes(words_per_slot) <= bytes)
    return table;
  return {bytes / (words_per_slot * static_cast<std::int64_t>(sizeof(std::uint32_t))), false};
}

} // namespace heddle::cuda_native
