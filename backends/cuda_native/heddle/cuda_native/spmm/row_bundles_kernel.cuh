// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The kernel of row_bundles (spmm/row_bundles.cuh). A group of lanes walks the columns of a bundle
// batch by batch. While one batch is multiplied, the values of the next are copied to shared memory
// without passing through registers, each row of A in a row of its own, and the column numbers of
// the one behind that are on their way. Where all rows of a bundle have all columns of a batch, its
// values stand side by side and no mask is looked at.

#include <heddle/cuda_native/device/async_copy.cuh>
#include <heddle/cuda_native/device/dense_packet.cuh>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

template <class Ordinal, class Offset>
struct BundleColumns
{
  std::int64_t count;                     // of the bundles
  Ordinal const* __restrict__ first_rows; // null: bundles of all rows, in their order
  Offset const* __restrict__ offsets;     // of the bundles
  Offset const* __restrict__ begins;      // of the entries of each row of each bundle
  Ordinal const* __restrict__ columns;
  unsigned char const* __restrict__ masks; // bit r: row r of the bundle has the column
};

// What the kernels see of the bundles that a plan holds (spmm/row_bundles_plan.cuh).
template <class Bundles>
auto bundle_columns(Bundles const& bundles)
{
  using Ordinal = typename decltype(bundles.columns)::non_const_value_type;
  using Offset = typename decltype(bundles.offsets)::non_const_value_type;
  return BundleColumns<Ordinal, Offset>{
      bundles.count,          bundles.first_rows.data(),
      bundles.offsets.data(), bundles.offsets.data() + bundles.count + 1,
      bundles.columns.data(), bundles.masks.data()};
}

// How much is done at once for bundles of `rows` rows; measured, docs/spmm.md.
template <int rows, bool is_gathered, class Operands>
struct BundleCut
{
  using shape = typename Operands::shape;
  static constexpr bool is_narrow = shape::packets == 1 && sizeof(typename Operands::scalar) == 4;
  // Columns that a lane loads of a batch.
  static constexpr int columns_per_lane = is_narrow ? 2 : 1;
  // Rows of B in flight, and where a group has fewer columns left than that.
  static constexpr int turn =
      rows == 6 && shape::packets == 1 && !(is_narrow && is_gathered) ? 8 : entries_in_flight;
  static constexpr int last_turn = turn < 4 * columns_per_lane ? turn : 4 * columns_per_lane;
  // Values of a row that a lane reads at once: one is enough where it serves four sums.
  static constexpr int factors = shape::per_lane >= 4 ? 1 : 4;
  // Whether turns of a batch that is not full may be: bundles of six hardly have such batches.
  static constexpr bool looks_at_turns = rows < 6;
  // Keeps indices of the rows in shared memory: registers are short.
  static constexpr bool has_shared_entries = rows == 6 || is_narrow;
  // Values of shared memory from the end of a row to the next: rows are read one after the other.
  static constexpr int padding = 0;
  // Values are zero where a row lacks a column.
  static constexpr bool has_zeros = false;
  static constexpr int blocks_per_processor =
      SpmmPolicy::bundle_blocks(rows, shape::packets, is_narrow, is_gathered);
};

// A batch of a group's columns in shared memory.
template <class Value>
struct BundleBatch
{
  int const* columns;
  unsigned char const* masks;
  Value const* values; // of the bundle's first row, the next row's `row_stride` behind
  int row_stride;
  int left; // columns of the bundle from here on
};

// Which entries the rows of a bundle have in the columns of a turn: all; all in the first of them
// and none in the others, which are not there; what the masks say.
enum class BundleTurn
{
  whole,
  last,
  masked
};

// Columns j .. j + columns - 1 of the batch.
template <BundleTurn turn, int columns, int factors_at_once, int rows, class Value, class Operands,
          int per_lane>
