// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of the SpGEMM kernels that sum in panels (spgemm/numeric_panel.cuh).

#include <heddle/config.hpp>
#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/spgemm/node_sizes.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

struct SpgemmPanelPolicy
{
  // Rows of a node, and columns of each of its runs, largest first.
  std::array<int, 4> node_sizes;
  // Entries of A and B in all from which on nodes are looked for, by plans and by single
  // multiplies: a pass over both and a wait.
  std::int64_t least_entries_of_plan, least_entries_of_call;
  // Threads of a block whose panels have a warp or fewer lanes each, and of one with a single
  // panel.
  int shared_block, single_block;
  // Bytes of shared memory of the panels of a block with single rows of C.
  int bytes_of_block;
  // Bytes of a panel of a node up to which it has a warp.
  std::size_t most_bytes_of_warp;
  // The share of a multiprocessor's shared memory that panels may take: the rest caches rows of B.
  double shared_share;
  // Rows that the numeric kernel compares with the pattern of the plan: one in this number.
  int rows_per_check;
  // Single rows have panels unasked where their rows of B have at most so many entries on average,
  // and where they are so many that the device takes its warps this often: of fewer rows some are
  // left when most are done, and tables, whose lanes share a row as it needs, are faster.
  double most_entries_of_b, least_rounds;
};

// Tried on an H100 and an H200 on 2026-11-26 (perf_tests/results/h200/spgemm_panels.txt).
inline constexpr SpgemmPanelPolicy spgemm_panel_policy{.node_sizes = {6, 4, 3, 2},
                                                       .least_entries_of_plan = 1 << 17,
                                                       .least_entries_of_call = 3 << 19,
                                                       .shared_block = 64,
                                                       .single_block = 128,
                                                       .bytes_of_block = 8 << 10,
                                                       .most_bytes_of_warp = 24 << 10,
                                                       .shared_share = 0.9,
                                                       .rows_per_check = 32,
                                                       .most_entries_of_b = 40.0,
                                                       .least_rounds = 1.5};

// Sizes of nodes that are tried at once, largest first.
struct NodeSizes
{
  int sizes[spgemm_panel_policy.node_sizes.size()] = {};
  int count = 0;
};

// The sizes that these of A and B do not rule out.
inline NodeSizes possible_node_sizes(MatrixSizes const& a, MatrixSizes const& b)
{
  NodeSizes possible;
  for (int const size : spgemm_panel_policy.node_sizes)
    if (may_have_nodes(a, size) && may_have_nodes(b, size))
      possible.sizes[possible.count++] = size;
  return possible;
}

// What follows for nodes of a size.
template <int size>
struct SpgemmPanelPolicyFor
{
  // Groups of lanes that share the rows of a node, which would not fit in the registers of one.
  static constexpr int row_groups = size == 6 ? 2 : 1;
  // Columns of B that a lane has at once.
  template <class Sum>
  static constexpr int columns_of_lane = sizeof(Sum) > sizeof(double) ? 1
                                         : size == 1                  ? 4
                                         : size == 4                  ? 2
                                                                      : 3;
};

// Rows of panels, or nodes, in bins by the entries (nodes) of their rows of C: 16, 24, 32, 48, ...
// at most.
inline constexpr int panel_bins = 22;
KOKKOS_INLINE_FUNCTION constexpr std::int64_t most_entries_of_panel(int bin)
{
  return std::int64_t(bin % 2 == 0 ? 16 : 24) << (bin / 2);
}

// Teams of one row of C: 8, 16, 32 or 64 threads, whose panels are a share of the block's memory.
inline constexpr int panel_teams = 4;
KOKKOS_INLINE_FUNCTION constexpr int panel_threads(int team) { return 8 << team; }
// The team of so many threads.
constexpr int panel_team(int threads)
{
  int team = 0;
  while (panel_threads(team) < threads)
    ++team;
  return team;
}
// Bytes of the panel of a team.
KOKKOS_INLINE_FUNCTION constexpr int panel_bytes(int team)
{
  return (spgemm_panel_policy.bytes_of_block * panel_threads(team)) /
         spgemm_panel_policy.shared_block;
}
// The least team for rows of B with so many entries on average.
inline int least_panel_team(double entries_of_b)
{
  return entries_of_b <= 12.0 ? 0 : entries_of_b <= 40.0 ? 1 : 2;
}

// Whether a plan has panels for so many rows of C without being asked; others are left to tables.
inline bool panels_pay(DeviceShape const& device, std::int64_t rows, std::int64_t others,
                       double entries_of_b)
{
  constexpr int threads_of_warp = 32;
  double const warps =
      static_cast<double>(rows) * panel_threads(least_panel_team(entries_of_b)) / threads_of_warp;
  return entries_of_b <= spgemm_panel_policy.most_entries_of_b && rows >= others &&
         warps >= spgemm_panel_policy.least_rounds * static_cast<double>(device.warps());
}

// Blocks of panels on a multiprocessor.
inline int panel_blocks_of_multiprocessor(DeviceShape const& device, std::size_t shared_bytes,
                                          int threads_per_block)
{
  constexpr int threads_of_warp = 32;
  double const room =
      spgemm_panel_policy.shared_share * static_cast<double>(device.shared_bytes_of_multiprocessor);
  int const by_memory =
      static_cast<int>(room / static_cast<double>(shared_bytes + device.reserved_shared_bytes));
  int const by_threads = device.warps_of_multiprocessor * threads_of_warp / threads_per_block;
  return std::clamp(by_memory, 1, std::max(by_threads, 1));
}

} // namespace heddle::cuda_native
