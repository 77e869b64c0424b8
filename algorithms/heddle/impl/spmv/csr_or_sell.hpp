// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR times a vector from a copy in slices (SELL, Kreutzer et al., SIAM J. Sci. Comput. 36, 2014),
// where the caller allows one and a trial of both finds it faster; asked for by name, wherever its
// padding is within bounds. A^T x and A^H x, and all calls where no copy is held, are those of the
// implementation that a plan on the CSR matrix takes otherwise. Cost: a conversion and a few calls
// of both when the plan is made, the copy's memory, a pass over A for new values.

#include <heddle/backend.hpp>
#include <heddle/convert_sell.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/fill_limit.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/epilogue.hpp>
#include <heddle/impl/format_like.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/plan/run_choice.hpp>
#include <heddle/impl/plan/statistics_of.hpp>
#include <heddle/impl/plan/trial.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spmv/sell_trial.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/text_stream.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>
#include <heddle/sell_matrix.hpp>
#include <heddle/spmv_options.hpp>
#include <heddle/storage.hpp>
#include <heddle/suggest.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace heddle::impl
{

// A State whose plan may hold values.
template <class State, class Exec, class Matrix>
concept KeepsValues = requires(State const& state, Exec const& exec, Matrix const& a)
{
  state.update_values(exec, a);
  state.keeps_values();
};

// List<Exec, Matrix>::type: the implementations on CSR, and those on SELL.
template <class Exec, class Matrix, template <class, class> class List>
struct SpmvCsrOrSell
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::csr_or_sell";
  static constexpr bool is_supported = is_csr_matrix_v<Matrix>;
  using Sell = FormatLike<SellMatrix, Matrix>;
  using ReadOnlySell = typename Sell::const_type;
  // What a plan holds; csr is for A^T and A^H, and for all ops where there is no copy.
  struct Parts
  {
    using CsrList = typename List<Exec, Matrix>::type;
    using SellList = typename List<Exec, ReadOnlySell>::type;
    struct Copy
    {
      Sell matrix;
      choice_t<SellList> choice = {};
      double fill_ratio = 1;
    };
    choice_t<CsrList> csr = {};
    std::optional<Copy> copy = {};
    SellTrial trial = {};
    std::string why_no_copy = {};

    std::string describe() const
    {
      auto const text_of = [](auto const& bound) {
        return std::string(name_of(bound)) + " (" + bound.state.describe() + ")";
      };
      if (!copy)
        return std::visit(text_of, csr) + "; no copy in slices: " + why_no_copy;
      SellShape const shape = copy->matrix.shape();
      TextStream text;
      text << std::visit(text_of, copy->choice) << " from a copy, which update_values refreshes, in"
           << " slices of " << shape.height << " rows sorted within windows of " << shape.sigma
           << ", " << copy->fill_ratio << " places an entry; " << trial.describe()
           << "; transposed " << std::visit(text_of, csr);
      return text.str();
    }
  };
  // Copies of a plan share the copy of A and all parts.
  struct State
  {
    std::shared_ptr<Parts const> parts;

    bool keeps_values() const { return parts->copy.has_value(); }
    // Asynchronous.
    void update_values(Exec const& exec, Matrix const& a) const
    {
      if (parts->copy)
        heddle::update_values(exec, parts->copy->matrix, a);
    }
    std::size_t bytes() const
    {
      auto const bytes_of = [](auto const& bound) -> std::size_t { return bound.state.bytes(); };
      std::size_t const of_csr = std::visit(bytes_of, parts->csr);
      return !parts->copy ? of_csr
                          : of_csr + storage_bytes(parts->copy->matrix) +
                                std::visit(bytes_of, parts->copy->choice);
    }
    bool is_repeatable(Op op) const
    {
      auto const is = [op](auto const& bound) -> bool { return bound.state.is_repeatable(op); };
      return parts->copy && !is_transposed(op) ? std::visit(is, parts->copy->choice)
                                               : std::visit(is, parts->csr);
    }
    std::string describe() const { return parts->describe(); }
    bool fuses_epilogues(bool with_sums) const
    {
      auto const does = [with_sums](auto const& bound) -> bool {
        return impl::fuses_epilogues(bound, with_sums);
      };
      return parts->copy ? std::visit(does, parts->copy->choice) : std::visit(does, parts->csr);
    }
  };
  template <class X, class Y>
  static constexpr Takes takes = Takes::all;
  template <class Epilogue>
  static constexpr bool fuses = true; // where the implementation within does

  static Verdict can_run(Exec const&, Matrix const&, RowStatistics const&,
                         SpmvOptions const& options)
  {
    return options.may_convert || !options.implementation.empty()
               ? Verdict(true, "the options allow a copy of the matrix")
               : Verdict(false, "the options do not allow a copy of the matrix (may_convert)");
  }
  static State analyze(Exec const& exec, Matrix const& a, RowStatistics const& rows,
                       SpmvOptions options)
  {
    bool const is_asked_for = options.implementation == name;
    options.implementation.clear();
    auto const parts = std::make_shared<Parts>();
    parts->csr = choose(typename Parts::CsrList{}, name, options, exec, a, rows).choice;
    options.deterministic = false; // the copy is for A x alone, which is repeatable anyway
    add_copy(exec, a, rows, options, *parts);
    if (parts->copy && !is_asked_for)
      drop_slower_copy(*parts);
    return {parts};
  }

  // Waits for exec.
  static void add_copy(Exec const& exec, Matrix const& a, RowStatistics const& rows,
                       SpmvOptions const& options, Parts& parts)
  {
    if (a.nnz() == 0)
    {
      parts.why_no_copy = "A has no entries";
      return;
    }
    Candidate<SellShape> best;
    parts.trial.choice =
        seconds_on(exec, [&] { best = suggest_sell(exec, a, trial_shapes(rows)).recommended(); });
    parts.why_no_copy = trial_refusal<typename Matrix::offset_type>(best);
    if (!parts.why_no_copy.empty())
      return;
    parts.trial.conversion = seconds_on(exec, [&] {
      auto const sell = to_sell(exec, a, best.shape, FillLimit{largest_trial_fill});
      parts.copy.emplace(
          typename Parts::Copy{sell,
                               choose(typename Parts::SellList{}, name, options, exec,
                                      ReadOnlySell(sell), statistics_of(exec, sell))
                                   .choice,
                               best.fill_ratio});
    });
    try_both(exec, a, parts);
  }

  // Times of y = A x, from CSR and from the copy. Waits for exec.
  static void try_both(Exec const& exec, Matrix const& a, Parts& parts)
  {
    using Value = typename Matrix::value_type;
    using Layout = Kokkos::LayoutRight;
    Kokkos::Profiling::ScopedRegion const region("heddle::spmv::trial");
    Scratch<Value, Exec> const in(exec, static_cast<std::size_t>(a.num_cols()));
    Scratch<Value, Exec> const out(exec, static_cast<std::size_t>(a.num_rows()));
    Kokkos::deep_copy(exec, in.view(), Value(1));
    VectorOperand<Value const, Layout> const x{in.data(), a.num_cols(), 1};
    VectorOperand<Value, Layout> const y{out.data(), a.num_rows(), 1};
    ReadOnlySell const sell = parts.copy->matrix;
    auto const from_csr = [&] {
      run_choice<typename Parts::CsrList>(name, false, parts.csr, exec, Op::none, Value(1), a, x,
                                          Value(0), y);
    };
    auto const from_sell = [&] {
      run_choice<typename Parts::SellList>(name, false, parts.copy->choice, exec, Op::none,
                                           Value(1), sell, x, Value(0), y);
    };
    TurnTimes const times = time_in_turns(exec, from_csr, from_sell);
    SellTrial& trial = parts.trial;
    trial.rounds = times.all;
    trial.csr_call = times.first;
    trial.sell_call = times.second;
    trial.rounds_won = times.rounds_won;
  }

  static void drop_slower_copy(Parts& parts)
  {
    if (parts.trial.is_faster())
      return;
    parts.why_no_copy = "they took " + parts.trial.describe();
    parts.copy.reset();
  }

  template <class Scalar, class X, class Y>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  X const& x, Scalar beta, Y const& y)
  {
    if (state.parts->copy && !is_transposed(op))
      run_choice<typename Parts::SellList>(name, false, state.parts->copy->choice, exec, op, alpha,
                                           ReadOnlySell(state.parts->copy->matrix), x, beta, y);
    else
      run_choice<typename Parts::CsrList>(name, false, state.parts->csr, exec, op, alpha, a, x,
                                          beta, y);
  }
};

} // namespace heddle::impl
