// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gallery/zoo_draw.hpp>

#include <string>

namespace heddle::impl
{

// The name of the gallery that a matrix of a family stands for. Changing one line changes matrices
// that results name: unit_tests/formats/test_zoo.cpp has a checksum of all names.
std::string draw_cover(ZooDraw& d);
std::string draw_fitting(ZooDraw& d);
std::string draw_nets(ZooDraw& d);
std::string draw_netlist(ZooDraw& d);
std::string draw_arrow(ZooDraw& d);
std::string draw_bordered(ZooDraw& d);
std::string draw_circuit(ZooDraw& d);
std::string draw_power_grid(ZooDraw& d);
std::string draw_kkt(ZooDraw& d);
std::string draw_incidence(ZooDraw& d);
std::string draw_chain(ZooDraw& d);
std::string draw_lognormal(ZooDraw& d);
std::string draw_two_lengths(ZooDraw& d);
std::string draw_pareto(ZooDraw& d);
std::string draw_scale_free(ZooDraw& d);
std::string draw_terms(ZooDraw& d);
std::string draw_web(ZooDraw& d);
std::string draw_clones(ZooDraw& d);
std::string draw_power_flow(ZooDraw& d);
std::string draw_supernodes(ZooDraw& d);
std::string draw_time_steps(ZooDraw& d);
std::string draw_pruned(ZooDraw& d);
std::string draw_channels(ZooDraw& d);
std::string draw_radix(ZooDraw& d);
std::string draw_simplices(ZooDraw& d);
std::string draw_lp(ZooDraw& d);
std::string draw_staircase(ZooDraw& d);
std::string draw_fem(ZooDraw& d);
std::string draw_fem_permuted(ZooDraw& d);
std::string draw_tets(ZooDraw& d);
std::string draw_mesh(ZooDraw& d);
std::string draw_shell(ZooDraw& d);
std::string draw_road(ZooDraw& d);
std::string draw_geometric(ZooDraw& d);
std::string draw_small_world(ZooDraw& d);
std::string draw_balls(ZooDraw& d);
std::string draw_diagonals(ZooDraw& d);
std::string draw_scatter(ZooDraw& d);
std::string draw_hypersparse(ZooDraw& d);
std::string draw_stencil3d(ZooDraw& d);
std::string draw_stencil3d_permuted(ZooDraw& d);
std::string draw_stencil2d(ZooDraw& d);
std::string draw_band(ZooDraw& d);
std::string draw_band_permuted(ZooDraw& d);
std::string draw_rmat(ZooDraw& d);
std::string draw_blocks(ZooDraw& d);
std::string draw_uniform(ZooDraw& d);
std::string draw_coupled(ZooDraw& d);

} // namespace heddle::impl
