// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A matrix times a dense matrix by any kernel that computes A B row by row: what the
// implementations of all formats share. A^T B scales C and adds by atomics, a group of lanes per
// row; where the plan is made for it (options.transposed, or deterministic) it holds a transposed
// pattern, whose values are gathered from A's, and takes the kernels for CSR. B and C are of one
// type, in which sums are taken. Column-major ones that suit spmm/column_major.cuh are taken as
// they stand; else, where one is not row-major, it is copied to memory of the call, some columns at
// a time.

#include <heddle/accumulator.hpp>
#include <heddle/backend.hpp>
#include <heddle/coo_matrix.hpp>
#include <heddle/cuda_native/device/dense_transpose.cuh>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/limits.hpp>
#include <heddle/cuda_native/spmm/column_major.cuh>
#include <heddle/cuda_native/spmm/column_major_policy.hpp>
#include <heddle/cuda_native/spmm/csr.cuh>
#include <heddle/cuda_native/spmm/csr_statistics.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/held_orders.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/impl/row_view_formats.hpp>
#include <heddle/impl/scale.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/takes.hpp>
#include <heddle/impl/transposed_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/op.hpp>
#include <heddle/spmm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// The dense matrices that native kernels take.
template <class Matrix, class B, class C>
inline constexpr bool takes_matrices_v = std::conjunction_v<
    std::is_same<typename B::value_type, typename C::value_type>,
    std::is_same<accumulator_t<typename Matrix::value_type, typename B::value_type>,
                 typename B::value_type>>;

// to[0 .. width - 1] += terms, aligned to a word where there are several. Hopper and later
// add four floats by one instruction.
template <class Scalar, int width>
__device__ void add_packet(Scalar* to, Packet<Scalar, width> const& terms)
{
#if __CUDA_ARCH__ >= 900
  if constexpr (std::is_same_v<Scalar, float> && width == 4)
  {
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(terms.at[0]),
                 "f"(terms.at[1]), "f"(terms.at[2]), "f"(terms.at[3])
                 : "memory");
    return;
  }
#endif
#pragma unroll
  for (int q = 0; q < width; ++q)
    impl::atomic_accumulate(to[q], terms.at[q]);
}

// C += alpha A^T B through a row view (row_views.hpp).
template <bool is_conjugate, class RowViews, class Value, class Operands>
__global__ void __launch_bounds__(SpmmPolicy::threads_per_block)
    spmm_scatter_kernel(RowViews views, Value const* __restrict__ values, Operands operands)
{
  using Scalar = typename Operands::scalar;
  using Shape = typename Operands::shape;
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::int64_t const i = thread / operands.lanes;
  if (i >= views.count)
    return;
  auto const at = operands.lane_columns();
  typename Operands::packet b[Shape::packets];
#pragma unroll
  for (int n = 0; n < Shape::packets; ++n)
  {
    b[n] = at.load(static_cast<std::uint32_t>(views.row(i)), operands.b_row_bytes, n);
#pragma unroll
    for (int q = 0; q < Shape::width; ++q)
      b[n].at[q] = operands.alpha * b[n].at[q];
  }
  views[i].for_each([&](std::int64_t column, std::int64_t slot) {
    auto const factor = Scalar(impl::conjugated<is_conjugate>(values[slot]));
#pragma unroll
    for (int n = 0; n < Shape::packets; ++n)
    {
      typename Operands::packet terms;
#pragma unroll
      for (int q = 0; q < Shape::width; ++q)
        terms.at[q] = factor * b[n].at[q];
      if (at.has(n))
        add_packet(operands.c + column * operands.c_stride + at.first + n * at.stride, terms);
    }
  });
}

// C += alpha A^T B. Asynchronous.
template <bool is_conjugate, class RowViews, class Value, class Scalar>
void scatter_by_row_views(Kokkos::Cuda const& exec, RowViews const& views, Value const* values,
                          RowMajorOperands<Scalar> const& all)
{
  with_tiles(all, SpmmPolicy::widest_tile, [&]<class Operands>(Operands const& operands) {
    Grid grid = one_thread_each(views.count * operands.lanes, SpmmPolicy::threads_per_block);
    grid.blocks_y = tiles_of(operands);
    launch(exec, "heddle::spmm::scatter",
           spmm_scatter_kernel<is_conjugate, RowViews, Value, Operands>, grid, views, values,
           operands);
  });
}

