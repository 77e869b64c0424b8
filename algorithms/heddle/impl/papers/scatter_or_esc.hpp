// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR SpGEMM as paper 003 and what it builds on have it, on any Kokkos backend and by name: scatter
// vectors, expand-sort-compress in memory, and HybridSparse, which takes the one or the other by a
// row's products.

#include <heddle/backend.hpp>
#include <heddle/impl/entry_order.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/on_host.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/papers/esc.hpp>
#include <heddle/impl/papers/scatter.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/sort.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/sum_of.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::impl
{

// How a row is done: 0: expand, sort, compress; 1 to 4: scatter vectors with 1, 2, 4 or 8 virtual
// warps per team.
struct ScatterPolicy
{
  static constexpr int ways = 5;
  static constexpr std::int64_t few_products = 32; // of rows that HybridSparse expands; not tuned
  static constexpr int block = 128;                // threads, of paper 003

  bool expands_all, expands_few;
  int virtual_warps; // 0: by the row

  ScatterPolicy(SpgemmOptions const& options)
      : expands_all(options.accumulator == SpgemmAccumulator::esc_global)
      , expands_few(options.accumulator != SpgemmAccumulator::scatter_vector_paper)
      , virtual_warps(options.accumulator == SpgemmAccumulator::hybrid_sparse
                          ? 1
                          : options.tuning.scatter_vector_paper.virtual_warps)
  {}
  // For a row of so many entries of A with so many products. Threads of a virtual warp: as many as
  // rows of B have entries on average, no fewer than half a warp.
  KOKKOS_FUNCTION int way(std::int64_t entries, std::int64_t products) const
  {
    if (expands_all || products == 0 || (expands_few && products <= few_products))
      return 0;
    int way = 1;
    if (virtual_warps > 0)
      while ((1 << (way - 1)) < virtual_warps)
        ++way;
    else
      while (way < ways - 1 && block / (1 << way) * entries >= products)
        ++way;
    return way;
  }
};

template <class Offsets, class Products, class Ways>
struct WayOfRow
{
  Offsets a_offsets;
  Products products; // of each row
  ScatterPolicy policy;
  Ways ways;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    ways(i) = policy.way(static_cast<std::int64_t>(a_offsets(i + 1) - a_offsets(i)), products(i));
  }
};

template <class Exec, class A, class B>
struct SpgemmScatterOrEsc
{
  static constexpr Backend backend = Backend::portable;
  static constexpr char const* name = "portable::scatter_or_esc";
  static constexpr bool is_supported = is_csr_matrix_v<A> && is_csr_matrix_v<B>;
  using Result = SpgemmResult<A, B>;
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Columns = typename Result::columns_view;
  using Esc = ExpandSortCompress<Exec, A, B>;
  using Scatter = ScatterVectors<Exec, A, B>;
  using List = Kokkos::View<Ordinal*, typename Exec::memory_space>;

  struct State
  {
    List list; // rows by the way they are done
    std::array<std::int64_t, ScatterPolicy::ways> rows{};
    Esc esc;
    Scatter scatter;
    SpgemmPattern<Result> pattern;
    MismatchFlag<Exec> mismatch = MismatchFlag<Exec>::make();
    bool is_deterministic = false;

    std::size_t bytes() const
    {
      return list.span() * sizeof(Ordinal) + esc.bytes() + pattern.bytes();
    }
    // Hosts have one thread a row.
    bool is_repeatable() const
    {
      return is_deterministic || is_host_v<Exec> || !scatter.has_rows();
    }
    std::string describe() const
    {
      std::string text = "rows: " + std::to_string(rows[0]) + " expanded and sorted; ";
      for (std::size_t n = 1; n < rows.size(); ++n)
        text += std::to_string(rows[n]) + (n + 1 < rows.size() ? ", " : "");
      return text + " scattered with 1, 2, 4, 8 virtual warps a team; sums " +
             (is_repeatable() ? "in order" : "by atomics") +
             (pattern.keeps_columns ? "" : "; columns are found again by each call");
    }
  };

  static bool can_run(Exec const&, A const&, B const&, SpgemmOptions const& options)
  {
    return options.accumulator >= SpgemmAccumulator::scatter_vector_paper ||
           (options.accumulator == SpgemmAccumulator::automatic && options.implementation == name);
  }

