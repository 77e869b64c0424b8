// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/convert/new_arrays.hpp>
#include <heddle/impl/entries/sums.hpp>
#include <heddle/impl/entries/union.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/overlap.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/tabulate.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle
{

/// The type of C = alpha A + beta B: sums in the wider value type, offsets of the wider offset
/// type.
template <class A, class B>
using AddResult = impl::SpgemmResult<A, B>;

namespace impl
{

template <class Exec, class A, class B>
void check_add(A const& a, B const& b)
{
  static_assert(std::is_same_v<typename A::ordinal_type, typename B::ordinal_type>,
                "heddle::add: A and B have columns of different types");
  static_assert(std::is_same_v<typename A::memory_space, typename B::memory_space>,
                "heddle::add: A and B are in different memory spaces");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename A::memory_space>::accessible,
                "heddle::add: the execution space cannot reach the matrices");
  require(a.num_rows() == b.num_rows() && a.num_cols() == b.num_cols(), "add", "A is ",
          a.num_rows(), " x ", a.num_cols(), " but B is ", b.num_rows(), " x ", b.num_cols());
}

template <class A, class B>
using AddSum = WeightedSum<typename AddResult<A, B>::value_type, typename A::values_view,
                           typename B::values_view>;

} // namespace impl

/// The pattern of C = alpha A + beta B: the union of those of A and B, with sorted rows, and for
/// each entry of C where its values come from, valid while the patterns of A and B hold, for any
/// values. Entries stay where values cancel. Keeps two offsets per entry of C beside the pattern,
/// or none where A and B have equal patterns with sorted rows. Immutable: several instances and
/// host threads may use one plan at once.
template <class Exec, class A, class B>
class AddPlan
{
public:
  using result_type = AddResult<A, B>;

  /// Rows of A and B may be unsorted; such a matrix costs two sorts of its entries. On devices a
  /// binary search per entry and a scan (heddle/impl/entries/union.hpp), with scratch of two
  /// offsets per entry of B and an ordinal per entry of both. Waits for exec. Throws
  /// InvalidArgument where sizes differ or C has more entries than its offset type holds.
  AddPlan(Exec const& exec, A const& a, B const& b)
  try : m_a(checked_pattern(exec, a, b)), m_b(impl::pattern_of(exec, b))
  {
    unite(exec, a, b);
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("add");
  }

  /// Entries of C.
  std::size_t nnz() const { return m_columns.extent(0); }
  /// Whether A and B have equal patterns with sorted rows, so that C has the same and a call goes
  /// over the values alone.
  bool has_equal_patterns() const { return m_has_equal_patterns; }
  /// A new C: row offsets and columns are set, values are not. Row offsets are shared with the
  /// plan. Throws OutOfMemory, before it allocates, where the memory is not there. Waits for exec
  /// only as making a View does.
  result_type make_result(Exec const& exec) const;
  /// Whether the plan was made for these patterns: one pass over both; waits for exec.
  bool matches(Exec const& exec, A const& a, B const& b) const
  try
  {
    return m_a.matches(exec, a) && m_b.matches(exec, b);
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("matches");
  }
  /// Two lines: size of C, how values are found, and memory held.
  std::string describe() const
  try
  {
    return "C = alpha A + beta B is " + std::to_string(m_a.rows) + " x " +
           std::to_string(m_a.cols) + " with " + std::to_string(nnz()) + " entries of " +
           std::to_string(m_a.nnz) + " and " + std::to_string(m_b.nnz) +
           (m_has_equal_patterns ? "; the patterns are equal"
                                 : "; values are gathered by recorded positions") +
           "\nmemory held by the plan: " + std::to_string(bytes()) + " bytes\n";
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("describe");
  }
  /// Sizes and fingerprints of the patterns it was made for.
  impl::Pattern const& pattern_a() const { return m_a; }
  impl::Pattern const& pattern_b() const { return m_b; }

