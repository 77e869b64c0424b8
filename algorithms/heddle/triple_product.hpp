// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/spgemm/intermediate_product.hpp>
#include <heddle/impl/spgemm/triple.hpp>
#include <heddle/impl/spgemm/triple_pieces.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <limits>
#include <string>

namespace heddle
{

/// The type of C = R A P: sums in the widest value type, offsets of the widest offset type.
template <class R, class A, class P>
using TripleProductResult = SpgemmResult<R, typename SpgemmResult<A, P>::const_type>;

/// The symbolic phase of C = R A P, the operator of a coarser level of multigrid, with R = op_a(r)
/// and P = op_b(p): an SpgemmPlan of A P and one of R (A P), valid while the patterns of r, A and p
/// hold, for any values. For a Galerkin product r is p and op_a Op::transpose (conjugate_transpose
/// of complex matrices): the caller need not have P^T. Immutable: several instances and host
/// threads may use one plan at once.
template <class Exec, class R, class A, class P>
class TripleProductPlan
{
public:
  using result_type = TripleProductResult<R, A, P>;
  using product_pattern = typename SpgemmResult<A, P>::const_type;

  /// Options are those of both products, but op_a is R's and op_b P's. max_workspace_bytes is what
  /// each product may take; columns of A P, which the plan keeps, and its values, which a call has
  /// in scratch memory, come on top. Waits for exec. Throws InvalidArgument where sizes do not fit,
  /// and what the constructor of SpgemmPlan throws.
  TripleProductPlan(Exec const& exec, R const& r, A const& a, P const& p,
                    SpgemmOptions const& options = {})
  try : m_inner(exec, impl::checked_for_triple(r, a, p, options), p, impl::inner_options(options)),
      m_outer(exec, r, m_inner.pattern(), impl::outer_options(options))
  {}
  catch (...)
  {
    impl::rethrow_out_of_memory("triple_product");
  }

  /// Entries of C.
  std::size_t nnz() const { return m_outer.nnz(); }
  /// A new C: row offsets and columns are set (columns by the first call, where max_workspace_bytes
  /// did not let the plan keep them), values are not. Row offsets are shared with the plan. Throws
  /// OutOfMemory, before it allocates, where the memory is not there. Waits for exec only as making
  /// a View does.
  result_type make_result(Exec const& exec) const { return m_outer.make_result(exec); }
  /// Whether calls give the same bits each time, on this device and with this plan.
  bool is_repeatable() const { return inner().is_repeatable() && m_outer.is_repeatable(); }
  /// Whether the plan was made for these patterns: one pass over each; waits for exec.
  bool matches(Exec const& exec, R const& r, A const& a, P const& p) const
  {
    return inner().matches(exec, a, p) && m_outer.matches(exec, r, m_inner.pattern());
  }
  /// What the plans of both products say, each under the names of its own factors, A and B.
  std::string describe() const
  try
  {
    return "A P: " + inner().describe() + "R (A P): " + m_outer.describe();
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("describe");
  }
  /// The plan of A P.
  SpgemmPlan<Exec, A, P> const& inner() const { return m_inner.plan(); }
  /// The plan of R (A P).
  SpgemmPlan<Exec, R, product_pattern> const& outer() const { return m_outer; }
  /// body(A P), the first step of a call; the product's values are there while body runs.
  template <class Body>
  void with_product(Exec const& exec, A const& a, P const& p, Body const& body) const
  {
    m_inner.with(exec, a, p, body);
  }

private:
  impl::IntermediateProduct<Exec, A, P> m_inner;
  SpgemmPlan<Exec, R, product_pattern> m_outer;
};
template <class Exec, class R, class A, class P>
TripleProductPlan(Exec const&, R const&, A const&, P const&, SpgemmOptions const& = {})
    -> TripleProductPlan<Exec, typename R::const_type, typename A::const_type,
                         typename P::const_type>;

/// Values of C = R A P into c, which plan.make_result made (or which has the same pattern), again
/// for new values of all three: the numeric phases of A P, in scratch memory of a value per entry,
/// and of R (A P). Throws InvalidArgument for matrices of other sizes than the plan's, and for a c
/// of other sizes than the result or in the memory of an operand. Other patterns of the same sizes:
/// as spgemm with a plan. Asynchronous as spgemm with a plan is. Bitwise repeatable where
/// plan.is_repeatable() says so.
template <ExecutionSpace Exec, Csr R, Csr A, Csr P>
void triple_product(Exec const& exec,
                    TripleProductPlan<Exec, typename R::const_type, typename A::const_type,
                                      typename P::const_type> const& plan,
                    R const& r, A const& a, P const& p,
                    TripleProductResult<typename R::const_type, typename A::const_type,
                                        typename P::const_type> const& c)
try
{
  Kokkos::Profiling::ScopedRegion const region("heddle::triple_product");
  impl::check_triple_call(exec, plan, r, a, p, c);
  plan.with_product(exec, a, p,
                    [&](auto const& product) { spgemm(exec, plan.outer(), r, product, c); });
}
catch (...)
{
  impl::rethrow_out_of_memory("triple_product");
}

/// R A P, R = op_a(r) and P = op_b(p), as a new matrix with sorted rows: spgemm of A P and of R and
/// the product. Options as those of a TripleProductPlan, but max_workspace_bytes holds A P too:
/// where it takes more than half of that (a row of A P counted as min(products, columns) entries),
/// rows of A P are made in pieces, each multiplied with its columns of R, and the parts of C added
/// up; these, no larger than C, come on top. With pieces R is best given by columns: as r with op_a
/// transpose or conjugate_transpose, else R^T is formed. Throws what the plan's constructor throws,
/// and OutOfMemory where a row of A P does not fit. Waits for exec; repeatable as spgemm is, with
/// the same pieces for the same patterns and options.
template <ExecutionSpace Exec, Csr R, Csr A, Csr P>
auto triple_product(Exec const& exec, R const& r, A const& a, P const& p,
                    SpgemmOptions const& options = {})
try
{
  impl::checked_for_triple(r, a, p, options);
  Kokkos::Profiling::ScopedRegion const region("heddle::triple_product");
  return options.max_workspace_bytes < std::numeric_limits<std::size_t>::max()
             ? impl::triple_within_bytes(exec, r, a, p, options)
             : impl::triple_at_once(exec, r, a, p, options);
}
catch (...)
{
  impl::rethrow_out_of_memory("triple_product");
}

} // namespace heddle
