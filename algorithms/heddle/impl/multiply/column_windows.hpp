// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How host threads multiply with A^T without atomics: each takes a chunk of rows and adds into
// memory of its own, as wide as the columns its rows touch; then the chunks are added up column by
// column, always in the same order. Banded and mesh matrices have narrow windows; where rows reach
// everywhere there are fewer chunks, so that the windows together stay below the entries and two
// vectors.

#include <heddle/impl/divided_up.hpp>
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

// About as much work in each chunk, and no unit of a row view (row_views.hpp) in two.
template <class RowViews>
std::vector<std::int64_t> split_row_views(RowViews const& views, std::int64_t chunks)
{
  std::int64_t const unit = views.unit;
  auto const first_of = [&](std::int64_t u) { return std::min(u * unit, views.count); };
  std::vector<std::int64_t> first =
      split_rows(divided_up(views.count, unit), chunks,
                 [&](std::int64_t u) { return views.work(first_of(u)); });
  std::transform(first.begin(), first.end(), first.begin(), first_of);
  return first;
}

// For a matrix of num_cols columns and nnz entries in these rows. Waits for exec.
template <class Exec, class RowViews>
ColumnWindows column_windows(Exec const& exec, RowViews const& views, std::int64_t num_cols,
                             std::size_t nnz, std::int64_t chunks)
{
  ColumnWindows windows;
  windows.rows = split_row_views(views, chunks);
  windows.first.assign(static_cast<std::size_t>(chunks), num_cols);
  windows.last.assign(static_cast<std::size_t>(chunks), 0);
  auto const* const rows = windows.rows.data();
  auto* const first = windows.first.data();
  auto* const last = windows.last.data();
  for_each_chunk(exec, "heddle::column_windows", chunks, [=](std::int64_t c) {
    std::int64_t low = first[c], high = last[c];
    for (std::int64_t i = rows[c]; i < rows[c + 1]; ++i)
      views[i].for_each([&](std::int64_t column, std::int64_t) {
        low = std::min(low, column);
        high = std::max(high, column + 1);
      });
    first[c] = std::min(low, high);
    last[c] = high;
  });
  exec.fence("heddle::column_windows");
  number_windows(windows);
  auto const limit = static_cast<std::int64_t>(nnz) + 2 * num_cols;
  while (windows.chunks() > 1 && windows.width() > limit)
  {
    merge_pairs(windows);
    number_windows(windows);
  }
  return windows;
}

} // namespace heddle::impl
