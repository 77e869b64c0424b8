// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of SpGEMM with dense rows of C in shared memory (spgemm/dense_rows.cuh), and when it is
// taken.

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/cuda_native/spgemm/terms_policy.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/spgemm_options.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

struct DenseRowsPolicy
{
  int threads_per_block, blocks_of_multiprocessor;
  int short_lanes, long_lanes; // of a group, by the rows of B
  int entries_in_flight;       // entries of A whose rows of B a group loads before it adds them
  // What a row of B that has more entries than a group lanes costs for each more turn: these are
  // not loaded ahead.
  double later_turns;
  // Warps that add up the sums of 32 columns of a row at most, sums that each has at least, and
  // threads that have a row of C.
  int most_reducing_warps, sums_of_reducing_warp, row_threads;
  // Least entries of A in the mean row, and products for each sum that is handed on; and products
  // for each sum from which on calls of a plan take no longer than by terms, if products are not
  // few (spgemm/terms_policy.hpp).
  double least_mean_row, least_products_of_sum, products_of_sum_in_calls;
  // Groups that a multiprocessor has at once: fewer do not hide each other's loads.
  std::int64_t least_groups;
  std::size_t most_bytes_of_call; // of scratch memory
};
// Tried on an H100 on 2026-11-28 (perf_tests/results/h100/spgemm_dense_rows.txt).
inline constexpr DenseRowsPolicy dense_rows_policy{.threads_per_block = 128,
                                                   .blocks_of_multiprocessor = 4,
                                                   .short_lanes = 8,
                                                   .long_lanes = 32,
                                                   .entries_in_flight = 8,
                                                   .later_turns = 3.0,
                                                   .most_reducing_warps = 16,
                                                   .sums_of_reducing_warp = 4,
                                                   .row_threads = 256,
                                                   .least_mean_row = 128.0,
                                                   .least_products_of_sum = 2.0,
                                                   .products_of_sum_in_calls = 6.0,
                                                   .least_groups = 12,
                                                   .most_bytes_of_call = std::size_t(256) << 20};

// A group of lanes has a run of `chunk` entries of A, in whichever rows these are.
struct DenseRowsShape
{
  int lanes = 0; // 0: no shape
  std::int64_t chunk = 0, groups = 0;

  // Sums that groups hand on: of each group for each row that it has entries of.
  std::int64_t slots(std::int64_t rows) const { return groups + rows; }
  int reducing_warps(std::int64_t rows) const
  {
    auto const& policy = dense_rows_policy;
    auto const wanted = static_cast<std::uint64_t>(std::clamp<std::int64_t>(
        slots(rows) / (rows * policy.sums_of_reducing_warp), 1, policy.most_reducing_warps));
    return static_cast<int>(std::bit_floor(wanted));
  }
};

struct DenseRowsSizes
{
  FactorSizes factors;
  std::int64_t cols; // of B
  std::size_t bytes_of_sum, bytes_of_column;

  double products() const
  {
    return expected_products(factors.nnz_a, factors.nnz_b, factors.rows_b);
  }
  // Shared memory of a group: the sums, and a byte for each that says whether it has a product.
  std::size_t bytes_of_group() const
  {
    constexpr std::int64_t word = 16;
    auto const rounded = [](std::int64_t bytes) { return impl::divided_up(bytes, word) * word; };
    return static_cast<std::size_t>(rounded(cols * static_cast<std::int64_t>(bytes_of_sum)) +
                                    rounded(cols));
  }
  // Scratch memory of a call: what groups hand on, and C without gaps.
  std::size_t bytes_of_call(DenseRowsShape const& shape) const
  {
    return static_cast<std::size_t>(shape.slots(factors.rows_a) + factors.rows_a) *
           static_cast<std::size_t>(cols) * (bytes_of_sum + 1);
  }
  // The columns of C that a plan keeps, at most.
  std::size_t bytes_of_plan() const
  {
    return static_cast<std::size_t>(factors.rows_a) * static_cast<std::size_t>(cols) *
           bytes_of_column;
  }
};

