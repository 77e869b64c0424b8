// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a plan of SpGEMM keeps for the numeric phase in panels (spgemm/numeric_panel.cuh): which
// rows of C have panels, how large these are, and the slots of their products. Rows are those of C,
// or of its node graph where A and B are nodes.

#include <heddle/cuda_native/device/kept_memory.cuh>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/device/warp.cuh>
#include <heddle/cuda_native/rows/bin_rows.cuh>
#include <heddle/cuda_native/rows/bins.cuh>
#include <heddle/cuda_native/spgemm/bin_choice.hpp>
#include <heddle/cuda_native/spgemm/numeric_panel.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/panel_policy.hpp>
#include <heddle/cuda_native/spgemm/policy.hpp>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cuda_native
{

// Rows of a list that have panels of this many entries at most.
struct PanelBin
{
  std::int64_t first, count;
  std::int64_t entries;
  int threads;              // of a panel
  bool is_in_place = false; // rows longer than any panel, which are added up in C
};

template <class Ordinal>
struct SpgemmPanels
{
  int size = 1;          // rows of a node
  bool has_gaps = false; // nodes may have fewer (spgemm/nodes_with_gaps.cuh)
  std::vector<PanelBin> bins = {};
  KeptMemory<Ordinal> list = {};         // rows by bin
  KeptMemory<std::int64_t> offsets = {}; // of slots, by row
  KeptMemory<std::uint16_t> slots = {};

  bool are_there() const { return !bins.empty(); }
  std::int64_t rows() const { return static_cast<std::int64_t>(list.size()); }
  std::size_t bytes() const { return list.bytes() + offsets.bytes() + slots.bytes(); }
  std::string describe() const
  {
    std::string text =
        std::to_string(rows()) +
        (size > 1 ? (has_gaps ? " nodes of up to " : " nodes of ") + std::to_string(size) + " rows"
                  : " rows") +
        " have their sums in panels, ";
    for (PanelBin const& bin : bins)
      text += (&bin == bins.data() ? "" : ", ") + std::to_string(bin.count) +
              (bin.is_in_place ? " of more, in C itself"
                               : " of up to " + std::to_string(bin.entries) +
                                     (size > 1 ? " nodes" : " entries"));
    return text + ", by slots that are kept";
  }
};

// Bytes of a panel of so many entries, or nodes.
template <class Sum>
constexpr std::size_t bytes_of_panel(std::int64_t entries, int size)
{
  constexpr std::size_t word = 16; // what shared memory is aligned to
  std::size_t const sums = static_cast<std::size_t>(entries) * static_cast<std::size_t>(size) *
                           static_cast<std::size_t>(size);
  return (sums * sizeof(Sum) + word - 1) / word * word;
}

// Bins of rows by their entries, and the sum of their products.
template <class Ordinal, class Offset>
struct PanelBinOf
{
  Offset const* offsets; // of C
  ProductRow<Ordinal> const* rows;

  __device__ int bin_of(std::int64_t i) const
  {
    auto const entries = static_cast<std::int64_t>(offsets[i + 1] - offsets[i]);
    int bin = 0;
    while (bin < panel_bins && entries > most_entries_of_panel(bin))
      ++bin;
    return bin;
  }
  __device__ std::int64_t weight_of(std::int64_t i) const
  {
    return static_cast<std::int64_t>(rows[i].products);
  }
};
static_assert(panel_bins < most_row_bins);

// Rows by bin into list. Waits for exec.
template <class Of, class Ordinal>
RowBins listed_bins(Kokkos::Cuda const& exec, Of const& of, std::int64_t rows, Ordinal* list)
{
  using Word = PinnedWords::Word;
  constexpr std::size_t words = sizeof(RowBinCounts) / sizeof(Word);
  impl::Scratch<Word, Kokkos::Cuda> const counts(exec, words);
  Kokkos::deep_copy(exec, counts.view(), Word(0));
  auto* const on_device = reinterpret_cast<RowBinCounts*>(counts.data());
  count_row_bins(exec, of, rows, on_device);
  list_row_bins(exec, of, rows, on_device, list);
  PinnedWords const host(exec, counts.view(), "heddle::spgemm::panels");
  return RowBins(*reinterpret_cast<RowBinCounts const*>(host.data()));
}

// All rows of C by their entries. The last bin may have rows that are too long for a panel.
struct PanelBins
{
  std::vector<PanelBin> bins;
  std::int64_t products;

  bool have_long_rows() const { return !bins.empty() && bins.back().is_in_place; }
};

// Writes list. Waits for exec.
template <class Sum, class Ordinal, class Offset>
PanelBins bins_of_all_rows(Kokkos::Cuda const& exec, std::int64_t rows, Offset const* offsets,
                           ProductRow<Ordinal> const* products, int size, Ordinal* list)
{
  RowBins const found =
      listed_bins(exec, PanelBinOf<Ordinal, Offset>{offsets, products}, rows, list);

  std::size_t const most_bytes = device_shape(exec).shared_bytes_of_block;
  PanelBins result{{}, found.weight};
  for (int n = 0; n <= panel_bins; ++n)
  {
    auto const [first, count] = found.ranges[static_cast<std::size_t>(n)];
    if (count == 0)
      continue;
    std::int64_t const entries = most_entries_of_panel(n);
    std::size_t const bytes = bytes_of_panel<Sum>(entries, size);
    if (result.have_long_rows()) // whose bins are neighbours
      result.bins.back().count += count;
    else if (n == panel_bins || bytes > most_bytes)
      result.bins.push_back({first, count, 0, spgemm_panel_policy.single_block, true});
    else
      result.bins.push_back({first, count, entries,
                             bytes <= spgemm_panel_policy.most_bytes_of_warp
                                 ? warp_size
                                 : spgemm_panel_policy.single_block});
  }
  return result;
}

// Rows of C that have panels of their own: two ranges of a list of rows by numeric bin.
template <class Ordinal, class Offset>
struct PanelTeamOf
{
  Ordinal const* list;
  RowRange first, second;
  Offset const* offsets; // of C
  int least_team;
  int bytes_per_sum;

  __device__ std::int64_t row_of(std::int64_t n) const
  {
    return static_cast<std::int64_t>(
        list[n < first.count ? first.first + n : second.first + n - first.count]);
  }
  __device__ int bin_of(std::int64_t n) const
  {
    std::int64_t const i = row_of(n);
    auto const bytes = static_cast<std::int64_t>(offsets[i + 1] - offsets[i]) * bytes_per_sum;
    int team = least_team;
    while (team < panel_teams - 1 && bytes > panel_bytes(team))
      ++team;
    return team;
  }
  __device__ std::int64_t weight_of(std::int64_t) const { return 0; }
};

// Rows of neighbouring bins of a list. Where the list of another phase serves, bins without rows
// say nothing of where they would begin: counts do.
inline RowRange rows_of_bins(RowBins const& bins, int first, int count)
{
  RowRange rows{bins.ranges[static_cast<std::size_t>(first)].first, 0};
  for (int n = first; n < first + count; ++n)
    rows.count += bins.ranges[static_cast<std::size_t>(n)].count;
  return rows;
}
inline constexpr int searched_bins_with_panels = SpgemmPolicyFor::value.searched_bins,
                     table_bins_with_panels = SpgemmPolicyFor::value.first_small_block;

// How many rows of a numeric phase may have panels: those that are searched, and those with tables
// of warps.
inline std::int64_t rows_with_panels(RowBins const& bins)
{
  return rows_of_bins(bins, NumericBin::searched, searched_bins_with_panels).count +
         rows_of_bins(bins, NumericBin::table, table_bins_with_panels).count;
}

// Takes these rows from the bins of a numeric phase into panels, where their rows of B have so
// many entries on average. Writes panels.list and panels.bins, one for each team. Waits for exec.
template <class Sum, class Ordinal, class Offset>
void take_rows_to_panels(Kokkos::Cuda const& exec, RowBins& bins, Ordinal const* list,
                         Offset const* offsets, double entries_of_b, SpgemmPanels<Ordinal>& panels)
{
  auto const take = [&bins](int first, int count) {
    RowRange const rows = rows_of_bins(bins, first, count);
    bins.leave_out(first, first + count);
    return rows;
  };
  RowRange const searched = take(NumericBin::searched, searched_bins_with_panels);
  RowRange const tables = take(NumericBin::table, table_bins_with_panels);
  std::int64_t const rows = searched.count + tables.count;
  if (rows == 0)
    return;
  panels.list = {exec, static_cast<std::size_t>(rows)};
  PanelTeamOf<Ordinal, Offset> const team_of{list,
                                             searched,
                                             tables,
                                             offsets,
                                             least_panel_team(entries_of_b),
                                             static_cast<int>(sizeof(Sum))};
  RowBins const found = listed_bins(exec, team_of, rows, panels.list.data());
  for (int team = 0; team < panel_teams; ++team)
  {
    auto const [first, count] = found.ranges[static_cast<std::size_t>(team)];
    if (count > 0)
      panels.bins.push_back({first, count,
                             panel_bytes(team) / static_cast<std::int64_t>(sizeof(Sum)),
                             panel_threads(team)});
  }
}

// counts[i] becomes the products of row i, for rows of a list.
template <class Ordinal>
__global__ void __launch_bounds__(independent_threads.threads_per_block)
    spgemm_panel_products_kernel(ProductRow<Ordinal> const* rows, Ordinal const* list,
                                 std::int64_t listed, std::int64_t* counts)
{
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < listed)
    counts[list[n]] = static_cast<std::int64_t>(rows[list[n]].products);
}

