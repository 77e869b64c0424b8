// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Launches of the SpGEMM kernels, one for each class of rows that has any. Rows that take longest
// come first.

#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/row_classes.cuh>
#include <heddle/cuda_native/spgemm_find.cuh>
#include <heddle/cuda_native/spgemm_found.cuh>
#include <heddle/cuda_native/spgemm_merged.cuh>
#include <heddle/cuda_native/spgemm_policy.hpp>
#include <heddle/cuda_native/spgemm_replay.cuh>
#include <heddle/cuda_native/spgemm_searched.cuh>
#include <heddle/cuda_native/spgemm_sorted.cuh>
#include <heddle/cuda_native/spgemm_sum.cuh>
#include <heddle/cuda_native/spgemm_survey.cuh>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

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

template <int n>
using ClassIndex = std::integral_constant<int, n>;

// body(ClassIndex<n>) for n = count - 1, ..., 0.
template <int count, class Body>
void for_classes_down(Body const& body)
{
  if constexpr (count > 0)
  {
    body(ClassIndex<count - 1>{});
    for_classes_down<count - 1>(body);
  }
}

// The threads that a row has in a table class, by the shared memory it takes.
constexpr int table_threads(int c)
{
  constexpr int first_of_blocks = 2, last = SpgemmPolicy::table_classes - 1;
  return c < first_of_blocks ? warp_size
         : c < last          ? SpgemmPolicy::small_block
                             : SpgemmPolicy::large_block;
}

// The kernels for factors A and B. All calls are asynchronous.
template <class A, class B, class C>
struct SpgemmKernels
{
  using Ordinal = typename A::ordinal;
  using Found = FoundColumns<Ordinal, typename C::offset>;
  static constexpr int largest = SpgemmPolicy::table_classes - 1;

  Kokkos::Cuda const& exec;
  SpgemmAccumulator wanted;
  A a;
  B b;
  SpgemmRowArrays<Ordinal> all;

  // Symbolic phase.
  void find(RowClasses const& classes, Found const& found) const
  {
    Listed const listed{all.symbolic_list, classes};
    find_by<largest>(listed.of(SymbolicClass::windows), found);
    for_classes_down<SpgemmPolicy::table_classes>(
        [&]<int c>(ClassIndex<c>) { find_by<c>(listed.of(SymbolicClass::table + c), found); });
    for_classes_down<SpgemmPolicy::merged_classes>([&]<int c>(ClassIndex<c>) {
      auto const [list, count] = listed.of(SymbolicClass::merged + c);
      find_merged<c>(exec, a, b, list, count, found);
    });
    for_classes_down<SpgemmPolicy::sorted_classes>([&]<int c>(ClassIndex<c>) {
      auto const [list, count] = listed.of(SymbolicClass::sorted + c);
      find_sorted<c>(exec, a, b, all.rows, list, count, found);
    });
  }

  // Numeric phase.
  template <bool in_order>
  void sum(RowClasses const& classes, C const& c) const
  {
    Listed const listed{all.numeric_list, classes};
    sum_by<largest, in_order, true>(listed.of(NumericClass::in_place), c);
    for_classes_down<SpgemmPolicy::table_classes>([&]<int n>(ClassIndex<n>) {
      sum_by<n, in_order, false>(listed.of(NumericClass::table + n), c);
    });
    for_classes_down<SpgemmPolicy::merged_classes>([&]<int n>(ClassIndex<n>) {
      auto const [list, count] = listed.of(NumericClass::merged + n);
      sum_merged<n>(exec, a, b, c, list, count);
    });
    for_classes_down<SpgemmPolicy::searched_classes>([&]<int n>(ClassIndex<n>) {
      auto const [list, count] = listed.of(NumericClass::searched + n);
      sum_searched<in_order, n>(exec, a, b, c, list, count);
    });
  }

  // places.of from columns of C.
  template <class Place>
  void record(C const& c, RecordedPlaces<Place> const& places) const
  {
    launch(exec, "heddle::spgemm::record", spgemm_record_kernel<Place, A, B, C>,
           one_thread_each(a.rows * warp_size, 256), a, b, c, places);
  }

  // What sum does, with recorded places.
  template <bool in_order, class Place>
  void replay(RowClasses const& classes, C const& c, RecordedPlaces<Place> const& places) const
  {
    Listed const listed{all.numeric_list, classes};
    replay_by<largest, in_order, true>(listed.of(NumericClass::in_place), c, places);
    for_classes_down<SpgemmPolicy::table_classes>([&]<int n>(ClassIndex<n>) {
      replay_by<n, in_order, false>(listed.of(NumericClass::table + n), c, places);
    });
    for_classes_down<SpgemmPolicy::searched_classes>([&]<int n>(ClassIndex<n>) {
      constexpr int lanes = SpgemmPolicy::searched_lanes(n);
      auto const [list, count] = listed.of(NumericClass::searched + n);
      launch(exec, "heddle::spgemm::replay_flat",
             spgemm_replay_flat_kernel<in_order, lanes, SpgemmPolicy::searched_entries(n), Place, A,
                                       B, C>,
             one_thread_each(count * lanes, SpgemmPolicy::shared_block), a, b, c, places, list,
             count);
    });
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
  template <int table_class>
  void find_by(ListedRows const& rows, Found const& found) const
  {
    launch(exec, "heddle::spgemm::find",
           spgemm_find_kernel<table_threads(table_class), A, B, typename C::offset>,
           grid_of<table_class>(rows.count), a, b, all.rows, rows.list, rows.count, wanted,
           SpgemmPolicy::table_bytes(table_class), found);
  }
  template <int table_class, bool in_order, bool in_place>
  void sum_by(ListedRows const& rows, C const& c) const
  {
    launch(exec, "heddle::spgemm::sum",
           spgemm_sum_kernel<table_threads(table_class), in_order, in_place, A, B, C>,
           grid_of<table_class>(rows.count), a, b, c, all.rows, all.blocks, rows.list, rows.count,
           wanted, SpgemmPolicy::table_bytes(table_class));
  }
  template <int table_class, bool in_order, bool in_place, class Place>
  void replay_by(ListedRows const& rows, C const& c, RecordedPlaces<Place> const& places) const
  {
    constexpr int threads = table_threads(table_class);
    launch(exec, "heddle::spgemm::replay",
           spgemm_replay_kernel<threads, in_order, in_place, Place, A, B, C>,
           in_place ? Grid{rows.count, threads} : grid_of<table_class>(rows.count), a, b, c,
           all.rows, places, rows.list, rows.count, SpgemmPolicy::table_bytes(table_class));
  }
};

} // namespace heddle::cuda_native
