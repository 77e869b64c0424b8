// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What README.md and pages of docs/ show, so that it is compiled and run
// (scripts/check_snippets.py). The examples beside this one are whole programs.
#include <heddle/binary_csr.hpp>
#include <heddle/copy.hpp>
#include <heddle/gallery.hpp>
#include <heddle/matrix_market.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

using Exec = Kokkos::DefaultExecutionSpace;
using Vector = Kokkos::View<double*, Exec::memory_space>;
using Dense = Kokkos::View<double**, Kokkos::LayoutRight, Exec::memory_space>;
using Matrix = heddle::CsrMatrix<double, int, std::size_t, Exec::memory_space>;

// README.md: the operations.
void multiply_vectors(Exec const& exec, Matrix const& from, Vector const& x, Vector const& y)
{
  int const rows = from.num_rows(), cols = from.num_cols();
  auto const& row_offsets = from.row_offsets();
  auto const& columns = from.columns();
  auto const& values = from.values();
  heddle::CsrMatrix a(rows, cols, row_offsets, columns, values);
  heddle::SpmvPlan plan(exec, a);
  heddle::spmv(exec, plan, 1.0, a, x, 0.0, y);
  heddle::spmv(exec, plan, heddle::Op::transpose, 1.0, a, y, 0.0, x);
}

void multiply_columns(Exec const& exec, Matrix const& a, double alpha, Dense const& b, double beta,
                      Dense const& c)
{
  heddle::SpmmPlan plan(exec, a);
  heddle::spmm(exec, plan, alpha, a, b, beta, c);
}

Matrix multiply_matrices(Exec const& exec, Matrix const& a, Matrix const& b)
{
  heddle::SpgemmPlan plan(exec, a, b);
  auto c = plan.make_result(exec);
  heddle::spgemm(exec, plan, a, b, c);
  auto d = heddle::spgemm(exec, a, b);
  Kokkos::deep_copy(exec, c.values(), d.values());
  return c;
}

// docs/from_cusparse.md: arrays that another library has made.
void multiply_pointers(Exec const& exec, int rows, int cols, int nnz, int const* offsets_pointer,
                       int* columns_pointer, double* values_pointer, Vector const& x,
                       Vector const& y)
{
  using Space = Exec::memory_space;
  Kokkos::View<int const*, Space> row_offsets(offsets_pointer, rows + 1);
  Kokkos::View<int*, Space> columns(columns_pointer, nnz);
  Kokkos::View<double*, Space> values(values_pointer, nnz);
  heddle::CsrMatrix a(rows, cols, row_offsets, columns, values);
  heddle::spmv(exec, 1.0, a, x, 0.0, y);
}

// docs/gallery.md
void make_matrices()
{
  heddle::GalleryMatrix a = heddle::gallery("stencil27_100");
  using Matrix = heddle::CsrMatrix<float, int, int, Kokkos::HostSpace>;
  auto b = heddle::gallery<Matrix>("elast3_40");
  auto c = heddle::gallery_as<Matrix>(heddle::generate::uniform(1000, 500, 8, 1));
}

// docs/matrix_market.md
void read_and_write()
{
  using Coo = heddle::CooMatrix<double, int, std::size_t, Kokkos::HostSpace>;
  using Dense = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;

  auto a = heddle::read_matrix_market<Coo>("a.mtx.gz");
  auto d = heddle::read_dense_matrix_market<Dense>("d.mtx");
  heddle::MatrixMarketHeader h = heddle::read_matrix_market_header("a.mtx.gz");

  std::printf("%lld entries are stored\n", static_cast<long long>(h.entries));

  heddle::write_matrix_market("a.mtx", a);
  heddle::write_matrix_market("d.mtx", d);
  heddle::write_matrix_market("s.mtx.gz", a,
                              {.field = heddle::MatrixMarketField::integer,
                               .symmetry = heddle::MatrixMarketSymmetry::symmetric,
                               .comment = "two lines\nof comment"});
}

void read_and_write_binary()
{
  using Csr = heddle::CsrMatrix<double, int, std::size_t, Kokkos::HostSpace>;
  auto a = heddle::read_binary_csr<Csr>("a.bin");
  heddle::write_binary_csr("b.bin", a);
}

// A x by each operation: as a vector, as a column, and as A times a diagonal of ones.
int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const exec;
  auto const a = heddle::copy_to(exec, Exec::memory_space{}, heddle::gallery("stencil5_20"));
  auto const unit = heddle::copy_to(exec, Exec::memory_space{}, heddle::gallery("banded_400_0"));
  Kokkos::deep_copy(exec, unit.values(), 1.0);
  int const n = a.num_rows();
  Vector const x("x", n), y("y", n);
  Dense const b("b", n, 1), c("c", n, 1), d("d", n, 1);
  Kokkos::deep_copy(exec, x, 1.0);
  Kokkos::deep_copy(exec, b, 1.0);
  auto const product = multiply_matrices(exec, a, unit);
  multiply_vectors(exec, product, x, y);     // y <- A 1, x <- A^T A 1
  multiply_columns(exec, a, 1.0, b, 0.0, c); // C <- A 1
  multiply_columns(exec, a, 1.0, c, 0.0, b); // B <- A A 1, and A = A^T
  Kokkos::View<int*, Exec::memory_space> const offsets("offsets", n + 1);
  Kokkos::deep_copy(offsets, a.row_offsets());
  Vector const z("z", n);
  multiply_pointers(exec, n, n, static_cast<int>(a.nnz()), offsets.data(), a.columns().data(),
                    a.values().data(), x, z); // z <- A A^T A 1
  multiply_columns(exec, a, 1.0, b, 0.0, d);  // D <- A A A 1
  double error = 0;
  Kokkos::parallel_reduce(
      "example::error", Kokkos::RangePolicy<Exec>(exec, 0, n),
      KOKKOS_LAMBDA(int i, double& most) {
        most = Kokkos::max(most, Kokkos::abs(y(i) - c(i, 0)) + Kokkos::abs(x(i) - b(i, 0)) +
                                     Kokkos::abs(z(i) - d(i, 0)));
      },
      Kokkos::Max<double>(error));
  std::printf("the operations differ by %.1e\n", error);
  return error < 1e-13 ? EXIT_SUCCESS : EXIT_FAILURE;
}
