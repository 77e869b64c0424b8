// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A set of small integers that gives them back in ascending order without sorting: a bitmap under
// bitmaps of its words that are not zero, 64 to one at each level (the tree of van Emde Boas in its
// 64-ary form). Inserting costs one word, a word more for each level that was empty there; taking
// all out costs about two words an element and leaves it empty. Host only: one thread's workspace.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::impl
{

class SortedSet
{
public:
  // For integers 0 .. bound - 1.
  explicit SortedSet(std::int64_t bound)
  {
    do
    {
      bound = (bound + 63) / 64;
      m_words[m_levels++].assign(static_cast<std::size_t>(bound), 0);
    } while (bound > 1);
  }

  static std::size_t bytes_for(std::int64_t bound)
  {
    std::size_t words = 0;
    do
    {
      bound = (bound + 63) / 64;
      words += static_cast<std::size_t>(bound);
    } while (bound > 1);
    return words * sizeof(std::uint64_t);
  }

  void insert(std::int64_t i)
  {
    std::uint64_t& word = m_words[0][static_cast<std::size_t>(i >> 6)];
    std::uint64_t const bit = std::uint64_t(1) << (i & 63);
    if ((word & bit) != 0)
      return; // no store, so that neighbours do not wait for each other
    if (word == 0)
      mark(i >> 6);
    word |= bit;
  }

  // visit(i) for each element, ascending; empty afterwards.
  template <class Visit>
  void take_all(Visit const& visit)
  {
    if (m_words[0].empty())
      return;
    std::array<std::uint64_t, max_levels> left{}; // of the word that each level is at
    std::array<std::int64_t, max_levels> at{};
    int level = m_levels - 1;
    left[level] = std::exchange(m_words[level][0], 0);
    while (level < m_levels)
    {
      if (level == 0)
        for (; left[0] != 0; left[0] &= left[0] - 1)
          visit((at[0] << 6) + std::countr_zero(left[0]));
      if (left[level] == 0)
      {
        ++level;
        continue;
      }
      std::int64_t const child = (at[level] << 6) + std::countr_zero(left[level]);
      left[level] &= left[level] - 1;
      at[--level] = child;
      left[level] = std::exchange(m_words[level][static_cast<std::size_t>(child)], 0);
    }
  }

private:
  // Word w of level 0 is about to become nonzero.
  void mark(std::int64_t w)
  {
    for (int level = 1; level < m_levels; ++level, w >>= 6)
    {
      std::uint64_t& word = m_words[level][static_cast<std::size_t>(w >> 6)];
      std::uint64_t const before = word;
      word |= std::uint64_t(1) << (w & 63);
      if (before != 0)
        return;
    }
  }

  static constexpr int max_levels = 11; // 64^11 > 2^63
  std::array<std::vector<std::uint64_t>, max_levels> m_words;
  int m_levels = 0;
};

} // namespace heddle::impl
