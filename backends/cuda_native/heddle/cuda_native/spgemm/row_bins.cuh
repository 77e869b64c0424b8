// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which rows of C are in which class of the symbolic phase of SpGEMM, by what is known of A B
// before there are products, and of the numeric phase, by what the symbolic one found.

#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/row_bounds.cuh>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace heddle::cuda_native
{

template <class A>
struct SymbolicClassOf
{
  using Row = ProductRow<typename A::ordinal_type>;
  SpgemmAccumulator wanted;
  Row const* rows;
  typename A::offset_type const* offsets;
  SurveyTotals const* all; // whether columns are sorted is known
  bool has_words;          // or may have them
  bool short_are_done;     // in one pass with their sums
  RowLimits limits;

  __device__ RowOfProducts row_of(std::int64_t i, Row const& row) const
  {
    return {static_cast<std::int64_t>(offsets[i + 1] - offsets[i]),
            static_cast<std::int64_t>(row.products), static_cast<std::int64_t>(row.words),
            span_of(row), all->unsorted == 0};
  }
  __device__ int class_of(std::int64_t i, Row const& row) const
  {
    // B is not taken in words unless they are fewer than products, which is not known yet.
    auto const steps = static_cast<std::int64_t>(has_words ? row.words : row.products);
    return symbolic_class(wanted, row_of(i, row), blocks_of(row), steps, limits);
  }
  __device__ int class_of(std::int64_t i) const { return class_of(i, rows[i]); }
  __device__ bool is_short(int symbolic) const
  {
    return short_are_done && cuda_native::is_short(symbolic);
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
                         of.limits);
  }
  __device__ std::int64_t weight_of(std::int64_t i) const
  {
    return static_cast<std::int64_t>(counts[i]);
  }
};

// What a call counts.
struct SpgemmCounters
{
  SurveyTotals all;
  RowClassCounts symbolic, numeric;
  unsigned long long kept, kept_of_short; // columns
};

// The counters and the entries of each row of C on the device, zero at first.
template <class Ordinal>
class DeviceCounters
{
  using Word = unsigned long long;
  static constexpr std::size_t words = sizeof(SpgemmCounters) / sizeof(Word);
  static_assert(words <= PinnedWords::most);
  static std::size_t words_of(std::size_t bytes)
  {
    return static_cast<std::size_t>(
        impl::divided_up(static_cast<std::int64_t>(bytes), sizeof(Word)));
  }
  Kokkos::Cuda const& m_exec;
  std::size_t m_rows;
  impl::Scratch<Word, Kokkos::Cuda> m_memory;

public:
  DeviceCounters(Kokkos::Cuda const& exec, std::size_t rows)
      : m_exec(exec)
      , m_rows(rows)
      , m_memory(exec, words + words_of(rows * sizeof(Ordinal)))
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

// Classes of tables whose few rows go with those of the next.
inline void join_small_tables(RowClasses& classes, int table)
{
  constexpr std::int64_t few = 512; // rows: no more than the device takes at once
  classes.join_small(table, table + SpgemmPolicy::first_small_block - 1, few);
  classes.join_small(table + SpgemmPolicy::first_small_block,
                     table + SpgemmPolicy::first_medium_block - 1, few / 2);
}

// Rows of the classes first .. end - 1.
inline std::int64_t rows_of(RowClasses const& classes, std::size_t first, std::size_t end)
{
  std::int64_t rows = 0;
  for (std::size_t n = first; n < end; ++n)
    rows += classes.ranges[n].count;
  return rows;
}
// Of the classes merged .. end - 1, which are merged, and of the one that has nothing.
inline std::int64_t rows_merged(RowClasses const& classes, std::size_t merged, std::size_t end)
{
  return classes.ranges[0].count + rows_of(classes, merged, end);
}

// Which rows are in which class, in both phases.
struct SpgemmClasses
{
  RowClasses symbolic, numeric;
  bool is_one_list = false; // that of the symbolic classes has the numeric ones too
};

// What is known of A B before there are products, and the symbolic classes of rows by it. Waits.
template <class Exec, class Kernels>
class Survey
{
  using Ordinal = typename Kernels::Ordinal;
  using A = decltype(Kernels::a);
  using Words = typename Kernels::Words;

