// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/row_segment_model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace heddle::cuda_native
{

struct SpmmRowSegmentsPolicy
{
  int heavy_threads, heavy_blocks_per_processor;
  int light_threads;
  int entries_per_column; // of a panel, that a block has at least if the panel has so many
  int blocks_in_turn;     // heavy blocks that each place for one gets, if there are entries enough
};

// Two heavy blocks share a multiprocessor (paper 000, section 3.1), with 64 registers a thread.
// Light blocks are the smallest that keep it full (section 3.2): on Hopper, with 32 blocks and 2048
// threads, as on the paper's Pascal. How heavy work is cut is not the paper's, which has a block a
// panel; nor has it been measured: bringing a panel to shared memory should cost a block little
// beside using it.
struct SpmmRowSegmentsPolicyFor
{
  static constexpr SpmmRowSegmentsPolicy value{512, 2, 64, 8, 4};

  // Slices of 32 columns that a warp takes: as many as asked for, fewer where so few columns or so
  // little shared memory is there.
  static int within(int slices, std::int64_t k, std::int64_t most)
  {
    constexpr int slice = 32;
    while (slices > 1 && (slices > most || k <= std::int64_t(slices / 2) * slice))
      slices /= 2;
    return slices;
  }
  // Slices of heavy segments that the model expects to take the least time, among those with which
  // so many blocks as were measured have room; where it knows no time, those it was trained with.
  static int vertical(RowSegmentModel::OfType const& model, RowSegmentWork const& work,
                      std::size_t slice_bytes, std::size_t shared_bytes_per_processor)
  {
    constexpr std::size_t reserved = 1 << 10; // of each block (compute capability 9.0)
    std::size_t const room =
        shared_bytes_per_processor / value.heavy_blocks_per_processor - reserved;
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    bool is_known = false;
    for (std::size_t n = 0; n < model.heavy.size(); ++n)
    {
      int const slices = RowSegmentModel::coarsenings[n];
      double const cost = model.cost(n, work);
      is_known = is_known || cost < std::numeric_limits<double>::infinity();
      if (cost < least && static_cast<std::size_t>(slices) * slice_bytes <= room)
      {
        least = cost;
        best = slices;
      }
    }
    return best > 0 ? best : is_known ? 1 : model.vertical;
  }
  static std::int64_t entries_per_block(std::int64_t heavy_nnz, std::int64_t panel_width,
                                        std::int64_t processors)
  {
    std::int64_t const blocks =
        processors * value.heavy_blocks_per_processor * value.blocks_in_turn;
    return std::max(value.entries_per_column * panel_width, heavy_nnz / blocks + 1);
  }
};

} // namespace heddle::cuda_native
