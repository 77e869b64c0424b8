// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of ELL and SELL, whose entries of neighbouring rows stand side by side
// (impl/slice_row_views.hpp). A warp takes as many neighbouring rows as it has groups of lanes. Its
// lanes copy their entries to shared memory row by row of the slice, as they lie there, whichever
// group they are for; from there each group reads those of its row, four at once, and has four rows
// of B on their way. The next entries are copied meanwhile, those of the next row where a group
// takes several. Rows end at their length: padding is not used. Bytes: what is stored of rows once
// a tile, B gathered, C once. Limit: as csr_rows; the longest row of a slice, which one group walks
// alone.

#include <heddle/cuda_native/device/async_copy.cuh>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/ell_matrix.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/slice_row_views.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/sell_matrix.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

template <class Operands>
inline constexpr int slices_blocks_per_processor =
    SpmmSlicesPolicy::blocks_per_processor<(1 + entries_in_flight) * words_of_lane<Operands>>;

template <class RowViews, class Value, class Operands>
__global__ void __launch_bounds__(SpmmSlicesPolicy::threads_per_block,
                                  slices_blocks_per_processor<Operands>)
    spmm_slices_kernel(RowViews views, Value const* __restrict__ values, bool is_conjugate,
                       Operands operands, int rows_per_group)
{
  using Scalar = typename Operands::scalar;
  using Shape = typename Operands::shape;
  using Ordinal = typename RowViews::ordinal_type;
  constexpr int warps = SpmmSlicesPolicy::threads_per_block / warp_size;
  constexpr int copies_per_lane = 2, slots = copies_per_lane * warp_size;
  __shared__ __align__(16) unsigned char shared_columns[2][warps][slots * sizeof(Ordinal)];
  __shared__ __align__(16) unsigned char shared_values[2][warps][slots * sizeof(Value)];
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lanes = operands.lanes;
  int const groups = warp_size / lanes, group = lane / lanes;
  int const batch = copies_per_lane * lanes; // entries of a row
  auto const columns_in = [&](int half) {
    return reinterpret_cast<Ordinal*>(shared_columns[half][warp]);
  };
  auto const values_in = [&](int half) {
    return reinterpret_cast<Value*>(shared_values[half][warp]);
  };

  // What there is to know of the warp's rows, one a lane, loaded once.
  std::int64_t const first_view =
      (static_cast<std::int64_t>(blockIdx.x) * warps + warp) * groups * rows_per_group;
  bool const has_view = lane < groups * rows_per_group && first_view + lane < views.count;
  std::int64_t const known = has_view ? first_view + lane : 0;
  auto const known_view = views[known];
  std::int64_t const known_row = views.row(known);
  int const known_length = has_view ? static_cast<int>(known_view.length) : 0;
  auto const of_lane = [](auto const& value, int from) {
    return __shfl_sync(0xffffffffU, value, from);
  };

  // Every `groups`th lane copies entries of one row.
  int const copied = lane % groups, first_copied = lane / groups;
  auto const start_batch = [&](int turn, int from, int half) {
    std::int64_t const first = of_lane(known_view.first, turn * groups + copied);
    int const copied_length = of_lane(known_length, turn * groups + copied);
#pragma unroll
    for (int n = 0; n < copies_per_lane; ++n)
    {
      int const slot = first_copied + n * lanes;
      if (from + slot < copied_length)
      {
        std::int64_t const source = first + (from + slot) * known_view.step;
        start_copy(columns_in(half) + copied * batch + slot, known_view.columns + source);
        start_copy(values_in(half) + copied * batch + slot, values + source);
      }
    }
    end_of_copies();
  };

  auto const at = operands.lane_columns();
  Scalar sums[Shape::per_lane];
  set_zero(sums);
  start_batch(0, 0, 0);
  int half = 0, done = 0;
  for (int turn = 0; turn < rows_per_group;)
  {
    int const own = turn * groups + group;
    int const length = of_lane(known_length, own);
    bool const is_last_batch = !__any_sync(0xffffffffU, done + batch < length);
    int const count = min(batch, length - done);
    wait_for_copies();
    __syncwarp(); // the batch is there, and the other half no longer read
    if (!is_last_batch)
      start_batch(turn, done + batch, half ^ 1);
    else if (turn + 1 < rows_per_group)
      start_batch(turn + 1, 0, half ^ 1);
    Ordinal const* const batch_columns = columns_in(half) + group * batch;
    Value const* const batch_values = values_in(half) + group * batch;
    half ^= 1;
    auto const add = [&](auto is_whole, int j) {
      constexpr bool whole = decltype(is_whole)::value;
      Ordinal columns[entries_in_flight];
      int rows_of_b[entries_in_flight];
      Value factors[entries_in_flight];
      typename Operands::packet b[entries_in_flight][Shape::packets];
      read_shared<entries_in_flight>(columns, batch_columns + j);
#pragma unroll
      for (int n = 0; n < entries_in_flight; ++n)
        rows_of_b[n] = static_cast<int>(columns[n]);
      load_rows_of_b<whole>(operands, at, rows_of_b, count - j, b);
      read_shared<entries_in_flight>(factors, batch_values + j);
#pragma unroll
      for (int n = 0; n < entries_in_flight; ++n)
        if (whole || j + n < count)
          add_row(sums, factor_of<Scalar>(factors[n], is_conjugate), b[n]);
    };
    int j = 0;
    for (; j + entries_in_flight <= count; j += entries_in_flight)
      add(std::true_type{}, j);
    if (j < count)
      add(std::false_type{}, j);
    done += batch;
    if (is_last_batch)
    {
      std::int64_t const row = of_lane(known_row, own);
      if (first_view + own < views.count)
        operands.store_row(row, at, sums);
      set_zero(sums);
      done = 0;
      ++turn;
    }
  }
}

