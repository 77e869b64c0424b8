// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numbers of SpGEMM with recorded terms (spgemm/terms.cuh).

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/verdict.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

struct SpgemmTermsPolicy
{
  // Of the kernel that sums, and of the one that records: terms that a block takes, and its
  // threads.
  int terms_of_block, threads_per_block;
  // Terms behind the block they begin in above which entries are cut: least_terms_to_cut, or
  // shares_to_cut times the terms per block if all blocks that run at once had the same number,
  // whichever is more.
  std::int64_t least_terms_to_cut;
  double shares_to_cut;
  // Blocks that sum at once on a multiprocessor: registers must not be what keeps out more.
  int blocks_of_multiprocessor;
  // Products that are sorted at once: as much scratch memory as 24 bytes for each.
  std::int64_t products_of_chunk;
  // Products of a row of C up to which a block sorts them, if its row of A has at most
  // entries_of_sorted_row entries: as many steps as an entry of C has terms are taken for each.
  int products_of_sorted_row, entries_of_sorted_row;

  // Terms that nobody asked for.
  // Calls that are assumed where none are expected, and those that finding terms takes as long as
  // they save.
  std::int64_t assumed_calls, calls_to_pay;
  // Products up to which calls by terms are faster whatever the rows, also nodes: other kernels
  // then do not fill the device.
  std::int64_t few_products;
  // Products per entry of C up to which they are faster otherwise: in general, where rows are few,
  // where rows are so short that they are merged, which takes as long as a term for each product,
  // and where rows of B are short, since other kernels then leave most lanes idle.
  double most_terms, most_terms_of_few_rows, most_terms_of_merged_rows, most_terms_of_short_b;
  // Mean entries per row of B up to which its rows are short: in general, and where rows are
  // merged.
  double most_entries_of_short_b, most_entries_of_short_b_if_merged;
  // Rows are few where the device has least_warps_of_row warps per row and more, and rows of B have
  // at most most_entries_of_b entries in the mean. With short rows of B terms are then faster
  // whatever entries of C have.
  double least_warps_of_row, most_entries_of_b;
  // Bytes that terms may take: shares_of_matrices times those of A, B and C, or least_bytes,
  // whichever are more. cuSPARSE's plans keep 8 to 11 bytes per product, terms take 6.
  std::size_t shares_of_matrices, least_bytes;
};

// Fitted on the zoo's tuning part on an H100 on 2026-11-27
// (perf_tests/results/h100/spgemm_terms_default.txt; when blocks sort: spgemm_terms_cut.txt); when
// entries are cut, on an H200 on 2026-11-30 (perf_tests/results/h200/spgemm_terms_cut.txt); which
// rows count as merged, and what few products are, on an H200 on 2026-11-29
// (perf_tests/results/h200/spgemm_terms_searched.txt); for short rows of B, and bytes, on triple
// products of multigrid of the same part on an H200 on 2026-11-29
// (perf_tests/results/h200/spgemm_terms_triple.txt).
inline constexpr SpgemmTermsPolicy spgemm_terms_policy{.terms_of_block = 2048,
                                                       .threads_per_block = 256,
                                                       .least_terms_to_cut = 4096,
                                                       .shares_to_cut = 0.75,
                                                       .blocks_of_multiprocessor = 8,
                                                       .products_of_chunk = 1 << 23,
                                                       .products_of_sorted_row = 2048,
                                                       .entries_of_sorted_row = 128,
                                                       .assumed_calls = 100,
                                                       .calls_to_pay = 20,
                                                       .few_products = 8000000,
                                                       .most_terms = 10.0,
                                                       .most_terms_of_few_rows = 150.0,
                                                       .most_terms_of_merged_rows = 3.0,
                                                       .most_terms_of_short_b = 100.0,
                                                       .most_entries_of_short_b = 16.0,
                                                       .most_entries_of_short_b_if_merged = 6.0,
                                                       .least_warps_of_row = 2.0,
                                                       .most_entries_of_b = 256.0,
                                                       .shares_of_matrices = 2,
                                                       .least_bytes = std::size_t(1) << 30};