// Rows are contiguous.
template <class Operand>
bool is_by_rows(Operand const& x)
{
  if constexpr (std::is_same_v<typename Operand::layout, Kokkos::LayoutStride>)
    return x.column_stride == 1;
  else
    return std::is_same_v<typename Operand::layout, Kokkos::LayoutRight>;
}

// Columns [first, first + count) of x, without a copy.
template <class Scalar, class Operand>
StridedMatrix<Scalar> columns_of(Operand const& x, std::int64_t first, std::int64_t count)
{
  return {x.data + first * x.column_stride, x.rows, count, x.row_stride, x.column_stride};
}

// run(operands) with B and C by rows. Those that are not are copied, so many columns at a time that
// the copies stay below a bound.
template <class Scalar, class B, class C, class Run>
void with_row_major(Kokkos::Cuda const& exec, Scalar alpha, B const& b, Scalar beta, C const& c,
                    Run const& run)
{
  bool const copies_b = !is_by_rows(b), copies_c = !is_by_rows(c);
  if (!copies_b && !copies_c)
    return run(
        RowMajorOperands<Scalar>{alpha, b.data, b.row_stride, beta, c.data, c.row_stride, c.cols});
  if constexpr (!std::is_same_v<typename B::layout, Kokkos::LayoutRight>)
  {
    constexpr std::int64_t most_bytes = std::int64_t(1) << 30, unit = 128;
    constexpr auto width = std::max<std::int64_t>(1, 16 / static_cast<int>(sizeof(Scalar)));
    std::int64_t const rows =
        std::max<std::int64_t>((copies_b ? b.rows : 0) + (copies_c ? c.rows : 0), 1);
    std::int64_t const at_once =
        std::max(most_bytes / (rows * static_cast<std::int64_t>(sizeof(Scalar))) / unit,
                 std::int64_t(1)) *
        unit;
    std::int64_t const stride = (std::min(c.cols, at_once) + width - 1) / width * width;
    impl::Scratch<Scalar, Kokkos::Cuda> const b_rows(
        exec, copies_b ? static_cast<std::size_t>(b.rows * stride) : 0);
    impl::Scratch<Scalar, Kokkos::Cuda> const c_rows(
        exec, copies_c ? static_cast<std::size_t>(c.rows * stride) : 0);
    for (std::int64_t first = 0; first < c.cols; first += at_once)
    {
      std::int64_t const here = std::min(at_once, c.cols - first);
      // Behind the last column only copies have room.
      std::int64_t const columns = copies_b && copies_c ? (here + width - 1) / width * width : here;
      if (copies_b)
        transpose<true>(exec, columns_of<Scalar const>(b, first, here), Scalar(0),
                        StridedMatrix<Scalar>{b_rows.data(), b.rows, columns, stride, 1});
      run(RowMajorOperands<Scalar>{alpha, copies_b ? b_rows.data() : b.data + first,
                                   copies_b ? stride : b.row_stride, copies_c ? Scalar(0) : beta,
                                   copies_c ? c_rows.data() : c.data + first,
                                   copies_c ? stride : c.row_stride, columns});
      if (copies_c)
        transpose<false>(exec, StridedMatrix<Scalar const>{c_rows.data(), c.rows, here, stride, 1},
                         beta, columns_of<Scalar>(c, first, here), true);
    }
  }
}

// What SpmmByRow asks of a kernel. can_run judges a matrix whose rows are short enough, and where
// options have a name it is the kernel's; it and tune may wait for exec; multiply is asynchronous.
template <class Kernel, class Exec, class Matrix>
concept RowKernel = requires(Exec const& exec, Matrix const& a,
                             typename Kernel::Tuning const& tuning,
                             SpmmCsrStatistics const& statistics, SpmmOptions const& options,
                             RowMajorOperands<typename Matrix::value_type> const& operands)
{
  requires std::convertible_to<decltype(Kernel::name), char const*>;
  requires std::convertible_to<decltype(Kernel::is_supported), bool>;
  requires std::convertible_to<decltype(tuning.bytes()), std::size_t>;
  requires std::convertible_to<decltype(tuning.describe()), std::string>;
  requires std::same_as<decltype(Kernel::can_run(exec, a, statistics, options)), impl::Verdict>;
  requires std::same_as<decltype(Kernel::tune(exec, a, statistics, options)),
                        typename Kernel::Tuning>;
  Kernel::multiply(exec, tuning, a, false, operands);
};

