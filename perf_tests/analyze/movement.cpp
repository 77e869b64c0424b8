// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/table.hpp>
#include <heddle/analysis.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/permute.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <analyze/movement.hpp>

namespace heddle::perf
{

namespace
{

using Host = Kokkos::DefaultHostExecutionSpace;

HostPattern pattern_of(HostMatrix<double> const& a)
{
  auto const& offsets = a.row_offsets();
  auto const& columns = a.columns();
  HostPattern pattern{a.num_rows(), a.num_cols(), {0}, {}};
  if (offsets.extent(0) > 0)
    pattern.offsets.assign(offsets.data(), offsets.data() + offsets.extent(0));
  pattern.columns.assign(columns.data(), columns.data() + columns.extent(0));
  return pattern;
}

using Progress = std::function<void(std::string const&)>;

// What a product moves, and the parts it was cut into.
struct Cut
{
  ProductMovement movement;
  Parts parts;
};

void say_what_comes(std::string const& formula, std::string const& vertices,
                    Hypergraph const& graph, Progress const& progress)
{
  auto const pins = static_cast<double>(graph.pins.size());
  progress(formula + ": hypergraph of " + short_number(static_cast<double>(graph.vertices)) + " " +
           vertices + ", " + short_number(static_cast<double>(graph.nets())) + " nets and " +
           short_number(pins) + " pins: about " + short_number(pins * 80 / 1048576) +
           " MiB, and a second or two for each 600,000 pins and cut");
}

// Product: ProductHypergraph or RowHypergraph.
template <class Product>
Cut cut_of(std::string const& formula, std::string const& vertices, Product const& product,
           std::int64_t cache_words, Partitioner const& partition, Progress const& progress)
{
  Kokkos::Timer const clock;
  say_what_comes(formula, vertices, product.graph, progress);
  auto found = movement_upper_bound(product, cache_words, partition, [&](int parts) {
    progress(formula + ": cutting into " + std::to_string(parts) + " parts");
  });
  // One part is the lower bound.
  Parts const one(static_cast<std::size_t>(product.graph.vertices), 0);
  return {{.formula = formula,
           .vertices = vertices,
           .lower = movement_of(product, one).words,
           .upper = found.bound.words,
           .largest = found.bound.largest,
           .cache_words = cache_words,
           .parts = found.count,
           .seconds = clock.seconds()},
          std::move(found.parts)};
}

// The parts of A's entries whose rows are in these parts.
Parts parts_of_entries(HostPattern const& a, Parts const& of_rows)
{
  Parts parts;
  for (std::int64_t i = 0; i < a.rows; ++i)
    parts.insert(parts.end(), static_cast<std::size_t>(a.offsets[i + 1] - a.offsets[i]),
                 of_rows[i]);
  return parts;
}

// What rows move at most in the order they stand in, or 0 where one does not fit the cache.
std::int64_t moved_as_it_is(RowHypergraph const& rows, std::int64_t cache_words)
try
{
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows.graph.vertices));
  std::iota(order.begin(), order.end(), std::int64_t(0));
  return movement_of(rows, parts_in_order(rows, order, cache_words)).words;
}
catch (InvalidArgument const&)
{
  return 0;
}

// A x with parts of A's entries, whatever the vertices are.
Cut cut_of_spmv(HostPattern const& a, MovementSettings const& settings,
                Partitioner const& partition, Progress const& progress)
{
  RowHypergraph const rows = hypergraph_of_spmv_rows(a);
  bool const is_by_row = std::cmp_greater(a.columns.size(), settings.most_products);
  Cut cut = is_by_row ? cut_of("A x", "rows", rows, settings.cache_words, partition, progress)
                      : cut_of("A x", "products", hypergraph_of_spmv(a, settings.most_products),
                               settings.cache_words, partition, progress);
  cut.movement.as_it_is = moved_as_it_is(rows, settings.cache_words);
  if (is_by_row)
    cut.parts = parts_of_entries(a, cut.parts);
  return cut;
}

