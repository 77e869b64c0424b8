// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMV by kernels that only comparisons with papers ask for, each by its name: portable ones on any
// backend, native ones on CUDA. heddle/spmv.hpp never takes them, and programs that do not include
// this do not compile them.

#include <heddle/concepts.hpp>
#include <heddle/config.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/papers/place_by_place.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/plan/plan.hpp>
#include <heddle/impl/plan/run_choice.hpp>
#include <heddle/impl/plan/statistics_of.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/op.hpp>
#include <heddle/spmv.hpp>
#include <heddle/spmv_options.hpp>
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
#include <heddle/cuda_native/papers/spmv.cuh>
#endif

#include <functional>

namespace heddle::papers
{

/// The kernels of y = A x of papers for these types: for some types none.
template <class Exec, class Matrix>
using SpmvImplementations = impl::supported_or_none_t<impl::Candidates<
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
    cuda_native::SpmvCsrScalar<Exec, Matrix>, cuda_native::SpmvCsrMerge<Exec, Matrix>,
    cuda_native::SpmvSellpPaper<Exec, Matrix>, cuda_native::SpmvEllr<Exec, Matrix>,
    cuda_native::SpmvEll<Exec, Matrix>,
#endif
    impl::PlaceByPlace<Exec, Matrix>>>;

/// A plan as heddle::SpmvPlan, by one of these kernels, which options.implementation names.
template <class Exec, class Matrix>
class SpmvPlan
    : public impl::MultiplyPlan<Exec, Matrix, SpmvOptions, SpmvImplementations<Exec, Matrix>>
{
  using List = SpmvImplementations<Exec, Matrix>;
  using Base = impl::MultiplyPlan<Exec, Matrix, SpmvOptions, List>;

public:
  /// Waits for exec. Throws Unsupported where options name none of these kernels, or one that this
  /// matrix does not have, InvalidArgument where a number in them is out of range.
  SpmvPlan(Exec const& exec, Matrix const& a, SpmvOptions const& options)
  try : Base(a, impl::pattern_of(exec, a), options, analyze(exec, a, impl::checked(options)))
  {}
  catch (...)
  {
    impl::rethrow_out_of_memory("spmv");
  }

private:
  static auto analyze(Exec const& exec, Matrix const& a, SpmvOptions const& options)
  {
    static_assert(impl::has_right_entries<Exec, Matrix, impl::RowStatistics, SpmvOptions>(List{}));
    return impl::choose(List{}, "papers::spmv", options, exec, a, impl::statistics_of(exec, a));
  }
};
template <class Exec, class Matrix>
SpmvPlan(Exec const&, Matrix const&, SpmvOptions const&)
    -> SpmvPlan<Exec, typename Matrix::const_type>;

/// y <- alpha op(A) x + beta y by the plan's kernel: all that heddle::spmv says holds here, too.
/// Asynchronous.
template <ExecutionSpace Exec, SparseMatrix Matrix, Vector X, Vector Y>
void spmv(Exec const& exec, SpmvPlan<Exec, typename Matrix::const_type> const& plan, Op op,
          typename Y::non_const_value_type alpha, Matrix const& a, X const& x,
          typename Y::non_const_value_type beta, Y const& y)
{
  using ReadOnly = typename Matrix::const_type;
  ReadOnly const input = a;
  impl::call_spmv(exec, plan, op, alpha, input, x, beta, y, std::identity{},
                  [&](auto const& in, auto const& out) {
                    impl::run_choice<SpmvImplementations<Exec, ReadOnly>,
                                     heddle::SpmvImplementations<Exec, ReadOnly>>(
                        "spmv", plan.is_forced(), plan.choice(), exec, op, alpha, input, in, beta,
                        out);
                  });
}

} // namespace heddle::papers
