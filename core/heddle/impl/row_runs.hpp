// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The columns of a CSR matrix by runs. Matrices of finite elements with several unknowns per node
// have as many neighbouring rows with the same columns, and these come in runs of as many
// consecutive ones: dense blocks of size x size entries. Rows are cut into blocks of `size`; one
// whose rows are alike and whose columns are runs keeps a 16-bit index per run, counted from the
// first column of its group of 32 blocks, instead of size^2 columns. Where the columns of a group
// span more than 2^16 such indices the columns of the first row of each block are read from the
// matrix. All other blocks are irregular: their rows are read from the matrix one by one.
//
// Cost of building: a pass over a sample and two over the pattern, of which the second reads the
// first row of each block; it waits for exec three times. Memory: 4 bytes per block, a base and a
// unit per group, 2 bytes per size^2 entries.

#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/on_host.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/sampled.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// What kernels see. Block b has the rows b * size .. min((b + 1) * size, rows) - 1 and begins with
// entry first(b); run k of a regular one begins with column base + unit * index. Entries are
// counted in 31 bits, the last of 32 tells of irregular blocks.
template <class Ordinal>
struct RowRunsView
{
  static constexpr std::uint32_t irregular = std::uint32_t(1) << 31;
  static constexpr std::int64_t group = 32; // blocks
  std::int64_t blocks;
  int size; // rows of a block and columns of a run
  std::uint32_t const* __restrict__ starts;
  Ordinal const* __restrict__ bases; // per group; -1: it spans too many columns for indices
  Ordinal const* __restrict__ units; // per group: size where all runs begin at a multiple of it
  std::uint16_t const* __restrict__ indices;

  KOKKOS_FUNCTION bool is_regular(std::int64_t b) const { return (starts[b] & irregular) == 0; }
  KOKKOS_FUNCTION std::int64_t first(std::int64_t b) const { return starts[b] & ~irregular; }
  // Where the indices of a block begin that begins with entry `first`: those of blocks before it
  // end there or earlier.
  KOKKOS_FUNCTION static std::int64_t first_index(std::int64_t first, int size)
  {
    return first / size / size;
  }
};

template <class Ordinal, class Space>
struct RowRuns
{
  static constexpr std::array<int, 5> sizes{2, 3, 4, 5, 6};
  static constexpr std::int64_t most_entries = RowRunsView<Ordinal>::irregular - 1;
  static constexpr std::int64_t most_indices = std::int64_t(1) << 16; // that a group may span
  int size = sizes.front();
  Kokkos::View<std::uint32_t*, Space> starts = {};
  Kokkos::View<Ordinal*, Space> bases = {}, units = {};
  Kokkos::View<std::uint16_t*, Space> indices = {};
  std::int64_t rows_left = 0, entries_left = 0; // of irregular blocks
  std::int64_t wide_entries = 0;                // of regular ones without indices

  std::int64_t blocks() const
  {
    return std::max(static_cast<std::int64_t>(starts.extent(0)), std::int64_t(1)) - 1;
  }
  std::size_t bytes() const
  {
    return starts.span() * sizeof(std::uint32_t) + (bases.span() + units.span()) * sizeof(Ordinal) +
           indices.span() * sizeof(std::uint16_t);
  }
  RowRunsView<Ordinal> view() const
  {
    return {blocks(), size, starts.data(), bases.data(), units.data(), indices.data()};
  }
};

// Whether `size` rows from `row` on have the same columns, in runs of `size` consecutive ones.
template <class RowOffsets, class Columns>
KOKKOS_INLINE_FUNCTION bool is_block_of_runs(RowOffsets const& row_offsets, Columns const& columns,
                                             std::int64_t row, int size)
{
  auto const first = static_cast<std::int64_t>(row_offsets(row));
  std::int64_t const length = static_cast<std::int64_t>(row_offsets(row + 1)) - first;
  bool is = length % size == 0;
  for (int r = 1; is && r < size; ++r)
    is = static_cast<std::int64_t>(row_offsets(row + r + 1)) == first + (r + 1) * length;
  for (std::int64_t k = 0; is && k < length; k += size)
    for (int c = 0; is && c < size; ++c)
      for (int r = 0; is && r < size; ++r)
        is = columns(first + r * length + k + c) - c == columns(first + k);
  return is;
}

// For sample n of size s, two numbers: the entries of a block, and those of it that a regular block
// would cover.
template <class RowOffsets, class Columns, class Words>
struct SampleBlock
{
  RowOffsets row_offsets;
  Columns columns;
  Words words;
  std::int64_t rows, samples;
  int smallest;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    int const size = smallest + static_cast<int>(n / samples);
    std::int64_t const blocks = rows / size, place = n % samples;
    words(2 * n) = words(2 * n + 1) = 0;
    if (place >= blocks)
      return;
    std::int64_t const row = sampled(place, samples, blocks) * size;
    auto const entries = static_cast<std::int64_t>(row_offsets(row + size) - row_offsets(row));
    words(2 * n) = entries;
    words(2 * n + 1) = is_block_of_runs(row_offsets, columns, row, size) ? entries : 0;
  }
};