// The kernel for ELL and SELL as SpmmByRow asks for it.
template <class Exec, class Matrix>
struct SlicesSpmm
{
  static constexpr bool is_ell = is_ell_matrix_v<Matrix>;
  static constexpr char const* name = is_ell ? "cuda_native::ell_lines" : "cuda_native::sell_lines";
  static constexpr bool is_supported = is_ell || is_sell_matrix_v<Matrix>;
  struct Tuning
  {
    double mean_length = 0;

    static std::size_t bytes() { return 0; }
    static std::string describe() { return "a group of lanes a row"; }
  };

  static impl::Verdict can_run(Exec const&, Matrix const&, impl::RowStatistics const&,
                               SpmmOptions const&)
  {
    return {true, "it takes any matrix of this format"};
  }
  static Tuning tune(Exec const&, Matrix const&, impl::RowStatistics const& rows,
                     SpmmOptions const&)
  {
    return {rows.mean()};
  }
  template <class Scalar>
  static void multiply(Exec const& exec, Tuning const& tuning, Matrix const& a, bool is_conjugate,
                       RowMajorOperands<Scalar> const& all)
  {
    using RowViews = decltype(impl::row_views_of(a));
    using Value = typename Matrix::value_type;
    RowViews const views = impl::row_views_of(a);
    with_tiles(all, SpmmPolicy::widest_tile, [&]<class Operands>(Operands const& operands) {
      int const rows = SpmmSlicesPolicy::rows_per_group(views.count, tuning.mean_length,
                                                        operands.lanes, device_shape(exec));
      Grid grid{};
      grid.blocks =
          blocks_for(views.count * operands.lanes,
                     static_cast<std::int64_t>(SpmmSlicesPolicy::threads_per_block) * rows);
      grid.threads_per_block = SpmmSlicesPolicy::threads_per_block;
      grid.blocks_y = tiles_of(operands);
      grid.blocks_per_processor = slices_blocks_per_processor<Operands>;
      launch(exec, is_ell ? "heddle::spmm::ell_lines" : "heddle::spmm::sell_lines",
             spmm_slices_kernel<RowViews, Value, Operands>, grid, views, a.values().data(),
             is_conjugate, operands, rows);
    });
  }
};

} // namespace heddle::cuda_native
