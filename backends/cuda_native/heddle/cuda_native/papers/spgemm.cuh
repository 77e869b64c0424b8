// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The native implementation of SpGEMM that only comparisons with papers name: HybridSparse and
// HybridSparse_dvw of paper 003, VII, and its scatter vectors alone. Rows are sorted into bins
// once, by the products they have and the columns these lie between
// (papers/spgemm_scatter_policy.hpp); both phases take them by these bins
// (papers/spgemm_scatter_kernels.cuh). The counting pass keeps the columns it finds in memory of
// the call until rows have offsets in C.
//
// Beside the paper, whose scatter vectors are in memory and as wide as B: vectors are as wide as
// the row and in shared memory, and the pool that a column takes a slot from is the row of C.

#include <heddle/backend.hpp>
#include <heddle/csr_matrix.hpp>
#include <heddle/cuda_native/device/kept_memory.cuh>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/papers/spgemm_scatter_kernels.cuh>
#include <heddle/cuda_native/papers/spgemm_scatter_policy.hpp>
#include <heddle/cuda_native/rows/bin_rows.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/limits.hpp>
#include <heddle/cuda_native/spgemm/guarded_offsets.cuh>
#include <heddle/cuda_native/spgemm/kept_columns.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/row_bins.cuh>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>
#include <heddle/cuda_native/spgemm/symbolic_sort.cuh>
#include <heddle/error.hpp>
#include <heddle/impl/dispatch.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/sum_of.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace heddle::cuda_native
{

static_assert(VirtualWarpBin::count <= most_row_bins);
static_assert(VirtualWarpBin::sorted_count == SpgemmPolicyFor::value.sorted_bins);
static_assert(spgemm_scatter_policy.most_sorted_entries <= SpgemmPolicyFor::value.sequence_entries);

// The bin of a row, for the passes that count and list rows.
template <class A>
struct VirtualWarpBinOf
{
  using Row = ProductRow<typename A::ordinal_type>;
  VirtualWarpChoice choice;
  Row const* rows;
  typename A::offset_type const* offsets;

  __device__ int bin_of(std::int64_t i, Row const& row) const
  {
    return choice.bin_of({static_cast<std::int64_t>(offsets[i + 1] - offsets[i]),
                          static_cast<std::int64_t>(row.products),
                          static_cast<std::int64_t>(row.width), span_of(row)});
  }
  __device__ int bin_of(std::int64_t i) const { return bin_of(i, rows[i]); }
  __device__ bool is_short(int) const { return false; }
};

// What both phases read of a multiply, with the rows of each bin.
template <class FactorA, class FactorB, class Value, class COffset>
struct VirtualWarpCall
{
  using A = FactorA;
  using B = FactorB;
  using Ordinal = typename A::ordinal_type;
  using Offset = COffset;
  using Sum = Value;

  Kokkos::Cuda const& exec;
  VirtualWarpChoice choice;
  A a;
  B b;
  ProductRow<Ordinal> const* rows;
  Ordinal const* list;
  RowBins bins;

  // launch_size(std::integral_constant of threads, of whether rows of B come in turn, grid, rows,
  // how many, words) for each bin of scattered rows that there are, those of long rows first.
  // bytes_of_word: of a scatter vector.
  template <class Launch>
  void for_each_scattered(int bytes_of_word, Launch const& launch_size) const
  {
    for_bins_down<VirtualWarpBin::side_by_side_count>([&]<int n>(BinIndex<n>) {
      constexpr int size = n + VirtualWarpSizes::first_side_by_side;
      take<size, false>(launch_size, VirtualWarpBin::side_by_side + n,
                        VirtualWarpSizes::words(size), bytes_of_word);
    });
    for_bins_down<VirtualWarpBin::in_turn_count>([&]<int size>(BinIndex<size>) {
      take<size, true>(launch_size, VirtualWarpBin::in_turn + size, VirtualWarpSizes::words(size),
                       bytes_of_word);
      if (size == VirtualWarpSizes::least_of(choice.threads))
        take<size, true>(launch_size, VirtualWarpBin::wide, static_cast<int>(choice.wide_words),
                         bytes_of_word);
    });
  }
  int launches() const
  {
    int count = 1; // of sorted rows
    for (int n = VirtualWarpBin::in_turn; n < VirtualWarpBin::count; ++n)
      count += bins.ranges[static_cast<std::size_t>(n)].count > 0 ? 1 : 0;
    return count;
  }

private:
  template <int size, bool in_turn, class Launch>
  void take(Launch const& launch_size, int row_bin, int words, int bytes_of_word) const
  {
    RowRange const range = bins.ranges[static_cast<std::size_t>(row_bin)];
    if (range.count == 0)
      return;
    constexpr int threads = VirtualWarpSizes::threads(size), block = spgemm_scatter_block(threads);
    constexpr int warps = block / threads;
    Grid grid{blocks_for(range.count, warps), block};
    grid.shared_bytes = static_cast<std::size_t>(words * bytes_of_word * warps);
    launch_size(std::integral_constant<int, threads>{}, std::bool_constant<in_turn>{}, grid,
                list + range.first, range.count, words);
  }
};

// Columns of all rows to the sink. Asynchronous.
template <class Call, class Sink>
void find_scattered(Call const& call, Sink const& sink)
{
  SideStreams side(call.exec, call.launches());
  call.for_each_scattered(sizeof(std::uint32_t), [&]<int threads, bool in_turn>(
                                                     std::integral_constant<int, threads>,
                                                     std::bool_constant<in_turn>, Grid const& grid,
                                                     auto const* list, std::int64_t listed,
                                                     int words) {
    launch(side, "heddle::spgemm::scatter::find",
           spgemm_scatter_find_kernel<threads, in_turn, typename Call::A, typename Call::B, Sink>,
           grid, call.a, call.b, call.rows, list, listed, call.choice, words, sink);
  });
  find_sorted(side, call.a, call.b, call.rows, call.list, call.bins, VirtualWarpBin::sorted, sink);
}

// Sums of all rows to C. Asynchronous.
template <class Call, class C>
void sum_scattered(Call const& call, C const& c)
{
  SideStreams side(call.exec, call.launches());
  call.for_each_scattered(
      sizeof(RankedWord), [&]<int threads, bool in_turn>(
                              std::integral_constant<int, threads>, std::bool_constant<in_turn>,
                              Grid const& grid, auto const* list, std::int64_t listed, int words) {
        launch(side, "heddle::spgemm::scatter::sum",
               spgemm_scatter_sum_kernel<threads, in_turn, typename Call::A, typename Call::B, C>,
               grid, call.a, call.b, c, call.rows, list, listed, call.choice, words);
      });
  SortedBlocks const blocks = blocks_of_sorted(call.bins, VirtualWarpBin::sorted);
  launch(side, "heddle::spgemm::scatter::sum_sorted",
         spgemm_sum_sorted_kernel<typename Call::A, typename Call::B, C>,
         Grid{blocks.blocks(), SpgemmPolicyFor::value.shared_block}, call.a, call.b, c, call.rows,
         call.list, blocks);
}

template <class Exec, class A, class B>
struct SpgemmScatterOrEsc
{
  static constexpr Backend backend = Backend::cuda_native;
  static constexpr char const* name = "cuda_native::scatter_or_esc";
  static constexpr bool is_supported =
      std::is_same_v<Exec, Kokkos::Cuda> && is_csr_matrix_v<A> && is_csr_matrix_v<B>;
  using Result = impl::SpgemmResult<A, B>;
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using FactorA = CsrView<typename A::value_type, Ordinal, typename A::offset_type>;
  using FactorB = CsrView<typename B::value_type, Ordinal, typename B::offset_type>;
  using Sum = typename Result::value_type;
  using Target = SpgemmTarget<Sum, Ordinal, Offset>;
  using Call = VirtualWarpCall<FactorA, FactorB, Sum, Offset>;

  struct State
  {
    impl::MismatchFlag<Exec> mismatch; // outlives what kernels use
    KeptMemory<ProductRow<Ordinal>> rows;
    KeptMemory<Ordinal> list; // rows by bin
    RowBins bins;
    std::optional<VirtualWarpChoice> choice;
    impl::SpgemmPattern<Result> pattern;
    FactorFingerprints fingerprints; // where columns are not kept

    std::size_t bytes() const { return rows.bytes() + list.bytes() + pattern.bytes(); }
    std::int64_t rows_of(int first, int count) const
    {
      std::int64_t rows_of_bins = 0;
      for (int n = first; n < first + count; ++n)
        rows_of_bins += bins.ranges[static_cast<std::size_t>(n)].count;
      return rows_of_bins;
    }
    bool is_repeatable() const
    {
      return rows_of(VirtualWarpBin::side_by_side, VirtualWarpBin::side_by_side_count) == 0;
    }
    std::string describe() const
    {
      std::string text =
          "rows: " + std::to_string(rows_of(VirtualWarpBin::sorted, VirtualWarpBin::sorted_count)) +
          " expanded and sorted in registers; ";
      std::string sizes;
      for (int size = 0; size < VirtualWarpSizes::count; ++size)
      {
        bool const is_asked_for = choice && choice->threads == VirtualWarpSizes::threads(size);
        text += (size > 0 ? ", " : "") +
                std::to_string(rows_of(VirtualWarpBin::in_turn + size, 1) +
                               (is_asked_for ? rows_of(VirtualWarpBin::wide, 1) : 0));
        if (size >= VirtualWarpSizes::first_side_by_side)
          text += "+" + std::to_string(rows_of(VirtualWarpBin::side_by_side + size -
                                                   VirtualWarpSizes::first_side_by_side,
                                               1));
        sizes += (size > 0 ? ", " : "") + std::to_string(VirtualWarpSizes::threads(size));
      }
      return text + " scattered with " + sizes +
             " threads each, + with groups of these side by side; sums " +
             (is_repeatable() ? "in order" : "by atomics where groups share a row") +
             (pattern.keeps_columns ? "" : "; columns are found again by each call");
    }
  };

  static impl::Verdict can_run(Exec const& exec, A const& a, B const& b,
                               SpgemmOptions const& options)
  {
    bool const is_by_name = options.implementation == name;
    if (options.accumulator == SpgemmAccumulator::esc_global)
      return {false, "the accumulator is one of portable kernels"};
    if (options.accumulator < SpgemmAccumulator::scatter_vector_paper &&
        !(is_by_name && options.accumulator == SpgemmAccumulator::automatic))
      return {false, "it has no such accumulator"};
    if (!has_short_products(static_cast<std::int64_t>(b.num_cols()), b.nnz()))
      return {false, "B has % columns and % entries: rows of C are numbered in 32 bits",
              b.num_cols(), b.nnz()};
    if (!has_short_rows(exec, a) || !has_short_rows(exec, b))
      return {false, "a row of A or B has more than % entries", most_entries_of_row};
    if (!impl::is_forced(options) && bytes_by_row(a, b) > options.max_workspace_bytes)
      return {false, "what it keeps for each row takes % bytes, max_workspace_bytes is %",
              bytes_by_row(a, b), options.max_workspace_bytes};
    return true;
  }

  static State analyze(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    std::size_t const room = room_beside(a, b, options);
    auto const rows = static_cast<std::size_t>(a.num_rows());
    State state;
    state.mismatch = impl::MismatchFlag<Exec>::make();
    state.choice.emplace(options, static_cast<std::int64_t>(b.num_cols()));
    state.rows = {exec, rows};
    state.list = {exec, rows};
    DeviceCounters<Ordinal> const counters(exec, rows);
    bin(exec, a, b, counters, state);
    find_columns(exec, a, b, counters, room, state);
    if (!state.pattern.keeps_columns)
      state.fingerprints = {impl::fingerprint(exec, a), impl::fingerprint(exec, b)};
    exec.fence("heddle::spgemm::scatter_or_esc");
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
      find_scattered(call,
                     PlacingSink<Ordinal, Offset>{nullptr, target.offsets, c.columns().data()});
    }
    sum_scattered(call, target);
  }

private:
  static Call call_of(Exec const& exec, State const& state, A const& a, B const& b)
  {
    return {exec,        *state.choice,     csr_view(a),
            csr_view(b), state.rows.data(), state.list.data(),
            state.bins};
  }

  // Bounds of the rows of C, and rows by bin. Waits for exec.
  static void bin(Exec const& exec, A const& a, B const& b, DeviceCounters<Ordinal> const& counters,
                  State& state)
  {
    FactorA const view_a = csr_view(a);
    impl::Scratch<FactorRow<Ordinal>, Exec> const b_rows(exec,
                                                         static_cast<std::size_t>(b.num_rows()));
    SpgemmCounters* const on_device = counters.data();
    bound_factor_rows(exec, csr_view(b), static_cast<std::int64_t>(b.nnz()), b_rows.data(),
                      static_cast<ColumnWord<Ordinal>*>(nullptr), &on_device->all);
    VirtualWarpBinOf<FactorA> const bin_of{*state.choice, state.rows.data(), view_a.offsets};
    bound_product_rows(exec, view_a, static_cast<std::int64_t>(a.nnz()), b_rows.data(),
                       state.rows.data(), &on_device->all, bin_of, &on_device->symbolic);
    list_row_bins(exec, bin_of, view_a.rows, &on_device->symbolic, state.list.data());
    SpgemmCounters const found = counters.on_host();
    state.bins = RowBins(found.symbolic);
    state.pattern.products = static_cast<std::int64_t>(found.all.products);
  }

  // Row offsets of C, and its columns if `room` bytes are enough. Waits for exec.
  static void find_columns(Exec const& exec, A const& a, B const& b,
                           DeviceCounters<Ordinal> const& counters, std::size_t room, State& state)
  {
    auto const rows = static_cast<std::size_t>(a.num_rows());
    impl::SpgemmPattern<Result>& pattern = state.pattern;
    Call const call = call_of(exec, state, a, b);
    impl::Scratch<Ordinal, Exec> const blocks(exec, rows); // nobody asks for them
    KeptRoom const for_columns =
        kept_room<Ordinal, Sum>(static_cast<std::size_t>(pattern.products), 0, room);
    KeptColumns<Call> const kept{
        for_columns, {exec, for_columns.of_tables}, {exec, 0}, {exec, rows}};
    find_scattered(call, CountingSink<Ordinal>{counters.of_rows().data(), blocks.data(),
                                               kept.at.data(), kept.columns.data(),
                                               &counters.data()->kept, kept.room.of_tables, false});
    auto const offsets = impl::uninitialized<Kokkos::View<Offset*, typename Result::memory_space>>(
        exec, "heddle::row_offsets", rows + 1);
    offsets_from_counts(exec, counters.of_rows(), offsets);
    std::int64_t const nnz =
        std::in_range<Offset>(pattern.products)
            ? last_of(exec, offsets)
            : impl::sum_of(exec, "heddle::spgemm::scatter::entries", rows, counters.of_rows());
    impl::require_offsets_hold<Offset>(nnz);
    pattern.row_offsets = offsets;
    pattern.nnz = static_cast<std::size_t>(nnz);
    pattern.keeps_columns = (pattern.nnz + kept.room.of_tables) * sizeof(Ordinal) <= room;
    if (!pattern.keeps_columns)
      return;
    pattern.columns = impl::uninitialized<typename Result::columns_view>(
        exec, "heddle::spgemm::columns", pattern.nnz);
    PlacingSink<Ordinal, Offset> const sink{kept.at.data(), pattern.row_offsets.data(),
                                            pattern.columns.data()};
    move_kept_columns(call, kept, PlacingSumsSink<Ordinal, Offset, Sum>{sink, nullptr}, nnz);
    if (pattern.nnz > kept.room.of_tables) // else there was room for all of them
      find_scattered(call, sink);
  }

  // What is kept for each row of A and B.
  static std::size_t bytes_by_row(A const& a, B const& b)
  {
    return static_cast<std::size_t>(a.num_rows()) *
               (sizeof(ProductRow<Ordinal>) + 3 * sizeof(Ordinal) + 3 * sizeof(std::int64_t)) +
           static_cast<std::size_t>(b.num_rows()) * sizeof(FactorRow<Ordinal>) +
           sizeof(SpgemmCounters);
  }
  // Bytes that the cap leaves for columns beside that.
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
};

} // namespace heddle::cuda_native
