// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of the SpMM kernels, and how a plan chooses between those for CSR.

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <heddle/row_segment_model.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace heddle::cuda_native
{

// Blocks of four warps: the more of them there are, the smaller is what waits for the longest row
// of a block. blocks_per_processor bounds the registers of a thread.
struct SpmmPolicy
{
  static constexpr int widest_tile = 512; // bytes of a row: 16 a lane
  static constexpr int warps = 4, threads_per_block = 32 * warps;
  // csr_rows: 64 registers; 48 where sums take one each and there are no rounds.
  template <class Scalar>
  static constexpr int rows_blocks(bool has_rounds)
  {
    return sizeof(Scalar) > 4 || has_rounds ? 8 : 10;
  }
  // csr_short: 40 registers, 48 where a lane has two packets; 64 where an entry has four words, 80.
  template <class Scalar>
  static constexpr int short_blocks(int packets)
  {
    return sizeof(Scalar) <= 8 ? (packets == 1 ? 12 : 10) : packets == 1 ? 8 : 6;
  }
  // Short rows in their order, two packets a lane, beside long ones: 64 registers; 80.
  template <class Scalar>
  static constexpr int in_order_blocks()
  {
    return sizeof(Scalar) <= 8 ? 8 : 6;
  }
  // row_bundles, by rows of a bundle and packets of a lane; narrow: one packet of four-byte values.
  static constexpr int bundle_blocks(int rows, int packets, bool is_narrow, bool is_gathered)
  {
    if (packets > 1)
      return rows <= 3 ? 5 : 4;
    if (rows == 6)
      return is_narrow && is_gathered ? 6 : 5;
    return rows <= 3 ? 8 : is_narrow ? 7 : is_gathered ? 5 : 6;
  }
};

// What neighbouring rows share (spmm/row_overlap.hpp).
struct RowOverlap
{
  // Slots, rows times columns, per entry of bundles of two to eight rows: 1 where all rows of a
  // bundle have the same columns.
  double two = 2.0, three = 3.0, four = 4.0, six = 6.0, eight = 8.0;
  double fill(int rows) const
  {
    return rows == 8 ? eight : rows == 6 ? six : rows == 4 ? four : rows == 3 ? three : two;
  }
  // Rows of B that bundles of that number of rows gather per entry.
  double gathered(int rows) const { return fill(rows) / rows; }
  double alone = 1.0; // share of the entries whose column none of the five rows before has
  // ... where none has a column of the same four, from a multiple of four on.
  double scattered = 1.0;
  double shifted = 0.0; // ... whose row before has the column before, as in bands and stencils
  double span = 0.0;    // columns from the first to the last of a row, in the mean
};

// All measured on an H200 over the 16 matrices of the peers' table, 2026-11-22: docs/spmm.md.
struct SpmmCsrPolicyFor
{
  // Rows so alike that a warp may take neighbours together.
  static bool is_regular(impl::RowStatistics const& rows)
  {
    return static_cast<double>(rows.longest) <= 3.0 * rows.mean() + 32.0;
  }

  // csr_short: rows of so few entries that what csr_rows prepares for a row is more than its work.
  // Measured on an H100 over the zoo's tuning part (docs/spmm.md).
  static constexpr double longest_short_mean = 20.0;
  static bool is_short(impl::RowStatistics const& rows)
  {
    return is_regular(rows) && rows.mean() <= longest_short_mean;
  }
  // ... in a call with groups of `lanes` lanes: not where longer rows are so few that they could
  // take warps or blocks, unless groups share them.
  static bool short_pays(impl::RowStatistics const& rows, int lanes)
  {
    constexpr double longest_of_few = 12.0;
    constexpr std::int64_t few_warps = 1 << 12, many_rows = 1 << 13;
    constexpr int few_lanes = 4; // a warp of csr_rows waits for the longest of eight rows
    constexpr int least_lanes = 2;
    return lanes <= least_lanes || rows.mean() <= longest_of_few ||
           rows.rows * lanes / 32 >= few_warps || (lanes <= few_lanes && rows.rows >= many_rows);
  }
  // Where a row of B is a sector all rows that are alike go as short ones, which groups share
  // (SpmmShortPolicy::shares), but long ones that are so few that each should have a block; where
  // it is two sectors, longer rows that are neither few nor many. Measured on an H200
  // (docs/spmm.md).
  static bool are_shared(impl::RowStatistics const& rows, std::int64_t b_row_bytes)
  {
    constexpr std::int64_t sector = 32, few_long_rows = 1 << 10, few_rows = 1 << 12,
                           many_rows = 1 << 15;
    constexpr double least_mean = 48.0, longest_mean = 256.0;
    bool const are_long = rows.mean() > longest_mean;
    if (rows.rows == 0 || !is_regular(rows))
      return false;
    if (b_row_bytes <= sector)
      return !are_long || rows.rows >= few_long_rows;
    return b_row_bytes <= 2 * sector && !are_long && rows.mean() >= least_mean &&
           rows.rows >= few_rows && rows.rows <= many_rows;
  }
  // ... and where a row of B is two sectors or less and so longer rows are short as well.
  static bool is_short_beside(impl::RowStatistics const& rows, std::int64_t b_row_bytes)
  {
    constexpr double longest_mean = 64.0;
    constexpr std::int64_t two_sectors = 64, many_rows = 1 << 15;
    return is_short(rows) || are_shared(rows, b_row_bytes) ||
           (b_row_bytes <= two_sectors && rows.rows >= many_rows && rows.mean() <= longest_mean);
  }

  // Rows of csr_rows' list with fewer entries are done as csr_short does them, which has fewer
  // loads that wait for each other; 0: none is. Many rows gain more by the loads that csr_rows
  // begins for its next rows, unless a row of B is a sector, for which csr_short has two lanes and
  // not four. `below`: rows with fewer than 16 and 32 entries; narrow tiles have 32 where such rows
  // are many. Measured on an H100 over the zoo's tuning part (docs/spmm.md).
  struct RowsBelow
  {
    std::int64_t sixteen, thirty_two;
  };
  static std::int64_t short_below(RowsBelow const& below, std::int64_t b_row_bytes, int tile_bytes)
  {
    constexpr std::int64_t many_rows = 1 << 15, too_many_rows = 1 << 16, sector = 32;
    constexpr int narrow_tile = 64;
    if (below.sixteen > too_many_rows && b_row_bytes > sector)
      return 0;
    bool const are_many = below.thirty_two >= many_rows && below.thirty_two <= too_many_rows;
    return tile_bytes <= narrow_tile && are_many ? 32 : 16;
  }

  // Hardly a row has columns of the rows before it.
  static bool is_scattered(RowOverlap const& overlap) { return overlap.alone > 0.75; }
  // Rows of B that are read again while rows of A are worked on: fewer where neighbouring rows have
  // the same columns, unless rows are so long that many parts of B are in use at once. None where
  // those that are read are read about once.
  static double rows_of_b_in_use(RowOverlap const& overlap, double mean)
  {
    constexpr double least_mean = 2.0, long_mean = 256.0;
    return mean < least_mean ? 0.0 : (mean >= long_mean ? 1.0 : overlap.alone) * overlap.span;
  }
  // Bytes of a row in a tile of B at most, so that what is in use of the tile stays in the second
  // cache: less where neighbouring rows are far from each other's columns, or so long that many are
  // worked on at once. Measured on an H100 over the zoo's tuning part (docs/spmm.md).
  static int tile_bytes(RowOverlap const& overlap, double mean, DeviceShape const& device)
  {
    constexpr int narrowest = 128;
    constexpr double share = 2.0 / 3.0;
    int bytes = SpmmPolicy::widest_tile;
    double const in_use = rows_of_b_in_use(overlap, mean);
    while (bytes > narrowest && in_use * bytes > share * static_cast<double>(device.l2_bytes))
      bytes /= 2;
    return bytes;
  }

  // Rows that a group does one after the other, if there are warps enough to wait for memory: more
  // where neighbours in a cache do not matter, or rows are short. Narrow groups of four-byte sums
  // have more warps instead, for which they need few registers.
  template <class Scalar>
  static bool has_rounds(int lanes)
  {
    return sizeof(Scalar) > 4 || lanes == 32;
  }
  static int rounds(std::int64_t rows, int lanes, bool are_many)
  {
    constexpr std::int64_t warps = 1 << 14;
    return static_cast<int>(
        std::clamp<std::int64_t>((rows * lanes / 32 + warps / 2) / warps, 1, are_many ? 8 : 4));
  }
  // Entries from which on a row is long beside all work.
  static std::int64_t long_row(std::int64_t nonzeros)
  {
    constexpr std::uint64_t least = 256, most = 2048, share = 2048;
    auto const each = static_cast<std::uint64_t>(nonzeros) / share;
    return static_cast<std::int64_t>(std::bit_floor(std::clamp(each + each / 2, least, most)));
  }

  // row_bundles: rows of a bundle by its fill, slots (rows times columns) per entry: what exceeds 1
  // is registers and turns for nothing.
  static constexpr std::int64_t sampled_entries = 16384;
  static constexpr double most_fill(int rows) { return rows == 6 ? 1.03 : 1.1; }
  static constexpr double shortest_mean = 12.0;
  static bool may_have_bundles(impl::RowStatistics const& rows)
  {
    return is_regular(rows) && rows.mean() >= shortest_mean;
  }
  // A group of lanes walks the columns of its bundle one after the other. While it takes a step,
  // csr_rows gathers bytes_per_step bytes of B per multiprocessor: a call that has fewer of them
  // for each step of a bundle is done earlier by rows. Short rows of B cost as much as two sectors.
  // Fitted on 119 cases of two sets of matrices (docs/spmm.md).
  static bool are_enough_bundles(std::int64_t entries, std::int64_t b_row_bytes, double steps,
                                 DeviceShape const& device)
  {
    constexpr double bytes_per_step = 15e3;
    constexpr std::int64_t least_row_bytes = 64;
    double const gathered =
        static_cast<double>(entries) * static_cast<double>(std::max(b_row_bytes, least_row_bytes));
    return gathered >= bytes_per_step * device.multiprocessors * steps;
  }
  // Steps of the bundles that the others wait for: where the rows of a bundle differ more, some
  // bundles have the columns of two neighbouring blocks.
  static double steps_of_bundle(double mean_columns, double fill)
  {
    constexpr double fill_of_blocks = 1.05;
    return mean_columns * (fill > fill_of_blocks ? 2 : 1);
  }
  static int rows_of_bundle(RowOverlap const& fill)
  {
    if (fill.six <= most_fill(6))
      return 6;
    if (fill.four <= most_fill(4))
      return 4;
    if (fill.three <= most_fill(3))
      return 3;
    return fill.two <= most_fill(2) ? 2 : 1;
  }

  // tensor_bundles: bundles of this number of rows, where they gather fewer rows of B per entry
  // than a share of what csr_rows does, which is one, or of what bundles of fewer rows do, weighted
  // by how much longer the rows that share a load take. These, and what follows, are measured on an
  // H100 over the zoo's tuning part (docs/spmm.md).
  static constexpr int rows_of_tensor_bundle = 8;
  static constexpr double shortest_tensor_mean = 8.0, share_of_rows = 0.55;
  static double most_gathered(RowOverlap const& overlap)
  {
    constexpr double share_of_bundles = 0.57;
    int const others = rows_of_bundle(overlap);
    double const weight = others == 6 ? 1.5 : others == 4 ? 1.2 : 1.0;
    return others > 1 ? share_of_bundles * weight * overlap.gathered(others) : share_of_rows;
  }
  static bool tensor_bundles_pay(RowOverlap const& overlap)
  {
    return overlap.gathered(rows_of_tensor_bundle) <= most_gathered(overlap);
  }
  // ... in a call: not with few columns of B, of which a warp multiplies 16 at least, nor where the
  // rows of B that need not be gathered again take less time than bundles do before they begin, and
  // for each eight columns that a warp goes through.
  static bool are_enough_tensor_bundles(std::int64_t entries, std::int64_t b_columns,
                                        double gathered, double mean_columns,
                                        DeviceShape const& device)
  {
    constexpr std::int64_t least_columns = 16, many_columns = 32;
    constexpr double share_of_narrow_rows = 0.33;
    constexpr double bytes_to_begin = 200e3, bytes_per_step = 5e3, columns_of_step = 8;
    if (b_columns < least_columns)
      return false;
    double const share = b_columns < many_columns ? share_of_narrow_rows : share_of_rows;
    double const saved = static_cast<double>(entries) * static_cast<double>(b_columns) *
                         sizeof(double) * (1.0 - gathered / share);
    return saved >= device.multiprocessors *
                        (bytes_to_begin + bytes_per_step * mean_columns / columns_of_step);
  }
  // Whether the warps of a block share a bundle: where there are few of them, fewer where bundles
  // are short.
  static bool splits_tensor_bundles(std::int64_t warps, double mean_columns,
                                    DeviceShape const& device)
  {
    constexpr double least_columns = 64.0, least_warps = 6.0;
    return mean_columns >= least_columns &&
           static_cast<double>(warps) <
               device.multiprocessors * (least_warps + mean_columns / least_columns);
  }

  // Where rows have this number of entries in the mean a warp puts a bundle together, else a
  // thread.
  static constexpr double long_mean_of_bundles = 48.0;

  // csr_mixed: computed from what the kernels take for whole matrices, measured since on
  // hand_p2_3dof and fem_graph (docs/spmm.md). Rows are judged by ranges of at least probes times
  // probe_rows rows, and by a bounded number of ranges: what the plan looks at stays below a
  // multiplication, and a long row takes few others out of their bundles. Of each range `probes`
  // runs of probe_rows rows are looked at, and of each run probe_entries entries.
  static constexpr int probes = 4, probe_rows = 12, probe_entries = 256;
  static std::int64_t range_rows(std::int64_t rows)
  {
    constexpr std::int64_t most_ranges = 2048, unit = std::int64_t(probes) * probe_rows;
    return std::max(unit, impl::divided_up(rows, most_ranges * unit) * unit);
  }
  // Bundles of csr_mixed stand in the order of their lengths. A group of lanes does all of a row,
  // where csr_rows has a warp, or blocks for segments: so it must not be long beside the others, or
  // beside all work.
  static bool suits_bundles(impl::RowStatistics const& range, std::int64_t nonzeros)
  {
    return range.mean() >= shortest_mean &&
           (is_regular(range) || range.longest <= long_row(nonzeros) / 4);
  }
  // Entries from which on bundles may be worth a second launch, and the ranges a look by the plan:
  // elast3_40 saves 2 us for each million of them in f32 with k = 32, 27 us in f64 with k = 128.
  static constexpr std::int64_t least_bundled = 1 << 20;
  // What the statistics of all rows say: no range has a longer mean than the longest row is.
  static bool may_have_mixture(impl::RowStatistics const& rows, bool are_short)
  {
    return static_cast<double>(rows.longest) >= shortest_mean &&
           mixture_pays(rows.nonzeros, rows.nonzeros, are_short);
  }
  // Bundles for the ranges of rows that suit them, of which there must be more where the others
  // lose csr_short by it: bundles take a quarter to a half off the time of their entries,
  // csr_short up to a fifth.
  static bool mixture_pays(std::int64_t bundled, std::int64_t nonzeros, bool are_short)
  {
    return bundled >= least_of_mixture(nonzeros, are_short);
  }
  static std::int64_t least_of_mixture(std::int64_t nonzeros, bool are_short)
  {
    return std::max(least_bundled, impl::divided_up(nonzeros, are_short ? 2 : 4));
  }
};

// Threads that add up the segments of a row (spmm/segment_sums.cuh): columns side by side, and
// threads that share the segments of each column.
struct SegmentSumsShape
{
  int width, slices;
};
struct SpmmSegmentSumsPolicy
{
  static constexpr int least_threads = 128, most_threads = 512, widest = 32;
  // A thread reads about four sums, which are in flight at once.
  static SegmentSumsShape shape(std::int64_t columns, std::int64_t segments, std::int64_t rows)
  {
    constexpr std::int64_t sums_of_thread = 4;
    auto const width = static_cast<int>(
        std::min<std::uint64_t>(std::bit_ceil(static_cast<std::uint64_t>(columns)), widest));
    std::int64_t const most_slices = most_threads / width;
    auto const wanted = static_cast<std::uint64_t>(
        std::clamp<std::int64_t>(segments / (rows * sums_of_thread), 1, most_slices));
    return {width, static_cast<int>(std::bit_ceil(wanted))};
  }
  static int threads(SegmentSumsShape const& shape)
  {
    return std::max(least_threads, shape.width * shape.slices);
  }
};

// Not yet measured: the numbers are those of the kernels for CSR.
struct SpmmSlicesPolicy
{
  static constexpr int threads_per_block = 128;
  // Thread blocks on a multiprocessor by the 4-byte words of sums and rows of B that a thread
  // holds.
  template <int words>
  static constexpr int blocks_per_processor = words <= 24 ? 8 : 5;

  // Rows that a group takes one after the other, at most as many as lanes a warp's: several where
  // rows are so short that the way from their lengths over the columns to B is longer than the
  // work, and there are enough of them.
  static int rows_per_group(std::int64_t rows, double mean, int lanes, DeviceShape const& device)
  {
    constexpr double longest_short_mean = 12.0;
    constexpr std::int64_t least_warps_of_multiprocessor = 16;
    int const several = lanes >= 16 ? 8 : 4;
    bool const are_many =
        rows * lanes / 32 / several >= least_warps_of_multiprocessor * device.multiprocessors;
    return mean <= longest_short_mean && are_many ? several : 1;
  }
};

// Measured on an H200 for blocks of 3, 4 and 6 (docs/spmm.md); those of other sizes follow from the
// registers of a thread (sums, and rows of B on their way, each packet four of them).
struct SpmmBsrPolicy
{
  static constexpr int threads_per_block = 128;

  // Square blocks of these sizes have a kernel that knows the size.
  static constexpr bool is_compiled(int height, int width)
  {
    return height == width && height >= 2 && height <= 8 && height != 7;
  }
  // A lane has two packets of columns where that leaves its group enough lanes to read whole
  // sectors: a value from shared memory then serves twice as many columns. The sums of larger
  // blocks would not fit.
  static constexpr int largest_of_two_packets = 4;
  static constexpr bool takes_two_packets(int size, std::int64_t packets_of_row)
  {
    constexpr std::int64_t least_lanes = 8;
    return size <= largest_of_two_packets && packets_of_row >= 2 * least_lanes;
  }
  // Blocks whose rows of B are on their way at once, and columns of a block that are: up to six
  // packets, eight where a lane has two.
  template <int size, int packets>
  static constexpr int blocks_in_flight = size == 2 ? 2 / packets : 1;
  template <int size>
  static constexpr int columns_in_flight = size <= 6 ? size : 4;
  // Blocks that a group has in shared memory at once: one and a half columns per lane.
  template <int size, int packets>
  static int staged_blocks(int lanes)
  {
    auto const blocks = static_cast<unsigned>(3 * lanes / (2 * size));
    return std::max(static_cast<int>(std::bit_floor(blocks)), blocks_in_flight<size, packets>);
  }
  // Thread blocks on a multiprocessor by what a thread holds of sums and rows of B: about 40
  // registers come to these 4-byte words, more where blocks are very small or large.
  template <int size, int words>
  static constexpr int blocks_per_processor = size > 6      ? 4
                                              : size == 2   ? 7
                                              : words <= 24 ? 8
                                              : words <= 32 ? 7
                                              : words <= 48 ? 5
                                                            : 4;

  // Other shapes, not measured, with about 56 registers beside these words.
  template <int words>
  static constexpr int pieces_per_processor = words <= 24   ? 6
                                              : words <= 32 ? 5
                                              : words <= 56 ? 4
                                                            : 3;
  // In how many pieces a group takes a block row of that height.
  static constexpr int pieces(int height)
  {
    constexpr int most_rows = 8;
    return (height + most_rows - 1) / most_rows;
  }
  static constexpr int rows_of_piece(int height)
  {
    int const rows = (height + pieces(height) - 1) / pieces(height);
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(rows)));
  }
};

