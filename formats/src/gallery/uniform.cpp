// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/limits.hpp>
#include <gallery/merge_repeated.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/gallery_pcg64.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle
{

GalleryMatrix generate::uniform(std::int64_t rows, std::int64_t cols, std::int64_t per_row,
                                std::uint64_t seed)
try
{
  constexpr char const* function = "generate::uniform";
  impl::require_between(function, "rows", rows, 1);
  impl::require_between(function, "cols", cols, 1);
  impl::require_between(function, "per_row", per_row, 0);
  std::int64_t const draws = rows * per_row;
  auto const scratch_bytes =
      static_cast<std::int64_t>(sizeof(std::int32_t)) * std::min(draws, impl::max_gallery_entries);
  impl::require_size(function, {rows, cols, draws, scratch_bytes});

  // One after another: how many draws are rejected is not known before.
  impl::Pcg64 random(seed);
  std::vector<std::int32_t> drawn(static_cast<std::size_t>(draws));
  for (std::int32_t& column : drawn)
    column = static_cast<std::int32_t>(random.next_below(static_cast<std::uint32_t>(cols)));
  std::vector<std::size_t> starts(static_cast<std::size_t>(rows) + 1);
  for (std::size_t i = 0; i < starts.size(); ++i)
    starts[i] = i * static_cast<std::size_t>(per_row);
  return impl::merge_repeated(rows, cols, seed, starts, drawn.data());
}
catch (...)
{
  impl::rethrow_out_of_memory("uniform");
}

} // namespace heddle
