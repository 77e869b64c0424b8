// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/config.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/multiply/coo_segments.hpp>
#include <heddle/impl/multiply/csr_form.hpp>
#include <heddle/impl/multiply/hyb_parts.hpp>
#include <heddle/impl/multiply/on_reordered.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/overlap.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/plan/plan.hpp>
#include <heddle/impl/plan/run_choice.hpp>
#include <heddle/impl/plan/statistics_of.hpp>
#include <heddle/impl/refused_call.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/impl/spmm/chunks.hpp>
#include <heddle/impl/spmm/team.hpp>
#include <heddle/op.hpp>
#include <heddle/spmm_options.hpp>
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
#include <heddle/cuda_native/spmm/csr_statistics.hpp>
#include <heddle/cuda_native/spmm/implementations.cuh>
#endif

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

namespace heddle
{

namespace impl
{

template <class Exec, class Matrix>
struct SpmmList;
struct SpmmCall;

#if defined(HEDDLE_HAVE_CUDA_NATIVE)
using SpmmStatistics = cuda_native::SpmmCsrStatistics;
#else
using SpmmStatistics = RowStatistics;
#endif

} // namespace impl

/// The kernels of C = A B (B and C dense) for these types, best first; a plan takes the first that
/// can run on the matrix. Those that only comparisons name are papers::SpmmImplementations
/// (papers/spmm.hpp).
template <class Exec, class Matrix>
using SpmmImplementations = impl::supported_t<impl::Candidates<
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
    cuda_native::SpmmCsr<Exec, Matrix>, impl::OnCsr<Exec, Matrix, cuda_native::SpmmCsrAny>,
    cuda_native::SpmmCooRows<Exec, Matrix>, cuda_native::SpmmRowSegments<Exec, Matrix>,
    cuda_native::SpmmBsrBlocks<Exec, Matrix>, cuda_native::SpmmBsrTensor<Exec, Matrix>,
    cuda_native::SpmmSlices<Exec, Matrix>,
#endif
    impl::SpmmChunks<Exec, Matrix>, impl::OnCsr<Exec, Matrix, impl::SpmmChunks>,
    impl::OnCsr<Exec, Matrix, impl::SpmmTeam>, impl::CooSegments<Exec, Matrix, impl::SpmmTeams>,
    impl::HybParts<Exec, Matrix, impl::SpmmList>, impl::OnReordered<Exec, Matrix, impl::SpmmCall>,
    impl::SpmmTeam<Exec, Matrix>>>;

template <class Exec, class Matrix>
class SpmmPlan;

namespace impl
{

template <class Exec, class Matrix>
struct SpmmList
{
  using type = SpmmImplementations<Exec, Matrix>;
};

// With HEDDLE_BACKEND put in, and deprecated members in tuning. Throws InvalidArgument where a
// number is none of those there are.
inline SpmmOptions checked(SpmmOptions const& given)
{
  SpmmOptions options = resolved("spmm", with_tuning(given));
  RowSegmentsTuning const& tuning = options.tuning.row_segments;
  for (int const slices : {tuning.vertical_coarsening, tuning.horizontal_coarsening})
    require(slices == 0 || slices == 1 || slices == 2 || slices == 4, "spmm", "coarsening ", slices,
            ", expected 1, 2 or 4, or 0 to leave it to the plan");
  require(options.order_trial >= 0, "spmm", "order_trial is ", options.order_trial,
          ", expected a number of columns, or 0 for no trial");
  return options;
}

// What a library of instances compiles once: the choice of an implementation, and the call on dense
// operands of the matrix's own value type, both row-major or both column-major.
template <class Exec, class Matrix>
struct SpmmInstance
{
  using Value = typename Matrix::value_type;
  using Choice = Chosen<SpmmImplementations<Exec, Matrix>>;
  template <class Layout>
  using B = MatrixOperand<Value const, Layout>;
  template <class Layout>
  using C = MatrixOperand<Value, Layout>;
  using Right = Kokkos::LayoutRight;
  using Left = Kokkos::LayoutLeft;
  static Choice analyze(Exec const& exec, Matrix const& a, SpmmOptions const& options);
  static void run(Exec const& exec, SpmmPlan<Exec, Matrix> const& plan, Op op, Value alpha,
                  Matrix const& a, B<Right> const& b, Value beta, C<Right> const& c);
  static void run(Exec const& exec, SpmmPlan<Exec, Matrix> const& plan, Op op, Value alpha,
                  Matrix const& a, B<Left> const& b, Value beta, C<Left> const& c);
};

} // namespace impl

/// Analysis of a pattern for C = alpha op(A) B + beta C with dense B and C: made once, valid while
/// the pattern of A holds, for every op, number of columns, layout and any values. Immutable:
/// several instances and host threads may use one plan at once.
template <class Exec, class Matrix>
class SpmmPlan
    : public impl::MultiplyPlan<Exec, Matrix, SpmmOptions, SpmmImplementations<Exec, Matrix>>
{
public:
  /// Waits for exec. Throws Unsupported where options name an implementation that these types or
  /// this matrix do not have, InvalidArgument where a number in them is out of range.
  SpmmPlan(Exec const& exec, Matrix const& a, SpmmOptions const& options = {})
  try : SpmmPlan(exec, a, impl::pattern_of(exec, a), impl::checked(options))
  {}
  catch (...)
  {
    impl::rethrow_out_of_memory("spmm");
  }

private:
  friend struct impl::OneCall;

  static SpmmPlan for_one_call(Exec const& exec, Matrix const& a)
  try
  {
    return {exec, a, impl::pattern_of_one_call(exec, a), impl::resolved("spmm", SpmmOptions{})};
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("spmm");
  }
  SpmmPlan(Exec const& exec, Matrix const& a, impl::Pattern const& pattern,
           SpmmOptions const& options)
      : impl::MultiplyPlan<Exec, Matrix, SpmmOptions, SpmmImplementations<Exec, Matrix>>(
            a, pattern, options, impl::SpmmInstance<Exec, Matrix>::analyze(exec, a, options))
  {}
};
template <class Exec, class Matrix>
SpmmPlan(Exec const&, Matrix const&, SpmmOptions const& = {})
    -> SpmmPlan<Exec, typename Matrix::const_type>;

namespace impl
{

// What OnReordered does with P A Q^T.
struct SpmmCall
{
  template <class Exec, class Matrix>
  using Plan = SpmmPlan<Exec, Matrix>;
  template <class... Args>
  static void run(Args const&... args)
  {
    spmm(args...);
  }
  template <class Value>
  static MatrixOperand<Value, Kokkos::LayoutRight> operand(Value* data, std::int64_t rows,
                                                           std::int64_t columns)
  {
    return {data, rows, columns, columns, 1};
  }
};

// Behind the checks, on unified operands.
template <class Exec, class Matrix, class Scalar, class B, class C>
void visit_spmm(Exec const& exec, SpmmPlan<Exec, Matrix> const& plan, Op op, Scalar alpha,
                Matrix const& a, B const& b, Scalar beta, C const& c)
{
  run_choice<SpmmImplementations<Exec, Matrix>>("spmm", plan.is_forced(), plan.choice(), exec, op,
                                                alpha, a, b, beta, c);
}

template <class Exec, class Matrix>
auto SpmmInstance<Exec, Matrix>::analyze(Exec const& exec, Matrix const& a,
                                         SpmmOptions const& options) -> Choice
{
  using List = SpmmImplementations<Exec, Matrix>;
  static_assert(has_right_entries<Exec, Matrix, SpmmStatistics, SpmmOptions>(List{}));
  SpmmStatistics const statistics = statistics_of(exec, a);
  return choose(List{}, "spmm", options, exec, a, statistics);
}

template <class Exec, class Matrix>
void SpmmInstance<Exec, Matrix>::run(Exec const& exec, SpmmPlan<Exec, Matrix> const& plan, Op op,
                                     Value alpha, Matrix const& a, B<Right> const& b, Value beta,
                                     C<Right> const& c)
{
  visit_spmm(exec, plan, op, alpha, a, b, beta, c);
}

template <class Exec, class Matrix>
void SpmmInstance<Exec, Matrix>::run(Exec const& exec, SpmmPlan<Exec, Matrix> const& plan, Op op,
                                     Value alpha, Matrix const& a, B<Left> const& b, Value beta,
                                     C<Left> const& c)
{
  visit_spmm(exec, plan, op, alpha, a, b, beta, c);
}

// Operands for which SpmmInstance has a call.
template <class Instance, class In, class Out>
inline constexpr bool is_spmm_instance_v =
    std::is_same_v<In, typename Instance::template B<typename In::layout>>&&
        std::is_same_v<Out, typename Instance::template C<typename In::layout>> &&
    !std::is_same_v<typename In::layout, Kokkos::LayoutStride>;

// What a call and its operands are called in sentences.
struct SpmmNames
{
  char const *function = "spmm", *b = "B", *c = "C", *both = "B and C";
};

template <class Matrix, class B, class C>
void check_spmm(Op op, Matrix const& a, B const& b, C const& c, SpmmNames const& names = {})
{
  auto const inputs = is_transposed(op) ? a.num_rows() : a.num_cols();
  auto const outputs = is_transposed(op) ? a.num_cols() : a.num_rows();
  char const* const name = op == Op::none ? "A" : "op(A)";
  require(b.extent(0) == static_cast<std::size_t>(inputs), names.function, names.b, " has ",
          b.extent(0), " rows but ", name, " has ", inputs, " columns");
  require(c.extent(0) == static_cast<std::size_t>(outputs), names.function, names.c, " has ",
          c.extent(0), " rows but ", name, " has ", outputs, " rows");
  require(b.extent(1) == c.extent(1), names.function, names.b, " has ", b.extent(1),
          " columns but ", names.c, " has ", c.extent(1));
  require_disjoint(names.function, names.both, b, c);
}

// A call with a plan of any kind: the checks, and run(b, c) on unified operands unless alpha is 0.
template <class Exec, class Plan, class Scalar, class Matrix, class B, class C, class Run>
void call_spmm(Exec const& exec, Plan const& plan, Op op, Scalar alpha, Matrix const& a, B const& b,
               Scalar beta, C const& c, Run const& run)
try
{
  if constexpr (MultiplyTypes<Exec, Matrix, B, C>::fit)
  {
    check_spmm(op, a, b, c);
    require_pattern(exec, "spmm", "A", plan.pattern(), a);
    if (c.extent(0) == 0 || c.extent(1) == 0)
      return;
    Kokkos::Profiling::ScopedRegion const region("heddle::spmm");
    with_matrix_operands(b, c, [&]<class In, class Out>(In const& in, Out const& out) {
      if (alpha == Scalar(0))
        scale(exec, beta, out);
      else
        run(in, out);
    });
  }
}
catch (...)
{
  rethrow_out_of_memory("spmm");
}

// An implementation that makes both products of spmm_both in one pass over A, of operands like
// these: can_run_both(exec, a, k_t, k) says whether it takes k_t and k columns.
template <class I, class Exec, class Scalar, class Matrix, class In, class Out>
concept MakesBoth = requires(typename I::State const& state, Exec const& exec, Matrix const& a,
                             Scalar scalar, In const& in, Out const& out)
{
  requires I::template takes<In, Out> == Takes::all;
  {
    I::can_run_both(exec, a, out.cols, out.cols)
    } -> std::same_as<bool>;
  I::run_both(exec, state, Op::transpose, scalar, a, in, in, scalar, out, out);
};

// Behind the checks of spmm_both: whether the plan's implementation has made both products at once.
template <class Exec, class Matrix, class Scalar, class Bt, class B, class Ct, class C>
bool make_both(Exec const& exec, SpmmPlan<Exec, Matrix> const& plan, Op op, Scalar alpha,
               Matrix const& a, Bt const& b_t, B const& b, Scalar beta, Ct const& c_t, C const& c)
{
  bool is_made = false;
  if (alpha == Scalar(0) || c_t.extent(0) == 0 || c.extent(0) == 0)
    return is_made;
  with_matrix_operands(b_t, c_t, [&]<class In, class Out>(In const& in_t, Out const& out_t) {
    with_matrix_operands(
        b, c, [&]<class OtherIn, class OtherOut>(OtherIn const& in, OtherOut const& out) {
          if constexpr (std::is_same_v<In, OtherIn> && std::is_same_v<Out, OtherOut>)
            std::visit(
                [&]<class I>(Bound<I> const& bound) {
                  if constexpr (MakesBoth<I, Exec, Scalar, Matrix, In, Out>)
                    if (out.cols > 0 && I::can_run_both(exec, a, out_t.cols, out.cols))
                    {
                      I::run_both(exec, bound.state, op, alpha, a, in_t, in, beta, out_t, out);
                      is_made = true;
                    }
                },
                plan.choice());
        });
  });
  return is_made;
}

} // namespace impl

/// C <- alpha op(A) B + beta C with dense B and C, where op(A) is A, A^T or A^H.
///
/// B has as many rows as op(A) columns, C as many as op(A) rows, and both have k columns (any k,
/// also 0), else InvalidArgument; they must not overlap. LayoutRight, LayoutLeft and strided Views
/// in any mixture: both row-major or both column-major are fast, a mixture takes a general path.
/// beta = 0 overwrites C without reading it, alpha = 0 reads neither A nor B. Values of A, B
/// and C may be of different types: sums are taken in the widest of them and rounded where they are
/// stored in C, those of half_t and bhalf_t in float; throws Unsupported where A^T B
/// would be added by atomics into C of these types, which deterministic = true avoids. Plans as for
/// spmv. Asynchronous: returns before exec has finished. A B is bitwise repeatable;
/// plan.is_repeatable(op) tells of the rest.
template <ExecutionSpace Exec, SparseMatrix Matrix, DenseMatrix B, DenseMatrix C>
void spmm(Exec const& exec, SpmmPlan<Exec, typename Matrix::const_type> const& plan, Op op,
          typename C::non_const_value_type alpha, Matrix const& a, B const& b,
          typename C::non_const_value_type beta, C const& c)
{
  using Instance = impl::SpmmInstance<Exec, typename Matrix::const_type>;
  typename Matrix::const_type const input = a;
  impl::call_spmm(exec, plan, op, alpha, input, b, beta, c,
                  [&]<class In, class Out>(In const& in, Out const& out) {
                    if constexpr (impl::is_spmm_instance_v<Instance, In, Out>)
                      Instance::run(exec, plan, op, alpha, input, in, beta, out);
                    else
                      impl::visit_spmm(exec, plan, op, alpha, input, in, beta, out);
                  });
}

/// C <- alpha A B + beta C: the same with Op::none. Asynchronous.
template <ExecutionSpace Exec, SparseMatrix Matrix, DenseMatrix B, DenseMatrix C>
void spmm(Exec const& exec, SpmmPlan<Exec, typename Matrix::const_type> const& plan,
          typename C::non_const_value_type alpha, Matrix const& a, B const& b,
          typename C::non_const_value_type beta, C const& c)
{
  spmm(exec, plan, Op::none, alpha, a, b, beta, c);
}

/// The same with a plan for this call alone, whose making waits for exec: keep a plan where there
/// are several calls.
template <ExecutionSpace Exec, SparseMatrix Matrix, DenseMatrix B, DenseMatrix C>
void spmm(Exec const& exec, Op op, typename C::non_const_value_type alpha, Matrix const& a,
          B const& b, typename C::non_const_value_type beta, C const& c)
{
  if constexpr (impl::MultiplyTypes<Exec, Matrix, B, C>::fit)
  {
    using Plan = SpmmPlan<Exec, typename Matrix::const_type>;
    spmm(exec, impl::OneCall::plan<Plan>(exec, a), op, alpha, a, b, beta, c);
  }
}
/// The same with Op::none.
template <ExecutionSpace Exec, SparseMatrix Matrix, DenseMatrix B, DenseMatrix C>
void spmm(Exec const& exec, typename C::non_const_value_type alpha, Matrix const& a, B const& b,
          typename C::non_const_value_type beta, C const& c)
{
  spmm(exec, Op::none, alpha, a, b, beta, c);
}

/// Calls whose types tell a mistake, which no other overload takes: they do not compile, with a
/// sentence that says why.
template <class First, class... Rest>
requires impl::RefusedCall<impl::Operation::spmm, First, Rest...>
void spmm(First const&, Rest const&...) { impl::refuse<impl::Operation::spmm, First, Rest...>(); }

/// C_t <- alpha op(A) B_t + beta C_t and C <- alpha A B + beta C, where op(A) is A^T or A^H, from
/// one plan: what block bidiagonalisation and least squares ask for (paper 000, section 6). Row
/// segments on a GPU make both in one pass over A where B_t and B have the same few columns.
///
/// What spmm says of each product holds here; both are checked before either begins. The numbers of
/// columns may differ. No result may share memory with another operand. Throws InvalidArgument
/// where op is none of the two. Asynchronous.
template <ExecutionSpace Exec, SparseMatrix Matrix, DenseMatrix Bt, DenseMatrix Ct, DenseMatrix B,
          DenseMatrix C>
void spmm_both(Exec const& exec, SpmmPlan<Exec, typename Matrix::const_type> const& plan, Op op,
               typename C::non_const_value_type alpha, Matrix const& a, Bt const& b_t, B const& b,
               typename C::non_const_value_type beta, Ct const& c_t, C const& c)
try
{
  static_assert(std::is_same_v<typename Ct::non_const_value_type, typename C::non_const_value_type>,
                "heddle::spmm_both: the results are of one type");
  impl::require(is_transposed(op), "spmm_both", "op is ", to_string(op),
                ", expected transpose or conjugate_transpose");
  impl::require_types<impl::MultiplyTypes<Exec, Matrix, Bt, Ct>>();
  impl::require_types<impl::MultiplyTypes<Exec, Matrix, B, C>>();
  impl::check_spmm(op, a, b_t, c_t, {"spmm_both", "B_t", "C_t", "B_t and C_t"});
  impl::check_spmm(Op::none, a, b, c, {"spmm_both"});
  impl::require_disjoint("spmm_both", "B_t and C", b_t, c);
  impl::require_disjoint("spmm_both", "B and C_t", b, c_t);
  impl::require_disjoint("spmm_both", "C_t and C", c_t, c);
  impl::require_pattern(exec, "spmm_both", "A", plan.pattern(), a);
  Kokkos::Profiling::ScopedRegion const region("heddle::spmm_both");
  typename Matrix::const_type const input = a;
  if (impl::make_both(exec, plan, op, alpha, input, b_t, b, beta, c_t, c))
    return;
  spmm(exec, plan, op, alpha, a, b_t, beta, c_t);
  spmm(exec, plan, Op::none, alpha, a, b, beta, c);
}
catch (...)
{
  impl::rethrow_out_of_memory("spmm_both");
}

/// C_t <- alpha A^T B_t + beta C_t and C <- alpha A B + beta C: the same with Op::transpose.
/// Asynchronous.
template <ExecutionSpace Exec, SparseMatrix Matrix, DenseMatrix Bt, DenseMatrix Ct, DenseMatrix B,
          DenseMatrix C>
void spmm_both(Exec const& exec, SpmmPlan<Exec, typename Matrix::const_type> const& plan,
               typename C::non_const_value_type alpha, Matrix const& a, Bt const& b_t, B const& b,
               typename C::non_const_value_type beta, Ct const& c_t, C const& c)
{
  spmm_both(exec, plan, Op::transpose, alpha, a, b_t, b, beta, c_t, c);
}

/// What spmm refuses for its types, spmm_both refuses with the same sentences.
template <class First, class... Rest>
requires impl::RefusedCall<impl::Operation::spmm, First, Rest...>
void spmm_both(First const&, Rest const&...)
{
  impl::refuse<impl::Operation::spmm, First, Rest...>();
}
/// Calls without a plan do not compile, and say so.
template <class First, class... Rest>
requires impl::CallWithoutPlan<impl::Operation::spmm, First, Rest...>
void spmm_both(First const&, Rest const&...)
{
  static_assert(!impl::CallWithoutPlan<impl::Operation::spmm, First, Rest...>,
                "heddle::spmm_both: the second argument is an SpmmPlan");
}

} // namespace heddle

#include <heddle/impl/spmm/instances.hpp>
