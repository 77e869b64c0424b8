// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The kernel of tensor_bundles (spmm/row_bundles.cuh): bundles of eight rows of doubles on the
// tensor cores that multiply doubles. A warp takes a bundle and a tile of columns and computes
// C^T = B^T A^T (device/tensor_mma.cuh), eight columns of the bundle at a time: 16 columns of B are
// the rows of a left factor, the bundle's eight rows the columns of the right one. That way of
// using the wider side of the instruction for B is FlashSparse's (J. Shi et al., PPoPP 2025), for
// 16-bit values there.
//
// A lane's two rows of a left factor are two neighbouring columns of B, a packet of 16 bytes. Eight
// neighbouring lanes load those of one row of B, a line, which the first-level cache serves at
// once, and lanes exchange packets before they multiply: loaded where they are multiplied, packets
// of four lines meet in each request, which takes four times as long. Columns, masks and values
// come through shared memory, as in spmm/row_bundles_kernel.cuh, with zeros where a row lacks a
// column.
//
// These zeros add nothing unless they meet an infinity or a NaN of B. Then a sum is a NaN, and so a
// warp that has one in the end takes its bundle once more, entry by entry. No atomics: results are
// bitwise repeatable.
//
// Bytes: B gathered once a bundle and column, A's values and five bytes per column once a tile.
// Limit: the first two caches' bytes per cycle; where bundles are few, the longest part of one that
// a warp walks alone.

#include <heddle/cuda_native/device/dense_packet.cuh>
#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/tensor_mma.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_bundles_kernel.cuh>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/divided_up.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// B, C, alpha and beta as a lane of the kernel sees them: `packets` packets of two columns, those
// of eight lanes side by side.
template <int packets>
struct TensorBundleOperands
{
  using packet = Packet<double, 2>;
  static constexpr int columns_of_packets = 2 * TensorShapeOfDoubles::columns;
  static constexpr int columns_of_tile = packets * columns_of_packets;
  double alpha, beta;
  double const* __restrict__ b;
  double* __restrict__ c;
  std::uint32_t b_row_bytes;
  std::int64_t c_stride, columns;

  // The first of the lane's columns in packet n.
  __device__ std::int64_t column(int group, int n) const
  {
    return static_cast<std::int64_t>(blockIdx.y) * columns_of_tile + n * columns_of_packets +
           2 * group;
  }
  __device__ void store(std::int64_t row, std::int64_t column, double first, double second) const
  {
    double* const to = c + row * c_stride + column;
    packet out{alpha * first, alpha * second};
    if (beta != 0)
    {
      packet const old = packet::of(__ldcg(reinterpret_cast<packet::word const*>(to)));
      out.at[0] += beta * old.at[0];
      out.at[1] += beta * old.at[1];
    }
    store_packet(to, out);
  }
};

struct TensorBundlePolicy
{
  static constexpr int rows = SpmmCsrPolicyFor::rows_of_tensor_bundle;
  static_assert(rows == TensorShapeOfDoubles::columns);
  static constexpr int warps = SpmmPolicy::warps;
  // Packets of B that a lane has in flight: steps of eight columns, two packets each.
  static constexpr int packets_in_flight = 8;
  static constexpr int blocks_per_processor(int packets) { return packets == 1 ? 6 : 4; }

  // As BundleCut. Eight rows' values are read at once: they are in different banks.
  static constexpr int columns_per_lane = 1;
  static constexpr bool has_shared_entries = false;
  static constexpr bool has_zeros = true;
  static constexpr int padding = TensorShapeOfDoubles::lanes_of_depth;
};

// The sums of a warp as one of its lanes, 4 g + t, has them: rows 2 t and 2 t + 1 of the bundle, in
// the columns of the lane's packets of B.
template <int packets>
class TensorBundleTile
{
public:
  using Shape = TensorShapeOfDoubles;
  using Operands = TensorBundleOperands<packets>;
  static constexpr int columns_at_once =
      Shape::depth * TensorBundlePolicy::packets_in_flight / (2 * packets);
  static constexpr int of_lane = Shape::depth / Shape::lanes_of_depth;

