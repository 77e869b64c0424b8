// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gallery/limits.hpp>

#include <cstdint>

namespace heddle::impl
{

// What generators of heddle/gallery_structures.hpp make of their arguments, which are checked here:
// each throws InvalidArgument where a number is out of range. Beside each generator.
GallerySize cover_size(std::int64_t rows, std::int64_t cols, std::int64_t per_col);
GallerySize lp_size(std::int64_t rows, std::int64_t cols, std::int64_t per_col);
GallerySize staircase_size(std::int64_t periods, std::int64_t rows, std::int64_t cols);
GallerySize fitting_size(std::int64_t rows, std::int64_t cols, std::int64_t percent,
                         std::uint64_t seed);
GallerySize nets_size(std::int64_t rows, std::int64_t cols, std::int64_t hubs);
GallerySize netlist_size(std::int64_t cells, std::int64_t clocks);
GallerySize incidence_size(std::int64_t edges, std::int64_t nodes);
GallerySize chain_size(std::int64_t n, std::int64_t percent);
GallerySize arrow_size(std::int64_t n, std::int64_t dense);
GallerySize bordered_size(std::int64_t blocks, std::int64_t size, std::int64_t border);
GallerySize circuit_size(std::int64_t n, std::int64_t hubs);
GallerySize power_grid_size(std::int64_t nx, std::int64_t ny, std::int64_t layers,
                            std::int64_t pads);
GallerySize kkt_size(std::int64_t n, std::int64_t constraints);
GallerySize lognormal_size(std::int64_t n, std::int64_t median, std::int64_t percent,
                           std::int64_t window, std::uint64_t seed);
GallerySize two_lengths_size(std::int64_t n, std::int64_t short_length, std::int64_t long_length,
                             std::int64_t percent, std::int64_t window, std::uint64_t seed);
GallerySize pareto_size(std::int64_t n, std::int64_t mean, std::int64_t percent,
                        std::uint64_t seed);
GallerySize scale_free_size(std::int64_t n, std::int64_t mean, std::int64_t percent,
                            std::uint64_t seed);
GallerySize terms_size(std::int64_t documents, std::int64_t terms, std::int64_t median,
                       std::uint64_t seed);
GallerySize web_size(std::int64_t n, std::int64_t mean, std::int64_t percent);
GallerySize clones_size(std::int64_t n, std::int64_t group, std::int64_t per_row,
                        std::int64_t percent);
GallerySize channels_size(std::int64_t rows, std::int64_t cols, std::int64_t percent,
                          std::uint64_t seed);
GallerySize radix_size(std::int64_t n, std::int64_t per_row, std::int64_t stride);
GallerySize simplices_size(std::int64_t vertices, std::int64_t elements);
GallerySize fem_size(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t unknowns);
GallerySize tets_size(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t unknowns);
GallerySize triangles_size(std::int64_t nx, std::int64_t ny, std::int64_t unknowns);
GallerySize shell_size(std::int64_t around, std::int64_t along, std::int64_t unknowns);
GallerySize road_size(std::int64_t nx, std::int64_t ny, std::int64_t percent);
GallerySize geometric_size(std::int64_t n, std::int64_t degree);
GallerySize small_world_size(std::int64_t n, std::int64_t reach, std::int64_t percent);
GallerySize balls_size(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t radius);
GallerySize power_flow_size(std::int64_t blocks, std::int64_t size, std::int64_t shared,
                            std::uint64_t seed);
GallerySize supernodes_size(std::int64_t n, std::int64_t width, std::int64_t below,
                            std::uint64_t seed);
GallerySize time_steps_size(std::int64_t steps, std::int64_t nodes, std::int64_t ramps);
GallerySize diagonals_size(std::int64_t n, std::int64_t count, std::int64_t reach,
                           std::uint64_t seed);
GallerySize scatter_size(std::int64_t n, std::int64_t per_row);

} // namespace heddle::impl
