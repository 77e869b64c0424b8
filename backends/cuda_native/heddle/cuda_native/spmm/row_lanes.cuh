// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the kernels of csr_rows (spmm/csr_rows.cuh) do with a row or a segment of one: a group of
// lanes takes a row, or a warp whose groups share it, or a block. Lanes load entries of A side by
// side into shared memory, from where each group reads four at once; four rows of B are in flight
// meanwhile. Bytes: A once per tile, B gathered, C once. Limit: the first-level cache's 128 bytes
// per cycle, or the second level's throughput where rows share few columns.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_tasks.hpp>
#include <heddle/cuda_native/spmm/tile.cuh>
#include <heddle/impl/divided_up.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace heddle::cuda_native
{

// The shared memory of a block, where lanes put entries of A for their groups.
template <class Scalar>
struct EntrySlots
{
  static constexpr int batches = 2, per_warp = batches * warp_size;
  __align__(16) int columns[SpmmPolicy::warps][per_warp];
  __align__(16) unsigned char values[SpmmPolicy::warps][per_warp * sizeof(Scalar)];
};

// What a lane works with. It loads `batches` entries before it uses them.
template <class Entries, class Operands,
          int batches = EntrySlots<typename Operands::scalar>::batches>
struct RowLane
{
  using Scalar = typename Operands::scalar;
  using Shape = typename Operands::shape;
  Entries const& a;
  Operands const& operands;
  typename Operands::LaneColumns at;
  int* columns;   // of the warp
  Scalar* values; // of the warp
  int lane;       // of the warp

  // sums += the first `count` entries that its group has in shared memory.
  __device__ void add_entries(Scalar* sums, int count) const
  {
    int const mine = (lane & ~(operands.lanes - 1)) * batches;
    auto turn = [&](auto is_whole, int j) {
      int rows[entries_in_flight];
      typename Operands::packet b[entries_in_flight][Shape::packets];
      Scalar factors[entries_in_flight];
      read_shared<entries_in_flight>(rows, columns + mine + j);
      load_rows_of_b<decltype(is_whole)::value>(operands, at, rows, count - j, b);
      read_shared<entries_in_flight>(factors, values + mine + j);
#pragma unroll
      for (int i = 0; i < entries_in_flight; ++i)
        add_row(sums, factors[i], b[i]);
    };
    int j = 0;
    for (; j + entries_in_flight <= count; j += entries_in_flight)
      turn(std::true_type{}, j);
    if (j < count)
      turn(std::false_type{}, j);
  }
  // Entries done + in_team, + in_team + team .. of those from `entry` on.
  __device__ void fetch(std::int64_t entry, int done, int length, int in_team, int team,
                        int (&column)[batches], Scalar (&value)[batches]) const
  {
    auto const from = a.from(entry + in_team);
#pragma unroll
    for (int n = 0; n < batches; ++n)
    {
      int const e = done + n * team;
      bool const is_there = in_team + e < length;
      column[n] = is_there ? from.column(e) : 0;
      value[n] = is_there ? from.template value<Scalar>(e) : Scalar(0);
    }
  }
};

// A group goes through `rounds` rows, every stride-th task from the first. Each load is begun a row
// or a batch before it is needed: which row comes next, where its entries are, the entries.
template <bool has_list, class Entries, class Operands, int batches>
__device__ void multiply_rows(RowLane<Entries, Operands, batches> const& self,
                              RowTasks<typename Entries::ordinal_type> const& tasks,
                              std::int64_t task, int stride, std::int64_t end_of_tasks)
{
  using Scalar = typename Operands::scalar;
  using Ordinal = typename Entries::ordinal_type;
  int const lanes = self.operands.lanes, in_group = self.lane & (lanes - 1);
  int const first_slot = (self.lane & ~(lanes - 1)) * batches + in_group;
  int ahead = 0; // rounds whose row was asked for
  auto ask_for_row = [&]() -> Ordinal {
    Ordinal row = -1;
    if (ahead < tasks.rounds && task < end_of_tasks)
      row = has_list && tasks.list != nullptr ? tasks.list[task] : static_cast<Ordinal>(task);
    ++ahead;
    task += stride;
    return row;
  };
  struct Span
  {
    std::int64_t entry;
    int length;
  };
  auto span_of = [&](Ordinal row) -> Span {
    if (row < 0)
      return {0, 0};
    auto const entry = static_cast<std::int64_t>(self.a.offsets[row]);
    return {entry, static_cast<int>(static_cast<std::int64_t>(self.a.offsets[row + 1]) - entry)};
  };
  Ordinal row = ask_for_row(), next_row = ask_for_row(), row_after = ask_for_row();
  Span now = span_of(row), next = span_of(next_row);
  int column[batches];
  Scalar value[batches], sums[Operands::shape::per_lane];
  set_zero(sums);
  int done = 0;
  self.fetch(now.entry, done, now.length, in_group, lanes, column, value);
  while (__any_sync(0xffffffffU, row >= 0))
  {
    int const count = min(lanes * batches, now.length - done);
    __syncwarp();
#pragma unroll
    for (int n = 0; n < batches; ++n)
    {
      self.columns[first_slot + n * lanes] = column[n];
      self.values[first_slot + n * lanes] = value[n];
    }
    __syncwarp();
    done += lanes * batches;
    Ordinal const row_here = row;
    bool const is_last = done >= now.length;
    if (is_last)
    {
      row = next_row;
      now = next;
      done = 0;
      next_row = row_after;
      next = span_of(next_row);
      row_after = ask_for_row();
    }
    self.fetch(now.entry, done, now.length, in_group, lanes, column, value);
    self.add_entries(sums, count);
    if (is_last && row_here >= 0)
    {
      self.operands.store_row(row_here, self.at, sums);
      set_zero(sums);
    }
  }
}

// A group does one row: less is kept in registers, so that there are more groups.
template <class Entries, class Operands>
__device__ void multiply_row(RowLane<Entries, Operands> const& self, std::int64_t row, bool is_live)
{
  using Scalar = typename Operands::scalar;
  constexpr int batches = EntrySlots<Scalar>::batches;
  int const lanes = self.operands.lanes, in_group = self.lane & (lanes - 1);
  int const first_slot = (self.lane & ~(lanes - 1)) * batches + in_group;
  auto const entry = is_live ? static_cast<std::int64_t>(self.a.offsets[row]) : 0;
  int const length =
      is_live ? static_cast<int>(static_cast<std::int64_t>(self.a.offsets[row + 1]) - entry) : 0;
  int column[batches];
  Scalar value[batches], sums[Operands::shape::per_lane];
  set_zero(sums);
  int done = 0;
  self.fetch(entry, done, length, in_group, lanes, column, value);
  while (__any_sync(0xffffffffU, done < length))
  {
    int const count = min(lanes * batches, length - done);
    __syncwarp();
#pragma unroll
    for (int n = 0; n < batches; ++n)
    {
      self.columns[first_slot + n * lanes] = column[n];
      self.values[first_slot + n * lanes] = value[n];
    }
    __syncwarp();
    done += lanes * batches;
    self.fetch(entry, done, length, in_group, lanes, column, value);
    self.add_entries(sums, count);
  }
  if (is_live)
    self.operands.store_row(row, self.at, sums);
}

// The warp's groups take turns at `length` entries; sums are those of the lane's group.
template <class Entries, class Operands>
__device__ void add_row_by_warp(RowLane<Entries, Operands> const& self, std::int64_t entry,
                                int length,
                                typename Operands::scalar (&sums)[Operands::shape::per_lane])
{
  using Scalar = typename Operands::scalar;
  constexpr int batches = EntrySlots<Scalar>::batches;
  int const lanes = self.operands.lanes;
  int const log_lanes = __ffs(lanes) - 1, log_groups = log_warp_size - log_lanes;
  int const groups = 1 << log_groups, group = self.lane >> log_lanes;
  int column[batches], done = 0;
  Scalar value[batches];
  self.fetch(entry, done, length, self.lane, warp_size, column, value);
  while (done < length)
  {
    int const there = min(warp_size * batches, length - done);
    __syncwarp();
#pragma unroll
    for (int n = 0; n < batches; ++n)
    {
      int const e = self.lane + n * warp_size;
      int const slot = (e & (groups - 1)) * lanes * batches + (e >> log_groups);
      self.columns[slot] = column[n];
      self.values[slot] = value[n];
    }
    __syncwarp();
    done += warp_size * batches;
    self.fetch(entry, done, length, self.lane, warp_size, column, value);
    self.add_entries(sums, (there - group + groups - 1) >> log_groups);
  }
}

template <class Entries, class Operands>
__device__ void multiply_row_by_warp(RowLane<Entries, Operands> const& self, std::int64_t row)
{
  using Shape = typename Operands::shape;
  typename Operands::scalar sums[Shape::per_lane];
  set_zero(sums);
  auto const entry = static_cast<std::int64_t>(self.a.offsets[row]);
  add_row_by_warp(self, entry,
                  static_cast<int>(static_cast<std::int64_t>(self.a.offsets[row + 1]) - entry),
                  sums);
  auto const& at = self.at;
  share_sums<Shape::per_lane>(sums, self.operands.lanes, 0, true, [&](auto count, int start) {
    constexpr int width =
        decltype(count)::value < Shape::width ? decltype(count)::value : Shape::width;
#pragma unroll
    for (int i = 0; i < decltype(count)::value; i += width)
    {
      int const slot = start + i, packet = slot / Shape::width;
      if (at.has(packet))
        self.operands.template store<width>(
            row, at.first + packet * at.stride + slot % Shape::width, sums + i);
    }
  });
}

// `length` entries by the whole block, each warp a run of them; store(sums) by the lanes of the
// first group.
template <class Entries, class Operands, class Store>
__device__ void multiply_by_block(RowLane<Entries, Operands> const& self, std::int64_t entry,
                                  int length, Store const& store)
{
  using Scalar = typename Operands::scalar;
  using Shape = typename Operands::shape;
  constexpr int warps = SpmmPolicy::warps;
  extern __shared__ __align__(16) unsigned char shared_sums[];
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  auto const begin_of = [length](int w) {
    return static_cast<int>(static_cast<std::int64_t>(length) * w / warps);
  };
  Scalar sums[Shape::per_lane];
  set_zero(sums);
  add_row_by_warp(self, entry + begin_of(warp), begin_of(warp + 1) - begin_of(warp), sums);

  // The warps' sums, one after the other, of the first group's lanes.
  int const lanes = self.operands.lanes, lane = self.lane;
  Scalar* const all = reinterpret_cast<Scalar*>(shared_sums);
#pragma unroll
  for (int i = 0; i < Shape::per_lane; ++i)
  {
    for (int bit = lanes; bit < warp_size; bit *= 2)
      sums[i] += value_of_lane_xor(sums[i], bit);
    if (lane < lanes)
      all[(warp * Shape::per_lane + i) * lanes + lane] = sums[i];
  }
  __syncthreads();
  if (warp > 0 || lane >= lanes)
    return;
#pragma unroll
  for (int i = 0; i < Shape::per_lane; ++i)
  {
    sums[i] = all[i * lanes + lane];
    for (int w = 1; w < warps; ++w)
      sums[i] += all[(w * Shape::per_lane + i) * lanes + lane];
  }
  store(sums);
}

// Entries of each of the segments of a row, but of the last, which may have fewer. A division of 64
// bits takes as long as some of the entries.
__device__ inline std::int64_t entries_of_segment(std::int64_t entries, std::int64_t segments)
{
  constexpr std::int64_t most = 0xffffffff;
  if (entries + segments > most)
    return impl::divided_up(entries, segments);
  auto const n = static_cast<std::uint32_t>(entries + segments - 1);
  return n / static_cast<std::uint32_t>(segments);
}

// A segment of a long row; its sums go to parts.
template <class Entries, class Operands>
__device__ void multiply_segment(RowLane<Entries, Operands> const& self,
                                 RowTasks<typename Entries::ordinal_type> const& tasks,
                                 std::int64_t segment, typename Operands::scalar* parts)
{
  using Shape = typename Operands::shape;
  std::int64_t const slot = tasks.row_of_segment[segment], row = tasks.list[slot];
  std::int64_t const first = tasks.first_segment[slot];
  std::int64_t const segments = tasks.first_segment[slot + 1] - first;
  auto const begin = static_cast<std::int64_t>(self.a.offsets[row]);
  auto const end_of_row = static_cast<std::int64_t>(self.a.offsets[row + 1]);
  std::int64_t const each = entries_of_segment(end_of_row - begin, segments);
  std::int64_t const entry = min(begin + (segment - first) * each, end_of_row);
  std::int64_t const end = min(entry + each, end_of_row);
  auto const& at = self.at;
  multiply_by_block(self, entry, static_cast<int>(end - entry),
                    [&](typename Operands::scalar const* sums) {
#pragma unroll
                      for (int i = 0; i < Shape::per_lane; ++i)
                        if (at.has(i / Shape::width))
                          parts[segment * self.operands.columns + at.first +
                                i / Shape::width * at.stride + i % Shape::width] = sums[i];
                    });
}

template <class Entries, class Operands>
__device__ void multiply_row_by_block(RowLane<Entries, Operands> const& self, std::int64_t row)
{
  auto const entry = static_cast<std::int64_t>(self.a.offsets[row]);
  multiply_by_block(
      self, entry, static_cast<int>(static_cast<std::int64_t>(self.a.offsets[row + 1]) - entry),
      [&](typename Operands::scalar const* sums) { self.operands.store_row(row, self.at, sums); });
}

} // namespace heddle::cuda_native
