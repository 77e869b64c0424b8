// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of the SpMV kernels, one struct for each.

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/impl/compressed_pattern.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/row_statistics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// A kernel takes such a type, not its value: nvcc 13.0 cannot compile a __global__ template whose
// parameter is a struct value from a namespace.
struct SpmvCsrRowsPolicy
{
  int threads_per_block;
  int loads_in_flight; // entries that a thread loads before it uses the first
};

struct SpmvCsrRowsPolicyFor
{
  static constexpr SpmvCsrRowsPolicy value{128, 4};

  // 2 to 32 threads per row, so that a row of mean length takes one batch of loads: a second costs
  // more than idle threads do, until a batch would be half empty again (a mean beyond 64 entries).
  // Measured on an H200 over 42 matrices, 2026-11-22: docs/spmv.md.
  static int threads_per_row(impl::RowStatistics const& rows)
  {
    constexpr int least = 2, usual = 16, most = 32;
    constexpr double long_row = 100.0;
    int threads = least;
    while (threads < usual && rows.mean() > threads * value.loads_in_flight)
      threads *= 2;
    return rows.mean() > long_row ? most : threads;
  }

  // Whether the second-level cache keeps what a call reads and writes for the next one. It has two
  // halves, and what both read is in both: half of it was the limit for stencils, finite elements,
  // bands and graphs on an H200 (perf_tests/results/h200/spmv_staged.txt, 2026-11-29).
  static bool stays_cached(double bytes_of_call, DeviceShape const& device)
  {
    return bytes_of_call <= 0.5 * static_cast<double>(device.l2_bytes);
  }

  // Whether the longest row is done before the whole matrix: a batch of loads takes as long as
  // about 200000 entries of other rows, of which half is allowed; less than four batches are not
  // waited for.
  static bool is_regular(impl::RowStatistics const& rows)
  {
    return rows.longest <= longest_regular(rows);
  }
  static std::int64_t longest_regular(impl::RowStatistics const& rows)
  {
    std::int64_t const batches = 4 + rows.nonzeros / 400000;
    return batches * threads_per_row(rows) * value.loads_in_flight;
  }
  // Rows that a warp has at once take as long as the longest of them: of the tuning part's matrices
  // with longer rows than those, which are left out, csr_vector is faster than csr_tiles where that
  // is at most this factor times what rows have.
  static constexpr double most_waiting = 1.1;
};

// When plans keep the pattern in fewer bytes (csr_runs, csr_templates). On an H200 building took
// 130 us and 6 us per million entries for templates, 150 and 21 for runs, and calls moved 3.2 TB/s
// and took some 6 us besides (perf_tests/results/h200/spmv_staged.txt, 2026-11-29). Where calls are
// not announced, not below 4 million entries: plans would take twice as long as they do; below 2
// million the second-level cache keeps the matrix as it is.
inline constexpr impl::CompressionPolicy spmv_compression{
    .templates = {.fixed = 4.2e8, .per_entry = 20, .per_call = 1.9e7},
    .runs = {.fixed = 4.8e8, .per_entry = 69, .per_call = 1.9e7},
    .assumed_calls = 20,
    .most_calls = 40,
    .least_entries = 4 << 20,
    .least_gain = 1.2,
    .least_entries_announced = 2 << 20};

// Kernels that stage the values of their rows in shared memory (csr_templates, csr_runs): for how
// many a block has room. For those of the block with the most, but not for much more than its rows
// have in the mean: what is shared memory is no cache, and x lives in the cache. A block with more
// reads them where they are. At most what two blocks of the smallest multiprocessors have (Turing,
// 64 KiB).
struct SpmvStagingPolicy
{
  static constexpr double most_over_mean = 1.25;
  static constexpr std::size_t most_bytes = 30 << 10;

  static std::int64_t most_values(double mean, int rows, std::size_t value_bytes)
  {
    return std::min(static_cast<std::int64_t>(most_over_mean * mean * rows) + 1,
                    static_cast<std::int64_t>(most_bytes / value_bytes));
  }
  static bool fits(double mean, int rows, std::size_t value_bytes)
  {
    return mean * rows * static_cast<double>(value_bytes) <= static_cast<double>(most_bytes);
  }
};

