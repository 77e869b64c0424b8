// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breadth-first search from eight vertices at once: a column of B marks the vertices that a search
// has just reached, A^T B counts the edges that lead from them to each vertex.
#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/spmm.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

using Exec = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;
constexpr int sources = 8;
using Marks = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
using Levels = Kokkos::View<int**, Kokkos::LayoutRight, Space>;

// What edges lead to and no search has seen is reached at this level and marked; all other marks
// are wiped. Returns how many were reached.
std::size_t mark_new(Exec const& exec, int level, Marks const& edges, Levels const& levels,
                     Marks const& reached)
{
  std::size_t count = 0;
  Kokkos::parallel_reduce(
      "example::mark_new", Kokkos::RangePolicy<Exec>(exec, 0, levels.extent(0)),
      KOKKOS_LAMBDA(std::size_t vertex, std::size_t & sum) {
        for (int s = 0; s < sources; ++s)
        {
          bool const is_new = edges(vertex, s) > 0 && levels(vertex, s) < 0;
          reached(vertex, s) = is_new ? 1 : 0;
          if (is_new)
            levels(vertex, s) = level;
          sum += is_new ? 1 : 0;
        }
      },
      count);
  return count;
}

// On a grid the distance is known: steps along a row and along a column.
std::size_t wrong_levels(Exec const& exec, int n, int stride, Levels const& levels)
{
  std::size_t count = 0;
  Kokkos::parallel_reduce(
      "example::wrong_levels", Kokkos::RangePolicy<Exec>(exec, 0, levels.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, std::size_t & sum) {
        int const vertex = static_cast<int>(i);
        for (int s = 0; s < sources; ++s)
        {
          int const start = s * stride;
          int const distance =
              Kokkos::abs(vertex / n - start / n) + Kokkos::abs(vertex % n - start % n);
          sum += levels(vertex, s) == distance ? 0 : 1;
        }
      },
      count);
  return count;
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const exec;
  int const n = 60, stride = n * n / sources - 7;
  // The edges are the places of the entries, so all values are 1. (An entry of the diagonal is an
  // edge to where a search has been.)
  auto const a = heddle::copy_to(exec, Space{}, heddle::gallery("stencil5_60"));
  Kokkos::deep_copy(exec, a.values(), 1.0);
  heddle::SpmmPlan const plan(exec, a, {.transposed = true});

  Marks const reached("reached", a.num_rows(), sources), edges("edges", a.num_rows(), sources);
  Levels const levels("levels", a.num_rows(), sources);
  Kokkos::deep_copy(exec, levels, -1);
  Kokkos::parallel_for(
      "example::start", Kokkos::RangePolicy<Exec>(exec, 0, sources), KOKKOS_LAMBDA(int s) {
        reached(s * stride, s) = 1;
        levels(s * stride, s) = 0;
      });
  int level = 0;
  std::size_t count = sources;
  while (count > 0)
  {
    heddle::spmm(exec, plan, heddle::Op::transpose, 1.0, a, reached, 0.0, edges);
    count = mark_new(exec, ++level, edges, levels, reached);
  }
  std::size_t const wrong = wrong_levels(exec, n, stride, levels);
  std::printf("%d searches of %d vertices took %d levels, %zu distances are wrong\n", sources,
              a.num_rows(), level - 1, wrong);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
