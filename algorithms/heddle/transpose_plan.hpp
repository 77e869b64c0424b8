// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/overlap.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <string>

namespace heddle
{

/// The pattern of A^T and the position in A of each of its entries: for matrices whose values
/// change and whose pattern stays, such as the restriction R = P^T of multigrid, which devices
/// multiply faster than P with Op::transpose. Holds an ordinal and an offset per entry and an
/// offset per column. Immutable: several instances and host threads may use one plan at once.
template <class Exec, class Matrix>
class TransposePlan
{
public:
  using result_type = impl::FormatLike<CsrMatrix, Matrix>;

  /// Sorts the entries of a by column. Waits for exec.
  TransposePlan(Exec const& exec, Matrix const& a)
  try : m_pattern(impl::pattern_of(exec, a)), m_transposed(impl::transposed_pattern(exec, a))
  {
    exec.fence("heddle::TransposePlan");
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("transpose");
  }

  /// Entries of A, and of A^T.
  std::size_t nnz() const { return m_pattern.nnz; }
  /// A new A^T with sorted rows: row offsets and columns are set, values are not. Row offsets are
  /// shared with the plan. Waits for exec only as making a View does.
  result_type make_result(Exec const& exec) const
  try
  {
    using Ordinal = typename result_type::ordinal_type;
    auto const [columns, values] = impl::new_entries<result_type>(exec, nnz());
    Kokkos::deep_copy(exec, columns, m_transposed.columns);
    return result_type(static_cast<Ordinal>(m_pattern.cols), static_cast<Ordinal>(m_pattern.rows),
                       m_transposed.row_offsets, columns, values);
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("transpose");
  }
  /// Whether the plan was made for this pattern: one pass over it; waits for exec.
  bool matches(Exec const& exec, Matrix const& a) const
  try
  {
    return m_pattern.matches(exec, a);
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("matches");
  }
  /// Two lines: the sizes, and memory held.
  std::string describe() const
  try
  {
    return "the transpose of " + std::to_string(m_pattern.rows) + " x " +
           std::to_string(m_pattern.cols) + " with " + std::to_string(nnz()) +
           " entries; values are gathered by recorded positions\nmemory held by the plan: " +
           std::to_string(bytes()) + " bytes\n";
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("describe");
  }
  /// Memory held on the device.
  std::size_t bytes() const { return m_transposed.bytes(); }

  impl::Pattern const& pattern() const { return m_pattern; }
  auto const& positions() const { return m_transposed.positions; }

private:
  impl::Pattern m_pattern;
  impl::TransposedPatternOf<Matrix> m_transposed;
};
template <class Exec, class Matrix>
TransposePlan(Exec const&, Matrix const&) -> TransposePlan<Exec, typename Matrix::const_type>;

/// Values of A^T, or of A^H with Op::conjugate_transpose, into t, which plan.make_result made (or
/// which has the same pattern), again for new values of A. One pass. Throws InvalidArgument for
/// another op, an a or a t of other sizes than the plan's, and a t whose values share memory with
/// those of a. With another pattern of the same sizes, which plan.matches tells apart, values of t
/// are wrong, and nothing outside of t is written. Asynchronous; bitwise repeatable.
template <ExecutionSpace Exec, Csr Matrix>
void transpose(Exec const& exec, TransposePlan<Exec, typename Matrix::const_type> const& plan,
               Matrix const& a,
               typename TransposePlan<Exec, typename Matrix::const_type>::result_type const& t,
               Op op = Op::transpose)
try
{
  Kokkos::Profiling::ScopedRegion const region("heddle::transpose");
  impl::require(is_transposed(op), "transpose", "op is ", to_string(op));
  impl::require_pattern(exec, "transpose", "A", plan.pattern(), a);
  impl::require(t.num_rows() == a.num_cols() && t.num_cols() == a.num_rows() && t.nnz() == a.nnz(),
                "transpose", "the result is ", t.num_rows(), " x ", t.num_cols(), ", ", t.nnz(),
                " entries, expected ", a.num_cols(), " x ", a.num_rows(), ", ", a.nnz());
  impl::require_disjoint("transpose", "the values of A and of the result", a.values(), t.values());
  if (op == Op::conjugate_transpose)
    impl::gather_values<true>(exec, plan.positions(), a.values(), t.values());
  else
    impl::gather_values<false>(exec, plan.positions(), a.values(), t.values());
}
catch (...)
{
  impl::rethrow_out_of_memory("transpose");
}

} // namespace heddle
