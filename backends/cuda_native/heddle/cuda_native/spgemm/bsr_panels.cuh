// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// SpGEMM of two BSR matrices with square blocks of one size, which are nodes without a look
// (spgemm/nodes.cuh): the symbolic phase is that of CSR on matrices with an entry for each block,
// and the numeric phase sums a row of C's blocks in a panel, by slots that the plan found
// (spgemm/numeric_panel.cuh). Rows of C that are too long for shared memory are added up in C
// itself.

#include <heddle/backend.hpp>
#include <heddle/bsr_matrix.hpp>
#include <heddle/cuda_native/device/one_of.cuh>
#include <heddle/cuda_native/device/side_streams.cuh>
#include <heddle/cuda_native/rows/csr_view.cuh>
#include <heddle/cuda_native/rows/limits.hpp>
#include <heddle/cuda_native/spgemm/launches.cuh>
#include <heddle/cuda_native/spgemm/numeric_panel.cuh>
#include <heddle/cuda_native/spgemm/operands.cuh>
#include <heddle/cuda_native/spgemm/panel_policy.hpp>
#include <heddle/cuda_native/spgemm/panel_slots.cuh>
#include <heddle/cuda_native/spgemm/symbolic.cuh>
#include <heddle/error.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/verdict.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace heddle::cuda_native
{

// The sum of products(i) over rows, and the largest: a functor, see scan.hpp.
template <class Products>
struct SumAndMost
{
  Products products;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, std::int64_t& most) const
  {
    std::int64_t const of_row = products(i);
    sum += of_row;
    most = Kokkos::max(most, of_row);
  }
};

template <class Exec, class A, class B>
struct SpgemmBsrPanels
{
  static constexpr Backend backend = Backend::cuda_native;
  static constexpr char const* name = "cuda_native::bsr_panels";
  static constexpr bool is_supported =
      std::is_same_v<Exec, Kokkos::Cuda> && is_bsr_matrix_v<A> && is_bsr_matrix_v<B>;
  using Result = impl::SpgemmResult<A, B>;
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Sum = typename Result::value_type;
  // An entry for each block, and the values of all blocks.
  template <class Matrix>
  using Blocks = CsrView<typename Matrix::value_type, Ordinal, typename Matrix::offset_type>;
  using Target = SpgemmTarget<Sum, Ordinal, Offset>;
  using Call = SpgemmCall<Blocks<A>, Blocks<B>, Target>;

  struct State
  {
    impl::MismatchFlag<Exec> mismatch; // outlives what kernels use
    impl::SpgemmPattern<Result> pattern;
    SpgemmPanels<Ordinal> panels; // none where C has no rows

    std::size_t bytes() const { return panels.bytes() + pattern.bytes(); }
    static bool is_repeatable() { return true; }
    std::string describe() const
    {
      return std::to_string(pattern.num_blocks()) + " blocks of " +
             std::to_string(pattern.shape.height) + " x " + std::to_string(pattern.shape.width) +
             " in C; " + (panels.are_there() ? panels.describe() + "; " : "") + "sums in order";
    }
  };

  static impl::Verdict can_run(Exec const& exec, A const& a, B const& b,
                               SpgemmOptions const& options)
  {
    auto const& sizes = spgemm_panel_policy.node_sizes;
    int const size = a.shape().height;
    if (a.shape() != b.shape() || a.shape().width != size ||
        std::find(sizes.begin(), sizes.end(), size) == sizes.end())
      return {false, "blocks are not square, of 2, 3, 4 or 6 rows, in both matrices"};
    if (a.num_rows() % size != 0 || b.num_rows() % size != 0 || b.num_cols() % size != 0)
      return {false, "blocks of % rows reach beyond the edges of the matrices", size};
    if (!has_short_products(static_cast<std::int64_t>(b.num_block_cols()), b.num_blocks()) ||
        a.num_blocks() > static_cast<std::size_t>(most_entries_of_row) ||
        b.num_blocks() > static_cast<std::size_t>(most_entries_of_row))
      return {false, "A and B have % and % blocks, more than % in one", a.num_blocks(),
              b.num_blocks(), most_entries_of_row};
    if (options.accumulator != SpgemmAccumulator::automatic &&
        options.accumulator != SpgemmAccumulator::row_panels)
      return {false, "it has sums in panels alone"};
    auto const [products, most] = block_products(exec, a, b);
    if (b.num_block_cols() > most_slots && most > most_slots)
      return {false, "rows of C have up to % products of blocks, slots number %", most, most_slots};
    if (impl::is_forced(options)) // analyze throws OutOfMemory where memory does not suffice
      return true;
    std::size_t const needed = bytes_of_plan(a, b, products);
    if (needed > options.max_workspace_bytes)
      return {false, "finding blocks of C may take % bytes, max_workspace_bytes is %", needed,
              options.max_workspace_bytes};
    if (needed > impl::small_allocation && needed > impl::available_bytes(exec) / 2)
      return {false, "finding blocks of C may take % bytes, more than half of what is free",
              needed};
    return true;
  }

