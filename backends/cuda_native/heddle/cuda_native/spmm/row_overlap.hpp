// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How many columns neighbouring rows share, by a sample of the entries.

#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Counts entries at random which are the first of their column in their bundle, for bundles of 2,
// 3, 4, 6 and 8 rows, those whose column none of the five rows before has, those where none has one
// of the four columns from a multiple of four on that it belongs to either, those whose row before
// has the column before, and how far their rows reach. Rows whose columns do not ascend look less
// alike than they are.
template <class Ordinal, class Offset>
struct FirstOfColumn
{
  static constexpr std::int64_t most_before = 7, neighbours = 5;
  std::int64_t rows, count;
  Offset const* offsets;
  Ordinal const* columns;

  KOKKOS_FUNCTION void operator()(std::int64_t n, std::int64_t& two, std::int64_t& three,
                                  std::int64_t& four, std::int64_t& six, std::int64_t& eight,
                                  std::int64_t& alone, std::int64_t& scattered,
                                  std::int64_t& shifted, std::int64_t& span) const
  {
    constexpr std::uint64_t scatter = 0x9e3779b97f4a7c15U; // Fibonacci hashing, Knuth vol. 3, 6.4
    auto const k = static_cast<std::int64_t>((static_cast<std::uint64_t>(n + 1) * scatter >> 1) %
                                             static_cast<std::uint64_t>(count));
    // The row of entry k: the last that does not begin behind it.
    auto const offset_at = [this](std::int64_t i) { return static_cast<std::int64_t>(offsets[i]); };
    std::int64_t const row = impl::lower_bound(offset_at, std::int64_t(0), rows, k + 1) - 1;
    auto const column_at = [this](Offset at) { return columns[at]; };
    Ordinal const column = columns[k], first_near = column - column % 4;
    std::int64_t since = most_before + 1; // rows since one had the column
    bool is_near = false;
    for (std::int64_t d = 1; d <= most_before && d <= row && since > most_before; ++d)
    {
      Offset const last = offsets[row - d + 1];
      Offset const near = impl::lower_bound(column_at, offsets[row - d], last, first_near);
      for (Offset at = near; at < last && at - near < 4; ++at)
      {
        is_near = is_near ||
                  (d <= neighbours && columns[at] >= first_near && columns[at] - first_near < 4);
        since = columns[at] == column ? d : since;
      }
    }
    bool is_shifted = false;
    if (row > 0 && column > 0)
    {
      Offset const last = offsets[row];
      Offset const at = impl::lower_bound(column_at, offsets[row - 1], last, column - 1);
      is_shifted = at < last && columns[at] == column - 1;
    }
    two += row % 2 < since ? 1 : 0;
    three += row % 3 < since ? 1 : 0;
    four += row % 4 < since ? 1 : 0;
    six += row % 6 < since ? 1 : 0;
    eight += row % 8 < since ? 1 : 0;
    alone += since > neighbours ? 1 : 0;
    scattered += is_near ? 0 : 1;
    shifted += is_shifted ? 1 : 0;
    auto const width = static_cast<std::int64_t>(columns[offsets[row + 1] - 1]) -
                       static_cast<std::int64_t>(columns[offsets[row]]);
    span += width < 0 ? -width : width;
  }
};

// Waits for exec.
template <class Exec, class Entries>
RowOverlap row_overlap(Exec const& exec, Entries const& a, std::int64_t nonzeros)
{
  if (nonzeros == 0)
    return {};
  std::int64_t const samples = SpmmCsrPolicyFor::sampled_entries;
  std::int64_t two = 0, three = 0, four = 0, six = 0, eight = 0, alone = 0, scattered = 0,
               shifted = 0, span = 0;
  Kokkos::parallel_reduce(
      "heddle::row_overlap", impl::range(exec, samples),
      FirstOfColumn<typename Entries::ordinal_type, typename Entries::offset_type>{
          a.rows, nonzeros, a.offsets, a.columns},
      two, three, four, six, eight, alone, scattered, shifted, span);
  auto share = [samples](std::int64_t n) {
    return static_cast<double>(n) / static_cast<double>(samples);
  };
  return {.two = 2 * share(two),
          .three = 3 * share(three),
          .four = 4 * share(four),
          .six = 6 * share(six),
          .eight = 8 * share(eight),
          .alone = share(alone),
          .scattered = share(scattered),
          .shifted = share(shifted),
          .span = share(span)};
}

} // namespace heddle::cuda_native
