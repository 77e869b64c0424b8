// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/cusparse_support.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace heddle::perf
{

namespace
{

using namespace cusparse;

using ProductDescriptor = std::shared_ptr<std::remove_pointer_t<cusparseSpGEMMDescr_t>>;
using ResultDescriptor = std::shared_ptr<std::remove_pointer_t<cusparseSpMatDescr_t>>;

constexpr auto as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;

ProductDescriptor new_product()
{
  return owned<cusparseSpGEMMDescr_t>(
      [](auto* to) { check(cusparseSpGEMM_createDescr(to), "cusparseSpGEMM_createDescr"); },
      cusparseSpGEMM_destroyDescr);
}

// C, whose pattern is found in two steps: how many entries, then which.
template <class Value>
class Result
{
public:
  Result(int rows, int cols)
      : m_rows(rows)
      , m_cols(cols)
      , m_offsets("heddle::perf::offsets", rows + 1)
      , m_descriptor(owned<cusparseSpMatDescr_t>(
            [&](auto* to) {
              check(cusparseCreateCsr(to, rows, cols, 0, m_offsets.data(), nullptr, nullptr,
                                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                      CUSPARSE_INDEX_BASE_ZERO, data_type<Value>),
                    "cusparseCreateCsr");
            },
            cusparseDestroySpMat))
  {}
  void make_entries()
  {
    std::int64_t rows = 0, cols = 0, nnz = 0;
    check(cusparseSpMatGetSize(m_descriptor.get(), &rows, &cols, &nnz), "cusparseSpMatGetSize");
    m_columns = Kokkos::View<int*, Space>(
        Kokkos::view_alloc("heddle::perf::columns", Kokkos::WithoutInitializing), nnz);
    m_values = Kokkos::View<Value*, Space>(
        Kokkos::view_alloc("heddle::perf::values", Kokkos::WithoutInitializing), nnz);
    check(cusparseCsrSetPointers(m_descriptor.get(), m_offsets.data(), m_columns.data(),
                                 m_values.data()),
          "cusparseCsrSetPointers");
  }
  cusparseSpMatDescr_t get() const { return m_descriptor.get(); }
  Matrix32<Value> matrix() const { return {m_rows, m_cols, m_offsets, m_columns, m_values}; }

private:
  int m_rows, m_cols;
  Kokkos::View<int*, Space> m_offsets, m_columns;
  Kokkos::View<Value*, Space> m_values;
  ResultDescriptor m_descriptor;
};

// C = A B by one of the three algorithms. ALG2 and ALG3 ask for the memory of their second step,
// in chunks of this share of the products.
template <class Value>
Matrix32<Value> multiply(SpgemmProblem<Value> const& problem, cusparseSpGEMMAlg_t algorithm)
{
  constexpr float chunk = 0.2F;
  Value const one = 1, zero = 0;
  Sparse const a = csr(problem.a), b = csr(problem.b);
  Result<Value> c(problem.a.num_rows(), problem.b.num_cols());
  auto const product = new_product();
  auto const estimate = [&](std::size_t& bytes, void* buffer) {
    check(cusparseSpGEMM_workEstimation(handle(), as_it_is, as_it_is, &one, a.descriptor.get(),
                                        b.descriptor.get(), &zero, c.get(), data_type<Value>,
                                        algorithm, product.get(), &bytes, buffer),
          "cusparseSpGEMM_workEstimation");
  };
  auto const compute = [&](std::size_t& bytes, void* buffer) {
    check(cusparseSpGEMM_compute(handle(), as_it_is, as_it_is, &one, a.descriptor.get(),
                                 b.descriptor.get(), &zero, c.get(), data_type<Value>, algorithm,
                                 product.get(), &bytes, buffer),
          "cusparseSpGEMM_compute");
  };
  auto const estimate_memory = [&](std::size_t& bytes, void* buffer, std::size_t* next) {
    check(cusparseSpGEMM_estimateMemory(handle(), as_it_is, as_it_is, &one, a.descriptor.get(),
                                        b.descriptor.get(), &zero, c.get(), data_type<Value>,
                                        algorithm, product.get(), chunk, &bytes, buffer, next),
          "cusparseSpGEMM_estimateMemory");
  };
  std::size_t first_bytes = 0, second_bytes = 0;
  estimate(first_bytes, nullptr);
  Buffer const first = new_buffer(first_bytes);
  estimate(first_bytes, first.data());
  if (algorithm == CUSPARSE_SPGEMM_ALG1)
    compute(second_bytes, nullptr);
  else
  {
    std::size_t bytes = 0;
    estimate_memory(bytes, nullptr, nullptr);
    Buffer const buffer = new_buffer(bytes);
    estimate_memory(bytes, buffer.data(), &second_bytes);
  }
  Buffer const second = new_buffer(second_bytes);
  compute(second_bytes, second.data());
  c.make_entries();
  check(cusparseSpGEMM_copy(handle(), as_it_is, as_it_is, &one, a.descriptor.get(),
                            b.descriptor.get(), &zero, c.get(), data_type<Value>, algorithm,
                            product.get()),
        "cusparseSpGEMM_copy");
  Exec{}.fence("heddle::perf::cusparse"); // before its buffers go
  return c.matrix();
}

// The interface that finds the pattern once and fills it with values as often as wanted.
template <class Value>
class Reuse
{
public:
  Reuse(SpgemmProblem<Value> const& problem, cusparseSpGEMMAlg_t algorithm)
      : m_algorithm(algorithm)
      , m_a(csr(problem.a))
      , m_b(csr(problem.b))
      , m_c(problem.a.num_rows(), problem.b.num_cols())
      , m_product(new_product())
  {
    find_pattern();
    std::size_t bytes = 0;
    copy(bytes, nullptr);
    m_fifth = new_buffer(bytes);
    copy(bytes, m_fifth.data());
    Exec{}.fence("heddle::perf::cusparse"); // before m_third goes
    m_third = {};
  }
  void compute() const
  {
    Value const one = 1, zero = 0;
    check(cusparseSpGEMMreuse_compute(handle(), as_it_is, as_it_is, &one, m_a.descriptor.get(),
                                      m_b.descriptor.get(), &zero, m_c.get(), data_type<Value>,
                                      m_algorithm, m_product.get()),
          "cusparseSpGEMMreuse_compute");
  }
  Matrix32<Value> result() const { return m_c.matrix(); }

private:
  void find_pattern()
  {
    std::size_t bytes = 0;
    estimate(bytes, nullptr);
    Buffer const first = new_buffer(bytes);
    estimate(bytes, first.data());
    Buffer second, third, fourth;
    count(second, third, fourth);
    m_third = third;
    m_fourth = fourth;
    m_c.make_entries();
    Exec{}.fence("heddle::perf::cusparse"); // before the first two go
  }
  void estimate(std::size_t& bytes, void* buffer) const
  {
    check(cusparseSpGEMMreuse_workEstimation(handle(), as_it_is, as_it_is, m_a.descriptor.get(),
                                             m_b.descriptor.get(), m_c.get(), m_algorithm,
                                             m_product.get(), &bytes, buffer),
          "cusparseSpGEMMreuse_workEstimation");
  }
  // Once to learn the sizes, once with the buffers.
  void count(Buffer& second, Buffer& third, Buffer& fourth) const
  {
    std::size_t bytes2 = 0, bytes3 = 0, bytes4 = 0;
    auto const call = [&] {
      check(cusparseSpGEMMreuse_nnz(handle(), as_it_is, as_it_is, m_a.descriptor.get(),
                                    m_b.descriptor.get(), m_c.get(), m_algorithm, m_product.get(),
                                    &bytes2, second.data(), &bytes3, third.data(), &bytes4,
                                    fourth.data()),
            "cusparseSpGEMMreuse_nnz");
    };
    call();
    second = new_buffer(bytes2);
    third = new_buffer(bytes3);
    fourth = new_buffer(bytes4);
    call();
  }
  void copy(std::size_t& bytes, void* buffer) const
  {
    check(cusparseSpGEMMreuse_copy(handle(), as_it_is, as_it_is, m_a.descriptor.get(),
                                   m_b.descriptor.get(), m_c.get(), m_algorithm, m_product.get(),
                                   &bytes, buffer),
          "cusparseSpGEMMreuse_copy");
  }

  cusparseSpGEMMAlg_t m_algorithm;
  Sparse m_a, m_b;
  Result<Value> m_c;
  ProductDescriptor m_product;
  Buffer m_third, m_fourth, m_fifth; // the last two are read by compute
};

template <class Value>
Candidate whole(std::string const& name, cusparseSpGEMMAlg_t algorithm,
                SpgemmProblem<Value> const& problem)
{
  auto const result = std::make_shared<Matrix32<Value>>();
  return {"cusparse::" + name,
          int_indices,
          {},
          [=] { *result = multiply(problem, algorithm); },
          [=] { problem.take(*result); }};
}

template <class Value>
Candidate whole_by_reuse(std::string const& name, cusparseSpGEMMAlg_t algorithm,
                         SpgemmProblem<Value> const& problem)
{
  auto const result = std::make_shared<Matrix32<Value>>();
  auto const run = [=] {
    Reuse<Value> const reuse(problem, algorithm);
    reuse.compute();
    Exec{}.fence("heddle::perf::cusparse");
    *result = reuse.result();
  };
  return {"cusparse::" + name, int_indices, {}, run, [=] { problem.take(*result); }};
}

template <class Value>
Candidate numeric(std::string const& name, cusparseSpGEMMAlg_t algorithm,
                  SpgemmProblem<Value> const& problem)
{
  auto const reuse = std::make_shared<std::unique_ptr<Reuse<Value>>>();
  return {"cusparse::" + name, int_indices,
          [=] { *reuse = std::make_unique<Reuse<Value>>(problem, algorithm); },
          [=] { (*reuse)->compute(); }, [=] { problem.take((*reuse)->result()); }};
}

} // namespace

template <class Value>
Candidates CuSparse::spgemm(SpgemmProblem<Value> const& problem)
{
  constexpr auto repeatable = CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC,
                 any_order = CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC;
  if (problem.is_numeric)
    return {numeric("reuse", repeatable, problem), numeric("reuse_any_order", any_order, problem)};
  return {
      whole("alg1", CUSPARSE_SPGEMM_ALG1, problem), whole("alg2", CUSPARSE_SPGEMM_ALG2, problem),
      whole("alg3", CUSPARSE_SPGEMM_ALG3, problem), whole_by_reuse("reuse", repeatable, problem),
      whole_by_reuse("reuse_any_order", any_order, problem)};
}

template Candidates CuSparse::spgemm(SpgemmProblem<float> const&);
template Candidates CuSparse::spgemm(SpgemmProblem<double> const&);

} // namespace heddle::perf
