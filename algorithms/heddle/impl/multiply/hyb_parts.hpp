// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// HYB times dense operands: the ELL part with beta, then the COO part added to it, each by the
// implementation that a plan on that part alone would take.

#include <heddle/backend.hpp>
#include <heddle/hyb_matrix.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/plan/run_choice.hpp>
#include <heddle/impl/plan/statistics_of.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>

#include <cstddef>
#include <string>
#include <variant>

namespace heddle::impl
{

// List<Exec, Matrix>::type: the implementations of the operation.
template <class Exec, class Matrix, template <class, class> class List>
struct HybParts
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::hyb_parts";
  static constexpr bool is_supported = is_hyb_matrix_v<Matrix>;
  struct State
  {
    using Ell = typename Matrix::ell_type::const_type;
    using Rest = typename Matrix::rest_type::const_type;
    using EllList = typename List<Exec, Ell>::type;
    using RestList = typename List<Exec, Rest>::type;
    choice_t<EllList> ell = {};
    choice_t<RestList> rest = {};

    std::size_t bytes() const
    {
      auto const bytes_of = [](auto const& bound) -> std::size_t { return bound.state.bytes(); };
      return std::visit(bytes_of, ell) + std::visit(bytes_of, rest);
    }
    bool is_repeatable(Op op) const
    {
      auto const is = [op](auto const& bound) -> bool { return bound.state.is_repeatable(op); };
      return std::visit(is, ell) && std::visit(is, rest);
    }
    std::string describe() const
    {
      auto const text = [](auto const& bound) {
        return std::string(name_of(bound)) + " (" + bound.state.describe() + ")";
      };
      return std::visit(text, ell) + ", then " + std::visit(text, rest);
    }
  };
  template <class X, class Y>
  static constexpr Takes takes = Takes::all;

  template <class Options>
  static Verdict can_run(Exec const&, Matrix const&, RowStatistics const&, Options const&)
  {
    return {true, "each part has an implementation of its own"};
  }
  template <class Options>
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const&, Options options)
  {
    options.implementation.clear();
    return {choose(typename State::EllList{}, name, options, exec, typename State::Ell(a.ell()),
                   statistics_of(exec, a.ell()))
                .choice,
            choose(typename State::RestList{}, name, options, exec, typename State::Rest(a.rest()),
                   statistics_of(exec, a.rest()))
                .choice};
  }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    run_choice<typename State::EllList>(name, false, state.ell, exec, op, alpha,
                                        typename State::Ell(a.ell()), x, beta, y);
    run_choice<typename State::RestList>(name, false, state.rest, exec, op, alpha,
                                         typename State::Rest(a.rest()), x, Scalar(1), y);
  }
};

} // namespace heddle::impl
