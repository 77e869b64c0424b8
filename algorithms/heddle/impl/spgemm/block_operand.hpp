// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Factors in BSR: op(M) for kernels that take M alone, and the blocks of M as the entries of a CSR
// matrix, for whatever looks at the pattern alone.

#include <heddle/bsr_matrix.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm/operand.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/op.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::impl
{

template <Bsr Matrix>
using BlockEntries = CsrMatrix<typename Matrix::value_type const, typename Matrix::ordinal_type,
                               typename Matrix::offset_type, typename Matrix::memory_space>;

// An entry for each block. Its value is some value of the matrix and has no meaning: a kernel that
// finds columns by multiplying may read it.
template <Bsr Matrix>
BlockEntries<Matrix> block_entries(Matrix const& m)
{
  using Entries = BlockEntries<Matrix>;
  return Entries(m.num_block_rows(), m.num_block_cols(), m.row_offsets(), m.columns(),
                 typename Entries::values_view(m.values().data(), m.num_blocks()));
}

template <Bsr Matrix>
std::size_t bytes_of_operand(Matrix const& m, Op op)
{
  if (!has_values_of_its_own<Matrix>(op))
    return 0;
  std::size_t const values = m.values().extent(0) * sizeof(typename Matrix::value_type);
  std::size_t const pattern =
      (static_cast<std::size_t>(m.num_block_cols()) + 1) * sizeof(typename Matrix::offset_type) +
      m.num_blocks() *
          (sizeof(typename Matrix::ordinal_type) + sizeof(typename Matrix::offset_type));
  return is_transposed(op) ? values + pattern : values;
}

// What is done with one value of a transposed block: a functor, see scan.hpp.
template <bool is_conjugate, class Positions, class From, class To>
struct TransposeBlockValue
{
  Positions positions;        // of blocks of To among those of From
  std::int64_t height, width; // of blocks of To
  From from;
  To to;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    std::int64_t const size = height * width, block = k / size;
    std::int64_t const y = k % size / width, x = k % width;
    to(k) = conjugated<is_conjugate>(
        from((static_cast<std::int64_t>(positions(block)) * width + x) * height + y));
  }
};

// As for CSR: of M^T the pattern of blocks is kept, its values are gathered for each call.
template <class Exec, Bsr Matrix>
class SpgemmOperand<Exec, Matrix>
{
  using Value = std::remove_const_t<typename Matrix::value_type>;

public:
  // Asynchronous on CUDA and hosts, but for the Views it makes.
  SpgemmOperand(Exec const& exec, Matrix const& m, Op op)
      : m_op(op)
  {
    if (is_transposed(op))
      m_transposed = transposed_pattern(exec, block_entries(m));
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
    Scratch<Value, Exec> const values(exec, m.values().extent(0));
    BlockShape const shape = m.shape();
    typename Matrix::values_view const view(values.data(), values.size());
    with_conjugation<Value>(m_op, [&]<class Is>(Is) {
      if (is_transposed(m_op))
        transpose_values<Is::value>(exec, m, values.view());
      else
        gather_values<Is::value>(exec, SamePosition{}, m.values(), values.view());
    });
    if (is_transposed(m_op))
      return body(Matrix(m.num_cols(), m.num_rows(), {shape.width, shape.height},
                         m_transposed.row_offsets, m_transposed.columns, view, m.nnz()));
    return body(
        Matrix(m.num_rows(), m.num_cols(), shape, m.row_offsets(), m.columns(), view, m.nnz()));
  }

private:
  template <bool is_conjugate, class To>
  void transpose_values(Exec const& exec, Matrix const& m, To const& to) const
  {
    using Positions = decltype(m_transposed.positions);
    Kokkos::parallel_for(
        "heddle::transpose::block_values", range(exec, to.extent(0)),
        TransposeBlockValue<is_conjugate, Positions, typename Matrix::values_view, To>{
            m_transposed.positions, m.shape().width, m.shape().height, m.values(), to});
  }

  Op m_op;
  TransposedPatternOf<BlockEntries<Matrix>> m_transposed;
};

} // namespace heddle::impl
