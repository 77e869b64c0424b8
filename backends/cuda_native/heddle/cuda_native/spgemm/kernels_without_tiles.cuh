// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which kernels SpGEMM has beside dense tiles: what tiles are compared with
// (spgemm/tiles_choice.cuh), and what is taken where these are slower.

#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spgemm/bin_choice.hpp>
#include <heddle/cuda_native/spgemm/gaps_policy.hpp>
#include <heddle/cuda_native/spgemm/node_partition.cuh>
#include <heddle/cuda_native/spgemm/nodes.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>

namespace heddle::cuda_native
{

template <class A, class B>
FactorSizes sizes_of(A const& a, B const& b)
{
  return {static_cast<std::int64_t>(a.num_rows()), static_cast<std::int64_t>(a.nnz()),
          static_cast<std::int64_t>(b.num_rows()), static_cast<std::int64_t>(b.nnz())};
}
template <class A, class B>
bool is_one_matrix(A const& a, B const& b)
{
  return std::is_same_v<decltype(csr_view(a)), decltype(csr_view(b))> &&
         impl::have_one_pattern(a, b);
}

// The kernels that multiply A and B if not tiles. Whether all rows are nodes, or nearly, is looked
// up when it is asked for, and once: that waits for exec.
template <class A, class B, class Value>
class KernelsWithoutTiles
{
  Kokkos::Cuda const& m_exec;
  A const& m_a;
  B const& m_b;
  NodeSizes m_possible = {};
  std::optional<double> m_dense_row_sums; // that are handed on, where rows of C are dense
  std::optional<GapsQuestion> m_gaps;     // where nodes with gaps may pay
  mutable std::optional<int> m_size;
  mutable std::optional<NodesWithGaps> m_sampled, m_nodes_with_gaps;

public:
  KernelsWithoutTiles(Kokkos::Cuda const& exec, A const& a, B const& b,
                      SpgemmOptions const& options, std::int64_t least_entries,
                      std::optional<double> dense_row_sums, std::int64_t calls)
      : m_exec(exec)
      , m_a(a)
      , m_b(b)
      , m_dense_row_sums(dense_row_sums)
  {
    bool const is_asked_for = options.accumulator == SpgemmAccumulator::row_panels;
    FactorSizes const sizes = sizes_of(a, b);
    if (m_dense_row_sums || by_row(options.accumulator) != SpgemmAccumulator::automatic ||
        is_of_all_rows(options.accumulator) ||
        (!is_asked_for && sizes.nnz_a + sizes.nnz_b < least_entries))
      return;
    m_possible =
        possible_node_sizes({sizes.rows_a, sizes.rows_b, sizes.nnz_a},
                            {sizes.rows_b, static_cast<std::int64_t>(b.num_cols()), sizes.nnz_b});
    if (sizes.rows_a != sizes.rows_b || sizes.rows_b != static_cast<std::int64_t>(b.num_cols()) ||
        sizes.nnz_a == 0 || sizes.nnz_b == 0)
      return;
    GapsQuestion const question{.entries_a = static_cast<double>(sizes.nnz_a),
                                .entries_b = static_cast<double>(sizes.nnz_b),
                                .rows = static_cast<double>(sizes.rows_a),
                                .products =
                                    expected_products(sizes.nnz_a, sizes.nnz_b, sizes.rows_b),
                                .bytes_of_value = sizeof(Value),
                                .calls = calls,
                                .are_asked_for = is_asked_for};
    if (question.may_pay())
      m_gaps = question;
  }
  // The size of nodes that all rows of A and B are and that is worth a look, else 1.
  int node_size() const
  {
    if (!m_size)
      m_size = m_possible.count == 0 ? 1
                                     : cuda_native::node_size(m_exec, csr_view(m_a), csr_view(m_b),
                                                              is_one_matrix(m_a, m_b), m_possible);
    return *m_size;
  }
  // Nodes with gaps of A, and so of B, that are worth a look where not all rows are nodes; else of
  // one row.
  NodesWithGaps nodes_with_gaps() const
  {
    if (!m_nodes_with_gaps)
    {
      m_nodes_with_gaps.emplace();
      if (m_gaps && node_size() == 1)
      {
        if (!m_sampled)
          m_sampled = sampled_nodes(m_exec, csr_view(m_a), *m_gaps);
        if (m_gaps->pay(*m_sampled))
          m_nodes_with_gaps = m_sampled;
      }
    }
    return *m_nodes_with_gaps;
  }
  // Whether a sample of another kind may see how alike rows are, and one that did.
  bool wants_windows() const { return m_gaps && !m_sampled; }
  template <class Sample>
  void take_windows(Sample const& sample) const
  {
    if (!wants_windows())
      return;
    SampledChains chains;
    sample.for_each_window([&](SampledWindow const& window) { chains.add(window); });
    m_sampled = chains.best(*m_gaps);
  }
  // What decides about them when blocks have been counted: where nodes_with_gaps() has found some.
  GapsQuestion const& question_of_gaps() const { return *m_gaps; }

  OtherKernels fastest() const
  {
    if (m_dense_row_sums)
      return by_dense_rows(*m_dense_row_sums, sizeof(Value));
    return by_nodes(m_possible.count > 0 ? m_possible.sizes[0]
                    : m_gaps             ? spgemm_panel_policy.node_sizes.front()
                                         : 1,
                    sizeof(Value));
  }
  OtherKernels taken() const
  {
    if (m_dense_row_sums)
      return by_dense_rows(*m_dense_row_sums, sizeof(Value));
    if (int const size = node_size(); size > 1)
      return by_nodes(size, sizeof(Value));
    if (NodesWithGaps const nodes = nodes_with_gaps(); nodes.size > 1)
      return m_gaps->kernels(nodes);
    return by_nodes(1, sizeof(Value));
  }
};

} // namespace heddle::cuda_native
