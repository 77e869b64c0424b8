// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The straightforward CSR kernel (Anzt et al. 2014, section 3): a thread takes a row. Loads of columns and values coalesce
// only in so far as rows are short, so automatic takes it for those alone; elsewhere it is there by name, to compare
// with. A^T x scales y and adds by atomics, or gathers through a transposed pattern where the plan is deterministic.
// Bytes: A once, x gathered, y once.

#include <heddle/backend.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/spmv_csr_scalar_policy.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/op.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// positions: nullptr, or where in values the entries of a transposed pattern stand.
template <class Policy, bool is_conjugate, class Value, class Ordinal, class Offset>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_csr_scalar_kernel(std::int64_t rows, Offset const* __restrict__ offsets,
                           Ordinal const* __restrict__ columns, Value const* __restrict__ values,
                           Offset const* __restrict__ positions, Value alpha,
                           Value const* __restrict__ x, Value beta, Value* __restrict__ y)
{
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= rows)
    return;
  Value sum{};
  Offset const last = offsets[i + 1];
  for (Offset k = offsets[i]; k < last; ++k)
  {
    Value const value = values[positions == nullptr ? k : positions[k]];
    sum += impl::conjugated<is_conjugate>(value) * x[columns[k]];
  }
  impl::store(y[i], alpha, sum, beta);
}

template <class Policy, class Value>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    scale_kernel(std::int64_t size, Value beta, Value* __restrict__ y)
{
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size)
    y[i] = beta == Value(0) ? Value(0) : beta * y[i];
}

template <class Policy, bool is_conjugate, class Value, class Ordinal, class Offset>
__global__ void __launch_bounds__(Policy::value.threads_per_block)
    spmv_csr_scatter_kernel(std::int64_t rows, Offset const* __restrict__ offsets,
                            Ordinal const* __restrict__ columns, Value const* __restrict__ values,
                            Value alpha, Value const* __restrict__ x, Value* __restrict__ y)
{
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= rows)
    return;
  Value const factor = alpha * x[i];
  Offset const last = offsets[i + 1];
  for (Offset k = offsets[i]; k < last; ++k)
    impl::atomic_accumulate(y[columns[k]], impl::conjugated<is_conjugate>(values[k]) * factor);
}

template <class Exec, class Matrix>
struct SpmvCsrScalar
{
  static constexpr Backend backend = Backend::cuda_native;
  static constexpr char const* name = "cuda_native::csr_scalar";
  static constexpr bool is_supported =
      is_csr_matrix_v<Matrix> && std::is_same_v<Exec, Kokkos::Cuda>;
  using Value = typename Matrix::value_type;
  using Ordinal = typename Matrix::ordinal_type;
  using Offset = typename Matrix::offset_type;
  using Policy = SpmvCsrScalarPolicyFor;
  using Transposed = impl::TransposedPattern<Ordinal, Offset, typename Matrix::memory_space>;
  struct State
  {
    std::optional<Transposed> transposed = {};

    std::size_t bytes() const { return transposed ? transposed->bytes() : 0; }
    bool is_repeatable(Op op) const { return !is_transposed(op) || transposed.has_value(); }
    std::string describe() const
    {
      return std::string("a thread a row; transposed ") +
             (transposed ? "by gathering through a pattern it holds" : "by atomic additions");
    }
  };
  template <class X, class Y>
  static constexpr bool takes = std::is_same_v<typename X::layout, Kokkos::LayoutRight> &&
                                std::is_same_v<typename X::value_type, Value> &&
                                std::is_same_v<typename Y::value_type, Value>;

  static bool can_run(Exec const&, Matrix const&, impl::RowStatistics const& rows,
                      SpmvOptions const& options)
  {
    return impl::is_forced(options) || (rows.mean() <= Policy::value.mean_row &&
                                        rows.longest <= Policy::value.longest_row);
  }
  static State analyze(Exec const& exec, Matrix const& a, impl::RowStatistics const&,
                       SpmvOptions const& options)
  {
    State state;
    if (options.deterministic)
      state.transposed = impl::transposed_pattern(exec, a);
    return state;
  }

  template <class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Value alpha, Matrix const& a,
                  X const& x, Value beta, Y const& y)
  {
    impl::with_conjugation<Value>(op, [&]<class Is>(Is) {
      if (is_transposed(op))
        multiply_transposed<Is::value>(exec, state, alpha, a, x, beta, y);
      else
        multiply<Is::value>(exec, a.num_rows(), a.row_offsets().data(), a.columns().data(),
                            a.values().data(), nullptr, alpha, x, beta, y);
    });
  }

  template <bool is_conjugate, class X, class Y>
  static void multiply(Exec const& exec, std::int64_t rows, Offset const* offsets,
                       Ordinal const* columns, Value const* values, Offset const* positions,
                       Value alpha, X const& x, Value beta, Y const& y)
  {
    launch(exec, "heddle::spmv::csr_scalar",
           spmv_csr_scalar_kernel<Policy, is_conjugate, Value, Ordinal, Offset>, grid(rows), rows,
           offsets, columns, values, positions, alpha, x.data, beta, y.data);
  }

  template <bool is_conjugate, class X, class Y>
  static void multiply_transposed(Exec const& exec, State const& state, Value alpha,
                                  Matrix const& a, X const& x, Value beta, Y const& y)
  {
    if (state.transposed)
    {
      Transposed const& t = *state.transposed;
      multiply<is_conjugate>(exec, a.num_cols(), t.row_offsets.data(), t.columns.data(),
                             a.values().data(), t.positions.data(), alpha, x, beta, y);
      return;
    }
    if (beta != Value(1))
      launch(exec, "heddle::spmv::csr_scalar::scale", scale_kernel<Policy, Value>, grid(y.size),
             y.size, beta, y.data);
    launch(exec, "heddle::spmv::csr_scalar::scatter",
           spmv_csr_scatter_kernel<Policy, is_conjugate, Value, Ordinal, Offset>,
           grid(a.num_rows()), a.num_rows(), a.row_offsets().data(), a.columns().data(),
           a.values().data(), alpha, x.data, y.data);
  }

  static Grid grid(std::int64_t work)
  {
    int const threads = Policy::value.threads_per_block;
    return {blocks_for(work, threads), threads};
  }
};

} // namespace heddle::cuda_native
