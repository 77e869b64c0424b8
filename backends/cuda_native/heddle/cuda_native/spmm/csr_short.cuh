// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR with short rows, all alike, by the kernel of spmm/csr_short_kernel.cuh.

#include <heddle/cuda_native/spmm/csr_call.hpp>
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/cuda_native/spmm/csr_short_kernel.cuh>
#include <heddle/cuda_native/spmm/csr_short_policy.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace heddle::cuda_native
{

// One of the kernels behind an SpMM of CSR (spmm/csr.cuh).
struct CsrShort : TilesForAllRows
{
  static constexpr char const* name = "cuda_native::csr_short";
  template <class, class, class>
  struct Tuning
  {
    impl::RowStatistics rows = {};
    int most_tiles = 1; // of B that a group may take one after the other

    static std::size_t bytes() { return 0; }
    std::string describe() const
    {
      return "a group of lanes a row, each lane reads its entries, up to " +
             std::to_string(most_tiles) + " tiles of B one after the other";
    }
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
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static auto tune(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    double const mean = statistics.mean();
    double const in_use = SpmmCsrPolicyFor::rows_of_b_in_use(statistics.overlap(exec, a), mean);
    return Tuning<typename Entries::ordinal_type, typename Entries::offset_type,
                  typename Exec::memory_space>{
        statistics,
        SpmmShortPolicy::most_tiles(in_use * SpmmPolicy::widest_tile, mean, device_shape(exec))};
  }
  // Operands that packets do not fit take csr_rows, and those that it multiplies faster.
  template <class Tuning, class Entries, class Scalar>
  static void multiply(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                       RowMajorOperands<Scalar> const& all, CsrCall const& call)
  {
    if (!has_packets(all) ||
        (!call.is_named &&
         !SpmmCsrPolicyFor::short_pays(tuning.rows, lanes_of_short_rows(all, call.tile_bytes))))
      return CsrRows::multiply(
          exec, rows_as_they_stand(exec, a, tuning.rows, all.b_row_bytes(), call.tile_bytes), a,
          all, call);
    multiply_short_rows(exec, a, tuning.rows, all, call.tile_bytes, tuning.most_tiles);
  }
};

} // namespace heddle::cuda_native
