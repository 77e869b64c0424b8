// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How cuda_native::scatter_or_esc (papers/spgemm.cuh) takes a row of C: sorted in registers, or by
// a scatter vector in shared memory, by a virtual warp whose number of threads is chosen here.

#include <heddle/config.hpp>
#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// Numbers of the kernels. They were tried on one H200 on 2026-11-30
// (perf_tests/results/h200/paper_003_virtual_warps.txt).
struct SpgemmScatterPolicy
{
  int block;                        // threads, of paper 003
  int shared_bytes_of_thread;       // of its scatter vector
  int bytes_of_word;                // of a scatter vector: 32 columns
  std::int64_t few_products;        // of rows that the hybrids sort
  std::int64_t most_sorted_entries; // of A, in such a row
  std::int64_t most_sorted_width;   // and columns from its first to its last
  std::int64_t products_of_thread;  // rows with more have a virtual warp of more threads
  int least_lanes, most_lanes;      // of a virtual warp by the row's products
  int hybrid_threads;               // of a row of HybridSparse
  int threads_of_multiprocessor;    // that registers of the symbolic kernels leave room for
};
inline constexpr SpgemmScatterPolicy spgemm_scatter_policy{.block = 128,
                                                           .shared_bytes_of_thread = 48,
                                                           .bytes_of_word = 8,
                                                           .few_products = 256,
                                                           .most_sorted_entries = 64,
                                                           .most_sorted_width = std::int64_t(1)
                                                                                << 21,
                                                           .products_of_thread = 64,
                                                           .least_lanes = 8,
                                                           .most_lanes = 32,
                                                           .hybrid_threads = 128,
                                                           .threads_of_multiprocessor = 1536};

// Threads of a block of virtual warps of `threads`: those of more than a warp have one of their
// own, so that they wait for none but themselves.
KOKKOS_INLINE_FUNCTION constexpr int spgemm_scatter_block(int threads)
{
  constexpr int warp = 32;
  return threads <= warp ? spgemm_scatter_policy.block : threads;
}

// Bins of rows: empty; sorted, by products; scattered, by the threads of their virtual warp and
// whether these take one row of B after another (in turn: sums are in order) or groups of them
// several side by side.
struct VirtualWarpBin
{
  static constexpr int empty = 0;
  static constexpr int sorted = 1, sorted_count = 4;
  static constexpr int in_turn = sorted + sorted_count, in_turn_count = 8;
  static constexpr int side_by_side = in_turn + in_turn_count, side_by_side_count = 6;
  // Virtual warps of a size that is asked for, with as wide a vector as B has columns.
  static constexpr int wide = side_by_side + side_by_side_count;
  static constexpr int count = wide + 1;
};

// The sizes of virtual warps. The last three have one number of threads and more memory each.
struct VirtualWarpSizes
{
  static constexpr int count = VirtualWarpBin::in_turn_count;
  static constexpr int first_side_by_side = count - VirtualWarpBin::side_by_side_count; // a warp

  KOKKOS_INLINE_FUNCTION static constexpr int threads(int size)
  {
    return size < 5 ? 8 << size : 512;
  }
  // The first with at least these threads.
  KOKKOS_INLINE_FUNCTION static constexpr int least_of(int threads_wanted)
  {
    int size = 0;
    while (size + 1 < count && threads(size) < threads_wanted)
      ++size;
    return size;
  }
  // Bytes of a scatter vector. Of the last size blocks have nearly all of a multiprocessor, and
  // wider rows take several passes.
  KOKKOS_INLINE_FUNCTION static constexpr int bytes(int size, int architecture = HEDDLE_CUDA_ARCH)
  {
    constexpr int beside = 4; // KiB that kernels have by themselves, and more
    ArchitectureShape const shape = architecture_shape(architecture);
    return size < count - 2    ? threads(size) * spgemm_scatter_policy.shared_bytes_of_thread
           : size == count - 2 ? (shape.shared_kib_of_multiprocessor / 2 - beside) << 10
                               : (shape.shared_kib_of_block - beside) << 10;
  }
  KOKKOS_INLINE_FUNCTION static constexpr int words(int size)
  {
    return bytes(size) / spgemm_scatter_policy.bytes_of_word;
  }
};

