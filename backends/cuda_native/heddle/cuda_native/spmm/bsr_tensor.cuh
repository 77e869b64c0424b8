// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpMM of BSR with 16-bit values on tensor cores (spmm/bsr_tensor_kernels.cuh): by name only, since
// it is the caller who knows that zeros which fill blocks, and sums that are cut off instead of
// rounded, will do.

#include <heddle/accumulator.hpp>
#include <heddle/backend.hpp>
#include <heddle/bsr_matrix.hpp>
#include <heddle/cuda_native/device/dense_transpose.cuh>
#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/tensor_mma.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/limits.hpp>
#include <heddle/cuda_native/spmm/bsr_blocks.cuh>
#include <heddle/cuda_native/spmm/bsr_tensor_kernels.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/held_orders.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// C <- alpha A B + beta C. Asynchronous.
template <class Blocks, class Operands>
void multiply_on_tensor_cores(Kokkos::Cuda const& exec, Blocks const& a, Operands const& operands)
{
  constexpr int width_of_quads = SpmmTensorPolicy::slots;
  int const tiles = static_cast<int>(impl::divided_up(a.height, TensorShape::columns));
  int const row_tiles = static_cast<int>(
      std::bit_ceil(static_cast<unsigned>(std::min(tiles, SpmmTensorPolicy::most_row_tiles))));
  auto const pieces = static_cast<int>(impl::divided_up(tiles, row_tiles));
  bool const is_quad =
      a.width % width_of_quads == 0 &&
      reinterpret_cast<std::uintptr_t>(a.values) % (width_of_quads * sizeof(*a.values)) == 0;
  Grid grid{};
  grid.blocks = blocks_for(a.block_rows * pieces, SpmmTensorPolicy::warps);
  grid.threads_per_block = SpmmTensorPolicy::threads_per_block;
  grid.blocks_y = static_cast<int>(impl::divided_up(operands.columns, SpmmTensorPolicy::columns));
  with_one_of<1, 2, 4>(row_tiles, [&]<class Tiles>(Tiles) {
    if (is_quad)
      launch(exec, "heddle::spmm::bsr_tensor",
             spmm_bsr_tensor_kernel<Tiles::value, true, Blocks, Operands>, grid, a, operands,
             pieces);
    else
      launch(exec, "heddle::spmm::bsr_tensor",
             spmm_bsr_tensor_kernel<Tiles::value, false, Blocks, Operands>, grid, a, operands,
             pieces);
  });
}

// A B on tensor cores. A^T B, and operands that are too large, are left to another implementation,
// which goes on from the transposed pattern that the plan holds.
template <class Exec, class Matrix>
struct SpmmBsrTensor
{
  using Value = typename Matrix::value_type;
  static constexpr Backend backend = Backend::cuda_native;
  static constexpr char const* name = "cuda_native::bsr_tensor";
  static constexpr bool is_supported =
      is_bsr_matrix_v<Matrix> && is_tensor_value_v<Value> && std::is_same_v<Exec, Kokkos::Cuda>;
  struct State
  {
    impl::HeldOrders<Matrix> held = {};
    BlockShape shape = {};

    std::size_t bytes() const { return held.bytes(); }
    bool is_repeatable(Op op) const { return !is_transposed(op) || held.transposed.has_value(); }
    std::string describe() const
    {
      return "tensor cores with sums in float, a warp up to " +
             std::to_string(SpmmTensorPolicy::most_row_tiles * TensorShape::columns) +
             " rows of a row of " + std::to_string(shape.height) + " x " +
             std::to_string(shape.width) + " blocks; transposed by the portable kernel, " +
             (held.transposed ? "by gathering through a pattern it holds" : "by atomic additions");
    }
  };
  // B of A's type; C of the same, or float.
  template <class B, class C>
  static constexpr impl::Takes takes =
      std::is_same_v<typename B::layout, typename C::layout> &&
              !std::is_same_v<typename B::layout, Kokkos::LayoutStride> &&
              std::is_same_v<typename B::value_type, Value> &&
              (std::is_same_v<typename C::value_type, Value> ||
               std::is_same_v<typename C::value_type, accumulator_t<Value>>)
          ? impl::Takes::some
          : impl::Takes::none;
  template <class B, class C>
  static bool takes_operands(Op op, B const& b, C const& c)
  {
    return !is_transposed(op) && b.rows <= std::numeric_limits<int>::max() &&
           c.cols <= most_grid_blocks_y * TransposePolicy::tile;
  }
  static impl::HeldOrders<Matrix> hand_over(State const& state) { return state.held; }

