// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR SpGEMM on host threads: Gustavson's algorithm, a row of C at a time (ACM TOMS 4(3), 1978).
// Blocks of rows with about as many products each are taken by threads as they come free. A block
// whose products lie in a window of columns that fits the caches sums into a dense window with a
// bitmap tree beside it, any other block into a hash table; both give columns in ascending order by
// themselves. The symbolic phase keeps the columns, so the numeric phase only sums; the one-shot
// multiply does both at once and passes over the products a single time. A row is summed by one
// thread in the order of its products: bitwise repeatable, whatever the cap on memory.

#include <heddle/backend.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/multiply/csr_pointers.hpp>
#include <heddle/impl/spgemm/row_blocks.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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
    pattern.keeps_columns = has_room(state.blocks, budget, 2 * sizeof(Ordinal));
    Counts const counts(exec, static_cast<std::size_t>(a.num_rows()) + 1);
    std::vector<Rows> rows(state.blocks.blocks.size());
    if (pattern.keeps_columns)
      gather<false>(exec, a, b, state.blocks, counts.data(), rows);
    else
      count(exec, a, b, state.blocks, counts.data());
    pattern.row_offsets = offsets_from(exec, a.num_rows(), counts, pattern.nnz);
    if (pattern.keeps_columns)
    {
      pattern.columns = uninitialized<Columns>(exec, "heddle::spgemm::columns", pattern.nnz);
      assemble<false>(exec, state.blocks, rows, pattern.row_offsets.data(), pattern.columns.data(),
                      nullptr);
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

  // Both phases in one pass over the products, where there is room to hold them apart until all are
  // known.
  static std::optional<Result> multiply(Exec const& exec, A const& a, B const& b,
                                        SpgemmOptions const& options)
  {
    std::size_t const budget = budget_of(options);
    auto const blocks = row_blocks<Sum>(exec, a, b, budget);
    if (!has_room(blocks, budget, 2 * (sizeof(Ordinal) + sizeof(Sum))))
      return {};
    Counts const counts(exec, static_cast<std::size_t>(a.num_rows()) + 1);
    std::vector<Rows> rows(blocks.blocks.size());
    gather<true>(exec, a, b, blocks, counts.data(), rows);
    std::size_t nnz = 0;
    auto const row_offsets = offsets_from(exec, a.num_rows(), counts, nnz);
    auto const columns = uninitialized<Columns>(exec, "heddle::columns", nnz);
    auto const values = uninitialized<typename Result::values_view>(exec, "heddle::values", nnz);
    assemble<true>(exec, blocks, rows, row_offsets.data(), columns.data(), values.data());
    return Result(a.num_rows(), b.num_cols(), row_offsets, columns, values);
  }

private:
  using Counts = Scratch<std::int64_t, Exec>;
  using Columns = typename Result::columns_view;
  // The rows of C that a block makes, until all blocks are put together.
  struct Rows
  {
    std::vector<Ordinal> columns;
    std::vector<Sum> values;
  };

  // The cap, and not more than the machine has.
  static std::size_t budget_of(SpgemmOptions const& options)
  {
    return std::min(options.max_workspace_bytes, available_host_bytes());
  }
  // Whether each product may take this many bytes: there are no more entries than products.
  static bool has_room(Blocks const& blocks, std::size_t budget, std::size_t bytes)
  {
    std::size_t const room = budget - blocks.workspace_bytes();
    return static_cast<std::size_t>(blocks.products) <= room / bytes;
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
  template <class Accumulator>
  static void insert_row(Accumulator& sums, CsrPointers<A> const& a, CsrPointers<B> const& b,
                         std::int64_t i)
  {
    for (auto k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
      for (auto n = b.offsets[a.columns[k]]; n < b.offsets[a.columns[k] + 1]; ++n)
        sums.insert(b.columns[n]);
  }
  // add(column, product) for each product of row i, in order.
  template <class Add>
  static void for_each_product(CsrPointers<A> const& a, CsrPointers<B> const& b, std::int64_t i,
                               Add const& add)
  {
    for (auto k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
    {
      Sum const factor = Sum(a.values[k]);
      for (auto n = b.offsets[a.columns[k]]; n < b.offsets[a.columns[k] + 1]; ++n)
        add(b.columns[n], factor * Sum(b.values[n]));
    }
  }

  // Columns (and values) of every row, ascending, and how many there are.
  template <bool with_values>
  static void gather(Exec const& exec, A const& a_matrix, B const& b_matrix, Blocks const& blocks,
                     std::int64_t* counts, std::vector<Rows>& rows)
  {
    CsrPointers<A> const a(a_matrix);
    CsrPointers<B> const b(b_matrix);
    run_blocks(exec, "heddle::spgemm::dense_or_hash::gather", blocks,
               [&](std::size_t n, RowBlock const& block, auto& sums) {
                 Rows& mine = rows[n];
                 for (std::int64_t i = block.first_row; i < block.last_row; ++i)
                 {
                   std::size_t const before = mine.columns.size();
                   start_row(sums, block, a, b, i);
                   if constexpr (with_values)
                   {
                     for_each_product(a, b, i,
                                      [&](Ordinal j, Sum product) { sums.add(j, product); });
                     sums.take([&](Ordinal j, Sum sum) {
                       mine.columns.push_back(j);
                       mine.values.push_back(sum);
                     });
                   }
                   else
                   {
                     insert_row(sums, a, b, i);
                     sums.take_columns([&](Ordinal j) { mine.columns.push_back(j); });
                   }
                   counts[i] = static_cast<std::int64_t>(mine.columns.size() - before);
                 }
               });
  }

  // Puts the blocks' rows behind each other and drops them.
  template <bool with_values>
  static void assemble(Exec const& exec, Blocks const& blocks, std::vector<Rows>& rows,
                       Offset const* offsets, Ordinal* columns, Sum* values)
  {
    auto* const parts = rows.data();
    auto const* const all = blocks.blocks.data();
    for_each_chunk<true>(exec, "heddle::spgemm::dense_or_hash::assemble",
                         static_cast<std::int64_t>(rows.size()), [=](std::int64_t n) {
                           Rows const part = std::move(parts[n]);
                           auto const start = offsets[all[n].first_row];
                           std::copy(part.columns.begin(), part.columns.end(), columns + start);
                           if constexpr (with_values)
                             std::copy(part.values.begin(), part.values.end(), values + start);
                         });
    exec.fence("heddle::spgemm::dense_or_hash::assemble");
  }

  static void count(Exec const& exec, A const& a_matrix, B const& b_matrix, Blocks const& blocks,
                    std::int64_t* counts)
  {
    CsrPointers<A> const a(a_matrix);
    CsrPointers<B> const b(b_matrix);
    run_blocks(exec, "heddle::spgemm::dense_or_hash::count", blocks,
               [&](std::size_t, RowBlock const& block, auto& sums) {
                 for (std::int64_t i = block.first_row; i < block.last_row; ++i)
                 {
                   std::int64_t distinct = 0;
                   start_row(sums, block, a, b, i);
                   insert_row(sums, a, b, i);
                   sums.take_columns([&](Ordinal) { ++distinct; });
                   counts[i] = distinct;
                 }
               });
  }

  static void write_rows(Exec const& exec, A const& a_matrix, B const& b_matrix,
                         Blocks const& blocks, Offset const* offsets, Ordinal* columns, Sum* values)
  {
    CsrPointers<A> const a(a_matrix);
    CsrPointers<B> const b(b_matrix);
    run_blocks(exec, "heddle::spgemm::dense_or_hash::write", blocks,
               [&](std::size_t, RowBlock const& block, auto& sums) {
                 auto slot = offsets[block.first_row];
                 for (std::int64_t i = block.first_row; i < block.last_row; ++i)
                 {
                   start_row(sums, block, a, b, i);
                   for_each_product(a, b, i, [&](Ordinal j, Sum product) { sums.add(j, product); });
                   sums.take([&](Ordinal j, Sum sum) {
                     columns[slot] = j;
                     values[slot++] = sum;
                   });
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
                   auto const count = static_cast<std::int64_t>(offsets[i + 1] - offsets[i]);
                   sums.start_row(block.first_column, count);
                   sums.expect(columns + offsets[i], count);
                   for_each_product(a, b, i,
                                    [&](Ordinal j, Sum product) { sums.add_expected(j, product); });
                   sums.take_expected(values + offsets[i]);
                 }
                 if (sums.has_missed())
                   report();
               });
  }
};

} // namespace heddle::impl