  __device__ explicit TensorBundleTile(Operands const& operands)
      : m_operands(operands)
      , m_group(static_cast<int>(threadIdx.x) % warp_size / Shape::lanes_of_depth)
      , m_thread(static_cast<int>(threadIdx.x) % Shape::lanes_of_depth)
      , m_row(static_cast<int>(threadIdx.x) % warp_size / Shape::columns)
  {
    // Lanes beyond the last column read the first ones.
    int const place = static_cast<int>(threadIdx.x) % Shape::columns;
    std::int64_t const first = operands.column(place, 0);
    m_b = reinterpret_cast<char const*>(operands.b + (first < operands.columns ? first : 0));
#pragma unroll
    for (int n = 0; n < packets; ++n)
      m_step[n] =
          operands.column(place, n) < operands.columns
              ? static_cast<std::uint32_t>(n * Operands::columns_of_packets * sizeof(double))
              : 0U;
  }

  // Columns j .. j + columns_at_once - 1 of a batch.
  __device__ void add(BundleBatch<double> const& batch, int j)
  {
    constexpr int steps = columns_at_once / Shape::depth;
    Packet<double, 2> b[steps][of_lane][packets];
    double values[steps][of_lane];
#pragma unroll
    for (int s = 0; s < steps; ++s)
#pragma unroll
      for (int p = 0; p < of_lane; ++p)
      {
        int const first = j + s * Shape::depth + p * Shape::lanes_of_depth;
        load_packets(batch.columns[first + m_row], b[s][p]);
        values[s][p] = batch.values[m_group * batch.row_stride + first + m_thread];
      }
#pragma unroll
    for (int s = 0; s < steps; ++s)
#pragma unroll
      for (int n = 0; n < packets; ++n)
      {
        Packet<double, 2> const above = of_row(b[s][0][n]), below = of_row(b[s][1][n]);
        multiply_add(m_sums[n][0], m_sums[n][1],
                     {above.at[0], above.at[1], below.at[0], below.at[1]}, values[s]);
      }
  }
  // Whether an entry of B that is not finite may have met a zero of a row that lacks it. Lanes of
  // the warp agree.
  __device__ bool is_in_doubt() const
  {
    bool result = false;
#pragma unroll
    for (int n = 0; n < packets; ++n)
#pragma unroll
      for (int q = 0; q < 2; ++q)
#pragma unroll
        for (int s = 0; s < 2; ++s)
          result = result || isnan(m_sums[n][q][s]);
    return __any_sync(0xffffffffU, result);
  }
  __device__ void start_again()
  {
#pragma unroll
    for (int n = 0; n < packets; ++n)
#pragma unroll
      for (int q = 0; q < 2; ++q)
        set_zero(m_sums[n][q]);
  }
  // Of a warp, a lane's side by side with the others'.
  struct Sums
  {
    double2 at[packets][2][warp_size];
  };
  __device__ void write(Sums& to, int lane) const
  {
#pragma unroll
    for (int n = 0; n < packets; ++n)
#pragma unroll
      for (int q = 0; q < 2; ++q)
        to.at[n][q][lane] = make_double2(m_sums[n][q][0], m_sums[n][q][1]);
  }
  __device__ void add_part(Sums const& from, int lane)
  {
#pragma unroll
    for (int n = 0; n < packets; ++n)
#pragma unroll
      for (int q = 0; q < 2; ++q)
      {
        double2 const part = from.at[n][q][lane];
        m_sums[n][q][0] += part.x;
        m_sums[n][q][1] += part.y;
      }
  }
  // The same as add, column by column and without what rows lack.
  __device__ void add_entries(BundleBatch<double> const& batch, int count)
  {
#pragma unroll 1
    for (int j = 0; j < count; ++j)
    {
      unsigned const mask = batch.masks[j] >> (2 * m_thread);
      Packet<double, 2> b[packets];
      load_packets(batch.columns[j], b);
#pragma unroll
      for (int n = 0; n < packets; ++n)
      {
        Packet<double, 2> const here = of_row(b[n]); // all four rows are this one
#pragma unroll
        for (int s = 0; s < 2; ++s)
          if ((mask >> s & 1U) != 0)
          {
            double const value = batch.values[(2 * m_thread + s) * batch.row_stride + j];
#pragma unroll
            for (int q = 0; q < 2; ++q)
              m_sums[n][q][s] += value * here.at[q];
          }
      }
    }
  }
  __device__ void store(std::int64_t first_row, std::int64_t rows) const
  {
#pragma unroll
    for (int n = 0; n < packets; ++n)
    {
      std::int64_t const column = m_operands.column(m_group, n);
      if (column >= m_operands.columns)
        continue;
#pragma unroll
      for (int s = 0; s < 2; ++s)
        if (std::int64_t const row = first_row + 2 * m_thread + s; row < rows)
          m_operands.store(row, column, m_sums[n][0][s], m_sums[n][1][s]);
    }
  }

private:
  // Lane 8 t + g loads what lane 4 g + t multiplies: eight neighbouring lanes read one line, which
  // the first-level cache serves at once.
  __device__ Packet<double, 2> of_row(Packet<double, 2> const& loaded) const
  {
    int4 word = loaded.bits();
    int const from = m_thread * Shape::columns + m_group;
    word.x = __shfl_sync(0xffffffffU, word.x, from);
    word.y = __shfl_sync(0xffffffffU, word.y, from);
    word.z = __shfl_sync(0xffffffffU, word.z, from);
    word.w = __shfl_sync(0xffffffffU, word.w, from);
    return Packet<double, 2>::of(word);
  }
  __device__ void load_packets(int row, Packet<double, 2> (&to)[packets]) const
  {
    char const* const from =
        m_b + static_cast<std::uint64_t>(static_cast<std::uint32_t>(row)) * m_operands.b_row_bytes;
#pragma unroll
    for (int n = 0; n < packets; ++n)
      to[n] = load_packet<typename Operands::packet>(from + m_step[n]);
  }

