// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR SpGEMM by merges in rounds, by name: RMerge (Gremse, Hoefter, Schwen, Kiessling and Naumann,
// "GPU-Accelerated Sparse Matrix-Matrix Multiplication by Iterative Row Merging", SIAM J. Sci.
// Comput. 37, 2015), which paper 001 compares with. A row of C merges rows of B, one for each entry
// of A's row, and a kernel merges most_merged of them at most. So A is a product of matrices whose
// rows have no more entries: A = W P, where P has the entries of A in the order they have, a row
// for each piece of a row, and W adds up the pieces; C = W (P B). W is cut the same way while it
// has longer rows. On CUDA each of these products is one of cuda_native::binned with
// register_merge_one_to_one; elsewhere it is that of a default plan, which shows that the rounds
// are right and says nothing of their speed.
//
// Besides C's pattern a plan keeps that of each product and of each W; a call takes scratch memory
// for values of the products that come before C.

#include <heddle/backend.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/longest_row.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::impl
{

inline constexpr int most_merged = 32; // rows of B: lanes of a warp

template <class Offsets>
struct PiecesOfRow
{
  Offsets offsets;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return divided_up(static_cast<std::int64_t>(offsets(i + 1) - offsets(i)), most_merged);
  }
};
// Where pieces begin in the entries; first: each row's first piece.
template <class Offsets, class First, class Begins>
struct PlacePieces
{
  Offsets offsets;
  First first;
  Begins begins;
  std::int64_t rows;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto const begin = static_cast<std::int64_t>(offsets(i));
    std::int64_t const pieces = first(i + 1) - first(i);
    for (std::int64_t n = 0; n < pieces; ++n)
      begins(first(i) + n) =
          static_cast<typename Begins::non_const_value_type>(begin + n * most_merged);
    if (i + 1 == rows)
      begins(first(rows)) = offsets(rows);
  }
};

template <class Exec, class A, class B>
struct SpgemmIteratedMerge
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::iterated_merge";
  static constexpr bool is_supported = is_csr_matrix_v<A> && is_csr_matrix_v<B>;
  using Result = SpgemmResult<A, B>;
  using Value = typename Result::value_type;
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Space = typename Result::memory_space;
  using Pattern = SpgemmPattern<Result>;
  // P B, and W times such a product.
  using Factor = typename Result::const_type;
  using FirstPlan = SpgemmPlan<Exec, A, B>;
  using NextPlan = SpgemmPlan<Exec, Factor, Factor>;

  struct Round
  {
    Factor weights;
    NextPlan plan;
  };
  struct State
  {
    typename A::row_offsets_view pieces; // of A's rows, or these where none is too long
    std::optional<FirstPlan> first;
    std::vector<Round> rounds;
    Pattern pattern;
    std::size_t held = 0;

    std::size_t bytes() const { return held; }
    bool is_repeatable() const
    {
      return first->is_repeatable() && std::ranges::all_of(rounds, [](Round const& round) {
               return round.plan.is_repeatable();
             });
    }
    std::string describe() const
    {
      return std::to_string(rounds.size() + 1) + " products, each of at most " +
             std::to_string(most_merged) + " rows for a row, the first by " +
             first->implementation_name();
    }
  };

  static bool can_run(Exec const&, A const&, B const&, SpgemmOptions const& options)
  {
    return options.implementation == name;
  }

  static State analyze(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    State state;
    auto const of_a = cut<typename A::offset_type>(exec, a.num_rows(), a.row_offsets());
    state.pieces = of_a.begins;
    hold(state, options, of_a.bytes());
    state.first.emplace(exec, first_factor(state, a), b, of_round(options, state));
    Pattern const* last = &pattern_of(*state.first);
    hold(state, options, bytes_of(*state.first));
    std::int64_t const products = last->products;
    for (auto next = of_a.first; next.extent(0) > 0;)
    {
      require_columns(*last, options);
      Scratch<Value, Exec> const values(exec, last->nnz); // which the plan does not read
      Factor const inner = product(*last, b.num_cols(), values.data());
      auto const of_weights = cut<Offset>(exec, a.num_rows(), next);
      Factor const weights = weights_of(exec, of_weights.begins, inner.num_rows());
      hold(state, options, of_weights.bytes() + weights.nnz() * (sizeof(Value) + sizeof(Ordinal)));
      state.rounds.push_back({weights, NextPlan(exec, weights, inner, of_round(options, state))});
      last = &pattern_of(state.rounds.back().plan);
      hold(state, options, bytes_of(state.rounds.back().plan));
      next = of_weights.first;
    }
    state.pattern = *last;
    state.pattern.products = products;
    exec.fence("heddle::spgemm::iterated_merge");
    return state;
  }

  static void run(Exec const& exec, State const& state, A const& a, B const& b, Result const& c)
  {
    A const factor = first_factor(state, a);
    if (state.rounds.empty())
    {
      spgemm(exec, *state.first, factor, b, c);
      return;
    }
    Pattern const& pattern = pattern_of(*state.first);
    std::optional<Scratch<Value, Exec>> values(std::in_place, exec, pattern.nnz);
    Result inner = product(pattern, b.num_cols(), values->data());
    spgemm(exec, *state.first, factor, b, inner);
    for (std::size_t n = 0; n + 1 < state.rounds.size(); ++n)
    {
      auto const& [weights, plan] = state.rounds[n];
      Scratch<Value, Exec> next(exec, pattern_of(plan).nnz);
      Result const sums = product(pattern_of(plan), b.num_cols(), next.data());
      spgemm(exec, plan, weights, Factor(inner), sums);
      values.emplace(std::move(next));
      inner = sums;
    }
    auto const& [weights, plan] = state.rounds.back();
    spgemm(exec, plan, weights, Factor(inner), c);
  }

