// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace heddle::impl
{

// The array itself where the types agree, else a copy.
template <class To, class From>
Kokkos::View<To*, Kokkos::HostSpace> converted(Kokkos::View<From*, Kokkos::HostSpace> const& from)
{
  if constexpr (std::is_same_v<To, From>)
    return from;
  else
  {
    Kokkos::DefaultHostExecutionSpace const exec{};
    auto const to = uninitialized<Kokkos::View<std::remove_const_t<To>*, Kokkos::HostSpace>>(
        exec, "heddle::converted", from.extent(0));
    Kokkos::deep_copy(exec, to, from);
    exec.fence("heddle::converted");
    return to;
  }
}

} // namespace heddle::impl
