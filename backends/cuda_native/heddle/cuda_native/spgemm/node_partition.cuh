// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Nodes of rows that are nearly equal. Neighbouring rows whose columns are mostly common are
// linked; chains of linked rows are cut into nodes of at most `size` rows:
//
//   row               0   1   2   3   4   5   6   7   8
//   linked to next    1   1   0   1   0   0   1   1
//   node (size 3)     0   0   0   1   1   2   3   3   3
//
// So nodes may begin anywhere and have fewer rows than others, as where rows of boundary conditions
// were removed from a matrix of finite elements.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/gaps_policy.hpp>
#include <heddle/cuda_native/spgemm/row_likeness.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// Whether the columns of a row do not ascend, or are too many, for all lanes of the warp, which
// take part. take(column) for each.
template <class Matrix, class Take>
__device__ bool is_refused(Matrix const& a, std::int64_t row, int lane, Take const& take)
{
  auto const begin = static_cast<std::int64_t>(a.offsets[row]);
  int const length = a.length_of(row);
  bool is = length > spgemm_gaps_policy.most_entries_of_row;
  for (int k = lane; k < length; k += warp_size)
  {
    auto const column = a.columns[begin + k];
    is = is || (k > 0 && a.columns[begin + k - 1] >= column);
    take(column);
  }
  return __any_sync(0xffffffffU, is);
}

// A block of the grid has a window.
template <class Matrix>
__global__ void __launch_bounds__(SampledWindow::rows* warp_size)
    spgemm_sample_chains_kernel(Matrix a, PinnedWords::Word* windows)
{
  SampledWindow const window = sample_window(a);
  if (threadIdx.x == 0)
    windows[blockIdx.x] = window.word();
}

// The nodes of a's rows that should take the least time, by a sample. Waits for exec.
template <class Matrix>
NodesWithGaps sampled_nodes(Kokkos::Cuda const& exec, Matrix const& a, GapsQuestion const& question)
{
  constexpr int rows = SampledWindow::rows;
  std::int64_t const windows =
      std::min<std::int64_t>(spgemm_gaps_policy.sampled_windows, a.rows / rows + 1);
  static_assert(spgemm_gaps_policy.sampled_windows <= PinnedWords::most);
  PinnedWords const found(static_cast<std::size_t>(windows));
  launch(exec, "heddle::spgemm::sample_chains", spgemm_sample_chains_kernel<Matrix>,
         Grid{windows, rows * warp_size}, a, found.view().data());
  exec.fence("heddle::spgemm::sample_chains");
  SampledChains chains;
  for (std::int64_t n = 0; n < windows; ++n)
    chains.add(SampledWindow::of(found.data()[n]));
  return chains.best(question);
}

// What is counted while rows are linked: whether a row's columns do not ascend, or are too many;
// and products of A's entries, in many words, which as many blocks add to at once.
struct LinkedRowCounts
{
  static constexpr int words = 64;
  unsigned long long refused, products[words];
};

// linked[row]: whether a row of A is nearly equal to the next; a warp a row.
template <class A, class B>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_link_rows_kernel(A a, B b, unsigned char* linked, LinkedRowCounts* counts)
{
  std::int64_t const row =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  if (row >= a.rows)
    return;
  unsigned long long products = 0;
  bool const is_wrong = is_refused(a, row, lane, [&](auto column) {
    products += static_cast<unsigned long long>(b.length_of(static_cast<std::int64_t>(column)));
  });
  bool const is_linked =
      !is_wrong && row + 1 < a.rows && common_columns_of_node(a, row, lane).are_most();
  products = sum_of_lanes(products, warp_size);
  if (lane != 0)
    return;
  linked[row] = is_linked ? 1 : 0;
  if (is_wrong)
    counts->refused = 1;
  atomicAdd(&counts->products[blockIdx.x % LinkedRowCounts::words], products);
}
// The same where a row of B is, and the row of A was.
template <class B>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_link_rows_of_both_kernel(B b, unsigned char* linked, LinkedRowCounts* counts)
{
  std::int64_t const row =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  if (row >= b.rows)
    return;
  bool const is_wrong = is_refused(b, row, lane, [](auto) {});
  bool const is_linked = !is_wrong && row + 1 < b.rows && linked[row] != 0 &&
                         common_columns_of_node(b, row, lane).are_most();
  __syncwarp();
  if (lane != 0)
    return;
  linked[row] = is_linked ? 1 : 0;
  if (is_wrong)
    counts->refused = 1;
}

