// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of heavy row segments and light rows after RS-SpMM (paper 000: Hong et al., HPDC 2018,
// Listings 1 to 5). The lanes of a warp are columns of B and C, 32 a slice, one, two or four slices
// a lane.
//
// Heavy segments are streamed vertically: a block brings a panel of B, as many rows as the panel
// has columns, to shared memory, its warps take one segment after another, each entry multiplies a
// row in shared memory, and the sums are added to C by atomics. A panel with many entries has
// several blocks. Light rows are streamed horizontally: a warp takes a row, and B comes from the
// caches. They go first and write every row of C, so beta is applied once and by no kernel of its
// own.
//
// A^T B runs on the same data: of a heavy panel a block adds up C in shared memory, by atomics
// because warps share its rows, and adds that to C; a light row adds its multiples of a row of B to
// C by atomics.
//
// Bytes of A B: A once for every tile of columns, C once and its rows once more for each heavy
// segment, of B a panel for every block and a row for every light entry. The order of additions
// differs from run to run, so plans that are to be deterministic take another implementation.
// Limit: B and C row-major, of the matrix's type. Of k columns that fill no slice lanes are idle.
// Limit: the two kernels run one after the other, and the second waits for the last warp of the
// first.

#include <heddle/backend.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/limits.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_segments_kernels.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/held_orders.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/op.hpp>
#include <heddle/row_segment_model.hpp>
#include <heddle/row_segmented_matrix.hpp>
#include <heddle/shipped_row_segment_model.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// How many blocks a panel has: enough for entries_per_block each, none where it has no segments.
template <class Offsets>
struct BlocksOfPanel
{
  Offsets panels, offsets;
  std::int64_t entries_per_block;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t p) const
  {
    return impl::divided_up(static_cast<std::int64_t>(offsets(panels(p + 1)) - offsets(panels(p))),
                            entries_per_block);
  }
};

// What cut_panels does with one block, the last of which is none: a functor, see scan.hpp.
template <class Offsets, class Before, class Panels, class Starts>
struct CutPanel
{
  BlocksOfPanel<Offsets> cut;
  Before before;
  std::int64_t segments, blocks;
  Panels block_panels;
  Starts block_starts;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    using Ordinal = typename Panels::non_const_value_type;
    using Offset = typename Starts::non_const_value_type;
    if (n == blocks)
    {
      block_starts(n) = static_cast<Offset>(segments);
      return;
    }
    // The last panel with no more than n blocks before it, which has blocks.
    auto const panels = static_cast<std::int64_t>(before.extent(0)) - 1;
    std::int64_t const panel = impl::lower_bound(before, std::int64_t(0), panels, n + 1) - 1;
    auto const first = static_cast<std::int64_t>(cut.panels(panel));
    auto const last = static_cast<std::int64_t>(cut.panels(panel + 1));
    auto const entry =
        cut.offsets(first) + static_cast<Offset>((n - before(panel)) * cut.entries_per_block);
    block_panels(n) = static_cast<Ordinal>(panel);
    block_starts(n) = static_cast<Offset>(impl::lower_bound(cut.offsets, first, last, entry));
  }
};

// The panel of each block and the segment it begins with; before(p): blocks before those of panel
// p. Asynchronous.
template <class Exec, class Offsets, class Before, class Panels, class Starts>
void cut_panels(Exec const& exec, BlocksOfPanel<Offsets> const& cut, Before const& before,
                std::int64_t segments, Panels const& block_panels, Starts const& block_starts)
{
  auto const blocks = static_cast<std::int64_t>(block_panels.extent(0));
  Kokkos::parallel_for("heddle::row_segments::cut", impl::range(exec, blocks + 1),
                       CutPanel<Offsets, Before, Panels, Starts>{cut, before, segments, blocks,
                                                                 block_panels, block_starts});
}

