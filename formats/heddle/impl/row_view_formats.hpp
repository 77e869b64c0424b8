// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The formats that kernels read through row views (row_views.hpp): CSR, ELL, SELL, BSR, row
// segments, and coordinates, each entry of which has a view of its own. What holds for all of them
// is here.

#include <heddle/impl/block_row_views.hpp>
#include <heddle/impl/entry_row_views.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_segment_row_views.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_views.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/slice_row_views.hpp>
#include <heddle/impl/transposed_pattern.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace heddle::impl
{

template <class Matrix>
inline constexpr bool has_row_views_v =
    is_csr_matrix_v<Matrix> || is_ell_matrix_v<Matrix> || is_sell_matrix_v<Matrix> ||
    is_bsr_matrix_v<Matrix> || is_row_segmented_matrix_v<Matrix>;

// Names of the two kernels for row views, by format.
template <class Matrix>
struct RowViewKernelNames
{
  static constexpr bool is_csr = is_csr_matrix_v<Matrix>, is_ell = is_ell_matrix_v<Matrix>,
                        is_sell = is_sell_matrix_v<Matrix>, is_bsr = is_bsr_matrix_v<Matrix>;
  static constexpr char const* team = is_csr    ? "portable::csr_team"
                                      : is_ell  ? "portable::ell_team"
                                      : is_sell ? "portable::sell_team"
                                      : is_bsr  ? "portable::bsr_team"
                                                : "portable::row_segments_team";
  static constexpr char const* chunks = is_csr    ? "portable::csr_chunks"
                                        : is_ell  ? "portable::ell_chunks"
                                        : is_sell ? "portable::sell_chunks"
                                        : is_bsr  ? "portable::bsr_chunks"
                                                  : "portable::row_segments_chunks";
};

// "heddle::spmv::csr_team" for the implementation "portable::csr_team" of spmv.
inline std::string kernel_label(char const* operation, char const* implementation,
                                char const* step = "")
{
  std::string_view const name = implementation;
  return std::string("heddle::")
      .append(operation)
      .append(name.substr(name.find("::")))
      .append(step);
}

// What statistics_of_row_views does with one view: a functor, see scan.hpp.
template <class RowViews>
struct LongestRowView
{
  RowViews views;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& longest) const
  {
    std::int64_t const length = views[i].length;
    longest = length > longest ? length : longest;
  }
};

// Waits for exec.
template <class Exec, class Matrix>
RowStatistics statistics_of_row_views(Exec const& exec, Matrix const& a)
{
  RowStatistics result{.rows = a.num_rows(), .nonzeros = static_cast<std::int64_t>(a.nnz())};
  if (result.rows == 0)
    return result;
  auto const views = row_views_of(a);
  Kokkos::parallel_reduce("heddle::row_statistics", range(exec, views.count),
                          LongestRowView<decltype(row_views_of(a))>{views},
                          Kokkos::Max<std::int64_t>(result.longest));
  return result;
}

// counts(i) = entries of view i.
template <class RowViews>
struct EntriesOfRowView
{
  RowViews views;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    std::int64_t count = 0;
    views[i].for_each([&](std::int64_t, std::int64_t) { ++count; });
    return count;
  }
};

// What list_entries does with one view: a functor, see scan.hpp.
template <class RowViews, class Starts, class Indices, class Slots>
struct ListEntriesOfRowView
{
  RowViews views;
  Starts starts;
  Indices rows, columns;
  Slots slots;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    using Ordinal = typename Indices::non_const_value_type;
    std::int64_t k = starts(i);
    views[i].for_each([&](std::int64_t column, std::int64_t slot) {
      rows(k) = static_cast<Ordinal>(views.row(i));
      columns(k) = static_cast<Ordinal>(column);
      slots(k) = slot;
      ++k;
    });
  }
};

// Entries one after the other, those of view i from starts(i) on. Asynchronous.
template <class Exec, class RowViews, class Starts, class Indices, class Slots>
void list_entries(Exec const& exec, RowViews const& views, Starts const& starts,
                  Indices const& rows, Indices const& columns, Slots const& slots)
{
  Kokkos::parallel_for(
      "heddle::list_entries", range(exec, views.count),
      ListEntriesOfRowView<RowViews, Starts, Indices, Slots>{views, starts, rows, columns, slots});
}

// positions(k) = slots(positions(k)). Asynchronous.
template <class Exec, class Slots, class Positions>
void replace_by(Exec const& exec, Slots const& slots, Positions const& positions)
{
  Kokkos::parallel_for(
      "heddle::transposed::slots", range(exec, positions.extent(0)),
      GatherValue<false, Positions, Slots, Positions>{positions, slots, positions});
}

// A^T with the slots of A's values. Padding may take slots beyond what offsets of entries count.
template <class Matrix>
using TransposedRowsOf = std::conditional_t<
    is_csr_matrix_v<Matrix> || is_coo_matrix_v<Matrix>, TransposedPatternOf<Matrix>,
    TransposedPattern<typename Matrix::ordinal_type, std::int64_t, typename Matrix::memory_space>>;

// Coordinates in any order by row; entries of a row stay in their order. Asynchronous on CUDA and
// hosts, but for the Views it makes.
template <class Exec, Coo Matrix>
TransposedPatternOf<Matrix> entries_by_row(Exec const& exec, Matrix const& a)
{
  auto t = new_transposed_pattern<TransposedPatternOf<Matrix>>(exec, a.num_rows(), a.nnz());
  gather_by_row(exec, a.rows(), a.columns(), t.row_offsets, t.columns, t.positions);
  return t;
}

// Waits for exec.
template <class Exec, class Matrix>
TransposedRowsOf<Matrix> transposed_rows(Exec const& exec, Matrix const& a)
{
  if constexpr (is_csr_matrix_v<Matrix>)
    return transposed_pattern(exec, a);
  else if constexpr (is_coo_matrix_v<Matrix>)
  {
    auto t = new_transposed_pattern<TransposedRowsOf<Matrix>>(exec, a.num_cols(), a.nnz());
    gather_by_row(exec, a.columns(), a.rows(), t.row_offsets, t.columns, t.positions);
    return t;
  }
  else
  {
    using Ordinal = typename Matrix::ordinal_type;
    auto const views = row_views_of(a);
    Scratch<std::int64_t, Exec> const starts(exec, static_cast<std::size_t>(views.count) + 1);
    auto const n = static_cast<std::size_t>(offsets_from_counts(
        exec, views.count, EntriesOfRowView<decltype(row_views_of(a))>{views}, starts.view()));
    Scratch<Ordinal, Exec> const rows(exec, n), columns(exec, n);
    Scratch<std::int64_t, Exec> const slots(exec, n);
    list_entries(exec, views, starts.view(), rows.view(), columns.view(), slots.view());
    auto t = new_transposed_pattern<TransposedRowsOf<Matrix>>(exec, a.num_cols(), n);
    gather_by_row(exec, columns.view(), rows.view(), t.row_offsets, t.columns, t.positions);
    replace_by(exec, slots.view(), t.positions);
    return t;
  }
}

} // namespace heddle::impl
