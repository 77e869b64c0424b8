// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// BSR SpGEMM on any Kokkos backend: a team takes a row of C's blocks. A hash table notes where each
// column stands in it (tables.hpp). Blocks of A's row are taken one after another: threads take
// blocks of B's row, look up one place each, and their lanes add to the values of one block of C.
// Blocks of a row of B are all in other columns, so no two threads add to one value, and the
// barrier between blocks of A keeps their order: bitwise repeatable.

#include <heddle/backend.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/multiply/row_team.hpp>
#include <heddle/impl/spgemm/block_pattern.hpp>
#include <heddle/impl/spgemm/tables.hpp>
#include <heddle/impl/spgemm/team.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::impl
{

// A row of C's blocks at the columns that are there: a functor, see scan.hpp.
template <class A, class B, class Offsets, class Columns, class Values>
struct SumBlockProducts
{
  A a;
  B b;
  ProductShape shape;
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
    auto const begin = static_cast<std::int64_t>(offsets(i));
    std::int64_t const count = static_cast<std::int64_t>(offsets(i + 1)) - begin;
    std::int64_t const size = shape.height * shape.width;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count), [&](std::int64_t n) {
      table.note(columns(begin + n), static_cast<Ordinal>(n));
    });
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count * size),
                         [&](std::int64_t e) { values(begin * size + e) = Sum{}; });
    team.team_barrier();
    auto const last = static_cast<std::int64_t>(a.row_offsets()(i + 1));
    for (auto k = static_cast<std::int64_t>(a.row_offsets()(i)); k < last; ++k)
      add_products_of_block(team, i, k, table);
    team.team_barrier();
  }

private:
  // Block k of A, which is in row i, times a row of B's blocks.
  template <class Member>
  KOKKOS_FUNCTION void add_products_of_block(Member const& team, std::int64_t i, std::int64_t k,
                                             HashTable<Ordinal> const& table) const
  {
    auto const begin = static_cast<std::int64_t>(offsets(i));
    auto const j = static_cast<std::int64_t>(a.columns()(k));
    std::int64_t const inner = Kokkos::min(shape.inner, a.num_cols() - j * shape.inner);
    std::int64_t const height = Kokkos::min(shape.height, a.num_rows() - i * shape.height);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, static_cast<std::int64_t>(b.row_offsets()(j)),
                                static_cast<std::int64_t>(b.row_offsets()(j + 1))),
        [&](std::int64_t n) {
          auto const column = b.columns()(n);
          Ordinal const number =
              table.find(column, [&](Ordinal place) { return columns(begin + place); });
          if (number == Ordinal(-1))
            report();
          else
            add_product(
                team, k, n, begin + number,
                {height, inner, Kokkos::min(shape.width, b.num_cols() - column * shape.width)});
        });
    team.team_barrier();
  }
  // Block k of A times block n of B, added to block `to` of C: a value for each lane.
  template <class Member>
  KOKKOS_FUNCTION void add_product(Member const& team, std::int64_t k, std::int64_t n,
                                   std::int64_t to, ProductShape const& inside) const
  {
    Kokkos::parallel_for(
        Kokkos::ThreadVectorRange(team, shape.height * shape.width), [&](std::int64_t e) {
          std::int64_t const y = e / shape.width, x = e % shape.width;
          if (y >= inside.height || x >= inside.width)
            return;
          std::int64_t const left = (k * shape.height + y) * shape.inner;
          std::int64_t const right = n * shape.inner * shape.width + x;
          Sum sum = values(to * shape.height * shape.width + e);
          for (std::int64_t z = 0; z < inside.inner; ++z)
            sum += Sum(a.values()(left + z)) * Sum(b.values()(right + z * shape.width));
          values(to * shape.height * shape.width + e) = sum;
        });
  }
};

template <class Exec, class A, class B>
struct SpgemmBlockTeam
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::bsr_team_hash";
  static constexpr bool is_supported = is_bsr_matrix_v<A> && is_bsr_matrix_v<B>;
  using Result = SpgemmResult<A, B>;
  using Ordinal = typename Result::ordinal_type;
  using Tables = RowTables<Exec, Ordinal>;
  struct State
  {
    SpgemmPattern<Result> pattern;
    Tables tables;
    int lanes = 1;

    MismatchFlag<Exec> mismatch = MismatchFlag<Exec>::make();

    std::size_t bytes() const { return tables.bytes() + pattern.bytes(); }
    static bool is_repeatable() { return true; }
    std::string describe() const
    {
      return describe_blocks(pattern) + std::to_string(lanes) + " lanes a block, sums in order";
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
    state.pattern = block_pattern<Result>(exec, a, b, options);
    state.lanes = lanes_for<Exec>(static_cast<double>(state.pattern.shape.height) *
                                  state.pattern.shape.width);
    std::size_t const most = options.max_workspace_bytes;
    state.tables =
        Tables(exec, a.num_block_rows(), SlotsOfRows<RowOffsets>{state.pattern.row_offsets},
               most - std::min(most, state.pattern.bytes()));
    return state;
  }

  static void run(Exec const& exec, State const& state, A const& a, B const& b, Result const& c)
  {
    using Columns = decltype(state.pattern.columns);
    using Values = typename Result::values_view;
    state.mismatch.require_none("spgemm");
    SpgemmPattern<Result> const& pattern = state.pattern;
    state.tables.run(exec, "heddle::spgemm::bsr_team_hash::sum", state.lanes,
                     SlotsOfRows<RowOffsets>{pattern.row_offsets},
                     SumBlockProducts<A, B, RowOffsets, Columns, Values>{
                         a, b, product_shape(a, b), pattern.row_offsets, pattern.columns,
                         c.values(), state.mismatch.report()});
    if constexpr (is_host_v<Exec>)
      state.mismatch.require_none("spgemm");
  }

private:
  using RowOffsets = typename Result::row_offsets_view;
};

} // namespace heddle::impl
