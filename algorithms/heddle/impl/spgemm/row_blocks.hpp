// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Host SpGEMM works through blocks of rows with about as many products each. This file cuts them,
// looks which columns each may touch, decides between a dense window and a hash table, and runs
// them on threads within a cap on memory.

#include <heddle/impl/host_caches.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/row_chunks.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm/accumulators.hpp>
#include <heddle/impl/spgemm_pattern.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <vector>

namespace heddle::impl
{

struct RowBlock
{
  std::int64_t first_row = 0, last_row = 0; // one past
  std::int64_t products = 0;
  std::int64_t first_column = 0, width = 0; // the window its products lie in, from a multiple of 64
  std::int64_t most = 0;                    // no row has more distinct columns
};

// The blocks of a multiply and what its threads need to work through them.
template <class Ordinal, class Sum>
struct RowBlocks
{
  using Dense = DenseAccumulator<Ordinal, Sum>;
  using Hash = HashAccumulator<Ordinal, Sum>;

  std::vector<RowBlock> blocks;
  std::int64_t products = 0;
  std::int64_t widest = 0;  // window of a dense block
  std::int64_t most = 0;    // entries in a row of a hash block
  std::int64_t longest = 0; // row, in entries
  std::int64_t workers = 1;
  // Of the plan's time, as is the memory that threads get for the widest.
  std::size_t window_bytes = host_caches().window_bytes();

