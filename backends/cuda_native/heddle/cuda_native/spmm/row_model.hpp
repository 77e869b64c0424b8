// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How long a call of csr_rows takes, by the lengths of the rows and by who takes them: a model with
// nine coefficients (spmm/row_costs.hpp), by which a plan chooses the tiles of B, the rows that a
// group of lanes, a warp or a block takes, and where rows are cut into segments. scripts/
// fit_spmm_choice.py has the same formula. A row costs its unit some turns, and one more for four
// entries of each group of the unit. Three times count, and the call takes the root of their
// squares: that of the longest unit, that of all units over the warps that get on at once, and that
// of the bytes of C and of A, which each tile reads again. B, which comes through the caches, is
// part of the turns. Host code: no call waits for it longer than a microsecond.

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/rows/length_order.hpp>
#include <heddle/cuda_native/spmm/row_costs.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace heddle::cuda_native
{

inline constexpr std::int64_t no_row = std::numeric_limits<std::int64_t>::max();

// How a call goes through the rows, by the entries of a row.
struct RowsOfCall
{
  int tile_bytes = 0;                                   // of a row of B
  std::int64_t warp_from = no_row, block_from = no_row; // a warp's, a block's
  std::int64_t short_below = 0;                         // done as csr_short does
  bool is_long_first = false; // blocks and warps of all tiles, then the other rows
  double microseconds = 0;    // as the model has it
};

// The lengths of rows as the model knows them: some classes, longest first.
struct RowLengths
{
  struct Class
  {
    double rows = 0, length = 0;      // entries of a row in the mean
    std::int64_t least = 0, most = 0; // entries of a row
  };
  std::int64_t rows = 0, nonzeros = 0;
  int count = 0;
  std::array<Class, length_classes> classes = {};

  // Rows that are alike.
  static RowLengths of(impl::RowStatistics const& all)
  {
    RowLengths result{.rows = all.rows, .nonzeros = all.nonzeros, .count = 1};
    result.classes[0] = {static_cast<double>(all.rows), all.mean(),
                         static_cast<std::int64_t>(all.mean()), all.longest};
    return result;
  }
  // rows_from: rows of each class and of longer ones (rows/length_order.hpp).
  static RowLengths of(impl::RowStatistics const& all,
                       std::array<std::int64_t, length_classes> const& rows_from)
  {
    RowLengths result{.rows = all.rows, .nonzeros = all.nonzeros};
    double expected = 0; // entries, were each row in the middle of its class
    for (int n = length_classes - 1; n >= 0; --n)
    {
      auto const i = static_cast<std::size_t>(n);
      std::int64_t const here = rows_from[i] - (i + 1 < rows_from.size() ? rows_from[i + 1] : 0);
      if (here == 0)
        continue;
      std::int64_t const least = n > 0 ? std::int64_t(1) << (n - 1) : 0;
      double const middle = 1.5 * static_cast<double>(least);
      result.classes[static_cast<std::size_t>(result.count++)] = {
          static_cast<double>(here), middle, least, std::min(2 * least, all.longest)};
      expected += static_cast<double>(here) * middle;
    }
    double const scale = expected > 0 ? static_cast<double>(all.nonzeros) / expected : 1.0;
    for (Class& one : result.classes)
      one.length = std::clamp(scale * one.length, static_cast<double>(one.least),
                              static_cast<double>(std::max(one.least, one.most)));
    return result;
  }
};

class SpmmRowModel
{
public:
  SpmmRowModel(std::size_t value_bytes, DeviceShape const& device)
      : m_costs(SpmmRowCosts::of(value_bytes))
      , m_entry_bytes(static_cast<double>(value_bytes + sizeof(int)))
      , m_multiprocessors(device.multiprocessors)
  {}

  // Of a call that goes that way; segment: entries of a segment, 0 where no row is cut; caution:
  // how many times as long as it should the longest unit may take.
  double microseconds(RowLengths const& rows, RowsOfCall const& by, std::int64_t b_row_bytes,
                      std::int64_t segment, double caution = 1.0) const
  {
    return times(rows, by, b_row_bytes, segment, caution).call_us;
  }
  // Whether long rows of all tiles should go first: where the longest unit, begun with its tile,
  // would outlast the work of the last tile. Else each tile's rows of B are used while they are in
  // the second cache.
  bool long_first_pays(RowLengths const& rows, RowsOfCall const& by, std::int64_t b_row_bytes,
                       std::int64_t segment) const
  {
    constexpr double least_share = 0.05;
    Times const all = times(rows, by, b_row_bytes, segment, 1.0);
    return all.longest_us - all.call_us / all.tiles > least_share * all.call_us;
  }

  // The best way through rows in their order, all by the same unit.
  RowsOfCall best_of_alike(RowLengths const& rows, std::int64_t b_row_bytes, int most_tile) const
  {
    return best(rows, b_row_bytes, most_tile, 0, 1.0, [](int) {
      return std::array<RowsOfCall, 3>{{{}, {0, 0, no_row}, {0, 0, 0}}};
    });
  }
  // ... through rows of a list, the longest first, of which those of a few entries per lane are a
  // warp's.
  RowsOfCall best_of_list(RowLengths const& rows, std::int64_t b_row_bytes, int most_tile,
                          std::int64_t segment, double caution = 1.0) const
  {
    return best(rows, b_row_bytes, most_tile, segment, caution, [](int lanes) {
      std::int64_t const warp = least_warp_row(lanes);
      return std::array<RowsOfCall, 4>{
          {{0, warp, no_row}, {0, warp, 1024}, {0, warp, 256}, {0, warp, 64}}};
    });
  }
  static int least_warp_row(int lanes) { return 4 * lanes; }

  // Entries from which on rows are cut, into segments of as many at most, a power of two; 0 where
  // that does not pay. The plan does not know how many columns B has: calls with 128 decide. A row
  // that is long beside all work costs more than the model has, a cut in vain a few us.
  std::int64_t segment(RowLengths const& rows, int most_tile) const
  {
    constexpr double least_gain = 0.98, caution = 1.5;
    std::int64_t best = 0;
    double least_us = std::numeric_limits<double>::infinity();
    for (std::int64_t const one : {0, 4096, 2048, 1024, 512, 256})
    {
      double const us =
          best_of_list(rows, b_row_bytes_of_plan(), most_tile, one, caution).microseconds;
      if (us < least_gain * least_us)
      {
        least_us = us;
        best = one;
      }
    }
    return best;
  }
  std::int64_t b_row_bytes_of_plan() const
  {
    constexpr std::int64_t columns = 128;
    return columns * (static_cast<std::int64_t>(m_entry_bytes) - std::int64_t(sizeof(int)));
  }

private:
  static constexpr int lane_bytes = 16, least_lanes = 4, most_lanes = 32;
  static constexpr double entries_of_turn = 4;

  static int lanes_of(int tile_bytes, std::int64_t b_row_bytes)
  {
    auto const wanted = static_cast<std::int64_t>(std::bit_ceil(
        static_cast<std::uint64_t>(impl::divided_up(b_row_bytes, std::int64_t(lane_bytes)))));
    return static_cast<int>(std::clamp<std::int64_t>(
        wanted, least_lanes, std::max(least_lanes, tile_bytes / lane_bytes)));
  }
  struct Times
  {
    double call_us, longest_us; // of all, of the unit that takes longest
    double tiles;
  };
  Times times(RowLengths const& rows, RowsOfCall const& by, std::int64_t b_row_bytes,
              std::int64_t segment, double caution) const
  {
    int const lanes = lanes_of(by.tile_bytes, b_row_bytes), groups = most_lanes / lanes;
    auto const tiles =
        static_cast<double>(impl::divided_up(b_row_bytes, std::int64_t(lane_bytes) * lanes));
    double const turn = lanes == least_lanes ? m_costs.narrow : 1.0;
    double longest = 0, work = 0;
    bool has_segments = false;
    for (int n = 0; n < rows.count; ++n)
    {
      RowLengths::Class const& one = rows.classes[static_cast<std::size_t>(n)];
      double units = one.rows, length = one.length;
      auto most = static_cast<double>(one.most);
      bool const is_cut = segment > 0 && one.least >= segment;
      if (is_cut)
      {
        double const pieces = std::ceil(length / static_cast<double>(segment));
        has_segments = true;
        units *= pieces;
        length /= pieces;
        most = static_cast<double>(segment);
      }
      bool const is_block = is_cut || one.least >= by.block_from;
      bool const is_warp = !is_block && one.least >= by.warp_from;
      double const sharing = is_block ? 4.0 * groups : is_warp ? groups : 1.0; // groups of a unit
      double const warps = is_block ? 4.0 : is_warp ? 1.0 : 1.0 / groups;
      double const beside = is_block  ? m_costs.block_turns
                            : is_warp ? m_costs.warp_turns
                                      : m_costs.group_turns;
      double const turns = std::ceil(std::ceil(length / sharing) / entries_of_turn);
      longest = std::max(longest, beside + most / (entries_of_turn * sharing));
      work += units * warps * (beside + turn * turns);
    }
    double const chain = caution * m_costs.turn_us * longest;
    double const share = m_costs.turn_us * work * tiles / (m_costs.warps * m_multiprocessors);
    double const memory = 1e-6 * m_costs.us_of_megabyte *
                          (static_cast<double>(rows.rows) * static_cast<double>(b_row_bytes) +
                           static_cast<double>(rows.nonzeros) * m_entry_bytes * tiles);
    double const all = m_costs.launch_us +
                       std::sqrt(chain * chain + share * share + memory * memory) +
                       (has_segments ? m_costs.segments_us : 0.0);
    return {all, m_costs.turn_us * longest, tiles};
  }
  // ways(lanes): the thresholds to try.
  template <class Ways>
  RowsOfCall best(RowLengths const& rows, std::int64_t b_row_bytes, int most_tile,
                  std::int64_t segment, double caution, Ways const& ways) const
  {
    RowsOfCall best{.microseconds = std::numeric_limits<double>::infinity()};
    int const widest = lanes_of(most_tile, b_row_bytes);
    for (int lanes = widest; lanes >= least_lanes; lanes /= 2)
      for (RowsOfCall way : ways(lanes))
      {
        way.tile_bytes = lanes * lane_bytes;
        way.microseconds = microseconds(rows, way, b_row_bytes, segment, caution);
        if (way.microseconds < best.microseconds)
          best = way;
      }
    return best;
  }

  SpmmRowCosts m_costs;
  double m_entry_bytes;
  int m_multiprocessors;
};

} // namespace heddle::cuda_native