// A kernel whose entries are found row by row without what its plan holds.
template <class Kernel, class Matrix>
concept HasEntriesByRow = requires(Matrix const& a)
{
  Kernel::entries_of(a, false);
};

// Those that a column-major product gives to blocks, if a kernel's plan has a list of them.
template <class Ordinal, class Tuning>
LongRows<Ordinal> rows_of_blocks(Tuning const& tuning)
{
  if constexpr (requires { tuning.listed_rows_with(ColumnMajorPolicy::block_row); })
    return tuning.listed_rows_with(ColumnMajorPolicy::block_row);
  else
    return {};
}

// C <- alpha A B + beta C with column-major B and C as they stand, if that pays; else false, and
// nothing has been done. Asynchronous.
template <class Entries, class Scalar, class B, class C>
bool multiply_as_it_stands(Kokkos::Cuda const& exec, ColumnMajorRows const& rows,
                           LongRows<typename Entries::ordinal_type> const& long_rows,
                           Entries const& a, Scalar alpha, B const& b, Scalar beta, C const& c)
{
  if constexpr (std::is_same_v<typename B::layout, Kokkos::LayoutLeft> &&
                std::is_same_v<typename C::layout, Kokkos::LayoutLeft>)
  {
    DeviceShape const device = device_shape(exec);
    if (!ColumnMajorPolicy::pays(rows, c.cols, b.rows, sizeof(Scalar), device))
      return false;
    multiply_column_major(exec, a,
                          ColumnMajorOperands<Scalar>{alpha, b.data, b.column_stride, beta, c.data,
                                                      c.column_stride, c.cols},
                          long_rows, ColumnMajorPolicy::shape(rows.rows, c.cols, device));
    return true;
  }
  return false;
}

// CsrKernels: the list of spmm/csr.cuh, for A^T B. Operands too large for tiles are left to another
// implementation, which goes on from the orders that the plan holds.
template <class Exec, class Matrix, class Kernel, class CsrKernels>
struct SpmmByRow
{
  using Value = typename Matrix::value_type;
  using Transposed = impl::TransposedRowsOf<Matrix>;
  using TransposedEntries = SpmmEntries<
      GatheredEntries<Value, typename Transposed::ordinal_type, typename Transposed::offset_type>>;
  static constexpr Backend backend = Backend::cuda_native;
  static constexpr char const* name = Kernel::name;
  static constexpr bool is_supported = Kernel::is_supported && std::is_same_v<Exec, Kokkos::Cuda> &&
                                       impl::is_own_accumulator_v<Value>;
  struct State
  {
    typename Kernel::Tuning tuning = {};
    ColumnMajorRows rows = {};                              // known unless a kernel was named
    LongRows<typename Matrix::ordinal_type> long_rows = {}; // in the kernel's list
    std::optional<Transposed> transposed = {};
    CsrTuningOf<TransposedEntries, Exec, CsrKernels> transposed_tuning = {};
    ColumnMajorRows transposed_rows = {};
    LongRows<typename Transposed::ordinal_type> transposed_long_rows = {};

    std::size_t bytes() const
    {
      return tuning.bytes() + (transposed ? transposed->bytes() + transposed_tuning.bytes() : 0);
    }
    bool is_repeatable(Op op) const { return !is_transposed(op) || transposed.has_value(); }
    std::string describe() const
    {
      return tuning.describe() + "; transposed " +
             (transposed ? "through a pattern it holds, " + transposed_tuning.describe()
                         : "by atomic additions");
    }
  };
  template <class B, class C>
  static constexpr impl::Takes takes =
      takes_matrices_v<Matrix, B, C> ? impl::Takes::some : impl::Takes::none;
  template <class B, class C>
  static bool takes_operands(Op, B const& b, C const& c)
  {
    using Scalar = typename C::value_type;
    return is_within_tiles(b.rows, RowMajorOperands<Scalar>{Scalar(1), b.data,
                                                            is_by_rows(b) ? b.row_stride : 0,
                                                            Scalar(0), c.data, 0, c.cols});
  }
  static impl::HeldOrders<Matrix> hand_over(State const& state)
  {
    return impl::HeldOrders<Matrix>::of(state);
  }