// What is known of a row before there are products. span: blocks of 32 columns from its first
// column to its last.
struct VirtualWarpRow
{
  std::int64_t entries, products, width, span;
};

// The choices of a call; cols: of B.
struct VirtualWarpChoice
{
  bool sorts_few;
  bool is_in_turn; // always: HybridSparse has all threads of a row take one row of B after another
  int threads;     // of all virtual warps; 0: by the row
  std::int64_t wide_words; // of a vector, where virtual warps are asked for and need not be wider

  VirtualWarpChoice(SpgemmOptions const& options, std::int64_t cols)
      : sorts_few(options.accumulator != SpgemmAccumulator::scatter_vector_paper)
      , is_in_turn(options.deterministic || options.accumulator == SpgemmAccumulator::hybrid_sparse)
      , threads(options.accumulator == SpgemmAccumulator::hybrid_sparse
                    ? spgemm_scatter_policy.hybrid_threads
                    : threads_asked_for(options))
      , wide_words(threads_asked_for(options) > 0 ? words_asked_for(threads, cols) : 0)
  {}

  // Threads that take a row of B: by the row, as many as these rows have entries on average.
  KOKKOS_INLINE_FUNCTION int lanes(std::int64_t entries, std::int64_t products) const
  {
    if (threads > 0)
      return threads;
    int lanes = spgemm_scatter_policy.least_lanes;
    while (lanes < spgemm_scatter_policy.most_lanes && lanes * entries < products)
      lanes *= 2;
    return lanes;
  }
  KOKKOS_INLINE_FUNCTION bool is_sorted(VirtualWarpRow const& row) const
  {
    return sorts_few && row.products <= spgemm_scatter_policy.few_products &&
           row.entries <= spgemm_scatter_policy.most_sorted_entries &&
           row.width <= spgemm_scatter_policy.most_sorted_width;
  }
  KOKKOS_INLINE_FUNCTION int bin_of(VirtualWarpRow const& row) const
  {
    constexpr int least_sorted = 32; // products that the first bin of sorted rows has at most
    if (row.products == 0)
      return VirtualWarpBin::empty;
    if (is_sorted(row))
    {
      int row_bin = VirtualWarpBin::sorted;
      while (least_sorted << (row_bin - VirtualWarpBin::sorted) < row.products)
        ++row_bin;
      return row_bin;
    }
    // A virtual warp that has no room for the vector, or too many products, gets more threads:
    // groups of as many as it was to have take rows of B side by side.
    int const wanted = lanes(row.entries, row.products);
    int size = VirtualWarpSizes::least_of(wanted);
    if (VirtualWarpSizes::words(size) < row.span && row.span <= wide_words)
      return VirtualWarpBin::wide;
    while (size + 1 < VirtualWarpSizes::count &&
           (VirtualWarpSizes::words(size) < row.span ||
            (VirtualWarpSizes::threads(size) <
                 VirtualWarpSizes::threads(VirtualWarpSizes::count - 1) &&
             row.products > VirtualWarpSizes::threads(size) * products_of_thread())))
      ++size;
    bool const has_groups = size >= VirtualWarpSizes::first_side_by_side &&
                            VirtualWarpSizes::threads(size) > wanted && !is_in_turn;
    return has_groups ? VirtualWarpBin::side_by_side + size - VirtualWarpSizes::first_side_by_side
                      : VirtualWarpBin::in_turn + size;
  }

private:
  static int threads_asked_for(SpgemmOptions const& options)
  {
    int const warps = options.tuning.scatter_vector_paper.virtual_warps;
    return warps > 0 ? spgemm_scatter_policy.block / warps : 0;
  }
  // Those of all columns, if a block has room for as many vectors as it has virtual warps.
  static std::int64_t words_asked_for(int threads, std::int64_t cols)
  {
    constexpr std::int64_t columns = 32;
    std::int64_t const words = (cols / columns + 4) / 4 * 4; // kernels take four at a time
    std::int64_t const most = VirtualWarpSizes::words(VirtualWarpSizes::count - 1) /
                              (spgemm_scatter_block(threads) / threads);
    return words <= most ? words : 0;
  }
  KOKKOS_INLINE_FUNCTION static constexpr std::int64_t products_of_thread()
  {
    return spgemm_scatter_policy.products_of_thread;
  }
};

} // namespace heddle::cuda_native
