// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/zoo_draw.hpp>
#include <gallery/zoo_parameters.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace heddle::impl
{

namespace
{

constexpr std::int64_t k = 1000, m = 1000000;

// Description, least and most entries, and whether there are large ones.
constexpr std::array families = {
    ZooFamilyDraw{"cover", "set covering: few rows, very long", 50 * k, 4 * m, false, draw_cover},
    ZooFamilyDraw{"nets", "netlists with hub rows and columns", 20 * k, 10 * m, false, draw_nets},
    ZooFamilyDraw{"arrow", "one to five full rows and columns", 10 * k, 10 * m, false, draw_arrow},
    ZooFamilyDraw{"circuit", "circuits with a few long rows", 6 * k, 5 * m, false, draw_circuit},
    ZooFamilyDraw{"lognormal", "log-normal row lengths in a window", 10 * k, 20 * m, false,
                  draw_lognormal},
    ZooFamilyDraw{"web", "web graphs of copied lists", 10 * k, 20 * m, true, draw_web},
    ZooFamilyDraw{"pruned", "layers pruned uniformly", 3 * k, 4 * m, false, draw_pruned},
    ZooFamilyDraw{"lp", "small linear programs", 5 * k, 1 * m, false, draw_lp},
    ZooFamilyDraw{"fem", "hexahedra with 1, 2, 3, 4 or 6 unknowns", 10 * k, 20 * m, true, draw_fem},
    ZooFamilyDraw{"fem_permuted", "the same, nodes permuted", 10 * k, 20 * m, false,
                  draw_fem_permuted},
    ZooFamilyDraw{"mesh", "irregular triangles, half of them permuted", 1 * k, 10 * m, false,
                  draw_mesh},
    ZooFamilyDraw{"band", "bands of 3 to 241", 10 * k, 20 * m, false, draw_band},
    ZooFamilyDraw{"band_permuted", "the same, permuted", 10 * k, 20 * m, false, draw_band_permuted},
    ZooFamilyDraw{"stencil3d", "7- and 27-point stencils", 5 * k, 20 * m, false, draw_stencil3d},
    ZooFamilyDraw{"stencil3d_permuted", "the same, permuted", 5 * k, 10 * m, false,
                  draw_stencil3d_permuted},
    ZooFamilyDraw{"power", "power-law rows of exponents 1.2 to 3", 10 * k, 20 * m, false,
                  draw_pareto},
    ZooFamilyDraw{"rmat", "R-MAT graphs", 10 * k, 20 * m, true, draw_rmat},
    ZooFamilyDraw{"road", "road networks", 4 * k, 10 * m, false, draw_road},
    ZooFamilyDraw{"geometric", "random geometric graphs", 10 * k, 20 * m, false, draw_geometric},
    ZooFamilyDraw{"kkt", "KKT systems of short rows", 1 * k, 10 * m, false, draw_kkt},
    ZooFamilyDraw{"blocks", "dense blocks of 8 to 96", 100 * k, 20 * m, false, draw_blocks},
    ZooFamilyDraw{"balls", "balls on a grid", 50 * k, 20 * m, false, draw_balls},
    ZooFamilyDraw{"uniform", "uniform, also rectangular", 2 * k, 20 * m, false, draw_uniform},
    ZooFamilyDraw{"scatter", "diagonal and random entries", 2 * k, 20 * m, false, draw_scatter},
    ZooFamilyDraw{"hypersparse", "most rows empty", 1 * k, 2 * m, false, draw_hypersparse},
    ZooFamilyDraw{"coupled", "elasticity coupled to R-MAT", 50 * k, 20 * m, false, draw_coupled},
    ZooFamilyDraw{"fitting", "fitting: few rows, nearly dense", 50 * k, 2 * m, false, draw_fitting},
    ZooFamilyDraw{"netlist", "netlists with clocks and macro cells", 20 * k, 10 * m, false,
                  draw_netlist},
    ZooFamilyDraw{"bordered", "sparse blocks with a dense border", 30 * k, 10 * m, false,
                  draw_bordered},
    ZooFamilyDraw{"power_grid", "supply lines with pads", 5 * k, 10 * m, false, draw_power_grid},
    ZooFamilyDraw{"two_lengths", "runs of short and of long rows", 20 * k, 20 * m, false,
                  draw_two_lengths},
    ZooFamilyDraw{"clones", "groups of rows with columns in common", 10 * k, 20 * m, false,
                  draw_clones},
    ZooFamilyDraw{"channels", "layers pruned by importance", 3 * k, 4 * m, false, draw_channels},
    ZooFamilyDraw{"staircase", "linear programs over periods", 5 * k, 2 * m, false, draw_staircase},
    ZooFamilyDraw{"tets", "tetrahedra, 1 to 6 unknowns, half of them permuted", 10 * k, 20 * m,
                  true, draw_tets},
    ZooFamilyDraw{"shell", "shells of 1 to 6 unknowns, half of them permuted", 5 * k, 10 * m, false,
                  draw_shell},
    ZooFamilyDraw{"diagonals", "random diagonals, half of them permuted", 5 * k, 20 * m, true,
                  draw_diagonals},
    ZooFamilyDraw{"stencil2d", "5- and 9-point stencils, a third permuted", 2 * k, 10 * m, false,
                  draw_stencil2d},
    ZooFamilyDraw{"scale_free", "power-law rows and columns", 10 * k, 20 * m, true,
                  draw_scale_free},
    ZooFamilyDraw{"small_world", "small-world graphs", 5 * k, 20 * m, false, draw_small_world},
    ZooFamilyDraw{"incidence", "edges of two nodes", 1 * k, 10 * m, false, draw_incidence},
    ZooFamilyDraw{"power_flow", "dense blocks and strips", 50 * k, 20 * m, false, draw_power_flow},
    ZooFamilyDraw{"terms", "terms of documents", 20 * k, 20 * m, false, draw_terms},
    ZooFamilyDraw{"supernodes", "triangular factors", 20 * k, 20 * m, false, draw_supernodes},
    ZooFamilyDraw{"time_steps", "networks coupled in time", 10 * k, 10 * m, false, draw_time_steps},
    ZooFamilyDraw{"chain", "chains with branches", 1 * k, 10 * m, false, draw_chain},
    ZooFamilyDraw{"radix", "layers of equidistant columns", 4 * k, 10 * m, false, draw_radix},
    ZooFamilyDraw{"simplices", "boundaries of simplices", 2 * k, 20 * m, false, draw_simplices},
};

} // namespace

std::span<ZooFamilyDraw const> zoo_family_draws() { return families; }

} // namespace heddle::impl
