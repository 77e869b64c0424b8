// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// An implementation made of two kernels for row views (row_views.hpp): one that gives each row to
// one owner, and one that adds op(A) = A^T by atomics. A plan with deterministic = true holds the
// pattern of A^T (its memory: one ordinal and one offset per entry) and runs the first on it
// instead.
//
// Kernels has operation, name<Matrix>, is_supported<Matrix>, is_by_name_only, a Tuning with
// describe(), tune<Exec>(statistics), and the two:
//   multiply<is_conjugate>(exec, label, tuning, views, values, alpha, x, beta, y)
//   add_transposed<is_conjugate>(exec, label, tuning, views, values, alpha, x, y)

#include <heddle/accumulator.hpp>
#include <heddle/backend.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/epilogue.hpp>
#include <heddle/impl/held_orders.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>

#include <cstddef>
#include <string>

namespace heddle::impl
{

template <class Exec, class Matrix, class Kernels>
struct RowViewKernels
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = Kernels::template name<Matrix>;
  static constexpr bool is_supported = Kernels::template is_supported<Matrix>;
  struct State
  {
    typename Kernels::Tuning tuning = {};
    HeldOrders<Matrix> held = {};

    std::size_t bytes() const { return held.bytes(); }
    bool is_repeatable(Op op) const { return !is_transposed(op) || held.transposed.has_value(); }
    std::string describe() const
    {
      return tuning.describe() + "; transposed " +
             (held.transposed ? "by gathering through a pattern it holds" : "by atomic additions");
    }
  };
  template <class X, class Y>
  static constexpr Takes takes = Takes::all;
  template <class Epilogue>
  static constexpr bool fuses = !has_sum_v<Epilogue>; // teams have none of their own

  template <class Seen, class Options>
  static Verdict can_run(Exec const&, Seen const&, RowStatistics const&, Options const& options)
  {
    if (Kernels::is_by_name_only)
      return only_by_name(!options.implementation.empty());
    return {true, "it takes any matrix of this format, on any backend"};
  }
  template <class Options>
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const& statistics,
                       Options const& options)
  {
    State state{Kernels::template tune<Exec>(statistics)};
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
    if constexpr (is_fused_v<Y>)
      Kernels::template multiply<false>(exec, label, state.tuning, row_views_of(a), values, alpha,
                                        x, beta, y);
    else
      with_conjugation<typename Matrix::value_type>(op, [&]<class Is>(Is) {
        if (!is_transposed(op))
          Kernels::template multiply<Is::value>(exec, label, state.tuning, row_views_of(a), values,
                                                alpha, x, beta, y);
        else if (state.held.transposed)
          Kernels::template multiply<Is::value>(exec, label, state.tuning,
                                                gathered_row_views(*state.held.transposed), values,
                                                alpha, x, beta, y);
        else if constexpr (is_own_accumulator_v<Scalar>)
        {
          scale(exec, beta, y);
          Kernels::template add_transposed<Is::value>(exec, label + "::atomic", state.tuning,
                                                      row_views_of(a), values, alpha, x, y);
        }
        else
          throw_error<Unsupported>(Kernels::operation, name, " adds ", to_string(op),
                                   " by atomics into the result, whose type is too narrow to sum "
                                   "in; a plan made with deterministic = true gathers instead");
      });
  }
};

} // namespace heddle::impl
