// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR SpGEMM on any Kokkos backend. Symbolic: a team inserts the columns of a row's products into a
// hash table, counts them, and (a second time, when the row offsets are known) writes them out and
// sorts them. Numeric: the table notes where each column stands in the row of C, and threads add
// products there: by atomics, whose order differs from run to run, or with deterministic = true one
// entry of A after another, which no two threads of a team share.

#include <heddle/backend.hpp>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/multiply/row_team.hpp>
#include <heddle/impl/spgemm/tables.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_NestedSort.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace heddle::impl
{

// visit(column of the product, entry of A, entry of B) for each product of row i, shared among the
// threads of a team.
template <class Member, class A, class B, class Visit>
KOKKOS_INLINE_FUNCTION void team_products(Member const& team, A const& a, B const& b,
                                          std::int64_t i, Visit const& visit)
{
  using AOffset = typename A::offset_type;
  using BOffset = typename B::offset_type;
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, a.row_offsets()(i), a.row_offsets()(i + 1)),
                       [&](AOffset k) {
                         auto const row = a.columns()(k);
                         Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, b.row_offsets()(row),
                                                                        b.row_offsets()(row + 1)),
                                              [&](BOffset n) { visit(b.columns()(n), k, n); });
                       });
}

// Distinct columns of each row.
template <class A, class B, class Counts>
struct CountColumns
{
  A a;
  B b;
  Counts counts; // zero before

  template <class Member, class Ordinal>
  KOKKOS_FUNCTION void operator()(Member const& team, std::int64_t i,
                                  HashTable<Ordinal> const& table) const
  {
    team_products(team, a, b, i, [&](Ordinal column, auto, auto) {
      if (table.insert(column))
        Kokkos::atomic_inc(&counts(i));
    });
    team.team_barrier();
  }
};

// Sorted columns of each row, in its slots.
template <class A, class B, class Offsets, class Next, class Columns>
struct WriteColumns
{
  A a;
  B b;
  Offsets offsets;
  Next next; // the row offsets before
  Columns columns;

  template <class Member, class Ordinal>
  KOKKOS_FUNCTION void operator()(Member const& team, std::int64_t i,
                                  HashTable<Ordinal> const& table) const
  {
    team_products(team, a, b, i, [&](Ordinal column, auto, auto) {
      if (table.insert(column))
        columns(Kokkos::atomic_fetch_inc(&next(i))) = column;
    });
    team.team_barrier();
    Kokkos::Experimental::sort_team(
        team, Kokkos::subview(columns, Kokkos::make_pair(offsets(i), offsets(i + 1))));
    team.team_barrier();
  }
};

// Values of each row at the columns that are there.
template <bool is_deterministic, class A, class B, class Offsets, class Columns, class Values>
struct SumProducts
{
  A a;
  B b;
  Offsets offsets;
  Columns columns;
  Values values;
  MismatchReport report;

