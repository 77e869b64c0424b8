// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/zoo_draw.hpp>
#include <gallery/zoo_parameters.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

// Parameters of the zoo: linear programs, circuits, graphs and layers.

namespace heddle::impl
{

namespace
{

// Rows of a layer of so many weights: a multiple of 64, at most about twice as many as columns.
std::int64_t layer_rows(ZooDraw& d, std::int64_t weights)
{
  auto const side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(weights)));
  return 64 * d.log_between(1, std::clamp<std::int64_t>(side * 3 / 2 / 64, 1, 64));
}

} // namespace

std::string draw_cover(ZooDraw& d)
{
  std::int64_t const rows = d.chance(60) ? d.between(25, 40) : d.log_between(40, 600);
  std::int64_t const per_col = d.between(2, 8);
  return d.seeded("cover_", {rows, d.entries() / per_col, per_col});
}

std::string draw_fitting(ZooDraw& d)
{
  std::int64_t const rows = d.between(20, 40), percent = d.between(20, 60);
  return d.seeded("fitting_", {rows, d.entries() * 100 / (rows * percent), percent});
}

std::string draw_nets(ZooDraw& d)
{
  std::int64_t const rows = d.entries() / 5, hubs = at_least(3, rows / 4000);
  return d.seeded("nets_", {rows, rows * d.between(70, 120) / 100, hubs});
}

std::string draw_netlist(ZooDraw& d)
{
  std::int64_t const cells = d.entries() / 6;
  return d.seeded("netlist_", {cells, d.log_between(1, 12)});
}

std::string draw_arrow(ZooDraw& d)
{
  std::int64_t const dense = d.between(1, 5);
  return d.seeded("arrow_", {d.entries() / (3 + 2 * dense), dense});
}

std::string draw_bordered(ZooDraw& d)
{
  std::int64_t const size = d.log_between(16, 400), border = 8 * d.log_between(1, 16);
  return d.seeded("bordered_",
                  {at_least(2, d.entries() / (size * (8 + border / 4))), size, border});
}

std::string draw_circuit(ZooDraw& d)
{
  return d.seeded("circuit_", {d.entries() / 6, d.between(2, 20)});
}

std::string draw_power_grid(ZooDraw& d)
{
  std::int64_t const layers = d.between(2, 8);
  auto const [nx, ny] = d.plane(at_least(16, d.entries() * 10 / (34 * layers)));
  return d.seeded("power_grid_", {nx + 1, ny + 1, layers, d.log_between(1, 8)});
}

std::string draw_kkt(ZooDraw& d)
{
  std::int64_t const percent = d.between(20, 100);
  std::int64_t const n = at_least(64, d.entries() * 100 / (200 + 7 * percent));
  return d.seeded("kkt_", {n, n * percent / 100});
}

std::string draw_incidence(ZooDraw& d)
{
  std::int64_t const edges = d.entries() / 2;
  return d.seeded("incidence_", {edges, edges / d.between(1, 8)});
}

std::string draw_chain(ZooDraw& d)
{
  std::int64_t const percent = d.between(2, 25);
  return d.seeded("chain_", {d.entries() * 100 / (2 * (90 + percent)), percent});
}

std::string draw_lognormal(ZooDraw& d)
{
  std::int64_t const median = d.log_between(3, 60), percent = d.between(50, 130);
  // The mean is the median times e^(sigma^2 / 2), 1.13 to 2.3.
  std::int64_t const n = d.entries() * 20000 / (median * (20000 + percent * percent * 13 / 10));
  return d.seeded("lognormal_",
                  {n, std::min(median, n), percent, std::min(n, median * d.log_between(16, 256))});
}

std::string draw_two_lengths(ZooDraw& d)
{
  std::int64_t const few = d.between(2, 8), many = d.log_between(40, 300),
                     percent = d.between(2, 25);
  std::int64_t const n =
      at_least(many, d.entries() * 100 / (few * (100 - percent) + many * percent));
  std::int64_t const window = std::min(n, many * d.log_between(2, 64));
  return d.seeded("two_lengths_", {n, few, many, percent, window});
}

std::string draw_pareto(ZooDraw& d)
{
  std::int64_t const mean = d.log_between(3, 40);
  return d.seeded("pareto_", {d.entries() / mean, mean, d.between(120, 300)});
}

std::string draw_scale_free(ZooDraw& d)
{
  std::int64_t const mean = d.log_between(4, 40);
  return d.seeded("scale_free_", {d.entries() / mean, mean, d.between(140, 260)});
}

