// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/data_movement.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace heddle
{

namespace
{

using Numbers = std::vector<std::int64_t>;

// Calls body(entry of A, entry of B, row of C, column of C) for each product, in the order of
// vertices.
template <class Body>
void for_each_product(HostPattern const& a, HostPattern const& b, Body const& body)
{
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
      for (std::int64_t m = b.offsets[a.columns[k]]; m < b.offsets[a.columns[k] + 1]; ++m)
        body(k, m, i, b.columns[m]);
}

std::int64_t products_of(HostPattern const& a, HostPattern const& b)
{
  std::int64_t products = 0;
  for (std::int64_t const column : a.columns)
    products += b.offsets[column + 1] - b.offsets[column];
  return products;
}

// The nets of C, numbered by row and by the first product of each column, and how many there are.
std::int64_t number_results(HostPattern const& a, HostPattern const& b, std::int64_t first,
                            Numbers& net_of_c)
{
  Numbers net_of_column(static_cast<std::size_t>(b.cols), -1);
  std::int64_t next = first, row = 0, first_of_row = first;
  for_each_product(a, b, [&](std::int64_t, std::int64_t, std::int64_t i, std::int64_t j) {
    if (i != row)
    {
      row = i;
      first_of_row = next;
    }
    if (net_of_column[j] < first_of_row)
      net_of_column[j] = next++;
    net_of_c.push_back(net_of_column[j]);
  });
  return next - first;
}

int number_of_parts(char const* function, Parts const& parts)
{
  if (parts.empty())
    return 1;
  auto const [least, most] = std::ranges::minmax_element(parts);
  impl::require(*least >= 0, function, "vertex ", least - parts.begin(), " is in part ", *least);
  return *most + 1;
}

// Words that no part touches yet, one number a part. Parts are those of the graph's vertices.
Numbers nothing_touched(Hypergraph const& graph, Parts const& parts)
{
  impl::require(std::cmp_equal(parts.size(), graph.vertices), "movement_of", "parts has ",
                parts.size(), " entries but there are ", graph.vertices, " vertices");
  Numbers touched(static_cast<std::size_t>(number_of_parts("movement_of", parts)), 0);
  return touched;
}

// Of a net: what a part that has any of its pins holds, and what moves for each such part, or once
// where there is none.
struct NetWords
{
  std::int64_t held, moved;
};

// Adds words_of(net) of each net to what its parts touch and to what moves.
template <class WordsOf>
void add_nets(MovementBound& bound, Numbers& touched, Hypergraph const& graph, Parts const& parts,
              WordsOf const& words_of)
{
  Numbers last_net(touched.size(), -1);
  for (std::int64_t net = 0; net < graph.nets(); ++net)
  {
    NetWords const words = words_of(net);
    if (graph.net_offsets[net] == graph.net_offsets[net + 1])
      bound.words += words.moved;
    for (std::int64_t at = graph.net_offsets[net]; at < graph.net_offsets[net + 1]; ++at)
      if (int const part = parts[graph.pins[at]]; last_net[part] != net)
      {
        last_net[part] = net;
        touched[part] += words.held;
        bound.words += words.moved;
      }
  }
  bound.largest = *std::ranges::max_element(touched);
}

// The part with the longest run in begin .. end - 1, which are sorted; the lowest of equal ones.
int longest_run(Parts::const_iterator begin, Parts::const_iterator end)
{
  int winner = 0;
  std::ptrdiff_t most = 0;
  while (begin != end)
  {
    auto const behind = std::upper_bound(begin, end, *begin);
    if (behind - begin > most)
    {
      most = behind - begin;
      winner = *begin;
    }
    begin = behind;
  }
  return winner;
}

// The part of each of so many rows and columns. for_each_vote calls body(row or column, part).
// Votes are sorted rather than counted, so that memory is a number a vote however many parts there
// are.
template <class ForEachVote>
Parts majority_of(std::int64_t rows, ForEachVote const& for_each_vote)
{
  Numbers starts(static_cast<std::size_t>(rows) + 1, 0);
  for_each_vote([&](std::int64_t u, int) { ++starts[u + 1]; });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  Numbers next(starts.begin(), starts.end() - 1);
  Parts votes(static_cast<std::size_t>(starts.back()));
  for_each_vote([&](std::int64_t u, int part) { votes[next[u]++] = part; });
  Parts result;
  for (std::int64_t u = 0; u < rows; ++u)
  {
    std::sort(votes.begin() + starts[u], votes.begin() + starts[u + 1]);
    result.push_back(longest_run(votes.begin() + starts[u], votes.begin() + starts[u + 1]));
  }
  return result;
}

// For each vertex the nets that join it, or for each column the rows that have it: the pattern the
// other way round.
struct Incidence
{
  Numbers offsets, members;

  Incidence(Numbers const& from_offsets, Numbers const& from_members, std::int64_t count)
      : offsets(static_cast<std::size_t>(count) + 1, 0)
      , members(from_members.size())
  {
    for (std::int64_t const to : from_members)
      ++offsets[to + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    Numbers next(offsets.begin(), offsets.end() - 1);
    for (std::size_t from = 0; from + 1 < from_offsets.size(); ++from)
      for (std::int64_t at = from_offsets[from]; at < from_offsets[from + 1]; ++at)
        members[next[from_members[at]]++] = static_cast<std::int64_t>(from);
  }
  template <class Body>
  void for_each(std::int64_t of, Body const& body) const
  {
    for (std::int64_t at = offsets[of]; at < offsets[of + 1]; ++at)
      body(members[at]);
  }
};

// The nets of a RowHypergraph: columns of A, each with the rows that have it.
Hypergraph graph_of_rows(HostPattern const& a)
{
  Incidence rows_of_column(a.offsets, a.columns, a.cols);
  Hypergraph graph;
  graph.vertices = a.rows;
  graph.net_offsets = std::move(rows_of_column.offsets);
  graph.pins = std::move(rows_of_column.members);
  return graph;
}

// Words of a vertex and of all nets that join it.
std::int64_t words_alone(Hypergraph const& graph, Incidence const& nets, std::int64_t v)
{
  std::int64_t words = graph.vertex_weights[v];
  nets.for_each(v, [&](std::int64_t net) { words += graph.net_weights[net]; });
  return words;
}

void require_rows_fit(char const* function, Hypergraph const& graph, Incidence const& nets,
                      std::int64_t fast_words)
{
  for (std::int64_t v = 0; v < graph.vertices; ++v)
    if (std::int64_t const words = words_alone(graph, nets, v); words > fast_words)
      impl::require(false, function, "row ", v, " alone takes ", words, " words, a fast memory of ",
                    fast_words, " words does not hold it");
}

// Algorithm 3 from one part on. Parts touch all that one part would, together, so that too few of
// them cannot fit and are not cut.
template <class Product>
UpperBound doubled_until_fit(Product const& product, std::int64_t fast_words,
                             Partitioner const& partition, char const* vertices,
                             std::function<void(int)> const& progress)
{
  UpperBound best;
  best.parts.assign(static_cast<std::size_t>(product.graph.vertices), 0);
  best.bound = movement_of(product, best.parts);
  std::int64_t const all = best.bound.largest;
  while (best.bound.largest > fast_words)
  {
    do
      best.count *= 2;
    while (all / best.count > fast_words);
    impl::require(best.count <= product.graph.vertices, "movement_upper_bound", "parts of ",
                  best.bound.largest, " words do not fit ", fast_words, " words, and ", best.count,
                  " parts are more than there are ", vertices, ", ", product.graph.vertices);
    if (progress)
      progress(best.count);
    best.parts = partition(product.graph, best.count);
    best.bound = movement_of(product, best.parts);
  }
  return best;
}

// Part after part, what it has won in its old order.
Numbers order_by_winner(Parts const& winner, int count)
{
  std::vector<Numbers> members(static_cast<std::size_t>(count));
  for (std::size_t u = 0; u < winner.size(); ++u)
    members[winner[u]].push_back(static_cast<std::int64_t>(u));
  Numbers order;
  for (Numbers const& part : members)
    order.insert(order.end(), part.begin(), part.end());
  return order;
}

void require_square(char const* function, HostPattern const& a)
{
  impl::require(a.rows == a.cols, function, "A is ", a.rows, " x ", a.cols,
                ", expected a square matrix");
}

} // namespace

ProductHypergraph hypergraph_of_product(HostPattern const& a, HostPattern const& b,
                                        std::int64_t most_products)
try
{
  impl::require(a.cols == b.rows, "hypergraph_of_product", "A has ", a.cols, " columns but B has ",
                b.rows, " rows");
  std::int64_t const products = products_of(a, b);
  impl::require(products <= most_products, "hypergraph_of_product", "A B has ", products,
                " products, more than ", most_products);
  ProductHypergraph result;
  result.graph.vertices = products;
  result.nets_of_a = static_cast<std::int64_t>(a.columns.size());
  result.nets_of_b = static_cast<std::int64_t>(b.columns.size());
  std::int64_t const first_of_c = result.nets_of_a + result.nets_of_b;
  Numbers net_of_c;
  net_of_c.reserve(static_cast<std::size_t>(products));
  result.nets_of_c = number_results(a, b, first_of_c, net_of_c);
  Numbers& offsets = result.graph.net_offsets;
  offsets.assign(static_cast<std::size_t>(first_of_c + result.nets_of_c) + 1, 0);
  auto const for_each_pin = [&](auto const& body) {
    std::int64_t v = 0;
    for_each_product(a, b, [&](std::int64_t k, std::int64_t m, std::int64_t, std::int64_t) {
      body(k, v);
      body(result.nets_of_a + m, v);
      body(net_of_c[v], v);
      ++v;
    });
  };
  for_each_pin([&](std::int64_t net, std::int64_t) { ++offsets[net + 1]; });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  Numbers next(offsets.begin(), offsets.end() - 1);
  result.graph.pins.resize(static_cast<std::size_t>(offsets.back()));
  for_each_pin([&](std::int64_t net, std::int64_t v) { result.graph.pins[next[net]++] = v; });
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("hypergraph_of_product");
}

ProductHypergraph hypergraph_of_spmv(HostPattern const& a, std::int64_t most_products)
try
{
  auto const entries = static_cast<std::int64_t>(a.columns.size());
  impl::require(entries <= most_products, "hypergraph_of_spmv", "A x has ", entries,
                " products, more than ", most_products);
  HostPattern x{a.cols, 1, {}, Numbers(static_cast<std::size_t>(a.cols), 0)};
  x.offsets.resize(static_cast<std::size_t>(a.cols) + 1);
  std::iota(x.offsets.begin(), x.offsets.end(), std::int64_t(0));
  ProductHypergraph result = hypergraph_of_product(a, x, most_products);
  result.words_of_b = result.words_of_c = 1;
  // y is dense: rows without entries are written as well.
  Numbers& offsets = result.graph.net_offsets;
  offsets.insert(offsets.end(), static_cast<std::size_t>(a.rows - result.nets_of_c),
                 offsets.back());
  result.nets_of_c = a.rows;
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("hypergraph_of_spmv");
}

RowHypergraph hypergraph_of_rows(HostPattern const& a, HostPattern const& b)
try
{
  impl::require(a.cols == b.rows, "hypergraph_of_rows", "A has ", a.cols, " columns but B has ",
                b.rows, " rows");
  RowHypergraph result{graph_of_rows(a)};
  Numbers& of_rows = result.graph.vertex_weights;
  for (std::int64_t i = 0; i < a.rows; ++i)
    of_rows.push_back(2 * (a.offsets[i + 1] - a.offsets[i]));
  Numbers row_of_column(static_cast<std::size_t>(b.cols), -1); // that had it last
  for_each_product(a, b, [&](std::int64_t, std::int64_t, std::int64_t i, std::int64_t j) {
    if (row_of_column[j] != i)
    {
      row_of_column[j] = i;
      of_rows[i] += 2;
    }
  });
  for (std::int64_t k = 0; k < b.rows; ++k)
    result.graph.net_weights.push_back(2 * (b.offsets[k + 1] - b.offsets[k]));
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("hypergraph_of_rows");
}

RowHypergraph hypergraph_of_spmv_rows(HostPattern const& a)
try
{
  RowHypergraph result{graph_of_rows(a)};
  for (std::int64_t i = 0; i < a.rows; ++i)
    result.graph.vertex_weights.push_back(2 * (a.offsets[i + 1] - a.offsets[i]) + 1);
  result.graph.net_weights.assign(static_cast<std::size_t>(a.cols), 1);
  return result;
}
catch (...)
{
  impl::rethrow_out_of_memory("hypergraph_of_spmv_rows");
}

MovementBound movement_of(RowHypergraph const& product, Parts const& parts)
try
{
  Hypergraph const& graph = product.graph;
  Numbers touched = nothing_touched(graph, parts);
  MovementBound bound;
  for (std::int64_t v = 0; v < graph.vertices; ++v)
  {
    touched[parts[v]] += graph.vertex_weights[v];
    bound.words += graph.vertex_weights[v]; // sums stay in the part: a row of C is written once
  }
  add_nets(bound, touched, graph, parts, [&](std::int64_t net) {
    return NetWords{graph.net_weights[net], graph.net_weights[net]};
  });
  return bound;
}
catch (...)
{
  impl::rethrow_out_of_memory("movement_of");
}

MovementBound movement_of(ProductHypergraph const& product, Parts const& parts)
try
{
  Numbers touched = nothing_touched(product.graph, parts);
  MovementBound bound;
  add_nets(bound, touched, product.graph, parts, [&](std::int64_t net) {
    bool const is_result = net >= product.nets_of_a + product.nets_of_b;
    std::int64_t const held = is_result                 ? product.words_of_c
                              : net < product.nets_of_a ? product.words_of_a
                                                        : product.words_of_b;
    // Of a result also the sum so far is read.
    return NetWords{held, is_result ? held + 1 : held};
  });
  bound.words -= product.nets_of_c;
  return bound;
}
catch (...)
{
  impl::rethrow_out_of_memory("movement_of");
}

UpperBound movement_upper_bound(ProductHypergraph const& product, std::int64_t fast_words,
                                Partitioner const& partition,
                                std::function<void(int)> const& progress)
try
{
  std::int64_t const least = product.words_of_a + product.words_of_b + product.words_of_c;
  impl::require(fast_words >= least, "movement_upper_bound", "a fast memory of ", fast_words,
                " words does not hold the three numbers of one product, ", least, " words");
  return doubled_until_fit(product, fast_words, partition, "products", progress);
}
catch (...)
{
  impl::rethrow_out_of_memory("movement_upper_bound");
}

UpperBound movement_upper_bound(RowHypergraph const& product, std::int64_t fast_words,
                                Partitioner const& partition,
                                std::function<void(int)> const& progress)
try
{
  Hypergraph const& graph = product.graph;
  require_rows_fit("movement_upper_bound", graph,
                   Incidence(graph.net_offsets, graph.pins, graph.vertices), fast_words);
  return doubled_until_fit(product, fast_words, partition, "rows", progress);
}
catch (...)
{
  impl::rethrow_out_of_memory("movement_upper_bound");
}

Parts parts_in_order(RowHypergraph const& product, std::vector<std::int64_t> const& order,
                     std::int64_t fast_words)
try
{
  Hypergraph const& graph = product.graph;
  auto const rows = static_cast<std::size_t>(graph.vertices);
  impl::require(order.size() == rows, "parts_in_order", "order has ", order.size(),
                " entries but there are ", rows, " rows");
  Incidence const nets(graph.net_offsets, graph.pins, graph.vertices);
  require_rows_fit("parts_in_order", graph, nets, fast_words);
  Parts parts(rows, -1), part_of_net(static_cast<std::size_t>(graph.nets()), -1);
  int part = 0;
  std::int64_t words = 0; // of the part up to here
  for (std::int64_t const v : order)
  {
    impl::require(v >= 0 && v < graph.vertices && parts[v] < 0, "parts_in_order", "row ", v,
                  " is out of range or there twice");
    auto const words_with = [&] {
      std::int64_t with = words + graph.vertex_weights[v];
      nets.for_each(v, [&](std::int64_t net) {
        with += part_of_net[net] == part ? 0 : graph.net_weights[net];
      });
      return with;
    };
    std::int64_t with = words_with();
    if (with > fast_words)
    {
      ++part;
      words = 0;
      with = words_with();
    }
    words = with;
    parts[v] = part;
    nets.for_each(v, [&](std::int64_t net) { part_of_net[net] = part; });
  }
  return parts;
}
catch (...)
{
  impl::rethrow_out_of_memory("parts_in_order");
}

std::vector<std::int64_t> order_by_majority(HostPattern const& a, Parts const& parts)
try
{
  require_square("order_by_majority", a);
  impl::require(static_cast<std::int64_t>(parts.size()) == products_of(a, a), "order_by_majority",
                "parts has ", parts.size(), " entries but A A has ", products_of(a, a),
                " products");
  int const count = number_of_parts("order_by_majority", parts);
  // Row u votes by its products (u, k, j), column u by its products (i, k, u).
  auto const for_each_vote = [&](auto const& body) {
    std::size_t v = 0;
    for_each_product(a, a, [&](std::int64_t, std::int64_t, std::int64_t i, std::int64_t j) {
      body(i, parts[v]);
      body(j, parts[v]);
      ++v;
    });
  };
  return order_by_winner(majority_of(a.rows, for_each_vote), count);
}
catch (...)
{
  impl::rethrow_out_of_memory("order_by_majority");
}

std::vector<std::int64_t> order_by_spmv_majority(HostPattern const& a, Parts const& parts)
try
{
  require_square("order_by_spmv_majority", a);
  impl::require(parts.size() == a.columns.size(), "order_by_spmv_majority", "parts has ",
                parts.size(), " entries but A has ", a.columns.size(), " entries");
  int const count = number_of_parts("order_by_spmv_majority", parts);
  auto const for_each_vote = [&](auto const& body) {
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
      {
        body(i, parts[k]);
        body(a.columns[k], parts[k]);
      }
  };
  return order_by_winner(majority_of(a.rows, for_each_vote), count);
}
catch (...)
{
  impl::rethrow_out_of_memory("order_by_spmv_majority");
}

std::vector<std::int64_t> order_by_row_majority(HostPattern const& a, Parts const& parts)
try
{
  require_square("order_by_row_majority", a);
  impl::require(std::cmp_equal(parts.size(), a.rows), "order_by_row_majority", "parts has ",
                parts.size(), " entries but A has ", a.rows, " rows");
  int const count = number_of_parts("order_by_row_majority", parts);
  Incidence const rows_of_column(a.offsets, a.columns, a.cols);
  Parts winner;
  Numbers votes(static_cast<std::size_t>(count), 0);
  for (std::int64_t u = 0; u < a.rows; ++u)
  {
    // Row u has its products in its own part, column u its products (i, k, u) in those of rows i.
    std::ranges::fill(votes, 0);
    for (std::int64_t k = a.offsets[u]; k < a.offsets[u + 1]; ++k)
      votes[parts[u]] += a.offsets[a.columns[k] + 1] - a.offsets[a.columns[k]];
    rows_of_column.for_each(u, [&](std::int64_t k) {
      rows_of_column.for_each(k, [&](std::int64_t i) { ++votes[parts[i]]; });
    });
    winner.push_back(static_cast<int>(std::ranges::max_element(votes) - votes.begin()));
  }
  return order_by_winner(winner, count);
}
catch (...)
{
  impl::rethrow_out_of_memory("order_by_row_majority");
}

} // namespace heddle
