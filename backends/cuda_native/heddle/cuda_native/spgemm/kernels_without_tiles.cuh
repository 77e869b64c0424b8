// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which kernels SpGEMM has beside dense tiles: what tiles are compared with
// (spgemm/tiles_choice.cuh), and what is taken where these are slower.

#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spgemm/bin_choice.hpp>
#include <heddle/cuda_native/spgemm/nodes.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>

namespace heddle::cuda_native
{

template <class A, class B>
FactorSizes sizes_of(A const& a, B const& b)
{
  return {static_cast<std::int64_t>(a.num_rows()), static_cast<std::int64_t>(a.nnz()),
          static_cast<std::int64_t>(b.num_rows()), static_cast<std::int64_t>(b.nnz())};
}
template <class A, class B>
bool is_one_matrix(A const& a, B const& b)
{
  return std::is_same_v<decltype(csr_view(a)), decltype(csr_view(b))> &&
         impl::have_one_pattern(a, b);
}

// The kernels that multiply A and B if not tiles. Whether all rows are nodes is looked up when it
// is asked for, and once: that waits for exec.
template <class A, class B, class Value>
class KernelsWithoutTiles
{
  Kokkos::Cuda const& m_exec;
  A const& m_a;
  B const& m_b;
  NodeSizes m_possible = {};
  std::optional<double> m_dense_row_sums; // that are handed on, where rows of C are dense
  mutable std::optional<int> m_size;

public:
  KernelsWithoutTiles(Kokkos::Cuda const& exec, A const& a, B const& b,
                      SpgemmOptions const& options, std::int64_t least_entries,
                      std::optional<double> dense_row_sums)
      : m_exec(exec)
      , m_a(a)
      , m_b(b)
      , m_dense_row_sums(dense_row_sums)
  {
    bool const is_asked_for = options.accumulator == SpgemmAccumulator::row_panels;
    FactorSizes const sizes = sizes_of(a, b);
    if (m_dense_row_sums || by_row(options.accumulator) != SpgemmAccumulator::automatic ||
        is_of_all_rows(options.accumulator) ||
        (!is_asked_for && sizes.nnz_a + sizes.nnz_b < least_entries))
      return;
    m_possible =
        possible_node_sizes({sizes.rows_a, sizes.rows_b, sizes.nnz_a},
                            {sizes.rows_b, static_cast<std::int64_t>(b.num_cols()), sizes.nnz_b});
  }
  // The size of nodes that all rows of A and B are and that is worth a look, else 1.
  int node_size() const
  {
    if (!m_size)
      m_size = m_possible.count == 0 ? 1
                                     : cuda_native::node_size(m_exec, csr_view(m_a), csr_view(m_b),
                                                              is_one_matrix(m_a, m_b), m_possible);
    return *m_size;
  }
  OtherKernels fastest() const { return kernels(m_possible.count == 0 ? 1 : m_possible.sizes[0]); }
  OtherKernels taken() const { return kernels(m_dense_row_sums ? 1 : node_size()); }

private:
  OtherKernels kernels(int size) const
  {
    return m_dense_row_sums ? by_dense_rows(*m_dense_row_sums, sizeof(Value))
                            : by_nodes(size, sizeof(Value));
  }
};

} // namespace heddle::cuda_native
