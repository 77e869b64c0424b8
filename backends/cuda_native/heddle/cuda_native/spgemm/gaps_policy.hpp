// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of SpGEMM by nodes with gaps (spgemm/nodes_with_gaps.cuh), and what decides about them.

#include <heddle/cuda_native/spgemm/panel_policy.hpp>
#include <heddle/cuda_native/spgemm/row_likeness.hpp>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

struct SpgemmGapsPolicy
{
  // Rows longer than this are not taken: a few lanes go through the rows of a node.
  int most_entries_of_row;
  // Rows that begin a window of the sample, and what A and B have at least on average and in all
  // to be sampled.
  int sampled_windows;
  double least_entries_of_row;
  // Times in picoseconds beside those of SpgemmTilesPolicy: of finding nodes and C's pattern by
  // them in any case, per entry of A and B, and per product of two blocks; of calls in any case and
  // per value of the padded blocks of A and B. And of the sample, as much as it has to promise.
  double of_pattern, of_pattern_entry, of_pattern_block_product;
  double of_call, of_padded_value;
  // What products in nodes of six rows take of the time of those in others, and the nodes that keep
  // the device busy: of fewer, products take as much longer.
  double of_sixes, least_nodes;
  double of_sample;
};

// perf_tests/results/h200/spgemm_gaps.txt.
inline constexpr SpgemmGapsPolicy spgemm_gaps_policy{.most_entries_of_row = 4096,
                                                     .sampled_windows = 128,
                                                     .least_entries_of_row = 16.0,
                                                     .of_pattern = 300e6,
                                                     .of_pattern_entry = 8.0,
                                                     .of_pattern_block_product = 14.0,
                                                     .of_call = 45e6,
                                                     .of_padded_value = 4.0,
                                                     .of_sixes = 0.85,
                                                     .least_nodes = 3000.0,
                                                     .of_sample = 30e6};

// Rows of a node at most, and how many of the rows, columns and blocks of nodes there are: the
// others are filled with zeros. of_entries: of the values of padded blocks, what are entries.
struct NodesWithGaps
{
  int size = 1;
  double of_rows = 1.0, of_entries_a = 1.0, of_entries_b = 1.0;

  // Products of padded blocks for each of entries.
  double padded_products() const { return of_rows / (of_entries_a * of_entries_b); }
};

// Times by such nodes.
inline OtherKernels by_nodes_with_gaps(NodesWithGaps const& nodes, double rows, double entries_a,
                                       double entries_b, std::size_t bytes_of_value)
{
  auto const& policy = spgemm_gaps_policy;
  double const count = rows / (nodes.size * nodes.of_rows);
  OtherKernels kernels = by_nodes(nodes.size, bytes_of_value);
  kernels.of_product *= nodes.padded_products() * (nodes.size == 6 ? policy.of_sixes : 1.0) *
                        std::max(1.0, policy.least_nodes / std::max(count, 1.0));
  kernels.of_call = policy.of_call + policy.of_padded_value * (entries_a / nodes.of_entries_a +
                                                               entries_b / nodes.of_entries_b);
  kernels.of_pattern_product += policy.of_pattern_block_product * nodes.padded_products() /
                                (nodes.size * nodes.size * nodes.size);
  kernels.of_pattern = policy.of_pattern + policy.of_pattern_entry * (entries_a + entries_b);
  return kernels;
}

// Of the calls and of finding the pattern for them.
constexpr double time_in_all(OtherKernels const& of, double products, std::int64_t calls)
{
  return of.of_pattern + of.of_pattern_product * products +
         static_cast<double>(calls) * (of.of_call + of.of_product * products);
}

// What decides whether nodes with gaps are looked for.
struct GapsQuestion
{
  double entries_a, entries_b, rows, products;
  std::size_t bytes_of_value;
  std::int64_t calls;
  bool are_asked_for; // whatever finding them takes

  // Whether they would be faster than rows one by one, times of finding them included.
  bool pay(NodesWithGaps const& nodes, double to_look = 0.0) const
  {
    if (nodes.size == 1)
      return false;
    OtherKernels const by_rows = by_nodes(1, bytes_of_value);
    if (are_asked_for)
      return by_nodes(nodes.size, bytes_of_value).of_product * nodes.padded_products() <
             by_rows.of_product;
    return time(nodes) + to_look < time_in_all(by_rows, products, calls);
  }
  OtherKernels kernels(NodesWithGaps const& nodes) const
  {
    return by_nodes_with_gaps(nodes, rows, entries_a, entries_b, bytes_of_value);
  }
  double time(NodesWithGaps const& nodes) const
  {
    return time_in_all(kernels(nodes), products, calls);
  }
  // Whether they might, so that rows are sampled.
  bool may_pay() const
  {
    return are_asked_for ||
           (std::min(entries_a, entries_b) >= spgemm_gaps_policy.least_entries_of_row * rows &&
            pay({.size = spgemm_panel_policy.node_sizes.front()}, spgemm_gaps_policy.of_sample));
  }
};

// Chains of rows, each nearly equal to the next, in windows.
class SampledChains
{
  static constexpr std::size_t sizes = spgemm_panel_policy.node_sizes.size();
  std::int64_t m_rows = 0, m_linked = 0;
  std::array<std::int64_t, sizes> m_nodes = {}; // that chains are cut into
  double m_alike = 0.0;                         // of linked rows

  void add_chain(int rows)
  {
    m_rows += rows;
    for (std::size_t n = 0; n < sizes; ++n)
      m_nodes[n] += (rows - 1) / spgemm_panel_policy.node_sizes[n] + 1;
  }

public:
  // The first chain of a window may have begun before it, the last may go on: neither counts,
  // unless there is no other.
  void add(SampledWindow const& window)
  {
    m_linked += std::popcount(window.linked);
    m_alike += static_cast<double>(window.alike) / SampledWindow::parts;
    int first = -1; // row of a chain that began in the window
    bool has_chains = false;
    for (int row = 0; row + 1 < SampledWindow::rows; ++row)
      if ((window.linked >> row & 1) == 0)
      {
        if (first >= 0)
          add_chain(row - first + 1);
        has_chains = has_chains || first >= 0;
        first = row + 1;
      }
    if (!has_chains)
      add_chain(SampledWindow::rows);
  }
  // The part of the values of blocks that are entries, beside rows and columns that nodes lack: two
  // rows that each have a part d of their columns to themselves have (1 - d) / (1 + d) in common,
  // and `size` rows fill 1 in 1 + (size - 1) d, as where each row's columns are moved a little
  // against those of the row before. Where entries are missing at random that is less than there
  // are.
  double part_of_entries(int size) const
  {
    double const common = m_linked == 0 ? 1.0 : m_alike / static_cast<double>(m_linked);
    double const alone = (1.0 - common) / (1.0 + common);
    return 1.0 / (1.0 + (size - 1) * alone);
  }
  // The nodes that should take the least time; of one row if there are no others.
  NodesWithGaps best(GapsQuestion const& question) const
  {
    NodesWithGaps best;
    for (std::size_t n = 0; n < sizes && m_rows > 0; ++n)
    {
      int const size = spgemm_panel_policy.node_sizes[n];
      double const filled = static_cast<double>(m_rows) /
                            (static_cast<double>(size) * static_cast<double>(m_nodes[n]));
      double const of_entries = filled * filled * part_of_entries(size);
      NodesWithGaps const nodes{size, filled, of_entries, of_entries};
      if (best.size == 1 || question.time(nodes) < question.time(best))
        best = nodes;
    }
    return best;
  }
};

} // namespace heddle::cuda_native
