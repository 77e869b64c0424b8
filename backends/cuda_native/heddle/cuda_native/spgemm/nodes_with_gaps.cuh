// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpGEMM of square matrices that are only nearly made of nodes (spgemm/nodes.cuh): finite elements
// from which rows and columns of boundary conditions were removed, or replaced by those of the
// identity, and whose blocks have holes where values were 0. Nodes are rows that are nearly equal
// (spgemm/node_partition.cuh), A and B blocks of these nodes that are padded with zeros
// (spgemm/padded_blocks.cuh). The symbolic phase multiplies the node graphs and then, at the slots
// of the numeric phase, the masks of blocks (spgemm/masks_of_result.cuh), so that C has the entries
// that it has by rows, and no others. The numeric phase multiplies padded blocks
// (spgemm/numeric_gaps.cuh).

#include <heddle/cuda_native/device/kept_memory.cuh>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/spgemm/gaps_policy.hpp>
#include <heddle/cuda_native/spgemm/masks_of_result.cuh>
#include <heddle/cuda_native/spgemm/node_partition.cuh>
#include <heddle/cuda_native/spgemm/numeric_gaps.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/padded_block_types.cuh>
#include <heddle/cuda_native/spgemm/padded_blocks.cuh>
#include <heddle/cuda_native/spgemm/panel_slots.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/symbolic_choices.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace heddle::cuda_native
{

// Padded blocks of a matrix in memory of their own.
template <class Ordinal, class Offset>
struct KeptPaddedBlocks
{
  KeptMemory<Offset> offsets; // and some behind the last
  KeptMemory<Ordinal> columns;
  KeptMemory<PaddedBlockRow> rows;

  std::size_t blocks() const { return columns.size(); }
  std::size_t bytes() const { return offsets.bytes() + columns.bytes() + rows.bytes(); }
  PaddedBlocks<Ordinal, Offset> view() const
  {
    return {offsets.data(), columns.data(), rows.data()};
  }
};

// What is kept of A, B and C: of a single multiply, or by a plan.
template <class FactorA, class FactorB, class Result>
struct SpgemmNodesWithGaps
{
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  template <class Factor>
  using Blocks = KeptPaddedBlocks<Ordinal, typename Factor::offset_type>;

  NodesWithGaps nodes;
  std::int64_t count = 0;     // of nodes
  KeptMemory<Ordinal> firsts; // rows of nodes, and some behind the last
  Blocks<FactorA> a;
  Blocks<FactorB> b; // none where both are one matrix
  bool is_one_matrix = true;
  impl::SpgemmPattern<Result> graph; // of C, by blocks
  KeptMemory<PaddedBlockRow> rows_of_c;
  SpgemmPanels<Ordinal> panels;

  bool are_there() const { return panels.are_there(); }
  std::size_t bytes() const
  {
    return firsts.bytes() + a.bytes() + b.bytes() + graph.bytes() + rows_of_c.bytes() +
           panels.bytes();
  }
  // That A and B have, and so B's own or A's.
  std::size_t blocks_of_b() const { return is_one_matrix ? a.blocks() : b.blocks(); }
  PaddedBlocks<Ordinal, typename FactorB::offset_type> view_of_b() const
  {
    if constexpr (std::is_same_v<FactorA, FactorB>)
      return is_one_matrix ? a.view() : b.view();
    else
      return b.view();
  }
  std::string describe() const
  {
    constexpr double percent = 100.0;
    double const filled = std::min(nodes.of_entries_a, nodes.of_entries_b);
    return panels.describe() + "; nodes have gaps, " + std::to_string(a.blocks()) +
           " blocks of A and " + std::to_string(blocks_of_b()) + " of B are filled to " +
           std::to_string(static_cast<int>(percent * filled)) + " % and more; sums in order";
  }
};

// A product of nodes with gaps when its pattern has been found.
template <class FactorA, class FactorB, class Result>
struct ProductWithGaps
{
  SpgemmNodesWithGaps<FactorA, FactorB, Result> nodes;
  impl::SpgemmPattern<Result> pattern;
};

// Slots of the panels and masks of all rows of C's blocks, which have these offsets and columns.
// Asynchronous.
template <int size, class A, class B, class Offset>
void find_masks_of_result(Kokkos::Cuda const& exec, MaskedBlocks<A, size> const& a,
                          MaskedBlocks<B, size> const& b, Offset const* c_offsets,
                          typename A::ordinal_type const* c_columns, std::int64_t slots,
                          SpgemmPanels<typename A::ordinal_type>& panels,
                          typename A::ordinal_type const* firsts, PaddedBlockRow* block_rows,
                          typename A::ordinal_type* counts)
{
  using Ordinal = typename A::ordinal_type;
  panels.slots = {exec, static_cast<std::size_t>(slots)};
  SideStreams side(exec, static_cast<int>(panels.bins.size()));
  for (PanelBin const& bin : panels.bins)
  {
    int const bytes =
        static_cast<int>(bin.entries * static_cast<int>(sizeof(MaskWord<size>) + sizeof(Ordinal)));
    int const warps = std::clamp(static_cast<int>(device_shape(exec).shared_bytes_of_block) / bytes,
                                 1, spgemm_panel_policy.single_block / warp_size);
    Grid grid{blocks_for(bin.count, warps), warps * warp_size};
    grid.shared_bytes = static_cast<std::size_t>(warps) * static_cast<std::size_t>(bytes);
    launch(side, "heddle::spgemm::masks_of_result",
           spgemm_masks_of_result_kernel<size, A, B, Offset>, grid, a, b, c_offsets, c_columns,
           PanelRows<Ordinal>{panels.list.data() + bin.first, bin.count, bytes},
           panels.offsets.data(), panels.slots.data(), firsts, block_rows, counts);
  }
}

// What the host waits for before blocks are written.
struct GapTotals
{
  PinnedWords::Word nodes, refused, blocks_a, blocks_b, products;
  static constexpr std::size_t words = 5;
};
template <class Ordinal, class OffsetA, class OffsetB>
__global__ void __launch_bounds__(LinkedRowCounts::words)
    spgemm_gap_totals_kernel(Ordinal const* nodes, LinkedRowCounts const* counts,
                             OffsetA const* blocks_a, OffsetB const* blocks_b, GapTotals* totals)
{
  static_assert(LinkedRowCounts::words == 2 * warp_size);
  __shared__ PinnedWords::Word of_warps[2];
  auto const products = sum_of_block<LinkedRowCounts::words>(
      PinnedWords::Word(counts->products[threadIdx.x]), of_warps);
  if (threadIdx.x == 0)
    *totals = {static_cast<PinnedWords::Word>(*nodes), counts->refused,
               static_cast<PinnedWords::Word>(*blocks_a), static_cast<PinnedWords::Word>(*blocks_b),
               products};
}

// The symbolic phase of one multiply by nodes with gaps.
template <class FactorA, class FactorB, class Result>
class NodesWithGapsPhase
{
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Nodes = SpgemmNodesWithGaps<FactorA, FactorB, Result>;
  using Product = ProductWithGaps<FactorA, FactorB, Result>;
  template <class T>
  using Scratch = impl::Scratch<T, Kokkos::Cuda>;

  Kokkos::Cuda const& m_exec;
  FactorA const& m_a;
  FactorB const& m_b;
  GapsQuestion const& m_question;
  std::size_t m_room;
  bool m_is_whole;
  std::size_t m_rows;

  // Offsets of the blocks of each node: of all rows, of which those behind the nodes have none.
  template <int size, class Factor>
  KeptMemory<typename Factor::offset_type> counted(Factor const& m,
                                                   NodePartition<Ordinal> const& partition,
                                                   NodeRanges<Ordinal> const& ranges) const
  {
    Scratch<Ordinal> const counts(m_exec, m_rows);
    launch(m_exec, "heddle::spgemm::count_padded_blocks",
           spgemm_count_padded_blocks_kernel<size, Factor>, one_thread_each(m.rows * lanes_of_node),
           m, ranges, partition.nodes(), counts.data());
    KeptMemory<typename Factor::offset_type> offsets(m_exec, m_rows + 1);
    offsets_from_counts(m_exec, counts.view(), offsets.view());
    return offsets;
  }
  template <int size, class Factor>
  Scratch<BlockMask<size>>
  written(Factor const& m, NodeRanges<Ordinal> const& ranges, std::int64_t nodes,
          std::size_t blocks, KeptPaddedBlocks<Ordinal, typename Factor::offset_type>& to) const
  {
    to.columns = {m_exec, blocks};
    to.rows = {m_exec, blocks * size};
    Scratch<BlockMask<size>> masks(m_exec, blocks);
    launch(m_exec, "heddle::spgemm::write_padded_blocks",
           spgemm_write_padded_blocks_kernel<size, Factor>, one_thread_each(nodes * lanes_of_node),
           m, ranges, nodes, to.offsets.data(), to.columns.data(), to.rows.data(), masks.data());
    return masks;
  }
  // Values of the padded blocks of both factors, which each call has.
  template <int size>
  static std::size_t bytes_of_call(GapTotals const& totals, bool is_one_matrix)
  {
    constexpr auto of_block = static_cast<std::size_t>(size * size);
    return of_block *
           (static_cast<std::size_t>(totals.blocks_a) * sizeof(typename FactorA::value_type) +
            (is_one_matrix ? 0 : static_cast<std::size_t>(totals.blocks_b)) *
                sizeof(typename FactorB::value_type));
  }
  // What nodes of `size` rows are like.
  NodesWithGaps found_nodes(int size, GapTotals const& totals) const
  {
    auto const nodes = static_cast<double>(totals.nodes);
    double const of_block = static_cast<double>(size) * size;
    return {size, m_question.rows / (size * nodes),
            m_question.entries_a / (of_block * static_cast<double>(totals.blocks_a)),
            m_question.entries_b / (of_block * static_cast<double>(totals.blocks_b))};
  }

public:
  // room: bytes that may be kept, and used. is_whole: columns are C's own, outside of it.
  NodesWithGapsPhase(Kokkos::Cuda const& exec, FactorA const& a, FactorB const& b,
                     GapsQuestion const& question, std::size_t room, bool is_whole)
      : m_exec(exec)
      , m_a(a)
      , m_b(b)
      , m_question(question)
      , m_room(room)
      , m_is_whole(is_whole)
      , m_rows(static_cast<std::size_t>(a.rows))
  {}

  // Nothing where nodes of `size` rows do not pay, a row of C is too long for a panel, or there is
  // no room. multiply_graphs: multiply_node_graphs (spgemm/node_graphs.cuh). Waits for exec.
  template <int size, class MultiplyGraphs>
  std::optional<Product> multiply(bool is_one_matrix, MultiplyGraphs const& multiply_graphs) const
  {
    // A few numbers per row before nodes are counted.
    if ((m_rows + 1) * (4 * sizeof(Ordinal) + 2 * sizeof(Offset)) > m_room)
      return {};
    Product product;
    Nodes& nodes = product.nodes;
    nodes.is_one_matrix = is_one_matrix;
    nodes.firsts = {m_exec, m_rows + 1};
    NodePartition<Ordinal> const partition(m_exec, m_a, m_b, is_one_matrix, size,
                                           nodes.firsts.data());
    NodeRanges<Ordinal> const ranges{nodes.firsts.data(), partition.before()};
    nodes.a.offsets = counted<size>(m_a, partition, ranges);
    if (!is_one_matrix)
      nodes.b.offsets = counted<size>(m_b, partition, ranges);
    GapTotals const totals = looked_up(partition, nodes); // waits
    if (totals.refused != 0 || totals.blocks_a == 0 || totals.blocks_b == 0)
      return {};
    nodes.count = static_cast<std::int64_t>(totals.nodes);
    nodes.nodes = found_nodes(size, totals);
    GapsQuestion question = m_question;
    question.products = static_cast<double>(totals.products);
    if (!question.pay(nodes.nodes))
      return {};
    std::size_t const of_call = bytes_of_call<size>(totals, is_one_matrix);
    std::size_t const of_factors =
        (static_cast<std::size_t>(totals.blocks_a) +
         (is_one_matrix ? 0 : static_cast<std::size_t>(totals.blocks_b))) *
        (sizeof(Ordinal) + size * sizeof(PaddedBlockRow) + bytes_of_mask<size>);
    std::size_t const needed = of_call + of_factors;
    std::size_t const allowed = needed <= impl::small_allocation
                                    ? m_room
                                    : std::min(m_room, impl::available_bytes(m_exec) / 2);
    if (needed > allowed)
      return {};

    auto const masks_of_a = written<size>(m_a, ranges, nodes.count, totals.blocks_a, nodes.a);
    std::optional<Scratch<BlockMask<size>>> other_masks;
    if (!is_one_matrix)
      other_masks.emplace(written<size>(m_b, ranges, nodes.count, totals.blocks_b, nodes.b));
    FactorA const graph_a{nodes.count, nodes.a.offsets.data(), nodes.a.columns.data(), nullptr};
    auto const of_b = nodes.view_of_b();
    FactorB const graph_b{nodes.count, of_b.offsets, of_b.columns, nullptr};
    auto graph =
        multiply_graphs(graph_a, graph_b,
                        FactorSizes{nodes.count, static_cast<std::int64_t>(totals.blocks_a),
                                    nodes.count, static_cast<std::int64_t>(totals.blocks_b)},
                        size, allowed - needed);
    if (!graph)
      return {};
    nodes.graph = std::move(graph->pattern);
    nodes.panels = std::move(graph->panels);
    nodes.panels.has_gaps = true;
    std::size_t const blocks_of_c = nodes.graph.nnz;
    // The offsets of C are summed up in its type, so that its blocks without gaps have to fit it.
    if (blocks_of_c > static_cast<std::size_t>(std::numeric_limits<Offset>::max()) / (size * size))
      return {};
    std::size_t const kept =
        needed + nodes.panels.bytes() +
        static_cast<std::size_t>(nodes.graph.products) * sizeof(std::uint16_t) +
        blocks_of_c * size * sizeof(PaddedBlockRow) + nodes.graph.bytes();
    // C may have an entry for each value of its blocks.
    if (kept + (m_is_whole ? 0 : blocks_of_c * size * size * sizeof(Ordinal)) > allowed)
      return {};
    nodes.rows_of_c = {m_exec, blocks_of_c * size};
    Scratch<Ordinal> const counts(m_exec, m_rows);
    find_masks_of_result<size>(
        m_exec, MaskedBlocks<FactorA, size>{graph_a, masks_of_a.data()},
        MaskedBlocks<FactorB, size>{graph_b, other_masks ? other_masks->data() : masks_of_a.data()},
        nodes.graph.row_offsets.data(), nodes.graph.columns.data(), nodes.graph.products,
        nodes.panels, nodes.firsts.data(), nodes.rows_of_c.data(), counts.data());
    place_entries<size>(totals, counts, product);
    return product;
  }

private:
  // Waits for exec.
  GapTotals looked_up(NodePartition<Ordinal> const& partition, Nodes const& nodes) const
  {
    PinnedWords const words(GapTotals::words);
    auto const* const blocks_a = nodes.a.offsets.data() + m_rows;
    auto* const totals = reinterpret_cast<GapTotals*>(words.view().data());
    auto const look_up = [&](auto const* blocks_b) {
      launch(
          m_exec, "heddle::spgemm::gap_totals",
          spgemm_gap_totals_kernel<Ordinal, typename FactorA::offset_type,
                                   std::remove_cv_t<std::remove_reference_t<decltype(*blocks_b)>>>,
          Grid{1, LinkedRowCounts::words}, partition.nodes(), partition.counts(), blocks_a,
          blocks_b, totals);
    };
    if (nodes.is_one_matrix)
      look_up(blocks_a);
    else
      look_up(nodes.b.offsets.data() + m_rows);
    m_exec.fence("heddle::spgemm::gap_totals");
    return *totals;
  }
  // Row offsets and columns of C. Waits for exec.
  template <int size>
  void place_entries(GapTotals const& totals, Scratch<Ordinal> const& counts,
                     Product& product) const
  {
    using Offsets = Kokkos::View<Offset*, typename Result::memory_space>;
    Nodes const& nodes = product.nodes;
    auto& pattern = product.pattern;
    Offsets const row_offsets =
        impl::uninitialized<Offsets>(m_exec, "heddle::row_offsets", m_rows + 1);
    offsets_from_counts(m_exec, counts.view(), row_offsets);
    pattern.nnz = static_cast<std::size_t>(last_of(m_exec, row_offsets)); // waits
    pattern.products = static_cast<std::int64_t>(totals.products);
    pattern.columns = impl::uninitialized<Kokkos::View<Ordinal*, typename Result::memory_space>>(
        m_exec, m_is_whole ? "heddle::columns" : "heddle::spgemm::columns", pattern.nnz);
    launch(m_exec, "heddle::spgemm::columns_of_blocks",
           spgemm_columns_of_blocks_kernel<size, Ordinal, Offset>,
           one_thread_each(nodes.count * warp_size), nodes.count, nodes.firsts.data(),
           PaddedBlocks<Ordinal, Offset>{nodes.graph.row_offsets.data(), nodes.graph.columns.data(),
                                         nodes.rows_of_c.data()},
           row_offsets.data(), pattern.columns.data());
    pattern.row_offsets = row_offsets;
  }
};

// The product of A and B by nodes of at most `size` rows that they have in common, if these pay.
// Waits for exec.
template <class Result, class FactorA, class FactorB, class MultiplyGraphs>
std::optional<ProductWithGaps<FactorA, FactorB, Result>>
multiply_nodes_with_gaps(Kokkos::Cuda const& exec, FactorA const& a, FactorB const& b,
                         bool is_one_matrix, int size, GapsQuestion const& question,
                         std::size_t room, bool is_whole, MultiplyGraphs const& multiply_graphs)
{
  NodesWithGapsPhase<FactorA, FactorB, Result> const phase(exec, a, b, question, room, is_whole);
  std::optional<ProductWithGaps<FactorA, FactorB, Result>> product;
  with_one_of<2, 3, 4, 6>(size, [&]<class Size>(Size) {
    product = phase.template multiply<Size::value>(is_one_matrix, multiply_graphs);
  });
  return product;
}

// Values of the padded blocks of a factor in scratch memory.
template <class Factor>
class PaddedValues
{
  using Value = std::remove_const_t<typename Factor::value_type>;
  impl::Scratch<Value, Kokkos::Cuda> m_values;

public:
  // Asynchronous.
  template <class Ordinal>
  PaddedValues(Kokkos::Cuda const& exec, Factor const& m, Ordinal const* firsts, std::int64_t nodes,
               std::size_t blocks_in_all,
               PaddedBlocks<Ordinal, typename Factor::offset_type> const& blocks, int size,
               int* has_infinite, impl::MismatchReport report)
      : m_values(exec,
                 blocks_in_all * static_cast<std::size_t>(size) * static_cast<std::size_t>(size))
  {
    with_one_of<2, 3, 4, 6>(size, [&]<class Size>(Size) {
      launch(exec, "heddle::spgemm::pad_values", spgemm_pad_values_kernel<Size::value, Factor>,
             one_thread_each(nodes * warp_size), m, firsts, nodes, blocks, m_values.data(),
             has_infinite, report);
    });
  }
  Value const* data() const { return m_values.data(); }
};

// Values of C, whose row offsets and columns are those of the pattern. Asynchronous.
template <class A, class B, class C, class Result>
void sum_nodes_with_gaps(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c,
                         SpgemmNodesWithGaps<A, B, Result> const& nodes)
{
  using Target =
      TargetWithGaps<typename C::value_type, typename C::ordinal_type, typename C::offset_type>;
  auto const& panels = nodes.panels;
  impl::Scratch<int, Kokkos::Cuda> const has_infinite(exec, 1);
  impl::require_cuda(cudaMemsetAsync(has_infinite.data(), 0, sizeof(int), exec.cuda_stream()),
                     "cudaMemsetAsync");
  auto const* const firsts = nodes.firsts.data();
  auto const of_a = nodes.a.view();
  auto const of_b = nodes.view_of_b();
  PaddedValues<A> const values_of_a(exec, a, firsts, nodes.count, nodes.a.blocks(), of_a,
                                    panels.size, has_infinite.data(), c.report);
  std::optional<PaddedValues<B>> other_values;
  bool const has_same_values = nodes.is_one_matrix && static_cast<void const*>(a.values) ==
                                                          static_cast<void const*>(b.values);
  if (!has_same_values)
    other_values.emplace(exec, b, firsts, nodes.count, nodes.blocks_of_b(), of_b, panels.size,
                         has_infinite.data(), c.report);
  A const blocks_a{nodes.count, of_a.offsets, of_a.columns, values_of_a.data()};
  B blocks_b{nodes.count, of_b.offsets, of_b.columns, nullptr};
  if constexpr (std::is_same_v<A, B>)
    blocks_b.values = other_values ? other_values->data() : values_of_a.data();
  else
    blocks_b.values = other_values->data();
  Target const blocks_c{
      {nodes.graph.row_offsets.data(), nodes.graph.columns.data(), c.values, c.report},
      firsts,
      c.offsets,
      nodes.rows_of_c.data()};
  {
    SideStreams side(exec, static_cast<int>(panels.bins.size()));
    for (auto bin = panels.bins.rbegin(); bin != panels.bins.rend(); ++bin) // long rows first
      sum_nodes_in_panels<BlocksWithGaps>(side, blocks_a, blocks_b, blocks_c, panels, *bin);
  }
  search_infinite(exec, a, b, c, has_infinite.data());
}

} // namespace heddle::cuda_native
