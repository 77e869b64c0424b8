// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Coordinates in any order times dense operands. A plan holds the entries by row (one ordinal and
// one offset per entry), so that A x reduces each row's segment of entries to one sum, without
// atomics and bitwise repeatable; duplicates are added in the order in which they stand. A^T x
// scales y and adds by atomics, or, in a plan with deterministic = true, reduces segments by
// column.

#include <heddle/backend.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/held_orders.hpp>
#include <heddle/impl/multiply/places.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::impl
{

// Kernels: those of RowViewKernels (multiply/row_view_kernels.hpp) that reduce a row.
template <class Exec, class Matrix, class Kernels>
struct CooSegments
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::coo_segments";
  static constexpr bool is_supported = is_coo_matrix_v<Matrix>;
  struct State
  {
    typename Kernels::Tuning tuning = {};
    HeldOrders<Matrix> held = {};

    std::size_t bytes() const { return held.bytes(); }
    bool is_repeatable(Op op) const { return !is_transposed(op) || held.transposed.has_value(); }
    std::string describe() const
    {
      return std::string("entries by row, held by the plan; transposed ") +
             (held.transposed ? "entries by column" : "by atomic additions");
    }
  };
  template <class X, class Y>
  static constexpr Takes takes = Takes::all;

  template <class Options>
  static Verdict can_run(Exec const&, Matrix const&, RowStatistics const&, Options const&)
  {
    return {true, "it takes coordinates in any order, on any backend"};
  }
  template <class Options>
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const& statistics,
                       Options const& options)
  {
    State state{Kernels::template tune<Exec>(statistics)};
    state.held.by_row = entries_by_row(exec, a);
    if (options.deterministic)
      state.held.transposed = transposed_rows(exec, a);
    return state;
  }
  // Not tuned: for calls that another implementation does not take.
  static State take_over(HeldOrders<Matrix> const& held) { return {{}, held}; }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    auto const* const values = a.values().data();
    auto const label = kernel_label(Kernels::operation, name);
    with_conjugation<typename Matrix::value_type>(op, [&]<class Is>(Is) {
      if (!is_transposed(op))
        Kernels::template multiply<Is::value>(exec, label, state.tuning,
                                              gathered_row_views(state.held.by_row), values, alpha,
                                              x, beta, y);
      else if (state.held.transposed)
        Kernels::template multiply<Is::value>(exec, label, state.tuning,
                                              gathered_row_views(*state.held.transposed), values,
                                              alpha, x, beta, y);
      else
      {
        scale(exec, beta, y);
        add_place_by_place<true, Is::value>(exec, kernel_label("multiply", name, "::atomic"),
                                            places_of(a), values, alpha, x, y);
      }
    });
  }
};

} // namespace heddle::impl
