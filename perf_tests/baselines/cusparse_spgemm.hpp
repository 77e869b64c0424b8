// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sparse products of cuSPARSE: owners of their descriptors, and the interface with reuse.

#include <baselines/cusparse_support.hpp>
#include <baselines/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace heddle::perf::cusparse
{

using ProductDescriptor = std::shared_ptr<std::remove_pointer_t<cusparseSpGEMMDescr_t>>;
using ResultDescriptor = std::shared_ptr<std::remove_pointer_t<cusparseSpMatDescr_t>>;

inline constexpr auto as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;

inline ProductDescriptor new_product()
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

} // namespace heddle::perf::cusparse