// Groups of this number of lanes on a multiprocessor; 0: a block does not fit.
inline std::int64_t dense_row_groups(DenseRowsSizes const& sizes, int lanes,
                                     DeviceShape const& device)
{
  auto const& policy = dense_rows_policy;
  std::int64_t const of_block = policy.threads_per_block / lanes;
  std::size_t const bytes = static_cast<std::size_t>(of_block) * sizes.bytes_of_group();
  if (bytes > device.shared_bytes_of_block)
    return 0;
  std::size_t const blocks =
      device.shared_bytes_of_multiprocessor / (bytes + device.reserved_shared_bytes);
  return of_block *
         std::min<std::int64_t>(static_cast<std::int64_t>(blocks), policy.blocks_of_multiprocessor);
}

// The shape of a multiplication, if it can have one. Chunks are so long that a sum is not handed on
// before it has some products, as far as there are entries.
inline DenseRowsShape dense_rows_shape(DenseRowsSizes const& sizes, DeviceShape const& device)
{
  auto const& policy = dense_rows_policy;
  FactorSizes const& factors = sizes.factors;
  if (factors.nnz_a == 0 || factors.nnz_b == 0 || sizes.cols == 0)
    return {};
  double const of_entry = sizes.products() / static_cast<double>(factors.nnz_a);
  DenseRowsShape best;
  double most = 0;
  for (int const lanes : {policy.short_lanes, policy.long_lanes})
  {
    std::int64_t const groups = dense_row_groups(sizes, lanes, device);
    double const turns =
        1.0 + policy.later_turns * (std::ceil(std::max(of_entry / lanes, 1.0)) - 1.0);
    double const at_once = static_cast<double>(groups) / turns;
    if (at_once <= most)
      continue;
    most = at_once;
    auto const for_sums = static_cast<std::int64_t>(
        std::ceil(2.0 * policy.least_products_of_sum * static_cast<double>(sizes.cols) /
                  std::max(of_entry, 1.0)));
    std::int64_t const chunk =
        std::max({impl::divided_up(factors.nnz_a, groups * device.multiprocessors), for_sums,
                  std::int64_t(lanes)});
    best = {lanes, chunk, impl::divided_up(factors.nnz_a, chunk)};
  }
  return best;
}

// Sums that groups hand on.
inline double handed_on(DenseRowsSizes const& sizes, DenseRowsShape const& shape)
{
  return static_cast<double>(shape.slots(sizes.factors.rows_a)) * static_cast<double>(sizes.cols);
}

// Whether rows of A are so long, and C so small beside the products, that this is the fastest way.
inline bool dense_rows_pay(DenseRowsSizes const& sizes, DenseRowsShape const& shape,
                           DeviceShape const& device)
{
  auto const& policy = dense_rows_policy;
  FactorSizes const& factors = sizes.factors;
  return shape.lanes > 0 && shape.groups >= device.multiprocessors &&
         dense_row_groups(sizes, shape.lanes, device) >= policy.least_groups &&
         static_cast<double>(factors.nnz_a) >=
             policy.least_mean_row * static_cast<double>(factors.rows_a) &&
         sizes.products() >= policy.least_products_of_sum * handed_on(sizes, shape);
}

// Whether calls of a plan are faster so than by terms.
inline bool dense_rows_beat_terms(DenseRowsSizes const& sizes, DenseRowsShape const& shape)
{
  double const products = sizes.products();
  return products > static_cast<double>(spgemm_terms_policy.few_products) &&
         products >= dense_rows_policy.products_of_sum_in_calls * handed_on(sizes, shape);
}

// The shape of a multiplication with these options; room: bytes that plan and call may take. None
// where rows of C are not taken so.
inline DenseRowsShape choose_dense_rows(DenseRowsSizes const& sizes, SpgemmOptions const& options,
                                        std::size_t room, DeviceShape const& device)
{
  bool const is_asked_for = options.accumulator == SpgemmAccumulator::dense_rows;
  if (!is_asked_for && (options.accumulator != SpgemmAccumulator::automatic || options.reuse))
    return {};
  DenseRowsShape const shape = dense_rows_shape(sizes, device);
  bool const is_wanted = is_asked_for || dense_rows_pay(sizes, shape, device);
  std::size_t const needed = shape.lanes > 0 ? sizes.bytes_of_call(shape) : 0;
  bool const fits = shape.lanes > 0 && needed <= dense_rows_policy.most_bytes_of_call &&
                    needed + sizes.bytes_of_plan() <= room;
  return is_wanted && fits ? shape : DenseRowsShape{};
}

} // namespace heddle::cuda_native