  static State analyze(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    int const size = a.shape().height;
    auto const rows = static_cast<std::size_t>(a.num_block_rows());
    impl::Scratch<ProductRow<Ordinal>, Exec> const of_rows(exec, rows);
    impl::Scratch<Ordinal, Exec> const ordinals(exec, 3 * rows);
    Call const call{
        exec,
        SpgemmAccumulator::automatic,
        blocks_of(a),
        blocks_of(b),
        {of_rows.data(), ordinals.data(), ordinals.data() + rows, ordinals.data() + 2 * rows}};
    FactorSizes const sizes{
        static_cast<std::int64_t>(a.num_block_rows()), static_cast<std::int64_t>(a.num_blocks()),
        static_cast<std::int64_t>(b.num_block_rows()), static_cast<std::int64_t>(b.num_blocks())};
    State state;
    state.mismatch = impl::MismatchFlag<Exec>::make();
    state.pattern = symbolic_phase<Result>(call, {.sizes = sizes,
                                                  .room = options.max_workspace_bytes,
                                                  .is_whole = false,
                                                  .may_have_one_pass = false})
                        .pattern;
    std::size_t const columns = state.pattern.nnz * sizeof(Ordinal);
    if (!state.pattern.keeps_columns)
      throw_no_room("the columns of C's blocks", columns, options);
    std::int64_t const of_block = static_cast<std::int64_t>(size) * size;
    state.pattern.nnz *= static_cast<std::size_t>(of_block);
    state.pattern.shape = a.shape();
    find_panels(exec, call, Products(a, b), of_rows.data(), options, state);
    state.pattern.products *= of_block * size;
    exec.fence("heddle::spgemm::bsr_panels");
    return state;
  }

  static void run(Exec const& exec, State const& state, A const& a, B const& b, Result const& c)
  {
    state.mismatch.require_none("spgemm");
    auto const& panels = state.panels;
    if (!panels.are_there())
      return;
    Target const target{state.pattern.row_offsets.data(), state.pattern.columns.data(),
                        c.values().data(), state.mismatch.report()};
    SideStreams side(exec, static_cast<int>(panels.bins.size()));
    for (auto bin = panels.bins.rbegin(); bin != panels.bins.rend(); ++bin) // long rows first
      if (bin->is_in_place)
        with_one_of<2, 3, 4, 6>(panels.size, [&]<class Size>(Size) {
          sum_nodes_in_panels<BlocksInBsr<Size::value, true>, spgemm_panel_policy.single_block>(
              side, blocks_of(a), blocks_of(b), target,
              {panels.list.data() + bin->first, bin->count, 0},
              PanelSlots{panels.offsets.data(), panels.slots.data()});
        });
      else
        sum_nodes_in_panels<BlocksInShared>(side, blocks_of(a), blocks_of(b), target, panels, *bin);
  }

private:
  // What 16 bits number.
  static constexpr std::int64_t most_slots = std::numeric_limits<std::uint16_t>::max();
  template <int size>
  using BlocksInShared = BlocksInBsr<size, false>;

  template <class Matrix>
  static Blocks<Matrix> blocks_of(Matrix const& m)
  {
    return {static_cast<std::int64_t>(m.num_block_rows()), m.row_offsets().data(),
            m.columns().data(), m.values().data()};
  }
  using Products = impl::RowProducts<A, B>; // of blocks
  struct ProductCounts
  {
    std::int64_t all = 0, most = 0; // of a row
  };
  // Waits for exec.
  static ProductCounts block_products(Exec const& exec, A const& a, B const& b)
  {
    ProductCounts counts;
    if (a.num_block_rows() > 0)
      Kokkos::parallel_reduce(
          "heddle::spgemm::block_products", impl::range(exec, a.num_block_rows()),
          SumAndMost<Products>{Products(a, b)}, Kokkos::Sum<std::int64_t>(counts.all),
          Kokkos::Max<std::int64_t>(counts.most));
    return counts;
  }
  // A bound: columns, tables and slots for each product, and bitmasks of B.
  static std::size_t bytes_of_plan(A const& a, B const& b, std::int64_t products)
  {
    return static_cast<std::size_t>(products) * (4 * sizeof(Ordinal) + sizeof(std::uint16_t)) +
           b.num_blocks() * sizeof(ColumnWord<Ordinal>) +
           static_cast<std::size_t>(a.num_block_rows()) *
               (sizeof(ProductRow<Ordinal>) + 5 * sizeof(Ordinal) + 2 * sizeof(std::int64_t)) +
           static_cast<std::size_t>(b.num_block_rows()) * sizeof(FactorRow<Ordinal>) +
           sizeof(SpgemmCounters);
  }
  [[noreturn]] static void throw_no_room(char const* what, std::size_t needed,
                                         SpgemmOptions const& options)
  {
    throw OutOfMemory(std::string("heddle::spgemm: ") + what + " take " + std::to_string(needed) +
                          " bytes, " + std::to_string(options.max_workspace_bytes) + " are allowed",
                      needed, options.max_workspace_bytes);
  }
  // Waits for the number of products, and for bins.
  static void find_panels(Exec const& exec, Call const& call, Products const& products,
                          ProductRow<Ordinal> const* of_rows, SpgemmOptions const& options,
                          State& state)
  {
    auto const& pattern = state.pattern;
    auto& panels = state.panels;
    std::int64_t const rows = call.a.rows;
    panels.size = pattern.shape.height;
    if (rows == 0)
      return;
    panels.list = {exec, static_cast<std::size_t>(rows)};
    panels.offsets = {exec, static_cast<std::size_t>(rows) + 1};
    std::int64_t const slots =
        impl::offsets_from_counts(exec, rows, products, panels.offsets.view());
    std::size_t const needed =
        state.bytes() + static_cast<std::size_t>(slots) * sizeof(std::uint16_t);
    if (needed > options.max_workspace_bytes)
      throw_no_room("C's pattern and slots of products", needed, options);
    panels.bins = bins_of_all_rows<Sum>(exec, rows, pattern.row_offsets.data(), of_rows,
                                        panels.size, panels.list.data())
                      .bins;
    find_panel_slots(exec, call.a, call.b, pattern.row_offsets.data(), pattern.columns.data(),
                     slots, panels);
  }
};

} // namespace heddle::cuda_native
