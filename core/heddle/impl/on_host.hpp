// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <vector>

namespace heddle::impl
{

// A View of rank 1 over memory of the host's.
template <class T>
using HostNumbers = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

// What a View of rank 1 holds, into memory of the host's. Waits for exec alone, where a View of the
// host's would wait for every instance when it is freed.
template <class Exec, class View>
void copy_to_host(Exec const& exec, View const& view, typename View::non_const_value_type* to)
{
  using Number = typename View::non_const_value_type;
  Kokkos::deep_copy(exec, HostNumbers<Number>(to, view.extent(0)), view);
  exec.fence("heddle::copy_to_host");
}

// The same as a vector.
template <class Exec, class View>
auto copied_to_host(Exec const& exec, View const& view)
{
  std::vector<typename View::non_const_value_type> copy(view.extent(0));
  copy_to_host(exec, view, copy.data());
  return copy;
}

} // namespace heddle::impl
