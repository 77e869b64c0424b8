// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How host threads multiply with A^T without atomics: each takes a chunk of rows and adds into
// memory of its own, as wide as the columns its rows touch; then the chunks are added up column by
// column, always in the same order. Banded and mesh matrices have narrow windows; where rows reach
// everywhere there are fewer chunks, so that the windows together stay below the entries and two
// vectors.

#include <heddle/impl/row_chunks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::impl
{

struct ColumnWindows
{
  std::vector<std::int64_t> rows;  // chunk c has the rows rows[c] .. rows[c + 1] - 1
  std::vector<std::int64_t> first; // and touches the columns first[c] .. last[c] - 1
  std::vector<std::int64_t> last;
  std::vector<std::int64_t>
      start; // its window begins at start[c]; the last entry is the sum of widths

  std::int64_t chunks() const { return static_cast<std::int64_t>(first.size()); }
  std::int64_t width() const { return start.empty() ? 0 : start.back(); }
  std::size_t bytes() const
  {
    return (rows.size() + first.size() + last.size() + start.size()) * sizeof(std::int64_t);
  }
};

// Every second boundary goes.
inline void merge_pairs(ColumnWindows& windows)
{
  std::size_t const merged = (windows.first.size() + 1) / 2;
  for (std::size_t c = 0; c < merged; ++c)
  {
    std::size_t const left = 2 * c, right = std::min(2 * c + 1, windows.first.size() - 1);
    windows.rows[c] = windows.rows[left];
    windows.first[c] = std::min(windows.first[left], windows.first[right]);
    windows.last[c] = std::max(windows.last[left], windows.last[right]);
  }
  windows.rows[merged] = windows.rows.back();
  windows.rows.resize(merged + 1);
  windows.first.resize(merged);
  windows.last.resize(merged);
}

inline void number_windows(ColumnWindows& windows)
{
  windows.start.assign(1, 0);
  for (std::size_t c = 0; c < windows.first.size(); ++c)
    windows.start.push_back(windows.start.back() +
                            std::max<std::int64_t>(windows.last[c] - windows.first[c], 0));
}

template <class Exec, class Matrix>
ColumnWindows column_windows(Exec const& exec, Matrix const& a, std::int64_t chunks)
{
  ColumnWindows windows;
  windows.rows = split_by_nonzeros(a.row_offsets(), a.num_rows(), chunks);
  windows.first.assign(static_cast<std::size_t>(chunks), a.num_cols());
  windows.last.assign(static_cast<std::size_t>(chunks), 0);
  auto const* const offsets = a.row_offsets().data();
  auto const* const columns = a.columns().data();
  auto const* const rows = windows.rows.data();
  auto* const first = windows.first.data();
  auto* const last = windows.last.data();
  for_each_chunk(exec, "heddle::column_windows", chunks, [=](std::int64_t c) {
    std::int64_t low = first[c], high = last[c];
    if (rows[c] < rows[c + 1]) // a default-constructed matrix has no offsets at all
      for (auto k = offsets[rows[c]]; k < offsets[rows[c + 1]]; ++k)
      {
        low = std::min<std::int64_t>(low, columns[k]);
        high = std::max<std::int64_t>(high, columns[k] + 1);
      }
    first[c] = std::min(low, high);
    last[c] = high;
  });
  exec.fence("heddle::column_windows");
  number_windows(windows);
  auto const limit =
      static_cast<std::int64_t>(a.nnz()) + 2 * static_cast<std::int64_t>(a.num_cols());
  while (windows.chunks() > 1 && windows.width() > limit)
  {
    merge_pairs(windows);
    number_windows(windows);
  }
  return windows;
}

} // namespace heddle::impl
