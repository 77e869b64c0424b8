// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/csr_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle
{

/// Matrices to try things on, made on the host (copy_to brings them to a device): rows ascending,
/// no duplicates, the same bits for the same arguments on every backend, compiler, standard library
/// and thread count. docs/gallery.md has names, structures, values and sources. Library
/// heddle::gallery.
using GalleryMatrix = CsrMatrix<double, std::int32_t, std::size_t, Kokkos::HostSpace>;

/// Structures of applications, for any sizes and seeds: those that are drawn. heddle/gallery.hpp
/// has the regular ones and what all of them guarantee. "Symmetric" is said of values too.
namespace generate
{

// Linear programs.

/// Set covering: each column has 1 to 2 per_col - 1 of the rows, not far from each other, and so
/// each row about cols per_col / rows entries; 2 per_col - 1 <= rows.
GalleryMatrix cover(std::int64_t rows, std::int64_t cols, std::int64_t per_col, std::uint64_t seed);
/// Fitting: each row has its own share of the first cols columns, percent on average, and one slack
/// column; percent <= 66. The matrix has cols + rows columns.
GalleryMatrix fitting(std::int64_t rows, std::int64_t cols, std::int64_t percent,
                      std::uint64_t seed);
/// Columns of 1 to 2 per_col - 1 entries, half of them near each other, a quarter of the columns in
/// one of four linking rows too; then a slack column for each row.
GalleryMatrix lp(std::int64_t rows, std::int64_t cols, std::int64_t per_col, std::uint64_t seed);
/// Periods of rows x cols each: columns have 2 to 4 entries in their own period, half of them one
/// in the next; two linking rows on top have an eighth of all columns each.
GalleryMatrix staircase(std::int64_t periods, std::int64_t rows, std::int64_t cols,
                        std::uint64_t seed);

// Circuits.

/// Netlist: rows of 2 to 5 entries, most of them near the diagonal, but for `hubs` rows and `hubs`
/// columns of some thousand entries (where the matrix is large enough).
GalleryMatrix nets(std::int64_t rows, std::int64_t cols, std::int64_t hubs, std::uint64_t seed);
/// Netlist, row = net, column = cell: a cell drives its own net and reads 2 to 6 at distances with
/// P(> d) falling as log d, some of a high fan-out; 30 % of the cells are on the net of their
/// clock, 10 % on the last, which is the reset, and one cell for each clock has up to 3000 nets.
GalleryMatrix netlist(std::int64_t cells, std::int64_t clocks, std::uint64_t seed);
/// Symmetric structure: the diagonal, 1 to 3 neighbours drawn by each row at distances as above,
/// and half of the rows connected to one of the hubs, the first of which has most.
GalleryMatrix circuit(std::int64_t n, std::int64_t hubs, std::uint64_t seed);
/// Symmetric: supply lines on a chip. Layers of nx x ny nodes with lines along x and along y in
/// turn, vias between them at a quarter of the nodes, and `pads` pads, each connected to its part
/// of a sixteenth of the topmost layer.
GalleryMatrix power_grid(std::int64_t nx, std::int64_t ny, std::int64_t layers, std::int64_t pads,
                         std::uint64_t seed);

// Few long rows and columns.

/// Symmetric: tridiagonal, with `dense` full rows and columns at random places.
GalleryMatrix arrow(std::int64_t n, std::int64_t dense, std::uint64_t seed);
/// Symmetric: blocks of size >= 8 rows, in which each row draws four neighbours, and a dense border
/// of border >= 8 rows and columns, an eighth of which each other row is connected to.
GalleryMatrix bordered(std::int64_t blocks, std::int64_t size, std::int64_t border,
                       std::uint64_t seed);

// Short rows.

/// Symmetric: [H A^T; A 0] with H of n >= 64 rows, the diagonal and half of the next one, and
/// constraints of 2 to 5 entries, all but one near each other.
GalleryMatrix kkt(std::int64_t n, std::int64_t constraints, std::uint64_t seed);
/// Each row is an edge between two nodes, with exactly two entries.
GalleryMatrix incidence(std::int64_t edges, std::int64_t nodes, std::uint64_t seed);
/// Symmetric, without a diagonal: 90 % of the links of a chain, and percent of the vertices with a
/// link to anywhere, as in graphs of sequenced DNA.
GalleryMatrix chain(std::int64_t n, std::int64_t percent, std::uint64_t seed);

// Row lengths.

/// Row lengths median e^(z percent / 100), z nearly normal, at most window; different columns of a
/// window around the diagonal.
GalleryMatrix lognormal(std::int64_t n, std::int64_t median, std::int64_t percent,
                        std::int64_t window, std::uint64_t seed);
/// Runs of 64 rows, percent of them of long_length, the others of short_length; different columns
/// of a window around the diagonal.
GalleryMatrix two_lengths(std::int64_t n, std::int64_t short_length, std::int64_t long_length,
                          std::int64_t percent, std::int64_t window, std::uint64_t seed);
/// Row lengths with P(> x) ~ x^(-percent / 100) and about this mean (below it where n cuts them
/// off); columns uniform. percent >= 105.
GalleryMatrix pareto(std::int64_t n, std::int64_t mean, std::int64_t percent, std::uint64_t seed);
/// The same with column lengths of about the same distribution; long rows have up to n / 4 entries,
/// and a little less where the likely columns repeat.
GalleryMatrix scale_free(std::int64_t n, std::int64_t mean, std::int64_t percent,
                         std::uint64_t seed);
/// Documents x terms: log-normal row lengths with this median, terms by Zipf's law.
GalleryMatrix terms(std::int64_t documents, std::int64_t terms, std::int64_t median,
                    std::uint64_t seed);

// Rows that share columns.

/// Web pages in hosts of 32 to 1024: a row of 1 to 2 mean - 1 links copies each link of one of the
/// seven rows before it with a probability of percent, and draws the others, most in its host.
GalleryMatrix web(std::int64_t n, std::int64_t mean, std::int64_t percent, std::uint64_t seed);
/// Groups of `group` rows with per_row random columns in common, each of which a row keeps with a
/// probability of percent.
GalleryMatrix clones(std::int64_t n, std::int64_t group, std::int64_t per_row, std::int64_t percent,
                     std::uint64_t seed);
/// Dense size x size blocks on the diagonal, and in each block row one strip more, of `shared`
/// columns.
GalleryMatrix power_flow(std::int64_t blocks, std::int64_t size, std::int64_t shared,
                         std::uint64_t seed);
/// Lower triangular, as a factor: supernodes of 1 to 2 width - 1 rows, which have all columns of
/// `below` of the 8 below supernodes before them in common, and a dense triangle of their own.
GalleryMatrix supernodes(std::int64_t n, std::int64_t width, std::int64_t below,
                         std::uint64_t seed);
/// Symmetric: the same network of nodes in each step on the diagonal, the first ramps nodes coupled
/// to themselves in the steps before and after.
GalleryMatrix time_steps(std::int64_t steps, std::int64_t nodes, std::int64_t ramps,
                         std::uint64_t seed);

// Layers and combinatorics.

/// Pruned layer with rows and columns of different importance: an entry is kept with a probability
/// of percent times a factor of its row and one of its column, each 0.25 to 1.75; percent <= 32.
GalleryMatrix channels(std::int64_t rows, std::int64_t cols, std::int64_t percent,
                       std::uint64_t seed);
/// Columns i, i + stride, ..., i + (per_row - 1) stride modulo n in row i; stride per_row <= n.
GalleryMatrix radix(std::int64_t n, std::int64_t per_row, std::int64_t stride);
/// Incidence of all subsets of the vertices with `elements` elements (2 to 8) with those of one
/// less.
GalleryMatrix simplices(std::int64_t vertices, std::int64_t elements);

// Finite elements with unknowns x unknowns (at most 16) dense blocks. Symmetric.

/// Hexahedra: a node has the neighbours of stencil27.
GalleryMatrix fem(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t unknowns,
                  std::uint64_t seed);
/// Tetrahedra, six in each cube (Kuhn's subdivision): 14 neighbours.
GalleryMatrix tets(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t unknowns,
                   std::uint64_t seed);
/// Triangles: quadrilaterals of a grid, each cut along a random one of its diagonals.
GalleryMatrix triangles(std::int64_t nx, std::int64_t ny, std::int64_t unknowns,
                        std::uint64_t seed);
/// Triangles of a tube, around >= 4 nodes times along: 6 neighbours.
GalleryMatrix shell(std::int64_t around, std::int64_t along, std::int64_t unknowns,
                    std::uint64_t seed);

// Graphs. Symmetric.

/// Percent of the edges of a grid of nx x ny, without a diagonal.
GalleryMatrix road(std::int64_t nx, std::int64_t ny, std::int64_t percent, std::uint64_t seed);
/// n random points of a square, joined where they are near enough for about this mean degree, in
/// the order of a grid of cells; without a diagonal.
GalleryMatrix geometric(std::int64_t n, std::int64_t degree, std::uint64_t seed);
/// Ring of n vertices with edges to the next reach ones, of which percent go to random vertices
/// instead (Watts and Strogatz, Nature 393, 1998).
GalleryMatrix small_world(std::int64_t n, std::int64_t reach, std::int64_t percent,
                          std::uint64_t seed);
/// All points of a grid of nx x ny x nz at a distance of at most radius (up to 64).
GalleryMatrix balls(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t radius,
                    std::uint64_t seed);

// Others.

/// The diagonal and count random diagonals up to reach from it on each side.
GalleryMatrix diagonals(std::int64_t n, std::int64_t count, std::int64_t reach, std::uint64_t seed);
/// The diagonal and per_row different other columns in each row.
GalleryMatrix scatter(std::int64_t n, std::int64_t per_row, std::uint64_t seed);
/// P A P^T of a square matrix, P a random permutation that keeps groups of `group` rows together
/// (the unknowns of a node). Values move with their entries.
GalleryMatrix permuted(GalleryMatrix const& a, std::int64_t group, std::uint64_t seed);

} // namespace generate

} // namespace heddle
