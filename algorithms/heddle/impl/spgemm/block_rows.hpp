// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// BSR SpGEMM on host threads: Gustavson's algorithm, a row of C's blocks at a time, which one
// thread sums in place in the order of A's blocks: bitwise repeatable. The plan keeps C's columns.
// A row's columns are numbered in a dense window or a hash table, as in CSR (rows.hpp); each block
// of B is looked up there once for all of its products (27 of 3 x 3 blocks), and small dense
// products are added to C, whose row stays in the caches.

#include <heddle/backend.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/spgemm/block_operand.hpp>
#include <heddle/impl/spgemm/block_pattern.hpp>
#include <heddle/impl/spgemm/block_products.hpp>
#include <heddle/impl/spgemm/row_blocks.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::impl
{

// The rows of C's blocks, for one thread at a time.
template <class A, class B, class Result>
struct BlockRowSums
{
  using Sum = typename Result::value_type;
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using ValueA = typename A::value_type;
  using ValueB = typename B::value_type;

  A a;
  B b;
  ProductShape shape;
  Offset const* offsets; // of C, as the plan has them
  Ordinal const* columns;
  Sum* values;
  MismatchReport report;
  AddBlockProducts<Sum, ValueA, ValueB, Ordinal> add =
      block_products_loop<Sum, ValueA, ValueB, Ordinal>(shape);
  // The last column of B's blocks where it hangs over the edge.
  Ordinal overhanging =
      b.num_cols() % static_cast<Ordinal>(shape.width) != 0 ? b.num_block_cols() - 1 : Ordinal(-1);

  // Row i of blocks. Behind the edges of C it has zeros.
  template <class Numbers>
  void sum(std::int64_t i, std::int64_t first_column, Numbers& numbers) const
  {
    auto const begin = static_cast<std::int64_t>(offsets[i]);
    std::int64_t const count = static_cast<std::int64_t>(offsets[i + 1]) - begin;
    std::int64_t const size = shape.height * shape.width;
    Sum* const row = values + begin * size;
    std::fill(row, row + count * size, Sum{});
    numbers.start_row(first_column, count);
    numbers.number(columns + begin, count);
    auto const last = static_cast<std::int64_t>(a.row_offsets()(i + 1));
    for (auto k = static_cast<std::int64_t>(a.row_offsets()(i)); k < last; ++k)
      add_products_of_block(i, k, row, numbers);
    numbers.forget();
  }

private:
  // Block k of A, which is in row i, times a row of B's blocks.
  template <class Numbers>
  void add_products_of_block(std::int64_t i, std::int64_t k, Sum* row, Numbers const& numbers) const
  {
    auto const j = static_cast<std::int64_t>(a.columns()(k));
    ProductShape const inside{std::min<std::int64_t>(shape.height, a.num_rows() - i * shape.height),
                              std::min<std::int64_t>(shape.inner, a.num_cols() - j * shape.inner),
                              shape.width};
    ValueA const* const left = a.values().data() + k * shape.height * shape.inner;
    auto const last = static_cast<std::int64_t>(b.row_offsets()(j + 1));
    std::array<Ordinal, 256> places; // of as many blocks of B at once
    auto const most = static_cast<std::int64_t>(places.size());
    for (auto first = static_cast<std::int64_t>(b.row_offsets()(j)); first < last; first += most)
    {
      std::int64_t const count = std::min(most, last - first);
      ValueB const* const right = b.values().data() + first * shape.inner * shape.width;
      for (std::int64_t m = 0; m < count; ++m)
      {
        Ordinal const column = b.columns()(first + m);
        places[m] = numbers.find(column);
        if (places[m] < 0 || column == overhanging)
          places[m] =
              add_apart(places[m], row, left, right + m * shape.inner * shape.width, inside);
      }
      if (inside == shape)
        add(row, places.data(), count, left, right, shape);
      else
        for (std::int64_t m = 0; m < count; ++m)
          if (places[m] >= 0)
            add_block_product(row + places[m] * shape.height * shape.width, left,
                              right + m * shape.inner * shape.width, shape, inside);
    }
  }
  // A product that has no place, which is reported, or whose block of B hangs over the edge, which
  // is added without what does. Gives -1: nothing is left to add.
  Ordinal add_apart(Ordinal place, Sum* row, ValueA const* left, ValueB const* right,
                    ProductShape inside) const
  {
    inside.width = b.num_cols() % shape.width;
    if (place < 0)
      report();
    else
      add_block_product(row + place * shape.height * shape.width, left, right, shape, inside);
    return -1;
  }
};

template <class Exec, class A, class B>
struct SpgemmBlockRows
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::bsr_dense_or_hash";
  static constexpr bool is_supported = is_bsr_matrix_v<A> && is_bsr_matrix_v<B> && is_host_v<Exec>;
  using Result = SpgemmResult<A, B>;
  using Ordinal = typename Result::ordinal_type;
  using Groups = RowBlocks<Ordinal, Ordinal>; // numbers for sums
  struct State
  {
    SpgemmPattern<Result> pattern;
    Groups groups; // of rows of blocks

    MismatchFlag<Exec> mismatch = MismatchFlag<Exec>::make();

    std::size_t bytes() const { return groups.bytes() + pattern.bytes(); }
    static bool is_repeatable() { return true; }
    std::string describe() const
    {
      return describe_blocks(pattern) + std::to_string(groups.blocks.size()) +
             " groups of block rows, " + std::to_string(groups.dense_blocks()) +
             " with a dense window, the others with a hash table; " +
             std::to_string(groups.workers) + " threads";
    }
  };

  static Verdict can_run(Exec const&, A const&, B const&, SpgemmOptions const& options)
  {
    if (options.accumulator != SpgemmAccumulator::automatic)
      return {false, "it has no choice of accumulators"};
    return true;
  }

  static State analyze(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    auto pattern = block_pattern<Result>(exec, a, b, options);
    std::size_t const budget = std::min(options.max_workspace_bytes, available_host_bytes());
    return {pattern, row_blocks<Ordinal>(exec, block_entries(a), block_entries(b),
                                         budget - std::min(budget, pattern.bytes()))};
  }

  static void run(Exec const& exec, State const& state, A const& a, B const& b, Result const& c)
  {
    SpgemmPattern<Result> const& pattern = state.pattern;
    BlockRowSums<A, B, Result> const rows{a,
                                          b,
                                          product_shape(a, b),
                                          pattern.row_offsets.data(),
                                          pattern.columns.data(),
                                          c.values().data(),
                                          state.mismatch.report()};
    run_blocks(exec, "heddle::spgemm::bsr_dense_or_hash::sum", state.groups,
               [&](std::size_t, RowBlock const& group, auto& numbers) {
                 for (std::int64_t i = group.first_row; i < group.last_row; ++i)
                   rows.sum(i, group.first_column, numbers);
               });
    state.mismatch.require_none("spgemm");
  }
};

} // namespace heddle::impl
