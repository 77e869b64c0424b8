// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/limits.hpp>
#include <gallery/row_lists.hpp>
#include <gallery/row_random.hpp>
#include <gallery/sizes.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <algorithm>
#include <cstdint>

// Constraint matrices of linear programs, which are drawn column by column: a column is an activity
// that takes part in a few constraints.

namespace heddle
{

namespace
{

using impl::add;
using impl::add_distinct;
using impl::Columns;
using impl::GallerySize;
using impl::GalleryStream;
using impl::RowRandom;

constexpr std::int64_t linking_rows = 4;    // of lp: constraints over all columns
constexpr std::int64_t staircase_links = 2; // the same of staircase

// Of a row of fitting: how many of 1000 columns it has.
std::int64_t per_mille(RowRandom& random, std::int64_t percent)
{
  return random.between(5 * percent, 15 * percent);
}

// draw(j, rows) appends the rows that column j has an entry in.
template <class Draw>
impl::RowLists draw_by_columns(GallerySize const& size, Draw const& draw)
{
  return impl::transposed(impl::draw_rows(size.cols, size.rows, draw));
}

} // namespace

GallerySize impl::cover_size(std::int64_t rows, std::int64_t cols, std::int64_t per_col)
{
  constexpr char const* function = "generate::cover";
  require_between(function, "rows", rows, 2);
  require_between(function, "cols", cols, 1);
  require_between(function, "per_col", per_col, 1, (rows + 1) / 2);
  return {rows, cols, cols * per_col, transposed_bytes(cols * per_col)};
}

GallerySize impl::lp_size(std::int64_t rows, std::int64_t cols, std::int64_t per_col)
{
  constexpr char const* function = "generate::lp";
  require_between(function, "rows", rows, 2 * linking_rows);
  require_between(function, "cols", cols, 1);
  require_between(function, "per_col", per_col, 1, rows / 2);
  std::int64_t const entries = cols * per_col + cols / 4 + rows;
  return {rows, cols + rows, entries, transposed_bytes(entries)};
}

GallerySize impl::staircase_size(std::int64_t periods, std::int64_t rows, std::int64_t cols)
{
  constexpr char const* function = "generate::staircase";
  require_between(function, "periods", periods, 1);
  require_between(function, "rows", rows, 4);
  require_between(function, "cols", cols, 1);
  std::int64_t const all_rows = require_product(function, "rows", {periods, rows});
  std::int64_t const all_cols = require_product(function, "columns", {periods, cols});
  std::int64_t const entries = all_cols * 325 / 100 + (periods - 1) * cols / 2;
  return {all_rows + staircase_links, all_cols, entries, transposed_bytes(entries)};
}

GallerySize impl::fitting_size(std::int64_t rows, std::int64_t cols, std::int64_t percent,
                               std::uint64_t seed)
{
  constexpr char const* function = "generate::fitting";
  require_between(function, "rows", rows, 1);
  require_between(function, "cols", cols, 1);
  require_between(function, "percent", percent, 1, 66);
  std::int64_t entries = rows;
  for (std::int64_t i = 0; i < rows; ++i)
  {
    RowRandom random(seed, GalleryStream::columns, i);
    entries += cols * per_mille(random, percent) / 1000;
  }
  return {rows, cols + rows, entries, drawn_bytes(entries)};
}

namespace generate
{

GalleryMatrix cover(std::int64_t rows, std::int64_t cols, std::int64_t per_col, std::uint64_t seed)
try
{
  GallerySize const size = impl::cover_size(rows, cols, per_col);
  impl::require_size("generate::cover", size);
  std::int64_t const gap = std::max<std::int64_t>(1, rows / (2 * per_col));
  auto const lists = draw_by_columns(size, [=](std::int64_t j, Columns& members) {
    RowRandom random(seed, GalleryStream::columns, j);
    std::int64_t const count = random.between(1, 2 * per_col - 1);
    std::int64_t row = random.below(rows);
    for (std::int64_t k = 0; k < count; ++k)
    {
      add(members, row);
      row = (row + random.between(1, gap)) % rows; // less than once around in all
    }
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("cover");
}

GalleryMatrix lp(std::int64_t rows, std::int64_t cols, std::int64_t per_col, std::uint64_t seed)
try
{
  GallerySize const size = impl::lp_size(rows, cols, per_col);
  impl::require_size("generate::lp", size);
  std::int64_t const own_rows = rows - linking_rows;
  std::int64_t const window = std::min(own_rows, 8 * per_col);
  auto const lists = draw_by_columns(size, [=](std::int64_t j, Columns& members) {
    if (j >= cols)
    {
      add(members, j - cols);
      return;
    }
    RowRandom random(seed, GalleryStream::columns, j);
    std::int64_t const count = std::min(random.between(1, 2 * per_col - 1), own_rows);
    std::int64_t const near = std::min(count / 2, window);
    std::int64_t const first = linking_rows + random.below(own_rows - window + 1);
    add_distinct(random, first, window, near, members);
    add_distinct(random, linking_rows, own_rows, count - near, members);
    if (random.chance(25))
      add(members, random.below(linking_rows));
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("lp");
}

GalleryMatrix staircase(std::int64_t periods, std::int64_t rows, std::int64_t cols,
                        std::uint64_t seed)
try
{
  GallerySize const size = impl::staircase_size(periods, rows, cols);
  impl::require_size("generate::staircase", size);
  auto const lists = draw_by_columns(size, [=](std::int64_t j, Columns& members) {
    RowRandom random(seed, GalleryStream::columns, j);
    std::int64_t const period = j / cols;
    for (std::int64_t link = 0; link < staircase_links; ++link)
      if (random.below(8) == 0)
        add(members, link);
    std::int64_t const first = staircase_links + period * rows;
    add_distinct(random, first, rows, random.between(2, 4), members);
    if (period + 1 < periods && random.chance(50))
      add(members, first + rows + random.below(rows));
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("staircase");
}

GalleryMatrix fitting(std::int64_t rows, std::int64_t cols, std::int64_t percent,
                      std::uint64_t seed)
try
{
  GallerySize const size = impl::fitting_size(rows, cols, percent, seed);
  impl::require_size("generate::fitting", size);
  auto const lists = impl::draw_rows(size.rows, size.cols, [=](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    std::int64_t const share = per_mille(random, percent);
    for (std::int64_t j = 0; j < cols; ++j)
      if (random.below(1000) < share)
        add(columns, j);
    add(columns, cols + i);
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("fitting");
}

} // namespace generate

} // namespace heddle
