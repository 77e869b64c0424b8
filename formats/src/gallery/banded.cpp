// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/build.hpp>
#include <gallery/limits.hpp>
#include <gallery/permutation.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle
{

namespace
{

void require_band(char const* function, std::int64_t n, std::int64_t half_band)
{
  impl::require_between(function, "n", n, 1);
  impl::require_between(function, "half_band", half_band, 0, n - 1);
  std::int64_t const length = std::min(n, 2 * half_band + 1);
  impl::require_size(function, {n, n, n * length, 0});
}

// The rows and columns of the band that are within reach of row i.
struct Reach
{
  std::int64_t begin, end;
};
Reach reach(std::int64_t i, std::int64_t n, std::int64_t half_band)
{
  return {std::max(i - half_band, std::int64_t(0)), std::min(i + half_band + 1, n)};
}

constexpr std::uint64_t value_seed = 0; // where a name has no seed

} // namespace

namespace generate
{

GalleryMatrix banded(std::int64_t n, std::int64_t half_band)
try
{
  require_band("generate::banded", n, half_band);
  return impl::build_pattern(
      n, n, value_seed,
      [=](std::int64_t i) {
        Reach const band = reach(i, n, half_band);
        return band.end - band.begin;
      },
      [=](std::int64_t i, std::int32_t* columns) {
        Reach const band = reach(i, n, half_band);
        for (std::int64_t j = band.begin; j < band.end; ++j)
          *columns++ = static_cast<std::int32_t>(j);
        return columns;
      });
}
catch (...)
{
  impl::rethrow_out_of_memory("banded");
}

GalleryMatrix banded_permuted(std::int64_t n, std::int64_t half_band, std::uint64_t seed)
try
{
  require_band("generate::banded_permuted", n, half_band);
  impl::Permutation const old_of_new = impl::random_permutation(n, seed);
  impl::Permutation const new_of_old = impl::inverse(old_of_new);
  auto const old_reach = [&](std::int64_t i) {
    return reach(old_of_new[static_cast<std::size_t>(i)], n, half_band);
  };
  return impl::build_pattern(
      n, n, seed,
      [&](std::int64_t i) {
        Reach const band = old_reach(i);
        return band.end - band.begin;
      },
      [&](std::int64_t i, std::int32_t* columns) {
        Reach const band = old_reach(i);
        std::int32_t* const end =
            std::copy(new_of_old.begin() + band.begin, new_of_old.begin() + band.end, columns);
        std::sort(columns, end);
        return end;
      });
}
catch (...)
{
  impl::rethrow_out_of_memory("banded_permuted");
}

} // namespace generate

} // namespace heddle