// The size whose blocks cover the most, and the share of the sampled entries that they cover.
struct RunsSample
{
  int size = 2;
  double covered_share = 0;
};

// Waits for exec.
template <class Exec, class RowOffsets, class Columns>
RunsSample sample_runs(Exec const& exec, RowOffsets const& row_offsets, Columns const& columns,
                       std::int64_t rows)
{
  using Runs = RowRuns<typename Columns::non_const_value_type, typename Columns::memory_space>;
  constexpr std::int64_t samples = 1024;
  constexpr auto count = static_cast<std::int64_t>(Runs::sizes.size()) * samples;
  RunsSample best;
  if (rows == 0)
    return best;
  Scratch<std::int64_t, Exec> const words(exec, 2 * count);
  Kokkos::parallel_for("heddle::row_runs::sample", range(exec, count),
                       SampleBlock<RowOffsets, Columns, decltype(words.view())>{
                           row_offsets, columns, words.view(), rows, samples, Runs::sizes.front()});
  auto const host = copied_to_host(exec, words.view());
  double best_saving = 0;
  for (std::size_t s = 0; s < Runs::sizes.size(); ++s)
  {
    std::int64_t entries = 0, covered = 0;
    for (std::int64_t n = 0; n < samples; ++n)
    {
      std::size_t const at = 2 * (s * samples + static_cast<std::size_t>(n));
      entries += host[at];
      covered += host[at + 1];
    }
    double const share =
        entries > 0 ? static_cast<double>(covered) / static_cast<double>(entries) : 0.0;
    // An entry of a regular block has the size^2-th part of an index instead of a column.
    double const blocks = Runs::sizes[s] * Runs::sizes[s];
    double const saving = share * (1.0 - 0.5 / blocks);
    if (saving > best_saving)
    {
      best = {Runs::sizes[s], share};
      best_saving = saving;
    }
  }
  return best;
}

// starts of block b, and of a regular one the first and the last column that a run begins with, and
// whether all runs begin at multiples of the size.
template <class RowOffsets, class Columns, class Starts, class Ends, class Flags>
struct FindBlock
{
  using Ordinal = typename Columns::non_const_value_type;
  RowOffsets row_offsets;
  Columns columns;
  Starts starts;
  Ends lowest, highest;
  Flags is_aligned;
  std::int64_t rows, blocks;
  int size;

  KOKKOS_FUNCTION void operator()(std::int64_t b, std::int64_t& rows_left,
                                  std::int64_t& entries_left) const
  {
    std::int64_t const row = b * size;
    auto const first = static_cast<std::int64_t>(row_offsets(row < rows ? row : rows));
    if (b == blocks)
    {
      starts(b) = static_cast<std::uint32_t>(first);
      return;
    }
    std::int64_t const last_row = row + size < rows ? row + size : rows;
    bool const is_regular = row + size <= rows && is_block_of_runs(row_offsets, columns, row, size);
    starts(b) =
        static_cast<std::uint32_t>(first) | (is_regular ? 0U : RowRunsView<Ordinal>::irregular);
    if (is_regular)
      return find_ends(b, first, static_cast<std::int64_t>(row_offsets(row + 1)));
    rows_left += last_row - row;
    entries_left += static_cast<std::int64_t>(row_offsets(last_row)) - first;
  }
  KOKKOS_FUNCTION void find_ends(std::int64_t b, std::int64_t first, std::int64_t last) const
  {
    Ordinal low = first < last ? columns(first) : Ordinal(0), high = low;
    bool are_aligned = true;
    for (std::int64_t k = first; k < last; k += size)
    {
      auto const column = columns(k);
      low = column < low ? column : low;
      high = column > high ? column : high;
      are_aligned = are_aligned && column % size == 0;
    }
    lowest(b) = low;
    highest(b) = high;
    is_aligned(b) = are_aligned;
  }
};

// Base and unit of group g.
template <class Ordinal, class Starts, class Ends, class Flags, class OfGroup>
struct FindBase
{
  Starts starts;
  Ends lowest, highest;
  Flags is_aligned;
  OfGroup bases, units;
  std::int64_t blocks, most_indices;
  int size;

