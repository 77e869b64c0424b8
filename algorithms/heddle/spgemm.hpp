// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/bsr_matrix.hpp>
#include <heddle/concepts.hpp>
#include <heddle/config.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/overlap.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/plan/plan.hpp>
#include <heddle/impl/refused_call.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm/accumulate.hpp>
#include <heddle/impl/spgemm/block_operand.hpp>
#include <heddle/impl/spgemm/block_pattern.hpp>
#include <heddle/impl/spgemm/block_rows.hpp>
#include <heddle/impl/spgemm/block_team.hpp>
#include <heddle/impl/spgemm/operand.hpp>
#include <heddle/impl/spgemm/plan.hpp>
#include <heddle/impl/spgemm/rows.hpp>
#include <heddle/impl/spgemm/team.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm_options.hpp>
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
#include <heddle/cuda_native/spgemm/binned.cuh>
#include <heddle/cuda_native/spgemm/bsr_panels.cuh>
#endif

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

/// The type of C = A B: BSR if A and B are, else CSR; sums in the wider value type, offsets of the
/// wider offset type.
template <class A, class B>
using SpgemmResult = impl::SpgemmResult<A, B>;

/// The kernels of C = A B with all three sparse for these types, best first. Those that only
/// comparisons name are papers::SpgemmImplementations (papers/spgemm.hpp).
template <class Exec, class A, class B>
using SpgemmImplementations = impl::supported_t<impl::Candidates<
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
    cuda_native::SpgemmBinned<Exec, A, B>, cuda_native::SpgemmBsrPanels<Exec, A, B>,
#endif
    impl::SpgemmRows<Exec, A, B>, impl::SpgemmTeam<Exec, A, B>, impl::SpgemmBlockRows<Exec, A, B>,
    impl::SpgemmBlockTeam<Exec, A, B>>>;

template <class Exec, class A, class B>
class SpgemmPlan;

namespace impl
{

// What may be a factor; both are of one format (ProductTypes).
template <class Matrix>
concept SpgemmFactor = Csr<Matrix> || Bsr<Matrix>;

// With HEDDLE_BACKEND put in, and deprecated members in tuning. Throws InvalidArgument where a
// number is none of those there are.
inline SpgemmOptions checked(SpgemmOptions const& given)
{
  SpgemmOptions options = resolved("spgemm", with_tuning(given));
  int const warps = options.tuning.scatter_vector_paper.virtual_warps;
  require(warps == 0 || warps == 1 || warps == 2 || warps == 4 || warps == 8, "spgemm",
          "virtual_warps is ", warps, ", expected 0, 1, 2, 4 or 8");
  require(warps == 0 || options.accumulator == SpgemmAccumulator::scatter_vector_paper, "spgemm",
          "virtual_warps are those of scatter_vector_paper, the accumulator is ",
          to_string(options.accumulator));
  require(options.order_trial == 0 || options.order_trial == 1, "spgemm", "order_trial is ",
          options.order_trial, ", expected 1, or 0 for no trial");
  require(options.expected_calls >= 0, "spgemm", "expected_calls is ", options.expected_calls,
          ", expected a number of calls, or 0 where it is not known");
  return options;
}

// What a library of instances compiles once.
template <class Exec, class A, class B>
struct SpgemmInstance
{
  using List = SpgemmImplementations<Exec, A, B>;
  using Choice = Chosen<List>;
  using Result = SpgemmResult<A, B>;
  using Operands = SpgemmOperands<Exec, A, B>;
  static Operands operands(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options);
  static Choice analyze(Exec const& exec, Operands const& operands, A const& a, B const& b,
                        SpgemmOptions const& options);
  static void run(Exec const& exec, SpgemmPlan<Exec, A, B> const& plan, A const& a, B const& b,
                  Result const& c);
  static Result multiply(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options);
};

} // namespace impl