// panels.offsets: where the slots of rows begin, of which those without a panel have none.
// Asynchronous.
template <class Ordinal>
void set_slot_offsets(Kokkos::Cuda const& exec, std::size_t rows,
                      ProductRow<Ordinal> const* products, SpgemmPanels<Ordinal>& panels)
{
  impl::Scratch<std::int64_t, Kokkos::Cuda> const counts(exec, rows);
  Kokkos::deep_copy(exec, counts.view(), 0);
  for (PanelBin const& bin : panels.bins)
    launch(exec, "heddle::spgemm::panel_products", spgemm_panel_products_kernel<Ordinal>,
           one_thread_each(bin.count), products, panels.list.data() + bin.first, bin.count,
           counts.data());
  panels.offsets = {exec, rows + 1};
  offsets_from_counts(exec, counts.view(), panels.offsets.view());
}

// The slots of the products of rows, a warp each, which searches each product's column among those
// of the row of C: in shared memory, where they fit there.
template <bool in_shared, class A, class B, class Offset>
__global__ void __launch_bounds__(spgemm_panel_policy.single_block)
    spgemm_panel_slots_kernel(A a, B b, Offset const* c_offsets,
                              typename A::ordinal_type const* c_columns,
                              PanelRows<typename A::ordinal_type> rows,
                              std::int64_t const* slot_offsets, std::uint16_t* slots)
{
  using Ordinal = typename A::ordinal_type;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / warp_size) + warp;
  if (n >= rows.count)
    return;
  auto const i = static_cast<std::int64_t>(rows.list[n]);
  auto const c_begin = static_cast<std::int64_t>(c_offsets[i]);
  int const count = static_cast<int>(static_cast<std::int64_t>(c_offsets[i + 1]) - c_begin);
  auto* const copy = reinterpret_cast<Ordinal*>(dynamic_shared() + warp * rows.bytes);
  if constexpr (in_shared)
  {
    for (int k = lane; k < count; k += warp_size)
      copy[k] = c_columns[c_begin + k];
    __syncwarp();
  }
  auto const column = [&](int s) { return in_shared ? copy[s] : c_columns[c_begin + s]; };
  auto const a_begin = static_cast<std::int64_t>(a.begin_of(i));
  int const entries = a.length_of(i);
  std::uint16_t* to = slots + slot_offsets[i];
  for (int first = 0; first < entries; first += warp_size)
  {
    PanelFactorRow mine;
    if (first + lane < entries)
      mine = NodesInCsr<1>::row_of(b, static_cast<std::int64_t>(a.columns[a_begin + first + lane]));
    for (int k = 0; k < min(warp_size, entries - first); ++k)
    {
      std::int64_t const begin = value_of_lane(mine.begin, k);
      int const width = value_of_lane(mine.width, k);
      for (int m = lane; m < width; m += warp_size)
        to[m] =
            static_cast<std::uint16_t>(impl::last_not_above(column, count, b.columns[begin + m]));
      to += width;
    }
  }
}

