// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A matrix times a vector by any kernel that computes A x row by row: what the implementations of
// all formats share. A^T x scales y and adds by atomics (spmv/scatter.cuh); where the plan is
// deterministic it holds a transposed pattern, gathers the values through it and sums up by tiles
// (spmv/csr_tiles.cuh), and where A^T x is expected it gathers if that is faster
// (spmv/gathered.cuh). Vectors are contiguous and of one type, in which sums are taken.

#include <heddle/accumulator.hpp>
#include <heddle/backend.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/limits.hpp>
#include <heddle/cuda_native/spmv/csr_tiles.cuh>
#include <heddle/cuda_native/spmv/gathered.cuh>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/cuda_native/spmv/scatter.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/epilogue.hpp>
#include <heddle/impl/held_orders.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/spmv_statistics.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>
#include <heddle/spmv_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// The vectors that native kernels take.
template <class Matrix, class X, class Y>
inline constexpr bool takes_vectors_v = std::is_same_v<typename X::layout, Kokkos::LayoutRight>&&
    std::is_same_v<typename Y::layout, Kokkos::LayoutRight>&&
        std::is_same_v<typename X::value_type, typename Y::value_type>&&
            std::is_same_v<accumulator_t<typename Matrix::value_type, typename X::value_type>,
                           typename X::value_type>;

// What matrices of other formats than CSR hold to gather with: only what deterministic plans do.
struct NoGather
{
  static std::size_t bytes() { return 0; }
  static std::string describe() { return {}; }
  static int threads_per_column() { return 0; }
};

// Vectors that it does not take are left to another implementation, which goes on from the orders
// that the plan holds.
template <class Exec, class Matrix, template <class, class> class KernelOf>
struct SpmvByRow
{
  using Kernel = KernelOf<Exec, Matrix>;
  static constexpr Backend backend = Backend::cuda_native;
  static constexpr char const* name = Kernel::name;
  static constexpr bool is_supported = Kernel::is_supported && std::is_same_v<Exec, Kokkos::Cuda>;
  using Value = typename Matrix::value_type;
  struct State
  {
    using Transposed = impl::TransposedRowsOf<Matrix>;
    using Tiles = SpmvTiles<typename Transposed::ordinal_type, typename Transposed::offset_type,
                            typename Matrix::memory_space>;
    using Gather = std::conditional_t<is_csr_matrix_v<Matrix>, TransposedGather<Matrix>, NoGather>;
    using GatherTiles =
        SpmvTiles<typename Matrix::ordinal_type, GatherPlace<typename Matrix::ordinal_type>,
                  typename Matrix::memory_space>;
    typename Kernel::Tuning tuning = {};
    std::optional<Transposed> transposed = {};
    Tiles transposed_tiles = {};
    std::optional<Gather> gather = {}; // for such vectors as this takes
    GatherTiles gather_tiles = {};     // where columns are irregular
    impl::Verdict gathers = {};        // where it was asked for
    ScatterChoice scatter = {};        // where there is neither

    std::size_t bytes() const
    {
      return tuning.bytes() + transposed_tiles.bytes() + (transposed ? transposed->bytes() : 0) +
             (gather ? gather->bytes() + gather_tiles.bytes() : 0);
    }
    bool is_repeatable(Op op) const { return !is_transposed(op) || transposed.has_value(); }
    std::string describe() const
    {
      std::string const text = tuning.describe() + "; transposed ";
      if (transposed)
        return text + "by gathering through a pattern it holds, " + transposed_tiles.describe();
      if (gather)
        return text + gather->describe() +
               (gather->threads_per_column() == 0
                    ? gather_tiles.describe()
                    : std::to_string(gather->threads_per_column()) + " threads per column");
      std::string const reason = gathers.reason();
      return text + scatter.describe() + (reason.empty() ? "" : "; no gathering: " + reason);
    }
  };
  template <class X, class Y>
  static constexpr impl::Takes takes =
      takes_vectors_v<Matrix, X, Y>&& Kernel::template takes<typename Y::value_type>
          ? impl::Takes::all
          : impl::Takes::none;
  template <class Epilogue>
  static constexpr bool fuses = Kernel::fuses;
  static impl::HeldOrders<Matrix> hand_over(State const& state)
  {
    return impl::HeldOrders<Matrix>::of(state);
  }

  template <class Seen>
  static impl::Verdict can_run(Exec const& exec, Seen const& a, impl::SpmvStatistics const& rows,
                               SpmvOptions const& options)
  {
    static_assert(SpmvRowKernel<Kernel, Exec, Matrix>);
    if (!has_short_rows(rows))
      return {false, "a row has % entries, % can be counted", rows.longest, most_entries_of_row};
    return Kernel::can_run(exec, a, rows, options);
  }
  static State analyze(Exec const& exec, Matrix const& a, impl::SpmvStatistics const& rows,
                       SpmvOptions const& options)
  {
    State state{.tuning = Kernel::tune(exec, a, rows)};
    if (options.deterministic || (options.transposed && !is_csr_matrix_v<Matrix>))
    {
      auto const& t = state.transposed.emplace(impl::transposed_rows(exec, a));
      state.transposed_tiles = typename State::Tiles(
          exec, t.row_offsets,
          impl::row_statistics(exec, t.row_offsets, a.num_cols(), t.columns.extent(0)));
    }
    else if constexpr (is_csr_matrix_v<Matrix>)
    {
      ScatterSample const sample = scatter_sample(exec, a);
      state.scatter = scatter_choice(rows, sample, sizeof(Value));
      if (options.transposed)
        state.gather = State::Gather::chosen(exec, a, rows, options,
                                             state.scatter.form == ScatterChoice::Form::block_sums,
                                             state.gathers);
      if (state.gather && state.gather->threads_per_column() == 0)
        state.gather_tiles = typename State::GatherTiles(exec, state.gather->column_offsets(),
                                                         state.gather->columns());
    }
    return state;
  }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    if constexpr (impl::is_fused_v<Y>)
      return Kernel::template multiply<false>(exec, state.tuning, a, alpha, x.data, beta, y);
    else
      impl::with_conjugation<Value>(op, [&]<class Is>(Is) {
        if (is_transposed(op))
          multiply_transposed<Is::value>(exec, state, alpha, a, x.data, beta, y);
        else
          Kernel::template multiply<Is::value>(exec, state.tuning, a, alpha, x.data, beta, y);
      });
  }

  template <bool is_conjugate, class Scalar, class Y>
  static void multiply_transposed(Exec const& exec, State const& state, Scalar alpha,
                                  Matrix const& a, Scalar const* x, Scalar beta, Y const& y)
  {
    if (state.transposed)
      return multiply_by_tiles<is_conjugate>(
          exec, state.transposed_tiles,
          gathered_entries(*state.transposed, static_cast<Value const*>(a.values().data())), alpha,
          x, beta, y);
    if constexpr (is_csr_matrix_v<Matrix>)
      if (state.gather)
      {
        auto const entries = state.gather->entries(a);
        if (int const threads = state.gather->threads_per_column(); threads > 0)
          return gather_by_rows<is_conjugate>(exec, threads, entries, alpha, x, beta, y.data);
        return multiply_by_tiles<is_conjugate>(exec, state.gather_tiles, entries, alpha, x, beta,
                                               y);
      }
    spmv_scatter<is_conjugate>(exec, state.scatter, alpha, a, x, beta, y.data);
  }
};

} // namespace heddle::cuda_native
