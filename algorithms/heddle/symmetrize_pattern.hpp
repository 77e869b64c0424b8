// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/convert/ordered_entries.hpp>
#include <heddle/impl/entries/sums.hpp>
#include <heddle/impl/entries/union.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/transposed_pattern.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace heddle
{

namespace impl
{

// body(entries) with the entries of A^T in scratch memory, by row and column; their values are not
// gathered. Waits for exec as body does.
template <class Exec, class Matrix, class Body>
void with_transposed_entries(Exec const& exec, Matrix const& a, Body const& body)
{
  using Offsets = Scratch<typename Matrix::offset_type, Exec>;
  using Ordinals = Scratch<typename Matrix::ordinal_type, Exec>;
  Offsets const offsets(exec, static_cast<std::size_t>(a.num_cols()) + 1), positions(exec, a.nnz());
  Ordinals const columns(exec, a.nnz()), rows(exec, a.nnz());
  transpose_pattern(exec, a, offsets.view(), columns.view(), positions.view());
  expand_rows(exec, offsets.view(), rows.view());
  using View = typename Ordinals::view_type;
  body(OrderedEntries<typename Offsets::view_type, View, View, Identity>{
      offsets.view(), rows.view(), columns.view(), Identity{a.nnz()}});
}

} // namespace impl

/// A with the pattern of A + A^T as a new matrix with sorted rows: the values of A, and 0 where A^T
/// alone has an entry. Transposes the pattern in scratch memory, three offsets and four ordinals
/// per entry, and unites it with that of A as AddPlan does. Throws InvalidArgument where a is not
/// square, or the result has more entries than its offset type holds. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto symmetrize_pattern(Exec const& exec, Matrix const& a)
try
{
  using Result = impl::FormatLike<CsrMatrix, Matrix>;
  using Columns = typename Result::columns_view;
  using Values = typename Result::values_view;
  using Sink = impl::StoreFirst<Columns, Values, typename Matrix::values_view>;
  impl::require(a.num_rows() == a.num_cols(), "symmetrize_pattern", "A is ", a.num_rows(), " x ",
                a.num_cols(), ", expected a square matrix");
  auto const offsets = impl::new_row_offsets<Result>(exec, a.num_rows());
  impl::NewEntries<Result> entries;
  auto const make_sink = [&](std::size_t n) {
    entries = impl::new_entries<Result>(exec, n);
    return Sink{entries.columns, entries.values, a.values()};
  };
  impl::with_transposed_entries(exec, a, [&](auto const& transposed) {
    impl::with_ordered_entries(exec, a, [&](auto const& ordered) {
      impl::unite_ordered(exec, "symmetrize_pattern", ordered, transposed, offsets, make_sink);
    });
  });
  return Result(a.num_rows(), a.num_cols(), offsets, entries.columns, entries.values);
}
catch (...)
{
  impl::rethrow_out_of_memory("symmetrize_pattern");
}

} // namespace heddle
