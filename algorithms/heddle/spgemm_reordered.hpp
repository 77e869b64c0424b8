// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// C = A B of matrices in another order: P A Q^T times Q B R^T is P C R^T, whose values a call finds
// in scratch and gathers into C. Cost beside the product: C's values written and read once more,
// and an offset read for each; the plan holds that and C's pattern.

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/order/gather.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/plan/trial.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/validate_pattern.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/op.hpp>
#include <heddle/order_cost.hpp>
#include <heddle/permute.hpp>
#include <heddle/reordered_matrix.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle
{

namespace impl
{

// i where two Views differ.
template <class View>
struct Differs
{
  View a, b;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return a(i) != b(i) ? i : nowhere;
  }
};

// The first i where two Views of one size differ; their size if there is none. Waits for exec.
template <class Exec, class View>
std::int64_t first_difference(Exec const& exec, View const& a, View const& b)
{
  auto const n = static_cast<std::int64_t>(a.extent(0));
  if (n == 0 || a.data() == b.data())
    return n;
  std::int64_t const first = least_place(exec, "heddle::first_difference", n, Differs<View>{a, b});
  return first >= 0 ? first : n;
}

// Orders of rows and columns of op(M).
template <class Matrix>
auto row_order_of(Matrix const& m, Op op)
{
  return is_transposed(op) ? m.column_order() : m.row_order();
}
template <class Matrix>
auto column_order_of(Matrix const& m, Op op)
{
  return is_transposed(op) ? m.row_order() : m.column_order();
}

template <class A, class B>
OrderCost cost_of_both(A const& a, B const& b)
{
  OrderCost cost = a.cost();
  if (a.sources().data() != b.sources().data()) // else they are the same matrix
  {
    cost.order += b.cost().order;
    cost.conversion += b.cost().conversion;
  }
  return cost;
}

} // namespace impl

/// The symbolic phase of C = A B where A and B are held in another order: as for CSR, with C in the
/// numbering of A's rows and B's columns.
template <class Exec, Reordered A, Reordered B>
class SpgemmPlan<Exec, A, B>
{
  using CsrA = typename A::csr_type::const_type;
  using CsrB = typename B::csr_type::const_type;
  using Inner = SpgemmPlan<Exec, CsrA, CsrB>;
  using Entries = typename Inner::result_type;
  using Offset = typename Entries::offset_type;
  using MemorySpace = typename Entries::memory_space;

public:
  using result_type = Entries;

  /// Throws what a plan on CSR throws, and InvalidArgument where A's columns and B's rows are not
  /// in one order. Waits for exec.
  SpgemmPlan(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options = {})
  try : m_inner(checked_inner(exec, a, b, options)), m_a(impl::pattern_of(exec, a)),
      m_b(impl::pattern_of(exec, b)), m_cost(impl::cost_of_both(a, b))
  {
    m_cost.conversion += impl::seconds_on(exec, [&] { set_pattern(exec, a, b); });
    if (options.order_trial > 0)
      try_both(exec, a, b, options);
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("spgemm");
  }

  /// Entries of C.
  std::size_t nnz() const { return m_inner.nnz(); }
  /// Scalar products of a call.
  std::int64_t products() const { return m_inner.products(); }
  /// A new C: row offsets and columns are set, values are not. Row offsets are shared with the
  /// plan. Throws OutOfMemory, before it allocates, where the memory is not there. Waits for exec
  /// only as making a View does.
  result_type make_result(Exec const& exec) const
  try
  {
    impl::require_available(exec, "spgemm", "C with " + std::to_string(nnz()) + " entries",
                            nnz() * (sizeof(typename result_type::value_type) +
                                     sizeof(typename result_type::ordinal_type)));
    auto const columns =
        impl::uninitialized<typename result_type::columns_view>(exec, "heddle::columns", nnz());
    Kokkos::deep_copy(exec, columns, m_pattern.columns());
    return result_type(
        m_pattern.num_rows(), m_pattern.num_cols(), m_pattern.row_offsets(), columns,
        impl::uninitialized<typename result_type::values_view>(exec, "heddle::values", nnz()));
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("spgemm");
  }
  /// The implementation that the product in the new order takes.
  char const* implementation_name() const { return m_inner.implementation_name(); }
  /// Whether calls give the same bits each time, on this device and with this plan.
  bool is_repeatable() const { return m_inner.is_repeatable(); }
  /// Whether the plan was made for these patterns and orders: one pass over both; waits for exec.
  bool matches(Exec const& exec, A const& a, B const& b) const
  try
  {
    return m_a.matches(exec, a) && m_b.matches(exec, b);
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("matches");
  }
  /// What a plan on CSR says, of the product in the new order, and what the order costs and gains.
  std::string describe() const
  try
  {
    return m_inner.describe() + "rows and columns in another order: " + m_cost.describe() + "\n";
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("describe");
  }
  /// Rows of C.
  std::int64_t result_rows() const { return m_inner.result_rows(); }
  /// Columns of C.
  std::int64_t result_cols() const { return m_inner.result_cols(); }
  /// Sizes and fingerprints of the patterns it was made for.
  impl::Pattern const& pattern_a() const { return m_a; }
  impl::Pattern const& pattern_b() const { return m_b; }