__device__ void add_bundle_columns(BundleBatch<Value> const& batch, int j, bool is_conjugate,
                                   Operands const& operands,
                                   typename Operands::LaneColumns const& at,
                                   typename Operands::scalar (&sums)[rows][per_lane])
{
  using Scalar = typename Operands::scalar;
  constexpr int at_once = factors_at_once < columns ? factors_at_once : columns;
  int row_of_b[columns];
  read_shared<columns>(row_of_b, batch.columns + j);
  unsigned masks = 0;
  if constexpr (turn == BundleTurn::masked)
    read_shared<1>(&masks, reinterpret_cast<unsigned const*>(batch.masks + j));
  typename Operands::packet b[columns][Operands::shape::packets];
  load_rows_of_b<turn == BundleTurn::whole>(operands, at, row_of_b, batch.left - j, b);
#pragma unroll
  for (int first = 0; first < columns; first += at_once)
#pragma unroll
    for (int r = 0; r < rows; ++r)
    {
      Value values[at_once];
      read_shared<at_once>(values, batch.values + r * batch.row_stride + j + first);
#pragma unroll
      for (int i = 0; i < at_once; ++i)
        if (turn != BundleTurn::masked || (masks >> (8 * (first + i) + r) & 1U) != 0)
          add_row(sums[r], factor_of<Scalar>(values[i], is_conjugate), b[first + i]);
    }
}

// The next entry of each row of a bundle, counted from the bundle's first one.
template <int rows, bool are_shared>
struct NextEntries
{
  static constexpr int threads = SpmmPolicy::threads_per_block;
  struct Memory
  {
    int of_thread[are_shared ? rows : 1][threads];
  };
  Memory& memory;
  int held[are_shared ? 1 : rows];

  __device__ int& operator[](int r)
  {
    if constexpr (are_shared)
      return memory.of_thread[r][threadIdx.x];
    else
      return held[r];
  }
};

// Loads the batches of one group's bundle. Cut has columns_per_lane, has_shared_entries and
// padding, as BundleCut.
template <int rows, class Entries, class Cut>
struct BundleLoader
{
  using Value = typename Entries::value_type;
  using Next = NextEntries<rows, Cut::has_shared_entries>;
  static constexpr int per_lane = Cut::columns_per_lane;
  static constexpr int slots = SpmmPolicy::threads_per_block * per_lane;
  static constexpr int row_stride = slots + Cut::padding; // of the values
  static constexpr unsigned all_rows = (1U << rows) - 1;
  // Of a block, for two batches.
  struct Memory
  {
    alignas(16) int columns[2][slots];
    alignas(16) unsigned char masks[2][slots];
    alignas(16) unsigned char values[2][rows][row_stride * sizeof(Value)];
    typename Next::Memory next;

    __device__ Value* values_of(int which) { return reinterpret_cast<Value*>(values[which][0]); }
  };

  Memory& memory;
  int lanes, lane, first_lane, first_slot; // of the group
  typename Entries::ordinal_type const* columns;
  unsigned char const* masks;
  int length; // columns of the bundle
  typename Entries::From from;
  Next next{memory.next, {}};
  int next_column[per_lane] = {};
  unsigned next_mask[per_lane] = {};

  // Begins to load the columns from the first on.
  __device__ void fetch_columns(int first)
  {
#pragma unroll
    for (int p = 0; p < per_lane; ++p)
    {
      int const k = first + p * lanes + lane;
      next_column[p] = k < length ? static_cast<int>(__ldg(columns + k)) : 0;
      next_mask[p] = k < length ? __ldg(masks + k) : 0U;
    }
  }
  // Moves the columns from the first on, which have been fetched, to shared memory and begins to
  // copy the values. Returns whether all rows have all of these columns in all groups of the warp.
  __device__ bool load(int first, int which)
  {
    unsigned mask[per_lane];
    bool is_full = true;
#pragma unroll
    for (int p = 0; p < per_lane; ++p)
    {
      int const slot = first_slot + p * lanes + lane;
      mask[p] = next_mask[p];
      memory.columns[which][slot] = next_column[p];
      memory.masks[which][slot] = static_cast<unsigned char>(mask[p]);
      is_full = is_full && (mask[p] == all_rows || first + p * lanes + lane >= length);
    }
    fetch_columns(first + lanes * per_lane);
    is_full = __all_sync(0xffffffffU, is_full);
    if (is_full)
      copy_full_rows(first, memory.values_of(which) + first_slot + lane);
    else
      copy_rows(mask, memory.values_of(which) + first_slot + lane);
    return is_full;
  }

