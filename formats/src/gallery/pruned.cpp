// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/build.hpp>
#include <gallery/limits.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/gallery_pcg64.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>

#include <cmath>
#include <cstdint>

namespace heddle
{

namespace
{

// Entry (i, j) is kept where draw number i cols + j is below the density. Each row skips to its own
// draws, once to count and once to write.
template <class F>
void for_kept(std::int64_t row, std::int64_t cols, double density, std::uint64_t seed, F const& f)
{
  impl::Pcg64 random(seed);
  random.skip(static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(cols));
  for (std::int64_t j = 0; j < cols; ++j)
    if (random.next_double() < density)
      f(j);
}

} // namespace

GalleryMatrix generate::pruned(std::int64_t rows, std::int64_t cols, double density,
                               std::uint64_t seed)
try
{
  constexpr char const* function = "generate::pruned";
  impl::require_between(function, "rows", rows, 1);
  impl::require_between(function, "cols", cols, 1);
  impl::require(density >= 0 && density <= 1, function, "density is ", density,
                ", expected 0 to 1");
  impl::require(rows * cols <= impl::max_gallery_entries, function, "a dense matrix of ", rows,
                " x ", cols, " has more than ", impl::max_gallery_entries, " entries");
  double const expected = density * static_cast<double>(rows * cols);
  impl::require_size(function, {rows, cols, static_cast<std::int64_t>(std::ceil(expected)), 0});

  return impl::build_pattern(
      rows, cols, seed,
      [=](std::int64_t i) {
        std::int64_t count = 0;
        for_kept(i, cols, density, seed, [&count](std::int64_t) { ++count; });
        return count;
      },
      [=](std::int64_t i, std::int32_t* columns) {
        for_kept(i, cols, density, seed,
                 [&columns](std::int64_t j) { *columns++ = static_cast<std::int32_t>(j); });
        return columns;
      });
}
catch (...)
{
  impl::rethrow_out_of_memory("pruned");
}

} // namespace heddle
