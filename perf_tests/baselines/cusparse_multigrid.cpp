// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/cusparse.hpp>
#include <baselines/cusparse_spgemm.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heddle::perf
{

namespace
{

using namespace cusparse;

using Matrix = MultigridMatrix;

// The generic API has no sum of matrices. T has one entry per row, or as many as there are modes,
// at places that A T has too.
struct Smooth
{
  double omega;
  MultigridVector d;
  Matrix t, p;

  KOKKOS_FUNCTION void operator()(int i) const
  {
    for (int k = p.row_offsets()(i); k < p.row_offsets()(i + 1); ++k)
    {
      double value = -omega * d(i) * p.values()(k);
      for (int m = t.row_offsets()(i); m < t.row_offsets()(i + 1); ++m)
        if (t.columns()(m) == p.columns()(k))
          value += t.values()(m);
      p.values()(k) = value;
    }
  }
};

class Map
{
public:
  explicit Map(Matrix const& a)
      : m_matrix(csr(a))
      , m_in(vector(a.num_cols()))
      , m_out(vector(a.num_rows()))
  {
    MultigridVector const x("heddle::perf::x", a.num_cols()), y("heddle::perf::y", a.num_rows());
    set(m_in, x);
    set(m_out, y);
    double const one = 1;
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle(), as_it_is, &one, m_matrix.descriptor.get(), m_in.get(),
                                  &one, m_out.get(), CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, &bytes),
          "cusparseSpMV_bufferSize");
    m_buffer = new_buffer(bytes);
    check(cusparseSpMV_preprocess(handle(), as_it_is, &one, m_matrix.descriptor.get(), m_in.get(),
                                  &one, m_out.get(), CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1,
                                  m_buffer.data()),
          "cusparseSpMV_preprocess");
    Exec{}.fence("heddle::perf::cusparse"); // before x and y go
  }
  void operator()(double alpha, MultigridVector const& x, double beta,
                  MultigridVector const& y) const
  {
    set(m_in, x);
    set(m_out, y);
    check(cusparseSpMV(handle(), as_it_is, &alpha, m_matrix.descriptor.get(), m_in.get(), &beta,
                       m_out.get(), CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, m_buffer.data()),
          "cusparseSpMV");
  }

private:
  static VectorDescriptor vector(std::int64_t size)
  {
    return owned<cusparseDnVecDescr_t>(
        [&](auto* to) {
          check(cusparseCreateDnVec(to, size, nullptr, CUDA_R_64F), "cusparseCreateDnVec");
        },
        cusparseDestroyDnVec);
  }
  static void set(VectorDescriptor const& descriptor, MultigridVector const& x)
  {
    check(cusparseDnVecSetValues(descriptor.get(), x.data()), "cusparseDnVecSetValues");
  }

  Sparse m_matrix;
  VectorDescriptor m_in, m_out;
  Buffer m_buffer;
};

LinearMap map(Matrix const& a)
{
  auto const call = std::make_shared<Map>(a);
  return [=](double alpha, MultigridVector const& x, double beta, MultigridVector const& y) {
    (*call)(alpha, x, beta, y);
  };
}

SpgemmProblem<double> product(Matrix const& a, Matrix const& b) { return {a, b, true, {}}; }

Prolongator prolongator(double omega, MultigridVector const& d, Matrix const& a, Matrix const& t,
                        cusparseSpGEMMAlg_t algorithm)
{
  auto const reuse = std::make_shared<Reuse<double>>(product(a, t), algorithm);
  Matrix const p = reuse->result();
  auto const compute = [=](double by) {
    reuse->compute();
    Kokkos::parallel_for("heddle::perf::smooth", Kokkos::RangePolicy<Exec>(Exec{}, 0, p.num_rows()),
                         Smooth{by, d, t, p});
  };
  compute(omega);
  return {compute, p};
}

// A P, P^T and their product; the transposition has nothing to reuse.
class Galerkin
{
public:
  Galerkin(Matrix const& a, Matrix const& p, cusparseSpGEMMAlg_t algorithm)
      : m_p(p)
      , m_offsets("heddle::perf::offsets", p.num_cols() + 1)
      , m_columns("heddle::perf::columns", p.nnz())
      , m_values("heddle::perf::values", p.nnz())
      , m_inner(product(a, p), algorithm)
  {
    std::size_t bytes = 0;
    check(cusparseCsr2cscEx2_bufferSize(
              handle(), p.num_rows(), p.num_cols(), static_cast<int>(p.nnz()), p.values().data(),
              p.row_offsets().data(), p.columns().data(), m_values.data(), m_offsets.data(),
              m_columns.data(), CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
              CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes),
          "cusparseCsr2cscEx2_bufferSize");
    m_buffer = new_buffer(bytes);
    transpose();
    m_outer.emplace(product(restriction(), m_inner.result()), algorithm);
    m_inner.compute();
    m_outer->compute();
  }
  void compute() const
  {
    transpose();
    m_inner.compute();
    m_outer->compute();
  }
  Matrix restriction() const
  {
    return Matrix(m_p.num_cols(), m_p.num_rows(), m_offsets, m_columns, m_values);
  }
  Matrix result() const { return m_outer->result(); }

private:
  void transpose() const
  {
    check(cusparseCsr2cscEx2(handle(), m_p.num_rows(), m_p.num_cols(), static_cast<int>(m_p.nnz()),
                             m_p.values().data(), m_p.row_offsets().data(), m_p.columns().data(),
                             m_values.data(), m_offsets.data(), m_columns.data(), CUDA_R_64F,
                             CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                             CUSPARSE_CSR2CSC_ALG_DEFAULT, m_buffer.data()),
          "cusparseCsr2cscEx2");
  }

  Matrix m_p;
  Kokkos::View<int*, Space> m_offsets, m_columns;
  Kokkos::View<double*, Space> m_values;
  Reuse<double> m_inner;
  std::optional<Reuse<double>> m_outer;
  Buffer m_buffer;
};

CoarseOperator coarse_operator(Matrix const& a, Matrix const& p, cusparseSpGEMMAlg_t algorithm)
{
  auto const galerkin = std::make_shared<Galerkin>(a, p, algorithm);
  return {[=] { galerkin->compute(); }, galerkin->result(), map(galerkin->restriction())};
}

MultigridLibrary library(std::string const& name, cusparseSpGEMMAlg_t algorithm)
{
  return {"cusparse::" + name,
          [=](double omega, MultigridVector const& d, Matrix const& a, Matrix const& t) {
            return prolongator(omega, d, a, t, algorithm);
          },
          [=](Matrix const& a, Matrix const& p) { return coarse_operator(a, p, algorithm); }, map};
}

} // namespace

std::vector<MultigridLibrary> CuSparse::multigrid()
{
  return {library("reuse", CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC),
          library("reuse_any_order", CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC)};
}

} // namespace heddle::perf
