// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The rows that a launch of csr_rows works on (spmm/csr_rows.cuh), and who takes them.

#include <cstdint>

namespace heddle::cuda_native
{

// What a launch works on: segments, a block each; then rows of a block each, of a warp each, of a
// group each, and short rows.
template <class Ordinal>
struct RowTasks
{
  std::int64_t segments = 0, block_rows = 0, warp_rows = 0, group_rows = 0, short_rows = 0;
  int rounds = 1, short_rounds = 1; // rows of a group, one after the other; short ones
  std::int64_t group_blocks = 0;    // of a tile: a division in each thread takes as long as a row
  bool is_short = false;            // no row has more entries than a group has lanes
  bool is_long_first = false;       // what is not a group's or short goes first, of all tiles
  int first_blocks = 0;             // of each tile, before all others of all tiles
  std::int64_t long_rows = 0;       // in front of the list, cut into segments
  Ordinal const* list = nullptr;    // rows, longest first; null: all rows in their order
  Ordinal const* row_of_segment = nullptr; // index in the list
  Ordinal const* first_segment = nullptr;  // of each long row, and one more
};

} // namespace heddle::cuda_native