  static State analyze(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    State state;
    SpgemmPattern<Result>& pattern = state.pattern;
    state.is_deterministic = options.deterministic;
    // Half for what a call needs at a time, half for columns.
    std::size_t const by_row =
        4 * (static_cast<std::size_t>(a.num_rows()) + 1) * sizeof(std::int64_t);
    std::size_t const room =
        (options.max_workspace_bytes - std::min(options.max_workspace_bytes, by_row)) / 2;
    Scratch<std::int64_t, Exec> const products(exec, static_cast<std::size_t>(a.num_rows()));
    products_of_rows(exec, a, b, products.view());
    pattern.products = sum_of(exec, "heddle::spgemm::all_products", a.num_rows(), products.view());
    set_ways(exec, a, b, products.view(), options, room, state);
    set_row_offsets(exec, a, b, state);
    pattern.keeps_columns = pattern.nnz * sizeof(Ordinal) <= room;
    if (pattern.keeps_columns)
    {
      pattern.columns = uninitialized<Columns>(exec, "heddle::spgemm::columns", pattern.nnz);
      write_columns(exec, state, a, b, pattern.columns);
    }
    exec.fence("heddle::spgemm::scatter_or_esc");
    return state;
  }

  static void run(Exec const& exec, State const& state, A const& a, B const& b, Result const& c)
  {
    state.mismatch.require_none("spgemm");
    if (!state.pattern.keeps_columns)
      write_columns(exec, state, a, b, c.columns());
    Ordinal const* const columns =
        state.pattern.keeps_columns ? state.pattern.columns.data() : c.columns().data();
    auto const& offsets = state.pattern.row_offsets;
    auto* const values = c.values().data();
    MismatchReport const report = state.mismatch.report();
    state.esc.sum(exec, a, b, offsets, values, report);
    if (state.is_deterministic)
      state.scatter.template sum<true>(exec, a, b, offsets, columns, values, report);
    else
      state.scatter.template sum<false>(exec, a, b, offsets, columns, values, report);
    if constexpr (is_host_v<Exec>)
      state.mismatch.require_none("spgemm");
  }

private:
  // The rows by the way they are done, and what each way needs.
  template <class Products>
  static void set_ways(Exec const& exec, A const& a, B const& b, Products const& products,
                       SpgemmOptions const& options, std::size_t room, State& state)
  {
    using Ways = typename Scratch<Ordinal, Exec>::view_type;
    constexpr std::size_t ways = ScatterPolicy::ways;
    auto const rows = static_cast<std::size_t>(a.num_rows());
    state.list = uninitialized<List>(exec, "heddle::spgemm::list", rows);
    Scratch<Ordinal, Exec> const way_of(exec, rows);
    Kokkos::parallel_for("heddle::spgemm::ways", range(exec, rows),
                         WayOfRow<typename A::row_offsets_view, Products, Ways>{
                             a.row_offsets(), products, ScatterPolicy(options), way_of.view()});
    fill_with_positions(exec, state.list);
    stable_sort_by_key(exec, way_of.view(), ways, state.list);
    Scratch<std::int64_t, Exec> const starts(exec, ways + 1);
    offsets_of_sorted(exec, way_of.view(), state.list, starts.view());
    std::array<std::int64_t, ways + 1> first{};
    copy_to_host(exec, starts.view(), first.data());
    std::array<ScatteredRows, Scatter::groups> scattered{};
    for (std::size_t n = 0; n < ways; ++n)
    {
      state.rows[n] = first[n + 1] - first[n];
      if (n > 0)
        scattered[n - 1] = {1 << (n - 1), first[n], first[n + 1]};
    }
    // Scatter vectors of a wide B would take all there is.
    std::size_t const of_vectors = std::min(room, available_bytes(exec) / 4);
    state.scatter = Scatter(exec, b, state.list, scattered, of_vectors);
    state.esc =
        Esc(exec, b, products,
            Kokkos::subview(state.list, Kokkos::make_pair(std::int64_t(0), first[1])), room);
  }

  static void set_row_offsets(Exec const& exec, A const& a, B const& b, State& state)
  {
    using Mutable = Kokkos::View<Offset*, typename Result::memory_space>;
    auto const rows = static_cast<std::size_t>(a.num_rows());
    Scratch<std::int64_t, Exec> const counts(exec, rows + 1);
    Kokkos::deep_copy(exec, counts.view(), std::int64_t(0));
    state.esc.count(exec, a, b, counts.view());
    state.scatter.count(exec, a, b, counts.view());
    auto const offsets = uninitialized<Mutable>(exec, "heddle::row_offsets", rows + 1);
    std::int64_t const nnz = offsets_from_counts(exec, a.num_rows(), counts.view(), offsets);
    require_offsets_hold<Offset>(nnz);
    state.pattern.row_offsets = offsets;
    state.pattern.nnz = static_cast<std::size_t>(nnz);
  }

  static void write_columns(Exec const& exec, State const& state, A const& a, B const& b,
                            Columns const& columns)
  {
    state.esc.write_columns(exec, a, b, state.pattern.row_offsets, columns.data());
    state.scatter.write_columns(exec, a, b, state.pattern.row_offsets, columns.data());
  }
};

} // namespace heddle::impl
