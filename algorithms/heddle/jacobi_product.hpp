// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/add.hpp>
#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/entries/jacobi.hpp>
#include <heddle/impl/entries/rows.hpp>
#include <heddle/impl/out_of_memory.hpp>
#include <heddle/impl/spgemm/intermediate_product.hpp>
#include <heddle/scale.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <string>

namespace heddle
{

/// The symbolic phase of C = B - omega D^-1 A B, by which smoothed aggregation makes a prolongator
/// of a tentative one, B: an SpgemmPlan of A B and an AddPlan of B and the product, valid while the
/// patterns of A and B hold, for any values. C has the entries of both, sorted, also where A lacks
/// diagonal entries. Immutable: several instances and host threads may use one plan at once.
template <class Exec, class A, class B>
class JacobiPlan
{
public:
  using result_type = SpgemmResult<A, B>;
  using product_pattern = typename result_type::const_type;

  /// Options are those of the product; its ops are Op::none. Waits for exec. Throws InvalidArgument
  /// where A is not square or sizes do not fit, where an op is another one, or where C has more
  /// entries than its offset type holds, and what the constructor of SpgemmPlan throws.
  JacobiPlan(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options = {})
  try : m_product(exec, impl::checked_for_jacobi(a, b, options), b, options),
      m_sum(exec, b, m_product.pattern())
  {}
  catch (...)
  {
    impl::rethrow_out_of_memory("jacobi_product");
  }

  /// Entries of C.
  std::size_t nnz() const { return m_sum.nnz(); }
  /// A new C: row offsets and columns are set, values are not. Row offsets are shared with the
  /// plan. Throws OutOfMemory, before it allocates, where the memory is not there. Waits for exec
  /// only as making a View does.
  result_type make_result(Exec const& exec) const { return m_sum.make_result(exec); }
  /// Whether calls give the same bits each time, on this device and with this plan.
  bool is_repeatable() const { return product().is_repeatable(); }
  /// Whether the plan was made for these patterns: one pass over both; waits for exec.
  bool matches(Exec const& exec, A const& a, B const& b) const
  {
    return product().matches(exec, a, b);
  }
  /// What the plans of the product and of the sum say.
  std::string describe() const
  try
  {
    return product().describe() + m_sum.describe();
  }
  catch (...)
  {
    impl::rethrow_out_of_memory("describe");
  }
  /// The plan of A B.
  SpgemmPlan<Exec, A, B> const& product() const { return m_product.plan(); }
  /// The plan of the sum of B and A B.
  AddPlan<Exec, B, product_pattern> const& sum() const { return m_sum; }

  /// body(A B), the first step of a call; the product's values are there while body runs.
  template <class Body>
  void with_product(Exec const& exec, A const& a, B const& b, Body const& body) const
  {
    m_product.with(exec, a, b, body);
  }

private:
  impl::IntermediateProduct<Exec, A, B> m_product;
  AddPlan<Exec, B, product_pattern> m_sum;
};
template <class Exec, class A, class B>
JacobiPlan(Exec const&, A const&, B const&, SpgemmOptions const& = {})
    -> JacobiPlan<Exec, typename A::const_type, typename B::const_type>;

/// Values of C = B - omega diag(d) A B into c, which plan.make_result made (or which has the same
/// pattern), again for new values: d is the inverse of A's diagonal, or whatever the caller smooths
/// with. The numeric phase of the product into scratch memory of a value per entry of A B, then one
/// pass over C that scales and subtracts. Throws InvalidArgument for matrices of other sizes than
/// the plan's, a d that has not as many entries as a has rows, and a c of other sizes than the
/// result or in the memory of an operand. Other patterns of the same sizes: as spgemm and add with
/// a plan. Asynchronous as spgemm with a plan is. Bitwise repeatable where plan.is_repeatable()
/// says so.
template <ExecutionSpace Exec, Vector D, Csr A, Csr B>
void jacobi_product(Exec const& exec,
                    JacobiPlan<Exec, typename A::const_type, typename B::const_type> const& plan,
                    typename SpgemmResult<A, B>::value_type omega, D const& d, A const& a,
                    B const& b,
                    SpgemmResult<typename A::const_type, typename B::const_type> const& c)
try
{
  using Result = SpgemmResult<typename A::const_type, typename B::const_type>;
  using Values = typename Result::values_view;
  using BValues = typename B::const_type::values_view;
  using Diagonal = typename D::const_type;
  Kokkos::Profiling::ScopedRegion const region("heddle::jacobi_product");
  impl::check_jacobi_call(exec, plan, d, a, b, c);
  plan.with_product(exec, a, b, [&](Result const& product) {
    plan.sum().with_sources([&]<class First, class Second>(First const& first,
                                                           Second const& second) {
      impl::for_each_entry(exec, "heddle::jacobi_product", c,
                           impl::SmoothEntry<First, Second, BValues, Values, Diagonal, Values>{
                               first, second, omega, d, b.values(), product.values(), c.values()});
    });
  });
}
catch (...)
{
  impl::rethrow_out_of_memory("jacobi_product");
}

/// B - omega diag(d) A B as a new matrix with sorted rows: spgemm, scale_rows of the product and
/// add, each in a pass of its own. Options are those of the product. Throws what the constructor of
/// JacobiPlan throws, and InvalidArgument where d has not as many entries as a has rows. Waits for
/// exec.
template <ExecutionSpace Exec, Vector D, Csr A, Csr B>
auto jacobi_product(Exec const& exec, typename SpgemmResult<A, B>::value_type omega, D const& d,
                    A const& a, B const& b, SpgemmOptions const& options = {})
try
{
  using Result = SpgemmResult<typename A::const_type, typename B::const_type>;
  impl::checked_for_jacobi(a, b, options);
  impl::check_diagonal_of_jacobi<Exec, A, D, Result>(a, d);
  Kokkos::Profiling::ScopedRegion const region("heddle::jacobi_product");
  Result const product = spgemm(exec, a, b, options);
  scale_rows(exec, d, product);
  return add(exec, typename Result::value_type(1), b, -omega, product);
}
catch (...)
{
  impl::rethrow_out_of_memory("jacobi_product");
}

} // namespace heddle