  bool is_dense(RowBlock const& block) const
  {
    return Dense::bytes_for(block.width) <=
           std::min(window_bytes, 2 * Hash::bytes_for(block.products));
  }
  std::int64_t dense_blocks() const
  {
    return std::count_if(blocks.begin(), blocks.end(),
                         [this](RowBlock const& block) { return is_dense(block); });
  }
  // An accumulator of each kind, and the columns of a row.
  std::size_t worker_bytes() const
  {
    return Dense::bytes_for(widest) + Hash::bytes_for(most) +
           (static_cast<std::size_t>(longest) + SortedSet::slack) * sizeof(Ordinal);
  }
  std::size_t workspace_bytes() const
  {
    return bytes() + static_cast<std::size_t>(workers) * worker_bytes();
  }
  std::size_t bytes() const { return blocks.size() * sizeof(RowBlock); }
};

// Least and greatest column of each row of B, as first and one past last. Asynchronous.
template <class Exec, class B, class Low, class High>
void column_ranges(Exec const& exec, B const& b, Low const& low, High const& high)
{
  auto const& offsets = b.row_offsets();
  auto const& columns = b.columns();
  auto const num_cols = b.num_cols();
  Kokkos::parallel_for("heddle::spgemm::column_ranges", range(exec, b.num_rows()),
                       [=](std::int64_t i) {
                         auto least = num_cols, greatest = decltype(num_cols)(0);
                         for (auto k = offsets(i); k < offsets(i + 1); ++k)
                         {
                           auto const j = columns(k);
                           least = std::min(least, j);
                           greatest = std::max<decltype(greatest)>(greatest, j + 1);
                         }
                         low(i) = least;
                         high(i) = greatest;
                       });
}

// Enough blocks for threads to share them evenly, each with enough products to be worth taking.
inline std::int64_t number_of_blocks(std::int64_t products, std::int64_t rows,
                                     std::int64_t concurrency)
{
  constexpr std::int64_t least_products = 1 << 12, usual_products = 1 << 17;
  std::int64_t const even = std::max(8 * concurrency, products / usual_products);
  return std::clamp<std::int64_t>(std::min(even, products / least_products), 1,
                                  std::max<std::int64_t>(rows, 1));
}

// As many threads as the cap allows; at least one must find room.
template <class Blocks>
void fit_workers(Blocks& blocks, std::int64_t concurrency, std::size_t max_workspace_bytes)
{
  std::size_t const each = blocks.worker_bytes(), needed = blocks.bytes() + each;
  if (needed > max_workspace_bytes)
    throw OutOfMemory("heddle::spgemm: one thread needs " + std::to_string(needed) + " bytes, " +
                          std::to_string(max_workspace_bytes) + " are allowed or available",
                      needed, max_workspace_bytes);
  std::size_t const room = (max_workspace_bytes - blocks.bytes()) / std::max<std::size_t>(each, 1);
  auto const count = static_cast<std::int64_t>(blocks.blocks.size());
  blocks.workers = static_cast<std::int64_t>(
      std::min({room, static_cast<std::size_t>(concurrency), static_cast<std::size_t>(count)}));
}

// Waits for exec.
template <class Sum, class Exec, class A, class B>
auto row_blocks(Exec const& exec, A const& a, B const& b, std::size_t max_workspace_bytes)
{
  using Ordinal = typename A::ordinal_type;
  RowBlocks<Ordinal, Sum> result;
  std::int64_t const rows = a.num_rows();
  Scratch<std::int64_t, Exec> const before(exec, static_cast<std::size_t>(rows) + 1);
  Scratch<Ordinal, Exec> const lows(exec, static_cast<std::size_t>(b.num_rows()));
  Scratch<Ordinal, Exec> const highs(exec, static_cast<std::size_t>(b.num_rows()));
  auto const products = before.view();
  auto const low = lows.view();
  auto const high = highs.view();
  products_of_rows(exec, a, b, products);
  if (b.num_rows() > 0)
    column_ranges(exec, b, low, high);
  result.products = offsets_from_counts(exec, rows, products, products);
  std::int64_t const count = number_of_blocks(result.products, rows, exec.concurrency());
  auto const cuts = split_rows(rows, count, [&](std::int64_t i) { return products(i) + i; });
  result.blocks.resize(static_cast<std::size_t>(count));
  auto* const blocks = result.blocks.data();
  auto const* const cut = cuts.data();
  auto const* const offsets = a.row_offsets().data();
  auto const* const columns = a.columns().data();
  for_each_chunk(exec, "heddle::spgemm::blocks", count, [=](std::int64_t n) {
    RowBlock block{cut[n], cut[n + 1], products(cut[n + 1]) - products(cut[n])};
    Ordinal least = std::numeric_limits<Ordinal>::max(), greatest = 0;
    for (std::int64_t i = block.first_row; i < block.last_row; ++i)
    {
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
      {
        least = std::min(least, low(columns[k]));
        greatest = std::max(greatest, high(columns[k]));
      }
      block.most = std::max(block.most, products(i + 1) - products(i));
    }
    // Words of B's columns are words of the window.
    block.first_column = std::min(least, greatest) / SortedSet::word_bits * SortedSet::word_bits;
    block.width = greatest - block.first_column;
    block.most = std::min(block.most, block.width);
    blocks[n] = block;
  });
  exec.fence("heddle::spgemm::blocks");
  for (RowBlock const& block : result.blocks)
  {
    std::int64_t& largest = result.is_dense(block) ? result.widest : result.most;
    largest = std::max(largest, result.is_dense(block) ? block.width : block.most);
    result.longest = std::max(result.longest, block.most);
  }
  fit_workers(result, exec.concurrency(), max_workspace_bytes);
  return result;
}

// body(n, block, accumulator) for each block n, taken by threads as they come free. Throws
// OutOfMemory where one of them found no memory. Waits for exec.
template <class Exec, class Ordinal, class Sum, class Body>
void run_blocks(Exec const& exec, char const* label, RowBlocks<Ordinal, Sum> const& blocks,
                Body const& body)
{
  using Blocks = RowBlocks<Ordinal, Sum>;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> has_failed = false;
  for_each_chunk(exec, label, blocks.workers, [&](std::int64_t) {
    try
    {
      std::optional<typename Blocks::Dense> dense;
      std::optional<typename Blocks::Hash> hash;
      for (std::size_t n = next++; n < blocks.blocks.size(); n = next++)
      {
        RowBlock const& block = blocks.blocks[n];
        if (blocks.is_dense(block))
          body(n, block, dense ? *dense : dense.emplace(blocks.widest));
        else
          body(n, block, hash ? *hash : hash.emplace(blocks.most));
      }
    }
    catch (std::bad_alloc const&)
    {
      has_failed = true;
    }
  });
  exec.fence(label);
  if (has_failed)
    throw OutOfMemory("heddle::spgemm: no memory for the rows of C (" +
                          std::to_string(blocks.products) + " products)",
                      static_cast<std::size_t>(blocks.products) * (sizeof(Ordinal) + sizeof(Sum)),
                      0);
}

} // namespace heddle::impl