private:
  // Pieces of rows, and, where there is a row of more than one, each row's first piece.
  template <class OffsetOf>
  struct Cut
  {
    Kokkos::View<OffsetOf const*, Space> begins;
    Kokkos::View<Offset const*, Space> first = {};

    std::size_t bytes() const
    {
      return first.extent(0) == 0
                 ? 0
                 : begins.extent(0) * sizeof(OffsetOf) + first.extent(0) * sizeof(Offset);
    }
  };
  // Waits for exec.
  template <class OffsetOf>
  static Cut<OffsetOf> cut(Exec const& exec, std::int64_t rows,
                           Kokkos::View<OffsetOf const*, Space> const& offsets)
  {
    using Offsets = Kokkos::View<OffsetOf const*, Space>;
    using First = Kokkos::View<Offset*, Space>;
    using Begins = Kokkos::View<OffsetOf*, Space>;
    if (longest_row(exec, "heddle::spgemm::longest_row", rows, offsets) <= most_merged)
      return {offsets};
    auto const first = uninitialized<First>(exec, "heddle::spgemm::first_pieces",
                                            static_cast<std::size_t>(rows) + 1);
    std::int64_t const count =
        offsets_from_counts(exec, rows, PiecesOfRow<Offsets>{offsets}, first);
    require(std::in_range<Ordinal>(count), "spgemm", "rows of A have ", count,
            " pieces, which its ordinals do not count");
    auto const begins =
        uninitialized<Begins>(exec, "heddle::spgemm::pieces", static_cast<std::size_t>(count) + 1);
    Kokkos::parallel_for("heddle::spgemm::place_pieces", range(exec, rows),
                         PlacePieces<Offsets, First, Begins>{offsets, first, begins, rows});
    return {begins, first};
  }
  static A first_factor(State const& state, A const& a)
  {
    if (state.pieces.extent(0) == 0)
      return a;
    return A(static_cast<Ordinal>(state.pieces.extent(0) - 1), a.num_cols(), state.pieces,
             a.columns(), a.values());
  }
  // W: one entry of value 1 per piece, in order.
  static Factor weights_of(Exec const& exec, Kokkos::View<Offset const*, Space> const& offsets,
                           Ordinal pieces)
  {
    auto const count = static_cast<std::size_t>(pieces);
    auto const columns =
        uninitialized<Kokkos::View<Ordinal*, Space>>(exec, "heddle::spgemm::columns", count);
    auto const values =
        uninitialized<Kokkos::View<Value*, Space>>(exec, "heddle::spgemm::weights", count);
    fill_with_positions(exec, columns);
    Kokkos::deep_copy(exec, values, Value(1));
    return Factor(static_cast<Ordinal>(offsets.extent(0) - 1), pieces, offsets, columns, values);
  }
  static Result product(Pattern const& pattern, Ordinal cols, Value* values)
  {
    return Result(static_cast<Ordinal>(pattern.row_offsets.extent(0) - 1), cols,
                  pattern.row_offsets, pattern.columns,
                  typename Result::values_view(values, pattern.nnz));
  }

  static constexpr bool has_native()
  {
    return std::string_view(names_of(typename FirstPlan::implementations{}).front())
        .starts_with("cuda_native");
  }
  static SpgemmOptions of_round(SpgemmOptions const& options, State const& state)
  {
    SpgemmOptions round;
    if (has_native())
      round.accumulator = SpgemmAccumulator::register_merge_one_to_one;
    round.deterministic = options.deterministic;
    round.max_workspace_bytes = options.max_workspace_bytes - state.held;
    return round;
  }
  template <class Plan>
  static Pattern const& pattern_of(Plan const& plan)
  {
    return std::visit([](auto const& bound) -> Pattern const& { return bound.state.pattern; },
                      plan.choice());
  }
  template <class Plan>
  static std::size_t bytes_of(Plan const& plan)
  {
    return std::visit([](auto const& bound) { return bound.state.bytes(); }, plan.choice());
  }
  static void hold(State& state, SpgemmOptions const& options, std::size_t bytes)
  {
    if (bytes > options.max_workspace_bytes - state.held)
      throw OutOfMemory("heddle::spgemm: rounds of merges need more than the " +
                            std::to_string(options.max_workspace_bytes) +
                            " bytes of max_workspace_bytes",
                        state.held + bytes, options.max_workspace_bytes);
    state.held += bytes;
  }
  static void require_columns(Pattern const& pattern, SpgemmOptions const& options)
  {
    if (!pattern.keeps_columns)
      throw OutOfMemory("heddle::spgemm: rounds of merges keep the columns of " +
                            std::to_string(pattern.nnz) + " entries, max_workspace_bytes is " +
                            std::to_string(options.max_workspace_bytes),
                        pattern.nnz * sizeof(Ordinal), options.max_workspace_bytes);
  }
};

} // namespace heddle::impl
