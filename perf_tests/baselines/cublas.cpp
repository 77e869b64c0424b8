// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/cublas.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <cublas_v2.h>

namespace heddle::perf
{

namespace
{

constexpr std::int64_t most_bytes = std::int64_t(1) << 30; // of A as a dense matrix

void check(cublasStatus_t status, char const* function)
{
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(function) + ": " + cublasGetStatusString(status));
}

cublasHandle_t handle()
{
  struct Owner
  {
    cublasHandle_t value = nullptr;
    Owner()
    {
      check(cublasCreate(&value), "cublasCreate");
      check(cublasSetStream(value, Exec{}.cuda_stream()), "cublasSetStream");
    }
  };
  static Owner const owner; // lives as long as the CUDA context
  return owner.value;
}

cublasStatus_t gemm(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                    float const* a, int lda, float const* b, int ldb, float* c, int ldc)
{
  float const one = 1, zero = 0;
  return cublasSgemm(handle(), op_a, op_b, m, n, k, &one, a, lda, b, ldb, &zero, c, ldc);
}
cublasStatus_t gemm(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                    double const* a, int lda, double const* b, int ldb, double* c, int ldc)
{
  double const one = 1, zero = 0;
  return cublasDgemm(handle(), op_a, op_b, m, n, k, &one, a, lda, b, ldb, &zero, c, ldc);
}
cublasStatus_t gemv(cublasOperation_t op, int m, int n, float const* a, int lda, float const* x,
                    float* y)
{
  float const one = 1, zero = 0;
  return cublasSgemv(handle(), op, m, n, &one, a, lda, x, 1, &zero, y, 1);
}
cublasStatus_t gemv(cublasOperation_t op, int m, int n, double const* a, int lda, double const* x,
                    double* y)
{
  double const one = 1, zero = 0;
  return cublasDgemv(handle(), op, m, n, &one, a, lda, x, 1, &zero, y, 1);
}

template <class Value>
using Array = Kokkos::View<Value**, Kokkos::LayoutRight, Space>;

template <class Value>
Array<Value> to_dense(Matrix32<Value> const& a)
{
  Array<Value> const dense("heddle::perf::cublas::a", a.num_rows(), a.num_cols());
  auto const offsets = a.row_offsets();
  auto const columns = a.columns();
  auto const values = a.values();
  Kokkos::parallel_for(
      "heddle::perf::to_dense", Kokkos::RangePolicy<Exec>(0, a.num_rows()), KOKKOS_LAMBDA(int i) {
        for (int e = offsets(i); e < offsets(i + 1); ++e)
          dense(i, columns(e)) += values(e);
      });
  return dense;
}

template <class Value>
bool is_small(Matrix32<Value> const& a)
{
  return a.num_rows() > 0 && a.num_cols() > 0 &&
         most_bytes / static_cast<std::int64_t>(sizeof(Value)) / a.num_rows() >= a.num_cols();
}

} // namespace

// cuBLAS counts column-major: our row-major A is A^T to it.
std::string CuBlas::version()
{
  int numbers[3] = {};
  cublasGetProperty(MAJOR_VERSION, &numbers[0]);
  cublasGetProperty(MINOR_VERSION, &numbers[1]);
  cublasGetProperty(PATCH_LEVEL, &numbers[2]);
  return "cuBLAS " + std::to_string(numbers[0]) + "." + std::to_string(numbers[1]) + "." +
         std::to_string(numbers[2]);
}

template <class Value>
Candidates CuBlas::spmv(SpmvProblem<Value> const& p)
{
  if (!is_small(p.a))
    return {};
  auto const a = std::make_shared<Array<Value>>();
  auto const op = p.op == Op::none ? CUBLAS_OP_T : CUBLAS_OP_N;
  auto const run = [=] {
    check(
        gemv(op, p.a.num_cols(), p.a.num_rows(), a->data(), p.a.num_cols(), p.x.data(), p.y.data()),
        "cublas gemv");
  };
  return {{"cublas::gemv", int_indices, [=] { *a = to_dense(p.a); }, run, {}}};
}

template <class Value, class Layout>
Candidates CuBlas::spmm(SpmmProblem<Value, Layout> const& p)
{
  if (!is_small(p.a))
    return {};
  auto const a = std::make_shared<Array<Value>>();
  int const rows = static_cast<int>(p.c.extent(0)), k = static_cast<int>(p.c.extent(1)),
            inner = static_cast<int>(p.b.extent(0)), lda = p.a.num_cols();
  bool const is_transposed = p.op != Op::none;
  auto const run = [=] {
    if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight>) // C^T = B^T op(A)^T
      check(gemm(CUBLAS_OP_N, is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, k, rows, inner, p.b.data(),
                 k, a->data(), lda, p.c.data(), k),
            "cublas gemm");
    else
      check(gemm(is_transposed ? CUBLAS_OP_N : CUBLAS_OP_T, CUBLAS_OP_N, rows, k, inner, a->data(),
                 lda, p.b.data(), inner, p.c.data(), rows),
            "cublas gemm");
  };
  return {{"cublas::gemm", int_indices, [=] { *a = to_dense(p.a); }, run, {}}};
}

template <class Value>
Candidates CuBlas::spgemm(SpgemmProblem<Value> const&)
{
  return {}; // a dense C says nothing about sparse ones
}

template Candidates CuBlas::spmv(SpmvProblem<float> const&);
template Candidates CuBlas::spmv(SpmvProblem<double> const&);
template Candidates CuBlas::spmm(SpmmProblem<float, Kokkos::LayoutRight> const&);
template Candidates CuBlas::spmm(SpmmProblem<double, Kokkos::LayoutRight> const&);
template Candidates CuBlas::spmm(SpmmProblem<float, Kokkos::LayoutLeft> const&);
template Candidates CuBlas::spmm(SpmmProblem<double, Kokkos::LayoutLeft> const&);
template Candidates CuBlas::spgemm(SpgemmProblem<float> const&);
template Candidates CuBlas::spgemm(SpgemmProblem<double> const&);

} // namespace heddle::perf