/// The symbolic phase of C = A B, or of C = op_a(A) op_b(B) where options have these: exact number
/// of entries, row offsets and sorted columns of C, valid while the patterns of A and B hold, for
/// any values. Immutable: several instances and host threads may use one plan at once.
///
/// A and B are two CsrMatrix, or two BsrMatrix with r x k and k x c blocks. C then is a BsrMatrix
/// with r x c blocks: those that products of stored blocks reach, whatever their values are.
/// Options of kernels that CSR alone has (reuse, expected_calls) are not read; the plan always
/// keeps C's columns, and calls are repeatable.
template <class Exec, class A, class B>
class SpgemmPlan : public impl::ProductPlan<Exec, A, B, SpgemmImplementations<Exec, A, B>>
{
  using Base = impl::ProductPlan<Exec, A, B, SpgemmImplementations<Exec, A, B>>;
  using Instance = impl::SpgemmInstance<Exec, A, B>;

public:
  /// Rows of A and B may be unsorted. Waits for exec. Throws InvalidArgument where sizes, or the
  /// sizes of blocks, do not fit or C has more entries (blocks) than its offset type holds,
  /// OutOfMemory where max_workspace_bytes does not allow one row, Unsupported where options name
  /// an implementation that these types do not have or an accumulator that the backend has not.
  SpgemmPlan(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options = {})
  try : SpgemmPlan(exec, a, b, impl::checked(options), Instance::operands(exec, a, b, options),
                   impl::patterns_of(exec, a, b))
  {}
  catch (...)
  {
    impl::rethrow_out_of_memory("spgemm");
  }

private:
  friend Instance;

  SpgemmPlan(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options,
             typename Instance::Operands const& operands, impl::FactorPatterns const& patterns)
      : Base(options, Instance::analyze(exec, operands, a, b, options), operands, patterns.a,
             patterns.b)
  {}
};
template <class Exec, class A, class B>
SpgemmPlan(Exec const&, A const&, B const&, SpgemmOptions const& = {})
    -> SpgemmPlan<Exec, typename A::const_type, typename B::const_type>;

