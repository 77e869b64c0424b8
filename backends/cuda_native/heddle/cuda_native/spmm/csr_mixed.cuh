// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR by several kernels, each for ranges of rows that suit it: row_bundles where
// neighbours share their columns (finite elements of a coupled problem), with two, three, four or
// six rows per bundle, csr_rows for all other rows (a graph, constraints, rows that are dense).
// Bundles stand in the order of their lengths where these differ, so that neighbours in a warp are
// done together: elements of second order, all of whose rows are in bundles. The kernels run side
// by side; each row of C is written by one of them, once. Bytes: what each takes
// for its rows, and four a bundle and a row for which rows these are. Limit: operands that packets
// do not fit take csr_rows for all rows, for which the plan holds a second list.

#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/spmm/csr_call.hpp>
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_bundles_kernel.cuh>
#include <heddle/cuda_native/spmm/row_bundles_plan.cuh>
#include <heddle/cuda_native/spmm/row_list.cuh>
#include <heddle/cuda_native/spmm/row_mix.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cuda_native
{

// What a plan holds for csr_mixed.
template <class Ordinal, class Offset, class MemorySpace>
struct MixedRows
{
  std::vector<RowBundles<Ordinal, Offset, MemorySpace>> bundles = {};
  RowList<Ordinal, MemorySpace> others = {}, all = {};
  std::int64_t bundled_entries = 0, other_entries = 0;

  std::size_t bytes() const
  {
    std::size_t sum = others.bytes() + all.bytes();
    for (auto const& some : bundles)
      sum += some.bytes();
    return sum;
  }
  std::string describe() const
  {
    std::int64_t rows = 0;
    std::string kinds;
    for (auto const& some : bundles)
    {
      rows += some.count * some.rows;
      kinds += ", " + some.describe();
    }
    return std::to_string(rows) + " rows with " + std::to_string(bundled_entries) +
           " entries in bundles" + kinds + "; " + std::to_string(others.rows) + " rows with " +
           std::to_string(other_entries) + " entries by csr_rows, " + others.describe();
  }
};

// One of the kernels behind an SpMM of CSR (spmm/csr.cuh).
struct CsrMixed
{
  static constexpr char const* name = "cuda_native::csr_mixed";
  template <class Ordinal, class Offset, class MemorySpace>
  using Tuning = MixedRows<Ordinal, Offset, MemorySpace>;

  // Waits for exec where the statistics of all rows leave it open.
  template <class Exec, class Entries, class Statistics>
  static impl::Verdict is_best(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    using Policy = SpmmCsrPolicyFor;
    bool const are_short = Policy::is_short(statistics);
    std::int64_t const least = Policy::least_of_mixture(statistics.nonzeros, are_short);
    if (static_cast<double>(statistics.longest) < Policy::shortest_mean)
      return {false, "no row has more than % entries, bundles of rows need %", statistics.longest,
              Policy::shortest_mean};
    if (!Policy::may_have_mixture(statistics, are_short))
      return {false, "A has % entries, bundles pay from % entries on", statistics.nonzeros, least};
    return {statistics.mix(exec, a).bundled_entries >= least,
            "% of % entries are in ranges of rows that share columns, % are needed",
            statistics.mix(exec, a).bundled_entries, statistics.nonzeros, least};
  }
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static auto tune(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    RowMix const& mix = statistics.mix(exec, a);
    Tuning<typename Entries::ordinal_type, typename Entries::offset_type,
           typename Exec::memory_space>
        result;
    for (int const rows : {2, 3, 4, 6})
      if (auto const bundles = mix.bundles_of(rows); !bundles.empty())
        result.bundles.push_back(row_bundles(exec, a, statistics.nonzeros, rows, bundles));
    bool const is_scattered = SpmmCsrPolicyFor::is_scattered(mix.others);
    impl::RowStatistics others;
    int const tile = tile_bytes(exec, a, statistics);
    result.others = row_list(exec, a, mix.other_rows(a.rows), tile, is_scattered, others);
    result.all = row_list(exec, a, statistics, tile, is_scattered);
    result.other_entries = others.nonzeros;
    result.bundled_entries = statistics.nonzeros - others.nonzeros;
    return result;
  }
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static int tile_bytes(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    return SpmmCsrPolicyFor::tile_bytes(statistics.mix(exec, a).others, statistics.mean(),
                                        device_shape(exec));
  }
  // Rows of which the longest take long begin first.
  template <class Tuning, class Entries, class Scalar>
  static void multiply(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                       RowMajorOperands<Scalar> const& all, CsrCall const& call)
  {
    if (!has_packets(all))
      return CsrRows::multiply(exec, tuning.all, a, all, call);
    bool const has_others = tuning.others.rows > 0;
    SideStreams side(exec, static_cast<int>(tuning.bundles.size()) + (has_others ? 1 : 0));
    if (has_others)
    {
      side.next(); // the instance's own, for the rows
      CsrRows::multiply(exec, tuning.others, a, all, call);
    }
    for (auto const& bundles : tuning.bundles)
      multiply_bundles(side, bundles, a, all);
  }
};

} // namespace heddle::cuda_native
