// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The kernels of spmm/row_segments.cuh, after paper 000: Listings 1 and 3 (heavy), 2 (light), 4
// (heavy, transposed) and 5 (light, transposed), each of which also makes both products in one pass
// over A. The lanes of a warp are columns of B and C, 32 a slice; a lane has `slices` of them.
//
// A warp takes a heavy segment, or a bundle of them whose rows share what is read from and added to
// shared memory (remark 4 of section 7).

#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/impl/arithmetic.hpp>
#include <heddle/impl/operands.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

template <class Scalar>
using RowMajor = impl::MatrixOperand<Scalar, Kokkos::LayoutRight>;

// What a call computes of C = alpha A B + beta C and C_t = alpha A^T B_t + beta C_t.
enum class SegmentProducts
{
  none_transposed,
  transposed,
  both
};
KOKKOS_FUNCTION constexpr bool multiplies_a(SegmentProducts products)
{
  return products != SegmentProducts::transposed;
}
KOKKOS_FUNCTION constexpr bool multiplies_a_transposed(SegmentProducts products)
{
  return products != SegmentProducts::none_transposed;
}

// The operands of both; a kernel leaves alone what is of the other product.
template <class Scalar>
struct SegmentOperands
{
  std::int64_t tiles = 0;       // of columns
  Scalar alpha = {}, beta = {}; // beta of C; C_t has been scaled
  RowMajor<Scalar const> b = {}, b_t = {};
  RowMajor<Scalar> c = {}, c_t = {};
};

// Consecutive heavy segments that a warp takes at once, the unit `number` of all.
struct HeavyUnit
{
  std::int64_t number, first;
  int segments;
};

// Block n has the segments block_starts[n] .. block_starts[n + 1] - 1, all of panel
// block_panels[n]. A unit is a segment.
template <class Value, class Ordinal, class Offset>
struct HeavySegments
{
  static constexpr int rows_of_unit = 1;
  std::int64_t panel_width, cols;
  Ordinal const* __restrict__ block_panels;
  Offset const* __restrict__ block_starts;
  Ordinal const* __restrict__ rows;
  Offset const* __restrict__ offsets;
  Ordinal const* __restrict__ columns;
  Value const* __restrict__ values;

  // Of the blocks' units.
  __device__ std::int64_t unit_start(std::int64_t block) const
  {
    return static_cast<std::int64_t>(block_starts[block]);
  }
  __device__ HeavyUnit unit(std::int64_t, std::int64_t n) const { return {n, n, 1}; }
};

// The same segments; a unit is a bundle of `rows` consecutive ones of a block, fewer at its end.
// The columns of bundle n are column_codes[code_offsets[n]] .. column_codes[code_offsets[n + 1] -
// 1]: a column of the panel times 2^rows, and bit r says whether segment r has an entry there.
template <class Value, class Ordinal, class Offset, int rows>
struct HeavyBundles
{
  static constexpr int rows_of_unit = rows;
  HeavySegments<Value, Ordinal, Offset> segments;
  std::int64_t const* __restrict__ block_bundles; // the bundle that each block begins with
  std::int64_t const* __restrict__ code_offsets;
  std::uint16_t const* __restrict__ column_codes;

  __device__ std::int64_t unit_start(std::int64_t block) const { return block_bundles[block]; }
  __device__ HeavyUnit unit(std::int64_t block, std::int64_t n) const
  {
    std::int64_t const first = segments.unit_start(block) + rows * (n - block_bundles[block]);
    std::int64_t const left = segments.unit_start(block + 1) - first;
    return {n, first, static_cast<int>(left < rows ? left : rows)};
  }
};
template <class Value, class Ordinal, class Offset>
__device__ auto const& segments_of(HeavySegments<Value, Ordinal, Offset> const& a)
{
  return a;
}
template <class Value, class Ordinal, class Offset, int rows>
__device__ auto const& segments_of(HeavyBundles<Value, Ordinal, Offset, rows> const& a)
{
  return a.segments;
}

