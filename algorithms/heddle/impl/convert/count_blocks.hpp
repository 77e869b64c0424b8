// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How many blocks of a shape have entries, without making them. An entry counts where it is the
// first of its block: the entry before it in its row lies in another block, and of the rows above
// it in the row of blocks, none has an entry in the block (one binary search each, the nearest row
// first, as it is the likeliest to have one). So an entry costs at most height searches, work is
// even whatever the row lengths, and nothing is sorted or stored.

#include <heddle/bsr_matrix.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/sum_of.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl
{

// 1 where entry k is the first of its block.
template <class Offsets, class Rows, class Columns>
struct IsFirstOfBlock
{
  BlockShape shape;
  Offsets offsets;
  Rows rows;
  Columns columns;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t k) const
  {
    using Ordinal = typename Columns::non_const_value_type;
    auto const i = static_cast<std::int64_t>(rows(k));
    auto const block = static_cast<Ordinal>(columns(k) / shape.width);
    if (k > static_cast<std::int64_t>(offsets(i)) && columns(k - 1) / shape.width == block)
      return 0;
    auto const first_column = static_cast<Ordinal>(block * shape.width);
    for (std::int64_t above = i - 1; above >= i / shape.height * shape.height; --above)
    {
      auto const end = offsets(above + 1);
      auto const place = lower_bound(columns, offsets(above), end, first_column);
      if (place < end && columns(place) / shape.width == block)
        return 0;
    }
    return 1;
  }
};

// rows(k) is the row of entry k; columns ascend in each row. Waits for exec.
template <class Exec, class Offsets, class Rows, class Columns>
std::int64_t count_blocks(Exec const& exec, BlockShape shape, Offsets const& offsets,
                          Rows const& rows, Columns const& columns)
{
  return sum_of(exec, "heddle::suggest_block_size::count", columns.extent(0),
                IsFirstOfBlock<Offsets, Rows, Columns>{shape, offsets, rows, columns});
}

} // namespace heddle::impl
