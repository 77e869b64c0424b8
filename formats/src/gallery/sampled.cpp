// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/build.hpp>
#include <gallery/limits.hpp>
#include <gallery/row_random.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle
{

// Selection sampling (Fan, Muller and Rezucha, JASA 57, 1962): a draw for each place, one after
// another, because each depends on how many entries are left.
GalleryMatrix generate::sampled(std::int64_t rows, std::int64_t cols, std::int64_t entries,
                                std::uint64_t seed)
try
{
  constexpr char const* function = "generate::sampled";
  impl::require_between(function, "rows", rows, 1);
  impl::require_between(function, "cols", cols, 1);
  impl::require(rows * cols <= impl::max_gallery_entries, function, "a dense matrix of ", rows,
                " x ", cols, " has more than ", impl::max_gallery_entries, " entries");
  impl::require_between(function, "entries", entries, 0, rows * cols);
  constexpr std::int64_t column_bytes = sizeof(std::int32_t);
  impl::require_size(function, {rows, cols, entries, column_bytes * entries});

  impl::RowRandom random(seed, impl::GalleryStream::columns, 0);
  std::vector<std::int32_t> drawn;
  drawn.reserve(static_cast<std::size_t>(entries));
  std::vector<std::int64_t> starts{0};
  std::int64_t places = rows * cols;
  for (std::int64_t i = 0; i < rows; ++i)
  {
    for (std::int64_t j = 0; j < cols; ++j, --places)
      if (random.below(places) < entries - static_cast<std::int64_t>(drawn.size()))
        drawn.push_back(static_cast<std::int32_t>(j));
    starts.push_back(static_cast<std::int64_t>(drawn.size()));
  }
  return impl::build_pattern(
      rows, cols, seed, [&](std::int64_t i) { return starts[i + 1] - starts[i]; },
      [&](std::int64_t i, std::int32_t* columns) {
        return std::copy(drawn.data() + starts[i], drawn.data() + starts[i + 1], columns);
      });
}
catch (...)
{
  impl::rethrow_out_of_memory("sampled");
}

} // namespace heddle
