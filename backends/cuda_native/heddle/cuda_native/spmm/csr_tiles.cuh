// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR with rows of different lengths, or of columns that rows do not share, by the kernel
// of spmm/csr_tiles_kernel.cuh: narrow B, and wider B where rows are short in the mean, or the
// matrix is small and a row long; other calls by csr_rows.

#include <heddle/cuda_native/rows/tiles.cuh>
#include <heddle/cuda_native/spmm/csr_call.hpp>
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/cuda_native/spmm/csr_rows_in_order_policy.hpp>
#include <heddle/cuda_native/spmm/csr_tiles_kernel.cuh>
#include <heddle/cuda_native/spmm/csr_tiles_policy.hpp>
#include <heddle/cuda_native/spmm/long_rows.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_list.cuh>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::cuda_native
{

// One of the kernels behind an SpMM of CSR (spmm/csr.cuh).
struct CsrTiles : TilesForAllRows
{
  static constexpr char const* name = "cuda_native::csr_tiles";
  template <class Ordinal, class Offset, class MemorySpace>
  struct Tuning
  {
    impl::RowStatistics rows;
    TileCuts<Ordinal, Offset, MemorySpace> cuts;
    RowList<Ordinal, MemorySpace> list; // for calls that csr_rows has
    int room;                           // entries of a tile at most, whole turns
    bool order_pays;                    // with a wide B, as csr_rows has it

    std::size_t bytes() const { return cuts.bytes() + list.bytes(); }
    LongRows<Ordinal> listed_rows_with(std::int64_t length) const
    {
      return list.listed_rows_with(length);
    }
    std::string describe() const { return cuts.describe() + "; other calls: " + list.describe(); }
  };

  // May wait for exec.
  template <class Exec, class Entries, class Statistics>
  static impl::Verdict is_best(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    std::int64_t const longest =
        SpmmTilesPolicy::longest_row(statistics.nonzeros, device_architecture(exec).has_clusters);
    if (statistics.longest > longest)
      return {false, "the longest row has % entries, more than % would be waited for",
              statistics.longest, longest};
    bool const is_regular = SpmmCsrPolicyFor::is_regular(statistics);
    if (!SpmmTilesPolicy::are_enough(statistics, device_shape(exec).multiprocessors) &&
        (is_regular || !SpmmTilesPolicy::are_short(statistics)))
      return {false, "% entries are few, and the longest row has %", statistics.nonzeros,
              statistics.longest};
    if (!is_regular)
      return {true, "the longest row has % entries where the mean is %", statistics.longest,
              statistics.mean()};
    if (SpmmTilesPolicy::has_longer_rows_alike(statistics))
      return {false, "rows are alike, and % entries are enough for a warp each", statistics.mean()};
    double const shifted = statistics.overlap(exec, a).shifted;
    return {shifted <= SpmmTilesPolicy::most_shifted,
            "% of the sampled entries have a column behind one of the row before", shifted};
  }
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static auto tune(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    using Offset = typename Entries::offset_type;
    using Space = typename Exec::memory_space;
    using Result = Tuning<typename Entries::ordinal_type, Offset, Space>;
    Kokkos::View<Offset const*, Space, Kokkos::MemoryUnmanaged> const offsets(
        a.offsets, static_cast<std::size_t>(a.rows) + 1);
    int const multiprocessors = device_shape(exec).multiprocessors;
    int const length =
        SpmmTilesPolicy::length(statistics, sizeof(typename Entries::value_type), multiprocessors);
    std::int64_t const room =
        impl::divided_up(SpmmTilesPolicy::most_entries(length, statistics.longest),
                         std::int64_t(entries_in_flight)) *
        entries_in_flight;
    return Result{
        statistics,
        tile_cuts<decltype(Result::cuts)>(
            exec, offsets, statistics, length,
            {.blocks = SpmmTilesPolicy::blocks_per_shared_row,
             .shared_from = SpmmTilesPolicy::shared_from(statistics.nonzeros),
             .most_shared = multiprocessors,
             .more_shared_from = SpmmTilesPolicy::shared_from_if_wide(statistics)}),
        CsrRows::tune(exec, a, statistics), static_cast<int>(room),
        SpmmRowsInOrderPolicy::pays_beside_tiles(statistics, statistics.overlap(exec, a))};
  }
  // Whether a call is by csr_rows with short rows in their order.
  template <class Tuning>
  static bool is_in_order(Tuning const& tuning, std::int64_t b_row_bytes)
  {
    return tuning.order_pays && tuning.list.in_order.may_pay &&
           SpmmRowsInOrderPolicy::pays(tuning.rows.rows, b_row_bytes);
  }
  // Operands that packets do not fit take csr_rows.
  template <class Tuning, class Entries, class Scalar>
  static void multiply(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                       RowMajorOperands<Scalar> const& all, CsrCall const& call)
  {
    int const multiprocessors = device_shape(exec).multiprocessors;
    std::int64_t const b_row_bytes = all.b_row_bytes();
    if (has_packets(all) &&
        (call.is_named ||
         (!is_in_order(tuning, b_row_bytes) &&
          SpmmTilesPolicy::pay(tuning.rows, tuning.list.empty_rows(), b_row_bytes, multiprocessors,
                               device_architecture(exec).has_clusters))))
      spmm_by_tiles(exec, tuning.cuts, tuning.room, a, all,
                    SpmmTilesPolicy::b_tile(tuning.cuts.length, tuning.cuts.tiles(), b_row_bytes,
                                            call.tile_bytes, multiprocessors));
    else
      CsrRows::multiply(exec, tuning.list, a, all, call);
  }
};

} // namespace heddle::cuda_native
