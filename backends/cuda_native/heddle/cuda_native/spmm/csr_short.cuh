// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR with short rows, all alike: a group of lanes takes a row, and each of its lanes reads
// the columns and values itself, which all lanes of the group read at once. Without shared memory,
// batches and rows to come there is little to hold and to do beside the rows of B: 40 registers,
// with which 48 warps of a multiprocessor wait for memory side by side (so does the kernel of
// cuSPARSE 12.9 for short rows). Bytes: A once per tile, from the
// caches for all lanes but the first; B gathered; C once. Limit: the memory's throughput, or the
// second cache's where rows share few columns.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmm/csr_call.hpp>
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// A group goes through `rounds` rows, as many apart as a block has groups.
template <class Entries, class Operands>
__global__ void __launch_bounds__(SpmmPolicy::threads_per_block,
                                  SpmmPolicy::short_blocks<typename Operands::scalar>())
    spmm_csr_short_kernel(Entries a, Operands operands, int rounds)
{
  using Scalar = typename Operands::scalar;
  using Shape = typename Operands::shape;
  using Index = EntryIndexOf<typename Entries::offset_type>;
  int const lanes = operands.lanes, groups = SpmmPolicy::threads_per_block / lanes;
  auto const at = operands.lane_columns();
  std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * groups * rounds +
                     static_cast<int>(threadIdx.x) / lanes;
  for (int n = 0; n < rounds && row < a.rows; ++n, row += groups)
  {
    auto entry = static_cast<Index>(load_cached(a.offsets + row));
    auto const end = static_cast<Index>(load_cached(a.offsets + row + 1));
    Scalar sums[Shape::per_lane];
    set_zero(sums);
    auto turn = [&](auto is_whole, int have) {
      constexpr bool whole = decltype(is_whole)::value;
      auto const from = a.from(entry);
      int columns[entries_in_flight];
      Scalar factors[entries_in_flight];
      typename Operands::packet b[entries_in_flight][Shape::packets];
#pragma unroll
      for (int i = 0; i < entries_in_flight; ++i)
        columns[i] = whole || i < have ? from.column_of_group(i) : 0;
      load_rows_of_b<whole>(operands, at, columns, have, b);
#pragma unroll
      for (int i = 0; i < entries_in_flight; ++i)
        factors[i] = whole || i < have ? from.template value_of_group<Scalar>(i) : Scalar(0);
#pragma unroll
      for (int i = 0; i < entries_in_flight; ++i)
        add_row(sums, factors[i], b[i]);
    };
    for (; end - entry >= entries_in_flight; entry += entries_in_flight)
      turn(std::true_type{}, entries_in_flight);
    if (entry < end)
      turn(std::false_type{}, static_cast<int>(end - entry));
    operands.store_row(row, at, sums);
  }
}

// One of the kernels behind an SpMM of CSR (spmm/csr.cuh).
struct CsrShort
{
  static constexpr char const* name = "cuda_native::csr_short";
  template <class, class, class>
  struct Tuning
  {
    impl::RowStatistics rows = {};

    static std::size_t bytes() { return 0; }
    static std::string describe() { return "a group of lanes a row, each lane reads its entries"; }
  };

  template <class Exec, class Entries, class Statistics>
  static impl::Verdict is_best(Exec const&, Entries const&, Statistics const& statistics)
  {
    if (!SpmmCsrPolicyFor::is_regular(statistics))
      return {false, "the longest row has % entries where the mean is %: rows are too different",
              statistics.longest, statistics.mean()};
    return {SpmmCsrPolicyFor::is_short(statistics),
            "rows have % entries in the mean, % are a short row", statistics.mean(),
            SpmmCsrPolicyFor::longest_short_mean};
  }
  template <class Exec, class Entries, class Statistics>
  static auto tune(Exec const&, Entries const&, Statistics const& statistics)
  {
    return Tuning<typename Entries::ordinal_type, typename Entries::offset_type,
                  typename Exec::memory_space>{statistics};
  }
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static int tile_bytes(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    return CsrRows::tile_bytes(exec, a, statistics);
  }
  // Operands that packets do not fit take csr_rows, and those that it multiplies faster.
  template <class Tuning, class Entries, class Scalar>
  static void multiply(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                       RowMajorOperands<Scalar> const& all, CsrCall const& call)
  {
    constexpr int width = widest_packet<Scalar>;
    auto operands = tiled<TileShape<width, 1>>(all, call.tile_bytes);
    if (!has_packets(all) || (!call.is_named && !SpmmCsrPolicyFor::short_pays(
                                                    tuning.rows, operands.lanes, sizeof(Scalar))))
      return CsrRows::multiply(
          exec, rows_as_they_stand(exec, a, tuning.rows, all.b_row_bytes(), call.tile_bytes), a,
          all, call);
    if (all.columns <= 2 * width)
      operands.lanes = 2; // the others would have no columns
    multiply_tiles(exec, a, operands);
  }
  template <class Entries, class Operands>
  static void multiply_tiles(Kokkos::Cuda const& exec, Entries const& a, Operands const& operands)
  {
    int const rounds = SpmmCsrPolicyFor::short_rounds(a.rows, operands.lanes);
    int const groups = SpmmPolicy::threads_per_block / operands.lanes;
    Grid grid{};
    grid.blocks = blocks_for(a.rows, std::int64_t(groups) * rounds);
    grid.threads_per_block = SpmmPolicy::threads_per_block;
    grid.blocks_y = tiles_of(operands);
    launch(exec, "heddle::spmm::csr_short", spmm_csr_short_kernel<Entries, Operands>, grid, a,
           operands, rounds);
  }
};

} // namespace heddle::cuda_native
