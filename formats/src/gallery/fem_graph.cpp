// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/build.hpp>
#include <gallery/grid_box.hpp>
#include <gallery/limits.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/gallery_hash.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// ( K   C )  K: elasticity, G: R-MAT. C couples each vertex to the three unknowns of a node, the
// ( C^T G )  nodes taken in turn.

namespace heddle
{

namespace
{

void require_fem_graph(std::int64_t nx, std::int64_t scale, std::int64_t edge_factor)
{
  constexpr char const* function = "generate::fem_graph";
  impl::GridBox const grid(function, {nx, nx, nx}, 2, 3, 27);
  impl::require_between(function, "scale", scale, 1, 30);
  impl::require_between(function, "edge_factor", edge_factor, 1);
  std::int64_t const unknowns = 3 * grid.points();
  std::int64_t const vertices = std::int64_t(1) << static_cast<unsigned>(scale);
  std::int64_t const rows = unknowns + vertices;
  std::int64_t const of_parts = 81 * unknowns + edge_factor * vertices;
  constexpr auto entry_bytes = static_cast<std::int64_t>(sizeof(double) + sizeof(std::int32_t));
  impl::require_size(function, {rows, rows, of_parts + 6 * vertices,
                                entry_bytes * std::min(of_parts, impl::max_gallery_entries)});
}

class CoupledParts
{
public:
  CoupledParts(GalleryMatrix const& elastic, GalleryMatrix const& graph, std::uint64_t seed)
      : m_elastic(elastic)
      , m_graph(graph)
      , m_unknowns(elastic.num_rows())
      , m_vertices(graph.num_rows())
      , m_key(impl::gallery_key(seed, impl::GalleryStream::values))
  {}
  std::int64_t rows() const { return m_unknowns + m_vertices; }
  std::int64_t length(std::int64_t row) const
  {
    if (row >= m_unknowns)
      return 3 + length_in(m_graph, row - m_unknowns);
    return length_in(m_elastic, row) + (m_vertices + nodes() - 1 - row / 3) / nodes();
  }
  void fill(std::int64_t row, std::int32_t* columns, double* values) const
  {
    auto couple = [&](std::int64_t column) {
      *columns++ = static_cast<std::int32_t>(column);
      *values++ =
          impl::signed_unit(impl::entry_hash(m_key, std::min(row, column), std::max(row, column)));
    };
    auto copy = [&](GalleryMatrix const& part, std::int64_t first) {
      for (auto k = part.row_offsets()(row - first); k < part.row_offsets()(row - first + 1); ++k)
      {
        *columns++ = static_cast<std::int32_t>(first + part.columns()(k));
        *values++ = part.values()(k);
      }
    };
    if (row < m_unknowns)
    {
      copy(m_elastic, 0);
      for (std::int64_t vertex = row / 3; vertex < m_vertices; vertex += nodes())
        couple(m_unknowns + vertex);
      return;
    }
    for (std::int64_t component = 0; component < 3; ++component)
      couple(3 * ((row - m_unknowns) % nodes()) + component);
    copy(m_graph, m_unknowns);
  }

private:
  std::int64_t nodes() const { return m_unknowns / 3; }
  static std::int64_t length_in(GalleryMatrix const& part, std::int64_t row)
  {
    return static_cast<std::int64_t>(part.row_offsets()(row + 1) - part.row_offsets()(row));
  }

  GalleryMatrix const& m_elastic;
  GalleryMatrix const& m_graph;
  std::int64_t m_unknowns, m_vertices;
  std::uint64_t m_key;
};

} // namespace

GalleryMatrix generate::fem_graph(std::int64_t nx, std::int64_t scale, std::int64_t edge_factor,
                                  std::uint64_t seed)
try
{
  require_fem_graph(nx, scale, edge_factor);
  GalleryMatrix const elastic = elasticity(nx, nx, nx);
  GalleryMatrix const graph = rmat(scale, edge_factor, seed);
  CoupledParts const parts(elastic, graph, seed);
  return impl::build_matrix(
      parts.rows(), parts.rows(), [&](std::int64_t row) { return parts.length(row); },
      [&](std::int64_t row, std::int32_t* columns, double* values) {
        parts.fill(row, columns, values);
      });
}
catch (...)
{
  impl::rethrow_out_of_memory("fem_graph");
}

} // namespace heddle