  /// run(first, second): functions of a slot of C that tell which entry of A and of B it gets, or
  /// -1.
  template <class Run>
  void with_sources(Run const& run) const
  {
    if (m_has_equal_patterns)
      run(impl::Identity{nnz()}, impl::Identity{nnz()});
    else
      run(impl::RecordedSource<Sources>{m_first}, impl::RecordedSource<Sources>{m_second});
  }

private:
  using Offset = typename result_type::offset_type;
  using Offsets = Kokkos::View<Offset*, typename result_type::memory_space>;
  using Columns = typename result_type::columns_view;
  using Sources = Offsets;

  static impl::Pattern checked_pattern(Exec const& exec, A const& a, B const& b)
  {
    impl::check_add<Exec>(a, b);
    return impl::pattern_of(exec, a);
  }
  void unite(Exec const& exec, A const& a, B const& b);
  std::size_t bytes() const
  {
    return (m_row_offsets.span() + m_first.span() + m_second.span()) * sizeof(Offset) +
           m_columns.span() * sizeof(typename result_type::ordinal_type);
  }

  impl::Pattern m_a, m_b;
  bool m_has_equal_patterns = false;
  Offsets m_row_offsets;
  Columns m_columns;
  Sources m_first, m_second;
};
template <class Exec, class A, class B>
AddPlan(Exec const&, A const&, B const&)
    -> AddPlan<Exec, typename A::const_type, typename B::const_type>;

template <class Exec, class A, class B>
void AddPlan<Exec, A, B>::unite(Exec const& exec, A const& a, B const& b)
{
  m_row_offsets = impl::new_row_offsets<result_type>(exec, a.num_rows());
  m_has_equal_patterns = impl::have_equal_sorted_patterns(exec, a, b);
  if (m_has_equal_patterns)
  {
    impl::copy_row_offsets(exec, a, m_row_offsets);
    m_columns = impl::uninitialized<Columns>(exec, "heddle::columns", a.nnz());
    Kokkos::deep_copy(exec, m_columns, a.columns());
    exec.fence("heddle::add");
    return;
  }
  impl::unite_patterns(exec, "add", a, b, m_row_offsets, [&](std::size_t n) {
    m_columns = impl::uninitialized<Columns>(exec, "heddle::columns", n);
    m_first = impl::uninitialized<Sources>(exec, "heddle::add::first", n);
    m_second = impl::uninitialized<Sources>(exec, "heddle::add::second", n);
    return impl::StoreSources<Columns, Sources>{m_columns, m_first, m_second};
  });
}

template <class Exec, class A, class B>
auto AddPlan<Exec, A, B>::make_result(Exec const& exec) const -> result_type
try
{
  using Ordinal = typename result_type::ordinal_type;
  impl::require_available(exec, "add", "C with " + std::to_string(nnz()) + " entries",
                          nnz() * (sizeof(typename result_type::value_type) + sizeof(Ordinal)));
  auto const [columns, values] = impl::new_entries<result_type>(exec, nnz());
  Kokkos::deep_copy(exec, columns, m_columns);
  return result_type(static_cast<Ordinal>(m_a.rows), static_cast<Ordinal>(m_a.cols), m_row_offsets,
                     columns, values);
}
catch (...)
{
  impl::rethrow_out_of_memory("add");
}

