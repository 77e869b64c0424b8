// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/kokkoskernels.hpp>
#include <baselines/kokkoskernels_spgemm.hpp>
#include <heddle/kokkos_sparse.hpp>

#include <Kokkos_Core.hpp>
#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>
#include <KokkosSparse_Utils.hpp>

#include <memory>
#include <vector>

namespace heddle::perf
{

namespace
{

using namespace kokkoskernels;

using Matrix = MultigridMatrix;
using Crs = KokkosSparse::CrsMatrix<double, int, Kokkos::Device<Exec, Space>, void, int>;

using Column = Kokkos::View<double**, Kokkos::LayoutLeft, Space, Kokkos::MemoryUnmanaged>;

Prolongator prolongator(double omega, MultigridVector const& d, Matrix const& a, Matrix const& t)
{
  auto const product = std::make_shared<Multiply<double>>(a, t, Algorithm::SPGEMM_KK);
  product->symbolic();
  auto const compute = [=](double by) {
    product->numeric_jacobi(by, Column(d.data(), d.extent(0), 1));
  };
  compute(omega);
  return {compute, product->result()};
}

// A P, P^T and their product. Kokkos Kernels has no transposition that is planned.
class Galerkin
{
public:
  Galerkin(Matrix const& a, Matrix const& p)
      : m_p(p)
      , m_inner(a, p, Algorithm::SPGEMM_KK)
      , m_offsets("heddle::perf::offsets", p.num_cols() + 1)
      , m_columns("heddle::perf::columns", p.nnz())
      , m_values("heddle::perf::values", p.nnz())
  {
    m_inner.symbolic();
    m_inner.numeric(); // which finds the columns
    transpose();
    m_outer =
        std::make_unique<Multiply<double>>(restriction(), m_inner.result(), Algorithm::SPGEMM_KK);
    m_outer->symbolic();
    m_outer->numeric();
  }
  void compute()
  {
    transpose();
    m_inner.numeric();
    m_outer->numeric();
  }
  Matrix restriction() const
  {
    return Matrix(m_p.num_cols(), m_p.num_rows(), m_offsets, m_columns, m_values);
  }
  Matrix result() const { return m_outer->result(); }

private:
  void transpose() const
  {
    using Offsets = decltype(m_offsets);
    using In = Matrix::const_type;
    Kokkos::deep_copy(Exec{}, m_offsets, 0);
    KokkosSparse::Impl::transpose_matrix<In::row_offsets_view, In::columns_view, In::values_view,
                                         Offsets, Offsets, decltype(m_values), Offsets, Exec>(
        m_p.num_rows(), m_p.num_cols(), m_p.row_offsets(), m_p.columns(), m_p.values(), m_offsets,
        m_columns, m_values);
  }

  Matrix m_p;
  Multiply<double> m_inner;
  std::unique_ptr<Multiply<double>> m_outer;
  Kokkos::View<int*, Space> m_offsets, m_columns;
  Kokkos::View<double*, Space> m_values;
};

LinearMap map(Matrix const& a)
{
  using In = Kokkos::View<double const*, Space>;
  using Handle = KokkosSparse::SPMVHandle<Exec, Crs, In, MultigridVector>;
  auto const handle = std::make_shared<Handle>(KokkosSparse::SPMV_NATIVE);
  auto const matrix = kokkos_sparse_view<Crs>(a);
  return [=](double alpha, MultigridVector const& x, double beta, MultigridVector const& y) {
    KokkosSparse::spmv(Exec{}, handle.get(), "N", alpha, matrix, In(x), beta, y);
  };
}

CoarseOperator coarse_operator(Matrix const& a, Matrix const& p)
{
  auto const galerkin = std::make_shared<Galerkin>(a, p);
  return {[=] { galerkin->compute(); }, galerkin->result(), map(galerkin->restriction())};
}

} // namespace

std::vector<MultigridLibrary> KokkosKernels::multigrid()
{
  return {{"kokkoskernels::SPGEMM_KK", prolongator, coarse_operator, map}};
}

} // namespace heddle::perf