// What a warp takes of the light entries, all of one row.
struct LightPiece
{
  std::int64_t row, first, last;
};
// Piece n is row n, or the first `limit` entries of a long row. With row_numbers, the rest of long
// rows: piece n is of row row_numbers[n] and begins with entry begins[n].
template <class Value, class Ordinal, class Offset>
struct LightRows
{
  std::int64_t count, limit;
  Offset const* __restrict__ offsets;
  Ordinal const* __restrict__ columns;
  Value const* __restrict__ values;
  Ordinal const* __restrict__ row_numbers = nullptr;
  Offset const* __restrict__ begins = nullptr;

  __device__ bool is_rest() const { return row_numbers != nullptr; }
  __device__ LightPiece piece(std::int64_t n) const
  {
    std::int64_t const row = is_rest() ? static_cast<std::int64_t>(row_numbers[n]) : n;
    auto const first = static_cast<std::int64_t>(is_rest() ? begins[n] : offsets[n]);
    auto const end = static_cast<std::int64_t>(offsets[row + 1]);
    return {row, first, end - first < limit ? end : first + limit};
  }
};

// target += value by the atomics of CUDA, which know shared memory from global: others ask where an
// address lies at each addition.
template <class Value>
__device__ void add_by_atomics(Value& target, Value const& value)
{
  if constexpr (std::is_same_v<Value, float> || std::is_same_v<Value, double>)
    atomicAdd(&target, value);
  else if constexpr (impl::is_complex_v<Value>)
  {
    add_by_atomics(target.real(), value.real());
    add_by_atomics(target.imag(), value.imag());
  }
  else
    impl::atomic_accumulate(target, value);
}

__device__ inline int lane_of_thread() { return static_cast<int>(threadIdx.x) % warp_size; }
__device__ inline int warp_of_thread() { return static_cast<int>(threadIdx.x) / warp_size; }

// visit(column, value) for the entries first .. last - 1, which are the same for all lanes: 32 are
// loaded at once, a lane each, and then go round. All lanes of the warp take part.
template <class Index, bool is_conjugate, class Ordinal, class Value, class Visit>
__device__ void visit_entries(Ordinal const* __restrict__ columns, Value const* __restrict__ values,
                              std::int64_t first, std::int64_t last, Visit const& visit)
{
  int const lane = lane_of_thread();
  for (std::int64_t from = first; from < last; from += warp_size)
  {
    int const count = static_cast<int>(last - from < warp_size ? last - from : warp_size);
    Index column{};
    Value value{};
    if (lane < count)
    {
      column = static_cast<Index>(columns[from + lane]);
      value = impl::conjugated<is_conjugate>(values[from + lane]);
    }
#pragma unroll 4
    for (int n = 0; n < count; ++n)
      visit(value_of_lane(column, n), value_of_lane(value, n));
  }
}

// visit(column, value) for the entries of segment number n.
template <bool is_conjugate, class Segments, class Visit>
__device__ void visit_segment(Segments const& a, std::int64_t n, Visit const& visit)
{
  visit_entries<int, is_conjugate>(a.columns, a.values, static_cast<std::int64_t>(a.offsets[n]),
                                   static_cast<std::int64_t>(a.offsets[n + 1]), visit);
}

