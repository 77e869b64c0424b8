// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/concepts.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace heddle
{

namespace impl
{

template <class MemorySpace, class Exec, class View>
auto copy_view(Exec const& exec, char const* label, View const& view)
{
  using Copy = Kokkos::View<typename View::non_const_data_type, MemorySpace>;
  auto const allocated = [&] {
    if constexpr (Kokkos::SpaceAccessibility<Exec, MemorySpace>::accessible)
      return uninitialized<Copy>(exec, label, view.extent(0));
    else // an instance cannot order what it cannot reach
      return Copy(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)),
                  view.extent(0));
  };
  Copy const copy = allocated();
  Kokkos::deep_copy(exec, copy, view);
  return copy;
}

} // namespace impl

/// A deep copy in another memory space, e.g. copy_to(exec, Kokkos::HostSpace{}, a). Waits for exec.
template <ExecutionSpace Exec, class MemorySpace, Csr Matrix>
auto copy_to(Exec const& exec, MemorySpace const&, Matrix const& a)
{
  static_assert(Kokkos::is_memory_space_v<MemorySpace>,
                "heddle::copy_to: the second argument is a memory space");
  CsrMatrix<typename Matrix::value_type, typename Matrix::ordinal_type,
            typename Matrix::offset_type, MemorySpace> const
      copy(a.num_rows(), a.num_cols(),
           impl::copy_view<MemorySpace>(exec, "heddle::row_offsets", a.row_offsets()),
           impl::copy_view<MemorySpace>(exec, "heddle::columns", a.columns()),
           impl::copy_view<MemorySpace>(exec, "heddle::values", a.values()));
  exec.fence("heddle::copy_to");
  return copy;
}

template <ExecutionSpace Exec, class MemorySpace, Coo Matrix>
auto copy_to(Exec const& exec, MemorySpace const&, Matrix const& a)
{
  static_assert(Kokkos::is_memory_space_v<MemorySpace>,
                "heddle::copy_to: the second argument is a memory space");
  CooMatrix<typename Matrix::value_type, typename Matrix::ordinal_type,
            typename Matrix::offset_type, MemorySpace> const
      copy(a.num_rows(), a.num_cols(), impl::copy_view<MemorySpace>(exec, "heddle::rows", a.rows()),
           impl::copy_view<MemorySpace>(exec, "heddle::columns", a.columns()),
           impl::copy_view<MemorySpace>(exec, "heddle::values", a.values()));
  exec.fence("heddle::copy_to");
  return copy;
}

/// A deep copy in the same memory space; of a read-only matrix, a writable one. Waits for exec.
template <ExecutionSpace Exec, SparseMatrix Matrix>
auto clone(Exec const& exec, Matrix const& a)
{
  return copy_to(exec, typename Matrix::memory_space{}, a);
}

} // namespace heddle
