// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpGEMM as papers have it that heddle is compared with, by the name of an accumulator or an
// implementation: portable kernels on any backend, native ones on CUDA. heddle/spgemm.hpp never
// takes them, and programs that do not include this do not compile them.

#include <heddle/concepts.hpp>
#include <heddle/config.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/papers/iterated_merge.hpp>
#include <heddle/impl/papers/scatter_or_esc.hpp>
#include <heddle/impl/pattern.hpp>
#include <heddle/impl/spgemm/plan.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spgemm_options.hpp>
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
#include <heddle/cuda_native/papers/spgemm.cuh>
#endif

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

namespace heddle::papers
{

/// The kernels of C = A B of papers, with all three sparse, for these types.
template <class Exec, class A, class B>
using SpgemmImplementations = impl::supported_or_none_t<impl::Candidates<
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
    cuda_native::SpgemmScatterOrEsc<Exec, A, B>,
#endif
    impl::SpgemmScatterOrEsc<Exec, A, B>, impl::SpgemmIteratedMerge<Exec, A, B>>>;

/// A plan as heddle::SpgemmPlan, by one of the accumulators scatter_vector_paper, hybrid_sparse,
/// hybrid_sparse_dvw and esc_global, or by the implementation portable::iterated_merge (RMerge),
/// which options name. On CUDA the first three are native.
template <class Exec, class A, class B>
class SpgemmPlan : public impl::ProductPlan<Exec, A, B, SpgemmImplementations<Exec, A, B>>
{
  using List = SpgemmImplementations<Exec, A, B>;
  using Base = impl::ProductPlan<Exec, A, B, List>;
  using Operands = impl::SpgemmOperands<Exec, A, B>;

public:
  /// Waits for exec. Throws what the constructor of heddle::SpgemmPlan throws, and Unsupported
  /// where options name none of these. portable::iterated_merge throws OutOfMemory where
  /// max_workspace_bytes does not hold the columns of the products that come before C.
  SpgemmPlan(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  try : SpgemmPlan(exec, a, b, impl::checked(options), impl::pattern_of(exec, a),
                   impl::pattern_of(exec, b))
  {}
  catch (...)
  {
    impl::rethrow_out_of_memory("spgemm");
  }

private:
  friend struct impl::OneCall;

  static SpgemmPlan for_one_call(Exec const& exec, A const& a, B const& b,
                                 SpgemmOptions const& options)
  {
    return {exec,
            a,
            b,
            impl::checked(options),
            impl::pattern_of_one_call(exec, a),
            impl::pattern_of_one_call(exec, b)};
  }
  SpgemmPlan(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options,
             impl::Pattern const& pattern_a, impl::Pattern const& pattern_b)
      : SpgemmPlan(exec, a, b, options,
                   impl::SpgemmInstance<Exec, A, B>::operands(exec, a, b, options), pattern_a,
                   pattern_b)
  {}
  SpgemmPlan(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options,
             Operands const& operands, impl::Pattern const& pattern_a,
             impl::Pattern const& pattern_b)
      : Base(options, impl::choose_product(List{}, "papers::spgemm", exec, operands, a, b, options),
             operands, pattern_a, pattern_b)
  {}
};
template <class Exec, class A, class B>
SpgemmPlan(Exec const&, A const&, B const&, SpgemmOptions const&)
    -> SpgemmPlan<Exec, typename A::const_type, typename B::const_type>;

/// The numeric phase: all that heddle::spgemm says holds here, too. Asynchronous, except that host
/// spaces wait for their threads, and that exec is waited for where the plan does not keep columns.
template <ExecutionSpace Exec, Csr A, Csr B>
void spgemm(Exec const& exec,
            SpgemmPlan<Exec, typename A::const_type, typename B::const_type> const& plan,
            A const& a, B const& b,
            SpgemmResult<typename A::const_type, typename B::const_type> const& c)
{
  typename A::const_type const input_a = a;
  typename B::const_type const input_b = b;
  impl::call_spgemm(exec, plan, input_a, input_b, c,
                    [&] { impl::visit_spgemm(exec, plan, input_a, input_b, c); });
}

/// op_a(A) op_b(B) as a new matrix with sorted rows: a plan and a call. Throws what the constructor
/// of SpgemmPlan throws. Waits for exec.
template <ExecutionSpace Exec, Csr A, Csr B>
auto spgemm(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
try
{
  using Plan = SpgemmPlan<Exec, typename A::const_type, typename B::const_type>;
  Kokkos::Profiling::ScopedRegion const region("heddle::spgemm");
  typename A::const_type const input_a = a;
  typename B::const_type const input_b = b;
  Plan const plan = impl::OneCall::plan<Plan>(exec, input_a, input_b, options);
  auto c = impl::OneCall::result(exec, plan);
  impl::visit_spgemm(exec, plan, input_a, input_b, c);
  exec.fence("heddle::spgemm");
  return c;
}
catch (...)
{
  impl::rethrow_out_of_memory("spgemm");
}

} // namespace heddle::papers
