// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which rows of C are in which bin of the symbolic phase of SpGEMM, by the bounds that are known
// before there are products, and of the numeric phase, by what the symbolic one counted; and the
// first steps of the symbolic phase (spgemm/symbolic.cuh): bounds of rows, rows by symbolic bin,
// B as column bitmasks.

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/rows/bin_rows.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/bin_choice.hpp>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

namespace heddle::cuda_native
{

static_assert(SymbolicBin::count <= most_row_bins && NumericBin::count <= most_row_bins);

template <class A>
struct SymbolicBinOf
{
  using Row = ProductRow<typename A::ordinal_type>;
  SpgemmAccumulator wanted;
  Row const* rows;
  typename A::offset_type const* offsets;
  BoundTotals const* all; // whether columns are sorted is known
  bool has_bitmasks;      // of B, or may have them
  RowLimits limits;

  __device__ RowOfProducts row_of(std::int64_t i, Row const& row) const
  {
    return {static_cast<std::int64_t>(offsets[i + 1] - offsets[i]),
            static_cast<std::int64_t>(row.products), static_cast<std::int64_t>(row.words),
            span_of(row), all->unsorted == 0};
  }
  __device__ int bin_of(std::int64_t i, Row const& row) const
  {
    // B is not taken as bitmasks unless its words are fewer than products, which is not known yet.
    auto const steps = static_cast<std::int64_t>(has_bitmasks ? row.words : row.products);
    return symbolic_bin(wanted, row_of(i, row), blocks_of(row), steps, limits);
  }
  __device__ int bin_of(std::int64_t i) const { return bin_of(i, rows[i]); }
  // Whether rows of this bin have their sums at once.
  __device__ bool is_short(int symbolic) const
  {
    return limits.has_one_pass && cuda_native::is_short(symbolic);
  }
};

template <class A, class Sum>
struct NumericBinOf
{
  SymbolicBinOf<A> of;
  typename A::ordinal_type const* counts;
  typename A::ordinal_type const* blocks;