struct SpmvTemplatesPolicy
{
  int threads_per_block;
  int loads_in_flight; // values of x that a thread loads before it uses the first
};

// Measured on an H200 on matrices with rows of 5 to 399 entries, 2026-11-30:
// perf_tests/results/h200/spmv_staged.txt.
struct SpmvTemplatesPolicyFor
{
  static constexpr SpmvTemplatesPolicy value{128, 8};

  // As few as have one or two batches of a row of mean length, but eight: a warp then loads
  // neighbours of x for neighbouring rows. 32 where rows are so long that more of them would not be
  // staged.
  static int threads_per_row(double mean, std::size_t value_bytes)
  {
    constexpr int least = 1, usual = 8, most = 32;
    constexpr double each = 14.0;
    int threads = least;
    while (threads < usual && mean > each * threads)
      threads *= 2;
    return SpmvStagingPolicy::fits(mean, rows_at_once(threads), value_bytes) ? threads : most;
  }
  static int rows_at_once(int threads) { return value.threads_per_block / threads; }
};

struct SpmvRunsPolicy
{
  int threads_per_block;
};

// Measured on an H200 on four matrices of blocks of 3 and 6 rows, 2026-11-29:
// perf_tests/results/h200/spmv_staged.txt.
struct SpmvRunsPolicyFor
{
  static constexpr SpmvRunsPolicy value{128};

  // Runs of which a thread loads x before it uses the first: as many as a block of rows has in most
  // cases, so few that these and the sums stay in registers.
  template <int size, int threads>
  static constexpr int batch = size > 3      ? 1
                               : threads > 8 ? 2
                                             : 3;
  // Whether the first lanes of a team store the results of all rows of a block at once, and not row
  // by row: 1.01 to 1.07 times as fast in double precision, and in single precision up to 1.06
  // times as slow, for 8 registers more.
  template <class Scalar>
  static constexpr bool stores_at_once = sizeof(Scalar) > sizeof(float);
  // 8 threads per block of rows; 16 where it has more than two runs per thread, or where a run is
  // so wide that lanes of two blocks would read the same banks of shared memory; 32 where the
  // values of more blocks would not be staged.
  static int threads_per_block_of_rows(double mean, int size, std::size_t value_bytes)
  {
    constexpr double runs_of_thread = 2.0;
    constexpr std::size_t wide_run = 40; // bytes
    constexpr int least = 8, usual = 16, most = 32;
    double const runs = mean / size;
    int threads =
        runs > runs_of_thread * least || static_cast<std::size_t>(size) * value_bytes >= wide_run
            ? usual
            : least;
    while (threads < most &&
           !SpmvStagingPolicy::fits(mean, rows_at_once(threads, size), value_bytes))
      threads *= 2;
    return threads;
  }
  static int rows_at_once(int threads, int size)
  {
    return value.threads_per_block / threads * size;
  }
};

// A^T x by atomic additions. Fitted on the zoo's tuning part up to 3 million entries on an H100,
// 2026-11-27: perf_tests/results/h100/spmv_transposed.txt.
struct SpmvScatterPolicyFor
{
  static constexpr int threads_per_block = 256;