// begins[row]: whether a row is the first of its node; a thread block has a segment of rows. A
// chain that goes through all of the segment before this one is cut where this one begins.
struct ChainSegment
{
  static constexpr int threads = 256, words = threads / warp_size;
  static constexpr int rows = threads - 4; // a multiple of all sizes of nodes
  static_assert(rows % 12 == 0);
};
inline __global__ void __launch_bounds__(ChainSegment::threads)
    spgemm_cut_chains_kernel(std::int64_t rows, unsigned char const* linked, int size,
                             unsigned char* begins)
{
  constexpr unsigned all_lanes = 0xffffffffU;
  constexpr int words = ChainSegment::words;
  __shared__ unsigned first_of_chain[2 * words]; // in the segment before, and in this one
  auto const t = static_cast<int>(threadIdx.x);
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * ChainSegment::rows + t;
  auto const begins_chain = [&](std::int64_t r) {
    return t < ChainSegment::rows && r >= 0 && r < rows && (r == 0 || linked[r - 1] == 0);
  };
  unsigned const before = __ballot_sync(all_lanes, begins_chain(row - ChainSegment::rows));
  unsigned const here = __ballot_sync(all_lanes, begins_chain(row));
  if (t % warp_size == 0)
  {
    first_of_chain[t / warp_size] = before;
    first_of_chain[words + t / warp_size] = here;
  }
  __syncthreads();
  if (t >= ChainSegment::rows || row >= rows)
    return;
  int word = words + t / warp_size;
  unsigned bits = first_of_chain[word] & (0xffffffffU >> (warp_size - 1 - t % warp_size));
  while (bits == 0 && word > 0)
    bits = first_of_chain[--word];
  int distance = t; // from the first row of the chain, or of the segment
  if (bits != 0)
  {
    int const place = word * warp_size + warp_size - 1 - __clz(static_cast<int>(bits));
    distance = place >= ChainSegment::threads
                   ? ChainSegment::threads + t - place
                   : ChainSegment::rows + t - place; // whose places end 4 before those of this one
  }
  begins[row] = distance % size == 0 ? 1 : 0;
}

template <class Ordinal>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_first_rows_kernel(std::int64_t rows, unsigned char const* begins, Ordinal const* before,
                             Ordinal* firsts)
{
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row <= rows && (row == rows || begins[row] != 0))
    firsts[before[row]] = static_cast<Ordinal>(row);
}

// Nodes of at most `size` rows that the rows of two square matrices have in common.
template <class Ordinal>
class NodePartition
{
  template <class T>
  using View = Kokkos::View<T*, Kokkos::CudaSpace, Kokkos::MemoryUnmanaged>;
  std::size_t m_rows;
  impl::Scratch<Ordinal, Kokkos::Cuda> m_before;
  impl::Scratch<LinkedRowCounts, Kokkos::Cuda> m_counts;

public:
  // firsts: room for one number more than there are rows. Asynchronous.
  template <class A, class B>
  NodePartition(Kokkos::Cuda const& exec, A const& a, B const& b, bool is_one_matrix, int size,
                Ordinal* firsts)
      : m_rows(static_cast<std::size_t>(a.rows))
      , m_before(exec, m_rows + 1)
      , m_counts(exec, 1)
  {
    impl::Scratch<unsigned char, Kokkos::Cuda> const linked(exec, m_rows), begins(exec, m_rows);
    impl::require_cuda(
        cudaMemsetAsync(m_counts.data(), 0, sizeof(LinkedRowCounts), exec.cuda_stream()),
        "cudaMemsetAsync");
    Grid const grid = one_thread_each(a.rows * warp_size);
    launch(exec, "heddle::spgemm::link_rows", spgemm_link_rows_kernel<A, B>, grid, a, b,
           linked.data(), m_counts.data());
    if (!is_one_matrix)
      launch(exec, "heddle::spgemm::link_rows", spgemm_link_rows_of_both_kernel<B>, grid, b,
             linked.data(), m_counts.data());
    launch(exec, "heddle::spgemm::cut_chains", spgemm_cut_chains_kernel,
           Grid{blocks_for(a.rows, ChainSegment::rows), ChainSegment::threads}, a.rows,
           linked.data(), size, begins.data());
    offsets_from_counts(exec, View<unsigned char const>(begins.data(), m_rows),
                        View<Ordinal>(m_before.data(), m_rows + 1));
    launch(exec, "heddle::spgemm::first_rows", spgemm_first_rows_kernel<Ordinal>,
           one_thread_each(a.rows + 1), a.rows, begins.data(), m_before.data(), firsts);
  }
  Ordinal const* before() const { return m_before.data(); }
  // How many nodes there are, on the device.
  Ordinal const* nodes() const { return m_before.data() + m_rows; }
  LinkedRowCounts const* counts() const { return m_counts.data(); }
};

} // namespace heddle::cuda_native
