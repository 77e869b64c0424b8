// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gallery/build.hpp>
#include <gallery/limits.hpp>
#include <gallery/row_random.hpp>
#include <heddle/gallery.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

namespace heddle::impl
{

using Columns = std::vector<std::int32_t>;

// The structure of a matrix: row i has the ascending columns starts[i] .. starts[i + 1] - 1.
struct RowLists
{
  std::int64_t rows = 0, cols = 0;
  std::vector<std::size_t> starts;
  Columns columns;
};

// Bytes that so many entries take at most while rows are drawn, and while a structure is transposed
// or made symmetric as well.
inline std::int64_t drawn_bytes(std::int64_t entries)
{
  return 12 * std::min(entries, max_gallery_entries);
}
inline std::int64_t transposed_bytes(std::int64_t entries) { return 2 * drawn_bytes(entries); }

RowLists transposed(RowLists const& a);
// Where a or its transpose, which has the same size, has an entry.
RowLists symmetrized(RowLists const& a);

// Values from seed, row and column, the same at (i, j) and (j, i) where symmetric.
GalleryMatrix with_values(RowLists const& a, std::uint64_t seed);
GalleryMatrix with_symmetric_values(RowLists const& a, std::uint64_t seed);

inline void add(Columns& columns, std::int64_t column)
{
  columns.push_back(static_cast<std::int32_t>(column));
}

// Appends count <= n different numbers of first .. first + n - 1, each set equally likely.
void add_distinct(RowRandom& random, std::int64_t first, std::int64_t n, std::int64_t count,
                  Columns& columns);

// The rows of one group while it is drawn: columns are appended in any order, repeats are merged
// when the row ends.
struct DrawnGroup
{
  Columns columns;
  std::vector<std::size_t> ends;

  std::size_t row_start() const { return ends.empty() ? 0 : ends.back(); }
  void end_row()
  {
    auto const first = columns.begin() + static_cast<std::ptrdiff_t>(row_start());
    std::sort(first, columns.end());
    columns.erase(std::unique(first, columns.end()), columns.end());
    ends.push_back(columns.size());
  }
};

RowLists joined(std::int64_t rows, std::int64_t cols, std::vector<DrawnGroup> const& groups);

// Rows that are drawn in groups: draw(g, group) appends the rows of group g, one after another.
// Groups are drawn several at once and know nothing of each other.
template <class Draw>
RowLists draw_groups(std::int64_t rows, std::int64_t cols, std::int64_t count, Draw const& draw)
{
  std::vector<DrawnGroup> groups(static_cast<std::size_t>(count));
  std::exception_ptr failure; // nothing may be thrown out of a parallel region
  std::mutex mutex;
  Kokkos::RangePolicy<GalleryExec, Kokkos::Schedule<Kokkos::Dynamic>,
                      Kokkos::IndexType<std::int64_t>> const policy(0, count);
  Kokkos::parallel_for("heddle::gallery::draw_groups", policy, [&](std::int64_t g) {
    try
    {
      draw(g, groups[static_cast<std::size_t>(g)]);
    }
    catch (...)
    {
      std::lock_guard const lock(mutex);
      failure = std::current_exception();
    }
  });
  policy.space().fence("heddle::gallery: all groups are drawn");
  if (failure)
    std::rethrow_exception(failure);
  return joined(rows, cols, groups);
}

// Rows that are drawn each for itself: draw(i, columns) appends the columns of row i, in any order;
// repeats are merged.
template <class Draw>
RowLists draw_rows(std::int64_t rows, std::int64_t cols, Draw const& draw)
{
  constexpr std::int64_t size = 256; // rows of a group, so that its vectors grow seldom
  return draw_groups(rows, cols, (rows + size - 1) / size, [&](std::int64_t g, DrawnGroup& group) {
    for (std::int64_t i = g * size; i < std::min(rows, (g + 1) * size); ++i)
    {
      draw(i, group.columns);
      group.end_row();
    }
  });
}

} // namespace heddle::impl
