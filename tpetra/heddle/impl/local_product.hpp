// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/op.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

namespace heddle::impl
{

// y <- alpha op(A) x + beta y on a rank's own Views of rank 2: spmv for one column, spmm for
// several, each with a plan made once.
template <class Exec, class Matrix>
class LocalProduct
{
public:
  LocalProduct(Exec const& exec, Matrix const& a)
      : m_one(exec, a)
      , m_several(exec, a)
  {}

  template <class Value, class X, class Y>
  void operator()(Exec const& exec, Op op, Value alpha, Matrix const& a, X const& x, Value beta,
                  Y const& y) const
  {
    if (x.extent(1) == 1 && y.extent(1) == 1)
      spmv(exec, m_one, op, alpha, a, Kokkos::subview(x, Kokkos::ALL, 0), beta,
           Kokkos::subview(y, Kokkos::ALL, 0));
    else
      spmm(exec, m_several, op, alpha, a, x, beta, y);
  }

  // y(i) <- epilogue(i, alpha (A x)(i) + beta y(i)), for Views of one column.
  template <class Value, class X, class Y, class Epilogue>
  void operator()(Exec const& exec, Value alpha, Matrix const& a, X const& x, Value beta,
                  Y const& y, Epilogue const& epilogue) const
  {
    spmv(exec, m_one, alpha, a, Kokkos::subview(x, Kokkos::ALL, 0), beta,
         Kokkos::subview(y, Kokkos::ALL, 0), epilogue);
  }

private:
  SpmvPlan<Exec, Matrix> m_one;
  SpmmPlan<Exec, Matrix> m_several;
};

} // namespace heddle::impl
