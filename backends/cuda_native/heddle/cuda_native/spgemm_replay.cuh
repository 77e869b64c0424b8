// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Numeric phase with recorded places: a plan that is used often keeps for each product which entry
// of its row of C it is added to, 2 bytes where no row has more than 65536 entries, else 4. Then
// nothing is looked up: a product is a value of A, a value of B, a place and an addition in shared
// memory (in C, where a row's sums do not fit).

#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/spgemm_flat.cuh>
#include <heddle/cuda_native/spgemm_policy.hpp>
#include <heddle/cuda_native/spgemm_searched.cuh>
#include <heddle/cuda_native/spgemm_survey.cuh>
#include <heddle/cuda_native/spgemm_tables.cuh>
#include <heddle/cuda_native/team.cuh>
#include <heddle/impl/arithmetic.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace heddle::cuda_native
{

// starts[k]: products of the entries of A before k. of[starts[k] + n]: the place of entry k times
// entry n of its row of B.
template <class Place>
struct RecordedPlaces
{
  std::int64_t const* starts;
  Place* of;
};

// A warp a row.
template <class Place, class A, class B, class C>
__global__ void spgemm_record_kernel(A a, B b, C c, RecordedPlaces<Place> places)
{
  std::int64_t const i =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (i >= a.rows)
    return;
  auto const begin = static_cast<std::int64_t>(c.offsets[i]);
  int const count = static_cast<int>(static_cast<std::int64_t>(c.offsets[i + 1]) - begin);
  for (auto k = static_cast<std::int64_t>(a.offsets[i]);
       k < static_cast<std::int64_t>(a.offsets[i + 1]); ++k)
  {
    auto const from = static_cast<std::int64_t>(b.offsets[a.columns[k]]);
    std::int64_t const length = places.starts[k + 1] - places.starts[k];
    for (std::int64_t n = threadIdx.x % warp_size; n < length; n += warp_size)
      places.of[places.starts[k] + n] =
          static_cast<Place>(place_of(c.columns + begin, count, b.columns[from + n]));
  }
}

// Short rows: a group of lanes a row, products as one sequence.
template <bool in_order, int lanes, int most, class Place, class A, class B, class C>
__global__ void __launch_bounds__(SpgemmPolicy::shared_block)
    spgemm_replay_flat_kernel(A a, B b, C c, RecordedPlaces<Place> places,
                              typename A::ordinal const* list, std::int64_t listed)
{
  using Sum = typename C::value;
  constexpr int groups = SpgemmPolicy::shared_block / lanes;
  __shared__ FlatRows<SpgemmPolicy::flat_entries> flat_rows[groups];
  __shared__ int4 all_sums[sizeof(Sum) * groups * most / sizeof(int4)];
  int const group = static_cast<int>(threadIdx.x) / lanes;
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * groups + group;
  RowToSum const row(a, c, n < listed ? static_cast<std::int64_t>(list[n]) : -1);
  Sum* const sums = reinterpret_cast<Sum*>(all_sums) + group * most;
  for (int k = lane; k < row.count; k += lanes)
    sums[k] = Sum(0);
  auto& flat = flat_rows[group];
  set_flat_rows<lanes>(flat, a, b, row.begin, row.entries); // waits for the warp
  Place const* const of = places.of + (row.entries == 0 ? 0 : places.starts[row.begin]);
  add_flat_products<in_order, lanes>(
      flat, row.entries, [&](int k) { return Sum(a.values[row.begin + k]); },
      [&](std::int64_t at) { return Sum(b.values[at]); },
      [&](std::int64_t, int t) { return static_cast<int>(of[t]); }, sums);
  for (int k = lane; k < row.count; k += lanes)
    c.values[row.c_begin + k] = sums[k];
}

// A team a row, sums in shared memory or in place.
template <int threads, bool in_order, bool in_place, class Place, class A, class B, class C>
__global__ void __launch_bounds__(SpgemmPolicy::block_of(threads))
    spgemm_replay_kernel(A a, B b, C c, ProductRow<typename A::ordinal> const* rows,
                         RecordedPlaces<Place> places, typename A::ordinal const* list,
                         std::int64_t listed, int bytes)
{
  using Sum = typename C::value;
  using Team = cuda_native::Team<threads>;
  constexpr int teams = SpgemmPolicy::block_of(threads) / threads;
  int const team = static_cast<int>(threadIdx.x) / threads;
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * teams + team;
  if (n >= listed)
    return;
  auto const [i, begin, count, group] = row_of_team<Team, in_order>(a, c, rows, list[n]);
  Sum* const sums =
      in_place ? c.values + begin : reinterpret_cast<Sum*>(dynamic_shared() + team * bytes);
  for_each_of<Team>(count, [&](std::int64_t k) { sums[k] = Sum(0); });
  Team::wait();
  struct Entry
  {
    Place place;
    typename B::value value;
  };
  auto const add = [&]<bool is_alone>(std::bool_constant<is_alone>) {
    for_each_product<is_alone, Team>(
        a, b, i, group, [&](std::int64_t k, std::int64_t from) { return places.starts[k] - from; },
        [&](std::int64_t at, std::int64_t shift) {
          return Entry{places.of[at + shift], b.values[at]};
        },
        [&](std::int64_t k, Entry const& entry) {
          Sum const term = Sum(a.values[k]) * Sum(entry.value);
          if constexpr (is_alone)
            sums[entry.place] += term;
          else
            impl::atomic_accumulate(sums[entry.place], term);
        });
  };
  if (group == Team::size)
    add(std::true_type{});
  else if constexpr (!in_order)
    add(std::false_type{});
  if constexpr (!in_place)
  {
    Team::wait();
    for_each_of<Team>(count, [&](std::int64_t k) { c.values[begin + k] = sums[k]; });
  }
}

} // namespace heddle::cuda_native
