// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The product of the node graphs of A and B (spgemm/nodes.cuh, spgemm/nodes_with_gaps.cuh): the
// symbolic phase by nodes, and which panels the rows of C's node graph have.

#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/panel_slots.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace heddle::cuda_native
{

template <class Result>
struct NodeGraphProduct
{
  impl::SpgemmPattern<Result> pattern;                // of the graph: entries are nodes of C
  SpgemmPanels<typename Result::ordinal_type> panels; // without slots: one for each product
};

// Of nodes of `size` rows. symbolic(call, sizes, room): the pattern of a call, a SpgemmCall of
// spgemm/launches.cuh, by spgemm/symbolic.cuh. Nothing if a row of C is too long for a panel or
// `room` too small. Waits for exec.
template <class Result, class Call, class Symbolic>
std::optional<NodeGraphProduct<Result>>
multiply_node_graphs(Kokkos::Cuda const& exec, typename Call::A const& a, typename Call::B const& b,
                     FactorSizes const& sizes, int size, std::size_t room, Symbolic const& symbolic)
{
  using Ordinal = typename Call::Ordinal;
  using Sum = typename Call::Sum;
  auto const nodes = static_cast<std::size_t>(sizes.rows_a);
  impl::Scratch<ProductRow<Ordinal>, Kokkos::Cuda> const of_rows(exec, nodes);
  impl::Scratch<Ordinal, Kokkos::Cuda> const ordinals(exec, 3 * nodes);
  Call const call{
      exec,
      SpgemmAccumulator::automatic,
      a,
      b,
      {of_rows.data(), ordinals.data(), ordinals.data() + nodes, ordinals.data() + 2 * nodes}};
  NodeGraphProduct<Result> product;
  product.pattern = symbolic(call, sizes, room);
  if (!product.pattern.keeps_columns)
    return {};
  auto& panels = product.panels;
  panels.size = size;
  panels.list = {exec, nodes};
  PanelBins const found =
      bins_of_all_rows<Sum>(exec, sizes.rows_a, product.pattern.row_offsets.data(), of_rows.data(),
                            size, panels.list.data()); // waits
  if (found.bins.empty() || found.have_long_rows() ||
      found.products != product.pattern.products) // those of a row stay at the largest Ordinal
    return {};
  panels.bins = found.bins;
  set_slot_offsets(exec, nodes, of_rows.data(), panels);
  return product;
}

} // namespace heddle::cuda_native
