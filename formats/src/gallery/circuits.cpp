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

// Sparse matrices of symmetric structure with a few rows and columns that are long.

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

} // namespace

GallerySize impl::arrow_size(std::int64_t n, std::int64_t dense)
{
  require_between("generate::arrow", "n", n, 3);
  require_between("generate::arrow", "dense", dense, 0, n);
  std::int64_t const entries = dense * n + (n - dense) * (3 + dense);
  return {n, n, entries, drawn_bytes(entries)};
}

GallerySize impl::bordered_size(std::int64_t blocks, std::int64_t size, std::int64_t border)
{
  constexpr char const* function = "generate::bordered";
  require_between(function, "blocks", blocks, 1);
  require_between(function, "size", size, 8);
  require_between(function, "border", border, 8);
  std::int64_t const inner = require_product(function, "rows", {blocks, size});
  // Four neighbours drawn by each of two rows are the same entry in 16 / (size - 1) of the cases.
  std::int64_t const entries =
      inner * 9 - 16 * inner / (size - 1) + 2 * inner * (border / 8) + border * border;
  return {inner + border, inner + border, entries, transposed_bytes(entries)};
}

GallerySize impl::circuit_size(std::int64_t n, std::int64_t hubs)
{
  require_between("generate::circuit", "n", n, 16);
  require_between("generate::circuit", "hubs", hubs, 1, n / 4);
  return {n, n, n * 59 / 10, transposed_bytes(6 * n)};
}

GallerySize impl::power_grid_size(std::int64_t nx, std::int64_t ny, std::int64_t layers,
                                  std::int64_t pads)
{
  constexpr char const* function = "generate::power_grid";
  require_between(function, "nx", nx, 2);
  require_between(function, "ny", ny, 2);
  require_between(function, "layers", layers, 1);
  require_between(function, "pads", pads, 1);
  std::int64_t const nodes = require_product(function, "rows", {nx, ny, layers});
  std::int64_t const lines = (layers + 1) / 2 * (nx - 1) * ny + layers / 2 * nx * (ny - 1);
  std::int64_t const entries = nodes + pads + 2 * lines + (layers - 1) * nx * ny / 2 + nx * ny / 8;
  return {nodes + pads, nodes + pads, entries, transposed_bytes(entries)};
}

GallerySize impl::kkt_size(std::int64_t n, std::int64_t constraints)
{
  constexpr char const* function = "generate::kkt";
  require_between(function, "n", n, 64);
  require_between(function, "constraints", constraints, 1);
  std::int64_t const entries = n * 2 + 7 * constraints;
  return {n + constraints, n + constraints, entries, transposed_bytes(entries)};
}

namespace generate
{

GalleryMatrix arrow(std::int64_t n, std::int64_t dense, std::uint64_t seed)
try
{
  impl::require_size("generate::arrow", impl::arrow_size(n, dense));
  RowRandom random(seed, GalleryStream::groups, 0);
  Columns full;
  add_distinct(random, 0, n, dense, full);
  auto const lists = impl::draw_rows(n, n, [&](std::int64_t i, Columns& columns) {
    if (std::ranges::binary_search(full, static_cast<std::int32_t>(i)))
    {
      for (std::int64_t j = 0; j < n; ++j)
        add(columns, j);
      return;
    }
    for (std::int64_t j = std::max<std::int64_t>(0, i - 1); j <= std::min(n - 1, i + 1); ++j)
      add(columns, j);
    columns.insert(columns.end(), full.begin(), full.end());
  });
  return impl::with_symmetric_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("arrow");
}

GalleryMatrix bordered(std::int64_t blocks, std::int64_t size, std::int64_t border,
                       std::uint64_t seed)
try
{
  GallerySize const all = impl::bordered_size(blocks, size, border);
  impl::require_size("generate::bordered", all);
  std::int64_t const inner = blocks * size;
  auto const half = impl::draw_rows(all.rows, all.cols, [=](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    if (i >= inner)
    {
      for (std::int64_t j = inner; j < inner + border; ++j)
        add(columns, j);
      return;
    }
    add(columns, i);
    std::int64_t const first = i / size * size;
    std::size_t const begin = columns.size();
    add_distinct(random, first, size - 1, 4, columns);
    for (std::size_t k = begin; k < columns.size(); ++k) // of the others than i
      columns[k] += columns[k] >= i ? 1 : 0;
    add_distinct(random, inner, border, border / 8, columns);
  });
  return impl::with_symmetric_values(impl::symmetrized(half), seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("bordered");
}

GalleryMatrix circuit(std::int64_t n, std::int64_t hubs, std::uint64_t seed)
try
{
  impl::require_size("generate::circuit", impl::circuit_size(n, hubs));
  RowRandom of_hubs(seed, GalleryStream::groups, 0);
  Columns places;
  add_distinct(of_hubs, 0, n, hubs, places);
  LogUniform const distance(1, n / 2);
  auto const half = impl::draw_rows(n, n, [&](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    add(columns, i);
    for (std::int64_t k = random.between(1, 3); k > 0; --k)
      add(columns, (i + distance(random)) % n);
    // The lowest of three draws: the first hub has most.
    if (random.chance(50))
    {
      auto const hub = std::min({random.below(hubs), random.below(hubs), random.below(hubs)});
      columns.push_back(places[static_cast<std::size_t>(hub)]);
    }
  });
  return impl::with_values(impl::symmetrized(half), seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("circuit");
}

GalleryMatrix power_grid(std::int64_t nx, std::int64_t ny, std::int64_t layers, std::int64_t pads,
                         std::uint64_t seed)
try
{
  GallerySize const size = impl::power_grid_size(nx, ny, layers, pads);
  impl::require_size("generate::power_grid", size);
  std::int64_t const plane = nx * ny, nodes = plane * layers;
  auto const half = impl::draw_rows(size.rows, size.cols, [=](std::int64_t i, Columns& columns) {
    add(columns, i);
    if (i >= nodes)
      return;
    RowRandom random(seed, GalleryStream::columns, i);
    std::int64_t const layer = i / plane, x = i % nx, y = i / nx % ny;
    if (layer % 2 == 0 && x + 1 < nx)
      add(columns, i + 1);
    if (layer % 2 == 1 && y + 1 < ny)
      add(columns, i + nx);
    if (layer + 1 < layers && random.chance(25))
      add(columns, i + plane); // a via
    if (layer + 1 == layers && random.below(16) == 0)
      add(columns, nodes + random.below(pads));
  });
  return impl::with_symmetric_values(impl::symmetrized(half), seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("power_grid");
}

GalleryMatrix kkt(std::int64_t n, std::int64_t constraints, std::uint64_t seed)
try
{
  GallerySize const size = impl::kkt_size(n, constraints);
  impl::require_size("generate::kkt", size);
  constexpr std::int64_t window = 64;
  auto const half = impl::draw_rows(size.rows, size.cols, [=](std::int64_t i, Columns& columns) {
    RowRandom random(seed, GalleryStream::columns, i);
    if (i < n)
    {
      add(columns, i);
      if (i + 1 < n && random.chance(50))
        add(columns, i + 1);
      return;
    }
    std::int64_t const first = std::min((i - n) * n / constraints, n - window);
    add_distinct(random, first, window, random.between(2, 4), columns);
    if (random.chance(50))
      add(columns, random.below(n));
  });
  return impl::with_symmetric_values(impl::symmetrized(half), seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("kkt");
}

} // namespace generate

} // namespace heddle