// The slots of all products of the panels' rows, of which there are `count`, for A, B and C whose
// columns are there (or their node graphs). Asynchronous.
template <class A, class B, class Offset>
void find_panel_slots(Kokkos::Cuda const& exec, A const& a, B const& b, Offset const* c_offsets,
                      typename A::ordinal_type const* c_columns, std::int64_t count,
                      SpgemmPanels<typename A::ordinal_type>& panels)
{
  using Ordinal = typename A::ordinal_type;
  panels.slots = {exec, static_cast<std::size_t>(count)};
  SideStreams side(exec, static_cast<int>(panels.bins.size()));
  for (PanelBin const& bin : panels.bins)
  {
    int const bytes = static_cast<int>(bin.entries) * static_cast<int>(sizeof(Ordinal));
    int const most_warps = spgemm_panel_policy.single_block / warp_size;
    int const warps =
        bin.is_in_place
            ? most_warps
            : std::clamp(static_cast<int>(device_shape(exec).shared_bytes_of_block) / bytes, 1,
                         most_warps);
    Grid grid{blocks_for(bin.count, warps), warps * warp_size};
    grid.shared_bytes = static_cast<std::size_t>(warps) * static_cast<std::size_t>(bytes);
    PanelRows<Ordinal> const rows{panels.list.data() + bin.first, bin.count, bytes};
    auto const find = [&](auto kernel) {
      launch(side, "heddle::spgemm::panel_slots", kernel, grid, a, b, c_offsets, c_columns, rows,
             panels.offsets.data(), panels.slots.data());
    };
    if (bin.is_in_place)
      find(spgemm_panel_slots_kernel<false, A, B, Offset>);
    else
      find(spgemm_panel_slots_kernel<true, A, B, Offset>);
  }
}