std::string draw_terms(ZooDraw& d)
{
  std::int64_t const median = d.log_between(10, 100);
  std::int64_t const documents = d.entries() * 100 / (128 * median);
  return d.seeded("terms_",
                  {documents, at_least(8 * median, documents * d.between(30, 200) / 100), median});
}

std::string draw_web(ZooDraw& d)
{
  std::int64_t const mean = d.between(8, 40);
  return d.seeded("web_", {d.entries() / mean, mean, d.between(50, 90)});
}

std::string draw_clones(ZooDraw& d)
{
  std::int64_t const per_row = d.log_between(8, 100), percent = d.between(60, 100);
  std::int64_t const n = at_least(per_row, d.entries() * 100 / (per_row * percent));
  return d.seeded("clones_", {n, std::min(n, d.log_between(2, 64)), per_row, percent});
}

std::string draw_power_flow(ZooDraw& d)
{
  std::int64_t const size = d.log_between(8, 64), shared = d.log_between(16, 400);
  std::int64_t const blocks = at_least(2, d.entries() / (size * (size + shared)));
  return d.seeded("power_flow_", {blocks, size, std::min(shared, blocks * size / 2)});
}

std::string draw_supernodes(ZooDraw& d)
{
  std::int64_t const width = d.log_between(2, 32), below = d.between(1, 6);
  std::int64_t const n = at_least(width, d.entries() / (below * width + (2 * width + 1) / 3 + 1));
  return d.seeded("supernodes_", {n, width, below});
}

std::string draw_time_steps(ZooDraw& d)
{
  std::int64_t const steps = d.between(8, 96), nodes = at_least(16, d.entries() / (steps * 5));
  return d.seeded("time_steps_", {steps, nodes, nodes * d.between(5, 60) / 100});
}

std::string draw_pruned(ZooDraw& d)
{
  std::int64_t const percent = d.between(50, 98), weights = d.entries() * 100 / (100 - percent);
  std::int64_t const rows = layer_rows(d, weights);
  return d.seeded("pruned_", {rows, weights / rows, percent});
}

std::string draw_channels(ZooDraw& d)
{
  std::int64_t const percent = d.between(3, 32), weights = d.entries() * 100 / percent;
  std::int64_t const rows = layer_rows(d, weights);
  return d.seeded("channels_", {rows, weights / rows, percent});
}

std::string draw_radix(ZooDraw& d)
{
  std::int64_t const per_row = d.one_of({8, 16, 32, 64});
  auto const n = static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(at_least(4 * per_row, d.entries() / per_row))));
  auto const steps =
      static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n / per_row)));
  return ZooDraw::name(
      "radix_", {n, per_row, std::int64_t(1) << static_cast<unsigned>(d.between(0, steps - 1))});
}

std::string draw_simplices(ZooDraw& d)
{
  std::int64_t const elements = d.between(3, 6);
  // The least number of vertices with as many entries: n over elements, elements times.
  std::int64_t vertices = elements, subsets = 1;
  while (subsets * elements < d.entries())
  {
    ++vertices;
    subsets = subsets * vertices / (vertices - elements);
  }
  return ZooDraw::name("simplices_", {vertices, elements});
}

std::string draw_lp(ZooDraw& d)
{
  std::int64_t const per_col = d.between(2, 8), cols = at_least(64, d.entries() / (per_col + 1));
  return d.seeded("lp_", {at_least(2 * per_col + 8, cols / d.between(3, 12)), cols, per_col});
}

std::string draw_staircase(ZooDraw& d)
{
  std::int64_t const rows = d.log_between(20, 200), cols = rows * d.between(12, 30) / 10;
  return d.seeded("staircase_", {at_least(2, d.entries() * 100 / (cols * 375)), rows, cols});
}

std::string draw_scatter(ZooDraw& d)
{
  std::int64_t const per_row = d.between(1, 20);
  return d.seeded("scatter_", {d.entries() / (1 + per_row), per_row});
}

std::string draw_hypersparse(ZooDraw& d)
{
  std::int64_t const percent = d.between(70, 98);
  return d.seeded("empty_rows_", {d.entries() * 25 / (100 - percent), percent});
}

std::string draw_rmat(ZooDraw& d)
{
  std::int64_t const edges = d.between(4, 24);
  auto const scale =
      static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(d.entries() / edges))) -
      1;
  return d.seeded("rmat", {scale, edges});
}

std::string draw_uniform(ZooDraw& d)
{
  std::int64_t const per_row = d.log_between(1, 64), rows = at_least(16, d.entries() / per_row);
  std::int64_t const cols = at_least(2 * per_row, rows * d.log_between(1, 64) / 8);
  return d.seeded("uniform_", {rows, cols, per_row});
}

} // namespace heddle::impl