// visit(column, values) for the columns of a unit, values being one of each of its segments, zero
// where it has no entry there.
template <bool is_conjugate, class Value, class Ordinal, class Offset, class Visit>
__device__ void visit_columns(HeavySegments<Value, Ordinal, Offset> const& a, HeavyUnit const& unit,
                              Visit const& visit)
{
  visit_segment<is_conjugate>(a, unit.first, [&](int column, Value const& value) {
    Value const values[1] = {value};
    visit(column, values);
  });
}
// An entry is found by counting the bits of its segment before it, so values stay in their order.
template <bool is_conjugate, class Value, class Ordinal, class Offset, int rows, class Visit>
__device__ void visit_columns(HeavyBundles<Value, Ordinal, Offset, rows> const& a,
                              HeavyUnit const& unit, Visit const& visit)
{
  int const lane = lane_of_thread();
  unsigned const lanes_before = (1U << lane) - 1;
  auto const first_entry = static_cast<std::int64_t>(a.segments.offsets[unit.first]);
  Value const* const all_values = a.segments.values + first_entry;
  int next[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) // no bit is set for segments that are not there
    next[r] = r < unit.segments
                  ? static_cast<int>(static_cast<std::int64_t>(a.segments.offsets[unit.first + r]) -
                                     first_entry)
                  : 0;
  std::uint16_t const* const codes = a.column_codes + a.code_offsets[unit.number];
  int const length =
      static_cast<int>(a.code_offsets[unit.number + 1] - a.code_offsets[unit.number]);
  unsigned code = lane < length ? codes[lane] : 0U;
  for (int from = 0; from < length; from += warp_size)
  {
    // On its way while this batch is multiplied.
    unsigned const next_code =
        from + warp_size + lane < length ? codes[from + warp_size + lane] : 0U;
    Value values[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r)
    {
      bool const is_there = (code >> r & 1U) != 0;
      unsigned const there = __ballot_sync(0xffffffffU, is_there);
      values[r] =
          is_there
              ? impl::conjugated<is_conjugate>(all_values[next[r] + __popc(there & lanes_before)])
              : Value{};
      next[r] += __popc(there);
    }
    int const column = static_cast<int>(code >> rows);
    int const count = length - from < warp_size ? length - from : warp_size;
#pragma unroll 4
    for (int n = 0; n < count; ++n)
    {
      Value all[rows];
#pragma unroll
      for (int r = 0; r < rows; ++r)
        all[r] = value_of_lane(values[r], n);
      visit(value_of_lane(column, n), all);
    }
    code = next_code;
  }
}

// Whether a lane of the warp has a NaN, or what a zero makes one of. All lanes take part.
template <int rows, int slices, class Scalar>
__device__ bool have_nan(Scalar const (&values)[rows][slices])
{
  bool has = false;
#pragma unroll
  for (int r = 0; r < rows; ++r)
#pragma unroll
    for (int s = 0; s < slices; ++s)
      has = has || values[r][s] != values[r][s];
  return __any_sync(0xffffffffU, has);
}
template <int rows, int slices, class Scalar>
__device__ bool are_finite(Scalar const (&values)[rows][slices])
{
  bool are = true;
#pragma unroll
  for (int r = 0; r < rows; ++r)
#pragma unroll
    for (int s = 0; s < slices; ++s)
      are = are && values[r][s] - values[r][s] == Scalar{};
  return __all_sync(0xffffffffU, are);
}

// The panel of a heavy block and its tile of columns of B and C, one of `tiles`.
template <int slices, class Segments>
struct HeavyTile
{
  static constexpr int columns = slices * warp_size;
  std::int64_t block, first_row, first_column; // rows of a panel are columns of A
  int rows;

  __device__ HeavyTile(Segments const& a, std::int64_t tiles)
      : block(static_cast<std::int64_t>(blockIdx.x) / tiles)
      , first_row(static_cast<std::int64_t>(a.block_panels[block]) * a.panel_width)
      , first_column(static_cast<std::int64_t>(blockIdx.x) % tiles * columns)
      , rows(static_cast<int>(a.cols - first_row < a.panel_width ? a.cols - first_row
                                                                 : a.panel_width))
  {}
  // Where in a row of the panel the lane has its slice s, and where in B and C.
  __device__ static int in_panel(int s) { return s * warp_size + lane_of_thread(); }
  __device__ static int place(int column, int s) { return column * columns + in_panel(s); }
  __device__ std::int64_t in_matrix(int s) const { return first_column + in_panel(s); }
};

// C <- C + alpha A B and C_t <- C_t + alpha A^T B_t, or one of them, for heavy segments. Shared
// memory has the panel of B, the panel of C_t, or that of B and behind it that of C_t.
template <class Policy, SegmentProducts products, int slices, bool is_conjugate, class Heavy,
          class Scalar>