namespace impl
{

// Where patterns are equal, entry k of C comes from entries k, so C may be A or B itself.
template <class Plan, class In, class Out>
void require_add_output(Plan const& plan, char const* names, In const& in, Out const& out)
{
  if (!plan.has_equal_patterns() ||
      static_cast<void const*>(in.data()) != static_cast<void const*>(out.data()))
    require_disjoint("add", names, in, out);
}

template <class Exec, class Plan, class A, class B, class C>
void check_add_call(Exec const& exec, Plan const& plan, A const& a, B const& b, C const& c)
{
  require_pattern(exec, "add", "A", plan.pattern_a(), a);
  require_pattern(exec, "add", "B", plan.pattern_b(), b);
  require(c.num_rows() == a.num_rows() && c.num_cols() == a.num_cols() && c.nnz() == plan.nnz(),
          "add", "C is ", c.num_rows(), " x ", c.num_cols(), ", ", c.nnz(),
          " entries but the sum is ", a.num_rows(), " x ", a.num_cols(), ", ", plan.nnz(),
          " entries");
  require_add_output(plan, "the values of A and C", a.values(), c.values());
  require_add_output(plan, "the values of B and C", b.values(), c.values());
}

} // namespace impl

/// Values of C = alpha A + beta B into c, which plan.make_result made (or which has the same
/// pattern), again for new values of A and B. alpha = 0 does not read the values of A, nor beta = 0
/// those of B. Throws InvalidArgument for matrices of other sizes than the plan's, a c of other
/// sizes than the sum, or one that shares memory with a or b, except that c may be a or b where
/// plan.has_equal_patterns(). With other patterns of the same sizes, which plan.matches tells
/// apart, values of C are wrong, and nothing outside of C is written. One pass. Asynchronous;
/// bitwise repeatable.
template <ExecutionSpace Exec, Csr A, Csr B>
void add(Exec const& exec,
         AddPlan<Exec, typename A::const_type, typename B::const_type> const& plan,
         typename AddResult<A, B>::value_type alpha, A const& a,
         typename AddResult<A, B>::value_type beta, B const& b,
         AddResult<typename A::const_type, typename B::const_type> const& c)
try
{
  Kokkos::Profiling::ScopedRegion const region("heddle::add");
  impl::check_add_call(exec, plan, a, b, c);
  using Sum = impl::AddSum<typename A::const_type, typename B::const_type>;
  Sum const sum{alpha, a.values(), beta, b.values()};
  plan.with_sources([&](auto const& first, auto const& second) {
    impl::sum_sources(exec, first, second, c.values(), sum);
  });
}
catch (...)
{
  impl::rethrow_out_of_memory("add");
}

/// alpha A + beta B as a new matrix with sorted rows, without recording where values come from.
/// Throws what the constructor of AddPlan throws. Waits for exec.
template <ExecutionSpace Exec, Csr A, Csr B>
auto add(Exec const& exec, typename AddResult<A, B>::value_type alpha, A const& a,
         typename AddResult<A, B>::value_type beta, B const& b)
try
{
  using Result = AddResult<typename A::const_type, typename B::const_type>;
  using Sum = impl::AddSum<typename A::const_type, typename B::const_type>;
  impl::check_add<Exec>(a, b);
  Kokkos::Profiling::ScopedRegion const region("heddle::add");
  Sum const sum{alpha, a.values(), beta, b.values()};
  auto const offsets = impl::new_row_offsets<Result>(exec, a.num_rows());
  impl::NewEntries<Result> entries;
  if (impl::have_equal_sorted_patterns(exec, a, b))
  {
    entries = impl::new_entries<Result>(exec, a.nnz());
    impl::copy_row_offsets(exec, a, offsets);
    Kokkos::deep_copy(exec, entries.columns, a.columns());
    impl::sum_sources(exec, impl::Identity{a.nnz()}, impl::Identity{a.nnz()}, entries.values, sum);
    exec.fence("heddle::add");
  }
  else
    impl::unite_patterns(exec, "add", a, b, offsets, [&](std::size_t n) {
      entries = impl::new_entries<Result>(exec, n);
      return impl::StoreSums<typename Result::columns_view, typename Result::values_view, Sum>{
          entries.columns, entries.values, sum};
    });
  return Result(a.num_rows(), a.num_cols(), offsets, entries.columns, entries.values);
}
catch (...)
{
  impl::rethrow_out_of_memory("add");
}

} // namespace heddle