  using Sum = typename Values::non_const_value_type;
  using Ordinal = typename A::ordinal_type;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team, std::int64_t i,
                                  HashTable<Ordinal> const& table) const
  {
    auto const begin = offsets(i);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, offsets(i + 1) - begin), [&](auto n) {
      values(begin + n) = Sum{};
      table.note(columns(begin + n), static_cast<Ordinal>(n));
    });
    team.team_barrier();
    if constexpr (is_deterministic)
      add_in_order(team, i, table);
    else
      team_products(team, a, b, i, [&](Ordinal column, auto k, auto n) {
        with_sum(begin, column, table, [&](Sum& sum) { atomic_accumulate(sum, product(k, n)); });
      });
    team.team_barrier();
  }

  // A row of B has each column once, so its entries go to different slots.
  template <class Member>
  KOKKOS_FUNCTION void add_in_order(Member const& team, std::int64_t i,
                                    HashTable<Ordinal> const& table) const
  {
    using BOffset = typename B::offset_type;
    for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
    {
      auto const row = a.columns()(k);
      Kokkos::parallel_for(
          Kokkos::TeamVectorRange(team, b.row_offsets()(row), b.row_offsets()(row + 1)),
          [&](BOffset n) {
            with_sum(offsets(i), b.columns()(n), table, [&](Sum& sum) { sum += product(k, n); });
          });
      team.team_barrier();
    }
  }
  // add(sum) for the sum at a column of the row that begins there; reports a column without one.
  template <class Offset, class Add>
  KOKKOS_FUNCTION void with_sum(Offset begin, Ordinal column, HashTable<Ordinal> const& table,
                                Add const& add) const
  {
    Ordinal const number =
        table.find(column, [&](Ordinal n) { return columns(begin + static_cast<Offset>(n)); });
    if (number == Ordinal(-1))
      report();
    else
      add(values(begin + static_cast<Offset>(number)));
  }
  template <class AOffset, class BOffset>
  KOKKOS_FUNCTION Sum product(AOffset k, BOffset n) const
  {
    return Sum(a.values()(k)) * Sum(b.values()(n));
  }
};

// Slots for the columns a row may have, or has.
template <class Products>
struct SlotsOfProducts
{
  Products products;
  std::int64_t cols;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return slots_for(Kokkos::min(products(i), cols));
  }
};
template <class Offsets>
struct SlotsOfRows
{
  Offsets offsets;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    return slots_for(static_cast<std::int64_t>(offsets(i + 1) - offsets(i)));
  }
};

template <class Exec, class A, class B>
struct SpgemmTeam
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::team_hash";
  static constexpr bool is_supported = is_csr_matrix_v<A> && is_csr_matrix_v<B>;
  using Result = SpgemmResult<A, B>;
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Columns = typename Result::columns_view;
  using Tables = RowTables<Exec, Ordinal>;
  struct State
  {
    Tables symbolic, numeric;
    SpgemmPattern<Result> pattern;
    MismatchFlag<Exec> mismatch = MismatchFlag<Exec>::make();
    int lanes = 1;
    bool is_deterministic = false;

    std::size_t bytes() const { return symbolic.bytes() + numeric.bytes() + pattern.bytes(); }
    bool is_repeatable() const { return is_deterministic; }
    std::string describe() const
    {
      return std::to_string(lanes) + " lanes a row of B, sums " +
             (is_deterministic ? "in order" : "by atomics") +
             (pattern.keeps_columns ? "" : "; columns are found again by each call");
    }
  };

  static Verdict can_run(Exec const&, A const&, B const&, SpgemmOptions const& options)
  {
    if (options.accumulator != SpgemmAccumulator::automatic &&
        options.accumulator != SpgemmAccumulator::global_hash)
      return {false, "it has one accumulator, a hash table in global memory"};
    return true;
  }

  static State analyze(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    State state;
    SpgemmPattern<Result>& pattern = state.pattern;
    state.lanes = lanes_for<Exec>(static_cast<double>(b.nnz()) /
                                  std::max(1.0, static_cast<double>(b.num_rows())));
    state.is_deterministic = options.deterministic;
    pattern.products = total_products(exec, a, b);
    RowSlots const products(exec, a, b);
    std::size_t const room = room_for_tables(a, options);
    state.symbolic = Tables(exec, a.num_rows(), products.slots(b), room);
    set_row_offsets(exec, a, b, products, state);
    state.numeric = Tables(exec, a.num_rows(), SlotsOfRows<RowOffsets>{pattern.row_offsets}, room);
    pattern.keeps_columns =
        pattern.nnz * sizeof(Ordinal) <= room - state.symbolic.workspace_bytes();
    if (pattern.keeps_columns)
    {
      pattern.columns = uninitialized<Columns>(exec, "heddle::spgemm::columns", pattern.nnz);
      write_columns(exec, a, b, products, state, pattern.columns);
    }
    exec.fence("heddle::spgemm::team_hash");
    return state;
  }

  static void run(Exec const& exec, State const& state, A const& a, B const& b, Result const& c)
  {
    state.mismatch.require_none("spgemm");
    if (!state.pattern.keeps_columns)
      write_columns(exec, a, b, RowSlots(exec, a, b), state, c.columns());
    Columns const columns = state.pattern.keeps_columns ? state.pattern.columns : c.columns();
    if (state.is_deterministic)
      sum_products<true>(exec, state, a, b, columns, c.values());
    else
      sum_products<false>(exec, state, a, b, columns, c.values());
    if constexpr (is_host_v<Exec>)
      state.mismatch.require_none("spgemm");
  }