  // By rows: 2 to 32 threads per row, each with four loads in flight. A thread has up to 2.5
  // entries of a row of mean length. Two threads where most rows have the columns of the row before
  // and one more, as on grids: lanes of neighbouring rows then add to neighbours. Eight at least
  // where rows repeat columns of the row before, and fewer threads would add to one column at once;
  // rows that two threads do in one batch are done before that matters.
  // Four times as many as the mean asks for where the longest row would keep the others waiting. 0
  // where it would still, or where rows are so long that blocks of entries are as fast.
  static constexpr int least_threads = 2, most_threads = 32, loads_in_flight = 4;
  static int threads_per_row(impl::RowStatistics const& rows, double next_share, double same_share)
  {
    constexpr double entries_per_thread = 2.5, longest_mean = 250.0;
    constexpr double longest_mean_of_grids = 60.0, least_next_share = 0.5, least_same_share = 0.25;
    constexpr int least_for_same = 8, most_for_longest = 4;
    if (rows.mean() > longest_mean)
      return 0;
    int threads = least_threads;
    while (threads < most_threads && rows.mean() > entries_per_thread * threads)
      threads *= 2;
    int const most = std::min(most_threads, most_for_longest * threads);
    if (next_share >= least_next_share && rows.mean() <= longest_mean_of_grids)
      threads = least_threads;
    if (same_share >= least_same_share && rows.mean() > entries_per_thread * least_threads)
      threads = std::max(threads, least_for_same);
    while (threads < most && rows.longest > longest_row(threads, rows.nonzeros))
      threads *= 2;
    return rows.longest > longest_row(threads, rows.nonzeros) ? 0 : threads;
  }
  // Whether a thread has a row: where enough rows have the column of the row before at the same
  // index for it to pay to add up lanes side by side, which was tried on rows of 2, 3 and 5 entries
  // whose first column stays the same for 1 to 200 rows; and very short rows of small values, or
  // where most have the next column (perf_tests/results/h200/spmv_scatter_lanes.txt, 2026-11-30).
  static constexpr int loads_of_short_row = 2;
  static bool has_thread_per_row(impl::RowStatistics const& rows, double next_share,
                                 double same_share, std::size_t value_bytes)
  {
    constexpr double longest_mean = 6.0, least_same_share = 0.1;
    constexpr double very_short_mean = 3.0, least_next_share = 0.5;
    constexpr std::size_t small_value = 4;
    bool const has_alike = same_share >= least_same_share && rows.mean() <= longest_mean;
    bool const is_very_short = (value_bytes <= small_value || next_share >= least_next_share) &&
                               rows.mean() <= very_short_mean;
    return (has_alike || is_very_short) && rows.longest <= longest_row(1, rows.nonzeros);
  }
  // Its threads take about 150 ns per entry of each, the whole matrix 12 ps per entry.
  static std::int64_t longest_row(int threads, std::int64_t nonzeros)
  {
    return threads * (20 + nonzeros / 12500);
  }

  // By entries. Sums of a block and their columns take 12 KiB of shared memory in double precision.
  static constexpr int entries_per_thread = 8;
  static constexpr int entries_per_block = threads_per_block * entries_per_thread;
  static constexpr int most_listed_rows = 4 * entries_per_block; // empty ones count
  static constexpr int slots = 1024;

  // Sums of a block pay where so many additions go to one sector of y, and are so large a share of
  // all: these come one after the other in 2.5 ns each, others take about 12 ps.
  static constexpr double least_hot_share = 1.0 / 384, least_hot_additions = 2048;
  static constexpr int sampled_entries = 8192, sampled_rows = 4096, sampling_threads = 1024;
  static constexpr int columns_of_sector(std::size_t value_bytes)
  {
    constexpr std::size_t sector = 32;
    return value_bytes >= sector ? 1 : static_cast<int>(sector / value_bytes);
  }
  // Fewer blocks take longer than few additions, and so few entries any number of threads.
  static bool pays_to_sample(std::int64_t nonzeros)
  {
    constexpr std::int64_t least_blocks = 32;
    return nonzeros >= least_blocks * entries_per_block;
  }
  static bool is_hot(double share, std::int64_t nonzeros)
  {
    return share >= least_hot_share && share * static_cast<double>(nonzeros) >= least_hot_additions;
  }
  // Whether lanes of a warp often have one column: rows so short that a warp has several of them,
  // of which some have a column of the row before, as leaves of a graph side by side have.
  static bool has_lanes_alike(double same_share, double mean)
  {
    constexpr double least_share = 0.2, longest_mean = 16;
    return same_share >= least_share && mean <= longest_mean;
  }
};

// A^T x through a pattern that the plan holds where SpmvOptions::transposed asks for it. Measured
// like the scatter: h100/spmv_transposed.txt.
struct SpmvGatherPolicyFor
{
  static constexpr int threads_per_block = 128, loads_in_flight = 4;
  static constexpr int sampled_entries = 4096, sampling_threads = 1024;

