// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Symbolic phase of narrow rows, whose columns lie in few blocks of 32: eight lanes have one bitmap
// in shared memory from the row's first block to its last, and each product, or each word of B
// taken as column bitmasks, sets its bits there. Columns come out in order by reading bits, so that
// nothing is sorted, and a warp has four rows. (Bitmaps: paper 003's symbolic phase, VII.)
//
// Cost: the words of the bitmap are cleared once and read twice, 16 bytes at a time, and an atomic
// in shared memory is done for each step. Limit: rows with more blocks than the last bin has words
// are sorted or have tables.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/product_sequence.cuh>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>
#include <heddle/cuda_native/spgemm/table_words.cuh>
#include <heddle/cuda_native/spgemm/words_of_factor.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// The bitmap of a row, which a group of lanes has: all of them call its functions.
template <int lanes, class Ordinal>
struct RowBitmap
{
  static constexpr int per_load = sizeof(uint4) / sizeof(std::uint32_t);
  std::uint32_t* words; // on a boundary of 16 bytes
  int loads;            // of 16 bytes each
  std::int64_t first_block;

  __device__ RowBitmap(std::uint32_t* memory, ProductRow<Ordinal> const& row)
      : words(memory)
      , loads(static_cast<int>((span_of(row) + per_load - 1) / per_load))
      , first_block(static_cast<std::int64_t>(block_of(row.first)))
  {
    for (int n = lane(); n < loads; n += lanes)
      all()[n] = make_uint4(0, 0, 0, 0);
  }
  __device__ void add(ColumnWord<Ordinal> const& word) const
  {
    atomicOr(&words[static_cast<std::int64_t>(word.block) - first_block], word.bits);
  }
  __device__ WordCount count() const
  {
    int entries = 0, used = 0;
    for (int n = lane(); n < loads; n += lanes)
    {
      uint4 const four = all()[n];
      entries += __popc(four.x) + __popc(four.y) + __popc(four.z) + __popc(four.w);
      used += (four.x != 0 ? 1 : 0) + (four.y != 0 ? 1 : 0) + (four.z != 0 ? 1 : 0) +
              (four.w != 0 ? 1 : 0);
    }
    return {sum_of_lanes(entries, lanes), sum_of_lanes(used, lanes)};
  }
  // The columns, in order, unless `to` is null. All lanes of the warp take part.
  __device__ void write(Ordinal* to) const
  {
    constexpr unsigned all_lanes = 0xffffffffU;
    int const end = to == nullptr ? 0 : loads;
    for (int from = 0; __any_sync(all_lanes, from < end); from += lanes)
    {
      int const n = from + lane();
      uint4 const four = n < end ? all()[n] : make_uint4(0, 0, 0, 0);
      int const here = __popc(four.x) + __popc(four.y) + __popc(four.z) + __popc(four.w);
      int const sum = inclusive_sum_of_lanes<lanes>(here);
      if (here != 0)
      {
        Ordinal* next = to + sum - here;
        std::int64_t const block = first_block + std::int64_t(n) * per_load;
        next = write_word(next, block, four.x);
        next = write_word(next, block + 1, four.y);
        next = write_word(next, block + 2, four.z);
        write_word(next, block + 3, four.w);
      }
      to += __shfl_sync(all_lanes, sum, lanes - 1, lanes);
    }
  }

private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % lanes; }
  __device__ uint4* all() const { return reinterpret_cast<uint4*>(words); }
};

// How many of a group's lanes take one entry of A together: as many as its row of B has steps in
// the mean, rounded down to a power of two.
template <int lanes>
__device__ int lanes_of_entry(std::int64_t entries, std::int64_t steps)
{
  int result = 1;
  while (result < lanes && 2 * result * entries <= steps)
    result *= 2;
  return result;
}

// B in columns or as column bitmasks. words: of the bitmap of each row, a multiple of four.
template <class A, class B, class Sink>
__global__ void __launch_bounds__(SpgemmPolicyFor::value.shared_block)
    spgemm_find_bitmap_kernel(A a, B b, ProductRow<typename A::ordinal_type> const* rows,
                              typename A::ordinal_type const* list, std::int64_t listed, int words,
                              Sink sink)
{
  using Ordinal = typename A::ordinal_type;
  constexpr int lanes = SpgemmPolicyFor::value.bitmap_lanes;
  constexpr int block = SpgemmPolicyFor::value.shared_block, groups = block / lanes;
  int const group = static_cast<int>(threadIdx.x) / lanes;
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  std::int64_t const i =
      sink.row_of(list, static_cast<std::int64_t>(blockIdx.x) * groups + group, listed);
  ProductRow<Ordinal> const row = i < 0 ? ProductRow<Ordinal>{0, 0, 0, 0} : rows[i];
  RowBitmap<lanes, Ordinal> const bitmap(
      reinterpret_cast<std::uint32_t*>(dynamic_shared()) + group * words, row);
  __syncwarp();
  EntriesOfRow const entries = entries_of(a, i);
  int const together = lanes_of_entry<lanes>(entries.count, steps_of(b, row));
  for (int k = lane / together; k < entries.count; k += lanes / together)
  {
    auto const of_b = static_cast<std::int64_t>(a.columns[entries.begin + k]);
    auto const begin = static_cast<std::int64_t>(b.begin_of(of_b));
    int const length = b.length_of(of_b);
    for (int n = lane % together; n < length; n += together)
      bitmap.add(word_at(b, begin + n));
  }
  __syncwarp();
  WordCount const count = bitmap.count();
  sink.count(i, lanes, static_cast<int>(count.entries), static_cast<int>(count.words));
  bitmap.write(sink.template destination<block, lanes>(i, count.entries));
}

// Rows of a bin, each with a bitmap of `words` words. Asynchronous.
template <class A, class B, class Sink>
void find_bitmap(SideStreams& side, A const& a, B const& b,
                 ProductRow<typename A::ordinal_type> const* rows,
                 typename A::ordinal_type const* list, std::int64_t listed, int words,
                 Sink const& sink)
{
  constexpr int block = SpgemmPolicyFor::value.shared_block;
  constexpr int groups = block / SpgemmPolicyFor::value.bitmap_lanes;
  Grid grid{blocks_for(listed, groups), block};
  grid.shared_bytes = static_cast<std::size_t>(groups * words) * sizeof(std::uint32_t);
  launch(side, "heddle::spgemm::find_bitmap", spgemm_find_bitmap_kernel<A, B, Sink>, grid, a, b,
         rows, list, listed, words, sink);
}

} // namespace heddle::cuda_native