namespace impl
{

template <class A, class B>
void check_spgemm(A const& a, Op op_a, B const& b, Op op_b)
{
  require((is_transposed(op_a) ? a.num_rows() : a.num_cols()) ==
              (is_transposed(op_b) ? b.num_cols() : b.num_rows()),
          "spgemm", "A is ", a.num_rows(), " x ", a.num_cols(),
          is_transposed(op_a) ? " and to be transposed" : "", " but B is ", b.num_rows(), " x ",
          b.num_cols(), is_transposed(op_b) ? " and to be transposed" : "");
  if constexpr (is_bsr_matrix_v<A>)
  {
    BlockShape const of_a = a.shape(), of_b = b.shape();
    require((is_transposed(op_a) ? of_a.height : of_a.width) ==
                (is_transposed(op_b) ? of_b.width : of_b.height),
            "spgemm", "A has blocks of ", of_a.height, " x ", of_a.width,
            is_transposed(op_a) ? ", to be transposed," : "", " but B of ", of_b.height, " x ",
            of_b.width, is_transposed(op_b) ? ", to be transposed" : "");
  }
}

// What the cap on memory leaves when transposed factors are there.
template <class A, class B>
SpgemmOptions options_beside_operands(A const& a, B const& b, SpgemmOptions options)
{
  std::size_t const needed = bytes_of_operand(a, options.op_a) + bytes_of_operand(b, options.op_b);
  if (needed > options.max_workspace_bytes)
    throw OutOfMemory("heddle::spgemm: transposed or conjugated factors need " +
                          std::to_string(needed) + " bytes, " +
                          std::to_string(options.max_workspace_bytes) + " are allowed",
                      needed, options.max_workspace_bytes);
  options.max_workspace_bytes -= needed;
  return options;
}

// A matrix of c's pattern with other values.
template <class C>
C with_values(C const& c, typename C::value_type* values)
{
  typename C::values_view const view(values, c.values().extent(0));
  if constexpr (is_bsr_matrix_v<C>)
    return C(c.num_rows(), c.num_cols(), c.shape(), c.row_offsets(), c.columns(), view, c.nnz());
  else
    return C(c.num_rows(), c.num_cols(), c.row_offsets(), c.columns(), view);
}

// Refuses a C that shares values with a factor.
template <class Factor, class C>
void require_own_values(char const* names, Factor const& factor, C const& c)
{
  if constexpr (requires { factor.moved(); })
    require_disjoint("spgemm", names, factor.moved().values(), c.values());
  else
    require_disjoint("spgemm", names, factor.values(), c.values());
}

// What every numeric call asks of its operands.
template <class Exec, class Plan, class A, class B, class C>
void check_spgemm_call(Exec const& exec, Plan const& plan, A const& a, B const& b, C const& c)
{
  require_types<ProductTypes<Exec, typename A::const_type, typename B::const_type>>();
  require_pattern(exec, "spgemm", "A", plan.pattern_a(), a);
  require_pattern(exec, "spgemm", "B", plan.pattern_b(), b);
  require(static_cast<std::int64_t>(c.num_rows()) == plan.result_rows() &&
              static_cast<std::int64_t>(c.num_cols()) == plan.result_cols() &&
              c.nnz() == plan.nnz(),
          "spgemm", "C is ", c.num_rows(), " x ", c.num_cols(), ", ", c.nnz(),
          " entries but the product is ", plan.result_rows(), " x ", plan.result_cols(), ", ",
          plan.nnz(), " entries");
  if constexpr (is_bsr_matrix_v<C>)
    require(c.shape() == plan.result_shape() && c.num_blocks() == plan.result_blocks(), "spgemm",
            "C has ", c.num_blocks(), " blocks of ", c.shape().height, " x ", c.shape().width,
            " but the product has ", plan.result_blocks(), " of ", plan.result_shape().height,
            " x ", plan.result_shape().width);
  require_own_values("the values of A and C", a, c);
  require_own_values("the values of B and C", b, c);
}

// The symbolic phase by the first of a list that options allow.
template <class List, class Exec, class Operands, class A, class B>
Chosen<List> choose_product(List, char const* algorithm, Exec const& exec, Operands const& operands,
                            A const& a, B const& b, SpgemmOptions const& options)
{
  return operands.with(exec, a, b, [&](A const& op_a, B const& op_b) {
    return choose(List{}, algorithm, options_beside_operands(a, b, options), exec, op_a, op_b);
  });
}

// A call with a plan of any kind: the checks, and run().
template <class Exec, class Plan, class A, class B, class C, class Run>
void call_spgemm(Exec const& exec, Plan const& plan, A const& a, B const& b, C const& c,
                 Run const& run)
try
{
  check_spgemm_call(exec, plan, a, b, c);
  if (!plan.keeps_columns()) // the call writes them
  {
    require_disjoint("spgemm", "the columns of A and C", a.columns(), c.columns());
    require_disjoint("spgemm", "the columns of B and C", b.columns(), c.columns());
  }
  Kokkos::Profiling::ScopedRegion const region("heddle::spgemm");
  // Portable kernels that find the columns again would write more of them than the plan found.
  if (!plan.keeps_columns() && plan.backend() == Backend::portable)
    require(plan.matches(exec, a, b), "spgemm",
            "the plan was made for other patterns of A and B, of the same sizes");
  run();
}
catch (...)
{
  rethrow_out_of_memory("spgemm");
}

template <class Exec, class A, class B>
auto SpgemmInstance<Exec, A, B>::operands(Exec const& exec, A const& a, B const& b,
                                          SpgemmOptions const& options) -> Operands
{
  check_spgemm(a, options.op_a, b, options.op_b);
  options_beside_operands(a, b, options);
  return {{exec, a, options.op_a}, {exec, b, options.op_b}};
}

template <class Exec, class A, class B>
auto SpgemmInstance<Exec, A, B>::analyze(Exec const& exec, Operands const& operands, A const& a,
                                         B const& b, SpgemmOptions const& options) -> Choice
{
  return choose_product(List{}, "spgemm", exec, operands, a, b, options);
}

template <class Exec, class A, class B>
void SpgemmInstance<Exec, A, B>::run(Exec const& exec, SpgemmPlan<Exec, A, B> const& plan,
                                     A const& a, B const& b, Result const& c)
{
  visit_spgemm(exec, plan, a, b, c);
}

// An implementation that does both phases at once, if it is the one to take and has the room; else
// plan and call.
template <class Exec, class A, class B>
auto SpgemmInstance<Exec, A, B>::multiply(Exec const& exec, A const& a, B const& b,
                                          SpgemmOptions const& options) -> Result
{
  Operands const factors = operands(exec, a, b, options);
  using First = first_t<List>;
  if constexpr (requires { First::multiply(exec, a, b, options); })
    if ((options.backend == Backend::automatic || options.backend == First::backend) &&
        (options.implementation.empty() || options.implementation == First::name))
    {
      SpgemmOptions const left = options_beside_operands(a, b, options);
      auto const at_once = [&](A const& op_a, B const& op_b) -> std::optional<Result> {
        if (!First::can_run(exec, op_a, op_b, left))
          return {};
        return First::multiply(exec, op_a, op_b, left);
      };
      if (std::optional<Result> c = factors.with(exec, a, b, at_once))
        return *std::move(c);
    }
  SpgemmPlan<Exec, A, B> const plan(exec, a, b, options, factors,
                                    {pattern_of_one_call(exec, a), pattern_of_one_call(exec, b)});
  Result c = OneCall::result(exec, plan);
  run(exec, plan, a, b, c);
  return c;
}

} // namespace impl

