// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A matrix times a vector by any kernel that computes A x row by row: what the implementations of
// all formats share. A^T x scales y and adds by atomics, 8 threads per row; where the plan is
// deterministic it holds a transposed pattern, gathers the values through it and sums up by tiles
// (spmv/csr_tiles.cuh). Vectors are contiguous and of one type, in which sums are taken.

#include <heddle/accumulator.hpp>
#include <heddle/backend.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/limits.hpp>
#include <heddle/cuda_native/spmv/csr_tiles.cuh>
#include <heddle/cuda_native/spmv/row_kernel.hpp>
#include <heddle/cuda_native/spmv/scatter.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/epilogue.hpp>
#include <heddle/impl/held_orders.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/scale.hpp>
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
    using Cuts = TileCuts<typename Transposed::ordinal_type, typename Transposed::offset_type,
                          typename Matrix::memory_space>;
    typename Kernel::Tuning tuning = {};
    std::optional<Transposed> transposed = {};
    Cuts transposed_cuts = {};
    ScatterChoice scatter = {}; // where there is no transposed pattern

    std::size_t bytes() const
    {
      return tuning.bytes() + transposed_cuts.bytes() + (transposed ? transposed->bytes() : 0);
    }
    bool is_repeatable(Op op) const { return !is_transposed(op) || transposed.has_value(); }
    std::string describe() const
    {
      return tuning.describe() + "; transposed " +
             (transposed ? "by gathering through a pattern it holds, " + transposed_cuts.describe()
                         : scatter.describe());
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
    if (options.deterministic)
    {
      auto const& t = state.transposed.emplace(impl::transposed_rows(exec, a));
      state.transposed_cuts = tile_cuts<typename State::Cuts>(
          exec, t.row_offsets,
          impl::row_statistics(exec, t.row_offsets, a.num_cols(), t.columns.extent(0)));
    }
    else if constexpr (is_csr_matrix_v<Matrix>)
      state.scatter = scatter_choice(exec, a, rows);
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
        if (!is_transposed(op))
          Kernel::template multiply<Is::value>(exec, state.tuning, a, alpha, x.data, beta, y);
        else if (state.transposed)
          multiply_by_tiles<Is::value>(
              exec, state.transposed_cuts,
              gathered_entries(*state.transposed, static_cast<Value const*>(a.values().data())),
              alpha, x.data, beta, y);
        else
        {
          impl::scale(exec, beta, y);
          scatter<Is::value>(exec, state.scatter, alpha, a, x.data, y.data);
        }
      });
  }

  template <bool is_conjugate, class Scalar>
  static void scatter(Exec const& exec, ScatterChoice const& choice, Scalar alpha, Matrix const& a,
                      Scalar const* x, Scalar* y)
  {
    if constexpr (is_csr_matrix_v<Matrix>)
    {
      if (choice.form == ScatterChoice::Form::entries)
        return scatter_entries<false, is_conjugate>(exec, a, alpha, x, y);
      if (choice.form == ScatterChoice::Form::block_sums)
        return scatter_entries<true, is_conjugate>(exec, a, alpha, x, y);
    }
    scatter_rows<is_conjugate>(exec, impl::row_views_of(a),
                               static_cast<Value const*>(a.values().data()), alpha, x, y);
  }
};

} // namespace heddle::cuda_native