// Blocks of terms for this number of products.
KOKKOS_INLINE_FUNCTION std::int64_t blocks_of_terms(std::int64_t products)
{
  return impl::divided_up(products, spgemm_terms_policy.terms_of_block);
}

// Terms behind a block from which on a plan's entries are cut: fewer are added up by a block while
// others do the rest, and a second launch would take longer.
inline std::int64_t terms_to_cut(DeviceShape const& device, std::int64_t products)
{
  auto const& policy = spgemm_terms_policy;
  std::int64_t const blocks =
      static_cast<std::int64_t>(device.multiprocessors) * policy.blocks_of_multiprocessor;
  auto const share = static_cast<double>(products) / static_cast<double>(blocks);
  return std::max(policy.least_terms_to_cut,
                  static_cast<std::int64_t>(policy.shares_to_cut * share));
}

// Whether as many calls are expected as repay finding terms; 0: it is not known how many.
inline bool repays_terms(std::int64_t expected_calls)
{
  auto const& policy = spgemm_terms_policy;
  return (expected_calls > 0 ? expected_calls : policy.assumed_calls) >= policy.calls_to_pay;
}

// Whether A and B, whose rows have as many entries as their mean, have few products.
inline bool may_have_few_products(std::int64_t nnz_a, std::int64_t rows_b, std::int64_t nnz_b)
{
  return static_cast<double>(nnz_a) * static_cast<double>(nnz_b) <=
         static_cast<double>(spgemm_terms_policy.few_products) * static_cast<double>(rows_b);
}

// What decides whether a plan keeps terms unasked.
struct TermsQuestion
{
  std::int64_t expected_calls;   // 0: not known
  std::int64_t rows, nnz_a;      // of A
  std::int64_t products, nnz;    // of C
  bool are_merged;               // without terms rows are merged, but for fewer that are searched
  std::size_t bytes;             // of terms
  std::size_t bytes_of_matrices; // columns and values of A, B and C
};
inline impl::Verdict terms_pay(DeviceShape const& device, TermsQuestion const& asked)
{
  auto const& policy = spgemm_terms_policy;
  if (!repays_terms(asked.expected_calls))
    return {false, "% calls are expected, % repay them", asked.expected_calls, policy.calls_to_pay};
  std::size_t const allowed =
      std::max(policy.shares_of_matrices * asked.bytes_of_matrices, policy.least_bytes);
  if (asked.bytes > allowed)
    return {false, "they take % bytes, % are allowed", asked.bytes, allowed};
  if (asked.products <= policy.few_products)
    return {true, "% products are few", asked.products};
  auto const products = static_cast<double>(asked.products);
  double const of_b = products / static_cast<double>(asked.nnz_a);
  bool const has_few_rows = static_cast<double>(device.warps()) >=
                                policy.least_warps_of_row * static_cast<double>(asked.rows) &&
                            of_b <= policy.most_entries_of_b;
  bool const has_short_b = of_b <= (asked.are_merged ? policy.most_entries_of_short_b_if_merged
                                                     : policy.most_entries_of_short_b);
  if (has_few_rows && of_b <= policy.most_entries_of_short_b)
    return {true, "there are % rows, and rows of B have % entries on average", asked.rows, of_b};
  double const most = has_short_b        ? policy.most_terms_of_short_b
                      : asked.are_merged ? policy.most_terms_of_merged_rows
                      : has_few_rows     ? policy.most_terms_of_few_rows
                                         : policy.most_terms;
  double const per_entry = products / static_cast<double>(asked.nnz);
  return {per_entry <= most, "entries of C have % products on average, terms pay up to %",
          per_entry, most};
}

} // namespace heddle::cuda_native