  // Calls that repay making it: 4 to 10 us each, where the mirrored form takes about 0.1 ms more
  // than a plan without, and sorting 0.3 to 0.6 ms.
  static constexpr std::int64_t calls_to_repay_mirrored = 40, calls_to_repay_sorted = 100;

  // Neighbours in a row whose columns are so near are neighbours in A^T x too, whose values come
  // from the same lines of memory. Where few are, and there are many entries, a gather of values
  // costs more than additions do, unless many of these go to one sector.
  static constexpr int near = 128;
  static constexpr double least_near_share = 0.25;
  static constexpr std::int64_t many_entries = 900000;
  static bool can_pay(double near_share, bool is_hot, std::int64_t nonzeros)
  {
    return near_share >= least_near_share || is_hot || nonzeros < many_entries;
  }
};

// Rows that are cut into parts, a block each.
struct SpmvLongRowsPolicy
{
  static constexpr int threads_per_block = 512, loads_in_flight = 4;
  // Of a part: two batches. One thread adds up the parts of a row, so there are not many. Measured
  // on an H200 over 12 matrices with long rows, 2026-11-30:
  // perf_tests/results/h200/spmv_long_rows.txt.
  static constexpr std::int64_t least_entries = 4096, most_parts = 32;

  KOKKOS_INLINE_FUNCTION static int parts(std::int64_t entries)
  {
    std::int64_t const parts = (entries + least_entries - 1) / least_entries;
    return static_cast<int>(parts < most_parts ? parts : most_parts);
  }
  // A call takes some 4 us more with them (perf_tests/results/h200/spmv_long_rows.txt, 2026-11-30).
  // Rows that a cluster of blocks is done with before the matrix and that have none: a cluster
  // takes about 90 ps per entry, the matrix 3.
  static std::int64_t most_of_cluster(std::int64_t nonzeros) { return 98304 + nonzeros / 32; }
  // Where rows are alike but for few long ones: entries of the smallest matrix.
  static constexpr std::int64_t least_nonzeros = 2 << 20;
};

struct SpmvCsrTilesPolicy
{
  int threads_per_block;
  int entries_per_tile;    // rows and entries; four times a multiple of the threads
  int most_blocks_per_row; // longer than a tile; clusters of 8 are what every Hopper GPU has
  int blocks_per_processor;
  int long_row, long_row_per_thread; // longer rows of a tile are left to whole warps
};

// Small blocks, all that fit: a block waits for memory three times and has nothing else to do
// meanwhile. Measured on an H200 over 42 matrices, 2026-11-22: docs/spmv.md. Of 16-byte values half
// as many, whose registers would not do.
template <std::size_t value_bytes>
struct SpmvCsrTilesPolicyFor
{
  static constexpr SpmvCsrTilesPolicy value{256, 1024, 8, value_bytes > 8 ? 4 : 8, 8, 16};
};

// Blocks that share each row longer than a tile: one, unless it would work when all others are
// done, so the longest row may have the more entries the more the matrix has. Measured on an H200
// over 13 matrices, 2026-11-22: docs/spmv.md.
inline int blocks_per_long_row(std::int64_t longest, std::int64_t nonzeros)
{
  constexpr int most = SpmvCsrTilesPolicyFor<1>::value.most_blocks_per_row;
  std::int64_t const each = 8192 + nonzeros / 512;
  int blocks = 1;
  while (blocks < most && longest > blocks * each)
    blocks *= 2;
  return blocks;
}

struct SpmvCsrPanelsPolicy
{
  int threads_per_block; // one block a multiprocessor
  int loads_in_flight;   // entries that a thread loads before it uses the first
  int panel_bytes;       // of x in shared memory, of which a block has 227 KiB on Hopper
};

struct SpmvCsrPanelsPolicyFor
{
  static constexpr SpmvCsrPanelsPolicy value{1024, 4, 200 << 10};
  static constexpr std::int64_t best_panels = 2;

