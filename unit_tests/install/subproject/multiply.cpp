// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Ends with 1 unless the rows of a grid's matrix sum to what they must.

#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const exec{};
  // Four on the diagonal, -1 for each neighbour in a grid of 3 x 3.
  auto const a = heddle::copy_to(exec, Kokkos::DefaultExecutionSpace::memory_space{},
                                 heddle::gallery("stencil5_3"));
  Kokkos::View<double*> const x("x", 9), y("y", 9);
  Kokkos::deep_copy(exec, x, 1.0);
  heddle::spmv(exec, 1.0, a, x, 0.0, y);
  auto const sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, y);
  std::array<double, 9> const expected{2, 1, 2, 1, 0, 1, 2, 1, 2};
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (sums(i) != expected[i])
      return 1;
  return 0;
}
