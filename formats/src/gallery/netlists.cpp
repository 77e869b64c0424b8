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
#include <cstdint>

// Hypergraphs of circuits (rows are nets, columns are cells) and other matrices of very short rows.

namespace heddle
{

namespace
{

using impl::add;
using impl::add_distinct;
using impl::Columns;
using impl::GallerySize;
using impl::GalleryStream;
using impl::LogUniform;
using impl::RowRandom;

// Of nets: how many entries a long row and a column that many rows hit have, on average.
constexpr std::int64_t longest_reach = 3000;
std::int64_t reach(std::int64_t n)
{
  return std::max<std::int64_t>(1, std::min(longest_reach, n / 4));
}

// Different rows, ascending.
Columns draw_hubs(std::uint64_t seed, std::int64_t n, std::int64_t count)
{
  RowRandom random(seed, GalleryStream::groups, 0);
  Columns hubs;
  add_distinct(random, 0, n, count, hubs);
  return hubs;
}

// Of netlist: entries of a macro cell, least and most.
std::int64_t most_of_macro(std::int64_t cells) { return std::min<std::int64_t>(3000, cells / 8); }

} // namespace

GallerySize impl::nets_size(std::int64_t rows, std::int64_t cols, std::int64_t hubs)
{
  constexpr char const* function = "generate::nets";
  require_between(function, "rows", rows, 5);
  require_between(function, "cols", cols, 5);
  require_between(function, "hubs", hubs, 0, std::min(rows, cols));
  std::int64_t const entries = rows * 7 / 2 + hubs * (reach(rows) + reach(cols));
  return {rows, cols, entries, drawn_bytes(entries)};
}

GallerySize impl::netlist_size(std::int64_t cells, std::int64_t clocks)
{
  constexpr char const* function = "generate::netlist";
  require_between(function, "cells", cells, 64);
  require_between(function, "clocks", clocks, 1, cells / 64);
  std::int64_t const macro = (most_of_macro(cells) / 3 + most_of_macro(cells)) / 2;
  std::int64_t const entries = cells * 54 / 10 + clocks * macro;
  return {cells, cells, entries, transposed_bytes(entries)};
}

GallerySize impl::incidence_size(std::int64_t edges, std::int64_t nodes)
{
  require_between("generate::incidence", "edges", edges, 1);
  require_between("generate::incidence", "nodes", nodes, 2);
  return {edges, nodes, 2 * edges, drawn_bytes(2 * edges), true};
}

GallerySize impl::chain_size(std::int64_t n, std::int64_t percent)
{
  require_between("generate::chain", "n", n, 2);
  require_between("generate::chain", "percent", percent, 0, 100);
  std::int64_t const entries = 2 * n * (90 + percent) / 100;
  return {n, n, entries, transposed_bytes(entries)};
}

namespace generate
{

GalleryMatrix nets(std::int64_t rows, std::int64_t cols, std::int64_t hubs, std::uint64_t seed)
try
{
  impl::require_size("generate::nets", impl::nets_size(rows, cols, hubs));
  Columns const long_rows = draw_hubs(seed, rows, hubs), hit = draw_hubs(seed + 1, cols, hubs);
  std::int64_t const hits = hubs * reach(rows); // of all hub columns
  std::int64_t const window = std::min<std::int64_t>(cols, 128);
  auto const lists = impl::draw_rows(rows, cols, [&](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    std::int64_t const count = random.between(2, 5);
    std::int64_t const first =
        std::clamp<std::int64_t>(i * cols / rows - window / 2, 0, cols - window);
    for (std::int64_t k = 0; k < count; ++k)
      add(columns, random.chance(85) ? first + random.below(window) : random.below(cols));
    // The lower of two draws, so that hubs differ in their lengths.
    for (std::int64_t k = hits / rows + (random.below(rows) < hits % rows ? 1 : 0); k > 0; --k)
      columns.push_back(
          hit[static_cast<std::size_t>(std::min(random.below(hubs), random.below(hubs)))]);
    if (std::ranges::binary_search(long_rows, static_cast<std::int32_t>(i)))
      add_distinct(random, 0, cols, random.between(reach(cols) / 3, reach(cols) * 5 / 3), columns);
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("nets");
}

GalleryMatrix netlist(std::int64_t cells, std::int64_t clocks, std::uint64_t seed)
try
{
  impl::require_size("generate::netlist", impl::netlist_size(cells, clocks));
  LogUniform const distance(1, cells / 2);
  auto const pins = impl::draw_rows(cells, cells, [&](std::int64_t i, Columns& nets) {
    RowRandom random(seed, GalleryStream::columns, i);
    add(nets, i); // the net that it drives
    for (std::int64_t k = random.between(2, 6); k > 0; --k)
    {
      std::int64_t const way = random.chance(50) ? distance(random) : cells - distance(random);
      std::int64_t const net = (i + way) % cells;
      add(nets, random.chance(15) ? net / 64 * 64 : net); // each 64th net has a high fan-out
    }
    std::int64_t const domain = i * clocks / cells;
    if (random.chance(30))
      add(nets, domain * cells / clocks); // of its clock
    if (random.chance(10))
      add(nets, cells - 1);                           // reset
    if (i == (2 * domain + 1) * cells / (2 * clocks)) // a macro cell in each domain
      add_distinct(random, 0, cells, random.between(most_of_macro(cells) / 3, most_of_macro(cells)),
                   nets);
  });
  return impl::with_values(impl::transposed(pins), seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("netlist");
}

GalleryMatrix incidence(std::int64_t edges, std::int64_t nodes, std::uint64_t seed)
try
{
  impl::require_size("generate::incidence", impl::incidence_size(edges, nodes));
  LogUniform const distance(1, std::max<std::int64_t>(1, nodes / 2));
  auto const lists = impl::draw_rows(edges, nodes, [&](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    std::int64_t const node = i * nodes / edges;
    add(columns, node);
    add(columns, (node + distance(random)) % nodes);
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("incidence");
}

GalleryMatrix chain(std::int64_t n, std::int64_t percent, std::uint64_t seed)
try
{
  impl::require_size("generate::chain", impl::chain_size(n, percent));
  auto const half = impl::draw_rows(n, n, [=](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    if (random.chance(90) && i + 1 < n)
      add(columns, i + 1);
    if (random.chance(percent))
      add(columns, (i + random.between(1, n - 1)) % n);
  });
  return impl::with_symmetric_values(impl::symmetrized(half), seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("chain");
}

} // namespace generate

} // namespace heddle
