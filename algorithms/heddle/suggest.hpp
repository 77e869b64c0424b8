// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/bsr_matrix.hpp>
#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/count_blocks.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/order/gather.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sell_places.hpp>
#include <heddle/impl/sum_of.hpp>
#include <heddle/sell_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle
{

/// What a matrix would take in a format of this shape.
template <class Shape>
struct Candidate
{
  Shape shape;
  std::size_t places = 0; ///< stored for values, padding included
  double fill_ratio = 1;  ///< places over entries
  std::size_t bytes = 0;  ///< of all arrays, as storage_bytes counts them
};

/// The candidates that were asked for, and the one to take.
template <class Shape>
struct Suggestion
{
  std::vector<Candidate<Shape>> candidates; ///< in the order in which they were asked for
  std::size_t best = 0;                     ///< the first of the smallest

  Candidate<Shape> const& recommended() const { return candidates[best]; }
};

/// 1 x 1, which stores what CSR does, squares up to 16 x 16 and a few rectangles.
inline std::vector<BlockShape> block_candidates()
{
  return {{1, 1},   {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {8, 8},
          {16, 16}, {1, 2}, {2, 1}, {1, 4}, {4, 1}, {2, 4}, {4, 2}};
}

/// Heights 8, 16, 32 and 64 with alignments 1, 2, 4 and 8, in the rows' own order and sorted within
/// windows of 128 and 4096 rows.
inline std::vector<SellShape> sell_candidates()
{
  std::vector<SellShape> shapes;
  for (std::int64_t const sigma : {1, 128, 4096})
    for (int const height : {8, 16, 32, 64})
      for (int const alignment : {1, 2, 4, 8})
        shapes.push_back({height, alignment, sigma});
  return shapes;
}

namespace impl
{

template <class Shape>
void add_candidate(Suggestion<Shape>& suggestion, Shape const& shape, std::size_t places,
                   std::size_t nnz, std::size_t bytes)
{
  auto& candidates = suggestion.candidates;
  double const fill = nnz == 0 ? 1.0 : static_cast<double>(places) / static_cast<double>(nnz);
  candidates.push_back({shape, places, fill, bytes});
  if (bytes < candidates[suggestion.best].bytes)
    suggestion.best = candidates.size() - 1;
}

} // namespace impl

/// The exact size of a in blocks of each shape, as to_bsr would store them, and which shape takes
/// the fewest bytes: with the candidates unsaid, 1 x 1 where no blocks pay. Converts nothing: an
/// entry costs a pass and at most height binary searches in the rows above it for each shape, and
/// scratch of an ordinal, where rows are unsorted two sorts and another ordinal and offset. Throws
/// InvalidArgument where there is no candidate or a shape is not positive. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
Suggestion<BlockShape>
suggest_block_size(Exec const& exec, Matrix const& a,
                   std::vector<BlockShape> const& shapes = block_candidates())
try
{
  using Ordinal = typename Matrix::ordinal_type;
  using Offset = typename Matrix::offset_type;
  using Columns = Kokkos::View<Ordinal const*, typename Matrix::memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  impl::require(!shapes.empty(), "suggest_block_size", "no candidates");
  for (BlockShape const& shape : shapes)
    impl::require(shape.height > 0 && shape.width > 0, "suggest_block_size", "blocks of ",
                  shape.height, " x ", shape.width);
  impl::Scratch<Ordinal, Exec> const row_memory(exec, a.nnz());
  auto const rows = row_memory.view();
  impl::expand_rows(exec, a.row_offsets(), rows);
  bool const is_sorted = impl::has_ascending_rows(exec, a.row_offsets(), a.columns());
  std::size_t const to_sort = is_sorted ? 0 : a.nnz();
  impl::Scratch<Ordinal, Exec> const sorted(exec, to_sort);
  impl::Scratch<Offset, Exec> const order(exec, to_sort);
  if (!is_sorted)
  {
    impl::order_by_row_and_column(exec, rows, a.num_rows(), a.columns(), a.num_cols(),
                                  order.view());
    impl::gather(exec, order.view(), a.columns(), sorted.view());
  }
  Columns const columns(is_sorted ? a.columns().data() : sorted.data(), a.nnz());

  Suggestion<BlockShape> suggestion;
  for (BlockShape const& shape : shapes)
  {
    auto const blocks =
        static_cast<std::size_t>(impl::count_blocks(exec, shape, a.row_offsets(), rows, columns));
    std::size_t const places =
        blocks * static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
    auto const offsets = static_cast<std::size_t>(impl::divided_up(a.num_rows(), shape.height)) + 1;
    impl::add_candidate(suggestion, shape, places, a.nnz(),
                        offsets * sizeof(Offset) + blocks * sizeof(Ordinal) +
                            places * sizeof(typename Matrix::value_type));
  }
  return suggestion;
}
catch (...)
{
  impl::rethrow_out_of_memory("suggest_block_size");
}

/// The exact size of a in slices of each shape, as to_sell would store them, and which shape takes
/// the fewest bytes. Reads row lengths only: a pass over them for each shape, and one sort by
/// length for each run of shapes with the same sigma > 1; scratch of three numbers a row. Throws
/// InvalidArgument where there is no candidate or a shape is not positive. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
Suggestion<SellShape> suggest_sell(Exec const& exec, Matrix const& a,
                                   std::vector<SellShape> const& shapes = sell_candidates())
try
{
  using Ordinal = typename Matrix::ordinal_type;
  using Indices = impl::Scratch<Ordinal, Exec>;
  using IndicesView = typename Indices::view_type;
  using Sell = impl::FormatLike<SellMatrix, Matrix>;
  impl::require(!shapes.empty(), "suggest_sell", "no candidates");
  for (SellShape const& shape : shapes)
    Sell::require_shape("suggest_sell", shape);
  auto const rows = static_cast<std::size_t>(a.num_rows());
  auto const longest = impl::row_statistics(exec, a.row_offsets(), a.num_rows(), a.nnz()).longest;
  Indices const length_memory(exec, rows), position_memory(exec, rows);
  auto const lengths = length_memory.view();

  Suggestion<SellShape> suggestion;
  std::int64_t sigma = 0; // of lengths
  for (SellShape const& shape : shapes)
  {
    bool const is_sorted = shape.sigma > 1 && rows > 0;
    if (shape.sigma != sigma)
    {
      sigma = shape.sigma;
      IndicesView const positions = is_sorted ? position_memory.view() : IndicesView();
      if (is_sorted)
        impl::sort_windows(exec, a.row_offsets(), longest, sigma, positions);
      impl::lengths_at_positions(exec, a.row_offsets(), positions, lengths);
    }
    auto const slices = impl::divided_up(a.num_rows(), shape.height);
    auto const places =
        static_cast<std::size_t>(impl::sum_of(exec, "heddle::suggest_sell::places", slices,
                                              impl::SlicePlaces<IndicesView>{lengths, shape}));
    impl::add_candidate(suggestion, shape, places, a.nnz(),
                        (static_cast<std::size_t>(slices) + 1) *
                                sizeof(typename Matrix::offset_type) +
                            rows * sizeof(Ordinal) * (is_sorted ? 2 : 1) +
                            places * (sizeof(Ordinal) + sizeof(typename Matrix::value_type)));
  }
  return suggestion;
}
catch (...)
{
  impl::rethrow_out_of_memory("suggest_sell");
}

} // namespace heddle
