// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Launches of the SpGEMM kernels: one for all short rows, and one for each other class of rows that
// has any, side by side. Rows that take longest come first.

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/fused_sort.cuh>
#include <heddle/cuda_native/spgemm/merge_registers.cuh>
#include <heddle/cuda_native/spgemm/merge_shared.cuh>
#include <heddle/cuda_native/spgemm/numeric_search.cuh>
#include <heddle/cuda_native/spgemm/numeric_table.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/replay.cuh>
#include <heddle/cuda_native/spgemm/symbolic_output.cuh>
#include <heddle/cuda_native/spgemm/symbolic_sort.cuh>
#include <heddle/cuda_native/spgemm/symbolic_table.cuh>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::cuda_native
{

// What is known of the rows of C when all have been counted: device memory, of a plan or of a call.
template <class Ordinal>
struct SpgemmRowArrays
{
  ProductRow<Ordinal>* rows;
  Ordinal* blocks;        // of 32 columns, with entries
  Ordinal* symbolic_list; // rows by symbolic class
  Ordinal* numeric_list;  // and by numeric class
};

// The threads that a row has in a table class, by the shared memory it takes.
constexpr int table_threads(int c)
{
  return c < SpgemmPolicy::first_small_block    ? warp_size
         : c < SpgemmPolicy::first_medium_block ? SpgemmPolicy::small_block
         : c < SpgemmPolicy::table_classes - 1  ? SpgemmPolicy::medium_block
                                                : SpgemmPolicy::large_block;
}

// The kernels for factors A and B. All calls are asynchronous.
template <class A, class B, class C>
struct SpgemmKernels
{
  using Ordinal = typename A::ordinal_type;
  using Found = FoundColumns<Ordinal, typename C::offset_type>;
  using FoundShort = FoundSums<Ordinal, typename C::offset_type, typename C::value_type>;
  using Words = FactorWords<Ordinal, typename B::offset_type>;
  static constexpr int largest = SpgemmPolicy::table_classes - 1;

  Kokkos::Cuda const& exec;
  SpgemmAccumulator wanted;
  A a;
  B b;
  SpgemmRowArrays<Ordinal> all;

  // Symbolic phase; tables take B in words where there are any.
  void find(RowClasses const& classes, Words const& words, Found const& found) const
  {
    Listed const listed{all.symbolic_list, classes};
    SideStreams side(exec, launches(classes, SymbolicClass::sorted, SpgemmPolicy::sorted_classes,
                                    SymbolicClass::count));
    find_long(side, listed, words, found);
    find_sorted(side, a, b, all.rows, all.symbolic_list, classes, found);
  }

  // The same where short rows are done with their sums.
  void find_and_multiply(RowClasses const& classes, Words const& words, Found const& found,
                         FoundShort const& of_short) const
  {
    Listed const listed{all.symbolic_list, classes};
    SideStreams side(exec, launches(classes, SymbolicClass::sorted, SpgemmPolicy::sorted_classes,
                                    SymbolicClass::count));
    find_long(side, listed, words, found);
    multiply_short(side, a, b, all.rows, all.symbolic_list, classes, of_short);
  }

  // Numeric phase, which also writes the columns of merged rows unless that is null.
  template <bool in_order>
  void sum(RowClasses const& classes, C const& c, Ordinal* merged_columns) const
  {
    Listed const listed{all.numeric_list, classes};
    SideStreams side(exec, launches(classes, NumericClass::searched, SpgemmPolicy::searched_classes,
                                    NumericClass::count));
    sum_by<largest, in_order, true>(side, listed.of(NumericClass::in_place), c);
    for_classes_down<SpgemmPolicy::table_classes>([&]<int n>(ClassIndex<n>) {
      sum_by<n, in_order, false>(side, listed.of(NumericClass::table + n), c);
    });
    ListedRows const rows = listed.of(NumericClass::shared_merged);
    sum_shared_merged(side, a, b, c, merged_columns, rows.list, rows.count);
    for_merged_classes([&]<int n, int rows_of_lane>(ClassIndex<n>, ClassIndex<rows_of_lane>) {
      auto const [list, count] = listed.of(NumericClass::merged + n);
      sum_merged<n, rows_of_lane>(side, a, b, c, merged_columns, list, count);
    });
    sum_searched<in_order>(side, a, b, c, all.rows, all.numeric_list, classes);
  }

  // counts, zero before, become the number of terms of each entry of C.
  void count_terms(C const& c, std::uint32_t* counts) const
  {
    launch(exec, "heddle::spgemm::count_terms", spgemm_count_terms_kernel<A, B, C>,
           one_thread_each(a.rows * warp_size, 256), a, b, c, counts);
  }
  // ends, where the terms of each entry of C begin, become where they end.
  void record_terms(C const& c, std::int64_t* ends, SpgemmTerm* terms) const
  {
    launch(exec, "heddle::spgemm::record_terms", spgemm_record_terms_kernel<A, B, C>,
           one_thread_each(a.rows * warp_size, 256), a, b, c, ends, terms);
  }
  // What sum does, with recorded terms: in order, and repeatable.
  void sum_terms(C const& c, SpgemmTerms const& terms, std::int64_t blocks) const
  {
    launch(exec, "heddle::spgemm::sum_terms", spgemm_sum_terms_kernel<A, B, C>,
           Grid{blocks, SpgemmTerms::threads}, a, b, c, terms);
  }

private:
  // Rows of a class.
  struct Listed
  {
    struct Rows
    {
      Ordinal const* list;
      std::int64_t count;
    };
    Ordinal const* list;
    RowClasses const& classes;
    Rows of(int n) const { return {list + classes.ranges[n].first, classes.ranges[n].count}; }
  };
  using ListedRows = typename Listed::Rows;

  // How many launches the classes up to `count` take, of which one takes some of them together.
  static int launches(RowClasses const& classes, int together, int in_one, int count)
  {
    int of_one = 0, others = 0;
    for (int n = 1; n < count; ++n) // the first class has nothing to do
      if (classes.ranges[static_cast<std::size_t>(n)].count > 0)
        (n >= together && n < together + in_one ? of_one : others) += 1;
    return others + std::min(of_one, 1);
  }

  // visit(class, rows of B a lane) for the classes that are merged in registers.
  template <class Visit>
  void for_merged_classes(Visit const& visit) const
  {
    for_classes_down<SpgemmPolicy::merged_classes>([&]<int c>(ClassIndex<c> n) {
      if (wanted == SpgemmAccumulator::register_merge_one_to_one)
        visit(n, ClassIndex<1>{});
      else
        visit(n, ClassIndex<SpgemmPolicy::merged_rows(c)>{});
    });
  }

  // Blocks for so many rows, each taken by a team with a table of the class.
  template <int table_class>
  static Grid grid_of(std::int64_t rows)
  {
    constexpr int threads = table_threads(table_class);
    constexpr int block = SpgemmPolicy::block_of(threads), teams = block / threads;
    Grid grid{blocks_for(rows, teams), block};
    grid.shared_bytes = static_cast<std::size_t>(teams * SpgemmPolicy::table_bytes(table_class));
    return grid;
  }
  template <int table_class, class Source>
  void find_by(SideStreams& side, ListedRows const& rows, Source const& source,
               Found const& found) const
  {
    launch(side, "heddle::spgemm::find",
           spgemm_find_kernel<table_threads(table_class), A, Source, typename C::offset_type>,
           grid_of<table_class>(rows.count), a, source, all.rows, rows.list, rows.count, wanted,
           SpgemmPolicy::table_bytes(table_class), found);
  }
  // Columns of rows that are not sorted.
  void find_long(SideStreams& side, Listed const& listed, Words const& words,
                 Found const& found) const
  {
    if (words.words != nullptr)
      find_by_tables(side, listed, words, found);
    else
      find_by_tables(side, listed, b, found);
    if (found.columns != nullptr && found.leaves_merged)
      return;
    ListedRows const rows = listed.of(SymbolicClass::shared_merged);
    find_shared_merged(side, a, b, all.rows, rows.list, rows.count, found);
    for_merged_classes([&]<int c, int rows_of_lane>(ClassIndex<c>, ClassIndex<rows_of_lane>) {
      auto const [list, count] = listed.of(SymbolicClass::merged + c);
      find_merged<c, rows_of_lane>(side, a, b, all.rows, list, count, found);
    });
  }
  template <class Source>
  void find_by_tables(SideStreams& side, Listed const& listed, Source const& source,
                      Found const& found) const
  {
    find_by<largest>(side, listed.of(SymbolicClass::windows), source, found);
    for_classes_down<SpgemmPolicy::table_classes>([&]<int c>(ClassIndex<c>) {
      find_by<c>(side, listed.of(SymbolicClass::table + c), source, found);
    });
  }
  template <int table_class, bool in_order, bool in_place>
  void sum_by(SideStreams& side, ListedRows const& rows, C const& c) const
  {
    launch(side, "heddle::spgemm::sum",
           spgemm_sum_kernel<table_threads(table_class), in_order, in_place, A, B, C>,
           grid_of<table_class>(rows.count), a, b, c, all.rows, all.blocks, rows.list, rows.count,
           wanted, SpgemmPolicy::table_bytes(table_class));
  }
};

} // namespace heddle::cuda_native