template <class Exec, class Matrix>
struct SpmmRowSegments
{
  static constexpr Backend backend = Backend::cuda_native;
  static constexpr char const* name = "cuda_native::row_segments";
  static constexpr bool is_supported =
      is_row_segmented_matrix_v<Matrix> && std::is_same_v<Exec, Kokkos::Cuda>;
  using Value = typename Matrix::value_type;
  using Ordinal = typename Matrix::ordinal_type;
  using Offset = typename Matrix::offset_type;
  using Space = typename Matrix::memory_space;
  using Policy = SpmmRowSegmentsPolicyFor;
  using Segments = HeavySegments<Value, Ordinal, Offset>;
  using Rows = LightRows<Value, Ordinal, Offset>;
  struct State
  {
    Kokkos::View<Ordinal*, Space> block_panels = {};
    Kokkos::View<Offset*, Space> block_starts = {};
    int vertical = 1, horizontal = 1;
    int most_vertical = 1; // slices for which there is shared memory

    std::int64_t blocks() const { return static_cast<std::int64_t>(block_panels.extent(0)); }
    std::size_t bytes() const
    {
      return block_panels.span() * sizeof(Ordinal) + block_starts.span() * sizeof(Offset);
    }
    // Where there are no heavy segments nothing of A B is added by atomics.
    bool is_repeatable(Op op) const { return !is_transposed(op) && blocks() == 0; }
    std::string describe() const
    {
      return std::to_string(blocks()) + " blocks of heavy segments, " +
             std::to_string(std::min(vertical, most_vertical)) +
             " slices of 32 columns a warp, light rows " + std::to_string(horizontal) +
             "; heavy and transposed by atomic additions";
    }
  };
  template <class B, class C>
  static constexpr impl::Takes takes =
      std::is_same_v<typename B::layout, Kokkos::LayoutRight>&& std::is_same_v<
          typename C::layout, Kokkos::LayoutRight>&& std::is_same_v<typename B::value_type, Value>&&
              std::is_same_v<typename C::value_type, Value>
          ? impl::Takes::all
          : impl::Takes::none;
  static impl::HeldOrders<Matrix> hand_over(State const&) { return {}; }

  // Bytes of a panel, for each slice of a tile.
  static std::size_t slice_bytes(Matrix const& a)
  {
    std::int64_t const width =
        std::min<std::int64_t>(a.shape().panel_width, static_cast<std::int64_t>(a.num_cols()));
    return static_cast<std::size_t>(width) * warp_size * sizeof(Value);
  }
  static impl::Verdict can_run(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows,
                               SpmmOptions const& options)
  {
    if (options.deterministic)
      return {false, "its sums of heavy segments take any order"};
    if (!has_short_rows(rows))
      return {false, "a row has % entries, % can be counted", rows.longest, most_entries_of_row};
    std::size_t const most_bytes = device_shape(exec).shared_bytes_of_block;
    return {slice_bytes(a) <= most_bytes,
            "a slice of a panel takes % bytes of shared memory, a block has %", slice_bytes(a),
            most_bytes};
  }
  // Waits for exec.
  static State analyze(Exec const& exec, Matrix const& a, impl::RowStatistics const&,
                       SpmmOptions const& options)
  {
    State state;
    DeviceShape const device = device_shape(exec);
    RowSegmentsTuning const& tuning = options.tuning.row_segments;
    auto const& model =
        (tuning.model ? *tuning.model : shipped_row_segment_model()).of(sizeof(Value));
    RowSegmentWork const work{static_cast<double>(a.num_segments()),
                              static_cast<double>(a.heavy_nnz()), static_cast<double>(a.num_rows()),
                              static_cast<double>(a.nnz() - a.heavy_nnz())};
    state.vertical = tuning.vertical_coarsening > 0
                         ? tuning.vertical_coarsening
                         : Policy::vertical(model, work, slice_bytes(a), device);
    state.horizontal =
        tuning.horizontal_coarsening > 0 ? tuning.horizontal_coarsening : model.horizontal;
    if (a.heavy_nnz() == 0)
      return state;
    state.most_vertical =
        static_cast<int>(std::min<std::size_t>(4, device.shared_bytes_of_block / slice_bytes(a)));
    auto const& segments = a.segments();
    BlocksOfPanel<typename Matrix::offsets_view> const cut{
        segments.panels, segments.offsets,
        Policy::entries_per_block(static_cast<std::int64_t>(a.heavy_nnz()), a.shape().panel_width,
                                  device)};
    impl::Scratch<std::int64_t, Exec> const before(exec,
                                                   static_cast<std::size_t>(a.num_panels()) + 1);
    auto const blocks = static_cast<std::size_t>(
        impl::offsets_from_counts(exec, a.num_panels(), cut, before.view()));
    state.block_panels = impl::uninitialized<decltype(state.block_panels)>(
        exec, "heddle::row_segments::panels", blocks);
    state.block_starts = impl::uninitialized<decltype(state.block_starts)>(
        exec, "heddle::row_segments::starts", blocks + 1);
    cut_panels(exec, cut, before.view(), static_cast<std::int64_t>(a.num_segments()),
               state.block_panels, state.block_starts);
    return state;
  }

