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

#include <heddle/backend.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/limits.hpp>
#include <heddle/cuda_native/spgemm/guarded_offsets.cuh>
#include <heddle/cuda_native/spgemm/launches.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/replay.cuh>
#include <heddle/cuda_native/spgemm/row_bins.cuh>
#include <heddle/cuda_native/spgemm/symbolic.cuh>
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
  template <class T>
  using View = Kokkos::View<T*, typename Exec::memory_space>;

  struct State
  {
    impl::MismatchFlag<Exec> mismatch; // outlives what kernels use
    View<ProductRow<Ordinal>> rows;
    View<Ordinal> blocks, symbolic_list, numeric_list;
    SpgemmBins bins;
    RecordedTerms terms; // with reuse: what is multiplied for each entry of C
    impl::SpgemmPattern<Result> pattern;
    FactorFingerprints fingerprints; // where columns are not kept
    SpgemmAccumulator accumulator = SpgemmAccumulator::automatic;
    bool is_deterministic = false;

    std::size_t bytes() const
    {
      return rows.span() * sizeof(ProductRow<Ordinal>) +
             (blocks.span() + symbolic_list.span() + numeric_list.span()) * sizeof(Ordinal) +
             terms.bytes() + pattern.bytes();
    }
    bool is_repeatable() const { return is_deterministic || terms.are_there() || is_merged(); }
    // Whether no row has sums by atomics.
    bool is_merged() const
    {
      return merged_rows(numeric_groups, bins.numeric) == static_cast<std::int64_t>(rows.extent(0));
    }
    std::string describe() const
    {
      return std::string(to_string(accumulator)) +
             " accumulator; rows by bin: " + describe_bins(numeric_groups, bins.numeric) +
             "; sums " + (is_repeatable() ? "in order" : "by atomics where threads share a row") +
             (terms.are_there() ? ", of terms that are kept" : "") +
             (pattern.keeps_columns ? "" : "; columns are found again by each call");
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
    state.rows = impl::uninitialized<View<ProductRow<Ordinal>>>(exec, "heddle::spgemm::rows", rows);
    state.blocks = impl::uninitialized<View<Ordinal>>(exec, "heddle::spgemm::blocks", rows);
    state.symbolic_list = impl::uninitialized<View<Ordinal>>(exec, "heddle::spgemm::list", rows);
    state.numeric_list = impl::uninitialized<View<Ordinal>>(exec, "heddle::spgemm::list", rows);
    SymbolicResult<Result> const found = symbolic_phase<Result>(
        call_of(exec, state, a, b),
        {.sizes = sizes_of(a, b), .room = room, .is_whole = false, .may_have_one_pass = false});
    state.bins = found.bins;
    state.pattern = found.pattern;
    if (state.bins.is_one_list)
      state.numeric_list = {};
    if (!state.pattern.keeps_columns)
      state.fingerprints = {impl::fingerprint(exec, a), impl::fingerprint(exec, b)};
    if (options.reuse && state.pattern.keeps_columns)
      record(exec, a, b, room, state);
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
    if (state.terms.are_there())
      return sum_terms(call, target, state.terms);
    sum(call, state.bins.numeric, state.is_deterministic, target, nullptr);
  }

  // Both phases at once: nothing is kept beside C.
  static Result multiply(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    auto const rows = static_cast<std::size_t>(a.num_rows());
    std::size_t const room = room_beside(a, b, options);
    impl::Scratch<ProductRow<Ordinal>, Exec> const of_rows(exec, rows);
    impl::Scratch<Ordinal, Exec> const ordinals(exec, 3 * rows);
    Call call{
        exec,
        options.accumulator,
        csr_view(a),
        csr_view(b),
        {of_rows.data(), ordinals.data(), ordinals.data() + rows, ordinals.data() + 2 * rows}};
    SymbolicResult<Result> const found = symbolic_phase<Result>(
        call, {.sizes = sizes_of(a, b),
               .room = room,
               .is_whole = true,
               .may_have_one_pass =
                   !options.deterministic && options.accumulator == SpgemmAccumulator::automatic});
    if (found.bins.is_one_list)
      call.by_row.numeric_list = call.by_row.symbolic_list;
    auto const& pattern = found.pattern;
    Result const c(a.num_rows(), b.num_cols(), pattern.row_offsets, pattern.columns, found.values);
    sum(call, found.bins.numeric, options.deterministic,
        {c.row_offsets().data(), c.columns().data(), c.values().data()}, pattern.columns.data());
    return c;
  }

private:
  static FactorSizes sizes_of(A const& a, B const& b)
  {
    return {static_cast<std::int64_t>(a.num_rows()), static_cast<std::int64_t>(a.nnz()),
            static_cast<std::int64_t>(b.num_rows()), static_cast<std::int64_t>(b.nnz())};
  }
  static Call call_of(Exec const& exec, State const& state, A const& a, B const& b)
  {
    return {exec,
            state.accumulator,
            csr_view(a),
            csr_view(b),
            {state.rows.data(), state.blocks.data(), state.symbolic_list.data(),
             (state.bins.is_one_list ? state.symbolic_list : state.numeric_list).data()}};
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

  // The terms of C's entries, if there is room for them beside the columns, and if they leave half
  // of the device's free memory to others.
  static void record(Exec const& exec, A const& a, B const& b, std::size_t room, State& state)
  {
    std::size_t const entries = state.pattern.nnz;
    std::int64_t const products = state.pattern.products;
    std::size_t const needed = RecordedTerms::bytes_to_record(entries, products);
    std::size_t const left = room - std::min(room, entries * sizeof(Ordinal));
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    if (products == 0 || needed > std::min(left, impl::available_bytes(exec) / 2) ||
        a.nnz() > most || b.nnz() > most)
      return;
    impl::require_available(exec, "spgemm", "what is kept for reuse", needed);
    Target const target{state.pattern.row_offsets.data(), state.pattern.columns.data(), nullptr};
    state.terms = recorded_terms(call_of(exec, state, a, b), target, entries, products);
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
