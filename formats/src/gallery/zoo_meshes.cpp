// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/distributions.hpp>
#include <gallery/zoo_draw.hpp>
#include <gallery/zoo_parameters.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

// Parameters of the zoo: meshes, grids, bands and blocks.

namespace heddle::impl
{

namespace
{

std::int64_t draw_unknowns(ZooDraw& d) { return d.one_of({1, 2, 3, 4, 6}); }

std::string draw_fem_of(ZooDraw& d, std::int64_t unknowns)
{
  auto const [nx, ny, nz] = d.box(at_least(8, d.entries() / (25 * unknowns * unknowns)));
  return d.seeded("fem_", {nx, ny, nz, unknowns});
}

std::string half_permuted(ZooDraw& d, std::int64_t group, std::string const& name)
{
  return d.chance(50) ? d.permuted(group, name) : name;
}

} // namespace

std::string draw_fem(ZooDraw& d) { return draw_fem_of(d, draw_unknowns(d)); }

std::string draw_fem_permuted(ZooDraw& d)
{
  std::int64_t const unknowns = draw_unknowns(d);
  std::string const fem = draw_fem_of(d, unknowns);
  return d.permuted(unknowns, fem);
}

std::string draw_tets(ZooDraw& d)
{
  std::int64_t const unknowns = draw_unknowns(d);
  auto const [nx, ny, nz] = d.box(at_least(8, d.entries() / (14 * unknowns * unknowns)));
  std::string const name = d.seeded("tets_", {nx, ny, nz, unknowns});
  return half_permuted(d, unknowns, name);
}

std::string draw_mesh(ZooDraw& d)
{
  auto const [nx, ny] = d.plane(d.entries() / 7);
  std::string const name = d.seeded("triangles_", {nx, ny, 1});
  return half_permuted(d, 1, name);
}

std::string draw_shell(ZooDraw& d)
{
  std::int64_t const unknowns = d.one_of({1, 2, 3, 6});
  auto const [around, along] = d.plane(d.entries() / (7 * unknowns * unknowns));
  std::string const name = d.seeded("shell_", {at_least(4, around), along, unknowns});
  return half_permuted(d, unknowns, name);
}

std::string draw_road(ZooDraw& d)
{
  std::int64_t const percent = d.between(55, 75);
  auto const [nx, ny] = d.plane(d.entries() * 25 / percent);
  return d.seeded("road_", {nx, ny, percent});
}

std::string draw_geometric(ZooDraw& d)
{
  std::int64_t const degree = d.between(6, 30);
  return d.seeded("geometric_", {d.entries() / degree, degree});
}

std::string draw_small_world(ZooDraw& d)
{
  std::int64_t const reach = d.between(2, 12);
  return d.seeded("small_world_", {d.entries() / (2 * reach), reach, d.between(1, 30)});
}

std::string draw_balls(ZooDraw& d)
{
  if (d.chance(50)) // a plane
  {
    std::int64_t const radius = d.between(2, 8);
    auto const [nx, ny] = d.plane(at_least(64, d.entries() * 100 / (300 * radius * radius)));
    return d.seeded("balls_", {nx, ny, 1, radius});
  }
  std::int64_t const radius = d.between(2, 5);
  auto const [nx, ny, nz] =
      d.box(at_least(512, d.entries() * 100 / (360 * radius * radius * radius)));
  return d.seeded("balls_", {nx, ny, nz, radius});
}

std::string draw_diagonals(ZooDraw& d)
{
  std::int64_t const count = d.between(2, 20), n = d.entries() / (1 + 2 * count);
  std::int64_t const reach = std::min(n / 4, count * d.log_between(2, 1000));
  std::string const name = d.seeded("diagonals_", {n, count, at_least(count, reach)});
  return half_permuted(d, 1, name);
}

std::string draw_stencil3d(ZooDraw& d)
{
  bool const is_box = d.chance(50);
  auto const [nx, ny, nz] = d.box(d.entries() / (is_box ? 25 : 7));
  // A side more, so that no two are alike, which would have another name.
  return ZooDraw::name(is_box ? "stencil27_" : "stencil7_",
                       {nx, ny, nx == ny && ny == nz ? nz + 1 : nz});
}

std::string draw_stencil3d_permuted(ZooDraw& d)
{
  std::string const name = draw_stencil3d(d);
  return d.permuted(1, name);
}

std::string draw_stencil2d(ZooDraw& d)
{
  bool const is_box = d.chance(50);
  auto const [nx, ny] = d.plane(d.entries() / (is_box ? 9 : 5));
  std::string const name =
      ZooDraw::name(is_box ? "stencil9_" : "stencil5_", {nx, nx == ny ? ny + 1 : ny});
  return d.chance(33) ? d.permuted(1, name) : name;
}

std::string draw_band(ZooDraw& d)
{
  std::int64_t const half_band = d.log_between(1, 120);
  return ZooDraw::name("banded_",
                       {at_least(2 * half_band + 1, d.entries() / (2 * half_band + 1)), half_band});
}

std::string draw_band_permuted(ZooDraw& d)
{
  std::int64_t const half_band = d.log_between(1, 120);
  return d.seeded("banded_perm_",
                  {at_least(2 * half_band + 1, d.entries() / (2 * half_band + 1)), half_band});
}

std::string draw_blocks(ZooDraw& d)
{
  std::int64_t const size = d.log_between(8, 96), per_row = d.between(1, 12);
  return d.seeded("blocks_",
                  {at_least(per_row, d.entries() / (size * size * per_row)), size, per_row});
}

std::string draw_coupled(ZooDraw& d)
{
  // Half of the entries in each part: 81 3 nx^3 and edges 2^scale.
  auto const nx = static_cast<std::int64_t>(
      exact_exp2(exact_log2(static_cast<std::uint64_t>(d.entries() / 440)) / 3));
  std::int64_t const edges = d.between(4, 24);
  auto const scale = static_cast<std::int64_t>(
                         std::bit_width(static_cast<std::uint64_t>(d.entries() / (2 * edges)))) -
                     1;
  return d.seeded("fem_graph_", {at_least(2, nx), scale, edges});
}

} // namespace heddle::impl
