// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Prefetching the entries of a matrix on host threads. In rows of few entries a processor does not
// look far enough ahead by itself: where they come from memory, asking for them in advance makes
// SpMV up to twice as fast; where the caches hold them, it costs more than it brings
// (docs/performance.md).

#include <algorithm>
#include <cstdint>

namespace heddle::impl
{

// Columns may be null: where they are not the caller's.
template <class Value, class Ordinal>
class EntriesAhead
{
public:
  static constexpr std::int64_t distance = 512; // entries

  // Entries from begin on, of nnz.
  EntriesAhead(Value const* values, Ordinal const* columns, std::int64_t begin, std::int64_t nnz)
      : m_values(values)
      , m_columns(columns)
      , m_next(begin + distance)
      , m_end(nnz)
  {}
  // Called before entry k is read, with a k that never falls.
  void reach(std::int64_t k)
  {
    constexpr std::int64_t step = 64 / std::max(sizeof(Value), sizeof(Ordinal)); // of a cache line
    for (std::int64_t const until = std::min(k + distance, m_end); m_next < until; m_next += step)
    {
      __builtin_prefetch(m_values + m_next);
      if (m_columns != nullptr)
        __builtin_prefetch(m_columns + m_next);
    }
  }

private:
  Value const* m_values;
  Ordinal const* m_columns;
  std::int64_t m_next, m_end;
};

// In place of EntriesAhead where the caches have all.
struct NothingAhead
{
  static void reach(std::int64_t) {}
};

} // namespace heddle::impl
