// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/config.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/epilogue.hpp>
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
#include <heddle/impl/scale.hpp>
#include <heddle/impl/spmv/chunks.hpp>
#include <heddle/impl/spmv/compressed.hpp>
#include <heddle/impl/spmv/csr_or_sell.hpp>
#include <heddle/impl/spmv/runs.hpp>
#include <heddle/impl/spmv/team.hpp>
#include <heddle/impl/spmv/templates.hpp>
#include <heddle/impl/spmv_statistics.hpp>
#include <heddle/op.hpp>
#include <heddle/row_epilogue.hpp>
#include <heddle/spmv_options.hpp>
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
#include <heddle/cuda_native/spmv/implementations.cuh>
#endif

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <variant>

namespace heddle
{

namespace impl
{

template <class Exec, class Matrix>
struct SpmvList;
struct SpmvCall;

// With HEDDLE_BACKEND put in. Throws InvalidArgument where a number is none of those there are.
inline SpmvOptions checked(SpmvOptions const& options)
{
  require(options.order_trial == 0 || options.order_trial == 1, "spmv", "order_trial is ",
          options.order_trial, ", expected 1, or 0 for no trial");
  return resolved("spmv", options);
}

// Those that read the matrix itself, best first.
template <class Exec, class Matrix>
using SpmvOnMatrix = impl::supported_t<impl::Candidates<
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
    cuda_native::SpmvCsrRuns<Exec, Matrix>, cuda_native::SpmvCsrTemplates<Exec, Matrix>,
    cuda_native::SpmvCsrPanels<Exec, Matrix>, cuda_native::SpmvCsrVector<Exec, Matrix>,
    cuda_native::SpmvCsrTiles<Exec, Matrix>, impl::OnCsr<Exec, Matrix, cuda_native::SpmvCsrVector>,
    impl::OnCsr<Exec, Matrix, cuda_native::SpmvCsrTiles>, cuda_native::SpmvCooTiles<Exec, Matrix>,
    cuda_native::SpmvSellSlices<Exec, Matrix>, cuda_native::SpmvEllrT<Exec, Matrix>,
    cuda_native::SpmvBsrBlocks<Exec, Matrix>,
#endif
    impl::SpmvCompressed<Exec, Matrix, impl::SpmvRuns>,
    impl::SpmvCompressed<Exec, Matrix, impl::SpmvTemplates>, impl::SpmvChunks<Exec, Matrix>,
    impl::OnCsr<Exec, Matrix, impl::SpmvChunks>, impl::OnCsr<Exec, Matrix, impl::SpmvTeam>,
    impl::CooSegments<Exec, Matrix, impl::SpmvTeams>, impl::HybParts<Exec, Matrix, impl::SpmvList>,
    impl::OnReordered<Exec, Matrix, impl::SpmvCall>, impl::SpmvTeam<Exec, Matrix>>>;

template <class Exec, class Matrix>
struct SpmvList
{
  using type = SpmvOnMatrix<Exec, Matrix>;
};

// In front of them, for CSR, the one that may copy it.
template <class Exec, class Matrix>
using SpmvWithCopies =
    std::conditional_t<is_csr_matrix_v<Matrix>, Candidates<SpmvCsrOrSell<Exec, Matrix, SpmvList>>,
                       Candidates<>>;

} // namespace impl

/// The kernels of y = A x for these types, best first; a plan takes the first that can run on the
/// matrix. Those that only comparisons name are papers::SpmvImplementations (papers/spmv.hpp).
template <class Exec, class Matrix>
using SpmvImplementations = decltype(impl::SpmvWithCopies<Exec, Matrix>{} +
                                     impl::SpmvOnMatrix<Exec, Matrix>{});

template <class Exec, class Matrix>
class SpmvPlan;

namespace impl
{

// What a library of instances compiles once: the choice of an implementation, and the call on
// contiguous vectors of the matrix's own value type. Defined below, out of the class, as extern
// template asks.
template <class Exec, class Matrix>
struct SpmvInstance
{
  using Value = typename Matrix::value_type;
  using Choice = Chosen<SpmvImplementations<Exec, Matrix>>;
  using X = VectorOperand<Value const, Kokkos::LayoutRight>;
  using Y = VectorOperand<Value, Kokkos::LayoutRight>;
  static Choice analyze(Exec const& exec, Matrix const& a, SpmvOptions const& options);
  static void run(Exec const& exec, SpmvPlan<Exec, Matrix> const& plan, Op op, Value alpha,
                  Matrix const& a, X const& x, Value beta, Y const& y);
};

} // namespace impl

/// Analysis of a pattern for y = alpha op(A) x + beta y: made once, valid while the pattern of A
/// holds, for every op and any values. It keeps no values, unless options.may_convert let it.
/// Immutable but for update_values: several instances and host threads may use one plan at once.
template <class Exec, class Matrix>
class SpmvPlan
    : public impl::MultiplyPlan<Exec, Matrix, SpmvOptions, SpmvImplementations<Exec, Matrix>>
{
public:
  /// Waits for exec. Throws Unsupported where options name an implementation that these types or
  /// this matrix do not have, InvalidArgument where a number in them is out of range.
  SpmvPlan(Exec const& exec, Matrix const& a, SpmvOptions const& options = {})
  try : SpmvPlan(exec, a, impl::pattern_of(exec, a), impl::checked(options))
  {}
  catch (...)
  {
    impl::rethrow_out_of_memory("spmv");
  }
  /// Whether the plan holds a copy of A's values, from which A x and conj(A) x are taken.
  bool keeps_values() const
  {
    return std::visit(
        []<class I>(impl::Bound<I> const& bound) {
          if constexpr (impl::KeepsValues<typename I::State, Exec, Matrix>)
            return bound.state.keeps_values();
          else
            return false;
        },
        this->choice());
  }
  /// Takes over the values of a, which has the pattern that the plan was made for: else
  /// InvalidArgument where sizes differ, wrong numbers otherwise. Does nothing where the plan keeps
  /// no values. Asynchronous; calls with this plan, or with a copy of it, which shares the values,
  /// must not run meanwhile: they belong behind it on exec, or behind a fence.
  void update_values(Exec const& exec, Matrix const& a)
  try
  {
    impl::require_pattern(exec, "update_values", "A", this->pattern(), a);
    std::visit(
        [&]<class I>(impl::Bound<I> const& bound) {
          if constexpr (impl::KeepsValues<typename I::State, Exec, Matrix>)
            bound.state.update_values(exec, a);
        },
        this->choice());
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("update_values");
  }

  /// Whether the chosen kernel runs epilogues of this kind, with or without sums over the rows,
  /// itself; else they take a second pass over y.
  bool fuses_epilogues(bool with_sums) const
  {
    return std::visit(
        [with_sums]<class I>(impl::Bound<I> const& bound) {
          return impl::fuses_epilogues(bound, with_sums);
        },
        this->choice());
  }
  /// What MultiplyPlan::describe says, and how epilogues run.
  std::string describe() const
  try
  {
    auto const where = [this](bool with_sums) {
      return fuses_epilogues(with_sums) ? "in the kernel" : "in a second pass over y";
    };
    return Base::describe() + "epilogues: " + where(false) + ", with sums over the rows " +
           where(true) + "\n";
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("describe");
  }

private:
  friend struct impl::OneCall;
  using Base = impl::MultiplyPlan<Exec, Matrix, SpmvOptions, SpmvImplementations<Exec, Matrix>>;

  static SpmvPlan for_one_call(Exec const& exec, Matrix const& a)
  try
  {
    return {exec, a, impl::pattern_of_one_call(exec, a),
            impl::resolved("spmv", SpmvOptions{.expected_calls = 1})};
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("spmv");
  }
  SpmvPlan(Exec const& exec, Matrix const& a, impl::Pattern const& pattern,
           SpmvOptions const& options)
      : Base(a, pattern, options, impl::SpmvInstance<Exec, Matrix>::analyze(exec, a, options))
  {}
};
template <class Exec, class Matrix>
SpmvPlan(Exec const&, Matrix const&, SpmvOptions const& = {})
    -> SpmvPlan<Exec, typename Matrix::const_type>;

namespace impl
{

// What OnReordered does with P A Q^T.
struct SpmvCall
{
  template <class Exec, class Matrix>
  using Plan = SpmvPlan<Exec, Matrix>;
  template <class... Args>
  static void run(Args const&... args)
  {
    spmv(args...);
  }
  template <class Value>
  static VectorOperand<Value, Kokkos::LayoutRight> operand(Value* data, std::int64_t rows,
                                                           std::int64_t)
  {
    return {data, rows, 1};
  }
};

// Behind the checks, on unified operands.
template <class Exec, class Matrix, class Scalar, class X, class Y>
void visit_spmv(Exec const& exec, SpmvPlan<Exec, Matrix> const& plan, Op op, Scalar alpha,
                Matrix const& a, X const& x, Scalar beta, Y const& y)
{
  run_choice<SpmvImplementations<Exec, Matrix>>("spmv", plan.is_forced(), plan.choice(), exec, op,
                                                alpha, a, x, beta, y);
}

template <class Exec, class Matrix>
auto SpmvInstance<Exec, Matrix>::analyze(Exec const& exec, Matrix const& a,
                                         SpmvOptions const& options) -> Choice
{
  using List = SpmvImplementations<Exec, Matrix>;
  static_assert(has_right_entries<Exec, Matrix, SpmvStatistics, SpmvOptions>(List{}));
  return choose(List{}, "spmv", options, exec, a, SpmvStatistics(statistics_of(exec, a)));
}

template <class Exec, class Matrix>
void SpmvInstance<Exec, Matrix>::run(Exec const& exec, SpmvPlan<Exec, Matrix> const& plan, Op op,
                                     Value alpha, Matrix const& a, X const& x, Value beta,
                                     Y const& y)
{
  visit_spmv(exec, plan, op, alpha, a, x, beta, y);
}

template <class Matrix, class X, class Y>
void check_spmv(Op op, Matrix const& a, X const& x, Y const& y)
{
  auto const inputs = is_transposed(op) ? a.num_rows() : a.num_cols();
  auto const outputs = is_transposed(op) ? a.num_cols() : a.num_rows();
  char const* const name = op == Op::none ? "A" : "op(A)";
  require(x.extent(0) == static_cast<std::size_t>(inputs), "spmv", "x has ", x.extent(0),
          " entries but ", name, " has ", inputs, " columns");
  require(y.extent(0) == static_cast<std::size_t>(outputs), "spmv", "y has ", y.extent(0),
          " entries but ", name, " has ", outputs, " rows");
  require_disjoint("spmv", "x and y", x, y);
}

// Neither A nor x counts.
template <class Exec, class Scalar, class Y>
void spmv_without_product(Exec const& exec, Scalar beta, Y const& y)
{
  scale(exec, beta, unfused(y));
  if constexpr (is_fused_v<Y>)
    apply_epilogue(exec, y);
}

// A call with a plan of any kind: the checks, and run(x, output(y)) on unified operands unless
// alpha is 0.
template <class Exec, class Plan, class Scalar, class Matrix, class X, class Y, class Output,
          class Run>
void call_spmv(Exec const& exec, Plan const& plan, Op op, Scalar alpha, Matrix const& a, X const& x,
               Scalar beta, Y const& y, Output const& output, Run const& run)
try
{
  if constexpr (MultiplyTypes<Exec, Matrix, X, Y>::fit)
  {
    check_spmv(op, a, x, y);
    require_pattern(exec, "spmv", "A", plan.pattern(), a);
    Kokkos::Profiling::ScopedRegion const region("heddle::spmv");
    with_vector_operands(x, y, [&]<class In, class Out>(In const& in, Out const& out) {
      auto const result = output(out);
      if (alpha == Scalar(0))
        spmv_without_product(exec, beta, result);
      else
        run(in, result);
    });
  }
}
catch (...)
{
  rethrow_out_of_memory("spmv");
}

} // namespace impl

/// y <- alpha op(A) x + beta y, where op(A) is A, A^T or A^H.
///
/// x has as many entries as op(A) columns, y as many as op(A) rows, else InvalidArgument; they must
/// not overlap. Vectors of any stride. beta = 0 overwrites y without reading it, so a NaN in it
/// does not survive; alpha = 0 reads neither A nor x. Values of A, x and y may be of different
/// types, double ones of A under float vectors too: sums are taken in the widest of them and
/// rounded where they are stored in y, which is complex if a factor is. A matrix of other sizes
/// than the plan's is refused; one of the same sizes and another pattern gives wrong numbers (debug
/// builds of Kokkos, and sources that define HEDDLE_CHECK_PATTERN, compare the fingerprint, for
/// which the call waits for exec). Where plan.keeps_values(), A x and conj(A) x are of
/// the values that the plan was made with or was last given by update_values. Asynchronous: returns
/// before exec has finished. A x is bitwise repeatable; plan.is_repeatable(op) tells of the rest.
template <ExecutionSpace Exec, SparseMatrix Matrix, Vector X, Vector Y>
void spmv(Exec const& exec, SpmvPlan<Exec, typename Matrix::const_type> const& plan, Op op,
          typename Y::non_const_value_type alpha, Matrix const& a, X const& x,
          typename Y::non_const_value_type beta, Y const& y)
{
  using Instance = impl::SpmvInstance<Exec, typename Matrix::const_type>;
  typename Matrix::const_type const input = a;
  impl::call_spmv(exec, plan, op, alpha, input, x, beta, y, std::identity{},
                  [&]<class In, class Out>(In const& in, Out const& out) {
                    if constexpr (std::is_same_v<In, typename Instance::X> &&
                                  std::is_same_v<Out, typename Instance::Y>)
                      Instance::run(exec, plan, op, alpha, input, in, beta, out);
                    else
                      impl::visit_spmv(exec, plan, op, alpha, input, in, beta, out);
                  });
}

/// y(i) <- epilogue(i, alpha (A x)(i) + beta y(i)) for every row i: the same with Op::none, and a
/// functor through which each row's result goes on its way to y, within the kernel where
/// plan.describe() says so, else in a second pass over y. What an epilogue is: row_epilogue.hpp;
/// those that applications need most, as dot products and steps of smoothers: epilogues.hpp.
/// Results and sums of epilogues are bitwise repeatable. Asynchronous.
template <ExecutionSpace Exec, SparseMatrix Matrix, Vector X, Vector Y, class Epilogue>
void spmv(Exec const& exec, SpmvPlan<Exec, typename Matrix::const_type> const& plan,
          typename Y::non_const_value_type alpha, Matrix const& a, X const& x,
          typename Y::non_const_value_type beta, Y const& y, Epilogue const& epilogue)
{
  using Scalar = typename Y::non_const_value_type;
  if constexpr (impl::require_epilogue<Epilogue, Scalar>())
  {
    typename Matrix::const_type const input = a;
    impl::call_spmv(
        exec, plan, Op::none, alpha, input, x, beta, y,
        [&]<class Out>(Out const& out) {
          return impl::FusedVector<Out, Epilogue>{out, epilogue};
        },
        [&](auto const& in, auto const& out) {
          impl::visit_spmv(exec, plan, Op::none, alpha, input, in, beta, out);
        });
  }
}

/// y <- alpha A x + beta y: the same with Op::none. Asynchronous.
template <ExecutionSpace Exec, SparseMatrix Matrix, Vector X, Vector Y>
void spmv(Exec const& exec, SpmvPlan<Exec, typename Matrix::const_type> const& plan,
          typename Y::non_const_value_type alpha, Matrix const& a, X const& x,
          typename Y::non_const_value_type beta, Y const& y)
{
  spmv(exec, plan, Op::none, alpha, a, x, beta, y);
}

/// The same with a plan for this call alone, whose making waits for exec: keep a plan where there
/// are several calls.
template <ExecutionSpace Exec, SparseMatrix Matrix, Vector X, Vector Y>
void spmv(Exec const& exec, Op op, typename Y::non_const_value_type alpha, Matrix const& a,
          X const& x, typename Y::non_const_value_type beta, Y const& y)
{
  if constexpr (impl::MultiplyTypes<Exec, Matrix, X, Y>::fit)
  {
    using Plan = SpmvPlan<Exec, typename Matrix::const_type>;
    spmv(exec, impl::OneCall::plan<Plan>(exec, a), op, alpha, a, x, beta, y);
  }
}
/// The same with Op::none.
template <ExecutionSpace Exec, SparseMatrix Matrix, Vector X, Vector Y>
void spmv(Exec const& exec, typename Y::non_const_value_type alpha, Matrix const& a, X const& x,
          typename Y::non_const_value_type beta, Y const& y)
{
  spmv(exec, Op::none, alpha, a, x, beta, y);
}

/// Calls whose types tell a mistake, which no other overload takes: they do not compile, with a
/// sentence that says why.
template <class First, class... Rest>
requires impl::RefusedCall<impl::Operation::spmv, First, Rest...>
void spmv(First const&, Rest const&...) { impl::refuse<impl::Operation::spmv, First, Rest...>(); }

} // namespace heddle

#include <heddle/impl/spmv/instances.hpp>