struct SpmmRowSegmentsPolicy
{
  int heavy_threads, heavy_blocks_per_processor;
  int light_threads;
  int entries_per_column; // of a panel, that a block has at least if the panel has so many
  int blocks_in_turn;     // heavy blocks per block that runs at once, if there are entries enough
  int light_entries;      // of a row that a warp takes at once
  int bundle_rows;
};

// At least two heavy blocks share a multiprocessor (paper 000, section 3.1), with 64 registers a
// thread. How heavy work is cut is not the paper's, which has a block a panel; nor has it been
// measured: bringing a panel to shared memory should cost a block little beside using it. Light
// blocks of 64 threads, the smallest that keep a multiprocessor full (section 3.2), are too many
// where most rows have no light entry: perf_tests/results/h200/row_segments.txt.
struct SpmmRowSegmentsPolicyFor
{
  static constexpr SpmmRowSegmentsPolicy value{512, 2, 256, 8, 4, 256, 4};
  // Blocks of heavy segments that a multiprocessor sets room aside for where they are small.
  static constexpr int most_heavy_blocks_per_processor = 4;

  // Bundles of heavy segments, by the same measurements: a block has 16 warps, each of which should
  // have some. A bundle shares what its rows have in common, or saves what every segment costs
  // where these are short.
  static bool may_bundle(std::int64_t segments, std::int64_t blocks, std::int64_t panel_width)
  {
    constexpr std::int64_t least_segments_per_block = 48;
    constexpr std::int64_t codes = std::int64_t(1) << 16;
    return segments >= least_segments_per_block * blocks &&
           panel_width << value.bundle_rows <= codes;
  }
  static bool bundles_pay(std::int64_t entries, std::int64_t bundles, std::int64_t columns)
  {
    constexpr double most_fill = 1.75; // values, with those that are zero, for each entry
    constexpr std::int64_t few_columns = 8;
    return static_cast<double>(columns) * value.bundle_rows <=
               most_fill * static_cast<double>(entries) ||
           columns <= few_columns * bundles;
  }
  // A B of wide values and more than a slice takes segments one by one: additions to C bound it, of
  // which a bundle saves none.
  static constexpr bool takes_bundles(bool transposes, std::size_t value_bytes, std::int64_t k)
  {
    constexpr std::int64_t slice = 32;
    return transposes || value_bytes <= sizeof(float) || k <= slice;
  }
  // The most slices of a unit of `rows` rows whose sums stay in the registers of a lane.
  static constexpr int slices_of_unit(int rows, bool transposes, std::size_t value_bytes)
  {
    if (rows == 1)
      return transposes ? 2 : 4;
    constexpr std::size_t bytes_of_lane = 64;
    std::size_t const most = bytes_of_lane / (static_cast<std::size_t>(rows) * value_bytes);
    return !takes_bundles(transposes, value_bytes, most * 32) || most < 2 ? 1 : most < 4 ? 2 : 4;
  }
  // Whether both products are made in one pass over A: of a single slice.
  static bool fuses(std::int64_t k) { return k <= 32; }

