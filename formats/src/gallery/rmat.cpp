// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/build.hpp>
#include <gallery/limits.hpp>
#include <gallery/merge_repeated.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/gallery_pcg64.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// R-MAT (Chakrabarti, Zhan and Faloutsos, SDM 2004): each edge descends into one of the four
// quarters of the matrix, scale times, with the probabilities a, b, c, d of Graph500. The draws are
// those of synthetic.py: one double per level and edge, all edges of a level before the next level.

namespace heddle
{

namespace
{

constexpr double a = 0.57, ab = a + 0.19, abc = ab + 0.19;

struct Edges
{
  std::vector<std::int32_t> rows, cols;
};

Edges draw_edges(std::int64_t scale, std::int64_t count, std::uint64_t seed)
{
  Edges edges;
  edges.rows.assign(static_cast<std::size_t>(count), 0);
  edges.cols.assign(static_cast<std::size_t>(count), 0);
  constexpr std::int64_t chunk = 1 << 14U; // a chunk skips to its own draws of each level
  impl::for_each_row("heddle::gallery::rmat", (count + chunk - 1) / chunk, [&](std::int64_t i) {
    auto const begin = static_cast<std::size_t>(i * chunk);
    auto const end = static_cast<std::size_t>(std::min(count, (i + 1) * chunk));
    impl::Pcg64 random(seed);
    random.skip(begin);
    for (std::int64_t level = 0; level < scale; ++level)
    {
      for (std::size_t edge = begin; edge < end; ++edge)
      {
        double const u = random.next_double();
        // Right are the second and the fourth quarter. Without branches, half of which would be
        // mispredicted.
        auto const is_low = static_cast<std::int32_t>(u >= ab);
        auto const is_right =
            static_cast<std::int32_t>(u >= a) - is_low + static_cast<std::int32_t>(u >= abc);
        edges.rows[edge] = 2 * edges.rows[edge] + is_low;
        edges.cols[edge] = 2 * edges.cols[edge] + is_right;
      }
      random.skip(static_cast<std::uint64_t>(count) - (end - begin));
    }
  });
  return edges;
}

} // namespace

GalleryMatrix generate::rmat(std::int64_t scale, std::int64_t edge_factor, std::uint64_t seed)
try
{
  constexpr char const* function = "generate::rmat";
  impl::require_between(function, "scale", scale, 1, 30);
  impl::require_between(function, "edge_factor", edge_factor, 1);
  std::int64_t const n = std::int64_t(1) << static_cast<unsigned>(scale);
  std::int64_t const count = edge_factor * n;
  auto const scratch_bytes = static_cast<std::int64_t>(3 * sizeof(std::int32_t)) *
                             std::min(count, impl::max_gallery_entries);
  impl::require_size(function, {n, n, count, scratch_bytes});

  Edges edges = draw_edges(scale, count, seed);
  std::vector<std::size_t> starts(static_cast<std::size_t>(n) + 1, 0);
  for (std::int32_t const row : edges.rows)
    ++starts[static_cast<std::size_t>(row) + 1];
  for (std::size_t i = 1; i < starts.size(); ++i)
    starts[i] += starts[i - 1];
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  std::vector<std::int32_t> drawn(edges.cols.size());
  for (std::size_t edge = 0; edge < drawn.size(); ++edge)
    drawn[next[static_cast<std::size_t>(edges.rows[edge])]++] = edges.cols[edge];
  edges = {};
  next = {};
  return impl::merge_repeated(n, n, seed, starts, drawn.data());
}
catch (...)
{
  impl::rethrow_out_of_memory("rmat");
}

} // namespace heddle