// Values of C in rows with panels of their own. Asynchronous.
template <class A, class B, class C>
void sum_rows_in_panels(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c,
                        SpgemmPanels<typename A::ordinal_type> const& panels)
{
  constexpr int block = spgemm_panel_policy.shared_block;
  RowBins by_team;
  for (PanelBin const& bin : panels.bins)
    by_team.ranges[static_cast<std::size_t>(panel_team(bin.threads))] = {bin.first, bin.count};
  PanelBlocks const rows(by_team, 0, [](int team) { return block / panel_threads(team); });
  Grid grid{rows.blocks(), block};
  grid.shared_bytes = static_cast<std::size_t>(spgemm_panel_policy.bytes_of_block);
  grid.blocks_per_processor =
      panel_blocks_of_multiprocessor(device_shape(exec), grid.shared_bytes, block);
  launch(exec, "heddle::spgemm::panels", spgemm_row_panels_kernel<A, B, C>, grid, a, b, c,
         panels.list.data(), rows, spgemm_panel_policy.bytes_of_block,
         PanelSlots{panels.offsets.data(), panels.slots.data()});
}

// Sums of these nodes in panels. Asynchronous.
template <class Nodes, int threads, class A, class B, class C>
void sum_nodes_in_panels(SideStreams& side, A const& a, B const& b, C const& c,
                         PanelRows<typename A::ordinal_type> const& rows, PanelSlots const& slots)
{
  constexpr int block =
      threads > warp_size ? spgemm_panel_policy.single_block : spgemm_panel_policy.shared_block;
  static_assert(threads <= warp_size || threads == block);
  constexpr int teams = block / threads;
  Grid grid{blocks_for(rows.count, teams), block};
  grid.shared_bytes = static_cast<std::size_t>(teams) * static_cast<std::size_t>(rows.bytes);
  grid.blocks_per_processor =
      panel_blocks_of_multiprocessor(device_shape(side.exec()), grid.shared_bytes, block);
  launch(side, "heddle::spgemm::panels", spgemm_node_panels_kernel<Nodes, threads, A, B, C>, grid,
         a, b, c, rows, slots);
}

// Values of C in the nodes of panels, stored as Nodes<size> says. Asynchronous.
template <template <int> class Nodes, class A, class B, class C>
void sum_nodes_in_panels(SideStreams& side, A const& a, B const& b, C const& c,
                         SpgemmPanels<typename A::ordinal_type> const& panels, PanelBin const& bin)
{
  using Sum = typename C::value_type;
  PanelRows<typename A::ordinal_type> const rows{
      panels.list.data() + bin.first, bin.count,
      static_cast<int>(bytes_of_panel<Sum>(bin.entries, panels.size))};
  PanelSlots const slots{panels.offsets.data(), panels.slots.data()};
  with_one_of<2, 3, 4, 6>(panels.size, [&]<class Size>(Size) {
    with_one_of<warp_size, spgemm_panel_policy.single_block>(
        bin.threads, [&]<class Threads>(Threads) {
          sum_nodes_in_panels<Nodes<Size::value>, Threads::value>(side, a, b, c, rows, slots);
        });
  });
}

// Values of C in the rows, or nodes, that have panels. Asynchronous.
template <class A, class B, class C>
void sum_in_panels(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c,
                   SpgemmPanels<typename A::ordinal_type> const& panels)
{
  if (panels.size == 1)
    return sum_rows_in_panels(exec, a, b, c, panels);
  SideStreams side(exec, static_cast<int>(panels.bins.size()));
  for (auto bin = panels.bins.rbegin(); bin != panels.bins.rend(); ++bin) // long rows first
    sum_nodes_in_panels<NodesInCsr>(side, a, b, c, panels, *bin);
}

} // namespace heddle::cuda_native
