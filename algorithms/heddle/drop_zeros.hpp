// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/entries/keep.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle
{

namespace impl
{

template <class Values>
struct IsNotZero
{
  Values values;
  KOKKOS_FUNCTION int operator()(std::int64_t k) const
  {
    return values(k) == typename Values::non_const_value_type(0) ? 0 : 1;
  }
};

} // namespace impl

/// A copy without the entries whose value is 0 or -0; the others keep their order. Waits for exec.
template <ExecutionSpace Exec, Csr Matrix>
auto drop_zeros(Exec const& exec, Matrix const& a)
try
{
  return impl::keep_entries(exec, "heddle::drop_zeros", a,
                            impl::IsNotZero<typename Matrix::values_view>{a.values()});
}
catch (...)
{
  impl::rethrow_out_of_memory("drop_zeros");
}

} // namespace heddle