  template <class Seen>
  static impl::Verdict can_run(Exec const& exec, Seen const& a, SpmmCsrStatistics const& statistics,
                               SpmmOptions const& options)
  {
    static_assert(RowKernel<Kernel, Exec, Matrix>);
    if (!has_short_rows(statistics))
      return {false, "a row has % entries, % can be counted", statistics.longest,
              most_entries_of_row};
    return Kernel::can_run(exec, a, statistics, options);
  }
  static State analyze(Exec const& exec, Matrix const& a, SpmmCsrStatistics const& statistics,
                       SpmmOptions const& options)
  {
    State state{.tuning = Kernel::tune(exec, a, statistics, options)};
    bool const is_named = !options.implementation.empty();
    if (HasEntriesByRow<Kernel, Matrix> && !is_named)
    {
      state.long_rows = rows_of_blocks<typename Matrix::ordinal_type>(state.tuning);
      state.rows = column_major_rows(statistics, state.long_rows.entries);
    }
    if (options.deterministic || options.transposed)
    {
      auto const& t = state.transposed.emplace(impl::transposed_rows(exec, a));
      impl::RowStatistics const columns =
          impl::row_statistics(exec, t.row_offsets, a.num_cols(), t.columns.extent(0));
      impl::require<Unsupported>(has_short_rows(columns), "spmm", name, " with A^T: a column has ",
                                 columns.longest, " entries, ", most_entries_of_row,
                                 " can be counted");
      // A name is that of the kernel for A: for A^T the best is taken.
      TransposedEntries const entries = transposed_entries(t, a, false);
      SpmmCsrStatistics const of_columns = columns;
      state.transposed_tuning = csr_tuning(CsrKernels{}, exec, entries, of_columns, SpmmOptions{});
      state.transposed_tuning.call.is_named = is_named;
      if (!is_named)
      {
        state.transposed_long_rows =
            rows_of_blocks<typename Transposed::ordinal_type>(state.transposed_tuning);
        state.transposed_rows = column_major_rows(of_columns, state.transposed_long_rows.entries);
      }
    }
    return state;
  }

  template <class Scalar, class B, class C>
  static void run(Exec const& exec, State const& state, Op op, Scalar alpha, Matrix const& a,
                  B const& b, Scalar beta, C const& c)
  {
    if constexpr (HasEntriesByRow<Kernel, Matrix>)
      if (!is_transposed(op) &&
          multiply_as_it_stands(exec, state.rows, state.long_rows,
                                Kernel::entries_of(a, is_conjugated(op)), alpha, b, beta, c))
        return;
    if (is_transposed(op) && state.transposed &&
        multiply_as_it_stands(exec, state.transposed_rows, state.transposed_long_rows,
                              transposed_entries(*state.transposed, a, is_conjugated(op)), alpha, b,
                              beta, c))
      return;
    bool const scatters = is_transposed(op) && !state.transposed;
    bool const adds_to_c = scatters && is_by_rows(c);
    if (adds_to_c)
      impl::scale(exec, beta, c);
    with_row_major(exec, alpha, b, beta, c, [&](RowMajorOperands<Scalar> const& operands) {
      if (!is_transposed(op))
        Kernel::multiply(exec, state.tuning, a, is_conjugated(op), operands);
      else if (state.transposed)
        multiply_csr(exec, state.transposed_tuning,
                     transposed_entries(*state.transposed, a, is_conjugated(op)), operands);
      else
      {
        if (!adds_to_c)
          impl::scale(exec, Scalar(0), row_major(operands, c.rows));
        impl::with_conjugation<Value>(op, [&]<class Is>(Is) {
          scatter_by_row_views<Is::value>(exec, impl::row_views_of(a),
                                          static_cast<Value const*>(a.values().data()), operands);
        });
      }
    });
  }

  // Known where the kernels had to look at what rows share: not with mixtures, whose bundles pay
  // for copies.
  static ColumnMajorRows column_major_rows(SpmmCsrStatistics const& statistics,
                                           std::int64_t long_entries)
  {
    auto const& overlap = statistics.known_overlap();
    if (!overlap)
      return {};
    return {statistics, overlap->scattered, true, long_entries};
  }
  template <class Scalar>
  static auto row_major(RowMajorOperands<Scalar> const& operands, std::int64_t rows)
  {
    return impl::MatrixOperand<Scalar, Kokkos::LayoutRight>{operands.c, rows, operands.columns,
                                                            operands.c_stride, 1};
  }
  static TransposedEntries transposed_entries(Transposed const& t, Matrix const& a,
                                              bool is_conjugate)
  {
    return {gathered_entries(t, a.values().data()), is_conjugate};
  }
};

} // namespace heddle::cuda_native
