// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The operations for matrices of Kokkos Kernels, with its order of arguments and its modes, so that
// a call changes by its namespace (docs/kokkos_kernels.md). Kokkos Kernels is not included.

#include <heddle/concepts.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/jacobi_product.hpp>
#include <heddle/kokkos_sparse.hpp>
#include <heddle/op.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <string_view>

namespace heddle::interop
{

/// Views that KokkosSparse::spmv takes for x and y: vectors, or several at once as the columns of a
/// dense matrix.
template <class V>
concept VectorOrColumns = Vector<V> || DenseMatrix<V>;

/// The Op that a mode of Kokkos Kernels means: "N" A, "T" A^T, "C" conj(A), "H" A^H. Throws
/// InvalidArgument for all else.
inline Op op_of_mode(std::string_view mode)
{
  if (mode == "N")
    return Op::none;
  if (mode == "T")
    return Op::transpose;
  if (mode == "C")
    return Op::conjugate;
  impl::require(mode == "H", "interop", "mode is \"", mode, "\", expected N, T, C or H");
  return Op::conjugate_transpose;
}

/// y <- alpha op(A) x + beta y, as KokkosSparse::spmv does it; for x and y of rank 2, column by
/// column.
///
/// The plan stands where Kokkos Kernels has its handle. It is heddle's: an SpmvPlan of csr_view(a)
/// where x and y have rank 1, an SpmmPlan where they have rank 2. What heddle::spmv or heddle::spmm
/// says holds here: sizes, exceptions, repeatability. Also throws InvalidArgument for an unknown
/// mode. Asynchronous.
template <ExecutionSpace Exec, class Plan, KokkosSparseCrs A, VectorOrColumns X, VectorOrColumns Y>
void spmv(Exec const& exec, Plan const& plan, std::string_view mode,
          typename Y::non_const_value_type alpha, A const& a, X const& x,
          typename Y::non_const_value_type beta, Y const& y)
{
  Op const op = op_of_mode(mode);
  static_assert(X::rank() == Y::rank(), "heddle::interop::spmv: x and y are of different rank");
  if constexpr (Vector<Y>)
    heddle::spmv(exec, plan, op, alpha, csr_view(a), x, beta, y);
  else
    heddle::spmm(exec, plan, op, alpha, csr_view(a), x, beta, y);
}

/// The same without a plan, as calls of KokkosSparse::spmv without a handle: it is made for this
/// call, which waits for exec.
template <ExecutionSpace Exec, KokkosSparseCrs A, VectorOrColumns X, VectorOrColumns Y>
void spmv(Exec const& exec, std::string_view mode, typename Y::non_const_value_type alpha,
          A const& a, X const& x, typename Y::non_const_value_type beta, Y const& y)
{
  Op const op = op_of_mode(mode);
  static_assert(X::rank() == Y::rank(), "heddle::interop::spmv: x and y are of different rank");
  if constexpr (Vector<Y>)
    heddle::spmv(exec, op, alpha, csr_view(a), x, beta, y);
  else
    heddle::spmm(exec, op, alpha, csr_view(a), x, beta, y);
}

/// The same on the default instance of the matrix's execution space.
template <KokkosSparseCrs A, VectorOrColumns X, VectorOrColumns Y>
void spmv(std::string_view mode, typename Y::non_const_value_type alpha, A const& a, X const& x,
          typename Y::non_const_value_type beta, Y const& y)
{
  interop::spmv(typename A::execution_space{}, mode, alpha, a, x, beta, y);
}

/// C <- alpha op(A) B + beta C with dense B and C: what Kokkos Kernels calls spmv with operands of
/// rank 2. What heddle::spmm says holds here. Also throws InvalidArgument for an unknown mode.
/// Asynchronous.
template <ExecutionSpace Exec, class Plan, KokkosSparseCrs A, DenseMatrix B, DenseMatrix C>
void spmm(Exec const& exec, Plan const& plan, std::string_view mode,
          typename C::non_const_value_type alpha, A const& a, B const& b,
          typename C::non_const_value_type beta, C const& c)
{
  heddle::spmm(exec, plan, op_of_mode(mode), alpha, csr_view(a), b, beta, c);
}

/// The same with a plan for this call alone, whose making waits for exec.
template <ExecutionSpace Exec, KokkosSparseCrs A, DenseMatrix B, DenseMatrix C>
void spmm(Exec const& exec, std::string_view mode, typename C::non_const_value_type alpha,
          A const& a, B const& b, typename C::non_const_value_type beta, C const& c)
{
  heddle::spmm(exec, op_of_mode(mode), alpha, csr_view(a), b, beta, c);
}

/// The same on the default instance of the matrix's execution space.
template <KokkosSparseCrs A, DenseMatrix B, DenseMatrix C>
void spmm(std::string_view mode, typename C::non_const_value_type alpha, A const& a, B const& b,
          typename C::non_const_value_type beta, C const& c)
{
  interop::spmm(typename A::execution_space{}, mode, alpha, a, b, beta, c);
}

} // namespace heddle::interop

