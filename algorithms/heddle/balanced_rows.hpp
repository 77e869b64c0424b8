// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rows for ranks or devices: which contiguous rows each takes so that all have about as much to do
// (the question that Anzt et al., 2014, leave open for SELL-P on several GPUs).

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/ell_matrix.hpp>
#include <heddle/impl/balanced_cuts.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/on_host.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/sell_matrix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace heddle
{

namespace impl
{

template <class Before>
std::vector<std::int64_t> balanced_cuts(std::int64_t units, std::int64_t parts,
                                        Before const& before)
{
  require(parts > 0, "balanced_rows", parts, " parts, expected at least 1");
  return BalancedCuts<Before>(units, parts, before).cuts();
}

// So many rows, at the least, are whole slices and whole windows of the rows that sigma sorts: what
// can be cut off. More than there are rows where nothing can.
template <class Matrix>
std::int64_t rows_cut_together(Matrix const& a)
{
  std::int64_t const rows = a.num_rows(), height = a.shape().height;
  std::int64_t const sigma = a.rows().extent(0) == 0 ? 1 : a.shape().sigma;
  if (height >= rows || sigma >= rows)
    return std::max(height, rows);
  return std::lcm(height, sigma);
}

} // namespace impl

/// Cuts the rows into contiguous parts of which the heaviest is as light as it can be, counting
/// entries: part p has the rows result[p] .. result[p + 1] - 1, and result has parts + 1 entries,
/// from 0 to the number of rows.
///
/// Parts may be empty, as some must be where there are more parts than rows; a row that has more
/// entries than a share is a part with as few others as that allows. Throws InvalidArgument where
/// parts < 1. Copies the row offsets to the host and waits for exec, and for no other instance;
/// repeatable.
template <ExecutionSpace Exec, Csr Matrix>
std::vector<std::int64_t> balanced_rows(Exec const& exec, Matrix const& a, std::int64_t parts)
try
{
  auto const offsets = impl::copied_to_host(exec, a.row_offsets());
  std::int64_t const rows = a.num_rows();
  return impl::balanced_cuts(rows, parts, [&](std::int64_t i) {
    return rows == 0 ? 0 : static_cast<std::int64_t>(offsets[static_cast<std::size_t>(i)]);
  });
}
catch (...)
{
  impl::rethrow_out_of_memory("balanced_rows");
}

/// The same, counting places with their padding. Cuts fall between slices, and between the windows
/// whose rows are sorted (shape().sigma), so that every part is a piece of each array of a; where
/// sigma is not less than the number of rows, one part has them all.
template <ExecutionSpace Exec, Sell Matrix>
std::vector<std::int64_t> balanced_rows(Exec const& exec, Matrix const& a, std::int64_t parts)
try
{
  auto const offsets = impl::copied_to_host(exec, a.slice_offsets());
  std::int64_t const rows = a.num_rows(), slices = a.num_slices();
  std::int64_t const together = impl::rows_cut_together(a);
  std::int64_t const units = impl::divided_up(rows, together);
  auto cuts = impl::balanced_cuts(units, parts, [&](std::int64_t unit) {
    std::int64_t const slice = unit == units ? slices : unit * together / a.shape().height;
    return rows == 0 ? 0 : static_cast<std::int64_t>(offsets[static_cast<std::size_t>(slice)]);
  });
  for (std::int64_t& cut : cuts)
    cut = std::min(cut * together, rows);
  return cuts;
}
catch (...)
{
  impl::rethrow_out_of_memory("balanced_rows");
}

/// The same for ELL, where every row has as many places: parts of equal numbers of rows, or of one
/// more. Does not wait.
template <ExecutionSpace Exec, Ell Matrix>
std::vector<std::int64_t> balanced_rows(Exec const&, Matrix const& a, std::int64_t parts)
try
{
  return impl::balanced_cuts(a.num_rows(), parts, [](std::int64_t i) { return i; });
}
catch (...)
{
  impl::rethrow_out_of_memory("balanced_rows");
}

} // namespace heddle
