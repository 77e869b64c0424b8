// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The rows of B as words of 64 neighbouring columns, a word's number and a bit for each of its
// columns (the compression of KKMEM: Deveci, Trott, Rajamanickam, Parallel Computing 78, 2018): the
// symbolic phase of SpGEMM on hosts then has as many times fewer steps as words have columns.

#include <heddle/impl/multiply/csr_pointers.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm/sorted_set.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace heddle::impl
{

// What host loops read of them: row i has the words offsets[i] .. offsets[i + 1] - 1. Without
// offsets there are none.
template <class Ordinal>
struct ColumnWordPointers
{
  std::int64_t const* offsets = nullptr;
  Ordinal const* numbers = nullptr;
  SortedSet::Word const* bits = nullptr;
};

template <class Exec, class B>
class ColumnWords
{
public:
  using Ordinal = typename B::ordinal_type;

  // Words where A B has enough products, and words enough columns, to save time, and max_bytes hold
  // them; else none. Waits for exec.
  ColumnWords(Exec const& exec, B const& b, std::int64_t products, std::size_t max_bytes)
  {
    auto const entries = static_cast<std::int64_t>(b.nnz());
    if (products < products_per_entry * entries)
      return;
    std::int64_t const rows = b.num_rows();
    Scratch<std::int64_t, Exec> offsets(exec, static_cast<std::size_t>(rows) + 1);
    auto const starts = offsets.view();
    CsrPointers<B> const from(b);
    Kokkos::parallel_for("heddle::spgemm::column_words::count", range(exec, rows),
                         [=](std::int64_t i) {
                           std::int64_t words = 0;
                           for_each_word(from, i, [&](Ordinal, SortedSet::Word) { ++words; });
                           starts(i) = words;
                         });
    std::int64_t const words = offsets_from_counts(exec, rows, starts, starts);
    std::size_t const bytes =
        static_cast<std::size_t>(words) * (sizeof(Ordinal) + sizeof(SortedSet::Word));
    if (static_cast<double>(entries) < columns_per_word * static_cast<double>(words) ||
        bytes > max_bytes)
      return;
    m_offsets.emplace(std::move(offsets));
    m_numbers.emplace(exec, static_cast<std::size_t>(words));
    m_bits.emplace(exec, static_cast<std::size_t>(words));
    auto* const numbers = m_numbers->data();
    auto* const bits = m_bits->data();
    Kokkos::parallel_for("heddle::spgemm::column_words::write", range(exec, rows),
                         [=](std::int64_t i) {
                           std::int64_t at = starts(i);
                           for_each_word(from, i, [&](Ordinal number, SortedSet::Word word) {
                             numbers[at] = number;
                             bits[at++] = word;
                           });
                         });
    exec.fence("heddle::spgemm::column_words");
  }

  ColumnWordPointers<Ordinal> pointers() const
  {
    if (!m_offsets)
      return {};
    return {m_offsets->data(), m_numbers->data(), m_bits->data()};
  }

private:
  // Fewer do not repay a pass over B.
  static constexpr std::int64_t products_per_entry = 4;
  // With fewer in the mean columns are inserted as fast.
  static constexpr double columns_per_word = 1.25;

  // visit(number, bits) for each word of row i. Columns out of order may have a word several times.
  template <class Visit>
  static void for_each_word(CsrPointers<B> const& b, std::int64_t i, Visit const& visit)
  {
    for (auto k = b.offsets[i]; k < b.offsets[i + 1];)
    {
      Ordinal const number = b.columns[k] / SortedSet::word_bits;
      SortedSet::Word word = 0;
      for (; k < b.offsets[i + 1] && b.columns[k] / SortedSet::word_bits == number; ++k)
        word |= SortedSet::Word(1) << (b.columns[k] % SortedSet::word_bits);
      visit(number, word);
    }
  }

  std::optional<Scratch<std::int64_t, Exec>> m_offsets;
  std::optional<Scratch<Ordinal, Exec>> m_numbers;
  std::optional<Scratch<SortedSet::Word, Exec>> m_bits;
};

} // namespace heddle::impl
