// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/distributions.hpp>
#include <gallery/limits.hpp>
#include <gallery/row_lists.hpp>
#include <gallery/row_random.hpp>
#include <gallery/sizes.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Matrices whose rows come in groups with the same columns.

namespace heddle
{

namespace
{

using impl::add;
using impl::add_distinct;
using impl::Columns;
using impl::DrawnGroup;
using impl::GallerySize;
using impl::GalleryStream;
using impl::LogUniform;
using impl::RowRandom;

void add_range(std::int64_t first, std::int64_t end, Columns& columns)
{
  for (std::int64_t j = first; j < end; ++j)
    add(columns, j);
}

// The first of the columns that the rows of a block share, of power_flow.
std::int64_t strip_start(std::uint64_t seed, std::int64_t block, std::int64_t n,
                         std::int64_t shared)
{
  return RowRandom(seed, GalleryStream::groups, block).below(n - shared + 1);
}

// The first row of each supernode, and n.
std::vector<std::int64_t> supernode_starts(std::int64_t n, std::int64_t width, std::uint64_t seed)
{
  RowRandom random(seed, GalleryStream::groups, 0);
  std::vector<std::int64_t> starts{0};
  while (starts.back() < n)
    starts.push_back(std::min(n, starts.back() + random.between(1, 2 * width - 1)));
  return starts;
}

} // namespace

GallerySize impl::power_flow_size(std::int64_t blocks, std::int64_t size, std::int64_t shared,
                                  std::uint64_t seed)
{
  constexpr char const* function = "generate::power_flow";
  require_between(function, "blocks", blocks, 1);
  require_between(function, "size", size, 1);
  std::int64_t const rows = require_product(function, "rows", {blocks, size});
  require_between(function, "shared", shared, 0, rows);
  std::int64_t entries = 0;
  for (std::int64_t block = 0; block < blocks; ++block)
  {
    std::int64_t const first = strip_start(seed, block, rows, shared);
    std::int64_t const overlap =
        std::min(first + shared, (block + 1) * size) - std::max(first, block * size);
    entries += size * (size + shared - std::max<std::int64_t>(0, overlap));
  }
  return {rows, rows, entries, drawn_bytes(entries), true};
}

GallerySize impl::supernodes_size(std::int64_t n, std::int64_t width, std::int64_t below,
                                  std::uint64_t seed)
{
  constexpr char const* function = "generate::supernodes";
  require_between(function, "n", n, 1);
  require_between(function, "width", width, 1, n);
  require_between(function, "below", below, 0, n);
  std::vector<std::int64_t> const starts = supernode_starts(n, width, seed);
  std::int64_t entries = 0;
  for (std::size_t node = 0; node + 1 < starts.size(); ++node)
  {
    std::int64_t const rows = starts[node + 1] - starts[node];
    auto const window =
        static_cast<std::int64_t>(std::min(node, static_cast<std::size_t>(8 * below)));
    std::int64_t const before = starts[node] - starts[node - static_cast<std::size_t>(window)];
    std::int64_t const others = window == 0 ? 0 : before * std::min(below, window) / window;
    entries += rows * others + rows * (rows + 1) / 2;
  }
  return {n, n, entries, drawn_bytes(entries)};
}

GallerySize impl::time_steps_size(std::int64_t steps, std::int64_t nodes, std::int64_t ramps)
{
  constexpr char const* function = "generate::time_steps";
  require_between(function, "steps", steps, 1);
  require_between(function, "nodes", nodes, 16);
  require_between(function, "ramps", ramps, 0, nodes);
  std::int64_t const rows = require_product(function, "rows", {steps, nodes});
  std::int64_t const entries = rows * 48 / 10 + 2 * (steps - 1) * ramps;
  return {rows, rows, entries, transposed_bytes(entries)};
}

namespace generate
{

GalleryMatrix power_flow(std::int64_t blocks, std::int64_t size, std::int64_t shared,
                         std::uint64_t seed)
try
{
  GallerySize const all = impl::power_flow_size(blocks, size, shared, seed);
  impl::require_size("generate::power_flow", all);
  auto const lists =
      impl::draw_groups(all.rows, all.cols, blocks, [=](std::int64_t block, DrawnGroup& rows) {
        std::int64_t const first = strip_start(seed, block, all.cols, shared);
        for (std::int64_t i = 0; i < size; ++i)
        {
          add_range(block * size, (block + 1) * size, rows.columns);
          add_range(first, first + shared, rows.columns);
          rows.end_row();
        }
      });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("power_flow");
}

GalleryMatrix supernodes(std::int64_t n, std::int64_t width, std::int64_t below, std::uint64_t seed)
try
{
  impl::require_size("generate::supernodes", impl::supernodes_size(n, width, below, seed));
  std::vector<std::int64_t> const starts = supernode_starts(n, width, seed);
  auto const count = static_cast<std::int64_t>(starts.size()) - 1;
  auto const lists = impl::draw_groups(n, n, count, [&](std::int64_t node, DrawnGroup& rows) {
    RowRandom random(seed, GalleryStream::columns, node);
    std::int64_t const window = std::min(node, 8 * below);
    Columns others;
    add_distinct(random, node - window, window, std::min(below, window), others);
    auto const first = starts[static_cast<std::size_t>(node)];
    for (std::int64_t i = first; i < starts[static_cast<std::size_t>(node) + 1]; ++i)
    {
      for (std::int32_t const other : others)
        add_range(starts[static_cast<std::size_t>(other)],
                  starts[static_cast<std::size_t>(other) + 1], rows.columns);
      add_range(first, i + 1, rows.columns);
      rows.end_row();
    }
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("supernodes");
}

GalleryMatrix time_steps(std::int64_t steps, std::int64_t nodes, std::int64_t ramps,
                         std::uint64_t seed)
try
{
  GallerySize const size = impl::time_steps_size(steps, nodes, ramps);
  impl::require_size("generate::time_steps", size);
  LogUniform const distance(1, nodes / 2);
  auto const half = impl::draw_rows(size.rows, size.cols, [&](std::int64_t i, Columns& columns) {
    std::int64_t const node = i % nodes, first = i - node;
    RowRandom random(seed, GalleryStream::columns, node); // the same network in each step
    add(columns, i);
    for (int k = 0; k < 2; ++k)
      add(columns, first + (node + distance(random)) % nodes);
    if (node < ramps && first + nodes < size.rows)
      add(columns, i + nodes);
  });
  return impl::with_symmetric_values(impl::symmetrized(half), seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("time_steps");
}

} // namespace generate

} // namespace heddle
