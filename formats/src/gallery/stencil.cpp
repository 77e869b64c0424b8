// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/build.hpp>
#include <gallery/grid_box.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <cstdint>
#include <cstdlib>

namespace heddle
{

namespace
{

// is_star: only neighbours along one axis.
GalleryMatrix stencil(impl::GridBox const& grid, bool is_star, double diagonal)
{
  auto const for_neighbours = [&grid, is_star](std::int64_t i, auto const& f) {
    grid.for_box(i, [is_star, &f](int dx, int dy, int dz, std::int64_t j) {
      if (!is_star || std::abs(dx) + std::abs(dy) + std::abs(dz) <= 1)
        f(j);
    });
  };
  return impl::build_matrix(
      grid.points(), grid.points(),
      [&](std::int64_t i) {
        std::int64_t count = 0;
        for_neighbours(i, [&count](std::int64_t) { ++count; });
        return count;
      },
      [&](std::int64_t i, std::int32_t* columns, double* values) {
        for_neighbours(i, [&columns, &values, i, diagonal](std::int64_t j) {
          *columns++ = static_cast<std::int32_t>(j);
          *values++ = i == j ? diagonal : -1;
        });
      });
}

} // namespace

namespace generate
{

GalleryMatrix stencil5(std::int64_t nx, std::int64_t ny)
try
{
  return stencil(impl::GridBox("generate::stencil5", {nx, ny, 1}, 1, 1, 5), true, 4);
}
catch (...)
{
  impl::rethrow_out_of_memory("stencil5");
}

GalleryMatrix stencil9(std::int64_t nx, std::int64_t ny)
try
{
  return stencil(impl::GridBox("generate::stencil9", {nx, ny, 1}, 1, 1, 9), false, 8);
}
catch (...)
{
  impl::rethrow_out_of_memory("stencil9");
}

GalleryMatrix stencil7(std::int64_t nx, std::int64_t ny, std::int64_t nz)
try
{
  return stencil(impl::GridBox("generate::stencil7", {nx, ny, nz}, 1, 1, 7), true, 6);
}
catch (...)
{
  impl::rethrow_out_of_memory("stencil7");
}

GalleryMatrix stencil27(std::int64_t nx, std::int64_t ny, std::int64_t nz)
try
{
  return stencil(impl::GridBox("generate::stencil27", {nx, ny, nz}, 1, 1, 27), false, 26);
}
catch (...)
{
  impl::rethrow_out_of_memory("stencil27");
}

} // namespace generate

} // namespace heddle
