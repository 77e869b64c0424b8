// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/row_lists.hpp>
#include <heddle/impl/gallery_hash.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace heddle::impl
{

namespace
{

std::int32_t const* row_begin(RowLists const& a, std::int64_t i)
{
  return a.columns.data() + a.starts[static_cast<std::size_t>(i)];
}

std::int64_t row_length(RowLists const& a, std::int64_t i)
{
  return row_begin(a, i + 1) - row_begin(a, i);
}

// Row i of a into columns and the same of b, without repeats; returns the end.
template <class Out>
Out unite(RowLists const& a, RowLists const& b, std::int64_t i, Out out)
{
  return std::set_union(row_begin(a, i), row_begin(a, i + 1), row_begin(b, i), row_begin(b, i + 1),
                        out);
}

// Counts what is written.
struct Counter
{
  using iterator_category = std::output_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = void;

  std::size_t count = 0;

  Counter& operator*() { return *this; }
  Counter& operator++()
  {
    ++count;
    return *this;
  }
  Counter& operator=(std::int32_t) { return *this; }
};

void accumulate(std::vector<std::size_t>& starts)
{
  for (std::size_t i = 1; i < starts.size(); ++i)
    starts[i] += starts[i - 1];
}

} // namespace

RowLists transposed(RowLists const& a)
{
  RowLists t{a.cols, a.rows, std::vector<std::size_t>(static_cast<std::size_t>(a.cols) + 1, 0),
             Columns(a.columns.size())};
  for (std::int32_t const column : a.columns)
    ++t.starts[static_cast<std::size_t>(column) + 1];
  accumulate(t.starts);
  std::vector<std::size_t> next(t.starts.begin(), t.starts.end() - 1);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (auto const* column = row_begin(a, i); column != row_begin(a, i + 1); ++column)
      t.columns[next[static_cast<std::size_t>(*column)]++] = static_cast<std::int32_t>(i);
  return t;
}

RowLists symmetrized(RowLists const& a)
{
  RowLists const t = transposed(a);
  RowLists both{a.rows, a.cols, std::vector<std::size_t>(a.starts.size(), 0), {}};
  for_each_row("heddle::gallery::symmetrized", a.rows, [&](std::int64_t i) {
    both.starts[static_cast<std::size_t>(i) + 1] = unite(a, t, i, Counter{}).count;
  });
  accumulate(both.starts);
  both.columns.resize(both.starts.back());
  for_each_row("heddle::gallery::symmetrized", a.rows, [&](std::int64_t i) {
    unite(a, t, i, both.columns.data() + both.starts[static_cast<std::size_t>(i)]);
  });
  return both;
}

GalleryMatrix with_values(RowLists const& a, std::uint64_t seed)
{
  return build_pattern(
      a.rows, a.cols, seed, [&](std::int64_t i) { return row_length(a, i); },
      [&](std::int64_t i, std::int32_t* columns) {
        return std::copy(row_begin(a, i), row_begin(a, i + 1), columns);
      });
}

GalleryMatrix with_symmetric_values(RowLists const& a, std::uint64_t seed)
{
  std::uint64_t const key = gallery_key(seed, GalleryStream::values);
  return build_matrix(
      a.rows, a.cols, [&](std::int64_t i) { return row_length(a, i); },
      [&](std::int64_t i, std::int32_t* columns, double* values) {
        for (auto const* column = row_begin(a, i); column != row_begin(a, i + 1); ++column)
        {
          std::int64_t const j = *column;
          *columns++ = *column;
          *values++ = signed_unit(entry_hash(key, std::min(i, j), std::max(i, j)));
        }
      });
}

void add_distinct(RowRandom& random, std::int64_t first, std::int64_t n, std::int64_t count,
                  Columns& columns)
{
  std::size_t const size = columns.size();
  columns.resize(size + static_cast<std::size_t>(count));
  draw_columns(random, n, count, columns.data() + size);
  for (std::size_t k = size; k < columns.size(); ++k)
    columns[k] += static_cast<std::int32_t>(first);
}

RowLists joined(std::int64_t rows, std::int64_t cols, std::vector<DrawnGroup> const& groups)
{
  RowLists all{rows, cols, {0}, {}};
  all.starts.reserve(static_cast<std::size_t>(rows) + 1);
  std::vector<std::size_t> group_starts;
  for (DrawnGroup const& group : groups)
  {
    std::size_t const start = all.starts.back();
    group_starts.push_back(start);
    for (std::size_t const end : group.ends)
      all.starts.push_back(start + end);
  }
  all.columns.resize(all.starts.back());
  for_each_row("heddle::gallery::joined", static_cast<std::int64_t>(groups.size()),
               [&](std::int64_t g) {
                 auto const i = static_cast<std::size_t>(g);
                 std::copy(groups[i].columns.begin(), groups[i].columns.end(),
                           all.columns.data() + group_starts[i]);
               });
  return all;
}

} // namespace heddle::impl
