// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/gallery_structures.hpp>
#include <heddle/impl/gallery_convert.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle
{

/// A family of the gallery as heddle-perf --help shows it.
struct GalleryFamily
{
  std::string pattern; ///< of its names: "stencil27_NX[_NY_NZ]", numbers for capitals, [] optional
  std::string description;
};

/// All that gallery(name) knows.
std::vector<GalleryFamily> gallery_families();

/// The matrix of this name, such as "stencil27_100". Throws InvalidArgument with all patterns where
/// there is none, and as the generator does.
GalleryMatrix gallery(std::string const& name);

/// The same matrix in other value and index types; shares the arrays of those that are equal. A
/// complex value has the real one as its real part and an imaginary part in (-1, 1) such that a
/// symmetric matrix becomes a Hermitian one. Throws InvalidArgument where an index type is too
/// narrow. Waits for the host's execution space.
template <Csr Matrix>
Matrix gallery_as(GalleryMatrix const& a)
try
{
  using Value = typename Matrix::value_type;
  static_assert(std::is_same_v<typename Matrix::memory_space, Kokkos::HostSpace>,
                "heddle::gallery: matrices are made in Kokkos::HostSpace; copy_to brings them to "
                "another memory space");
  static_assert(!std::is_integral_v<Value>,
                "heddle::gallery: values are floating-point or complex numbers");
  return impl::converted_gallery_matrix<typename Matrix::non_const_type>(a);
}
catch (...)
{
  impl::rethrow_out_of_memory("gallery_as");
}

/// gallery_as of the matrix of this name.
template <Csr Matrix>
Matrix gallery(std::string const& name)
try
{
  return gallery_as<Matrix>(gallery(name));
}
catch (...)
{
  impl::rethrow_out_of_memory("gallery");
}

/// The generators behind the names, for any sizes and seeds; heddle/gallery_structures.hpp has
/// more.
///
/// Each throws InvalidArgument where a number is out of range, where there would be more than
/// 2^31 - 1 rows or columns or more than 2^34 entries, and OutOfMemory where the machine has less
/// memory than it takes, before allocating. Values are in (-1, 1), never 0, made from seed, row and
/// column, where nothing else is said.
namespace generate
{

/// The graph Laplacian of a grid with what a neighbour outside would add to the diagonal: 4 (8 for
/// stencil9, 6, 26) on the diagonal, -1 for each neighbour. Symmetric positive definite. Point
/// (x, y, z) is row x + nx (y + ny z).
GalleryMatrix stencil5(std::int64_t nx, std::int64_t ny);
/// The same with the four diagonal neighbours.
GalleryMatrix stencil9(std::int64_t nx, std::int64_t ny);
/// The same in three dimensions, of the six neighbours along the axes.
GalleryMatrix stencil7(std::int64_t nx, std::int64_t ny, std::int64_t nz);
/// The same in three dimensions, of all 26 neighbours.
GalleryMatrix stencil27(std::int64_t nx, std::int64_t ny, std::int64_t nz);

/// Stiffness of an elastic body of nx x ny x nz nodes, at least 2 each way: trilinear hexahedra of
/// side 1, Young's modulus 1, Poisson's ratio 0.3, no boundary conditions. Unknown 3 i + c is
/// component c of node i, numbered as in stencil27. Entries that are 0 are stored, so every node
/// has full 3 x 3 blocks with its neighbours. Symmetric positive semidefinite: the null space is
/// that of the six rigid motions.
GalleryMatrix elasticity(std::int64_t nx, std::int64_t ny, std::int64_t nz);

/// n x n, all entries with |i - j| <= half_band < n.
GalleryMatrix banded(std::int64_t n, std::int64_t half_band);
/// Structure P A P^T of banded with a random permutation P.
GalleryMatrix banded_permuted(std::int64_t n, std::int64_t half_band, std::uint64_t seed);

/// R-MAT graph of 2^scale vertices with edge_factor 2^scale edges before equal ones are merged;
/// probabilities of Graph500.
GalleryMatrix rmat(std::int64_t scale, std::int64_t edge_factor, std::uint64_t seed);

/// A coupled problem: elasticity(nx, nx, nx) above, rmat(scale, edge_factor, seed) below, and
/// vertex v coupled both ways to the three unknowns of node v modulo the number of nodes, by values
/// that are symmetric.
GalleryMatrix fem_graph(std::int64_t nx, std::int64_t scale, std::int64_t edge_factor,
                        std::uint64_t seed);

/// per_row columns drawn in each row, equal ones merged.
GalleryMatrix uniform(std::int64_t rows, std::int64_t cols, std::int64_t per_row,
                      std::uint64_t seed);

/// A dense matrix of which each entry is kept with probability density in [0, 1].
GalleryMatrix pruned(std::int64_t rows, std::int64_t cols, double density, std::uint64_t seed);

/// Exactly that many entries, from 0 to rows cols, at places drawn from all, each set of them
/// equally likely.
GalleryMatrix sampled(std::int64_t rows, std::int64_t cols, std::int64_t entries,
                      std::uint64_t seed);

/// n x n, row lengths with P(length >= d) ~ d^(-4/3) and a mean of about 1 <= mean <= n (below it
/// where that comes near n, the longest a row can be), columns uniform.
GalleryMatrix power_law(std::int64_t n, double mean, std::uint64_t seed);

/// n x n, min(4, n) random entries in each row, but row n / 2 full.
GalleryMatrix dense_row(std::int64_t n, std::uint64_t seed);
/// n x n, column n / 2 full, and min(3, n - 1) random other entries in each row.
GalleryMatrix dense_column(std::int64_t n, std::uint64_t seed);
/// n x n, about percent (0 to 100) of the rows empty, min(4, n) random entries in each other row.
GalleryMatrix empty_rows(std::int64_t n, std::int64_t percent, std::uint64_t seed);

/// block_rows x block_rows dense blocks of size x size, min(per_row, block_rows) of them at random
/// places in each block row.
GalleryMatrix blocks(std::int64_t block_rows, std::int64_t size, std::int64_t per_row,
                     std::uint64_t seed);
/// block_rows dense blocks of size x size on the diagonal.
GalleryMatrix block_diagonal(std::int64_t block_rows, std::int64_t size);

} // namespace generate

} // namespace heddle