  // Slices of 32 columns that a warp takes: as many as asked for, fewer where so few columns or so
  // little shared memory is there.
  static int within(int slices, std::int64_t k, std::int64_t most)
  {
    constexpr int slice = 32;
    while (slices > 1 && (slices > most || k <= std::int64_t(slices / 2) * slice))
      slices /= 2;
    return slices;
  }
  // Slices of heavy segments that the model expects to take the least time, among those with which
  // so many blocks as were measured have room; where it knows no time, those it was trained with.
  static int vertical(RowSegmentModel::OfType const& model, RowSegmentWork const& work,
                      std::size_t slice_bytes, DeviceShape const& device)
  {
    std::size_t const room =
        device.shared_bytes_of_multiprocessor / value.heavy_blocks_per_processor -
        device.reserved_shared_bytes;
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    bool is_known = false;
    for (std::size_t n = 0; n < model.heavy.size(); ++n)
    {
      int const slices = RowSegmentModel::coarsenings[n];
      double const cost = model.cost(n, work);
      is_known = is_known || cost < std::numeric_limits<double>::infinity();
      if (cost < least && static_cast<std::size_t>(slices) * slice_bytes <= room)
      {
        least = cost;
        best = slices;
      }
    }
    return best > 0 ? best : is_known ? 1 : model.vertical;
  }
  static std::int64_t entries_per_block(std::int64_t heavy_nnz, std::int64_t panel_width,
                                        DeviceShape const& device)
  {
    std::int64_t const blocks = std::int64_t(device.multiprocessors) *
                                value.heavy_blocks_per_processor * value.blocks_in_turn;
    return std::max(value.entries_per_column * panel_width, heavy_nnz / blocks + 1);
  }
};

} // namespace heddle::cuda_native
