// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM by kernels that only comparisons with papers ask for, each by its name: portable ones on any
// backend, native ones on CUDA. heddle/spmm.hpp never takes them, and programs that do not include
// this do not compile them.

#include <heddle/concepts.hpp>
#include <heddle/config.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/papers/csr_element.hpp>
#include <heddle/impl/papers/place_by_place.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/plan/plan.hpp>
#include <heddle/impl/plan/run_choice.hpp>
#include <heddle/impl/plan/statistics_of.hpp>
#include <heddle/op.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmm_options.hpp>
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
#include <heddle/cuda_native/papers/spmm.cuh>
#include <heddle/cuda_native/spmm/implementations.cuh>
#endif

namespace heddle::papers
{

/// The kernels of C = A B (B and C dense) of papers for these types: for some types none.
template <class Exec, class Matrix>
using SpmmImplementations = impl::supported_or_none_t<impl::Candidates<
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
    cuda_native::SpmmCsrShared<Exec, Matrix, cuda_native::CsrKernels<Matrix>>,
    cuda_native::SpmmEllShared<Exec, Matrix, cuda_native::CsrKernels<Matrix>>,
    cuda_native::SpmmSellpPaper<Exec, Matrix, cuda_native::CsrKernels<Matrix>>,
#endif
    impl::SpmmCsrElement<Exec, Matrix>, impl::PlaceByPlace<Exec, Matrix>>>;

/// A plan as heddle::SpmmPlan, by one of these kernels, which options.implementation names.
template <class Exec, class Matrix>
class SpmmPlan
    : public impl::MultiplyPlan<Exec, Matrix, SpmmOptions, SpmmImplementations<Exec, Matrix>>
{
  using List = SpmmImplementations<Exec, Matrix>;
  using Base = impl::MultiplyPlan<Exec, Matrix, SpmmOptions, List>;

public:
  /// Waits for exec. Throws Unsupported where options name none of these kernels, or one that this
  /// matrix does not have, InvalidArgument where a number in them is out of range.
  SpmmPlan(Exec const& exec, Matrix const& a, SpmmOptions const& options)
  try : Base(a, impl::pattern_of(exec, a), options, analyze(exec, a, impl::checked(options)))
  {}
  catch (...)
  {
    impl::rethrow_out_of_memory("spmm");
  }

private:
  static auto analyze(Exec const& exec, Matrix const& a, SpmmOptions const& options)
  {
    static_assert(impl::has_right_entries<Exec, Matrix, impl::SpmmStatistics, SpmmOptions>(List{}));
    impl::SpmmStatistics const statistics = impl::statistics_of(exec, a);
    return impl::choose(List{}, "papers::spmm", options, exec, a, statistics);
  }
};
template <class Exec, class Matrix>
SpmmPlan(Exec const&, Matrix const&, SpmmOptions const&)
    -> SpmmPlan<Exec, typename Matrix::const_type>;

/// C <- alpha op(A) B + beta C by the plan's kernel: all that heddle::spmm says holds here, too.
/// Asynchronous.
template <ExecutionSpace Exec, SparseMatrix Matrix, DenseMatrix B, DenseMatrix C>
void spmm(Exec const& exec, SpmmPlan<Exec, typename Matrix::const_type> const& plan, Op op,
          typename C::non_const_value_type alpha, Matrix const& a, B const& b,
          typename C::non_const_value_type beta, C const& c)
{
  using ReadOnly = typename Matrix::const_type;
  ReadOnly const input = a;
  impl::call_spmm(exec, plan, op, alpha, input, b, beta, c, [&](auto const& in, auto const& out) {
    impl::run_choice<SpmmImplementations<Exec, ReadOnly>,
                     heddle::SpmmImplementations<Exec, ReadOnly>>(
        "spmm", plan.is_forced(), plan.choice(), exec, op, alpha, input, in, beta, out);
  });
}

} // namespace heddle::papers
