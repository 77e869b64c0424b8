// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/table.hpp>
#include <heddle/analysis.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/permute.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
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

Cut cut_of(std::string const& formula, ProductHypergraph const& product, std::int64_t cache_words,
           Partitioner const& partition, Progress const& progress)
{
  Kokkos::Timer const clock;
  auto const pins = static_cast<double>(product.graph.pins.size());
  progress(formula + ": hypergraph of " +
           short_number(static_cast<double>(product.graph.vertices)) + " products, " +
           short_number(static_cast<double>(product.graph.nets())) + " nets and " +
           short_number(pins) + " pins: about " + short_number(pins * 80 / 1048576) +
           " MiB, and a second or two for each 200,000 products and cut");
  auto found = movement_upper_bound(product, cache_words, partition, [&](int parts) {
    progress(formula + ": cutting into " + std::to_string(parts) + " parts");
  });
  // One part is the lower bound.
  Parts const one(static_cast<std::size_t>(product.graph.vertices), 0);
  return {{.formula = formula,
           .lower = movement_of(product, one).words,
           .upper = found.bound.words,
           .largest = found.bound.largest,
           .cache_words = cache_words,
           .parts = found.count,
           .seconds = clock.seconds()},
          std::move(found.parts)};
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
  auto const product = is_of_spmv ? hypergraph_of_spmv(pattern, settings.most_products)
                                  : hypergraph_of_product(pattern, pattern, settings.most_products);
  Cut const cut =
      cut_of(is_of_spmv ? "A x" : "A A", product, settings.cache_words, partition, progress);
  return view_of(is_of_spmv ? order_by_spmv_majority(pattern, cut.parts)
                            : order_by_majority(pattern, cut.parts));
}

void add_movement(MatrixAnalysis& analysis, HostMatrix<double> const& a,
                  MovementSettings const& settings, Partitioner const& partition,
                  Progress const& progress)
{
  bool const is_square = a.num_rows() == a.num_cols();
  HostPattern const left = pattern_of(a);
  ProductHypergraph const spmv = hypergraph_of_spmv(left, settings.most_products);
  Cut const of_spmv = cut_of("A x", spmv, settings.cache_words, partition, progress);
  analysis.movements.push_back(of_spmv.movement);
  if (is_square && of_spmv.movement.parts > 1)
    analysis.orders.push_back(
        voted_order(a, of_spmv.movement, order_by_spmv_majority(left, of_spmv.parts)));
  std::string const formula = is_square ? "A A" : "A A^T";
  if (analysis.product.products > settings.most_products)
  {
    progress(formula +
             ": no upper bound: " + short_number(static_cast<double>(analysis.product.products)) +
             " products are more than " +
             short_number(static_cast<double>(settings.most_products)));
    return;
  }
  HostPattern const right = is_square ? left : pattern_of(transpose(Host{}, a));
  Cut const of_product = cut_of(formula, hypergraph_of_product(left, right, settings.most_products),
                                settings.cache_words, partition, progress);
  analysis.movements.push_back(of_product.movement);
  if (is_square && of_product.movement.parts > 1)
    analysis.orders.push_back(
        voted_order(a, of_product.movement, order_by_majority(left, of_product.parts)));
}

} // namespace heddle::perf