private:
  using RowOffsets = typename Result::row_offsets_view;
  // Products of each row, for one phase.
  struct RowSlots
  {
    Scratch<std::int64_t, Exec> products;
    RowSlots(Exec const& exec, A const& a, B const& b)
        : products(exec, static_cast<std::size_t>(a.num_rows()))
    {
      products_of_rows(exec, a, b, products.view());
    }
    auto slots(B const& b) const
    {
      using View = typename Scratch<std::int64_t, Exec>::view_type;
      return SlotsOfProducts<View>{products.view(), b.num_cols()};
    }
  };

  // Arrays of a number for each row.
  static std::size_t overhead(A const& a)
  {
    return 4 * (static_cast<std::size_t>(a.num_rows()) + 1) * sizeof(std::int64_t);
  }
  static std::size_t room_for_tables(A const& a, SpgemmOptions const& options)
  {
    return options.max_workspace_bytes - std::min(options.max_workspace_bytes, overhead(a));
  }

  static void set_row_offsets(Exec const& exec, A const& a, B const& b, RowSlots const& products,
                              State& state)
  {
    using Mutable = Kokkos::View<Offset*, typename Result::memory_space>;
    auto const rows = static_cast<std::size_t>(a.num_rows());
    Scratch<std::int64_t, Exec> const counters(exec, rows + 1);
    auto const counts = counters.view();
    Kokkos::deep_copy(exec, counts, std::int64_t(0));
    state.symbolic.run(exec, "heddle::spgemm::team_hash::count", state.lanes, products.slots(b),
                       CountColumns<A, B, decltype(counts)>{a, b, counts});
    auto const offsets = uninitialized<Mutable>(exec, "heddle::row_offsets", rows + 1);
    std::int64_t const nnz = offsets_from_counts(exec, a.num_rows(), counts, offsets);
    require_offsets_hold<Offset>(nnz);
    state.pattern.row_offsets = offsets;
    state.pattern.nnz = static_cast<std::size_t>(nnz);
  }

  static void write_columns(Exec const& exec, A const& a, B const& b, RowSlots const& products,
                            State const& state, Columns const& columns)
  {
    RowOffsets const& offsets = state.pattern.row_offsets;
    Scratch<Offset, Exec> const cursors(exec, offsets.extent(0));
    auto const next = cursors.view();
    Kokkos::deep_copy(exec, next, offsets);
    state.symbolic.run(
        exec, "heddle::spgemm::team_hash::columns", state.lanes, products.slots(b),
        WriteColumns<A, B, RowOffsets, decltype(next), Columns>{a, b, offsets, next, columns});
  }

  template <bool is_deterministic, class Values>
  static void sum_products(Exec const& exec, State const& state, A const& a, B const& b,
                           Columns const& columns, Values const& values)
  {
    RowOffsets const& offsets = state.pattern.row_offsets;
    state.numeric.run(exec, "heddle::spgemm::team_hash::sum", state.lanes,
                      SlotsOfRows<RowOffsets>{offsets},
                      SumProducts<is_deterministic, A, B, RowOffsets, Columns, Values>{
                          a, b, offsets, columns, values, state.mismatch.report()});
  }
};

} // namespace heddle::impl
