// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/limits.hpp>
#include <gallery/row_lists.hpp>
#include <gallery/row_random.hpp>
#include <gallery/sizes.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <cstddef>
#include <cstdint>

// The diagonal, with other diagonals or with random entries.

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

Columns draw_offsets(std::int64_t count, std::int64_t reach, std::uint64_t seed)
{
  RowRandom random(seed, GalleryStream::groups, 0);
  Columns offsets;
  add_distinct(random, 1, reach, count, offsets);
  return offsets;
}

} // namespace

GallerySize impl::diagonals_size(std::int64_t n, std::int64_t count, std::int64_t reach,
                                 std::uint64_t seed)
{
  constexpr char const* function = "generate::diagonals";
  require_between(function, "n", n, 2);
  require_between(function, "reach", reach, 1, n - 1);
  require_between(function, "count", count, 0, reach);
  std::int64_t entries = n;
  for (std::int64_t const offset : draw_offsets(count, reach, seed))
    entries += 2 * (n - offset);
  return {n, n, entries, drawn_bytes(entries), true};
}

GallerySize impl::scatter_size(std::int64_t n, std::int64_t per_row)
{
  require_between("generate::scatter", "n", n, 1);
  require_between("generate::scatter", "per_row", per_row, 0, n - 1);
  return {n, n, n * (1 + per_row), drawn_bytes(n * (1 + per_row)), true};
}

namespace generate
{

GalleryMatrix diagonals(std::int64_t n, std::int64_t count, std::int64_t reach, std::uint64_t seed)
try
{
  impl::require_size("generate::diagonals", impl::diagonals_size(n, count, reach, seed));
  Columns const offsets = draw_offsets(count, reach, seed);
  auto const lists = impl::draw_rows(n, n, [&](std::int64_t i, Columns& columns) {
    add(columns, i);
    for (std::int64_t const offset : offsets)
    {
      if (offset <= i)
        add(columns, i - offset);
      if (i + offset < n)
        add(columns, i + offset);
    }
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("diagonals");
}

GalleryMatrix scatter(std::int64_t n, std::int64_t per_row, std::uint64_t seed)
try
{
  impl::require_size("generate::scatter", impl::scatter_size(n, per_row));
  auto const lists = impl::draw_rows(n, n, [=](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    add(columns, i);
    std::size_t const begin = columns.size();
    add_distinct(random, 0, n - 1, per_row, columns);
    for (std::size_t k = begin; k < columns.size(); ++k) // of the others than i
      columns[k] += columns[k] >= i ? 1 : 0;
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("scatter");
}

} // namespace generate

} // namespace heddle