  Exec const& m_exec;
  Kernels const& m_kernels;
  std::size_t m_nnz_b;
  bool m_may_have_words, m_short_are_done;
  RowLimits m_limits;
  DeviceCounters<Ordinal> m_counters;
  impl::Scratch<FactorRow<Ordinal>, Exec> m_b_rows;
  std::optional<impl::Scratch<ColumnWord<Ordinal>, Exec>> m_words;
  SurveyTotals m_totals{};

public:
  RowClasses classes;

  Survey(Exec const& exec, Kernels const& kernels, std::int64_t nnz_a, std::int64_t nnz_b,
         std::size_t room, bool may_be_short)
      : m_exec(exec)
      , m_kernels(kernels)
      , m_nnz_b(static_cast<std::size_t>(nnz_b))
      , m_may_have_words(m_nnz_b * sizeof(ColumnWord<Ordinal>) <= room / 4)
      , m_short_are_done(may_be_short && expected_products(nnz_a, nnz_b, kernels.b.rows) <=
                                             SpgemmPolicy::few_products_in_all)
      , m_counters(exec, static_cast<std::size_t>(kernels.a.rows))
      , m_b_rows(exec, static_cast<std::size_t>(kernels.b.rows))
  {
    double const products = expected_products(nnz_a, nnz_b, kernels.b.rows);
    double const of_row = products / static_cast<double>(std::max<std::int64_t>(kernels.a.rows, 1));
    m_limits = {m_short_are_done, most_products_of_warp(kernels.a.rows, of_row)};
    if (m_may_have_words && of_row >= SpgemmPolicy::products_for_words)
      m_words.emplace(exec, m_nnz_b);
    survey_b();
    survey_products(exec, kernels.a, nnz_a, m_b_rows.data(), kernels.all.rows, &on_device()->all,
                    class_of(), &on_device()->symbolic);
    list_row_classes(exec, class_of(), kernels.a.rows, &on_device()->symbolic,
                     kernels.all.symbolic_list);
    SpgemmCounters const counters = m_counters.on_host();
    m_totals = counters.all;
    classes = RowClasses(counters.symbolic);
    join_small_tables(classes, SymbolicClass::table);
  }

  std::int64_t products() const { return static_cast<std::int64_t>(m_totals.products); }
  // Whether short rows are done in one pass, and their products.
  bool short_are_done() const { return m_short_are_done; }
  std::int64_t short_products() const { return classes.weight; }
  bool has_tables() const
  {
    return rows_of(classes, SymbolicClass::table, SymbolicClass::count) > 0;
  }
  // All rows are done or merged, which is done again by the numeric phase in the same classes.
  bool leaves_merged_rows() const
  {
    return !has_tables() && (m_short_are_done || rows_of(classes, SymbolicClass::sorted,
                                                         SymbolicClass::long_sorted) == 0);
  }

  DeviceCounters<Ordinal> const& counters() const { return m_counters; }
  SpgemmCounters* on_device() const { return m_counters.data(); }
  SymbolicClassOf<A> class_of() const
  {
    return {m_kernels.wanted,  m_kernels.all.rows, m_kernels.a.offsets,
            &on_device()->all, m_may_have_words,   m_short_are_done,
            m_limits};
  }
  // B in words, where rows are found by tables and it pays.
  Words words()
  {
    bool const is_wanted = m_may_have_words && words_pay(m_totals) && has_tables();
    if (is_wanted && !m_words)
    {
      m_words.emplace(m_exec, m_nnz_b);
      survey_b();
    }
    return {m_b_rows.data(), m_kernels.b.offsets, is_wanted ? m_words->data() : nullptr};
  }
  std::size_t words_bytes() const
  {
    return m_words ? m_words->size() * sizeof(ColumnWord<Ordinal>) : 0;
  }

private:
  void survey_b()
  {
    survey_factor(m_exec, m_kernels.b, static_cast<std::int64_t>(m_nnz_b), m_b_rows.data(),
                  m_words ? m_words->data() : nullptr, &on_device()->all);
  }
};

} // namespace heddle::cuda_native
