// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which rows of C are in which class of the symbolic phase of SpGEMM, by the bounds that are known
// before there are products, and of the numeric phase, by what the symbolic one counted; and the
// first steps of the symbolic phase (spgemm/symbolic.cuh): bounds of rows, rows by symbolic class,
// B as column bitmasks.

#include <heddle/cuda_native/device/device_shape.hpp>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/rows/bin_rows.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>
#include <heddle/cuda_native/spgemm/row_classes.hpp>
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

static_assert(SymbolicClass::count <= most_row_classes && NumericClass::count <= most_row_classes);

template <class A>
struct SymbolicClassOf
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
  __device__ int class_of(std::int64_t i, Row const& row) const
  {
    // B is not taken as bitmasks unless its words are fewer than products, which is not known yet.
    auto const steps = static_cast<std::int64_t>(has_bitmasks ? row.words : row.products);
    return symbolic_class(wanted, row_of(i, row), blocks_of(row), steps, limits);
  }
  __device__ int class_of(std::int64_t i) const { return class_of(i, rows[i]); }
  // Whether rows of this class have their sums at once.
  __device__ bool is_short(int symbolic) const
  {
    return limits.has_one_pass && cuda_native::is_short(symbolic);
  }
};

template <class A, class Sum>
struct NumericClassOf
{
  SymbolicClassOf<A> of;
  typename A::ordinal_type const* counts;
  typename A::ordinal_type const* blocks;

  __device__ int class_of(std::int64_t i) const
  {
    // Rows that the symbolic phase merged are merged again, whole multiply or plan: sums are the
    // same.
    int const symbolic = of.class_of(i);
    if (of.is_short(symbolic))
      return NumericClass::empty;
    if (symbolic >= SymbolicClass::merged && symbolic < SymbolicClass::table)
      return NumericClass::merged + symbolic - SymbolicClass::merged;
    return numeric_class(of.wanted, of.row_of(i, of.rows[i]), blocks[i], counts[i], sizeof(Sum),
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
  RowClassCounts symbolic, numeric;
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
    PinnedWords const host(words);
    Kokkos::deep_copy(m_exec, host.view(),
                      Kokkos::subview(m_memory.view(), std::pair(std::size_t(0), words)));
    m_exec.fence("heddle::spgemm::binned");
    return *reinterpret_cast<SpgemmCounters const*>(host.data());
  }
};

// Rows of all classes of these methods.
template <std::size_t count>
std::int64_t rows_by(std::array<ClassGroup, count> const& groups, RowClasses const& classes,
                     std::initializer_list<RowMethod> methods)
{
  std::int64_t rows = 0;
  std::size_t n = 0;
  for (ClassGroup const& group : groups)
    for (int c = 0; c < group.classes; ++c, ++n)
      if (std::find(methods.begin(), methods.end(), group.method) != methods.end())
        rows += classes.ranges[n].count;
  return rows;
}
// Rows that are merged, or have nothing.
template <std::size_t count>
std::int64_t merged_rows(std::array<ClassGroup, count> const& groups, RowClasses const& classes)
{
  return rows_by(groups, classes,
                 {RowMethod::none, RowMethod::register_merge, RowMethod::shared_merge});
}
// The rows of each class, and what the classes are.
template <std::size_t count>
std::string describe_classes(std::array<ClassGroup, count> const& groups, RowClasses const& classes)
{
  std::string rows, methods;
  std::size_t n = 0;
  for (ClassGroup const& group : groups)
  {
    for (int c = 0; c < group.classes; ++c, ++n)
      rows += (n > 0 ? " " : "") + std::to_string(classes.ranges[n].count);
    methods += methods.empty() ? "" : "; ";
    methods += (group.classes > 1 ? std::to_string(group.classes) + " " : "") + group.text;
  }
  return rows + " (" + methods + ")";
}

// Classes of tables whose few rows go with those of the next.
inline void join_small_tables(RowClasses& classes, int table, DeviceShape const& device)
{
  constexpr SpgemmPolicy const& policy = SpgemmPolicyFor::value;
  std::int64_t const few = SpgemmPolicyFor::few_table_rows(device);
  classes.join_small(table, table + policy.first_small_block - 1, few);
  classes.join_small(table + policy.first_small_block, table + policy.first_medium_block - 1,
                     few / 2);
}

// Which rows are in which class, in both phases.
struct SpgemmClasses
{
  RowClasses symbolic, numeric;
  bool is_one_list = false; // that of the symbolic classes has the numeric ones too
};

// Rows by their bounds, on the host.
struct SymbolicBins
{
  RowClasses classes;
  BoundTotals totals;

  std::int64_t products() const { return static_cast<std::int64_t>(totals.products); }
  // Of rows that have their sums at once.
  std::int64_t short_products() const { return classes.weight; }
  bool has_tables() const
  {
    return rows_by(symbolic_groups, classes, {RowMethod::table, RowMethod::windows}) > 0;
  }
  // All rows are done by the symbolic phase, or merged, which is done again by the numeric phase in
  // the same classes.
  bool leaves_merged_rows(bool has_one_pass) const
  {
    return !has_tables() &&
           (has_one_pass || rows_by(symbolic_groups, classes, {RowMethod::sort}) == 0);
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
auto symbolic_class_of(Call const& call, SymbolicChoices const& choices,
                       RowBounds<Call> const& bounds)
{
  return SymbolicClassOf<typename Call::A>{call.wanted,
                                           call.by_row.rows,
                                           call.a.offsets,
                                           &bounds.counters.data()->all,
                                           choices.may_have_bitmasks,
                                           choices.limits};
}

// Writes call.by_row.rows, and counts rows by symbolic class. Asynchronous.
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
                     &bounds.counters.data()->all, symbolic_class_of(call, choices, bounds),
                     &bounds.counters.data()->symbolic);
  return bounds;
}

// Writes call.by_row.symbolic_list. Waits for the sizes of the classes.
template <class Call>
SymbolicBins bin_rows(Call const& call, SymbolicChoices const& choices,
                      RowBounds<Call> const& bounds)
{
  list_row_classes(call.exec, symbolic_class_of(call, choices, bounds), call.a.rows,
                   &bounds.counters.data()->symbolic, call.by_row.symbolic_list);
  SpgemmCounters const counters = bounds.counters.on_host();
  SymbolicBins bins{RowClasses(counters.symbolic), counters.all};
  join_small_tables(bins.classes, SymbolicClass::table, device_shape(call.exec));
  return bins;
}

// B as column bitmasks where rows have tables and it pays, else without words; they are written now
// unless they were with the bounds. Asynchronous.
template <class Call>
typename Call::Bitmasks bitmasks_of_b(Call const& call, FactorSizes const& sizes,
                                      SymbolicChoices const& choices, SymbolicBins const& bins,
                                      RowBounds<Call>& bounds)
{
  bool const are_wanted =
      choices.may_have_bitmasks && bitmasks_pay(bins.totals) && bins.has_tables();
  if (are_wanted && !bounds.bitmasks)
  {
    bounds.bitmasks.emplace(call.exec, static_cast<std::size_t>(sizes.nnz_b));
    bound_rows_of_b(call, sizes.nnz_b, bounds);
  }
  return {bounds.b_rows.data(), call.b.offsets, are_wanted ? bounds.bitmasks->data() : nullptr};
}

} // namespace heddle::cuda_native