__global__ void __launch_bounds__(Policy::value.heavy_threads,
                                  Policy::value.heavy_blocks_per_processor)
    spmm_heavy_kernel(Heavy heavy, SegmentOperands<Scalar> operands)
{
  auto const& a = segments_of(heavy);
  using Tile = HeavyTile<slices, std::remove_cvref_t<decltype(a)>>;
  constexpr bool has_c = multiplies_a(products), has_c_t = multiplies_a_transposed(products);
  constexpr bool is_both = has_c && has_c_t;
  constexpr int rows = Heavy::rows_of_unit;
  constexpr int warps = Policy::value.heavy_threads / warp_size;
  extern __shared__ int4 shared[];
  auto const& b = operands.b;
  auto const& c = operands.c;
  auto const& b_t = operands.b_t;
  auto const& c_t = operands.c_t;
  Tile const tile(a, operands.tiles);
  auto* const panel_of_b = reinterpret_cast<Scalar*>(shared);
  auto* const panel_of_c_t = is_both ? panel_of_b + a.panel_width * Tile::columns : panel_of_b;
#pragma unroll 4
  for (int i = warp_of_thread(); i < tile.rows; i += warps)
#pragma unroll
    for (int s = 0; s < slices; ++s)
    {
      if constexpr (has_c)
        panel_of_b[Tile::place(i, s)] =
            tile.in_matrix(s) < b.cols ? b(tile.first_row + i, tile.in_matrix(s)) : Scalar{};
      if constexpr (has_c_t)
        panel_of_c_t[Tile::place(i, s)] = Scalar{};
    }
  __syncthreads();

  auto const last = heavy.unit_start(tile.block + 1);
  for (auto n = heavy.unit_start(tile.block) + warp_of_thread(); n < last; n += warps)
  {
    HeavyUnit const unit = heavy.unit(tile.block, n);
    auto const row_of = [&](int r) { return static_cast<std::int64_t>(a.rows[unit.first + r]); };
    // C_t takes values conjugated where both are made, C never does.
    auto const of_c_t = [](Scalar const& value) {
      return is_both ? impl::conjugated<is_conjugate>(value) : value;
    };
    constexpr bool loads_conjugates = is_conjugate && !is_both;
    Scalar sums[has_c ? rows : 1][slices]{};
    Scalar factors[has_c_t ? rows : 1][slices];
    bool by_entry = false; // a zero of a bundle would make a NaN where there is no entry
    if constexpr (has_c_t)
    {
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int s = 0; s < slices; ++s)
          factors[r][s] = r < unit.segments && tile.in_matrix(s) < b_t.cols
                              ? operands.alpha * b_t(row_of(r), tile.in_matrix(s))
                              : Scalar{};
      if constexpr (rows > 1)
        by_entry = !are_finite(factors);
    }
    if (!by_entry)
      visit_columns<loads_conjugates>(heavy, unit, [&](int column, Scalar const(&values)[rows]) {
#pragma unroll
        for (int s = 0; s < slices; ++s)
        {
          int const place = Tile::place(column, s);
          if constexpr (has_c)
          {
            Scalar const of_b = panel_of_b[place];
#pragma unroll
            for (int r = 0; r < rows; ++r)
              sums[r][s] += values[r] * of_b;
          }
          if constexpr (has_c_t)
          {
            Scalar sum = of_c_t(values[0]) * factors[0][s];
#pragma unroll
            for (int r = 1; r < rows; ++r)
              sum += of_c_t(values[r]) * factors[r][s];
            add_by_atomics(panel_of_c_t[place], sum);
          }
        }
      });
    if constexpr (rows > 1)
    {
      if (by_entry) // factors is indexed by constants only, to stay in registers
#pragma unroll
        for (int r = 0; r < rows; ++r)
          if (r < unit.segments)
            visit_segment<loads_conjugates>(
                a, unit.first + r, [&](int column, Scalar const& value) {
#pragma unroll
                  for (int s = 0; s < slices; ++s)
                    add_by_atomics(panel_of_c_t[Tile::place(column, s)],
                                   of_c_t(value) * factors[has_c_t ? r : 0][s]);
                });
      if constexpr (has_c)
        if (by_entry || have_nan(sums))
#pragma unroll
          for (int r = 0; r < rows; ++r)
            if (r < unit.segments)
            {
#pragma unroll
              for (int s = 0; s < slices; ++s)
                sums[r][s] = Scalar{};
              visit_segment<loads_conjugates>(
                  a, unit.first + r, [&](int column, Scalar const& value) {
#pragma unroll
                    for (int s = 0; s < slices; ++s)
                      sums[r][s] += value * panel_of_b[Tile::place(column, s)];
                  });
            }
    }
    if constexpr (has_c)
#pragma unroll
      for (int r = 0; r < rows; ++r)
        if (r < unit.segments)
        {
          std::int64_t const row = row_of(r);
#pragma unroll
          for (int s = 0; s < slices; ++s)
            if (tile.in_matrix(s) < c.cols)
              add_by_atomics(c(row, tile.in_matrix(s)), operands.alpha * sums[r][s]);
        }
  }

  if constexpr (has_c_t)
  {
    __syncthreads();
    for (int i = warp_of_thread(); i < tile.rows; i += warps)
#pragma unroll
      for (int s = 0; s < slices; ++s)
        if (tile.in_matrix(s) < c_t.cols)
          if (Scalar const sum = panel_of_c_t[Tile::place(i, s)]; sum != Scalar{})
            add_by_atomics(c_t(tile.first_row + i, tile.in_matrix(s)), sum);
  }
}

