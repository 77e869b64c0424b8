// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Matrices of which some rows share their columns and others do not: coupled problems, constraints.

#include <support/structures.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

// Nodes of so many unknowns, which all have entries with all unknowns of the same nodes, drawn at
// random.
inline Structure unknowns_of_nodes(std::int64_t size, std::int64_t nodes, std::int64_t neighbours,
                                   std::int64_t cols)
{
  Structure const graph =
      random_structure("", nodes, cols / size, neighbours, 700 + static_cast<std::uint64_t>(size));
  Structure s{"nodes of " + std::to_string(size) + " unknowns", size * nodes, cols, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
  {
    auto& columns = s.columns.emplace_back();
    for (std::int64_t const node : graph.columns[static_cast<std::size_t>(i / size)])
      for (std::int64_t c = 0; c < size; ++c)
        columns.push_back(size * node + c);
  }
  return s;
}

// More entries than host threads expect to find in the caches (host_caches.hpp), in double
// precision: a pattern of row templates, one of runs, and rows of more than long_row entries.
inline std::vector<Structure> from_memory()
{
  Structure stencil{"stencil from memory", 300000, 300000, {}};
  for (std::int64_t i = 0; i < stencil.rows; ++i)
    for (auto& columns = stencil.columns.emplace_back();
         std::int64_t const offset : {-300, -17, -1, 0, 1, 2, 17, 300})
      if (0 <= i + offset && i + offset < stencil.cols)
        columns.push_back(i + offset);
  Structure nodes = unknowns_of_nodes(3, 25000, 10, 75000);
  nodes.name += " from memory";
  return {stencil, nodes, random_structure("long rows from memory", 20000, 20000, 115, 71)};
}

inline Structure dense_rows(std::int64_t rows, std::int64_t cols)
{
  Structure s{"dense rows", rows, cols, {}};
  for (std::int64_t i = 0; i < rows; ++i)
    for (auto& columns = s.columns.emplace_back();
         static_cast<std::int64_t>(columns.size()) < cols;)
      columns.push_back(static_cast<std::int64_t>(columns.size()));
  return s;
}

// Parts of as many columns each.
inline Structure one_after_the_other(std::vector<Structure> const& parts)
{
  Structure s{"", 0, parts.front().cols, {}};
  for (Structure const& part : parts)
  {
    s.name += (s.rows == 0 ? "" : ", ") + part.name;
    s.rows += part.rows;
    s.columns.insert(s.columns.end(), part.columns.begin(), part.columns.end());
  }
  return s;
}

// Nodes, a graph, dense and empty rows in several orders, of which nothing begins at a multiple of
// 12.
inline std::vector<Structure> mixtures()
{
  constexpr std::int64_t cols = 610;
  Structure const three = unknowns_of_nodes(3, 67, 6, cols),
                  six = unknowns_of_nodes(6, 41, 4, cols);
  Structure graph = random_structure("graph", 103, cols, 3, 77);
  for (std::size_t i = 5; i < graph.columns.size(); i += 20)
    graph.columns[i] = random_structure("", 1, cols, 90, 800 + i).columns[0];
  Structure const dense = dense_rows(2, cols);
  Structure const empty{"empty rows", 59, cols, std::vector<std::vector<std::int64_t>>(59)};
  return {one_after_the_other({three, graph, dense, empty, six}),
          one_after_the_other({graph, three, dense, three, six}),
          one_after_the_other({dense, six, empty, three}),
          one_after_the_other({empty, graph, three, graph, three, three}),
          // Bundles of very different lengths, the short ones first.
          one_after_the_other(
              {unknowns_of_nodes(3, 300, 5, cols), graph, unknowns_of_nodes(3, 60, 100, cols)})};
}

// Nodes of three unknowns, beside them a graph with some long rows, and one dense row.
inline Structure coupled()
{
  constexpr std::int64_t nodes = 9001, cols = 3 * nodes + 900;
  Structure graph = random_structure("a graph", 1300, cols, 4, 41);
  for (std::size_t i = 7; i < graph.columns.size(); i += 100)
    graph.columns[i] = random_structure("", 1, cols, 700, 900 + i).columns[0];
  return one_after_the_other({graph, unknowns_of_nodes(3, nodes, 15, cols), dense_rows(1, cols)});
}

} // namespace heddle::test
