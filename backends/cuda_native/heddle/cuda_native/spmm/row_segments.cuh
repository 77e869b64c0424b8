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
// several blocks. Where segments of neighbouring rows are alike, a warp takes a bundle of four that
// share each load (section 7, remark 4). Light rows are streamed horizontally: a warp takes a row,
// and B comes from the caches. They go first and write every row of C, so beta is applied once and
// by no kernel of its own; what long rows have beyond a warp's share is added afterwards, beside
// the heavy segments.
//
// A^T B runs on the same data: of a heavy panel a block adds up C in shared memory, by atomics
// because warps share its rows, and adds that to C; a light row adds its multiples of a row of B to
// C by atomics. C is scaled first, and both parts run side by side. Both products of spmm_both are
// made in one pass over A where there is one slice of columns: the panels of B and of C_t are in
// shared memory together.
//
// Bytes of A B: A once for every tile of columns, C once and its rows once more for each heavy
// segment, of B a panel for every block and a row for every light entry. A bundle reads two bytes
// for each of its columns in place of an index for each entry. The order of additions differs from
// run to run, so plans that are to be deterministic take another implementation.
// Limit: B and C row-major, of the matrix's type. Of k columns that fill no slice lanes are idle.

#include <heddle/backend.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/limits.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_segments_kernels.cuh>
#include <heddle/cuda_native/spmm/row_segments_plan.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/held_orders.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
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
  using Bundles = HeavyBundles<Value, Ordinal, Offset, Policy::value.bundle_rows>;
  using Rows = LightRows<Value, Ordinal, Offset>;
  using Operands = SegmentOperands<Value>;
  struct State
  {
    Kokkos::View<Ordinal*, Space> block_panels = {};
    Kokkos::View<Offset*, Space> block_starts = {};
    SegmentBundles<Space> bundles = {};
    LightPieces<Ordinal, Offset, Space> pieces = {};
    bool adds_once = true; // at most one piece of each row
    int vertical = 1, horizontal = 1;
    int most_vertical = 1; // slices for which there is shared memory

    std::int64_t blocks() const { return static_cast<std::int64_t>(block_panels.extent(0)); }
    std::size_t bytes() const
    {
      return block_panels.span() * sizeof(Ordinal) + block_starts.span() * sizeof(Offset) +
             bundles.bytes() + pieces.bytes();
    }
    // Where there are no heavy segments, no more than one piece of a row is added to what was
    // written before.
    bool is_repeatable(Op op) const { return !is_transposed(op) && blocks() == 0 && adds_once; }
    std::string describe() const
    {
      return std::to_string(blocks()) + " blocks of heavy segments" +
             (bundles.has_any() ? " in bundles of " + std::to_string(Policy::value.bundle_rows)
                                : std::string()) +
             ", " + std::to_string(std::min(vertical, most_vertical)) +
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
  static State analyze(Exec const& exec, Matrix const& a, impl::RowStatistics const& rows,
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
    state.adds_once = rows.longest <= 2 * std::int64_t(Policy::value.light_entries);
    if (rows.longest > Policy::value.light_entries)
      state.pieces = cut_long_rows(exec, a, Policy::value.light_entries);
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
    state.bundles = bundle_segments<Policy>(exec, a, state.block_starts);
    return state;
  }

  template <class Scalar, class B, class C>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  B const& b, Scalar beta, C const& c)
  {
    impl::with_conjugation<Value>(op, [&]<class Is>(Is) {
      if (is_transposed(op))
      {
        impl::scale(exec, beta, c);
        add_transposed<Is::value>(exec, state, a, {.alpha = alpha, .b_t = b, .c_t = c});
      }
      else
        multiply<SegmentProducts::none_transposed, Is::value>(
            exec, state, a, {.alpha = alpha, .beta = beta, .b = b, .c = c});
    });
  }

  // Whether run_both takes k_t columns of B_t and k of B.
  static bool can_run_both(Exec const& exec, Matrix const& a, std::int64_t k_t, std::int64_t k)
  {
    return k_t == k && Policy::fuses(k) &&
           2 * slice_bytes(a) <= device_shape(exec).shared_bytes_of_block;
  }
  // C_t <- alpha op(A) B_t + beta C_t and C <- alpha A B + beta C, op(A) being A^T or A^H.
  template <class Scalar, class B, class C>
  static void run_both(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                       B const& b_t, B const& b, Scalar beta, C const& c_t, C const& c)
  {
    impl::with_conjugation<Value>(op, [&]<class Is>(Is) {
      impl::scale(exec, beta, c_t);
      multiply<SegmentProducts::both, Is::value>(
          exec, state, a, {.alpha = alpha, .beta = beta, .b = b, .b_t = b_t, .c = c, .c_t = c_t});
    });
  }

private:
  // Of each of SegmentProducts.
  struct Labels
  {
    static constexpr char const* light[] = {"heddle::spmm::row_segments::light",
                                            "heddle::spmm::row_segments::light_transposed",
                                            "heddle::spmm::row_segments::light_both"};
    static constexpr char const* heavy[] = {"heddle::spmm::row_segments::heavy",
                                            "heddle::spmm::row_segments::heavy_transposed",
                                            "heddle::spmm::row_segments::heavy_both"};
  };

  // Rows of C are written before anything is added to them.
  template <SegmentProducts products, bool is_conjugate>
  static void multiply(Exec const& exec, State const& state, Matrix const& a, Operands operands)
  {
    std::int64_t const k = operands.c.cols;
    auto const launch_here = [&](auto const&... arguments) { launch(exec, arguments...); };
    stream_light<products, is_conjugate>(launch_here, state, light_rows(a), k, operands);
    SideStreams side(exec, launches_of(state, false));
    auto const launch_beside = [&](auto const&... arguments) { launch(side, arguments...); };
    stream_heavy<products, is_conjugate>(exec, launch_beside, state, a, k, operands);
    stream_light<products, is_conjugate>(launch_beside, state, light_rest(state, a), k, operands);
  }
  template <bool is_conjugate>
  static void add_transposed(Exec const& exec, State const& state, Matrix const& a,
                             Operands operands)
  {
    constexpr auto products = SegmentProducts::transposed;
    std::int64_t const k = operands.c_t.cols;
    SideStreams side(exec, launches_of(state, a.nnz() > a.heavy_nnz()));
    auto const launch_beside = [&](auto const&... arguments) { launch(side, arguments...); };
    stream_heavy<products, is_conjugate>(exec, launch_beside, state, a, k, operands);
    stream_light<products, is_conjugate>(launch_beside, state, light_rest(state, a), k, operands);
    if (a.nnz() > a.heavy_nnz())
      stream_light<products, is_conjugate>(launch_beside, state, light_rows(a), k, operands);
  }
  static int launches_of(State const& state, bool has_rows)
  {
    return static_cast<int>(state.blocks() > 0) + static_cast<int>(state.pieces.count() > 0) +
           static_cast<int>(has_rows);
  }

  static Rows light_rows(Matrix const& a)
  {
    return {static_cast<std::int64_t>(a.num_rows()), Policy::value.light_entries,
            a.light_row_offsets().data(), a.columns().data() + a.heavy_nnz(),
            a.values().data() + a.heavy_nnz()};
  }
  static Rows light_rest(State const& state, Matrix const& a)
  {
    Rows rest = light_rows(a);
    rest.count = state.pieces.count();
    rest.row_numbers = state.pieces.rows.data();
    rest.begins = state.pieces.begins.data();
    return rest;
  }

  // run(slices) with a number of slices that kernels are compiled for, not above `slices` and
  // `most`.
  template <int most, class Run>
  static void with_slices(int slices, Run const& run)
  {
    if constexpr (most >= 4)
      with_one_of<1, 2, 4>(slices, run);
    else if constexpr (most >= 2)
      with_one_of<1, 2>(slices, run);
    else
      with_one_of<1>(slices, run);
  }

  template <SegmentProducts products, bool is_conjugate, class Launch>
  static void stream_light(Launch const& launch_kernel, State const& state, Rows const& light,
                           std::int64_t k, Operands operands)
  {
    constexpr int most = products == SegmentProducts::both ? 1 : 4;
    with_slices<most>(Policy::within(state.horizontal, k, most), [&]<class Slices>(Slices) {
      operands.tiles = impl::divided_up(k, Slices::value * warp_size);
      Grid grid{};
      grid.blocks = blocks_for(light.count, Policy::value.light_threads / warp_size);
      grid.blocks_y = static_cast<int>(std::min(operands.tiles, most_grid_blocks_y));
      grid.threads_per_block = Policy::value.light_threads;
      launch_kernel(
          Labels::light[static_cast<int>(products)],
          spmm_light_kernel<Policy, products, Slices::value, is_conjugate, Value, Ordinal, Offset>,
          grid, light, operands);
    });
  }

  template <SegmentProducts products, bool is_conjugate, class Launch>
  static void stream_heavy(Exec const& exec, Launch const& launch_kernel, State const& state,
                           Matrix const& a, std::int64_t k, Operands const& operands)
  {
    Segments const segments{a.shape().panel_width,     a.num_cols(),
                            state.block_panels.data(), state.block_starts.data(),
                            a.segments().rows.data(),  a.segments().offsets.data(),
                            a.columns().data(),        a.values().data()};
    if (state.bundles.has_any() &&
        Policy::takes_bundles(multiplies_a_transposed(products), sizeof(Value), k))
      stream_units<products, is_conjugate>(exec, launch_kernel, state, slice_bytes(a),
                                           Bundles{segments, state.bundles.block_bundles.data(),
                                                   state.bundles.code_offsets.data(),
                                                   state.bundles.column_codes.data()},
                                           k, operands);
    else
      stream_units<products, is_conjugate>(exec, launch_kernel, state, slice_bytes(a), segments, k,
                                           operands);
  }

  template <SegmentProducts products, bool is_conjugate, class Launch, class Heavy>
  static void stream_units(Exec const& exec, Launch const& launch_kernel, State const& state,
                           std::size_t bytes_of_slice, Heavy const& heavy, std::int64_t k,
                           Operands operands)
  {
    constexpr bool is_both = products == SegmentProducts::both;
    constexpr int most =
        is_both ? 1
                : Policy::slices_of_unit(Heavy::rows_of_unit, multiplies_a_transposed(products),
                                         sizeof(Value));
    int const slices = Policy::within(state.vertical, k, std::min(most, state.most_vertical));
    with_slices<most>(slices, [&]<class Slices>(Slices) {
      DeviceShape const device = device_shape(exec);
      operands.tiles = impl::divided_up(k, Slices::value * warp_size);
      Grid grid{};
      grid.blocks = state.blocks() * operands.tiles;
      grid.threads_per_block = Policy::value.heavy_threads;
      grid.shared_bytes = (is_both ? 2 : 1) * Slices::value * bytes_of_slice;
      grid.blocks_per_processor = static_cast<int>(
          std::clamp<std::size_t>(device.shared_bytes_of_multiprocessor /
                                      (grid.shared_bytes + device.reserved_shared_bytes),
                                  1, Policy::most_heavy_blocks_per_processor));
      launch_kernel(Labels::heavy[static_cast<int>(products)],
                    spmm_heavy_kernel<Policy, products, Slices::value, is_conjugate, Heavy, Value>,
                    grid, heavy, operands);
    });
  }
};

} // namespace heddle::cuda_native