  KOKKOS_FUNCTION void operator()(std::int64_t g, std::int64_t& wide_entries) const
  {
    using Runs = RowRunsView<Ordinal>;
    std::int64_t const first = g * Runs::group;
    std::int64_t const last = first + Runs::group < blocks ? first + Runs::group : blocks;
    Ordinal low = 0, high = 0;
    std::int64_t entries = 0;
    bool are_aligned = true;
    for (std::int64_t b = first; b < last; ++b)
    {
      std::int64_t const begin = starts(b), end = starts(b + 1) & ~Runs::irregular;
      if ((starts(b) & Runs::irregular) != 0 || begin == end)
        continue;
      low = entries == 0 || lowest(b) < low ? lowest(b) : low;
      high = entries == 0 || highest(b) > high ? highest(b) : high;
      entries += end - begin;
      are_aligned = are_aligned && is_aligned(b) != 0;
    }
    Ordinal const unit = are_aligned ? size : 1;
    bool const is_narrow = static_cast<std::int64_t>((high - low) / unit) < most_indices;
    bases(g) = is_narrow ? low : Ordinal(-1);
    units(g) = unit;
    if (!is_narrow)
      wide_entries += entries;
  }
};

// Indices of the runs of block b.
template <class Columns, class Starts, class OfGroup, class Indices>
struct IndexRuns
{
  Columns columns;
  Starts starts;
  OfGroup bases, units;
  Indices indices;
  int size;

  KOKKOS_FUNCTION void operator()(std::int64_t b) const
  {
    using Runs = RowRunsView<typename Columns::non_const_value_type>;
    std::int64_t const g = b / Runs::group;
    if ((starts(b) & Runs::irregular) != 0 || bases(g) < 0)
      return;
    std::int64_t const first = starts(b), end = starts(b + 1) & ~Runs::irregular;
    std::int64_t const index = Runs::first_index(first, size), runs = (end - first) / size / size;
    for (std::int64_t n = 0; n < runs; ++n)
      indices(index + n) =
          static_cast<std::uint16_t>((columns(first + n * size) - bases(g)) / units(g));
  }
};

// For at most RowRuns::most_entries entries. Waits for exec.
template <class Exec, class RowOffsets, class Columns>
auto row_runs(Exec const& exec, RowOffsets const& row_offsets, Columns const& columns,
              std::int64_t rows, int size)
{
  using Ordinal = typename Columns::non_const_value_type;
  using Runs = RowRuns<Ordinal, typename Columns::memory_space>;
  Runs result;
  result.size = size;
  if (rows == 0)
    return result;
  std::int64_t const blocks = divided_up(rows, static_cast<std::int64_t>(size));
  std::int64_t const groups = divided_up(blocks, RowRunsView<Ordinal>::group);
  auto const make = [&]<class View>(View& view, char const* label, std::int64_t n) {
    view = uninitialized<View>(exec, label, static_cast<std::size_t>(n));
  };
  make(result.starts, "heddle::row_runs::starts", blocks + 1);
  make(result.bases, "heddle::row_runs::bases", groups);
  make(result.units, "heddle::row_runs::units", groups);
  make(result.indices, "heddle::row_runs::indices",
       RowRunsView<Ordinal>::first_index(static_cast<std::int64_t>(columns.extent(0)), size));
  Scratch<Ordinal, Exec> const lowest(exec, static_cast<std::size_t>(blocks));
  Scratch<Ordinal, Exec> const highest(exec, static_cast<std::size_t>(blocks));
  Scratch<std::uint8_t, Exec> const is_aligned(exec, static_cast<std::size_t>(blocks));
  using Ends = typename Scratch<Ordinal, Exec>::view_type;
  using Flags = typename Scratch<std::uint8_t, Exec>::view_type;
  using Starts = decltype(result.starts);
  using OfGroup = decltype(result.bases);
  Kokkos::parallel_reduce("heddle::row_runs::find_blocks", range(exec, blocks + 1),
                          FindBlock<RowOffsets, Columns, Starts, Ends, Flags>{
                              row_offsets, columns, result.starts, lowest.view(), highest.view(),
                              is_aligned.view(), rows, blocks, size},
                          Kokkos::Sum<std::int64_t>(result.rows_left),
                          Kokkos::Sum<std::int64_t>(result.entries_left));
  Kokkos::parallel_reduce("heddle::row_runs::find_bases", range(exec, groups),
                          FindBase<Ordinal, Starts, Ends, Flags, OfGroup>{
                              result.starts, lowest.view(), highest.view(), is_aligned.view(),
                              result.bases, result.units, blocks, Runs::most_indices, size},
                          result.wide_entries);
  Kokkos::parallel_for(
      "heddle::row_runs::index", range(exec, blocks),
      IndexRuns<Columns, Starts, OfGroup, decltype(result.indices)>{
          columns, result.starts, result.bases, result.units, result.indices, size});
  return result;
}

} // namespace heddle::impl