namespace heddle::impl
{

inline Op op_of_flag(bool is_transposed) { return is_transposed ? Op::transpose : Op::none; }

// A plan has what it transposes from its options; the arguments of a call are to say the same.
inline void require_op(char const* name, bool is_transposed, Op planned)
{
  require(op_of_flag(is_transposed) == planned, "interop::spgemm_numeric", name, " is ",
          is_transposed ? "" : "not ", "to be transposed, but the plan has it as ",
          to_string(planned));
}

} // namespace heddle::impl

namespace heddle::interop
{

/// A B, with either factor transposed where asked for (which Kokkos Kernels refuses), as a new C,
/// which is the KokkosSparse::CrsMatrix to make; rows are sorted. Throws what heddle::spgemm
/// throws. Waits for exec.
template <KokkosSparseCrs C, ExecutionSpace Exec, KokkosSparseCrs A, KokkosSparseCrs B>
C spgemm(Exec const& exec, A const& a, bool is_a_transposed, B const& b, bool is_b_transposed)
{
  return kokkos_sparse_view<C>(heddle::spgemm(
      exec, csr_view(a), csr_view(b),
      {.op_a = impl::op_of_flag(is_a_transposed), .op_b = impl::op_of_flag(is_b_transposed)}));
}

/// The same on the default instance of A's execution space.
template <KokkosSparseCrs C, KokkosSparseCrs A, KokkosSparseCrs B>
C spgemm(A const& a, bool is_a_transposed, B const& b, bool is_b_transposed)
{
  return interop::spgemm<C>(typename A::execution_space{}, a, is_a_transposed, b, is_b_transposed);
}

/// C with the pattern of A B and no values yet: what KokkosSparse::spgemm_symbolic makes, once the
/// plan is there. The plan, which stands where Kokkos Kernels has its handle, is the SpgemmPlan of
/// csr_view(A) and csr_view(B). Waits for exec only as making a View does.
template <KokkosSparseCrs C, ExecutionSpace Exec, class Plan>
C spgemm_symbolic(Exec const& exec, Plan const& plan)
{
  return kokkos_sparse_view<C>(plan.make_result(exec));
}

/// The values of C, again for new values of A and B. Throws InvalidArgument where the sizes are not
/// the plan's, or a factor is to be transposed that the plan has otherwise. Asynchronous, as
/// heddle::spgemm is.
template <ExecutionSpace Exec, class Plan, KokkosSparseCrs A, KokkosSparseCrs B, KokkosSparseCrs C>
void spgemm_numeric(Exec const& exec, Plan const& plan, A const& a, bool is_a_transposed,
                    B const& b, bool is_b_transposed, C const& c)
{
  impl::require_op("A", is_a_transposed, plan.op_a());
  impl::require_op("B", is_b_transposed, plan.op_b());
  heddle::spgemm(exec, plan, csr_view(a), csr_view(b), csr_view(c));
}

/// C = B - omega diag(dinv) A B, with the order of arguments of
/// KokkosSparse::Experimental::spgemm_jacobi, again for new values. The plan, which stands where
/// Kokkos Kernels has its handle, is the JacobiPlan of csr_view(A) and csr_view(B), and C what
/// spgemm_symbolic makes of it; dinv is a vector, or a matrix of one column as it is there. Throws
/// InvalidArgument where a factor is to be transposed, as Kokkos Kernels does, where dinv has
/// several columns, and where heddle::jacobi_product throws it. Asynchronous, as that is.
template <ExecutionSpace Exec, class Plan, KokkosSparseCrs A, KokkosSparseCrs B, KokkosSparseCrs C,
          VectorOrColumns D>
void spgemm_jacobi(Exec const& exec, Plan const& plan, A const& a, bool is_a_transposed, B const& b,
                   bool is_b_transposed, C const& c, typename C::non_const_value_type omega,
                   D const& dinv)
{
  impl::require(!is_a_transposed && !is_b_transposed, "interop::spgemm_jacobi",
                is_a_transposed ? "A" : "B", " is to be transposed, which is not done");
  if constexpr (Vector<D>)
    jacobi_product(exec, plan, omega, dinv, csr_view(a), csr_view(b), csr_view(c));
  else
  {
    impl::require(dinv.extent(1) == 1, "interop::spgemm_jacobi", "dinv has ", dinv.extent(1),
                  " columns, expected 1");
    jacobi_product(exec, plan, omega, Kokkos::subview(dinv, Kokkos::ALL, 0), csr_view(a),
                   csr_view(b), csr_view(c));
  }
}

} // namespace heddle::interop