  __device__ int bin_of(std::int64_t i) const
  {
    // Rows that the symbolic phase merged are merged again, whole multiply or plan: sums are the
    // same.
    int const symbolic = of.bin_of(i);
    if (of.is_short(symbolic))
      return NumericBin::empty;
    if (symbolic >= SymbolicBin::merged && symbolic < SymbolicBin::table)
      return NumericBin::merged + symbolic - SymbolicBin::merged;
    return numeric_bin(of.wanted, of.row_of(i, of.rows[i]), blocks[i], counts[i], sizeof(Sum),
                       of.limits, static_cast<std::int64_t>(of.all->products));
  }
  __device__ std::int64_t weight_of(std::int64_t i) const
  {
    return static_cast<std::int64_t>(counts[i]);
  }
};

// What a call counts.
struct SpgemmCounters
{
  BoundTotals all;
  RowBinCounts symbolic, numeric;
  unsigned long long kept, kept_of_short; // columns
};

// The counters and the entries of each row of C on the device, zero at first.
template <class Ordinal>
class DeviceCounters
{
  using Word = unsigned long long;
  static constexpr std::size_t words = sizeof(SpgemmCounters) / sizeof(Word);
  static_assert(sizeof(SpgemmCounters) % sizeof(Word) == 0 && words <= PinnedWords::most);
  Kokkos::Cuda m_exec;
  std::size_t m_rows;
  impl::Scratch<Word, Kokkos::Cuda> m_memory;

public:
  DeviceCounters(Kokkos::Cuda const& exec, std::size_t rows)
      : m_exec(exec)
      , m_rows(rows)
      , m_memory(exec, words + static_cast<std::size_t>(impl::divided_up(
                                   static_cast<std::int64_t>(rows * sizeof(Ordinal)),
                                   static_cast<std::int64_t>(sizeof(Word)))))
  {
    Kokkos::deep_copy(exec, m_memory.view(), Word(0));
  }
  SpgemmCounters* data() const { return reinterpret_cast<SpgemmCounters*>(m_memory.data()); }
  auto of_rows() const
  {
    return typename impl::Scratch<Ordinal, Kokkos::Cuda>::view_type(
        reinterpret_cast<Ordinal*>(m_memory.data() + words), m_rows);
  }
  // What the counters have become. Waits for exec.
  SpgemmCounters on_host() const
  {
    PinnedWords const host(m_exec,
                           Kokkos::subview(m_memory.view(), std::pair(std::size_t(0), words)),
                           "heddle::spgemm::binned");
    return *reinterpret_cast<SpgemmCounters const*>(host.data());
  }
};

// Rows of all bins of these methods.
template <std::size_t count>
std::int64_t rows_by(std::array<BinGroup, count> const& groups, RowBins const& bins,
                     std::initializer_list<RowMethod> methods)
{
  std::int64_t rows = 0;
  std::size_t n = 0;
  for (BinGroup const& group : groups)
    for (int c = 0; c < group.bins; ++c, ++n)
      if (std::find(methods.begin(), methods.end(), group.method) != methods.end())
        rows += bins.ranges[n].count;
  return rows;
}
// Rows that are merged, or have nothing.
template <std::size_t count>
std::int64_t merged_rows(std::array<BinGroup, count> const& groups, RowBins const& bins)
{
  return rows_by(groups, bins,
                 {RowMethod::none, RowMethod::register_merge, RowMethod::shared_merge});
}
// The rows of each bin, and what the bins are.
template <std::size_t count>
std::string describe_bins(std::array<BinGroup, count> const& groups, RowBins const& bins)
{
  std::string rows, methods;
  std::size_t n = 0;
  for (BinGroup const& group : groups)
  {
    for (int c = 0; c < group.bins; ++c, ++n)
      rows += (n > 0 ? " " : "") + std::to_string(bins.ranges[n].count);
    methods += methods.empty() ? "" : "; ";
    methods += (group.bins > 1 ? std::to_string(group.bins) + " " : "") + group.text;
  }
  return rows + " (" + methods + ")";
}

// Bins of tables whose few rows go with those of the next.
inline void join_small_tables(RowBins& bins, int table, DeviceShape const& device)
{
  constexpr SpgemmPolicy const& policy = SpgemmPolicyFor::value;
  std::int64_t const few = SpgemmPolicyFor::few_table_rows(device);
  bins.join_small(table, table + policy.first_small_block - 1, few);
  bins.join_small(table + policy.first_small_block, table + policy.first_medium_block - 1, few / 2);
}

// Which rows are in which bin, in both phases.
struct SpgemmBins
{
  RowBins symbolic, numeric;
  bool is_one_list = false; // that of the symbolic bins has the numeric ones too
};

// Rows by their bounds, on the host.
struct SymbolicRows
{
  RowBins bins;
  BoundTotals totals;

  std::int64_t products() const { return static_cast<std::int64_t>(totals.products); }
  // Of rows that have their sums at once.
  std::int64_t short_products() const { return bins.weight; }
  bool has_bitmaps() const { return rows_by(symbolic_groups, bins, {RowMethod::bitmap}) > 0; }
  bool has_tables() const
  {
    return rows_by(symbolic_groups, bins, {RowMethod::table, RowMethod::windows}) > 0;
  }
  // All rows are done by the symbolic phase, or merged, which is done again by the numeric phase in
  // the same bins.
  bool leaves_merged_rows(bool has_one_pass) const
  {
    return !has_tables() && (has_one_pass || rows_by(symbolic_groups, bins,
                                                     {RowMethod::sort, RowMethod::bitmap}) == 0);
  }
};

// What is known of rows before there are products, on the device.
template <class Call>
struct RowBounds
{
  using Ordinal = typename Call::Ordinal;
  DeviceCounters<Ordinal> counters;
  impl::Scratch<FactorRow<Ordinal>, Kokkos::Cuda> b_rows;
  std::optional<impl::Scratch<ColumnWord<Ordinal>, Kokkos::Cuda>> bitmasks; // of B