  Operands const& m_operands;
  int m_group, m_thread;
  int m_row; // of four, that the lane loads
  char const* m_b;
  std::uint32_t m_step[packets];     // bytes to the packets
  double m_sums[packets][2][2] = {}; // by the column of a packet, and by row
};

// A warp a bundle and tile; or, is_split, all warps of a block, each of which has a part of the
// columns. The first of them adds the parts up in their order.
template <int packets, bool is_split, class Entries>
__global__ void __launch_bounds__(SpmmPolicy::threads_per_block,
                                  TensorBundlePolicy::blocks_per_processor(packets))
    spmm_tensor_bundles_kernel(
        Entries a,
        BundleColumns<typename Entries::ordinal_type, typename Entries::offset_type> bundles,
        TensorBundleOperands<packets> operands)
{
  using Policy = TensorBundlePolicy;
  using Loader = BundleLoader<Policy::rows, Entries, Policy>;
  using Tile = TensorBundleTile<packets>;
  __shared__ union {
    typename Loader::Memory batches;
    typename Tile::Sums parts[is_split ? Policy::warps - 1 : 1];
  } memory;
  let_next_start();
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const first_slot = static_cast<int>(threadIdx.x) - lane;
  std::int64_t const bundle =
      is_split ? blockIdx.x : static_cast<std::int64_t>(blockIdx.x) * Policy::warps + warp;
  if (bundle >= bundles.count)
    return;
  auto const first_column = static_cast<std::int64_t>(bundles.offsets[bundle]);
  int const length =
      static_cast<int>(static_cast<std::int64_t>(bundles.offsets[bundle + 1]) - first_column);
  // The warp's columns.
  int begin = 0, end = length;
  if constexpr (is_split)
  {
    int const part =
        (length + Policy::warps * warp_size - 1) / (Policy::warps * warp_size) * warp_size;
    begin = min(part * warp, length);
    end = min(begin + part, length);
  }
  // add(batch, columns in it) for each batch of them.
  auto const for_each_batch = [&](auto const& add) {
    if (begin == end)
      return;
    auto const* const begins = bundles.begins + bundle * Policy::rows;
    auto const first_entry = static_cast<std::int64_t>(begins[0]);
    Loader loader{memory.batches,
                  warp_size,
                  lane,
                  0,
                  first_slot,
                  bundles.columns + first_column,
                  bundles.masks + first_column,
                  end,
                  a.from(first_entry),
                  {memory.batches.next, {}}};
#pragma unroll
    for (int r = 0; r < Policy::rows; ++r)
      loader.next[r] = static_cast<int>(static_cast<std::int64_t>(begins[r]) - first_entry);
    if constexpr (is_split)
      loader.skip(begin);
    loader.fetch_columns(begin);
    loader.load(begin, 0);
    end_of_copies();
    for (int first = begin, which = 0; first < end; first += warp_size, which ^= 1)
    {
      if (first + warp_size < end)
        loader.load(first + warp_size, which ^ 1);
      end_of_copies();
      wait_for_copies_before_last();
      __syncwarp();
      BundleBatch<double> const batch{
          memory.batches.columns[which] + first_slot, memory.batches.masks[which] + first_slot,
          memory.batches.values_of(which) + first_slot, Loader::row_stride, end - first};
      add(batch, min(warp_size, end - first));
      __syncwarp(); // the next batch but one overwrites this one
    }
  };
  Tile tile(operands);
  for_each_batch([&](BundleBatch<double> const& batch, int count) {
    if (count == warp_size)
    {
#pragma unroll
      for (int j = 0; j < warp_size; j += Tile::columns_at_once)
        tile.add(batch, j);
    }
    else
      for (int j = 0; j < count; j += Tile::columns_at_once)
        tile.add(batch, j);
  });
  if (tile.is_in_doubt())
  {
    tile.start_again();
    for_each_batch(
        [&](BundleBatch<double> const& batch, int count) { tile.add_entries(batch, count); });
  }
  if constexpr (is_split)
  {
    wait_for_copies();
    __syncthreads(); // parts take the place of batches
    if (warp > 0)
      tile.write(memory.parts[warp - 1], lane);
    __syncthreads();
    if (warp > 0)
      return;
#pragma unroll
    for (int n = 0; n < Policy::warps - 1; ++n)
      tile.add_part(memory.parts[n], lane);
  }
  tile.store(bundles.first_rows == nullptr ? bundle * Policy::rows
                                           : static_cast<std::int64_t>(bundles.first_rows[bundle]),
             a.rows);
}

