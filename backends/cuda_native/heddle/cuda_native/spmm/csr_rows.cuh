// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of CSR with rows of any lengths, by the kernel of spmm/csr_rows_kernel.cuh.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spmm/csr_call.hpp>
#include <heddle/cuda_native/spmm/csr_rows_in_order.cuh>
#include <heddle/cuda_native/spmm/csr_rows_in_order_policy.hpp>
#include <heddle/cuda_native/spmm/csr_rows_kernel.cuh>
#include <heddle/cuda_native/spmm/csr_short_kernel.cuh>
#include <heddle/cuda_native/spmm/csr_short_policy.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_list.cuh>
#include <heddle/cuda_native/spmm/segment_sums.cuh>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::cuda_native
{

// What kernels behind an SpMM of CSR have (spmm/csr.cuh) whose calls, or those by rows, have tiles
// of B as wide as the policy says for the rows as they stand.
struct TilesForAllRows
{
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static int tile_bytes(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    return SpmmCsrPolicyFor::tile_bytes(statistics.overlap(exec, a), statistics.mean(),
                                        device_shape(exec));
  }
};

// One of the kernels behind an SpMM of CSR (spmm/csr.cuh).
struct CsrRows : TilesForAllRows
{
  static constexpr char const* name = "cuda_native::csr_rows";
  template <class Ordinal, class, class MemorySpace>
  using Tuning = RowList<Ordinal, MemorySpace>;

  template <class Exec, class Entries, class Statistics>
  static impl::Verdict is_best(Exec const&, Entries const&, Statistics const&)
  {
    return {true, "it takes rows of any length"};
  }
  // Waits for exec.
  template <class Exec, class Entries, class Statistics>
  static auto tune(Exec const& exec, Entries const& a, Statistics const& statistics)
  {
    return row_list(exec, a, statistics, tile_bytes(exec, a, statistics),
                    SpmmCsrPolicyFor::is_scattered(statistics.overlap(exec, a)));
  }
  template <class Tuning, class Entries, class Scalar>
  static void multiply(Kokkos::Cuda const& exec, Tuning const& tuning, Entries const& a,
                       RowMajorOperands<Scalar> const& all, CsrCall const& call)
  {
    if (!call.is_named && has_packets(all) &&
        SpmmCsrPolicyFor::are_shared(tuning.alike, all.b_row_bytes()))
      return multiply_short_rows(exec, a, tuning.alike, all, call.tile_bytes, 1);
    if (!call.is_named && has_packets(all) && tuning.in_order.may_pay &&
        SpmmRowsInOrderPolicy::pays(all.b_row_bytes()))
      return multiply_rows_in_order(exec, tuning, a, all,
                                    SpmmRowsInOrderPolicy::shape(a.rows, all.b_row_bytes()));
    RowsOfCall const& by = tuning.call(all.b_row_bytes());
    with_tiles(all, by.tile_bytes, [&](auto const& operands) {
      constexpr bool takes_short = takes_short_rows<std::decay_t<decltype(operands)>>;
      run_tasks(exec, tuning.template tasks<Scalar>(operands.lanes, by, takes_short), a, operands);
    });
  }
  template <class Entries, class Operands>
  static void run_tasks(Kokkos::Cuda const& exec, RowTasks<typename Entries::ordinal_type> tasks,
                        Entries const& a, Operands const& operands)
  {
    using Scalar = typename Operands::scalar;
    constexpr int warps = SpmmPolicy::warps;
    impl::Scratch<Scalar, Kokkos::Cuda> const parts(
        exec, static_cast<std::size_t>(tasks.segments * operands.columns));
    auto launch_one = [&](auto kernel, bool has_rounds) {
      int const lanes = short_lanes(operands);
      tasks.short_rounds = SpmmShortPolicy::rounds(tasks.short_rows, lanes, tiles_of(operands), 1);
      std::int64_t const long_blocks =
          tasks.segments + tasks.block_rows + blocks_for(tasks.warp_rows, warps);
      tasks.group_blocks =
          blocks_for(tasks.group_rows, warps * warp_size / operands.lanes * tasks.rounds);
      Grid grid{};
      grid.blocks = long_blocks + tasks.group_blocks +
                    blocks_of_short_rows(tasks.short_rows, lanes, tasks.short_rounds);
      grid.threads_per_block = SpmmPolicy::threads_per_block;
      grid.blocks_y = tiles_of(operands);
      if (tasks.is_long_first && grid.blocks * grid.blocks_y <= std::numeric_limits<int>::max())
        tasks.first_blocks = static_cast<int>(long_blocks);
      grid.blocks_per_processor = SpmmPolicy::rows_blocks<Scalar>(has_rounds);
      if (tasks.segments + tasks.block_rows > 0)
        grid.shared_bytes = warps * warp_size * Operands::shape::per_lane * sizeof(Scalar);
      launch(exec, "heddle::spmm::csr_rows", kernel, grid, a, operands, tasks, parts.data());
    };
    constexpr bool is_by_entry = Operands::shape::packets > 1; // one kernel will do
    if (is_by_entry || tasks.list != nullptr || tasks.block_rows + tasks.warp_rows > 0)
      launch_one(spmm_csr_rows_kernel<true, true, Entries, Operands>, true);
    else if constexpr (!is_by_entry)
    {
      if (tasks.rounds > 1)
        launch_one(spmm_csr_rows_kernel<false, true, Entries, Operands>, true);
      else
        launch_one(spmm_csr_rows_kernel<false, false, Entries, Operands>, false);
    }
    if (tasks.segments > 0)
      add_up_segments(exec, operands, tasks, parts.data());
  }
};

} // namespace heddle::cuda_native
