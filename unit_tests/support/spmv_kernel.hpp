// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/operands.hpp>
#include <heddle/op.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace heddle::test
{

// y <- -0.5 A x + 2 y by a native kernel of SpMV (cuda_native/spmv/row_kernel.hpp) as tuning says:
// how it differs from the oracle, if it does.
template <class C, class Kernel>
std::string wrong_product(Structure const& s, typename CsrOf<C>::const_type const& a,
                          typename Kernel::Tuning const& tuning)
{
  using Value = typename C::value;
  Device const exec;
  Kokkos::View<Value**, Kokkos::LayoutLeft, typename C::space> const x("heddle::test::x", s.cols,
                                                                       1);
  Kokkos::View<Value**, Kokkos::LayoutLeft, typename C::space> const y("heddle::test::y", s.rows,
                                                                       1);
  fill_input(x);
  fill_output(y, false);
  Value const alpha(-0.5), beta(2);
  Kernel::template multiply<false>(
      exec, tuning, a, alpha, static_cast<Value const*>(x.data()), beta,
      impl::vector_operand<Kokkos::LayoutRight>(Kokkos::subview(y, Kokkos::ALL, 0)));
  exec.fence();
  return first_difference_in(reference_multiply<Value, Value, Value>(s, Op::none, alpha, 1, beta),
                             y);
}

} // namespace heddle::test
