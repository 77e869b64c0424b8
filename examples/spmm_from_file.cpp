// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a Matrix Market file, multiplies it with 8 vectors at once and with its transpose.
#include <heddle/convert.hpp>
#include <heddle/copy.hpp>
#include <heddle/error.hpp>
#include <heddle/matrix_market.hpp>
#include <heddle/spmm.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>

using Exec = Kokkos::DefaultExecutionSpace;
using Dense = Kokkos::View<double**, Kokkos::LayoutRight, Exec::memory_space>;

void multiply(Exec const& exec, char const* file)
{
  using Entries = heddle::CooMatrix<double, int, std::size_t, Kokkos::HostSpace>;
  auto const entries = heddle::read_matrix_market<Entries>(file);
  auto const on_device = heddle::copy_to(exec, Exec::memory_space{}, entries);
  auto const a = heddle::to_csr(exec, on_device); // sorted, duplicates added
  std::printf("%d x %d, %zu entries\n", a.num_rows(), a.num_cols(), a.nnz());

  Dense const b("b", a.num_cols(), 8), c("c", a.num_rows(), 8);
  Kokkos::deep_copy(exec, b, 1.0);
  heddle::SpmmPlan const plan(exec, a);
  heddle::spmm(exec, plan, 1.0, a, b, 0.0, c);                        // C <- A B
  heddle::spmm(exec, plan, heddle::Op::transpose, 1.0, a, c, 0.0, b); // B <- A^T C
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, b);
  if (result.extent(0) > 0)
    std::printf("first entry of A^T A 1: %g\n", result(0, 0));
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  if (argc != 2)
  {
    std::fprintf(stderr, "usage: spmm_from_file FILE.mtx\n");
    return EXIT_FAILURE;
  }
  try
  {
    multiply(Exec{}, argv[1]);
  }
  catch (std::exception const& problem) // heddle::ParseError names file and line
  {
    std::fprintf(stderr, "%s\n", problem.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
