// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <baselines/kokkoskernels.hpp>
#include <baselines/kokkoskernels_algorithms.hpp>

#include <KokkosKernels_Handle.hpp>
#include <KokkosSparse_spgemm_jacobi.hpp>
#include <KokkosSparse_spgemm_numeric.hpp>
#include <KokkosSparse_spgemm_symbolic.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heddle::perf
{

namespace kokkoskernels
{

// A multiply with its handle: symbolic makes the row offsets, numeric columns and values.
template <class Value>
class Multiply
{
public:
  using Handle =
      ::KokkosKernels::Experimental::KokkosKernelsHandle<int, int, Value, Exec, Space, Space>;

  Multiply(Matrix32<Value> const& a, Matrix32<Value> const& b, Algorithm algorithm)
      : m_a(a)
      , m_b(b)
  {
    m_handle.create_spgemm_handle(algorithm);
  }
  void symbolic()
  {
    m_offsets = Kokkos::View<int*, Space>("heddle::perf::offsets", m_a.num_rows() + 1);
    KokkosSparse::spgemm_symbolic(&m_handle, m_a.num_rows(), m_b.num_rows(), m_b.num_cols(),
                                  m_a.row_offsets(), m_a.columns(), false, m_b.row_offsets(),
                                  m_b.columns(), false, m_offsets);
    std::size_t const nnz = m_handle.get_spgemm_handle()->get_c_nnz();
    m_columns = Kokkos::View<int*, Space>(
        Kokkos::view_alloc("heddle::perf::columns", Kokkos::WithoutInitializing), nnz);
    m_values = Kokkos::View<Value*, Space>(
        Kokkos::view_alloc("heddle::perf::values", Kokkos::WithoutInitializing), nnz);
  }
  void numeric()
  {
    KokkosSparse::spgemm_numeric(&m_handle, m_a.num_rows(), m_b.num_rows(), m_b.num_cols(),
                                 m_a.row_offsets(), m_a.columns(), m_a.values(), false,
                                 m_b.row_offsets(), m_b.columns(), m_b.values(), false, m_offsets,
                                 m_columns, m_values);
  }
  // C = B - omega diag(d) A B in the same pass; d is a matrix of one column.
  template <class Column>
  void numeric_jacobi(Value omega, Column const& d)
  {
    KokkosSparse::Experimental::spgemm_jacobi(
        &m_handle, m_a.num_rows(), m_b.num_rows(), m_b.num_cols(), m_a.row_offsets(), m_a.columns(),
        m_a.values(), false, m_b.row_offsets(), m_b.columns(), m_b.values(), false, m_offsets,
        m_columns, m_values, omega, d);
  }
  Matrix32<Value> result() const
  {
    return Matrix32<Value>(m_a.num_rows(), m_b.num_cols(), m_offsets, m_columns, m_values);
  }

private:
  Matrix32<Value> m_a, m_b;
  Handle m_handle;
  Kokkos::View<int*, Space> m_offsets, m_columns;
  Kokkos::View<Value*, Space> m_values;
};

template <class Value>
Candidate whole(std::string const& name, Algorithm algorithm, SpgemmProblem<Value> const& problem)
{
  auto const result = std::make_shared<Matrix32<Value>>();
  auto const run = [=] {
    Multiply<Value> multiply(problem.a, problem.b, algorithm);
    multiply.symbolic();
    multiply.numeric();
    *result = multiply.result();
  };
  return {name, int_indices, {}, run, [=] { problem.take(*result); }};
}

// The first numeric phase allocates what later ones find.
template <class Value>
Candidate numeric(std::string const& name, Algorithm algorithm, SpgemmProblem<Value> const& problem)
{
  auto const multiply = std::make_shared<std::unique_ptr<Multiply<Value>>>();
  auto const plan = [=] {
    *multiply = std::make_unique<Multiply<Value>>(problem.a, problem.b, algorithm);
    (*multiply)->symbolic();
  };
  return {name, int_indices, plan, [=] { (*multiply)->numeric(); },
          [=] { problem.take((*multiply)->result()); }};
}

} // namespace kokkoskernels

template <class Value>
Candidates KokkosKernels::spgemm(SpgemmProblem<Value> const& problem)
{
  Candidates candidates;
  for (auto const& [algorithm_name, algorithm] : kokkoskernels::spgemm_algorithms())
  {
    std::string const name = "kokkoskernels::" + algorithm_name;
    candidates.push_back(problem.is_numeric ? kokkoskernels::numeric(name, algorithm, problem)
                                            : kokkoskernels::whole(name, algorithm, problem));
  }
  return candidates;
}

} // namespace heddle::perf