// A B, with parts of products or of rows.
Cut cut_of_product(std::string const& formula, HostPattern const& a, HostPattern const& b,
                   std::int64_t products, MovementSettings const& settings,
                   Partitioner const& partition, Progress const& progress)
{
  RowHypergraph const rows = hypergraph_of_rows(a, b);
  Cut cut = products > settings.most_products
                ? cut_of(formula, "rows", rows, settings.cache_words, partition, progress)
                : cut_of(formula, "products", hypergraph_of_product(a, b, settings.most_products),
                         settings.cache_words, partition, progress);
  cut.movement.as_it_is = moved_as_it_is(rows, settings.cache_words);
  return cut;
}

std::int64_t products_of(HostPattern const& a, HostPattern const& b)
{
  std::int64_t products = 0;
  for (std::int64_t const k : a.columns)
    products += b.offsets[k + 1] - b.offsets[k];
  return products;
}

std::vector<std::int64_t> order_of_product(HostPattern const& a, Cut const& cut)
{
  return cut.movement.vertices == "rows" ? order_by_row_majority(a, cut.parts)
                                         : order_by_majority(a, cut.parts);
}

Kokkos::View<int*, Kokkos::HostSpace> view_of(std::vector<std::int64_t> const& numbers)
{
  Kokkos::View<int*, Kokkos::HostSpace> p("heddle::perf::order", numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    p(i) = static_cast<int>(numbers[i]);
  return p;
}

TriedOrder voted_order(HostMatrix<double> const& a, ProductMovement const& movement,
                       std::vector<std::int64_t> const& numbers)
{
  Host const host;
  Kokkos::Timer const clock;
  auto const p = view_of(numbers);
  auto const moved = permute(host, a, p, p);
  return {"majority of the parts of " + movement.formula + " (hypergraph)",
          pattern_figures(host, moved), movement.seconds + clock.seconds()};
}

} // namespace

Kokkos::View<int*, Kokkos::HostSpace> order_by_vote(HostMatrix<double> const& a, bool is_of_spmv,
                                                    MovementSettings const& settings,
                                                    Partitioner const& partition,
                                                    Progress const& progress)
{
  HostPattern const pattern = pattern_of(a);
  // Asked first, so that what has no order is refused before anything is cut.
  impl::require(a.num_rows() == a.num_cols(), "perf", "A is ", a.num_rows(), " x ", a.num_cols(),
                ", and parts vote on a square matrix alone");
  if (is_of_spmv)
    return view_of(
        order_by_spmv_majority(pattern, cut_of_spmv(pattern, settings, partition, progress).parts));
  return view_of(order_of_product(pattern, cut_of_product("A A", pattern, pattern,
                                                          products_of(pattern, pattern), settings,
                                                          partition, progress)));
}

void add_movement(MatrixAnalysis& analysis, HostMatrix<double> const& a,
                  MovementSettings const& settings, Partitioner const& partition,
                  Progress const& progress)
{
  bool const is_square = a.num_rows() == a.num_cols();
  HostPattern const left = pattern_of(a);
  Cut const of_spmv = cut_of_spmv(left, settings, partition, progress);
  analysis.movements.push_back(of_spmv.movement);
  if (is_square && of_spmv.movement.parts > 1)
    analysis.orders.push_back(
        voted_order(a, of_spmv.movement, order_by_spmv_majority(left, of_spmv.parts)));
  std::string const formula = is_square ? "A A" : "A A^T";
  HostPattern const right = is_square ? left : pattern_of(transpose(Host{}, a));
  Cut const of_product = cut_of_product(formula, left, right, analysis.product.products, settings,
                                        partition, progress);
  analysis.movements.push_back(of_product.movement);
  if (is_square && of_product.movement.parts > 1)
    analysis.orders.push_back(
        voted_order(a, of_product.movement, order_of_product(left, of_product)));
}

} // namespace heddle::perf
