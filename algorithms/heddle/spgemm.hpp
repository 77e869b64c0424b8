// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/plan.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/spgemm_rows.hpp>
#include <heddle/impl/spgemm_team.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace heddle
{

/// The type of C = A B: sums in the wider value type, offsets of the wider offset type.
template <class A, class B>
using SpgemmResult = impl::SpgemmResult<A, B>;

/// The kernels of C = A B with all three sparse for these types, best first.
template <class Exec, class A, class B>
using SpgemmImplementations =
    impl::supported_t<impl::Candidates<impl::SpgemmRows<Exec, A, B>, impl::SpgemmTeam<Exec, A, B>>>;

template <class Exec, class A, class B>
class SpgemmPlan;

namespace impl
{

// What a library of instances compiles once.
template <class Exec, class A, class B>
struct SpgemmInstance
{
  using List = SpgemmImplementations<Exec, A, B>;
  using Choice = choice_t<List>;
  using Result = SpgemmResult<A, B>;
  static Choice analyze(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options);
  static void run(Exec const& exec, SpgemmPlan<Exec, A, B> const& plan, A const& a, B const& b,
                  Result const& c);
  static Result multiply(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options);
};

} // namespace impl

/// The symbolic phase of C = A B: exact number of entries, row offsets and sorted columns of C,
/// valid while the patterns of A and B hold, for any values. Immutable: several instances and host
/// threads may use one plan at once.
template <class Exec, class A, class B>
class SpgemmPlan : public impl::Plan<SpgemmOptions, SpgemmImplementations<Exec, A, B>>
{
  using Base = impl::Plan<SpgemmOptions, SpgemmImplementations<Exec, A, B>>;

public:
  using result_type = SpgemmResult<A, B>;

  /// Rows of A and B may be unsorted. Waits for exec. Throws InvalidArgument where sizes do not fit
  /// or C has more entries than its offset type holds, OutOfMemory where max_workspace_bytes does
  /// not allow one row, Unsupported where options name an implementation that these types do not
  /// have.
  SpgemmPlan(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options = {})
      : SpgemmPlan(exec, a, b, impl::resolved("spgemm", options), impl::pattern_of(exec, a),
                   impl::pattern_of(exec, b))
  {}

  /// Entries of C.
  std::size_t nnz() const { return result_pattern().nnz; }
  /// Scalar products of a call; it does twice as many floating-point operations (eight times if
  /// complex).
  std::int64_t products() const { return result_pattern().products; }
  /// A new C: row offsets and columns are set (columns by the first call, where max_workspace_bytes
  /// did not let the plan keep them), values are not. Row offsets are shared with the plan. Throws
  /// OutOfMemory, before it allocates, where the memory is not there. Waits for exec only as making
  /// a View does.
  result_type make_result(Exec const& exec) const;

  /// Whether make_result sets columns: max_workspace_bytes let the plan keep them.
  bool keeps_columns() const { return result_pattern().keeps_columns; }

  /// Whether calls give the same bits each time, on this device and with this plan.
  bool is_repeatable() const
  {
    return std::visit([](auto const& bound) { return bound.state.is_repeatable(); },
                      this->choice());
  }
  /// Whether the plan was made for these patterns: one pass over both; waits for exec.
  bool matches(Exec const& exec, A const& a, B const& b) const
  {
    return m_a.matches(exec, a) && m_b.matches(exec, b);
  }
  /// A few lines: implementation, parameters, why it was chosen, memory held, size of C, repeatable
  /// or not.
  std::string describe() const
  {
    return this->describe_choice() + "C is " + std::to_string(m_a.rows) + " x " +
           std::to_string(m_b.cols) + " with " + std::to_string(nnz()) + " entries from " +
           std::to_string(products()) +
           " products\nbitwise repeatable: " + (is_repeatable() ? "yes" : "no") + "\n";
  }
  /// Sizes and fingerprints of the patterns it was made for.
  impl::Pattern const& pattern_a() const { return m_a; }
  impl::Pattern const& pattern_b() const { return m_b; }

private:
  friend struct impl::SpgemmInstance<Exec, A, B>;

  SpgemmPlan(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options,
             impl::Pattern const& pattern_a, impl::Pattern const& pattern_b)
      : Base(options, impl::SpgemmInstance<Exec, A, B>::analyze(exec, a, b, options))
      , m_a(pattern_a)
      , m_b(pattern_b)
  {}
  impl::SpgemmPattern<result_type> const& result_pattern() const
  {
    return std::visit(
        [](auto const& bound) -> auto const& { return bound.state.pattern; }, this->choice());
  }

  impl::Pattern m_a, m_b;
};
template <class Exec, class A, class B>
SpgemmPlan(Exec const&, A const&, B const&, SpgemmOptions const& = {})
    -> SpgemmPlan<Exec, typename A::const_type, typename B::const_type>;

template <class Exec, class A, class B>
auto SpgemmPlan<Exec, A, B>::make_result(Exec const& exec) const -> result_type
{
  auto const& pattern = result_pattern();
  using Value = typename result_type::value_type;
  impl::require_available<Exec>("spgemm", "C with " + std::to_string(pattern.nnz) + " entries",
                                pattern.nnz *
                                    (sizeof(Value) + sizeof(typename result_type::ordinal_type)));
  auto const columns =
      impl::uninitialized<typename result_type::columns_view>(exec, "heddle::columns", pattern.nnz);
  if (pattern.keeps_columns)
    Kokkos::deep_copy(exec, columns, pattern.columns);
  using Ordinal = typename result_type::ordinal_type;
  return result_type(
      static_cast<Ordinal>(m_a.rows), static_cast<Ordinal>(m_b.cols), pattern.row_offsets, columns,
      impl::uninitialized<typename result_type::values_view>(exec, "heddle::values", pattern.nnz));
}

namespace impl
{

template <class A, class B>
void check_spgemm(A const& a, B const& b)
{
  static_assert(std::is_same_v<typename A::ordinal_type, typename B::ordinal_type>,
                "heddle::spgemm: A and B have columns of different types");
  static_assert(std::is_same_v<typename A::memory_space, typename B::memory_space>,
                "heddle::spgemm: A and B are in different memory spaces");
  require(a.num_cols() == b.num_rows(), "spgemm", "A is ", a.num_rows(), " x ", a.num_cols(),
          " but B is ", b.num_rows(), " x ", b.num_cols());
}

// What every numeric call asks of its operands.
template <class Exec, class Plan, class A, class B, class C>
void check_spgemm_call(Exec const& exec, Plan const& plan, A const& a, B const& b, C const& c)
{
  static_assert(Kokkos::SpaceAccessibility<Exec, typename A::memory_space>::accessible,
                "heddle::spgemm: the execution space cannot reach the matrices");
  require_pattern(exec, "spgemm", "A", plan.pattern_a(), a);
  require_pattern(exec, "spgemm", "B", plan.pattern_b(), b);
  require(c.num_rows() == a.num_rows() && c.num_cols() == b.num_cols() && c.nnz() == plan.nnz(),
          "spgemm", "C is ", c.num_rows(), " x ", c.num_cols(), ", ", c.nnz(),
          " entries but A B is ", a.num_rows(), " x ", b.num_cols(), ", ", plan.nnz(), " entries");
}

template <class Exec, class A, class B>
auto SpgemmInstance<Exec, A, B>::analyze(Exec const& exec, A const& a, B const& b,
                                         SpgemmOptions const& options) -> Choice
{
  check_spgemm(a, b);
  return choose(List{}, "spgemm", options, exec, a, b);
}

template <class Exec, class A, class B>
void SpgemmInstance<Exec, A, B>::run(Exec const& exec, SpgemmPlan<Exec, A, B> const& plan,
                                     A const& a, B const& b, Result const& c)
{
  std::visit([&]<class I>(Bound<I> const& bound) { I::run(exec, bound.state, a, b, c); },
             plan.choice());
}

// An implementation that does both phases at once, if it is the one to take and has the room; else
// plan and call.
template <class Exec, class A, class B>
auto SpgemmInstance<Exec, A, B>::multiply(Exec const& exec, A const& a, B const& b,
                                          SpgemmOptions const& options) -> Result
{
  check_spgemm(a, b);
  using First = SpgemmRows<Exec, A, B>;
  if constexpr (First::is_supported)
    if (options.backend != Backend::cuda_native &&
        (options.implementation.empty() || options.implementation == First::name))
      if (auto c = First::multiply(exec, a, b, options))
        return *std::move(c);
  SpgemmPlan<Exec, A, B> const plan(exec, a, b, options, pattern_of_one_call(exec, a),
                                    pattern_of_one_call(exec, b));
  Result c = plan.make_result(exec);
  run(exec, plan, a, b, c);
  return c;
}

} // namespace impl

/// The numeric phase: values of C = A B into c, which plan.make_result made (or which has the same
/// pattern). Repeatable with new values of A and B. Matrices of other sizes than the plan's, and a
/// c of other sizes than A B, are refused with InvalidArgument; a plan used with other patterns of
/// the same sizes gives wrong numbers. Asynchronous, except that host spaces wait for their
/// threads. Bitwise repeatable where plan.is_repeatable() says so.
template <ExecutionSpace Exec, Csr A, Csr B>
void spgemm(Exec const& exec,
            SpgemmPlan<Exec, typename A::const_type, typename B::const_type> const& plan,
            A const& a, B const& b,
            SpgemmResult<typename A::const_type, typename B::const_type> const& c)
{
  impl::check_spgemm_call(exec, plan, a, b, c);
  Kokkos::Profiling::ScopedRegion const region("heddle::spgemm");
  typename A::const_type const input_a = a;
  typename B::const_type const input_b = b;
  impl::SpgemmInstance<Exec, typename A::const_type, typename B::const_type>::run(
      exec, plan, input_a, input_b, c);
}

/// A B as a new matrix with sorted rows: both phases at once, which is faster than a plan where
/// there is one call. Throws what the constructor of SpgemmPlan throws. Waits for exec.
template <ExecutionSpace Exec, Csr A, Csr B>
auto spgemm(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options = {})
{
  static_assert(Kokkos::SpaceAccessibility<Exec, typename A::memory_space>::accessible,
                "heddle::spgemm: the execution space cannot reach the matrices");
  Kokkos::Profiling::ScopedRegion const region("heddle::spgemm");
  typename A::const_type const input_a = a;
  typename B::const_type const input_b = b;
  auto c = impl::SpgemmInstance<Exec, typename A::const_type, typename B::const_type>::multiply(
      exec, input_a, input_b, impl::resolved("spgemm", options));
  exec.fence("heddle::spgemm");
  return c;
}

/// How many scalar products A B takes: an upper bound of its entries. Throws InvalidArgument where
/// A has not as many columns as B rows. One pass over A; waits for exec.
template <ExecutionSpace Exec, Csr A, Csr B>
std::int64_t spgemm_products(Exec const& exec, A const& a, B const& b)
{
  impl::check_spgemm(a, b);
  return impl::total_products(exec, a, b);
}

} // namespace heddle

#include <heddle/impl/spgemm_instances.hpp>
#include <heddle/spgemm_reordered.hpp>
