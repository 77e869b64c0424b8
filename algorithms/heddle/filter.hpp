// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/filter_options.hpp>
#include <heddle/impl/entries/filter.hpp>
#include <heddle/impl/entries/keep.hpp>
#include <heddle/impl/entries/norms.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

namespace heddle
{

/// A copy of a without small entries off the diagonal; diagonal entries stay, whatever their value,
/// and so does the order of entries. options.criterion says what small is: by default |a_ij| <=
/// tolerance sqrt(|a_ii| |a_jj|), where a missing diagonal entry counts as 0. An entry that is NaN
/// is compared as the formula says, so it stays. With options.keeps_row_sums the entries that a row
/// loses are added to its diagonal entry, summed in the type that values of a are summed in.
///
/// Five passes at most and scratch of an ordinal and an offset per entry and a real per row. Throws
/// InvalidArgument where the tolerance is negative or NaN, where a is not square for the default
/// criterion, and where row sums are to be kept and a row that loses entries has no diagonal entry
/// (the message has the first one). Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto filter(Exec const& exec, Matrix const& a, impl::magnitude_t<Matrix> tolerance,
            FilterOptions const& options = {})
try
{
  using Rows = impl::Scratch<typename Matrix::ordinal_type, Exec>;
  using Limits = impl::Scratch<impl::magnitude_t<Matrix>, Exec>;
  using Passes = impl::PassesFilter<Matrix, typename Rows::view_type, typename Limits::view_type>;
  bool const compares_with_column = options.criterion == FilterCriterion::diagonal;
  impl::require(tolerance >= 0, "filter", "the tolerance is ", tolerance, ", expected 0 or more");
  impl::require(!compares_with_column || a.num_rows() == a.num_cols(), "filter", "A is ",
                a.num_rows(), " x ", a.num_cols(),
                " but entries are compared with the diagonal of a square matrix");
  Rows const rows(exec, a.nnz());
  Limits const limits(exec, a.num_rows());
  impl::expand_rows(exec, a.row_offsets(), rows.view());
  impl::limits_of_rows(exec, a, options, limits.view());
  Passes const passes{rows.view(),   a.columns(), a.values(),
                      limits.view(), tolerance,   compares_with_column};
  if (!options.keeps_row_sums)
    return impl::keep_entries(exec, "heddle::filter", a, passes);
  return impl::keep_entries(exec, "heddle::filter", a, passes,
                            [&](auto const& result, auto const& before) {
                              impl::add_losses_to_diagonal(exec, a, before, result);
                            });
}
catch (...)
{
  impl::rethrow_out_of_memory("filter");
}

} // namespace heddle
