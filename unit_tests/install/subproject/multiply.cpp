// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Ends with 1 unless the rows of a chain's matrix sum to what they must and its order is one.

#include <heddle/csr_matrix.hpp>
#include <heddle/reorder.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>

namespace
{

// The entries on the device.
template <class Value, std::size_t size>
Kokkos::View<Value*> view_of(std::array<Value, size> const& entries)
{
  Kokkos::View<Value*> const result("entries", size);
  Kokkos::deep_copy(result, Kokkos::View<Value const*, Kokkos::HostSpace>(entries.data(), size));
  return result;
}

template <class View, class Value, std::size_t size>
bool holds(View const& view, std::array<Value, size> const& expected)
{
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view);
  for (std::size_t i = 0; i < size; ++i)
    if (host(i) != expected[i])
      return false;
  return host.extent(0) == size;
}

} // namespace

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const exec{};
  // Two on the diagonal, -1 for each neighbour in the chain 0 - 2 - 1.
  heddle::CsrMatrix const a(3, 3, view_of(std::array{0, 2, 4, 7}),
                            view_of(std::array{0, 2, 1, 2, 0, 1, 2}),
                            view_of(std::array{2.0, -1.0, 2.0, -1.0, -1.0, -1.0, 2.0}));
  Kokkos::View<double*> const x("x", 3), y("y", 3);
  Kokkos::deep_copy(exec, x, 1.0);
  heddle::spmv(exec, 1.0, a, x, 0.0, y);
  exec.fence();
  auto const order = heddle::order_by_cuthill_mckee(exec, a);
  bool const is_chain = holds(order, std::array{0, 2, 1}) || holds(order, std::array{1, 2, 0});
  return holds(y, std::array{1.0, 1.0, 0.0}) && is_chain ? 0 : 1;
}
