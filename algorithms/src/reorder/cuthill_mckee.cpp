// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reverse Cuthill-McKee: breadth-first from a vertex at the end of the graph, neighbours by degree,
// and all of it backwards (Cuthill and McKee, ACM 1969; George, 1971). The end is sought by
// repeated searches (George and Liu, ACM TOMS 1979). Each connected part is searched a few times,
// and sorting neighbours costs the logarithm of the longest row. Equal degrees are taken by number,
// so the order depends on the pattern alone. Serial: levels of a band have too few vertices to
// share.

#include <heddle/impl/order/cuthill_mckee.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace heddle::impl
{

namespace
{

using Numbers = std::vector<std::int64_t>;

// Neighbours of each vertex in A + A^T, each once, without the vertex itself.
Graph symmetrized(Graph const& a)
{
  std::int64_t const n = a.size();
  Numbers starts(static_cast<std::size_t>(n) + 1, 0);
  auto const for_each_edge = [&a, n](auto const& body) {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
        if (a.columns[k] != i)
          body(i, a.columns[k]);
  };
  for_each_edge([&](std::int64_t i, std::int64_t j) {
    ++starts[i + 1];
    ++starts[j + 1];
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  Graph result;
  result.columns.resize(static_cast<std::size_t>(starts.back()));
  Numbers next(starts.begin(), starts.end() - 1);
  for_each_edge([&](std::int64_t i, std::int64_t j) {
    result.columns[next[i]++] = j;
    result.columns[next[j]++] = i;
  });
  auto kept = result.columns.begin();
  for (std::int64_t i = 0; i < n; ++i)
  {
    auto const begin = result.columns.begin() + starts[i],
               end = result.columns.begin() + starts[i + 1];
    std::sort(begin, end);
    kept = std::copy(begin, std::unique(begin, end), kept); // never ahead of what is read
    result.offsets.push_back(kept - result.columns.begin());
  }
  result.columns.erase(kept, result.columns.end());
  return result;
}

class Search
{
public:
  explicit Search(Graph graph)
      : m_graph(std::move(graph))
      , m_seen(static_cast<std::size_t>(m_graph.size()), 0)
  {}

  std::int64_t degree(std::int64_t v) const { return m_graph.offsets[v + 1] - m_graph.offsets[v]; }
  bool is_less(std::int64_t v, std::int64_t w) const
  {
    return std::pair(degree(v), v) < std::pair(degree(w), w);
  }

  // A vertex of root's part that is far from others: the least of the last level, as long as that
  // makes more levels.
  std::int64_t end_of_part(std::int64_t root)
  {
    std::int64_t levels = search(root);
    for (;;)
    {
      auto const by_degree = [this](std::int64_t v, std::int64_t w) { return is_less(v, w); };
      std::int64_t const candidate =
          *std::min_element(m_queue.begin() + m_last_level, m_queue.end(), by_degree);
      std::int64_t const more = search(candidate);
      if (more <= levels)
        return root;
      root = candidate;
      levels = more;
    }
  }

  // Appends root's part in Cuthill and McKee's order.
  void append_part(std::int64_t root, Numbers& order)
  {
    search(root, true);
    order.insert(order.end(), m_queue.begin(), m_queue.end());
  }

private:
  // Fills the queue with root's part by levels, and returns how many these are. Every search has a
  // stamp of its own, so that a small part costs no pass over all vertices.
  std::int64_t search(std::int64_t root, bool is_by_degree = false)
  {
    ++m_stamp;
    m_queue.assign(1, root);
    m_seen[root] = m_stamp;
    std::int64_t levels = 0;
    m_last_level = 0;
    for (std::size_t begin = 0, end = 1; begin < end; begin = end, end = m_queue.size())
    {
      m_last_level = static_cast<std::ptrdiff_t>(begin);
      for (std::size_t at = begin; at < end; ++at)
        add_neighbours(m_queue[at], is_by_degree);
      ++levels;
    }
    return levels;
  }
  void add_neighbours(std::int64_t v, bool is_by_degree)
  {
    auto const first = static_cast<std::ptrdiff_t>(m_queue.size());
    for (std::int64_t k = m_graph.offsets[v]; k < m_graph.offsets[v + 1]; ++k)
      if (std::int64_t const w = m_graph.columns[k]; m_seen[w] != m_stamp)
      {
        m_seen[w] = m_stamp;
        m_queue.push_back(w);
      }
    if (is_by_degree)
      std::sort(m_queue.begin() + first, m_queue.end(),
                [this](std::int64_t w, std::int64_t u) { return is_less(w, u); });
  }

  Graph m_graph;
  Numbers m_seen, m_queue;
  std::int64_t m_stamp = 0;
  std::ptrdiff_t m_last_level = 0;
};

} // namespace

std::vector<std::int64_t> reverse_cuthill_mckee(Graph const& pattern)
{
  std::int64_t const n = pattern.size();
  Search search(symmetrized(pattern));
  Numbers by_degree(static_cast<std::size_t>(n));
  std::iota(by_degree.begin(), by_degree.end(), std::int64_t(0));
  std::ranges::sort(by_degree,
                    [&search](std::int64_t v, std::int64_t w) { return search.is_less(v, w); });
  std::vector<bool> is_placed(static_cast<std::size_t>(n), false);
  Numbers order;
  order.reserve(static_cast<std::size_t>(n));
  for (std::int64_t const root : by_degree)
    if (!is_placed[root])
    {
      std::size_t const before = order.size();
      search.append_part(search.end_of_part(root), order);
      for (std::size_t at = before; at < order.size(); ++at)
        is_placed[order[at]] = true;
    }
  std::ranges::reverse(order);
  return order;
}

} // namespace heddle::impl
