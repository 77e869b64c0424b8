// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR SpGEMM on host threads: Gustavson's algorithm, a row of C at a time (ACM TOMS 4(3), 1978).
// Blocks of rows with about as many products each are taken by threads as they come free. A block
// whose products lie in a window of columns that fits the caches has a dense window of sums, with a
// bitmap tree for columns, any other block a hash table. The symbolic phase finds the columns of
// each row, by words of 64 columns of B where these have several (column_words.hpp), and keeps
// them, so that the numeric phase only sums. A multiply takes both phases one after the other: in
// one pass each product would ask whether its column is new, which costs more than a second pass. A
// row is summed by one thread in the order of its products: bitwise repeatable, whatever the cap on
// memory.

#include <heddle/backend.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/multiply/csr_pointers.hpp>
#include <heddle/impl/spgemm/column_words.hpp>
#include <heddle/impl/spgemm/row_blocks.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::impl
{

template <class Exec, class A, class B>
struct SpgemmRows
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::dense_or_hash";
  static constexpr bool is_supported = is_csr_matrix_v<A> && is_csr_matrix_v<B> && is_host_v<Exec>;
  using Result = SpgemmResult<A, B>;
  using Sum = typename Result::value_type;
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Blocks = RowBlocks<Ordinal, Sum>;
  struct State
  {
    Blocks blocks;
    SpgemmPattern<Result> pattern;
    MismatchFlag<Exec> mismatch = MismatchFlag<Exec>::make();

    std::size_t bytes() const { return blocks.bytes() + pattern.bytes(); }
    static bool is_repeatable() { return true; }
    std::string describe() const
    {
      return std::to_string(blocks.blocks.size()) + " blocks of rows, " +
             std::to_string(blocks.dense_blocks()) +
             " with a dense window, the others with a hash table; " +
             std::to_string(blocks.workers) + " threads" +
             (pattern.keeps_columns ? "" : "; columns are found again by each call");
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
    std::size_t const budget = budget_of(options);
    State state{row_blocks<Sum>(exec, a, b, budget), {}};
    SpgemmPattern<Result>& pattern = state.pattern;
    pattern.products = state.blocks.products;
    pattern.keeps_columns = has_room(state.blocks, budget);
    std::size_t const left =
        budget - state.blocks.workspace_bytes() -
        (pattern.keeps_columns ? kept_bytes_of_product * static_cast<std::size_t>(pattern.products)
                               : 0);
    ColumnWords<Exec, B> const words(exec, b, state.blocks.products, left);
    Counts const counts(exec, static_cast<std::size_t>(a.num_rows()) + 1);
    std::vector<Rows> rows(state.blocks.blocks.size());
    if (pattern.keeps_columns)
      gather(exec, a, b, words.pointers(), state.blocks, counts.data(), rows);
    else
      count(exec, a, b, words.pointers(), state.blocks, counts.data());
    pattern.row_offsets = offsets_from(exec, a.num_rows(), counts, pattern.nnz);
    if (pattern.keeps_columns)
    {
      pattern.columns = uninitialized<Columns>(exec, "heddle::spgemm::columns", pattern.nnz);
      assemble(exec, state.blocks, rows, pattern.row_offsets.data(), pattern.columns.data());
    }
    return state;
  }

  // The values of C, whose columns are there; where the plan has not kept these, both.
  static void run(Exec const& exec, State const& state, A const& a, B const& b, Result const& c)
  {
    SpgemmPattern<Result> const& pattern = state.pattern;
    auto const* const offsets = pattern.row_offsets.data();
    if (pattern.keeps_columns)
    {
      sum_at(exec, a, b, state.blocks, offsets, pattern.columns.data(), c.values().data(),
             state.mismatch.report());
      state.mismatch.require_none("spgemm");
    }
    else
      write_rows(exec, a, b, state.blocks, offsets, c.columns().data(), c.values().data());
  }

private:
  using Counts = Scratch<std::int64_t, Exec>;
  using Columns = typename Result::columns_view;
  using Words = ColumnWordPointers<Ordinal>;
  using Uninitialized = std::unique_ptr<Ordinal[]>; // NOLINT(modernize-avoid-c-arrays)
  // The columns of the rows of C that a block makes, until all blocks are put together.
  struct Rows
  {
    Uninitialized columns;
    std::size_t size = 0;
  };

  // The cap, and not more than the machine has.
  static std::size_t budget_of(SpgemmOptions const& options)
  {
    return std::min(options.max_workspace_bytes, available_host_bytes());
  }
  // Of each product's column, in its block and with all others: no product may fall on another's
  // place.
  static constexpr std::size_t kept_bytes_of_product = 2 * sizeof(Ordinal);
  static bool has_room(Blocks const& blocks, std::size_t budget)
  {
    std::size_t const room = budget - blocks.workspace_bytes();
    return static_cast<std::size_t>(blocks.products) <= room / kept_bytes_of_product;
  }

  static auto offsets_from(Exec const& exec, std::int64_t rows, Counts const& counts,
                           std::size_t& nnz)
  {
    auto offsets = uninitialized<Kokkos::View<Offset*, typename Result::memory_space>>(
        exec, "heddle::row_offsets", static_cast<std::size_t>(rows) + 1);
    std::int64_t const total = offsets_from_counts(exec, rows, counts.view(), offsets);
    require_offsets_hold<Offset>(total);
    nnz = static_cast<std::size_t>(total);
    return offsets;
  }

  // Row i is about to be summed; a hash table wants to know how many columns it can have.
  template <class Accumulator>
  static void start_row(Accumulator& sums, RowBlock const& block, CsrPointers<A> const& a,
                        CsrPointers<B> const& b, std::int64_t i)
  {
    std::int64_t products = 0;
    for (auto k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
      products += static_cast<std::int64_t>(b.offsets[a.columns[k] + 1] - b.offsets[a.columns[k]]);
    sums.start_row(block.first_column, std::min(products, block.width));
  }
  // Inserts the columns of row i's products, by words where there are any and the accumulator takes
  // them.
  template <class Accumulator>
  static void insert_row(Accumulator& columns, CsrPointers<A> const& a, CsrPointers<B> const& b,
                         Words const& words, std::int64_t i)
  {
    if constexpr (std::is_same_v<Accumulator, typename Blocks::Dense>)
      if (words.offsets != nullptr)
      {
        for (auto k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
          for (auto n = words.offsets[a.columns[k]]; n < words.offsets[a.columns[k] + 1]; ++n)
            columns.insert(words.numbers[n], words.bits[n]);
        return;
      }
    for (auto k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
      for (auto n = b.offsets[a.columns[k]]; n < b.offsets[a.columns[k] + 1]; ++n)
        columns.insert(b.columns[n]);
  }
  // Writes the columns of row i, ascending, to out. Returns one past the last.
  template <class Accumulator>
  static Ordinal* find_row(Accumulator& columns, RowBlock const& block, CsrPointers<A> const& a,
                           CsrPointers<B> const& b, Words const& words, std::int64_t i,
                           Ordinal* out)
  {
    start_row(columns, block, a, b, i);
    insert_row(columns, a, b, words, i);
    return columns.take_columns(out);
  }
  // The sums of row i at its columns.
  template <class Accumulator>
  static void sum_row(Accumulator& sums, RowBlock const& block, CsrPointers<A> const& a,
                      CsrPointers<B> const& b, std::int64_t i, Ordinal const* columns,
                      std::int64_t count, Sum* values)
  {
    sums.start_row(block.first_column, count);
    sums.expect(columns, count);
    for (auto k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
    {
      Sum const factor = Sum(a.values[k]);
      for (auto n = b.offsets[a.columns[k]]; n < b.offsets[a.columns[k] + 1]; ++n)
        sums.add(b.columns[n], factor * Sum(b.values[n]));
    }
    sums.take(values);
  }

  // Memory for as many columns as rows of the block may have together.
  static Uninitialized room_for(std::int64_t columns)
  {
    // NOLINTNEXTLINE(modernize-avoid-c-arrays)
    return std::make_unique_for_overwrite<Ordinal[]>(static_cast<std::size_t>(columns) +
                                                     SortedSet::slack);
  }

  // Columns of every row, ascending, and how many there are.
  static void gather(Exec const& exec, A const& a_matrix, B const& b_matrix, Words const& words,
                     Blocks const& blocks, std::int64_t* counts, std::vector<Rows>& rows)
  {
    CsrPointers<A> const a(a_matrix);
    CsrPointers<B> const b(b_matrix);
    run_blocks(exec, "heddle::spgemm::dense_or_hash::gather", blocks,
               [&](std::size_t n, RowBlock const& block, auto& columns) {
                 Rows& mine = rows[n];
                 mine.columns = room_for(block.products);
                 Ordinal* end = mine.columns.get();
                 for (std::int64_t i = block.first_row; i < block.last_row; ++i)
                 {
                   Ordinal* const begin = end;
                   end = find_row(columns, block, a, b, words, i, begin);
                   counts[i] = end - begin;
                 }
                 mine.size = static_cast<std::size_t>(end - mine.columns.get());
               });
  }

  // Puts the blocks' rows behind each other and drops them.
  static void assemble(Exec const& exec, Blocks const& blocks, std::vector<Rows>& rows,
                       Offset const* offsets, Ordinal* columns)
  {
    auto* const parts = rows.data();
    auto const* const all = blocks.blocks.data();
    for_each_chunk<true>(exec, "heddle::spgemm::dense_or_hash::assemble",
                         static_cast<std::int64_t>(rows.size()), [=](std::int64_t n) {
                           Rows const part = std::move(parts[n]);
                           std::copy_n(part.columns.get(), part.size,
                                       columns + offsets[all[n].first_row]);
                         });
    exec.fence("heddle::spgemm::dense_or_hash::assemble");
  }

  static void count(Exec const& exec, A const& a_matrix, B const& b_matrix, Words const& words,
                    Blocks const& blocks, std::int64_t* counts)
  {
    CsrPointers<A> const a(a_matrix);
    CsrPointers<B> const b(b_matrix);
    run_blocks(exec, "heddle::spgemm::dense_or_hash::count", blocks,
               [&](std::size_t, RowBlock const& block, auto& columns) {
                 auto const row = room_for(block.most);
                 for (std::int64_t i = block.first_row; i < block.last_row; ++i)
                   counts[i] = find_row(columns, block, a, b, words, i, row.get()) - row.get();
               });
  }

  // Columns and values of C, where the plan has not kept columns.
  static void write_rows(Exec const& exec, A const& a_matrix, B const& b_matrix,
                         Blocks const& blocks, Offset const* offsets, Ordinal* columns, Sum* values)
  {
    CsrPointers<A> const a(a_matrix);
    CsrPointers<B> const b(b_matrix);
    run_blocks(exec, "heddle::spgemm::dense_or_hash::write", blocks,
               [&](std::size_t, RowBlock const& block, auto& sums) {
                 auto const row = room_for(block.most);
                 for (std::int64_t i = block.first_row; i < block.last_row; ++i)
                 {
                   Ordinal const* const end = find_row(sums, block, a, b, {}, i, row.get());
                   std::copy(static_cast<Ordinal const*>(row.get()), end, columns + offsets[i]);
                   sum_row(sums, block, a, b, i, row.get(), end - row.get(), values + offsets[i]);
                 }
               });
  }

  static void sum_at(Exec const& exec, A const& a_matrix, B const& b_matrix, Blocks const& blocks,
                     Offset const* offsets, Ordinal const* columns, Sum* values,
                     MismatchReport const& report)
  {
    CsrPointers<A> const a(a_matrix);
    CsrPointers<B> const b(b_matrix);
    run_blocks(exec, "heddle::spgemm::dense_or_hash::sum", blocks,
               [&](std::size_t, RowBlock const& block, auto& sums) {
                 for (std::int64_t i = block.first_row; i < block.last_row; ++i)
                 {
                   sum_row(sums, block, a, b, i, columns + offsets[i],
                           static_cast<std::int64_t>(offsets[i + 1] - offsets[i]),
                           values + offsets[i]);
                 }
                 if (sums.has_missed())
                   report();
               });
  }
};

} // namespace heddle::impl
