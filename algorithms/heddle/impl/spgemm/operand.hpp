// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heddle/csr_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::impl
{

// Whether the values of op(M) are not those of M one after another.
template <class Matrix>
bool has_values_of_its_own(Op op)
{
  return is_transposed(op) ||
         (is_complex_v<std::remove_const_t<typename Matrix::value_type>> && is_conjugated(op));
}

// Positions of entries that stay where they are.
struct SamePosition
{
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t k) const { return k; }
};

// What an operand keeps and what a call gathers.
template <class Matrix>
std::size_t bytes_of_operand(Matrix const& m, Op op)
{
  if (!has_values_of_its_own<Matrix>(op))
    return 0;
  std::size_t const values = m.nnz() * sizeof(typename Matrix::value_type);
  std::size_t const pattern =
      (static_cast<std::size_t>(m.num_cols()) + 1) * sizeof(typename Matrix::offset_type) +
      m.nnz() * (sizeof(typename Matrix::ordinal_type) + sizeof(typename Matrix::offset_type));
  return is_transposed(op) ? values + pattern : values;
}

// op(M) for kernels that take M alone. Of M^T the pattern is kept; its values, and conjugated ones,
// are gathered for each call into memory of that call. Matrix: with const values.
template <class Exec, class Matrix>
class SpgemmOperand
{
  using Value = std::remove_const_t<typename Matrix::value_type>;

public:
  // Asynchronous on CUDA and hosts, but for the Views it makes.
  SpgemmOperand(Exec const& exec, Matrix const& m, Op op)
      : m_op(op)
  {
    if (is_transposed(op))
      m_transposed = transposed_pattern(exec, m);
  }

  Op op() const { return m_op; }
  // What is kept.
  std::size_t bytes() const { return m_transposed.bytes(); }
  // body(op(m)), whose values are there as long as body runs.
  template <class Body>
  decltype(auto) with(Exec const& exec, Matrix const& m, Body const& body) const
  {
    if (!has_values_of_its_own<Matrix>(m_op))
      return body(m);
    Scratch<Value, Exec> const values(exec, m.nnz());
    if (is_transposed(m_op))
      gather(exec, m, m_transposed.positions, values.view());
    else
      gather(exec, m, SamePosition{}, values.view());
    typename Matrix::values_view const view(values.data(), m.nnz());
    if (is_transposed(m_op))
      return body(
          Matrix(m.num_cols(), m.num_rows(), m_transposed.row_offsets, m_transposed.columns, view));
    return body(Matrix(m.num_rows(), m.num_cols(), m.row_offsets(), m.columns(), view));
  }

private:
  template <class Positions, class To>
  void gather(Exec const& exec, Matrix const& m, Positions const& positions, To const& to) const
  {
    with_conjugation<Value>(
        m_op, [&]<class Is>(Is) { gather_values<Is::value>(exec, positions, m.values(), to); });
  }

  Op m_op;
  TransposedPatternOf<Matrix> m_transposed;
};

// Both factors of op(A) op(B).
template <class Exec, class A, class B>
struct SpgemmOperands
{
  SpgemmOperand<Exec, A> a;
  SpgemmOperand<Exec, B> b;

  // body(op(A), op(B)).
  template <class Body>
  decltype(auto) with(Exec const& exec, A const& of_a, B const& of_b, Body const& body) const
  {
    return a.with(exec, of_a, [&](A const& op_a) -> decltype(auto) {
      return b.with(exec, of_b, [&](B const& op_b) -> decltype(auto) { return body(op_a, op_b); });
    });
  }
};

} // namespace heddle::impl