  static impl::Verdict can_run(Exec const&, Matrix const&, impl::RowStatistics const& rows,
                               SpmmOptions const& options)
  {
    if (!has_short_rows(rows))
      return {false, "a row has % entries, % can be counted", rows.longest, most_entries_of_row};
    return impl::only_by_name(!options.implementation.empty());
  }
  static State analyze(Exec const& exec, Matrix const& a, impl::RowStatistics const&,
                       SpmmOptions const& options)
  {
    State state{.shape = a.shape()};
    if (options.deterministic)
      state.held.transposed = impl::transposed_rows(exec, a);
    return state;
  }

  template <class Scalar, class B, class C>
  static void run(Exec const& exec, State const&, Op, Scalar alpha, Matrix const& a, B const& b,
                  Scalar beta, C const& c)
  {
    if constexpr (std::is_same_v<typename B::layout, Kokkos::LayoutRight>)
      multiply(exec, alpha, a, b.data, b.row_stride, beta, c);
    else
      copy_and_multiply(exec, alpha, a, b, beta, c);
  }

private:
  template <class Scalar, class C>
  static void multiply(Exec const& exec, Scalar alpha, Matrix const& a, Value const* b,
                       std::int64_t b_stride, Scalar beta, C const& c)
  {
    using Blocks = SpmmBlocks<Value, typename Matrix::ordinal_type, typename Matrix::offset_type>;
    Blocks const blocks{a.num_block_rows(), a.num_rows(),      a.num_cols(),
                        a.shape().height,   a.shape().width,   a.row_offsets().data(),
                        a.columns().data(), a.values().data(), false};
    constexpr bool is_row_major = std::is_same_v<typename C::layout, Kokkos::LayoutRight>;
    multiply_on_tensor_cores(exec, blocks,
                             TensorOperands<Value, Scalar>{
                                 alpha, b, b_stride, beta, c.data, is_row_major ? c.row_stride : 1,
                                 is_row_major ? 1 : c.column_stride, c.cols, has_words(b, b_stride),
                                 is_row_major && has_words(c.data, c.row_stride)});
  }
  // B by columns is copied to rows, as many columns at a time as take a bounded amount of memory.
  template <class Scalar, class B, class C>
  static void copy_and_multiply(Exec const& exec, Scalar alpha, Matrix const& a, B const& b,
                                Scalar beta, C const& c)
  {
    constexpr std::int64_t most_bytes = std::int64_t(1) << 30, unit = SpmmTensorPolicy::columns;
    auto const row_bytes = static_cast<std::int64_t>(unit * sizeof(Value));
    std::int64_t const units =
        std::max<std::int64_t>(1, most_bytes / (std::max<std::int64_t>(1, b.rows) * row_bytes));
    std::int64_t const stride =
        std::min(impl::divided_up(c.cols, SpmmTensorPolicy::columns), units) * unit;
    impl::Scratch<Value, Exec> const rows(exec, static_cast<std::size_t>(b.rows * stride));
    for (std::int64_t first = 0; first < c.cols; first += stride)
    {
      std::int64_t const here = std::min(stride, c.cols - first);
      transpose<true>(exec,
                      StridedMatrix<Value const>{b.data + first * b.column_stride, b.rows, here,
                                                 b.row_stride, b.column_stride},
                      Value(0), StridedMatrix<Value>{rows.data(), b.rows, here, stride, 1});
      C part = c;
      part.data += first * c.column_stride;
      part.cols = here;
      multiply(exec, alpha, a, static_cast<Value const*>(rows.data()), stride, beta, part);
    }
  }
  template <class Entry>
  static bool has_words(Entry const* data, std::int64_t stride)
  {
    return is_word_aligned(data) &&
           static_cast<std::size_t>(stride) * sizeof(Entry) % sizeof(int4) == 0;
  }
};

} // namespace heddle::cuda_native
