// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR by several kernels, each for ranges of rows that suit it: row_bundles where
// neighbours share their columns (finite elements of a coupled problem), with two, three, four or
// six rows a bundle, csr_rows for all other rows (a graph, constraints, rows that are dense).
// Bundles stand in the order of their lengths where these differ, so that neighbours in a warp are
// done together: elements of second order, all of whose rows are in bundles. The kernels run side
// by side; each row of C is written by one of them, once. Bytes: what each takes
// for its rows, and four a bundle and a row for which rows these are. Limit: operands that packets
// do not fit take csr_rows for all rows, for which the plan holds a second list.

#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/cuda_native/spmm/csr_statistics.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_bundles.cuh>
#include <heddle/cuda_native/spmm/row_list.cuh>
#include <heddle/cuda_native/spmm/row_mix.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/row_statistics.hpp>

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

  // Waits for exec where the statistics leave it open.
  template <class Exec, class Entries>
  static bool is_best(Exec const& exec, Entries const& a, SpmmCsrStatistics const& found)
  {
    bool const is_streamed =
        SpmmCsrPolicyFor::is_streamed(found, sizeof(typename Entries::value_type));
    return SpmmCsrPolicyFor::may_have_mixture(found, is_streamed) &&
           SpmmCsrPolicyFor::mixture_pays(found.mix(exec, a).bundled_entries, found.nonzeros,
                                          is_streamed);
  }
  // Waits for exec.
  template <class Exec, class Entries>
  static auto tune(Exec const& exec, Entries const& a, SpmmCsrStatistics const& found)
  {
    RowMix const& mix = found.mix(exec, a);
    Tuning<typename Entries::ordinal_type, typename Entries::offset_type,
           typename Exec::memory_space>
        result;
    for (int const rows : {2, 3, 4, 6})
      if (auto const bundles = mix.bundles_of(rows); !bundles.empty())
        result.bundles.push_back(row_bundles(exec, a, found.nonzeros, rows, bundles));
    bool const is_scattered = SpmmCsrPolicyFor::is_scattered(mix.others);
    impl::RowStatistics others;
    result.others = row_list(exec, a, mix.other_rows(a.rows), is_scattered, others);
    result.all = row_list(exec, a, found, is_scattered);
    result.other_entries = others.nonzeros;
    result.bundled_entries = found.nonzeros - others.nonzeros;
    return result;
  }
  // Rows of which the longest take long begin first.
  template <class Tuning, class Entries, class Scalar>
  static void multiply(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                       RowMajorOperands<Scalar> const& all, int tile_bytes)
  {
    auto multiply_rows_of = [&](auto const& list) {
      with_tiles(all, tile_bytes,
                 [&](auto const& operands) { CsrRows::multiply(exec, list, a, operands); });
    };
    if (!has_packets(all))
      return multiply_rows_of(tuning.all);
    bool const has_others = tuning.others.rows > 0;
    SideStreams side(exec, static_cast<int>(tuning.bundles.size()) + (has_others ? 1 : 0));
    if (has_others)
    {
      side.next(); // the instance's own, for the rows
      multiply_rows_of(tuning.others);
    }
    for (auto const& bundles : tuning.bundles)
      CsrBundles::multiply_packets(side, bundles, a, all);
  }
};

} // namespace heddle::cuda_native
