// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/family.hpp>
#include <gallery/limits.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/require.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

// Names and sizes of the generators of heddle/gallery.hpp.

namespace heddle::impl
{

namespace
{

using Extents = std::array<std::int64_t, 3>;

// Points of a grid that are the same or neighbours along an axis; in the box around a point.
std::int64_t star_pairs(Extents const& n)
{
  return n[0] * n[1] * n[2] +
         2 * ((n[0] - 1) * n[1] * n[2] + n[0] * (n[1] - 1) * n[2] + n[0] * n[1] * (n[2] - 1));
}
std::int64_t box_pairs(Extents const& n)
{
  return (3 * n[0] - 2) * (3 * n[1] - 2) * (3 * n[2] - 2);
}

GallerySize box_size(std::int64_t pairs, Extents const& n, std::int64_t unknowns)
{
  std::int64_t const rows = n[0] * n[1] * n[2] * unknowns;
  return {rows, rows, pairs * unknowns * unknowns, 0, true};
}

GallerySize banded_size(Numbers const& numbers)
{
  std::int64_t const n = numbers[0], half_band = numbers[1];
  return {n, n, n * (2 * half_band + 1) - half_band * (half_band + 1), 0, true};
}

GallerySize block_size(std::int64_t block_rows, std::int64_t size, std::int64_t per_row)
{
  return {block_rows * size, block_rows * size, block_rows * size * size * per_row, 0, true};
}

// How many different ones of n are drawn by so many draws, rows times: n (1 - e^(-draws / n)).
std::int64_t distinct(std::int64_t rows, std::int64_t n, std::int64_t draws)
{
  double const share = -std::expm1(-static_cast<double>(draws) / static_cast<double>(n));
  return static_cast<std::int64_t>(static_cast<double>(rows * n) * share);
}

// The expected number of different edges. An edge is a sequence of quarters; those with as many
// of each have the same probability, and b = c.
GallerySize rmat_size(std::int64_t scale, std::int64_t edge_factor)
{
  std::int64_t const n = std::int64_t(1) << static_cast<unsigned>(scale);
  auto const edges = static_cast<double>(edge_factor * n);
  constexpr double a = 0.57, b = 0.19, d = 0.05;
  double expected = 0;
  for (std::int64_t i = 0; i <= scale; ++i)       // of quarter a
    for (std::int64_t j = 0; i + j <= scale; ++j) // of b and c
    {
      double cells = 1, probability = 1;
      for (std::int64_t k = 1; k <= scale; ++k)
      {
        probability *= k <= i ? a : k <= i + j ? b : d;
        cells *= static_cast<double>(k) / static_cast<double>(k <= i       ? k
                                                              : k <= i + j ? k - i
                                                                           : k - i - j);
        cells *= k > i && k <= i + j ? 2 : 1;
      }
      expected += cells * (-std::expm1(-edges * probability));
    }
  return {n, n, static_cast<std::int64_t>(expected)};
}

// The seeds of rmat, banded_perm, uniform and pruned are those of synthetic.py.
constexpr std::array families = {
    Family{"stencil5_", "NX[_NY]", "5-point stencil on a grid of NX x NY points", 1, 1,
           first_number, [](Numbers const& n) { return generate::stencil5(n[0], n[1]); },
           [](Numbers const& n) {
             return box_size(star_pairs({n[0], n[1], 1}), {n[0], n[1], 1}, 1);
           }},
    Family{"stencil9_", "NX[_NY]", "9-point stencil on a grid of NX x NY points", 1, 1,
           first_number, [](Numbers const& n) { return generate::stencil9(n[0], n[1]); },
           [](Numbers const& n) {
             return box_size(box_pairs({n[0], n[1], 1}), {n[0], n[1], 1}, 1);
           }},
    Family{"stencil7_", "NX[_NY_NZ]", "7-point stencil on a grid of NX x NY x NZ points", 1, 2,
           first_number, [](Numbers const& n) { return generate::stencil7(n[0], n[1], n[2]); },
           [](Numbers const& n) {
             return box_size(star_pairs({n[0], n[1], n[2]}), {n[0], n[1], n[2]}, 1);
           }},
    Family{"stencil27_", "NX[_NY_NZ]", "27-point stencil on a grid of NX x NY x NZ points", 1, 2,
           first_number, [](Numbers const& n) { return generate::stencil27(n[0], n[1], n[2]); },
           [](Numbers const& n) {
             return box_size(box_pairs({n[0], n[1], n[2]}), {n[0], n[1], n[2]}, 1);
           }},
    Family{"elast3_", "NX[_NY_NZ]",
           "3-D linear elasticity, hexahedra, NX x NY x NZ nodes with 3 unknowns", 1, 2,
           first_number, [](Numbers const& n) { return generate::elasticity(n[0], n[1], n[2]); },
           [](Numbers const& n) {
             return box_size(box_pairs({n[0], n[1], n[2]}), {n[0], n[1], n[2]}, 3);
           }},
    Family{"banded_", "N_H", "N rows, all entries up to H from the diagonal", 2, 0, 0,
           [](Numbers const& n) { return generate::banded(n[0], n[1]); }, banded_size},
    Family{"banded_perm_", "N_H[_SEED]", "banded_N_H, rows and columns permuted at random", 2, 1, 3,
           [](Numbers const& n) { return generate::banded_permuted(n[0], n[1], seed_of(n)); },
           banded_size},
    Family{"rmat", "SCALE_EDGES[_SEED]", "R-MAT graph of 2^SCALE vertices with EDGES 2^SCALE edges",
           2, 1, 5, [](Numbers const& n) { return generate::rmat(n[0], n[1], seed_of(n)); },
           [](Numbers const& n) { return rmat_size(n[0], n[1]); }},
    Family{"fem_graph_", "NX_SCALE_EDGES[_SEED]",
           "elast3_NX above, rmatSCALE_EDGES below, each vertex coupled to a node", 3, 1, 5,
           [](Numbers const& n) { return generate::fem_graph(n[0], n[1], n[2], seed_of(n)); },
           [](Numbers const& n) {
             GallerySize const elastic =
                 box_size(box_pairs({n[0], n[0], n[0]}), {n[0], n[0], n[0]}, 3);
             GallerySize const graph = rmat_size(n[1], n[2]);
             std::int64_t const rows = elastic.rows + graph.rows;
             return GallerySize{rows, rows, elastic.entries + graph.entries + 6 * graph.rows};
           }},
    Family{"uniform_", "ROWS_COLS_PERROW[_SEED]",
           "PERROW columns drawn uniformly in each row, equal ones merged", 3, 1, 2,
           [](Numbers const& n) { return generate::uniform(n[0], n[1], n[2], seed_of(n)); },
           [](Numbers const& n) {
             return GallerySize{n[0], n[1], distinct(n[0], n[1], n[2])};
           }},
    Family{"pruned_", "ROWS_COLS_PERCENT[_SEED]",
           "dense layer of which PERCENT of the entries were pruned at random", 3, 1, 9,
           [](Numbers const& n) {
             require(n[2] <= 100, "gallery", "pruned: PERCENT is ", n[2], ", expected 0 to 100");
             double const density = static_cast<double>(100 - n[2]) / 100;
             return generate::pruned(n[0], n[1], density, seed_of(n));
           },
           [](Numbers const& n) {
             return GallerySize{n[0], n[1], n[0] * n[1] * (100 - n[2]) / 100};
           }},
    Family{"sampled_", "ROWS_COLS_ENTRIES[_SEED]",
           "exactly ENTRIES entries at places drawn from all", 3, 1, 1,
           [](Numbers const& n) { return generate::sampled(n[0], n[1], n[2], seed_of(n)); },
           [](Numbers const& n) {
             return GallerySize{n[0], n[1], n[2], 0, true};
           }},
    Family{"power_law_", "N_MEAN[_SEED]", "N rows, power-law row lengths with a mean of about MEAN",
           2, 1, 1,
           [](Numbers const& n) {
             return generate::power_law(n[0], static_cast<double>(n[1]), seed_of(n));
           },
           [](Numbers const& n) {
             return GallerySize{n[0], n[0], n[0] * n[1]};
           }},
    Family{"dense_row_", "N[_SEED]", "4 entries in each of N rows, but one row full", 1, 1, 1,
           [](Numbers const& n) { return generate::dense_row(n[0], seed_of(n)); },
           [](Numbers const& n) {
             return GallerySize{n[0], n[0], n[0] + (n[0] - 1) * std::min<std::int64_t>(4, n[0]), 0,
                                true};
           }},
    Family{"dense_column_", "N[_SEED]", "4 entries in each of N rows, one of them in a full column",
           1, 1, 1, [](Numbers const& n) { return generate::dense_column(n[0], seed_of(n)); },
           [](Numbers const& n) {
             return GallerySize{n[0], n[0], n[0] * std::min<std::int64_t>(4, n[0]), 0, true};
           }},
    Family{"empty_rows_", "N_PERCENT[_SEED]",
           "N rows, about PERCENT of them empty, 4 entries in each other", 2, 1, 1,
           [](Numbers const& n) { return generate::empty_rows(n[0], n[1], seed_of(n)); },
           [](Numbers const& n) {
             return GallerySize{n[0], n[0],
                                n[0] * (100 - n[1]) / 100 * std::min<std::int64_t>(4, n[0])};
           }},
    Family{"blocks_", "BLOCKROWS_SIZE_PERROW[_SEED]",
           "PERROW dense SIZE x SIZE blocks at random places of each block row", 3, 1, 1,
           [](Numbers const& n) { return generate::blocks(n[0], n[1], n[2], seed_of(n)); },
           [](Numbers const& n) { return block_size(n[0], n[1], std::min(n[2], n[0])); }},
    Family{"block_diagonal_", "BLOCKROWS_SIZE", "dense SIZE x SIZE blocks on the diagonal", 2, 0, 0,
           [](Numbers const& n) { return generate::block_diagonal(n[0], n[1]); },
           [](Numbers const& n) { return block_size(n[0], n[1], 1); }},
};

} // namespace

std::span<Family const> basic_families() { return families; }

} // namespace heddle::impl
