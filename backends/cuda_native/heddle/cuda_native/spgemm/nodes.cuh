// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpGEMM by nodes. Finite elements with several unknowns per node make matrices of dense blocks:
// `size` neighbouring rows have the same columns, which come in runs of `size` that begin at
// multiples of it. Where A and B are such the product is found by node: the symbolic phase
// multiplies the node graphs, with size^2 times fewer entries and size^3 times fewer products, and
// writes each node of C as size^2 entries; the numeric phase looks up one slot per node product
// (spgemm/numeric_panel.cuh). All of both matrices must be nodes of one size.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spgemm/panel_policy.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace heddle::cuda_native
{

// Whether `size` rows from `row` on are a node, as the lane sees it. All lanes of the warp take
// part.
template <int size, class Matrix>
__device__ bool is_node(Matrix const& a, std::int64_t row, int lane)
{
  auto const begin = static_cast<std::int64_t>(a.offsets[row]);
  std::int64_t const length = static_cast<std::int64_t>(a.offsets[row + 1]) - begin;
  bool is = length % size == 0;
#pragma unroll
  for (int r = 1; r < size; ++r)
    is = is && static_cast<std::int64_t>(a.offsets[row + r + 1]) - begin == (r + 1) * length;
  for (std::int64_t k = lane; is && k < length; k += warp_size)
  {
    auto const column = static_cast<std::int64_t>(a.columns[begin + k]);
    int const within = static_cast<int>(k % size);
    is = column % size == within;
    if (within > 0)
      is = is && static_cast<std::int64_t>(a.columns[begin + k - 1]) == column - 1;
#pragma unroll
    for (int r = 1; r < size; ++r)
      is = is && static_cast<std::int64_t>(a.columns[begin + r * length + k]) == column;
  }
  return is;
}

// Sets refused[n] where not all rows are nodes of sizes.sizes[n]: blocks of row n of the grid ask
// that, a warp one node after another. What another warp has found is asked for now and then only:
// all of them read one word.
template <class Matrix>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_find_nodes_kernel(Matrix a, NodeSizes sizes, unsigned long long* refused)
{
  constexpr std::int64_t nodes_per_look = 8;
  int const size = sizes.sizes[blockIdx.y];
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  auto volatile* const flag = refused + blockIdx.y;
  std::int64_t const warp =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  std::int64_t const warps = static_cast<std::int64_t>(gridDim.x) * blockDim.x / warp_size;
  std::int64_t const nodes = a.rows / size;
  for (std::int64_t node = warp, n = 0; node < nodes; node += warps, ++n)
  {
    if (n % nodes_per_look == 1 && *flag != 0)
      return;
    std::int64_t const row = node * size;
    bool const is = size == 2   ? is_node<2>(a, row, lane)
                    : size == 3 ? is_node<3>(a, row, lane)
                    : size == 4 ? is_node<4>(a, row, lane)
                                : is_node<6>(a, row, lane);
    if (__all_sync(0xffffffffU, is))
      continue;
    if (lane == 0)
      *flag = 1;
    return;
  }
}

// The largest size that all rows of both matrices are nodes of; 1 if there is none. Waits for exec.
template <class A, class B>
int node_size(Kokkos::Cuda const& exec, A const& a, B const& b, bool is_one_matrix,
              NodeSizes const& sizes)
{
  if (sizes.count == 0)
    return 1;
  impl::Scratch<PinnedWords::Word, Kokkos::Cuda> const refused(
      exec, static_cast<std::size_t>(sizes.count));
  Kokkos::deep_copy(exec, refused.view(), PinnedWords::Word(0));
  auto const find = [&]<class Matrix>(Matrix const& matrix) {
    std::int64_t const most_nodes = matrix.rows / sizes.sizes[sizes.count - 1];
    Grid grid = one_thread_each(std::min(most_nodes, device_shape(exec).warps()) * warp_size);
    grid.blocks_y = sizes.count;
    launch(exec, "heddle::spgemm::find_nodes", spgemm_find_nodes_kernel<Matrix>, grid, matrix,
           sizes, refused.data());
  };
  find(a);
  if (!is_one_matrix)
    find(b);
  PinnedWords const host(exec, refused.view(), "heddle::spgemm::find_nodes");
  for (int n = 0; n < sizes.count; ++n)
    if (host.data()[n] == 0)
      return sizes.sizes[n];
  return 1;
}

// offsets and columns of the node graph of a, a warp a node.
template <class Matrix>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_node_graph_kernel(Matrix a, int size, typename Matrix::offset_type* offsets,
                             typename Matrix::ordinal_type* columns)
{
  using Offset = typename Matrix::offset_type;
  using Ordinal = typename Matrix::ordinal_type;
  std::int64_t const node =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (node > a.rows / size)
    return;
  std::int64_t const row = node * size, begin = static_cast<std::int64_t>(a.offsets[row]);
  std::int64_t const first = begin / (static_cast<std::int64_t>(size) * size);
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  if (lane == 0)
    offsets[node] = static_cast<Offset>(first);
  if (row == a.rows)
    return;
  std::int64_t const nodes = (static_cast<std::int64_t>(a.offsets[row + 1]) - begin) / size;
  for (std::int64_t k = lane; k < nodes; k += warp_size)
    columns[first + k] = a.columns[begin + k * size] / static_cast<Ordinal>(size);
}

// The node graph of a matrix: a row for each node and an entry for each of its blocks, no values.
template <class Matrix>
class NodeGraph
{
  using Offset = typename Matrix::offset_type;
  using Ordinal = typename Matrix::ordinal_type;
  std::int64_t m_rows;
  impl::Scratch<Offset, Kokkos::Cuda> m_offsets;
  impl::Scratch<Ordinal, Kokkos::Cuda> m_columns;

public:
  // Of a matrix whose rows are all nodes of this size. Asynchronous.
  NodeGraph(Kokkos::Cuda const& exec, Matrix const& a, std::int64_t nnz, int size)
      : m_rows(a.rows / size)
      , m_offsets(exec, static_cast<std::size_t>(m_rows) + 1)
      , m_columns(exec, bytes_of(nnz, size) / sizeof(Ordinal))
  {
    launch(exec, "heddle::spgemm::node_graph", spgemm_node_graph_kernel<Matrix>,
           one_thread_each((m_rows + 1) * warp_size), a, size, m_offsets.data(), m_columns.data());
  }
  // Bytes of its columns.
  static std::size_t bytes_of(std::int64_t nnz, int size)
  {
    return static_cast<std::size_t>(nnz / (static_cast<std::int64_t>(size) * size)) *
           sizeof(Ordinal);
  }
  std::int64_t entries() const { return static_cast<std::int64_t>(m_columns.size()); }
  Matrix view() const { return {m_rows, m_offsets.data(), m_columns.data(), nullptr}; }
};

// Row offsets and columns of C from its node graph, a warp a node.
template <class Ordinal, class Offset>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_expand_nodes_kernel(std::int64_t nodes, Offset const* graph_offsets,
                               Ordinal const* graph_columns, int size, Offset* offsets,
                               Ordinal* columns)
{
  std::int64_t const node =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (node > nodes)
    return;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  auto const first = static_cast<std::int64_t>(graph_offsets[node]);
  std::int64_t const begin = first * size * size;
  if (node == nodes)
  {
    if (lane == 0)
      offsets[node * size] = static_cast<Offset>(begin);
    return;
  }
  std::int64_t const length = (static_cast<std::int64_t>(graph_offsets[node + 1]) - first) * size;
  if (lane < size)
    offsets[node * size + lane] = static_cast<Offset>(begin + lane * length);
  for (std::int64_t k = lane; k < length; k += warp_size)
  {
    auto const n = static_cast<std::int64_t>(k / size);
    auto const column = static_cast<Ordinal>(graph_columns[first + n] * static_cast<Ordinal>(size) +
                                             static_cast<Ordinal>(k - n * size));
    for (int r = 0; r < size; ++r)
      columns[begin + r * length + k] = column;
  }
}

// Asynchronous.
template <class Ordinal, class Offset>
void expand_nodes(Kokkos::Cuda const& exec, std::int64_t nodes, Offset const* graph_offsets,
                  Ordinal const* graph_columns, int size, Offset* offsets, Ordinal* columns)
{
  launch(exec, "heddle::spgemm::expand_nodes", spgemm_expand_nodes_kernel<Ordinal, Offset>,
         one_thread_each((nodes + 1) * warp_size), nodes, graph_offsets, graph_columns, size,
         offsets, columns);
}

} // namespace heddle::cuda_native
