// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PageRank by power iteration (Page, Brin, Motwani and Winograd 1999) with an epilogue of its own:
// what each vertex gets is damped, moved to the next vector and compared with the last one in the
// kernel that multiplies.
#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/row_norms.hpp>
#include <heddle/scale.hpp>
#include <heddle/spmv.hpp>
#include <heddle/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using Exec = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;
using Vector = Kokkos::View<double*, Space>;
using Matrix = heddle::CsrMatrix<double, int, std::size_t, Space>;

constexpr double damping = 0.85;

// What is added up over the vertices.
struct Totals
{
  double change = 0; // of ranks, in absolute values
  double given = 0;  // along edges

  KOKKOS_FUNCTION Totals& operator+=(Totals const& other)
  {
    change += other.change;
    given += other.given;
    return *this;
  }
};

// The next rank of vertex i is damping times what its neighbours give it, and its share of the
// rest, which includes what vertices without edges could not give.
struct NextRank
{
  using sum_type = Totals;
  double share;
  Vector rank;
  Kokkos::View<Totals, Space> totals;

  KOKKOS_FUNCTION double operator()(std::int64_t i, double given, Totals& sum) const
  {
    double const next = damping * given + share;
    sum += Totals{Kokkos::abs(next - rank(i)), given};
    return next;
  }
  KOKKOS_FUNCTION void finish(Totals const& total) const { totals() = total; }
};

// P(i, j) is 1 over the number of edges of vertex j where one leads from j to i.
Matrix link_matrix(Exec const& exec, Matrix const& graph)
{
  Vector const factors("factors", graph.num_rows());
  Kokkos::deep_copy(exec, graph.values(), 1.0);
  heddle::row_norms(exec, graph, heddle::Norm::one, factors);
  Kokkos::parallel_for(
      "example::invert", Kokkos::RangePolicy<Exec>(exec, 0, factors.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) { factors(i) = factors(i) > 0 ? 1 / factors(i) : 0; });
  heddle::scale_rows(exec, factors, graph);
  return heddle::transpose(exec, graph);
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const exec;
  Matrix const links = link_matrix(
      exec, heddle::copy_to(exec, Space{}, heddle::gallery(argc > 1 ? argv[1] : "rmat12_8")));
  heddle::SpmvPlan const plan(exec, links);
  double const vertices = links.num_rows();
  Vector rank("rank", links.num_rows()), next("next", links.num_rows());
  Kokkos::View<Totals, Space> const totals("totals");
  Kokkos::deep_copy(exec, rank, 1 / vertices);
  Totals last{1, 0};
  // What the vertices of the first ranks give, for the share of the rest.
  heddle::spmv(exec, plan, 1.0, links, rank, 0.0, next, NextRank{0, rank, totals});
  Kokkos::deep_copy(exec, last, totals);
  exec.fence();
  int iterations = 0;
  for (; iterations < 200 && last.change > 1e-10; ++iterations)
  {
    double const share = (1 - damping * last.given) / vertices;
    heddle::spmv(exec, plan, 1.0, links, rank, 0.0, next, NextRank{share, rank, totals});
    Kokkos::kokkos_swap(rank, next);
    Kokkos::deep_copy(exec, last, totals);
    exec.fence();
  }
  double sum = 0, largest = 0;
  Kokkos::parallel_reduce(
      "example::sum", Kokkos::RangePolicy<Exec>(exec, 0, rank.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, double& total, double& most) {
        total += rank(i);
        most = Kokkos::max(most, rank(i));
      },
      sum, Kokkos::Max<double>(largest));
  std::printf("%d iterations, last change %.1e, largest rank %.2e, sum of ranks %.10f\n",
              iterations, last.change, largest, sum);
  return last.change <= 1e-10 && std::abs(sum - 1) < 1e-8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