  // Begins behind the first `count` columns. Of a group that is a warp.
  __device__ void skip(int count)
  {
    int skipped[rows] = {};
    for (int k = lane; k < count; k += warp_size)
    {
      unsigned const mask = __ldg(masks + k);
#pragma unroll
      for (int r = 0; r < rows; ++r)
        skipped[r] += static_cast<int>(mask >> r & 1U);
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
      next[r] += sum_of_lanes(skipped[r], warp_size);
  }

private:
  __device__ void copy_full_rows(int first, Value* to)
  {
    int const count = min(lanes * per_lane, length - first);
    auto const copy = [&](int r, int p, Value const* source) {
      start_copy_or_zero(to + r * row_stride + p * lanes, source, p * lanes + lane < count);
    };
    auto const source_of = [&](int p, int entry) {
      int const n = p * lanes + lane;
      return n < count ? from.value_address(entry + n) : from.all.values;
    };
    if constexpr (Entries::is_gathered)
    {
#pragma unroll
      for (int p = 0; p < per_lane; ++p)
      {
        // Indices are loaded here, and no load begins before a copy that precedes it.
        Value const* source[rows];
#pragma unroll
        for (int r = 0; r < rows; ++r)
          source[r] = source_of(p, next[r]);
#pragma unroll
        for (int r = 0; r < rows; ++r)
          copy(r, p, source[r]);
      }
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
    {
      int const entry = next[r];
      if constexpr (!Entries::is_gathered)
      {
#pragma unroll
        for (int p = 0; p < per_lane; ++p)
          copy(r, p, source_of(p, entry));
      }
      next[r] = entry + count;
    }
  }
  __device__ void copy_rows(unsigned const (&mask)[per_lane], Value* to)
  {
    unsigned const lanes_before = (1U << lane) - 1;
    unsigned const lanes_of_group = lanes == warp_size ? 0xffffffffU : (1U << lanes) - 1;
#pragma unroll
    for (int r = 0; r < rows; ++r)
    {
      int entry = next[r];
#pragma unroll
      for (int p = 0; p < per_lane; ++p)
      {
        bool const has = (mask[p] >> r & 1U) != 0;
        unsigned const having = __ballot_sync(0xffffffffU, has) >> first_lane & lanes_of_group;
        Value const* const source =
            has ? from.value_address(entry + __popc(having & lanes_before)) : from.all.values;
        if constexpr (Cut::has_zeros)
          start_copy_or_zero(to + r * row_stride + p * lanes, source, has);
        else if (has)
          start_copy(to + r * row_stride + p * lanes, source);
        entry += __popc(having);
      }
      next[r] = entry;
    }
  }
};

template <int rows, class Entries, class Operands>
__global__ void
__launch_bounds__(SpmmPolicy::threads_per_block,
                  BundleCut<rows, Entries::is_gathered, Operands>::blocks_per_processor)
    spmm_row_bundles_kernel(
        Entries a,
        BundleColumns<typename Entries::ordinal_type, typename Entries::offset_type> bundles,
        Operands operands)
{
  using Scalar = typename Operands::scalar;
  using Value = typename Entries::value_type;
  using Offset = typename Entries::offset_type;
  using Cut = BundleCut<rows, Entries::is_gathered, Operands>;
  using Loader = BundleLoader<rows, Entries, Cut>;
  __shared__ typename Loader::Memory memory;
  let_next_start();
  int const lanes = operands.lanes;
  int const lane = static_cast<int>(threadIdx.x) & (lanes - 1);
  int const first_slot = (static_cast<int>(threadIdx.x) - lane) * Cut::columns_per_lane;
  std::int64_t const bundle =
      static_cast<std::int64_t>(blockIdx.x) * (SpmmPolicy::threads_per_block / lanes) +
      static_cast<int>(threadIdx.x) / lanes;
  bool const is_live = bundle < bundles.count;
  std::int64_t const first_row = !is_live                        ? a.rows
                                 : bundles.first_rows == nullptr ? bundle * rows
                                                                 : bundles.first_rows[bundle];
  std::int64_t const first_column =
      is_live ? static_cast<std::int64_t>(bundles.offsets[bundle]) : 0;
  Offset const* const begins = bundles.begins + bundle * rows;
  std::int64_t const first_entry = is_live ? static_cast<std::int64_t>(begins[0]) : 0;
  int const length =
      is_live
          ? static_cast<int>(static_cast<std::int64_t>(bundles.offsets[bundle + 1]) - first_column)
          : 0;
  Loader loader{memory,
                lanes,
                lane,
                static_cast<int>(threadIdx.x) % warp_size - lane,
                first_slot,
                bundles.columns + first_column,
                bundles.masks + first_column,
                length,
                a.from(first_entry)};
#pragma unroll
  for (int r = 0; r < rows; ++r)
    loader.next[r] =
        is_live ? static_cast<int>(static_cast<std::int64_t>(begins[r]) - first_entry) : 0;

  auto const at = operands.lane_columns();
  Scalar sums[rows][Operands::shape::per_lane];
#pragma unroll
  for (int r = 0; r < rows; ++r)
    set_zero(sums[r]);

  int const longest = largest_of_warp(length), shortest = smallest_of_warp(length);
  int const batch_columns = lanes * Cut::columns_per_lane;
  bool next_is_full = false;
  if (longest > 0)
  {
    loader.fetch_columns(0);
    next_is_full = loader.load(0, 0);
  }
  end_of_copies();
  for (int first = 0, which = 0; first < longest; first += batch_columns, which ^= 1)
  {
    bool const is_full = next_is_full;
    if (first + batch_columns < longest)
      next_is_full = loader.load(first + batch_columns, which ^ 1);
    end_of_copies();
    wait_for_copies_before_last();
    __syncwarp();
    BundleBatch<Value> const batch{
        memory.columns[which] + first_slot, memory.masks[which] + first_slot,
        memory.values_of(which) + first_slot, Loader::row_stride, length - first};
    auto add = [&]<BundleTurn turn, int columns>(int j) {
      add_bundle_columns<turn, columns, Cut::factors>(batch, j, a.is_conjugate, operands, at, sums);
    };
    int const end = min(batch_columns, longest - first);
    int j = 0;
    if (is_full)
    {
      for (; j + Cut::turn <= min(batch_columns, shortest - first); j += Cut::turn)
        add.template operator()<BundleTurn::whole, Cut::turn>(j);
      for (; j < end; j += Cut::last_turn)
        add.template operator()<BundleTurn::last, Cut::last_turn>(j);
    }
    else
      for (; j < end; j += 4)
      {
        unsigned masks = 0;
        if constexpr (Cut::looks_at_turns)
          read_shared<1>(&masks, reinterpret_cast<unsigned const*>(batch.masks + j));
        if (Cut::looks_at_turns && __all_sync(0xffffffffU, masks == 0x01010101U * Loader::all_rows))
          add.template operator()<BundleTurn::whole, 4>(j);
        else
          add.template operator()<BundleTurn::masked, 4>(j);
      }
    __syncwarp(); // the next batch but one overwrites this one
  }
#pragma unroll
  for (int r = 0; r < rows; ++r)
    if (first_row + r < a.rows)
      operands.store_row(first_row + r, at, sums[r]);
}

// C <- alpha A B + beta C for the rows of the bundles, on an instance or on side streams.
// Asynchronous.
template <class On, class Bundles, class Entries, class Operands>
void launch_bundles(On& on, Bundles const& bundles, Entries const& a, Operands const& operands)
{
  with_one_of<2, 3, 4, 6>(bundles.rows, [&]<class Rows>(Rows) {
    Grid grid{};
    grid.blocks = blocks_for(bundles.count, SpmmPolicy::threads_per_block / operands.lanes);
    grid.threads_per_block = SpmmPolicy::threads_per_block;
    grid.blocks_y = tiles_of(operands);
    grid.blocks_per_processor =
        BundleCut<Rows::value, Entries::is_gathered, Operands>::blocks_per_processor;
    launch(on, "heddle::spmm::row_bundles", spmm_row_bundles_kernel<Rows::value, Entries, Operands>,
           grid, a, bundle_columns(bundles), operands);
  });
}
// Operands that have packets.
template <class On, class Bundles, class Entries, class Scalar>
void multiply_bundles(On& on, Bundles const& bundles, Entries const& a,
                      RowMajorOperands<Scalar> const& all)
{
  constexpr auto widest = static_cast<std::int64_t>(2 * SpmmPolicy::widest_tile);
  if (all.columns * static_cast<std::int64_t>(sizeof(Scalar)) >= widest)
    return launch_bundles(on, bundles, a, tiled<TileShape<widest_packet<Scalar>, 2>>(all));
  launch_bundles(on, bundles, a,
                 tiled<TileShape<widest_packet<Scalar>, 1>>(all, SpmmPolicy::widest_tile));
}

} // namespace heddle::cuda_native
