// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace heddle::impl
{

// What a View holds, where the host reads it: the View itself where that is so already. Waits for
// exec.
template <class Exec, class View>
auto on_host(Exec const& exec, View const& view)
{
  auto host = Kokkos::create_mirror_view(
      Kokkos::view_alloc(Kokkos::HostSpace{}, Kokkos::WithoutInitializing), view);
  if constexpr (!Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                            typename View::memory_space>::accessible)
    Kokkos::deep_copy(exec, host, view);
  exec.fence("heddle::on_host");
  return host;
}

} // namespace heddle::impl
