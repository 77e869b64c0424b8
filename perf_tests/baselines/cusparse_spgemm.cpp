// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/cusparse.hpp>
#include <baselines/cusparse_spgemm.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace heddle::perf
{

namespace
{

using namespace cusparse;

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