/// The numeric phase: values of C = A B (op_a(A) op_b(B), as the plan has it) into c, which
/// plan.make_result made (or which has the same pattern). Repeatable with new values of A and B.
/// Matrices of other sizes than the plan's, a c of other sizes than A B, and one that shares values
/// with A or B (columns, where the plan does not keep them and the call writes them), are refused
/// with InvalidArgument. With other patterns of the same sizes, which plan.matches tells apart,
/// values of C are wrong, and nothing outside of C is written. Where a product has a column that C
/// lacks, that is noticed and InvalidArgument is thrown: by this call on hosts, by the next one
/// with the plan on devices, but not where the plan keeps terms, which look nothing up.
/// Asynchronous, except that host spaces wait for their threads, and that portable kernels wait for
/// exec where the plan does not keep columns. Bitwise repeatable where plan.is_repeatable() says
/// so.
template <ExecutionSpace Exec, impl::SpgemmFactor A, impl::SpgemmFactor B>
void spgemm(Exec const& exec,
            SpgemmPlan<Exec, typename A::const_type, typename B::const_type> const& plan,
            A const& a, B const& b,
            SpgemmResult<typename A::const_type, typename B::const_type> const& c)
{
  typename A::const_type const& input_a = a;
  typename B::const_type const& input_b = b;
  impl::call_spgemm(exec, plan, input_a, input_b, c, [&] {
    impl::SpgemmInstance<Exec, typename A::const_type, typename B::const_type>::run(
        exec, plan, input_a, input_b, c);
  });
}

/// C = alpha A B + beta C (op_a(A) op_b(B), as the plan has it) into a c with the pattern of the
/// plan's results: one that plan.make_result made, or that an earlier call wrote where the plan
/// does not keep columns. beta 0: c is overwritten without being read; alpha 0: A and B are not
/// read. The numeric phase, as above, and one pass over C where alpha is not 1 or beta not 0; where
/// both are not 0 the product is in scratch memory of a value per entry of C until then. Throws,
/// and is repeatable, as the call without factors. Asynchronous as that is.
template <ExecutionSpace Exec, impl::SpgemmFactor A, impl::SpgemmFactor B>
void spgemm(Exec const& exec,
            SpgemmPlan<Exec, typename A::const_type, typename B::const_type> const& plan,
            typename SpgemmResult<A, B>::value_type alpha, A const& a, B const& b,
            typename SpgemmResult<A, B>::value_type beta,
            SpgemmResult<typename A::const_type, typename B::const_type> const& c)