// C <- alpha A B + beta C and C_t <- C_t + alpha A^T B_t, or one of them, for light rows; what is
// left of long ones is added to both.
template <class Policy, SegmentProducts products, int slices, bool is_conjugate, class Value,
          class Ordinal, class Offset>
__global__ void __launch_bounds__(Policy::value.light_threads)
    spmm_light_kernel(LightRows<Value, Ordinal, Offset> a, SegmentOperands<Value> operands)
{
  using Scalar = Value;
  constexpr bool has_c = multiplies_a(products), has_c_t = multiplies_a_transposed(products);
  constexpr bool is_both = has_c && has_c_t;
  constexpr int warps = Policy::value.light_threads / warp_size;
  auto const& b = operands.b;
  auto const& c = operands.c;
  auto const& b_t = operands.b_t;
  auto const& c_t = operands.c_t;
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * warps + warp_of_thread();
  if (n >= a.count) // all of the warp
    return;
  LightPiece const piece = a.piece(n);
  if (!has_c && piece.first == piece.last)
    return;
  for (std::int64_t tile = blockIdx.y; tile < operands.tiles; tile += gridDim.y)
  {
    std::int64_t const column = tile * slices * warp_size + lane_of_thread();
    Scalar sums[slices]{};
    Scalar factors[slices];
    if constexpr (has_c_t)
#pragma unroll
      for (int s = 0; s < slices; ++s)
        factors[s] = column + s * warp_size < b_t.cols
                         ? operands.alpha * b_t(piece.row, column + s * warp_size)
                         : Scalar{};
    visit_entries<Ordinal, is_conjugate && !is_both>(
        a.columns, a.values, piece.first, piece.last, [&](Ordinal entry, Scalar const& value) {
          auto const row = static_cast<std::int64_t>(entry);
#pragma unroll
          for (int s = 0; s < slices; ++s)
          {
            if constexpr (has_c)
              if (column + s * warp_size < b.cols)
                sums[s] += value * b(row, column + s * warp_size);
            if constexpr (has_c_t)
              if (column + s * warp_size < c_t.cols)
                add_by_atomics(c_t(row, column + s * warp_size),
                               (is_both ? impl::conjugated<is_conjugate>(value) : value) *
                                   factors[s]);
          }
        });
    if constexpr (has_c)
#pragma unroll
      for (int s = 0; s < slices; ++s)
        if (column + s * warp_size < c.cols)
        {
          Scalar& target = c(piece.row, column + s * warp_size);
          if (a.is_rest())
            add_by_atomics(target, operands.alpha * sums[s]);
          else
            impl::store(target, operands.alpha, sums[s], operands.beta);
        }
  }
}

} // namespace heddle::cuda_native