  static std::int64_t panel_length(std::size_t value_bytes)
  {
    return value.panel_bytes / static_cast<std::int64_t>(value_bytes);
  }
  static std::int64_t panels(std::int64_t cols, std::size_t value_bytes)
  {
    return impl::divided_up(cols, panel_length(value_bytes));
  }
  // Whether panels can pay, if columns are scattered. An x that fits into one panel fits into the
  // first-level cache too, which then is as fast (H200, permuted band in f32, 2026-11-22). Else a
  // gather is answered about twice as fast, but every multiprocessor reads all of x, 64 bytes per
  // cycle.
  static bool can_pay(impl::RowStatistics const& rows, std::int64_t cols, std::size_t value_bytes,
                      DeviceShape const& device)
  {
    return panels(cols, value_bytes) == best_panels &&
           static_cast<double>(rows.nonzeros) > least_entries(cols, value_bytes, device);
  }
  static double least_entries(std::int64_t cols, std::size_t value_bytes, DeviceShape const& device)
  {
    constexpr double bytes_per_cycle = 64.0;
    return 2.0 * device.multiprocessors * static_cast<double>(cols) *
           static_cast<double>(value_bytes) / bytes_per_cycle;
  }
  // Of neighbours in a row, those whose columns lie in different cache lines (128 bytes).
  static constexpr double least_scattered = 0.5;
};

struct SpmvSlicesPolicy
{
  int threads_per_block;
  int loads_in_flight; // entries that a thread loads before it uses the first
};

// Measured on an H200 over ten matrices, 2026-11-22: docs/spmv.md.
struct SpmvSlicesPolicyFor
{
  static constexpr SpmvSlicesPolicy value{128, 4};
  static constexpr int most_warps = value.threads_per_block / 32;

  // Lanes of a warp that share a row, for slices of so many rows: as many as make the values that
  // a warp loads neighbours, and two where rows are not short and half a warp fills the cache lines
  // that it reads.
  static int lanes_per_row(std::int64_t height, double mean, std::size_t value_bytes)
  {
    constexpr double not_short = 16.0;
    int lanes = 1;
    while (lanes < 32 && lanes * 2 * height <= 32)
      lanes *= 2;
    return lanes == 1 && mean > not_short && value_bytes >= sizeof(double) ? 2 : lanes;
  }

  // Warps that share the same rows: more than one where a lane would have many entries, so that
  // warps that run side by side read values that lie side by side; and where rows alone would not
  // fill the GPU, as long as lanes have two batches.
  static int warps_per_row(std::int64_t rows, double mean, int lanes, DeviceShape const& device)
  {
    constexpr double many = 32.0, some = 16.0, two_batches = 2.0 * value.loads_in_flight;
    double const entries = mean / lanes;
    if (entries > many)
      return most_warps;
    int warps = lanes > 1 && entries > some ? 2 : 1;
    while (warps < most_warps && rows * lanes * warps < 32 * device.warps() &&
           entries > two_batches * warps)
      warps *= 2;
    return warps;
  }
};

struct SpmvBsrBlocksPolicy
{
  int threads_per_block;
  int loads_in_flight; // values that a lane loads before it uses the first
};

struct SpmvBsrBlocksPolicyFor
{
  static constexpr SpmvBsrBlocksPolicy value{128, 4};
  static constexpr int most_values = 8; // of a block, in the registers of a lane

  // 2, 8 or 32, each with up to four small blocks.
  static int threads_per_row(double blocks)
  {
    constexpr double each = 4.0;
    return blocks <= 2 * each ? 2 : blocks <= 8 * each ? 8 : 32;
  }
};

// Blocks that add up what epilogues have left: at 4096 values each, 8 per thread, so that a few
// thousand rows take one block and no matrix more than the last block can read at once. Not tuned.
struct SpmvFinishPolicy
{
  static constexpr int threads_per_block = 512;
  static constexpr std::int64_t values_per_block = 4096, most_blocks = 256;

  static std::int64_t blocks(std::int64_t values)
  {
    return std::clamp<std::int64_t>(impl::divided_up(values, values_per_block), 1, most_blocks);
  }
};

} // namespace heddle::cuda_native
