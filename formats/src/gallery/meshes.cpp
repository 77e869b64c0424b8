// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/grid_box.hpp>
#include <gallery/limits.hpp>
#include <gallery/row_lists.hpp>
#include <gallery/row_random.hpp>
#include <gallery/sizes.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <array>
#include <cstdint>

// Finite elements: nodes that are joined where they share an element, with a dense block of
// unknowns x unknowns for every two of them.

namespace heddle
{

namespace
{

using impl::add;
using impl::Columns;
using impl::GallerySize;
using impl::GalleryStream;
using impl::GridBox;
using impl::RowRandom;

constexpr std::int64_t most_unknowns = 16;

// pairs(nodes) pairs of nodes are joined, each node with itself among them.
template <class Pairs>
GallerySize mesh_size(char const* function, std::array<std::int64_t, 3> extents,
                      std::int64_t unknowns, Pairs const& pairs)
{
  impl::require_between(function, "unknowns", unknowns, 1, most_unknowns);
  std::int64_t const nodes = impl::require_grid(function, extents, 1, unknowns);
  std::int64_t const entries = pairs(nodes) * unknowns * unknowns;
  return {nodes * unknowns, nodes * unknowns, entries, impl::drawn_bytes(entries), true};
}

// neighbours(node, columns) appends the nodes that a node is joined to, itself among them.
template <class Neighbours>
GalleryMatrix mesh_matrix(std::int64_t rows, std::int64_t unknowns, std::uint64_t seed,
                          Neighbours const& neighbours)
{
  auto const lists = impl::draw_rows(rows, rows, [&](std::int64_t i, Columns& columns) {
    Columns nodes;
    neighbours(i / unknowns, nodes);
    for (std::int64_t const node : nodes)
      for (std::int64_t c = 0; c < unknowns; ++c)
        add(columns, node * unknowns + c);
  });
  return impl::with_symmetric_values(lists, seed);
}

// Which diagonal of quadrilateral (x, y) is an edge: from (x, y) to (x + 1, y + 1), or the other.
bool rises(std::uint64_t seed, std::int64_t x, std::int64_t y, std::int64_t nx)
{
  return RowRandom(seed, GalleryStream::groups, x + nx * y).below(2) == 0;
}

void add_triangles(std::int64_t node, std::int64_t nx, std::int64_t ny, std::uint64_t seed,
                   Columns& nodes)
{
  std::int64_t const x = node % nx, y = node / nx;
  for (std::int64_t dy = y > 0 ? -1 : 0; dy <= (y + 1 < ny ? 1 : 0); ++dy)
    for (std::int64_t dx = x > 0 ? -1 : 0; dx <= (x + 1 < nx ? 1 : 0); ++dx)
    {
      bool const is_diagonal = dx * dy != 0;
      // The quadrilateral's lower left corner is at the lower of both coordinates.
      if (!is_diagonal ||
          rises(seed, x + (dx < 0 ? -1 : 0), y + (dy < 0 ? -1 : 0), nx) == (dx * dy > 0))
        add(nodes, node + dy * nx + dx);
    }
}

} // namespace

GallerySize impl::fem_size(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t unknowns)
{
  return mesh_size("generate::fem", {nx, ny, nz}, unknowns,
                   [=](std::int64_t) { return (3 * nx - 2) * (3 * ny - 2) * (3 * nz - 2); });
}

GallerySize impl::tets_size(std::int64_t nx, std::int64_t ny, std::int64_t nz,
                            std::int64_t unknowns)
{
  // Pairs of nodes (0 or 1, 0 or 1, 0 or 1) apart, in both directions, a node with itself once.
  return mesh_size("generate::tets", {nx, ny, nz}, unknowns, [=](std::int64_t nodes) {
    return 2 * (2 * nx - 1) * (2 * ny - 1) * (2 * nz - 1) - nodes;
  });
}

GallerySize impl::triangles_size(std::int64_t nx, std::int64_t ny, std::int64_t unknowns)
{
  return mesh_size("generate::triangles", {nx, ny, 1}, unknowns, [=](std::int64_t nodes) {
    return nodes + 2 * ((nx - 1) * ny + nx * (ny - 1) + (nx - 1) * (ny - 1));
  });
}

GallerySize impl::shell_size(std::int64_t around, std::int64_t along, std::int64_t unknowns)
{
  constexpr char const* function = "generate::shell";
  require_between(function, "around", around, 4);
  require_between(function, "along", along, 1);
  return mesh_size(function, {around, along, 1}, unknowns, [=](std::int64_t nodes) {
    return nodes + 2 * (around * along + 2 * around * (along - 1));
  });
}

namespace generate
{

GalleryMatrix fem(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t unknowns,
                  std::uint64_t seed)
try
{
  GallerySize const size = impl::fem_size(nx, ny, nz, unknowns);
  impl::require_size("generate::fem", size);
  GridBox const grid("generate::fem", {nx, ny, nz}, 1, 1, 27);
  return mesh_matrix(size.rows, unknowns, seed, [&](std::int64_t node, Columns& nodes) {
    grid.for_box(node, [&](int, int, int, std::int64_t other) { add(nodes, other); });
  });
}
catch (...)
{
  impl::rethrow_out_of_memory("fem");
}

GalleryMatrix tets(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t unknowns,
                   std::uint64_t seed)
try
{
  GallerySize const size = impl::tets_size(nx, ny, nz, unknowns);
  impl::require_size("generate::tets", size);
  GridBox const grid("generate::tets", {nx, ny, nz}, 1, 1, 15);
  return mesh_matrix(size.rows, unknowns, seed, [&](std::int64_t node, Columns& nodes) {
    grid.for_box(node, [&](int dx, int dy, int dz, std::int64_t other) {
      if ((dx >= 0 && dy >= 0 && dz >= 0) || (dx <= 0 && dy <= 0 && dz <= 0))
        add(nodes, other);
    });
  });
}
catch (...)
{
  impl::rethrow_out_of_memory("tets");
}

GalleryMatrix triangles(std::int64_t nx, std::int64_t ny, std::int64_t unknowns, std::uint64_t seed)
try
{
  GallerySize const size = impl::triangles_size(nx, ny, unknowns);
  impl::require_size("generate::triangles", size);
  return mesh_matrix(size.rows, unknowns, seed, [=](std::int64_t node, Columns& nodes) {
    add_triangles(node, nx, ny, seed, nodes);
  });
}
catch (...)
{
  impl::rethrow_out_of_memory("triangles");
}

GalleryMatrix shell(std::int64_t around, std::int64_t along, std::int64_t unknowns,
                    std::uint64_t seed)
try
{
  GallerySize const size = impl::shell_size(around, along, unknowns);
  impl::require_size("generate::shell", size);
  return mesh_matrix(size.rows, unknowns, seed, [=](std::int64_t node, Columns& nodes) {
    std::int64_t const x = node % around, y = node / around;
    std::int64_t const right = (x + 1) % around, left = (x + around - 1) % around;
    for (std::int64_t const column : {left, x, right})
      add(nodes, y * around + column);
    if (y + 1 < along)
      for (std::int64_t const column : {x, right})
        add(nodes, (y + 1) * around + column);
    if (y > 0)
      for (std::int64_t const column : {left, x})
        add(nodes, (y - 1) * around + column);
  });
}
catch (...)
{
  impl::rethrow_out_of_memory("shell");
}

} // namespace generate

} // namespace heddle
