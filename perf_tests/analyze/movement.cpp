// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/analysis.hpp>
#include <heddle/permute.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <analyze/movement.hpp>
#include <report/svg.hpp>

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

TriedOrder voted_order(HostMatrix<double> const& a, HostPattern const& pattern, Parts const& parts,
                       double seconds)
{
  Host const host;
  Kokkos::Timer const clock;
  auto const numbers = order_by_majority(pattern, parts);
  Kokkos::View<int*, Kokkos::HostSpace> const p("heddle::perf::order", numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    p(i) = static_cast<int>(numbers[i]);
  auto const moved = permute(host, a, p, p);
  return {"majority of the parts of A A (hypergraph)", pattern_figures(host, moved),
          seconds + clock.seconds()};
}

} // namespace

void add_movement(MatrixAnalysis& analysis, HostMatrix<double> const& a,
                  MovementSettings const& settings, Partitioner const& partition,
                  std::function<void(std::string const&)> const& progress)
{
  bool const is_square = a.num_rows() == a.num_cols();
  HostPattern const left = pattern_of(a);
  HostPattern const right = is_square ? left : pattern_of(transpose(Host{}, a));
  Kokkos::Timer const clock;
  ProductHypergraph const product = hypergraph_of_product(left, right, settings.most_products);
  auto const pins = static_cast<double>(product.graph.pins.size());
  progress("hypergraph of " + short_number(static_cast<double>(product.graph.vertices)) +
           " products, " + short_number(static_cast<double>(product.graph.nets())) + " nets and " +
           short_number(pins) + " pins: about " + short_number(pins * 80 / 1048576) +
           " MiB, and a second or two for each 200,000 products and cut");
  auto const found =
      movement_upper_bound(product, settings.cache_words, partition, [&progress](int parts) {
        progress("cutting into " + std::to_string(parts) + " parts");
      });
  analysis.movement = {.lower = 2 * (product.nets_of_a + product.nets_of_b + product.nets_of_c),
                       .upper = found.bound.words,
                       .largest = found.bound.largest,
                       .cache_words = settings.cache_words,
                       .parts = found.count,
                       .seconds = clock.seconds()};
  if (is_square && found.count > 1)
    analysis.orders.push_back(voted_order(a, left, found.parts, analysis.movement->seconds));
}

} // namespace heddle::perf
