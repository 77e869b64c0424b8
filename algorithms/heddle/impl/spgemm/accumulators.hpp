// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where a host thread finds the columns of one row of C = A B and sums its products. After
// start_row(first, most), where first is the least column the row may have, a multiple of 64, and
// most how many, both kinds have the same three uses, after which they are empty again:
//   insert(column)...                   then take_columns(out): the distinct columns, ascending, to
//   out and behind it, where there is room for `slack` more; returns one past the last. The dense
//   kind takes words of 64 columns too
//   expect(columns, n), add(column, product)...   then take(sums): sums at these columns;
//   has_missed() says whether a product had a column for which there is no sum, and was left out
//   number(columns, n), find(column)...   then forget(): which of the n columns it is, -1 if none.
//   Sum is then an integer type
// Sums are taken in the order of the products, so both give the same bits.

#include <heddle/impl/spgemm/sorted_set.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::impl
{

// A sum for every column of a window. Best where the window stays in the caches.
template <class Ordinal, class Sum>
class DenseAccumulator
{
public:
  // For windows up to this width.
  explicit DenseAccumulator(std::int64_t width)
      : m_set(width)
      , m_sums(static_cast<std::size_t>(width), Sum{})
  {}
  void start_row(std::int64_t first, std::int64_t) { m_first = first; }
  static std::size_t bytes_for(std::int64_t width)
  {
    return static_cast<std::size_t>(width) * sizeof(Sum) + SortedSet::bytes_for(width);
  }

  void insert(Ordinal column) { m_set.insert(column - m_first); }
  // The columns of word number `word` of a row of B.
  void insert(Ordinal word, SortedSet::Word bits)
  {
    m_set.insert(word - m_first / SortedSet::word_bits, bits);
  }
  Ordinal* take_columns(Ordinal* out) { return m_set.take_all(out, static_cast<Ordinal>(m_first)); }

  void expect(Ordinal const* columns, std::int64_t n)
  {
    m_expected = columns;
    m_count = n;
  }
  void add(Ordinal column, Sum product)
  {
    auto const at = static_cast<std::size_t>(column - m_first); // huge before the window
    if (at < m_sums.size())
      m_sums[at] += product;
    else
      m_has_missed = true;
  }
  bool has_missed() const { return m_has_missed; }
  template <class Value>
  void take(Value* sums)
  {
    for (std::int64_t n = 0; n < m_count; ++n)
      sums[n] = static_cast<Value>(
          std::exchange(m_sums[static_cast<std::size_t>(m_expected[n] - m_first)], Sum{}));
  }

  void number(Ordinal const* columns, std::int64_t n)
  {
    expect(columns, n);
    for (std::int64_t i = 0; i < n; ++i)
      m_sums[static_cast<std::size_t>(columns[i] - m_first)] = static_cast<Sum>(i + 1);
  }
  Sum find(Ordinal column) const
  {
    auto const at = static_cast<std::size_t>(column - m_first); // huge before the window
    return at < m_sums.size() ? m_sums[at] - Sum(1) : Sum(-1);
  }
  void forget()
  {
    for (std::int64_t i = 0; i < m_count; ++i)
      m_sums[static_cast<std::size_t>(m_expected[i] - m_first)] = Sum{};
  }

private:
  std::int64_t m_first = 0;
  SortedSet m_set;
  std::vector<Sum> m_sums;
  Ordinal const* m_expected = nullptr;
  std::int64_t m_count = 0;
  bool m_has_missed = false;
};

// A hash table with linear probing, at most half full (Knuth, vol. 3, 6.4). Best where columns lie
// far apart.
template <class Ordinal, class Sum>
class HashAccumulator
{
public:
  // For rows with up to most distinct columns.
  explicit HashAccumulator(std::int64_t most)
      : m_columns(slots_for(most), empty)
      , m_sums(m_columns.size(), Sum{})
  {
    m_used.reserve(static_cast<std::size_t>(most));
  }
  void start_row(std::int64_t, std::int64_t most)
  {
    std::size_t const slots = slots_for(most); // a short row uses little of the table
    m_shift = 64 - std::countr_zero(slots);
    m_mask = slots - 1;
  }
  static std::size_t bytes_for(std::int64_t most)
  {
    return slots_for(most) * (sizeof(Ordinal) + sizeof(Sum)) +
           static_cast<std::size_t>(most) * sizeof(Used);
  }

  void insert(Ordinal column) { find_or_insert(column); }
  Ordinal* take_columns(Ordinal* out)
  {
    Ordinal* const begin = out;
    for (auto const& [column, slot] : m_used)
    {
      *out++ = column;
      clear(slot);
    }
    m_used.clear();
    std::sort(begin, out);
    return out;
  }

  void expect(Ordinal const* columns, std::int64_t n)
  {
    for (std::int64_t i = 0; i < n; ++i)
      find_or_insert(columns[i]);
  }
  void add(Ordinal column, Sum product)
  {
    std::size_t const slot = slot_of(column);
    if (m_columns[slot] == column)
      m_sums[slot] += product;
    else
      m_has_missed = true;
  }
  bool has_missed() const { return m_has_missed; }
  template <class Value>
  void take(Value* sums)
  {
    for (auto const& [column, slot] : m_used) // in the order of expect
    {
      *sums++ = static_cast<Value>(m_sums[slot]);
      clear(slot);
    }
    m_used.clear();
  }

  void number(Ordinal const* columns, std::int64_t n)
  {
    for (std::int64_t i = 0; i < n; ++i)
      m_sums[find_or_insert(columns[i])] = static_cast<Sum>(i + 1);
  }
  Sum find(Ordinal column) const
  {
    std::size_t const slot = slot_of(column);
    return m_columns[slot] == column ? m_sums[slot] - Sum(1) : Sum(-1);
  }
  void forget()
  {
    for (auto const& [column, slot] : m_used)
      clear(slot);
    m_used.clear();
  }

private:
  using Used = std::pair<Ordinal, std::size_t>;
  static constexpr Ordinal empty = -1;

  static std::size_t slots_for(std::int64_t most)
  {
    return std::bit_ceil(static_cast<std::size_t>(std::max<std::int64_t>(2 * most, 2)));
  }
  void clear(std::size_t slot)
  {
    m_columns[slot] = empty;
    m_sums[slot] = Sum{};
  }
  // The slot of a column, or the empty one where it belongs: no more than half of them are taken.
  std::size_t slot_of(Ordinal column) const
  {
    // Multiplicative hashing by 2^64 over the golden ratio (Knuth, vol. 3, 6.4).
    auto slot = static_cast<std::size_t>(
        (static_cast<std::uint64_t>(column) * 0x9E3779B97F4A7C15ULL) >> m_shift);
    while (m_columns[slot] != column && m_columns[slot] != empty)
      slot = (slot + 1) & m_mask;
    return slot;
  }
  std::size_t find_or_insert(Ordinal column)
  {
    std::size_t const slot = slot_of(column);
    if (m_columns[slot] == empty)
    {
      m_columns[slot] = column;
      m_used.emplace_back(column, slot);
    }
    return slot;
  }

  int m_shift = 63;
  std::size_t m_mask = 0;
  std::vector<Ordinal> m_columns;
  std::vector<Sum> m_sums;
  std::vector<Used> m_used;
  bool m_has_missed = false;
};

} // namespace heddle::impl
