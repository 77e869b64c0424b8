// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/accumulator.hpp>
#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/ordered_entries.hpp>
#include <heddle/impl/convert/row_segment_features.hpp>
#include <heddle/impl/order/pattern_counts.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/multiply_work.hpp>
#include <heddle/pattern_figures.hpp>
#include <heddle/row_segmented_matrix.hpp>
#include <heddle/spgemm.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle
{

/// Panels that two blocks of a Hopper multiprocessor hold 64 columns of in double, and the middle
/// of the thresholds that paper 000 finds (sections 3.1 and 4.2): the same for all matrices, so
/// that their heavy shares compare.
inline constexpr RowSegmentShape figures_shape{226, 8};

/// Row lengths, overlap of neighbouring rows, distances of neighbouring entries, row segments of
/// the shape, and distances from the diagonal: five passes over the entries, of which one searches
/// up to seven rows and one searches its own, and scratch of an ordinal an entry. Unsorted rows are
/// put in order in scratch memory first. Repeatable. Waits for exec. Throws InvalidArgument where
/// the shape is not positive.
template <ExecutionSpace Exec, Csr Matrix>
PatternFigures pattern_figures(Exec const& exec, Matrix const& a,
                               RowSegmentShape const& shape = figures_shape)
try
{
  impl::require(shape.panel_width > 0 && shape.threshold > 0, "pattern_figures", "panels of ",
                shape.panel_width, " columns with threshold ", shape.threshold);
  PatternFigures figures{.rows = static_cast<std::int64_t>(a.num_rows()),
                         .cols = static_cast<std::int64_t>(a.num_cols()),
                         .nnz = static_cast<std::int64_t>(a.nnz())};
  figures.lengths = impl::row_lengths(exec, a.row_offsets(), figures.rows, figures.nnz);
  if (figures.nnz == 0)
    return figures;
  impl::with_ordered_entries(exec, a, [&](auto const& entries) {
    auto const cut = entries.in_shape(shape.panel_width, shape.threshold);
    impl::count_places(exec, entries, figures);
    figures.clusters = impl::features_of(exec, cut);
    auto const counts = impl::count_segments(exec, cut);
    figures.segments = counts.segments;
    figures.heavy_share = static_cast<double>(counts.heavy_nnz) / static_cast<double>(figures.nnz);
  });
  return figures;
}
catch (...)
{
  impl::rethrow_out_of_memory("pattern_figures");
}

/// The sizes of a matrix's numbers.
template <SparseMatrix Matrix>
constexpr NumberSizes number_sizes()
{
  return {sizeof(typename Matrix::value_type), sizeof(typename Matrix::ordinal_type),
          sizeof(typename Matrix::offset_type), impl::is_complex_v<typename Matrix::value_type>};
}

/// C = A B with k columns of A's value type, from sizes alone.
template <SparseMatrix Matrix>
MultiplyWork spmm_work(Matrix const& a, std::int64_t k)
{
  return spmm_work(a.num_rows(), a.num_cols(), static_cast<std::int64_t>(a.nnz()), k,
                   number_sizes<Matrix>());
}

/// y = A x, from sizes alone.
template <SparseMatrix Matrix>
MultiplyWork spmv_work(Matrix const& a)
{
  return spmm_work(a, 1);
}

/// C = A B, all sparse: the symbolic phase counts the entries of C, so it costs and throws what
/// SpgemmPlan does. Waits for exec.
template <ExecutionSpace Exec, Csr A, Csr B>
MultiplyWork spgemm_work(Exec const& exec, A const& a, B const& b)
try
{
  SpgemmPlan<Exec, typename A::const_type, typename B::const_type> const plan(exec, a, b);
  auto const size = [](auto const& m) {
    return SparseSize{m.num_rows(), static_cast<std::int64_t>(m.nnz())};
  };
  return spgemm_work(size(a), size(b), {a.num_rows(), static_cast<std::int64_t>(plan.nnz())},
                     plan.products(), number_sizes<A>());
}
catch (...)
{
  impl::rethrow_out_of_memory("spgemm_work");
}

} // namespace heddle
