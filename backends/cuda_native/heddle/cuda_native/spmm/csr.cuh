// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The SpMM kernels for CSR, and what a plan holds for the one that it takes: row_bundles where
// neighbouring rows share their columns, csr_mixed where they do in some ranges of rows, csr_stream
// where rows are short and alike, csr_rows for all others.

#include <heddle/cuda_native/spmm/csr_mixed.cuh>
#include <heddle/cuda_native/spmm/csr_rows.cuh>
#include <heddle/cuda_native/spmm/csr_statistics.hpp>
#include <heddle/cuda_native/spmm/csr_stream.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_bundles.cuh>
#include <heddle/cuda_native/spmm/tile.cuh>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <variant>

namespace heddle::cuda_native
{

template <class Ordinal, class Offset, class MemorySpace, class Kernel>
struct TuningOfKernel
{
  using kernel = Kernel;
  typename Kernel::template Tuning<Ordinal, Offset, MemorySpace> tuning;
};

template <class Ordinal, class Offset, class MemorySpace>
struct CsrTuning
{
  template <class Kernel>
  using Of = TuningOfKernel<Ordinal, Offset, MemorySpace, Kernel>;
  int tile_bytes = 0;
  bool is_named = false; // by the caller, who gets that kernel also where another is better
  std::variant<Of<CsrRows>, Of<CsrStream>, Of<CsrBundles>, Of<CsrMixed>> kernel = {};

  std::size_t bytes() const
  {
    return std::visit([](auto const& one) { return one.tuning.bytes(); }, kernel);
  }
  std::string describe() const
  {
    return std::visit([](auto const& one) { return one.tuning.describe(); }, kernel) +
           ", tiles of " + std::to_string(tile_bytes) + " bytes a row of B";
  }
};

template <class Entries, class Exec>
using CsrTuningOf = CsrTuning<typename Entries::ordinal_type, typename Entries::offset_type,
                              typename Exec::memory_space>;

// These wait for exec.
template <class Kernel, class Exec, class Entries>
int tile_bytes_for(Exec const& exec, Entries const& a, SpmmCsrStatistics const& found)
{
  if constexpr (std::is_same_v<Kernel, CsrBundles>)
    return SpmmPolicy::widest_tile;
  else if constexpr (std::is_same_v<Kernel, CsrMixed>)
    return SpmmCsrPolicyFor::tile_bytes(found.mix(exec, a).others);
  else
    return SpmmCsrPolicyFor::tile_bytes(found.overlap(exec, a));
}
template <class Kernel, class Exec, class Entries>
CsrTuningOf<Entries, Exec> tuning_for(Exec const& exec, Entries const& a,
                                      SpmmCsrStatistics const& found)
{
  return {.tile_bytes = tile_bytes_for<Kernel>(exec, a, found),
          .kernel = typename CsrTuningOf<Entries, Exec>::template Of<Kernel>{
              Kernel::tune(exec, a, found)}};
}
// Kernels are best first.
template <class Kernel, class... Others, class Exec, class Entries>
CsrTuningOf<Entries, Exec> tuning_for_best(Exec const& exec, Entries const& a,
                                           SpmmCsrStatistics const& found)
{
  if constexpr (sizeof...(Others) > 0)
    if (!Kernel::is_best(exec, a, found))
      return tuning_for_best<Others...>(exec, a, found);
  return tuning_for<Kernel>(exec, a, found);
}
template <class Exec, class Entries>
CsrTuningOf<Entries, Exec> best_tuning(Exec const& exec, Entries const& a,
                                       SpmmCsrStatistics const& found)
{
  return tuning_for_best<CsrBundles, CsrMixed, CsrStream, CsrRows>(exec, a, found);
}

// C <- alpha A B + beta C. Operands that packets do not fit take csr_rows, entry by entry, and so
// do bundles that are too few for that many columns. Asynchronous.
template <class Tuning, class Entries, class Scalar>
void multiply_csr(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                  RowMajorOperands<Scalar> const& all)
{
  std::visit(
      [&]<class One>(One const& one) {
        using Kernel = typename One::kernel;
        if constexpr (std::is_same_v<Kernel, CsrMixed>)
          return CsrMixed::multiply(exec, one.tuning, a, all, tuning.tile_bytes);
        else
        {
          if constexpr (std::is_same_v<Kernel, CsrBundles>)
            if (has_packets(all) && (tuning.is_named || CsrBundles::are_enough(one.tuning, all)))
              return CsrBundles::multiply_packets(exec, one.tuning, a, all);
          with_tiles(all, tuning.tile_bytes, [&]<class Operands>(Operands const& operands) {
            if constexpr (std::is_same_v<Kernel, CsrRows> ||
                          (std::is_same_v<Kernel, CsrStream> && Operands::shape::packets == 1))
              Kernel::multiply(exec, one.tuning, a, operands);
            else
              CsrRows::multiply(exec, rows_as_they_stand<Entries>(a), a, operands);
          });
        }
      },
      tuning.kernel);
}

} // namespace heddle::cuda_native