try
{
  using Value = typename SpgemmResult<A, B>::value_type;
  Kokkos::Profiling::ScopedRegion const region("heddle::spgemm");
  if (alpha == Value(0))
  {
    impl::check_spgemm_call(exec, plan, a, b, c);
    impl::scale_values(exec, beta, c.values());
  }
  else if (beta == Value(0))
  {
    spgemm(exec, plan, a, b, c);
    if (alpha != Value(1))
      impl::scale_values(exec, alpha, c.values());
  }
  else
  {
    impl::check_spgemm_call(exec, plan, a, b, c);
    impl::Scratch<Value, Exec> const scratch(exec, c.values().extent(0));
    auto const product = impl::with_values(c, scratch.data());
    spgemm(exec, plan, a, b, product);
    impl::accumulate_values(exec, alpha, product.values(), beta, c.values());
  }
}
catch (...)
{
  impl::rethrow_out_of_memory("spgemm");
}

/// A B, or op_a(A) op_b(B), as a new matrix with sorted rows: both phases at once, which is faster
/// than a plan where there is one call. Of two BSR matrices: a BSR matrix. Throws what the
/// constructor of SpgemmPlan throws. Waits for exec.
template <ExecutionSpace Exec, impl::SpgemmFactor A, impl::SpgemmFactor B>
auto spgemm(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options = {})
try
{
  if constexpr (impl::ProductTypes<Exec, typename A::const_type, typename B::const_type>::fit)
  {
    Kokkos::Profiling::ScopedRegion const region("heddle::spgemm");
    typename A::const_type const& input_a = a;
    typename B::const_type const& input_b = b;
    auto c = impl::SpgemmInstance<Exec, typename A::const_type, typename B::const_type>::multiply(
        exec, input_a, input_b, impl::checked(options));
    exec.fence("heddle::spgemm");
    return c;
  }
  else
    return SpgemmResult<typename A::const_type, typename B::const_type>{};
}
catch (...)
{
  impl::rethrow_out_of_memory("spgemm");
}

/// Calls whose types tell a mistake, which no other overload takes: they do not compile, with a
/// sentence that says why.
template <class First, class... Rest>
requires impl::RefusedCall<impl::Operation::spgemm, First, Rest...> impl::Refused
spgemm(First const&, Rest const&...)
{
  return impl::refuse<impl::Operation::spgemm, First, Rest...>();
}

/// How many scalar products A B takes, of BSR with those of whole blocks at the edges: an upper
/// bound of its entries. Throws InvalidArgument where A has not as many columns as B rows, or their
/// blocks not. One pass over A; waits for exec.
template <ExecutionSpace Exec, impl::SpgemmFactor A, impl::SpgemmFactor B>
std::int64_t spgemm_products(Exec const& exec, A const& a, B const& b)
try
{
  impl::require_types<impl::ProductTypes<Exec, typename A::const_type, typename B::const_type>>();
  impl::check_spgemm(a, Op::none, b, Op::none);
  if constexpr (is_bsr_matrix_v<A>)
    return impl::scalar_products(
        impl::total_products(exec, impl::block_entries(a), impl::block_entries(b)),
        impl::product_shape(a, b));
  else
    return impl::total_products(exec, a, b);
}
catch (...)
{
  impl::rethrow_out_of_memory("spgemm_products");
}

} // namespace heddle

#include <heddle/impl/spgemm/instances.hpp>
#include <heddle/spgemm_reordered.hpp>