  /// Values of C = A B into c: what spgemm does once it has compared sizes. Asynchronous as that
  /// is.
  void multiply(Exec const& exec, A const& a, B const& b, result_type const& c) const
  {
    using Value = typename result_type::value_type;
    impl::Scratch<Value, Exec> const values(exec, nnz());
    impl::Scratch<typename result_type::ordinal_type, Exec> const columns(exec, nnz());
    result_type const moved(m_pattern.num_rows(), m_pattern.num_cols(), m_moved_offsets,
                            typename result_type::columns_view(columns.data(), nnz()),
                            typename result_type::values_view(values.data(), nnz()));
    spgemm(exec, m_inner, CsrA(a.moved()), CsrB(b.moved()), moved);
    impl::gather(exec, m_pattern.values(), values.view(), c.values());
  }

private:
  static Inner checked_inner(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  try
  {
    impl::check_spgemm(a, options.op_a, b, options.op_b);
    auto const inner = impl::column_order_of(a, options.op_a);
    std::int64_t const i = impl::first_difference(exec, inner, impl::row_order_of(b, options.op_b));
    impl::require(i == static_cast<std::int64_t>(inner.extent(0)), "spgemm",
                  "the columns of A and the rows of B are in different orders, from place ", i,
                  " on");
    return Inner(exec, CsrA(a.moved()), CsrB(b.moved()), options);
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("spgemm");
  }
  // C's pattern is that of the product in the new order, brought back, with the numbers of its
  // entries for values.
  void set_pattern(Exec const& exec, A const& a, B const& b)
  {
    result_type const moved = m_inner.make_result(exec);
    if (!m_inner.keeps_columns())
      spgemm(exec, m_inner, CsrA(a.moved()), CsrB(b.moved()), moved);
    m_moved_offsets = moved.row_offsets();
    m_pattern = permute(exec, impl::numbered_entries(exec, moved),
                        inverse_permutation(exec, impl::row_order_of(a, m_inner.op_a())),
                        inverse_permutation(exec, impl::column_order_of(b, m_inner.op_b())));
  }
  // Waits for exec.
  void try_both(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    CsrA const own_a = impl::in_own_order(exec, a);
    CsrB const own_b = impl::in_own_order(exec, b);
    Inner const before(exec, own_a, own_b, options);
    result_type const c_before = before.make_result(exec), c = make_result(exec);
    impl::TurnTimes const times = impl::time_in_turns(
        exec, [&] { spgemm(exec, before, own_a, own_b, c_before); },
        [&] { multiply(exec, a, b, c); });
    m_cost.before = times.first;
    m_cost.after = times.second;
  }

  Inner m_inner;
  impl::Pattern m_a, m_b;
  OrderCost m_cost;
  typename result_type::row_offsets_view m_moved_offsets;
  CsrMatrix<Offset, typename result_type::ordinal_type, Offset, MemorySpace> m_pattern;
};

/// The numeric phase: values of C = A B into c, which plan.make_result made, where A and B are held
/// in another order; c is in the numbering of A's rows and B's columns. What is said of CSR
/// matrices holds; values are summed in the new order. Asynchronous, except that host spaces wait
/// for their threads.
template <ExecutionSpace Exec, Reordered A, Reordered B>
void spgemm(Exec const& exec,
            SpgemmPlan<Exec, typename A::const_type, typename B::const_type> const& plan,
            A const& a, B const& b,
            SpgemmResult<typename A::const_type, typename B::const_type> const& c)
try
{
  impl::check_spgemm_call(exec, plan, a, b, c);
  Kokkos::Profiling::ScopedRegion const region("heddle::spgemm");
  plan.multiply(exec, a, b, c);
}
catch (...)
{
  impl::rethrow_out_of_memory("spgemm");
}

/// A B as a new CSR matrix with sorted rows: a plan and a call. Throws what the plan throws. Waits
/// for exec.
template <ExecutionSpace Exec, Reordered A, Reordered B>
auto spgemm(Exec const& exec, A const& a, B const& b, SpgemmOptions options = {})
try
{
  options.expected_calls = 1;
  SpgemmPlan<Exec, typename A::const_type, typename B::const_type> const plan(exec, a, b, options);
  auto const c = plan.make_result(exec);
  spgemm(exec, plan, a, b, c);
  exec.fence("heddle::spgemm");
  return c;
}
catch (...)
{
  impl::rethrow_out_of_memory("spgemm");
}

} // namespace heddle
