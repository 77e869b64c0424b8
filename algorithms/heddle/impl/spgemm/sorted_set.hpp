// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A set of small integers that gives them back in ascending order without sorting: a bitmap under
// bitmaps of its words that are not zero, 64 to one at each level (the tree of van Emde Boas in its
// 64-ary form). Inserting costs one word, a word more for each level that was empty there; taking
// all out costs about two words an element and leaves it empty. Host only: one thread's workspace.

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
  using Word = std::uint64_t;
  static constexpr int word_bits = 64;
  // What take_all writes behind its last element: it does so before it knows which is the last.
  static constexpr std::size_t slack = 1;

  // For integers 0 .. bound - 1.
  explicit SortedSet(std::int64_t bound)
  {
    do
    {
      bound = words_for(bound);
      m_levels.emplace_back(static_cast<std::size_t>(bound), 0);
    } while (bound > 1);
    m_found.resize(m_levels.front().size() + slack);
    m_next.resize(m_found.size());
  }

  static std::size_t bytes_for(std::int64_t bound)
  {
    std::size_t bytes =
        2 * (static_cast<std::size_t>(words_for(bound)) + slack) * sizeof(std::int64_t);
    do
    {
      bound = words_for(bound);
      bytes += static_cast<std::size_t>(bound) * sizeof(Word);
    } while (bound > 1);
    return bytes;
  }

  void insert(std::int64_t i)
  {
    auto const at = static_cast<std::uint64_t>(i);
    insert(static_cast<std::int64_t>(at / word_bits), Word(1) << (at % word_bits));
  }
  // The integers of word w whose bits are set; at least one is.
  void insert(std::int64_t w, Word bits)
  {
    Word& word = m_levels.front()[static_cast<std::size_t>(w)];
    Word const before = word;
    word = before | bits; // mostly new bits, or not: a branch would be guessed wrong
    if (before == 0)
      mark(w);
  }

  // Writes first + i for each element i, ascending, to out, and `slack` more. Returns one past the
  // last element. The set is empty afterwards.
  template <class Integer>
  Integer* take_all(Integer* out, Integer first)
  {
    if (m_levels.front().empty() || m_levels.back().front() == 0)
      return out;
    m_found.front() = 0;
    std::int64_t const* end = m_found.data() + 1;
    for (std::size_t level = m_levels.size() - 1; level > 0; --level)
    {
      end = take_bits(m_levels[level], m_found.data(), end, m_next.data(), std::int64_t(0));
      std::swap(m_found, m_next);
    }
    return take_bits(m_levels.front(), m_found.data(), end, out, first);
  }

private:
  static std::int64_t words_for(std::int64_t bound) { return (bound + word_bits - 1) / word_bits; }

  // Word w of level 0 is about to become nonzero.
  void mark(std::int64_t w)
  {
    auto at = static_cast<std::uint64_t>(w);
    for (std::size_t level = 1; level < m_levels.size(); ++level, at /= word_bits)
    {
      Word& word = m_levels[level][at / word_bits];
      Word const before = word;
      word = before | Word(1) << (at % word_bits);
      if (before != 0)
        return;
    }
  }

  // Numbers of the bits of the words from list to end, plus first, which are cleared. Words have
  // few bits mostly: up to four are written without a branch, which would be guessed wrong.
  template <class Integer>
  static Integer* take_bits(std::vector<Word>& words, std::int64_t const* list,
                            std::int64_t const* end, Integer* out, Integer first)
  {
    for (; list != end; ++list)
    {
      Word word = std::exchange(words[static_cast<std::size_t>(*list)], 0);
      auto const base = static_cast<Integer>(first + static_cast<Integer>(*list * word_bits));
      auto const write = [&] {
        *out = static_cast<Integer>(base + std::countr_zero(word));
        out += word != 0 ? 1 : 0;
        word &= word - 1;
      };
      write();
      write();
      write();
      write();
      for (; word != 0; word &= word - 1)
        *out++ = static_cast<Integer>(base + std::countr_zero(word));
    }
    return out;
  }

  std::vector<std::vector<Word>> m_levels;
  std::vector<std::int64_t> m_found, m_next; // words of a level that are not zero
};

} // namespace heddle::impl
