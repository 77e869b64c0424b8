// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a Matrix Market file, asks which slices and which blocks suit the matrix, which format
// takes the fewest bytes and which is the fastest, converts it to the smaller of slices and blocks
// and multiplies in both formats.
#include <heddle/convert_bsr.hpp>
#include <heddle/convert_coo.hpp>
#include <heddle/convert_sell.hpp>
#include <heddle/copy.hpp>
#include <heddle/matrix_market.hpp>
#include <heddle/spmv.hpp>
#include <heddle/storage.hpp>
#include <heddle/suggest.hpp>
#include <heddle/suggest_format.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>

using Exec = Kokkos::DefaultExecutionSpace;
using Vector = Kokkos::View<double*, Exec::memory_space>;

// y <- A x, in whatever format A is: the call is the same.
template <class Matrix>
Vector product(Exec const& exec, char const* format, Matrix const& a, Vector const& x)
{
  Vector y("y", a.num_rows());
  heddle::SpmvPlan const plan(exec, a);
  heddle::spmv(exec, plan, 1.0, a, x, 0.0, y);
  std::printf("%s: %zu bytes, fill ratio %.2f, multiplied by %s\n", format,
              heddle::storage_bytes(a), heddle::fill_ratio(a), plan.implementation_name());
  return y;
}

// The largest difference of two vectors.
double difference(Exec const& exec, Vector const& x, Vector const& y)
{
  double result = 0;
  Kokkos::parallel_reduce(
      "example::difference", Kokkos::RangePolicy<Exec>(exec, 0, x.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, double& most) {
        most = Kokkos::max(most, Kokkos::abs(x(i) - y(i)));
      },
      Kokkos::Max<double>(result));
  return result;
}

bool compare_formats(Exec const& exec, char const* file)
{
  using Entries = heddle::CooMatrix<double, int, std::size_t, Kokkos::HostSpace>;
  auto const entries = heddle::read_matrix_market<Entries>(file);
  auto const a = heddle::to_csr(exec, heddle::copy_to(exec, Exec::memory_space{}, entries));
  std::printf("%d x %d, %zu entries\n", a.num_rows(), a.num_cols(), a.nnz());

  auto const slices = heddle::suggest_sell(exec, a).recommended();
  auto const blocks = heddle::suggest_block_size(exec, a).recommended();
  std::printf("in slices of %d rows, sigma %lld: %zu bytes; in blocks of %d x %d: %zu bytes\n",
              slices.shape.height, static_cast<long long>(slices.shape.sigma), slices.bytes,
              blocks.shape.height, blocks.shape.width, blocks.bytes);

  std::printf("by bytes:\n%s", heddle::suggest_format(exec, a).describe().c_str());
  std::printf("measured:\n%s", heddle::measure_formats(exec, a).describe().c_str());

  Vector const x("x", a.num_cols());
  Kokkos::deep_copy(exec, x, 1.0);
  Vector const expected = product(exec, "CSR", a, x);
  Vector const y = blocks.bytes < slices.bytes
                       ? product(exec, "BSR", heddle::to_bsr(exec, a, blocks.shape), x)
                       : product(exec, "SELL", heddle::to_sell(exec, a, slices.shape), x);
  double const error = difference(exec, expected, y);
  std::printf("the products differ by %.1e\n", error);
  return error < 1e-12;
}

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  if (argc != 2)
  {
    std::fprintf(stderr, "usage: choose_format FILE.mtx\n");
    return EXIT_FAILURE;
  }
  try
  {
    return compare_formats(Exec{}, argv[1]) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  catch (std::exception const& problem) // heddle::ParseError names file and line
  {
    std::fprintf(stderr, "%s\n", problem.what());
    return EXIT_FAILURE;
  }
}
