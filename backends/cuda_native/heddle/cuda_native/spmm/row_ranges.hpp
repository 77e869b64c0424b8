// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What each range of neighbouring rows looks like, for plans that treat ranges differently
// (spmm/row_mix.hpp): how long its rows are, all of them, and by a few probes, runs of rows,
// how many columns neighbours share. Bundles of 2, 3, 4 and 6 rows are counted wherever they may
// begin: unknowns of a node are neighbours, but any number of rows may come before the first node.

#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_range_sample.hpp>
#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/on_host.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::cuda_native
{

// A team a range. Rows whose columns do not ascend look less alike than they are.
template <class Exec, class Ordinal, class Offset>
struct SampleRowRange
{
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Policy::member_type;
  using Numbers = SpmmCsrPolicyFor;
  // Entries by row, modulo the least common multiple of all bundles, and by how many rows ago one
  // had their column, or one more than that is looked for.
  static constexpr int cycle = 12, most_since = RowRangeSample::most_rows_of_bundle;
  static constexpr int team_size = impl::is_host_v<Exec> ? 1 : 256;
  static constexpr std::size_t scratch_bytes = cycle * most_since * sizeof(int);

  std::int64_t rows, range_rows;
  Offset const* offsets;
  Ordinal const* columns;
  RowRangeSample* samples;

  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    auto const range = static_cast<std::int64_t>(team.league_rank());
    std::int64_t const first = range * range_rows;
    std::int64_t const last = first + range_rows < rows ? first + range_rows : rows;
    int* const counts =
        static_cast<int*>(team.team_scratch(0).get_shmem(std::size_t(scratch_bytes)));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, cycle * most_since),
                         [&](int n) { counts[n] = 0; });
    team.team_barrier();
    for (int n = 0; n < Numbers::probes; ++n)
      count_probe(team, n, first, last, counts);
    std::int64_t longest = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, first, last),
        [&](std::int64_t i, std::int64_t& most) { most = length(i) > most ? length(i) : most; },
        Kokkos::Max<std::int64_t>(longest));
    std::int64_t span = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, Numbers::probes * Numbers::probe_rows),
        [&](int n, std::int64_t& sum) {
          std::int64_t const row = probe(n / Numbers::probe_rows, first) + n % Numbers::probe_rows;
          sum += row < last ? width(row) : 0;
        },
        span);
    team.team_barrier();
    RowRangeSample& sample = samples[range];
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      std::int64_t const most = Numbers::probes * Numbers::probe_rows;
      sample.entries = static_cast<std::int64_t>(offsets[last] - offsets[first]);
      sample.longest = longest;
      sample.span = static_cast<double>(span) /
                    static_cast<double>(last - first < most ? last - first : most);
      sample.size = sum_of(counts, [](int, int) { return true; });
      sample.alone = sum_of(counts, [](int, int d) { return d == most_since; });
      for (std::uint16_t& word : sample.none)
        word = 0;
    });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, RowRangeSample::shapes), [&](int shape) {
      int size = most_since;
      while (shape < RowRangeSample::first_shape(size))
        size -= size > 4 ? 2 : 1;
      int const phase = shape - RowRangeSample::first_shape(size);
      // The first of its column in a bundle that begins fewer rows before its own.
      sample.firsts[shape] =
          sum_of(counts, [=](int row, int d) { return (row + size - phase) % size < d; });
    });
  }

  KOKKOS_FUNCTION std::int64_t length(std::int64_t row) const
  {
    return static_cast<std::int64_t>(offsets[row + 1] - offsets[row]);
  }
  // Columns from the first to the last.
  KOKKOS_FUNCTION std::int64_t width(std::int64_t row) const
  {
    if (length(row) == 0)
      return 0;
    auto const result = static_cast<std::int64_t>(columns[offsets[row + 1] - 1]) -
                        static_cast<std::int64_t>(columns[offsets[row]]);
    return result < 0 ? -result : result;
  }
  // The first row of the n-th probe.
  KOKKOS_FUNCTION std::int64_t probe(int n, std::int64_t first) const
  {
    return first + n * (range_rows / Numbers::probes);
  }
  // Counts entries of a probe at equal distances, with another offset in each probe, so that rows
  // which are alike have their share in all probes together.
  KOKKOS_FUNCTION void count_probe(Member const& team, int n, std::int64_t first, std::int64_t last,
                                   int* counts) const
  {
    auto within = [last](std::int64_t row) { return row < last ? row : last; };
    std::int64_t const begin = within(probe(n, first));
    std::int64_t const end = within(begin + Numbers::probe_rows);
    auto const from = static_cast<std::int64_t>(offsets[begin]);
    std::int64_t const all = static_cast<std::int64_t>(offsets[end]) - from;
    std::int64_t const taken = all < Numbers::probe_entries ? all : Numbers::probe_entries;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, taken), [&](std::int64_t i) {
      constexpr int parts = 2 * Numbers::probes;
      std::int64_t const entry = from + (parts * i + 2 * n + 1) * all / (parts * taken);
      auto const offset_at = [this](std::int64_t row) {
        return static_cast<std::int64_t>(offsets[row]);
      };
      std::int64_t const row = impl::lower_bound(offset_at, begin, end, entry + 1) - 1;
      Kokkos::atomic_inc(counts + row % cycle * most_since + since(row, columns[entry]) - 1);
    });
  }
  // How many rows ago one had the column.
  KOKKOS_FUNCTION int since(std::int64_t row, Ordinal column) const
  {
    auto const column_at = [this](Offset at) { return columns[at]; };
    for (int d = 1; d < most_since && d <= row; ++d)
    {
      Offset const end = offsets[row - d + 1];
      if (impl::find_ascending(column_at, offsets[row - d], end, column) != end)
        return d;
    }
    return most_since;
  }
  // The counts for which is(row, d) holds, where d is how many rows ago one had the column.
  template <class Is>
  KOKKOS_FUNCTION static std::uint16_t sum_of(int const* counts, Is const& is)
  {
    int sum = 0;
    for (int row = 0; row < cycle; ++row)
      for (int d = 1; d <= most_since; ++d)
        sum += is(row, d) ? counts[row * most_since + d - 1] : 0;
    return static_cast<std::uint16_t>(sum);
  }
};

// Waits for exec.
template <class Exec, class Entries>
std::vector<RowRangeSample> sample_row_ranges(Exec const& exec, Entries const& a)
{
  using Sample =
      SampleRowRange<Exec, typename Entries::ordinal_type, typename Entries::offset_type>;
  std::int64_t const range_rows = SpmmCsrPolicyFor::range_rows(a.rows);
  std::int64_t const ranges = impl::divided_up(a.rows, range_rows);
  impl::Scratch<RowRangeSample, Exec> const samples(exec, static_cast<std::size_t>(ranges));
  if (ranges == 0)
    return std::vector<RowRangeSample>();
  typename Sample::Policy policy(exec, static_cast<int>(ranges), Sample::team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Sample::scratch_bytes)));
  Kokkos::parallel_for("heddle::row_ranges", policy,
                       Sample{a.rows, range_rows, a.offsets, a.columns, samples.data()});
  return impl::copied_to_host(exec, samples.view());
}

} // namespace heddle::cuda_native