  std::size_t bitmask_bytes() const
  {
    return bitmasks ? bitmasks->size() * sizeof(ColumnWord<Ordinal>) : 0;
  }
};

// The rows of B, with its column bitmasks if there is memory for them. Asynchronous.
template <class Call>
void bound_rows_of_b(Call const& call, std::int64_t nnz_b, RowBounds<Call> const& bounds)
{
  bound_factor_rows(call.exec, call.b, nnz_b, bounds.b_rows.data(),
                    bounds.bitmasks ? bounds.bitmasks->data() : nullptr,
                    &bounds.counters.data()->all);
}

template <class Call>
auto symbolic_bin_of(Call const& call, SymbolicChoices const& choices,
                     RowBounds<Call> const& bounds)
{
  return SymbolicBinOf<typename Call::A>{call.wanted,
                                         call.by_row.rows,
                                         call.a.offsets,
                                         &bounds.counters.data()->all,
                                         choices.may_have_bitmasks,
                                         choices.limits};
}

// Writes call.by_row.rows, and counts rows by symbolic bin. Asynchronous.
template <class Call>
RowBounds<Call> bound_rows(Call const& call, FactorSizes const& sizes,
                           SymbolicChoices const& choices)
{
  RowBounds<Call> bounds{{call.exec, static_cast<std::size_t>(sizes.rows_a)},
                         {call.exec, static_cast<std::size_t>(sizes.rows_b)},
                         {}};
  if (choices.bitmasks_with_rows)
    bounds.bitmasks.emplace(call.exec, static_cast<std::size_t>(sizes.nnz_b));
  bound_rows_of_b(call, sizes.nnz_b, bounds);
  bound_product_rows(call.exec, call.a, sizes.nnz_a, bounds.b_rows.data(), call.by_row.rows,
                     &bounds.counters.data()->all, symbolic_bin_of(call, choices, bounds),
                     &bounds.counters.data()->symbolic);
  return bounds;
}

// Writes call.by_row.symbolic_list. Waits for the sizes of the bins.
template <class Call>
SymbolicRows bin_rows(Call const& call, SymbolicChoices const& choices,
                      RowBounds<Call> const& bounds)
{
  list_row_bins(call.exec, symbolic_bin_of(call, choices, bounds), call.a.rows,
                &bounds.counters.data()->symbolic, call.by_row.symbolic_list);
  SpgemmCounters const counters = bounds.counters.on_host();
  SymbolicRows binned{RowBins(counters.symbolic), counters.all};
  join_small_tables(binned.bins, SymbolicBin::table, device_shape(call.exec));
  return binned;
}

// B as column bitmasks where rows have tables and it pays, else without words; they are written now
// unless they were with the bounds. Rows with bitmaps take them if they are there: what they save
// is less than another pass over B, as is what rows do that have fewer products than B has entries.
// Asynchronous.
template <class Call>
typename Call::Bitmasks bitmasks_of_b(Call const& call, FactorSizes const& sizes,
                                      SymbolicChoices const& choices, SymbolicRows const& binned,
                                      RowBounds<Call>& bounds)
{
  bool const are_many = binned.products() - binned.short_products() >= sizes.nnz_b;
  bool const are_wanted = choices.may_have_bitmasks && bitmasks_pay(binned.totals) &&
                          (bounds.bitmasks ? binned.has_tables() || binned.has_bitmaps()
                                           : binned.has_tables() && are_many);
  if (are_wanted && !bounds.bitmasks)
  {
    bounds.bitmasks.emplace(call.exec, static_cast<std::size_t>(sizes.nnz_b));
    bound_rows_of_b(call, sizes.nnz_b, bounds);
  }
  return {bounds.b_rows.data(), call.b.offsets, are_wanted ? bounds.bitmasks->data() : nullptr};
}

} // namespace heddle::cuda_native