// C <- alpha A B + beta C for the rows of bundles of eight, on an instance or on side streams.
// Operands have packets. Asynchronous.
template <int packets, bool is_split, class On, class Bundles, class Entries>
void launch_tensor_bundles(On& on, Bundles const& bundles, Entries const& a,
                           RowMajorOperands<double> const& all)
{
  using Operands = TensorBundleOperands<packets>;
  Grid grid{};
  grid.blocks = is_split ? bundles.count : blocks_for(bundles.count, TensorBundlePolicy::warps);
  grid.threads_per_block = SpmmPolicy::threads_per_block;
  grid.blocks_y =
      static_cast<int>(impl::divided_up(all.columns, std::int64_t(Operands::columns_of_tile)));
  grid.blocks_per_processor = TensorBundlePolicy::blocks_per_processor(packets);
  launch(on, "heddle::spmm::tensor_bundles", spmm_tensor_bundles_kernel<packets, is_split, Entries>,
         grid, a, bundle_columns(bundles),
         Operands{all.alpha, all.beta, all.b, all.c,
                  static_cast<std::uint32_t>(all.b_stride * sizeof(double)), all.c_stride,
                  all.columns});
}
template <class On, class Bundles, class Entries>
void multiply_tensor_bundles(On& on, Bundles const& bundles, Entries const& a,
                             RowMajorOperands<double> const& all, DeviceShape const& device)
{
  auto const with_packets = [&]<class Packets>(Packets) {
    constexpr int packets = Packets::value;
    std::int64_t const warps =
        bundles.count *
        impl::divided_up(all.columns, std::int64_t(TensorBundleOperands<packets>::columns_of_tile));
    if (SpmmCsrPolicyFor::splits_tensor_bundles(warps, bundles.mean_columns(), device))
      launch_tensor_bundles<packets, true>(on, bundles, a, all);
    else
      launch_tensor_bundles<packets, false>(on, bundles, a, all);
  };
  int const least = all.columns <= TensorBundleOperands<1>::columns_of_tile   ? 1
                    : all.columns <= TensorBundleOperands<2>::columns_of_tile ? 2
                                                                              : 4;
  with_one_of<1, 2, 4>(least, with_packets);
}

} // namespace heddle::cuda_native
