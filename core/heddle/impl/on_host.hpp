// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

namespace heddle::impl
{

// What a View of rank 1 holds, where the host reads it: the View itself where that is so already.
// Waits for exec.
template <class Exec, class View>
auto on_host(Exec const& exec, View const& view)
{
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                           typename View::memory_space>::accessible)
  {
    exec.fence("heddle::on_host");
    return view;
  }
  else
  {
    using Copy = Kokkos::View<typename View::non_const_value_type*, Kokkos::HostSpace>;
    auto const copy =
        uninitialized<Copy>(Kokkos::DefaultHostExecutionSpace{}, "heddle::on_host", view.extent(0));
    Kokkos::deep_copy(exec, copy, view);
    exec.fence("heddle::on_host");
    return copy;
  }
}

} // namespace heddle::impl
