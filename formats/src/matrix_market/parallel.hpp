// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::impl::matrix_market
{

using HostExec = Kokkos::DefaultHostExecutionSpace;

// Calls f(0) .. f(n - 1), each on the next thread that is free; f must not throw.
template <class Function>
void for_each_piece(char const* label, std::int64_t n, Function const& f)
{
  using Policy = Kokkos::RangePolicy<HostExec, Kokkos::Schedule<Kokkos::Dynamic>,
                                     Kokkos::IndexType<std::int64_t>>;
  HostExec const exec{};
  Kokkos::parallel_for(label, Policy(exec, 0, n, Kokkos::ChunkSize(1)), f);
  exec.fence(label);
}

} // namespace heddle::impl::matrix_market
