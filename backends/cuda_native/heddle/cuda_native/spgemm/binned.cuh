// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR SpGEMM on CUDA. Rows are sorted into bins twice, by what is known of their products for
// the symbolic phase and by their entries for the numeric one; each bin has a kernel
// (spgemm/policy.hpp).
//
// Symbolic (spgemm/symbolic.cuh): columns of few products are sorted in registers, others noted in
// tables of words in shared memory (spgemm/tables.cuh). Columns are kept in memory of the call
// while it has room, and moved to C when its row offsets are known. Numeric: the columns of a row
// tell the index of each product's sum, by search (spgemm/numeric_search.cuh) or by such a table.
//
// Plans look up these indices once, where they may keep them: rows then have their sums in panels
// of shared memory (spgemm/numeric_panel.cuh). Where A and B are nodes of several rows with one
// pattern both phases go by node, in single multiplies too (spgemm/nodes.cuh), and where they
// nearly are (spgemm/nodes_with_gaps.cuh).

#include <heddle/backend.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/kept_memory.cuh>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/limits.hpp>
#include <heddle/cuda_native/spgemm/bin_choice.hpp>
#include <heddle/cuda_native/spgemm/dense_rows.cuh>
#include <heddle/cuda_native/spgemm/dense_rows_policy.hpp>
#include <heddle/cuda_native/spgemm/guarded_offsets.cuh>
#include <heddle/cuda_native/spgemm/kept_tiles.cuh>
#include <heddle/cuda_native/spgemm/kernels_without_tiles.cuh>
#include <heddle/cuda_native/spgemm/launches.cuh>
#include <heddle/cuda_native/spgemm/node_graphs.cuh>
#include <heddle/cuda_native/spgemm/nodes.cuh>
#include <heddle/cuda_native/spgemm/nodes_with_gaps.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/panel_policy.hpp>
#include <heddle/cuda_native/spgemm/panel_slots.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/row_bins.cuh>
#include <heddle/cuda_native/spgemm/symbolic.cuh>
#include <heddle/cuda_native/spgemm/terms.cuh>
#include <heddle/cuda_native/spgemm/tiles.cuh>
#include <heddle/cuda_native/spgemm/tiles_choice.cuh>
#include <heddle/cuda_native/spgemm/tiles_policy.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace heddle::cuda_native
{

template <class Exec, class A, class B>
struct SpgemmBinned
{
  static constexpr Backend backend = Backend::cuda_native;
  static constexpr char const* name = "cuda_native::binned";
  static constexpr bool is_supported =
      std::is_same_v<Exec, Kokkos::Cuda> && is_csr_matrix_v<A> && is_csr_matrix_v<B>;
  using Result = impl::SpgemmResult<A, B>;
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using FactorA = CsrView<typename A::value_type, Ordinal, typename A::offset_type>;
  using FactorB = CsrView<typename B::value_type, Ordinal, typename B::offset_type>;
  using Target = SpgemmTarget<typename Result::value_type, Ordinal, Offset>;
  using Call = SpgemmCall<FactorA, FactorB, Target>;
  using Others = KernelsWithoutTiles<A, B, typename Result::value_type>;
  using ByTiles = TilesChoice<A, B, Result, Others>;
  using Gaps = SpgemmNodesWithGaps<FactorA, FactorB, Result>;
  template <class T>
  using View = Kokkos::View<T*, typename Exec::memory_space>;

  struct State
  {
    impl::MismatchFlag<Exec> mismatch; // outlives what kernels use
    KeptMemory<ProductRow<Ordinal>> rows;
    KeptMemory<Ordinal> blocks, symbolic_list, numeric_list;
    SpgemmBins bins;
    SpgemmPanels<Ordinal> panels; // rows that are not in the numeric bins
    Gaps gaps;                    // all of A, B and C, if they are nearly nodes
    RecordedTerms terms;          // what is multiplied for each entry of C, if the plan keeps it
    impl::Verdict has_terms = false;
    SpgemmTiles<KeptMemory> tiles; // all of A, B and C, if they pay
    impl::Verdict has_tiles = false;
    DenseRowsShape dense_rows; // of all rows, if they are taken so
    impl::SpgemmPattern<Result> pattern;
    FactorFingerprints fingerprints; // where columns are not kept
    SpgemmAccumulator accumulator = SpgemmAccumulator::automatic;
    bool is_deterministic = false;

    std::size_t bytes() const
    {
      return rows.bytes() + blocks.bytes() + symbolic_list.bytes() + numeric_list.bytes() +
             panels.bytes() + gaps.bytes() + terms.bytes() + tiles.bytes() + pattern.bytes();
    }
    bool is_repeatable() const
    {
      return is_deterministic || terms.are_there() || tiles.are_there() || gaps.are_there() ||
             has_dense_rows() || is_in_order();
    }
    bool has_dense_rows() const { return dense_rows.lanes > 0; }
    bool is_by_node() const { return panels.are_there() && panels.size > 1; }
    // Whether no row has sums by atomics.
    bool is_in_order() const
    {
      return is_by_node() || panels.rows() + merged_rows(numeric_groups, bins.numeric) ==
                                 static_cast<std::int64_t>(rows.size());
    }
    std::string describe() const
    {
      if (tiles.are_there())
        return std::string(to_string(accumulator)) + " accumulator; " + tiles.describe();
      if (gaps.are_there())
        return std::string(to_string(accumulator)) + " accumulator; " + gaps.describe() +
               describe_no_tiles();
      if (has_dense_rows())
        return std::string(to_string(accumulator)) + " accumulator; " +
               cuda_native::describe(dense_rows) + "; sums in order" +
               (terms.are_there() ? ", of terms that are kept" : describe_no_terms()) +
               describe_no_tiles();
      return std::string(to_string(accumulator)) + " accumulator; " +
             (panels.are_there() ? panels.describe() + "; " : "") +
             (is_by_node() ? ""
                           : "rows by bin: " + describe_bins(numeric_groups, bins.numeric) + "; ") +
             "sums " + (is_repeatable() ? "in order" : "by atomics where threads share a row") +
             (terms.are_there() ? ", of terms that are kept" : describe_no_terms()) +
             describe_no_tiles() +
             (pattern.keeps_columns ? "" : "; columns are found again by each call");
    }
    std::string describe_no_terms() const
    {
      std::string const reason = has_terms.reason();
      return reason.empty() ? "" : "; no terms are kept: " + reason;
    }
    std::string describe_no_tiles() const
    {
      std::string const reason = has_tiles.reason();
      return reason.empty() ? "" : "; no tiles: " + reason;
    }
  };

  static impl::Verdict can_run(Exec const& exec, A const& a, B const& b,
                               SpgemmOptions const& options)
  {
    if (!has_short_products(static_cast<std::int64_t>(b.num_cols()), b.nnz()))
      return {false, "B has % columns and % entries: rows of C are numbered in 32 bits",
              b.num_cols(), b.nnz()};
    if (!has_short_rows(exec, a) || !has_short_rows(exec, b))
      return {false, "a row of A or B has more than % entries", most_entries_of_row};
    if (options.accumulator != SpgemmAccumulator::automatic && is_portable(options.accumulator))
      return {false, "the accumulator is one of portable kernels"};
    if (options.accumulator == SpgemmAccumulator::automatic && !impl::is_forced(options) &&
        bytes_by_row(a, b) > options.max_workspace_bytes)
      return {false, "what it keeps for each row takes % bytes, max_workspace_bytes is %",
              bytes_by_row(a, b), options.max_workspace_bytes};
    return true;
  }

  static State analyze(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    auto const rows = static_cast<std::size_t>(a.num_rows());
    std::size_t const room = room_beside(a, b, options);
    State state;
    state.mismatch = impl::MismatchFlag<Exec>::make();
    state.is_deterministic = options.deterministic;
    state.accumulator = options.accumulator;
    std::int64_t const calls =
        options.expected_calls > 0 ? options.expected_calls : spgemm_tiles_policy.assumed_calls;
    state.dense_rows = choose_dense_rows(dense_rows_of(a, b), options, room, device_shape(exec));
    Others const others(exec, a, b, options, spgemm_panel_policy.least_entries_of_plan,
                        sums_of_dense_rows(a, b, state.dense_rows), calls);
    ByTiles const by_tiles{exec, a, b, options, is_one_matrix(a, b), others, calls};
    if (auto product = by_tiles.find({.room = room, .is_whole = false}, state.has_tiles))
    {
      state.tiles = kept(exec, product->tiles);
      state.pattern = std::move(product->pattern);
      exec.fence("heddle::spgemm::binned");
      return state;
    }
    if (state.has_dense_rows())
    {
      analyze_dense_rows(exec, a, b, options, room, state);
      exec.fence("heddle::spgemm::binned");
      return state;
    }
    int const size = others.node_size();
    bool const have_nodes = size > 1 || others.nodes_with_gaps().size > 1;
    bool const may_be_few = have_nodes && terms_may_beat_nodes(sizes_of(a, b), options);
    auto const take_nodes = [&] {
      if (size == 1)
        return take_gaps(exec, a, b, others, room, state);
      auto nodes = multiply_nodes(exec, a, b, size, room, false);
      if (!nodes)
        return false;
      state.panels = std::move(nodes->panels);
      state.pattern = std::move(nodes->pattern);
      exec.fence("heddle::spgemm::binned");
      return true;
    };
    if (have_nodes && !may_be_few && take_nodes())
      return state;
    state.rows = {exec, rows};
    state.blocks = {exec, rows};
    state.symbolic_list = {exec, rows};
    // Scratch, because dropping kept memory waits for every instance.
    impl::Scratch<Ordinal, Exec> const numeric_list(exec, rows);
    Call call = call_of(exec, state, a, b);
    call.by_row.numeric_list = numeric_list.data();
    SymbolicResult<Result> const found = symbolic_phase<Result>(
        call,
        {.sizes = sizes_of(a, b), .room = room, .is_whole = false, .may_have_one_pass = false});
    state.bins = found.bins;
    state.pattern = found.pattern;
    if (!state.bins.is_one_list)
    {
      state.numeric_list = {exec, rows};
      Kokkos::deep_copy(exec, state.numeric_list.view(), numeric_list.view());
    }
    if (!state.pattern.keeps_columns)
      state.fingerprints = {impl::fingerprint(exec, a), impl::fingerprint(exec, b)};
    bool const are_few = may_be_few && state.pattern.products <= spgemm_terms_policy.few_products;
    if (may_be_few && !are_few && take_nodes())
      return state;
    state.has_terms = wants_terms(exec, a, b, options, state);
    if (are_few && !state.has_terms && take_nodes())
      return state;
    if (state.has_terms)
      record(exec, a, b, room, state);
    if (!state.terms.are_there() && wants_panels(exec, a, options, state))
      find_panels(exec, a, b, room, state);
    exec.fence("heddle::spgemm::binned");
    return state;
  }

  static void run(Exec const& exec, State const& state, A const& a, B const& b, Result const& c)
  {
    state.mismatch.require_none("spgemm");
    Call call = call_of(exec, state, a, b);
    // C's own offsets and columns may be the same, or not be there.
    Target target{state.pattern.row_offsets.data(), state.pattern.columns.data(), c.values().data(),
                  state.mismatch.report()};
    std::optional<GuardedOffsets<A>> guarded;
    if (!state.pattern.keeps_columns)
    {
      guarded.emplace(exec, state.fingerprints, a, b, target.report);
      call.a.offsets = guarded->data();
      target.columns = c.columns().data();
      PlacingSink<Ordinal, Offset> const sink{nullptr, target.offsets, c.columns().data()};
      launch_symbolic(call, state.bins.symbolic, {}, sink, sink);
    }
    if (state.tiles.are_there())
      return sum_tiles(exec, a, b, target, state.tiles);
    if (state.gaps.are_there())
      return sum_nodes_with_gaps(exec, call.a, call.b, target, state.gaps);
    if (state.terms.are_there())
      return sum_terms(exec, call.a, call.b, target, state.terms);
    if (state.has_dense_rows())
      return DenseRows<typename Result::value_type, Ordinal>(
                 exec, call.a, call.b, dense_rows_of(a, b), state.dense_rows, true)
          .gather(target);
    if (state.panels.are_there())
      sum_in_panels(exec, call.a, call.b, target, state.panels);
    if (!state.is_by_node())
      sum(call, state.bins.numeric, state.is_deterministic, target, nullptr);
  }

  // Both phases at once: nothing is kept beside C.
  static Result multiply(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    auto const rows = static_cast<std::size_t>(a.num_rows());
    std::size_t const room = room_beside(a, b, options);
    DenseRowsShape const shape =
        choose_dense_rows(dense_rows_of(a, b), options, room, device_shape(exec));
    bool const has_dense_rows = shape.lanes > 0;
    Others const others(exec, a, b, options, spgemm_panel_policy.least_entries_of_call,
                        sums_of_dense_rows(a, b, shape), 1);
    ByTiles const by_tiles{exec, a, b, options, is_one_matrix(a, b), others, 1};
    impl::Verdict has_tiles;
    if (auto const product = by_tiles.find({.room = room, .is_whole = true}, has_tiles))
      return product_of_tiles(exec, a, b, *product);
    if (has_dense_rows)
      return product_of_dense_rows<Result>(exec, csr_view(a), csr_view(b), dense_rows_of(a, b),
                                           shape);
    if (int const size = others.node_size(); size > 1)
      if (auto const nodes = multiply_nodes(exec, a, b, size, room, true))
        return product_of_nodes(exec, a, b, *nodes);
    if (auto const nodes = multiply_nodes_with_gaps(exec, a, b, others, room, true))
      return product_of_nodes_with_gaps(exec, a, b, *nodes);
    impl::Scratch<ProductRow<Ordinal>, Exec> const of_rows(exec, rows);
    impl::Scratch<Ordinal, Exec> const ordinals(exec, 3 * rows);
    Call call{
        exec,
        by_row(options.accumulator),
        csr_view(a),
        csr_view(b),
        {of_rows.data(), ordinals.data(), ordinals.data() + rows, ordinals.data() + 2 * rows}};
    SymbolicResult<Result> const found = symbolic_phase<Result>(
        call, {.sizes = sizes_of(a, b),
               .room = room,
               .is_whole = true,
               .may_have_one_pass = !options.deterministic &&
                                    by_row(options.accumulator) == SpgemmAccumulator::automatic});
    if (found.bins.is_one_list)
      call.by_row.numeric_list = call.by_row.symbolic_list;
    auto const& pattern = found.pattern;
    Result const c(a.num_rows(), b.num_cols(), pattern.row_offsets, pattern.columns, found.values);
    Target const target{c.row_offsets().data(), c.columns().data(), c.values().data()};
    sum(call, found.bins.numeric, options.deterministic, target, pattern.columns.data());
    return c;
  }

private:
  // The columns of C by dense rows, and what calls go by. Waits for exec.
  static void analyze_dense_rows(Exec const& exec, A const& a, B const& b,
                                 SpgemmOptions const& options, std::size_t room, State& state)
  {
    DenseRowsSizes const sizes = dense_rows_of(a, b);
    state.pattern =
        multiply_dense_rows<Result>(exec, csr_view(a), csr_view(b), sizes, state.dense_rows, false)
            .pattern;
    if (dense_rows_beat_terms(sizes, state.dense_rows))
      return;
    state.has_terms = wants_terms(exec, a, b, options, state);
    if (state.has_terms)
      record(exec, a, b, room, state);
  }

  static Call call_of(Exec const& exec, State const& state, A const& a, B const& b)
  {
    return {exec,
            by_row(state.accumulator),
            csr_view(a),
            csr_view(b),
            {state.rows.data(), state.blocks.data(), state.symbolic_list.data(),
             (state.bins.is_one_list ? state.symbolic_list : state.numeric_list).data()}};
  }

  // Sums that groups of dense rows hand on; none where rows of C are not dense.
  static std::optional<double> sums_of_dense_rows(A const& a, B const& b,
                                                  DenseRowsShape const& shape)
  {
    return shape.lanes > 0 ? std::optional(handed_on(dense_rows_of(a, b), shape)) : std::nullopt;
  }
  static DenseRowsSizes dense_rows_of(A const& a, B const& b)
  {
    return {sizes_of(a, b), static_cast<std::int64_t>(b.num_cols()),
            sizeof(typename Result::value_type), sizeof(Ordinal)};
  }

  struct NodeProduct
  {
    impl::SpgemmPattern<Result> pattern;
    SpgemmPanels<Ordinal> panels;
  };
  // The product of two node graphs, and panels for it, if there is room. Waits for exec.
  static std::optional<NodeGraphProduct<Result>> multiply_graphs(Exec const& exec, FactorA const& a,
                                                                 FactorB const& b,
                                                                 FactorSizes const& sizes, int size,
                                                                 std::size_t room)
  {
    return multiply_node_graphs<Result, Call>(
        exec, a, b, sizes, size, room,
        [](Call const& call, FactorSizes const& of_graphs, std::size_t left) {
          return symbolic_phase<Result>(call, {.sizes = of_graphs,
                                               .room = left,
                                               .is_whole = false,
                                               .may_have_one_pass = false})
              .pattern;
        });
  }
  // The symbolic phase by nodes of this size, which all rows of A and B are, and the slots of the
  // numeric one. Nothing if a row of C is too long for a panel or `room` too small. Waits.
  static std::optional<NodeProduct> multiply_nodes(Exec const& exec, A const& a, B const& b,
                                                   int size, std::size_t room, bool is_whole)
  {
    FactorSizes const sizes = sizes_of(a, b);
    if (NodeGraph<FactorA>::bytes_of(sizes.nnz_a, size) +
            NodeGraph<FactorB>::bytes_of(sizes.nnz_b, size) >
        room)
      return {};
    NodeGraph<FactorA> const graph_a(exec, csr_view(a), sizes.nnz_a, size);
    std::optional<NodeGraph<FactorB>> other;
    if (!is_one_matrix(a, b))
      other.emplace(exec, csr_view(b), sizes.nnz_b, size);
    FactorB graph_b;
    if constexpr (std::is_same_v<FactorA, FactorB>)
      graph_b = other ? other->view() : graph_a.view();
    else
      graph_b = other->view();
    std::int64_t const of_node = static_cast<std::int64_t>(size) * size;
    FactorSizes const of_graphs{sizes.rows_a / size, sizes.nnz_a / of_node, sizes.rows_b / size,
                                sizes.nnz_b / of_node};
    auto graph = multiply_graphs(exec, graph_a.view(), graph_b, of_graphs, size, room);
    if (!graph)
      return {};
    NodeProduct product{{}, std::move(graph->panels)};
    SpgemmPanels<Ordinal>& panels = product.panels;
    std::int64_t const slots = graph->pattern.products;
    auto& pattern = product.pattern;
    pattern.nnz = graph->pattern.nnz * static_cast<std::size_t>(of_node);
    pattern.products = slots * of_node * size;
    impl::require_offsets_hold<Offset>(static_cast<std::int64_t>(pattern.nnz));
    std::size_t const kept = panels.bytes() +
                             static_cast<std::size_t>(slots) * sizeof(std::uint16_t) +
                             (is_whole ? 0 : pattern.nnz * sizeof(Ordinal));
    if (kept > room)
      return {};
    using Offsets = Kokkos::View<Offset*, typename Result::memory_space>;
    Offsets const row_offsets = impl::uninitialized<Offsets>(
        exec, "heddle::row_offsets", static_cast<std::size_t>(sizes.rows_a) + 1);
    pattern.columns = impl::uninitialized<View<Ordinal>>(
        exec, is_whole ? "heddle::columns" : "heddle::spgemm::columns", pattern.nnz);
    pattern.row_offsets = row_offsets;
    expand_nodes(exec, of_graphs.rows_a, graph->pattern.row_offsets.data(),
                 graph->pattern.columns.data(), size, row_offsets.data(), pattern.columns.data());
    find_panel_slots(exec, graph_a.view(), graph_b, graph->pattern.row_offsets.data(),
                     graph->pattern.columns.data(), slots, panels);
    return product;
  }
  // C, which has the pattern; sum(target) for its values. Asynchronous if that is.
  template <class Sum>
  static Result result_of(Exec const& exec, A const& a, B const& b,
                          impl::SpgemmPattern<Result> const& pattern, Sum const& sum)
  {
    Result const c(
        a.num_rows(), b.num_cols(), pattern.row_offsets, pattern.columns,
        impl::uninitialized<typename Result::values_view>(exec, "heddle::values", pattern.nnz));
    sum(Target{c.row_offsets().data(), c.columns().data(), c.values().data()});
    return c;
  }
  // Waits for exec: panels are dropped.
  static Result product_of_nodes(Exec const& exec, A const& a, B const& b, NodeProduct const& nodes)
  {
    return result_of(exec, a, b, nodes.pattern, [&](Target const& c) {
      sum_in_panels(exec, csr_view(a), csr_view(b), c, nodes.panels);
      exec.fence("heddle::spgemm::binned");
    });
  }

  // The symbolic phase by nodes with gaps, if a sample has found some that pay. Waits for exec.
  static std::optional<ProductWithGaps<FactorA, FactorB, Result>>
  multiply_nodes_with_gaps(Exec const& exec, A const& a, B const& b, Others const& others,
                           std::size_t room, bool is_whole)
  {
    NodesWithGaps const sampled = others.nodes_with_gaps();
    if (sampled.size == 1)
      return {};
    return cuda_native::multiply_nodes_with_gaps<Result>(
        exec, csr_view(a), csr_view(b), is_one_matrix(a, b), sampled.size,
        others.question_of_gaps(), room, is_whole,
        [&](FactorA const& graph_a, FactorB const& graph_b, FactorSizes const& sizes, int size,
            std::size_t left) {
          return multiply_graphs(exec, graph_a, graph_b, sizes, size, left);
        });
  }
  // The same for a plan, if it does. Waits for exec.
  static bool take_gaps(Exec const& exec, A const& a, B const& b, Others const& others,
                        std::size_t room, State& state)
  {
    auto product = multiply_nodes_with_gaps(exec, a, b, others, room, false);
    if (!product)
      return false;
    state.gaps = std::move(product->nodes);
    state.pattern = std::move(product->pattern);
    exec.fence("heddle::spgemm::binned");
    return true;
  }
  // Waits for exec: what is kept of nodes is dropped.
  static Result product_of_nodes_with_gaps(Exec const& exec, A const& a, B const& b,
                                           ProductWithGaps<FactorA, FactorB, Result> const& product)
  {
    return result_of(exec, a, b, product.pattern, [&](Target const& c) {
      sum_nodes_with_gaps(exec, csr_view(a), csr_view(b), c, product.nodes);
      exec.fence("heddle::spgemm::binned");
    });
  }

  // Entries of the rows of B that a row of C takes, on average.
  static double entries_of_b(A const& a, impl::SpgemmPattern<Result> const& pattern)
  {
    return static_cast<double>(pattern.products) / static_cast<double>(a.nnz());
  }
  // Whether single rows of a plan are to have panels.
  static bool wants_panels(Exec const& exec, A const& a, SpgemmOptions const& options,
                           State const& state)
  {
    auto const& pattern = state.pattern;
    if (by_row(options.accumulator) != SpgemmAccumulator::automatic || !pattern.keeps_columns ||
        pattern.products == 0)
      return false;
    std::int64_t const rows = rows_with_panels(state.bins.numeric);
    return options.accumulator == SpgemmAccumulator::row_panels ||
           panels_pay(device_shape(exec), rows, static_cast<std::int64_t>(a.num_rows()) - rows,
                      entries_of_b(a, pattern));
  }
  // Panels of the rows of some bins, if there is room for their slots beside the columns: by
  // themselves as many bytes as C has, where they are asked for half of the device's free memory.
  static void find_panels(Exec const& exec, A const& a, B const& b, std::size_t room, State& state)
  {
    using Sum = typename Result::value_type;
    auto const& pattern = state.pattern;
    SpgemmPanels<Ordinal> panels;
    RowBins left = state.bins.numeric;
    take_rows_to_panels<Sum>(exec, left, state.numeric_list.data(), pattern.row_offsets.data(),
                             entries_of_b(a, pattern), panels); // waits
    if (!panels.are_there())
      return;
    set_slot_offsets(exec, static_cast<std::size_t>(a.num_rows()), state.rows.data(), panels);
    std::int64_t const slots = last_of(exec, panels.offsets.view()); // waits
    std::size_t const needed = static_cast<std::size_t>(slots) * sizeof(std::uint16_t);
    std::size_t const most = state.accumulator == SpgemmAccumulator::row_panels
                                 ? impl::available_bytes(exec) / 2
                                 : bytes_of_entries<Result>(pattern.nnz);
    std::size_t const beside = pattern.nnz * sizeof(Ordinal) + panels.bytes();
    if (needed > std::min(room - std::min(room, beside), most))
      return;
    find_panel_slots(exec, csr_view(a), csr_view(b), pattern.row_offsets.data(),
                     pattern.columns.data(), slots, panels);
    state.panels = std::move(panels);
    state.bins.numeric = left;
  }

  // The numeric phase by tiles. Asynchronous.
  static void sum_tiles(Exec const& exec, A const& a, B const& b, Target const& c,
                        SpgemmTiles<KeptMemory> const& tiles)
  {
    if constexpr (ByTiles::has_real_values)
      sum_in_tiles(
          exec, static_cast<std::int64_t>(a.num_rows()), c, tiles,
          TileValues(exec, csr_view(a), static_cast<std::int64_t>(a.nnz()), csr_view(b), tiles));
  }
  // Asynchronous.
  static Result product_of_tiles(Exec const& exec, A const& a, B const& b,
                                 TiledProduct<Result> const& product)
  {
    return result_of(exec, a, b, product.pattern, [&](Target const& c) {
      if constexpr (ByTiles::has_real_values)
        sum_in_tiles(exec, static_cast<std::int64_t>(a.num_rows()), c, product.tiles,
                     *product.values);
    });
  }

  // What is kept for each row of A and B.
  static std::size_t bytes_by_row(A const& a, B const& b)
  {
    return static_cast<std::size_t>(a.num_rows()) *
               (sizeof(ProductRow<Ordinal>) + 4 * sizeof(Ordinal) + sizeof(std::int64_t)) +
           static_cast<std::size_t>(b.num_rows()) * sizeof(FactorRow<Ordinal>) +
           sizeof(SpgemmCounters);
  }
  // Bytes that the cap leaves for columns and words beside that.
  static std::size_t room_beside(A const& a, B const& b, SpgemmOptions const& options)
  {
    std::size_t const needed = bytes_by_row(a, b);
    if (needed > options.max_workspace_bytes)
      throw OutOfMemory("heddle::spgemm: rows of A and B need " + std::to_string(needed) +
                            " bytes, " + std::to_string(options.max_workspace_bytes) +
                            " are allowed",
                        needed, options.max_workspace_bytes);
    return options.max_workspace_bytes - needed;
  }

  // Whether rows of the numeric phase are merged, but for fewer that are searched.
  static bool are_merged(RowBins const& bins)
  {
    auto const rows = [&](int first, int end) {
      return rows_of_bins(bins, first, end - first).count;
    };
    return rows(NumericBin::table, NumericBin::count) == 0 &&
           rows(NumericBin::merged, NumericBin::table) >
               rows(NumericBin::searched, NumericBin::merged);
  }
  // Columns and values.
  template <class Matrix>
  static std::size_t bytes_of_entries(std::size_t entries)
  {
    return entries * (sizeof(typename Matrix::value_type) + sizeof(Ordinal));
  }
  static TermsSizes terms_of(A const& a, impl::SpgemmPattern<Result> const& pattern)
  {
    return {static_cast<std::int64_t>(a.nnz()), static_cast<std::int64_t>(pattern.nnz),
            pattern.products};
  }
  // Whether there may be so few products that terms are faster than nodes, for as many calls as
  // repay them.
  static bool terms_may_beat_nodes(FactorSizes const& sizes, SpgemmOptions const& options)
  {
    return options.accumulator == SpgemmAccumulator::automatic && !options.deterministic &&
           (options.reuse || repays_terms(options.expected_calls)) &&
           may_have_few_products(sizes.nnz_a, sizes.rows_b, sizes.nnz_b);
  }
  // Whether a plan is to keep terms: asked for, or because calls repay them.
  static impl::Verdict wants_terms(Exec const& exec, A const& a, B const& b,
                                   SpgemmOptions const& options, State const& state)
  {
    auto const& pattern = state.pattern;
    constexpr std::size_t most_entries = std::numeric_limits<std::uint32_t>::max();
    if (!pattern.keeps_columns || pattern.products == 0)
      return false;
    if (a.nnz() > most_entries || b.nnz() > most_entries)
      return {false, "A and B have % and % entries, they number %", a.nnz(), b.nnz(), most_entries};
    if (options.reuse)
      return true;
    if (options.accumulator != SpgemmAccumulator::automatic)
      return false;
    if (options.deterministic)
      return {false, "sums are to be those of a single multiply, which `reuse` would give up"};
    return terms_pay(device_shape(exec),
                     {.expected_calls = options.expected_calls,
                      .rows = static_cast<std::int64_t>(a.num_rows()),
                      .nnz_a = static_cast<std::int64_t>(a.nnz()),
                      .products = pattern.products,
                      .nnz = static_cast<std::int64_t>(pattern.nnz),
                      .are_merged = !state.has_dense_rows() && are_merged(state.bins.numeric),
                      .bytes = terms_of(a, pattern).bytes_kept(sizeof(std::uint16_t)),
                      .bytes_of_matrices = bytes_of_entries<A>(a.nnz()) +
                                           bytes_of_entries<B>(b.nnz()) +
                                           bytes_of_entries<Result>(pattern.nnz)});
  }
  // The terms of C's entries, if there is room for them beside the columns, and if they leave half
  // of the device's free memory to others.
  static void record(Exec const& exec, A const& a, B const& b, std::size_t room, State& state)
  {
    auto const& pattern = state.pattern;
    Target const target{pattern.row_offsets.data(), pattern.columns.data(), nullptr};
    TermsSizes const sizes = terms_of(a, pattern);
    std::size_t const beside = room - std::min(room, pattern.nnz * sizeof(Ordinal));
    std::size_t const allowed = sizes.most_bytes() <= impl::small_allocation
                                    ? beside
                                    : std::min(beside, impl::available_bytes(exec) / 2);
    if (auto terms = recorded_terms(exec, csr_view(a), csr_view(b), target, sizes, allowed))
      state.terms = std::move(*terms);
    else
      state.has_terms = {false, "they, and finding them, take more than the % bytes there are",
                         allowed};
  }

  static void sum(Call const& call, RowBins const& bins, bool in_order, Target const& c,
                  Ordinal* merged_columns)
  {
    if (in_order)
      launch_numeric<true>(call, bins, c, merged_columns);
    else
      launch_numeric<false>(call, bins, c, merged_columns);
  }
};

} // namespace heddle::cuda_native