  template <class Scalar, class B, class C>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  B const& b, Scalar beta, C const& c)
  {
    impl::with_conjugation<Value>(op, [&]<class Is>(Is) {
      if (is_transposed(op))
        impl::scale(exec, beta, c);
      stream_light<Is::value>(exec, state, is_transposed(op), alpha, a, b, beta, c);
      stream_heavy<Is::value>(exec, state, is_transposed(op), alpha, a, b, c);
    });
  }

  template <bool is_conjugate>
  static void stream_light(Exec const& exec, State const& state, bool transposes, Value alpha,
                           Matrix const& a, RowMajor<Value const> const& b, Value beta,
                           RowMajor<Value> const& c)
  {
    Rows const rows{a.num_rows(), a.light_row_offsets().data(), a.columns().data() + a.heavy_nnz(),
                    a.values().data() + a.heavy_nnz()};
    with_one_of<1, 2, 4>(Policy::within(state.horizontal, c.cols, 4), [&]<class Slices>(Slices) {
      std::int64_t const tiles = impl::divided_up(c.cols, Slices::value * warp_size);
      Grid grid{};
      grid.blocks = blocks_for(rows.rows, Policy::value.light_threads / warp_size);
      grid.blocks_y = static_cast<int>(std::min(tiles, most_grid_blocks_y));
      grid.threads_per_block = Policy::value.light_threads;
      if (transposes)
        launch(exec, "heddle::spmm::row_segments::light_transposed",
               spmm_light_transposed_kernel<Policy, Slices::value, is_conjugate, Rows, Value>, grid,
               rows, tiles, alpha, b, c);
      else
        launch(exec, "heddle::spmm::row_segments::light",
               spmm_light_kernel<Policy, Slices::value, is_conjugate, Rows, Value>, grid, rows,
               tiles, alpha, b, beta, c);
    });
  }

  template <bool is_conjugate>
  static void stream_heavy(Exec const& exec, State const& state, bool transposes, Value alpha,
                           Matrix const& a, RowMajor<Value const> const& b,
                           RowMajor<Value> const& c)
  {
    Segments const segments{a.shape().panel_width,     a.num_cols(),
                            state.block_panels.data(), state.block_starts.data(),
                            a.segments().rows.data(),  a.segments().offsets.data(),
                            a.columns().data(),        a.values().data()};
    with_one_of<1, 2, 4>(
        Policy::within(state.vertical, c.cols, state.most_vertical), [&]<class Slices>(Slices) {
          std::int64_t const tiles = impl::divided_up(c.cols, Slices::value * warp_size);
          Grid grid{};
          grid.blocks = state.blocks() * tiles;
          grid.threads_per_block = Policy::value.heavy_threads;
          grid.shared_bytes = Slices::value * slice_bytes(a);
          grid.blocks_per_processor = Policy::value.heavy_blocks_per_processor;
          if (transposes)
            launch(
                exec, "heddle::spmm::row_segments::heavy_transposed",
                spmm_heavy_transposed_kernel<Policy, Slices::value, is_conjugate, Segments, Value>,
                grid, segments, tiles, alpha, b, c);
          else
            launch(exec, "heddle::spmm::row_segments::heavy",
                   spmm_heavy_kernel<Policy, Slices::value, is_conjugate, Segments, Value>, grid,
                   segments, tiles, alpha, b, c);
        });
  }
};

} // namespace heddle::cuda_native
