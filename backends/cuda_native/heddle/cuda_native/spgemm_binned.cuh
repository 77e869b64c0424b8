// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CSR SpGEMM on CUDA. Rows are sorted into classes twice, by what is known of their products for
// the symbolic phase and by their entries for the numeric one; each class has a kernel
// (spgemm_policy.hpp).
//
// Symbolic: columns of few products are sorted in registers (spgemm_sorted.cuh), others noted in
// tables of words in shared memory (spgemm_tables.cuh). Columns found are kept in memory of the
// call while it has room, and moved to their places when these are known. Numeric: the columns of a
// row tell the place of each product, by search (spgemm_searched.cuh) or by such a table.
//
// Waits twice: for the sizes of the symbolic classes, and for the number of entries with the sizes
// of the numeric classes.

#include <heddle/backend.hpp>
#include <heddle/cuda_native/launch.cuh>
#include <heddle/cuda_native/row_classes.cuh>
#include <heddle/cuda_native/spgemm_found.cuh>
#include <heddle/cuda_native/spgemm_merged.cuh>
#include <heddle/cuda_native/spgemm_policy.hpp>
#include <heddle/cuda_native/spgemm_replay.cuh>
#include <heddle/cuda_native/spgemm_searched.cuh>
#include <heddle/cuda_native/spgemm_sorted.cuh>
#include <heddle/cuda_native/spgemm_survey.cuh>
#include <heddle/cuda_native/spgemm_tables.cuh>
#include <heddle/csr_matrix.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm_pattern.hpp>
#include <heddle/impl/views.hpp>
#include <heddle/spgemm_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace heddle::cuda_native
{

template <class A>
struct SymbolicClassOf
{
  SpgemmAccumulator wanted;
  ProductRow<typename A::ordinal> const* rows;
  typename A::offset const* offsets;
  unsigned long long const* unsorted;

  __device__ RowOfProducts row_of(std::int64_t i) const
  {
    return {static_cast<std::int64_t>(offsets[i + 1] - offsets[i]),
            static_cast<std::int64_t>(rows[i].products), span_of(rows[i]), *unsorted == 0};
  }
  __device__ int class_of(std::int64_t i) const
  {
    return symbolic_class(wanted, row_of(i), rows[i].blocks);
  }
  __device__ std::int64_t weight_of(std::int64_t) const { return 0; } // the survey summed it
};

template <class A, class Sum>
struct NumericClassOf
{
  SymbolicClassOf<A> of;
  typename A::ordinal const* counts;
  typename A::ordinal const* blocks;

  __device__ int class_of(std::int64_t i) const
  {
    return numeric_class(of.wanted, of.row_of(i), blocks[i], counts[i], sizeof(Sum));
  }
  __device__ std::int64_t weight_of(std::int64_t i) const
  {
    return static_cast<std::int64_t>(counts[i]);
  }
};

// Columns that the first pass kept, to their places; a warp a row.
template <class Ordinal, class Offset>
__global__ void spgemm_place_kernel(FoundColumns<Ordinal, Offset> found, std::int64_t rows)
{
  std::int64_t const i =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (i >= rows || found.places[i] == found.nowhere)
    return;
  std::int64_t const begin = static_cast<std::int64_t>(found.offsets[i]);
  std::int64_t const count = static_cast<std::int64_t>(found.offsets[i + 1]) - begin;
  for (std::int64_t n = threadIdx.x % warp_size; n < count; n += warp_size)
    found.columns[begin + n] = found.kept[found.places[i] + n];
}

// The kernels of one pair of types. All calls are asynchronous.
template <class A, class B, class C>
struct SpgemmKernels
{
  using Ordinal = typename A::ordinal;
  using Rows = ProductRow<Ordinal>;
  using Found = FoundColumns<Ordinal, typename C::offset>;

  static void find(Kokkos::Cuda const& exec, SpgemmAccumulator wanted, A const& a, B const& b,
                   Rows const* rows, Ordinal const* list, RowClasses const& classes,
                   Found const& found)
  {
    auto const of = [&](int n) { return list + classes.ranges[n].first; };
    auto const sorted = [&]<int c>(std::integral_constant<int, c>) {
      constexpr int n = SymbolicClass::sorted + c;
      find_sorted<c>(exec, a, b, rows, of(n), classes.ranges[n].count, found);
    };
    // Rows that take longest come first.
    constexpr int table = SymbolicClass::table, windows = SymbolicClass::windows;
    constexpr int last = SpgemmPolicy::table_classes - 1;
    static_assert(last == 3);
    find_by<SpgemmPolicy::large_block>(exec, wanted, a, b, rows, of(windows), classes.ranges[windows].count,
                                       last, found);
    find_by<SpgemmPolicy::large_block>(exec, wanted, a, b, rows, of(table + 3),
                                       classes.ranges[table + 3].count, 3, found);
    find_by<SpgemmPolicy::small_block>(exec, wanted, a, b, rows, of(table + 2),
                                       classes.ranges[table + 2].count, 2, found);
    find_by<warp_size>(exec, wanted, a, b, rows, of(table + 1), classes.ranges[table + 1].count, 1, found);
    find_by<warp_size>(exec, wanted, a, b, rows, of(table), classes.ranges[table].count, 0, found);
    auto const merged = [&]<int c>(std::integral_constant<int, c>) {
      constexpr int n = SymbolicClass::merged + c;
      find_merged<c>(exec, a, b, of(n), classes.ranges[n].count, found);
    };
    static_assert(SpgemmPolicy::merged_classes == 3);
    merged(std::integral_constant<int, 2>{});
    merged(std::integral_constant<int, 1>{});
    merged(std::integral_constant<int, 0>{});
    static_assert(SpgemmPolicy::sorted_classes == 4);
    sorted(std::integral_constant<int, 3>{});
    sorted(std::integral_constant<int, 2>{});
    sorted(std::integral_constant<int, 1>{});
    sorted(std::integral_constant<int, 0>{});
  }

  template <bool in_order>
  static void sum(Kokkos::Cuda const& exec, SpgemmAccumulator wanted, A const& a, B const& b, C const& c,
                  Rows const* rows, Ordinal const* blocks, Ordinal const* list,
                  RowClasses const& classes)
  {
    auto const of = [&](int n) { return list + classes.ranges[n].first; };
    auto const searched = [&]<int n>(std::integral_constant<int, n>) {
      constexpr int place = NumericClass::searched + n;
      sum_searched<in_order, n>(exec, a, b, c, of(place), classes.ranges[place].count);
    };
    constexpr int table = NumericClass::table, in_place = NumericClass::in_place;
    sum_by<SpgemmPolicy::large_block, in_order, true>(exec, wanted, a, b, c, rows, blocks, of(in_place),
                                                      classes.ranges[in_place].count, 3);
    sum_by<SpgemmPolicy::large_block, in_order, false>(exec, wanted, a, b, c, rows, blocks, of(table + 3),
                                                       classes.ranges[table + 3].count, 3);
    sum_by<SpgemmPolicy::small_block, in_order, false>(exec, wanted, a, b, c, rows, blocks, of(table + 2),
                                                       classes.ranges[table + 2].count, 2);
    sum_by<warp_size, in_order, false>(exec, wanted, a, b, c, rows, blocks, of(table + 1),
                                       classes.ranges[table + 1].count, 1);
    sum_by<warp_size, in_order, false>(exec, wanted, a, b, c, rows, blocks, of(table),
                                       classes.ranges[table].count, 0);
    auto const merged = [&]<int n>(std::integral_constant<int, n>) {
      constexpr int place = NumericClass::merged + n;
      sum_merged<n>(exec, a, b, c, of(place), classes.ranges[place].count);
    };
    static_assert(SpgemmPolicy::merged_classes == 3);
    merged(std::integral_constant<int, 2>{});
    merged(std::integral_constant<int, 1>{});
    merged(std::integral_constant<int, 0>{});
    static_assert(SpgemmPolicy::searched_classes == 3);
    searched(std::integral_constant<int, 2>{});
    searched(std::integral_constant<int, 1>{});
    searched(std::integral_constant<int, 0>{});
  }

  // places.of from columns of C.
  template <class Place>
  static void record(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c,
                     RecordedPlaces<Place> const& places)
  {
    launch(exec, "heddle::spgemm::record", spgemm_record_kernel<Place, A, B, C>,
           one_thread_each(a.rows * warp_size, 256), a, b, c, places);
  }

  // What sum does, with recorded places.
  template <bool in_order, class Place>
  static void replay(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c, Rows const* rows,
                     RecordedPlaces<Place> const& places, Ordinal const* list,
                     RowClasses const& classes)
  {
    auto const flat = [&]<int n>(std::integral_constant<int, n>) {
      constexpr int lanes = SpgemmPolicy::searched_lanes(n);
      constexpr int most = SpgemmPolicy::searched_entries(n);
      RowRange const range = classes.ranges[NumericClass::searched + n];
      launch(exec, "heddle::spgemm::replay_flat",
             spgemm_replay_flat_kernel<in_order, lanes, most, Place, A, B, C>,
             one_thread_each(range.count * lanes, SpgemmPolicy::shared_block), a, b, c, places,
             list + range.first, range.count);
    };
    auto const by = [&]<int threads, bool in_place>(std::integral_constant<int, threads>,
                                                    std::bool_constant<in_place>, int n,
                                                    int table_class) {
      RowRange const range = classes.ranges[n];
      launch(exec, "heddle::spgemm::replay",
             spgemm_replay_kernel<threads, in_order, in_place, Place, A, B, C>,
             in_place ? Grid{range.count, threads} : grid_of<threads>(range.count, table_class),
             a, b, c, rows, places, list + range.first, range.count,
             SpgemmPolicy::table_bytes(table_class));
    };
    constexpr int table = NumericClass::table;
    std::integral_constant<int, SpgemmPolicy::large_block> const large{};
    std::integral_constant<int, SpgemmPolicy::small_block> const small{};
    std::integral_constant<int, warp_size> const warp{};
    by(large, std::true_type{}, NumericClass::in_place, 3);
    by(large, std::false_type{}, table + 3, 3);
    by(small, std::false_type{}, table + 2, 2);
    by(warp, std::false_type{}, table + 1, 1);
    by(warp, std::false_type{}, table, 0);
    flat(std::integral_constant<int, 2>{});
    flat(std::integral_constant<int, 1>{});
    flat(std::integral_constant<int, 0>{});
  }

private:
  // Blocks for so many rows, each taken by a team with a table of the class.
  template <int threads>
  static Grid grid_of(std::int64_t listed, int table_class)
  {
    constexpr int block = std::max(threads, SpgemmPolicy::shared_block), teams = block / threads;
    Grid grid{blocks_for(listed, teams), block};
    grid.shared_bytes = static_cast<std::size_t>(teams * SpgemmPolicy::table_bytes(table_class));
    return grid;
  }
  template <int threads>
  static void find_by(Kokkos::Cuda const& exec, SpgemmAccumulator wanted, A const& a, B const& b, Rows const* rows,
                      Ordinal const* list, std::int64_t listed, int table_class, Found const& found)
  {
    launch(exec, "heddle::spgemm::find", spgemm_find_kernel<threads, A, B, typename C::offset>,
           grid_of<threads>(listed, table_class), a, b, rows, list, listed,
           wanted, SpgemmPolicy::table_bytes(table_class), found);
  }
  template <int threads, bool in_order, bool in_place>
  static void sum_by(Kokkos::Cuda const& exec, SpgemmAccumulator wanted, A const& a, B const& b, C const& c, Rows const* rows,
                     Ordinal const* blocks, Ordinal const* list, std::int64_t listed,
                     int table_class)
  {
    launch(exec, "heddle::spgemm::sum", spgemm_sum_kernel<threads, in_order, in_place, A, B, C>,
           grid_of<threads>(listed, table_class), a, b, c, rows, blocks, list, listed,
           wanted, SpgemmPolicy::table_bytes(table_class));
  }
};

// What is known of the rows of C when all have been counted: device memory, of a plan or of a call.
template <class Ordinal>
struct SpgemmRows
{
  ProductRow<Ordinal>* rows;
  Ordinal* blocks; // of 32 columns, with entries
  Ordinal* list;   // rows by numeric class
  Ordinal* symbolic_list;
};
// The classes of both phases.
struct SpgemmClasses
{
  RowClasses symbolic, numeric;
};

template <class Exec, class A, class B>
struct SpgemmBinned
{
  static constexpr Backend backend = Backend::cuda_native;
  static constexpr char const* name = "cuda_native::binned";
  static constexpr bool is_supported =
      std::is_same_v<Exec, Kokkos::Cuda> && is_csr_matrix_v<A> && is_csr_matrix_v<B>;
  using Result = impl::SpgemmResult<A, B>;
  using Ordinal = typename Result::ordinal_type;
  using Offset = typename Result::offset_type;
  using Rows = SpgemmRows<Ordinal>;
  using FactorA = SpgemmFactor<typename A::value_type, Ordinal, typename A::offset_type>;
  using FactorB = SpgemmFactor<typename B::value_type, Ordinal, typename B::offset_type>;
  using Target = SpgemmTarget<typename Result::value_type, Ordinal, Offset>;
  using Kernels = SpgemmKernels<FactorA, FactorB, Target>;
  template <class T>
  using View = Kokkos::View<T*, typename Exec::memory_space>;

  struct State
  {
    View<ProductRow<Ordinal>> rows;
    View<Ordinal> blocks, list, symbolic_list;
    SpgemmClasses classes;
    View<std::int64_t> starts;           // of each entry of A, and the end; where places are kept
    View<std::uint16_t> short_places;    // of products in their rows of C: one of the two
    View<std::uint32_t> long_places;
    impl::SpgemmPattern<Result> pattern;
    SpgemmAccumulator accumulator = SpgemmAccumulator::automatic;
    bool is_deterministic = false;

    std::size_t bytes() const
    {
      return rows.span() * sizeof(ProductRow<Ordinal>) +
             (blocks.span() + list.span() + symbolic_list.span()) * sizeof(Ordinal) +
             starts.span() * sizeof(std::int64_t) + short_places.span() * sizeof(std::uint16_t) +
             long_places.span() * sizeof(std::uint32_t) + pattern.bytes();
    }
    bool is_repeatable() const { return is_deterministic; }
    std::string describe() const
    {
      std::string text = "rows by class:";
      for (int n = 0; n < NumericClass::count; ++n)
        text += " " + std::to_string(classes.numeric.ranges[n].count);
      return text + " (empty; 3 searched; 3 merged; 4 by tables; in place); sums " +
             (is_deterministic ? "in order" : "by atomics where threads share a row") +
             (starts.extent(0) > 0 ? "; places of products are kept" : "") +
             (pattern.keeps_columns ? "" : "; columns are found again by each call");
    }
  };

  static bool can_run(Exec const&, A const&, B const&, SpgemmOptions const&) { return true; }

  static State analyze(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    auto const rows = static_cast<std::size_t>(a.num_rows());
    std::size_t const room = room_beside(a, b, options);
    State state;
    state.is_deterministic = options.deterministic;
    state.accumulator = options.accumulator;
    state.rows = impl::uninitialized<View<ProductRow<Ordinal>>>(exec, "heddle::spgemm::rows", rows);
    state.blocks = impl::uninitialized<View<Ordinal>>(exec, "heddle::spgemm::blocks", rows);
    state.list = impl::uninitialized<View<Ordinal>>(exec, "heddle::spgemm::list", rows);
    state.symbolic_list = impl::uninitialized<View<Ordinal>>(exec, "heddle::spgemm::list", rows);
    state.classes = find_pattern(exec, options.accumulator, a, b, rows_of(state), room,
                                 state.pattern);
    if (options.reuse && state.pattern.keeps_columns &&
        options.accumulator != SpgemmAccumulator::register_merge) // which looks nothing up
      record(exec, a, b, room, state);
    exec.fence("heddle::spgemm::binned");
    return state;
  }

  static void run(Exec const& exec, State const& state, A const& a, B const& b, Result const& c)
  {
    if (state.starts.extent(0) > 0)
      return replay(exec, state, a, b, c);
    if (!state.pattern.keeps_columns)
      find_columns_again(exec, state, a, b, c);
    sum(exec, state.accumulator, state.is_deterministic, a, b, c, rows_of(state),
        state.classes.numeric);
  }

  // Both phases at once: nothing is kept beside C.
  static Result multiply(Exec const& exec, A const& a, B const& b, SpgemmOptions const& options)
  {
    auto const rows = static_cast<std::size_t>(a.num_rows());
    std::size_t const room = room_beside(a, b, options);
    impl::Scratch<ProductRow<Ordinal>, Exec> const of_rows(exec, rows);
    impl::Scratch<Ordinal, Exec> const blocks(exec, rows), list(exec, rows), symbolic(exec, rows);
    Rows const all{of_rows.data(), blocks.data(), list.data(), symbolic.data()};
    impl::SpgemmPattern<Result> pattern;
    RowClasses const numeric =
        find_pattern(exec, options.accumulator, a, b, all, room, pattern, true).numeric;
    Result const c(a.num_rows(), b.num_cols(), pattern.row_offsets, pattern.columns,
                   impl::uninitialized<typename Result::values_view>(exec, "heddle::values",
                                                                     pattern.nnz));
    sum(exec, options.accumulator, options.deterministic, a, b, c, all, numeric);
    return c;
  }

private:
  static FactorA factor_a(A const& a)
  {
    return {static_cast<std::int64_t>(a.num_rows()), a.row_offsets().data(), a.columns().data(),
            a.values().data()};
  }
  static FactorB factor_b(B const& b)
  {
    return {static_cast<std::int64_t>(b.num_rows()), b.row_offsets().data(), b.columns().data(),
            b.values().data()};
  }
  static Rows rows_of(State const& state)
  {
    return {state.rows.data(), state.blocks.data(), state.list.data(), state.symbolic_list.data()};
  }

  // Bytes that the cap leaves for columns, when what is kept for each row has been taken from it.
  static std::size_t room_beside(A const& a, B const& b, SpgemmOptions const& options)
  {
    auto const rows = static_cast<std::size_t>(a.num_rows());
    std::size_t const needed =
        rows * (sizeof(ProductRow<Ordinal>) + 4 * sizeof(Ordinal) + sizeof(std::int64_t)) +
        static_cast<std::size_t>(b.num_rows()) * sizeof(FactorRow<Ordinal>) +
        2 * sizeof(RowClassCounts);
    if (needed > options.max_workspace_bytes)
      throw OutOfMemory("heddle::spgemm: rows of A and B need " + std::to_string(needed) +
                            " bytes, " + std::to_string(options.max_workspace_bytes) +
                            " are allowed",
                        needed, options.max_workspace_bytes);
    return options.max_workspace_bytes - needed;
  }

  // Counts, zero, in device memory; and what they have become.
  struct Counts
  {
    static constexpr std::size_t words = sizeof(RowClassCounts) / sizeof(unsigned long long);
    impl::Scratch<unsigned long long, Exec> memory;

    explicit Counts(Exec const& exec)
        : memory(exec, words)
    {
      Kokkos::deep_copy(exec, memory.view(), 0ULL);
    }
    RowClassCounts* data() const { return reinterpret_cast<RowClassCounts*>(memory.data()); }
    // Waits for exec.
    RowClassCounts on_host(Exec const& exec) const
    {
      RowClassCounts counts;
      Kokkos::View<unsigned long long*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const host(
          reinterpret_cast<unsigned long long*>(&counts), words);
      Kokkos::deep_copy(exec, host, memory.view());
      exec.fence("heddle::spgemm::binned");
      return counts;
    }
  };

  // Row offsets and columns of C, the classes of its rows. Waits for exec.
  static SpgemmClasses find_pattern(Exec const& exec, SpgemmAccumulator wanted, A const& a, B const& b,
                                 Rows const& all, std::size_t room,
                                 impl::SpgemmPattern<Result>& pattern, bool has_columns = false)
  {
    auto const rows = static_cast<std::size_t>(a.num_rows());
    FactorA const of_a = factor_a(a);
    FactorB const of_b = factor_b(b);
    impl::Scratch<Ordinal, Exec> const counts(exec, rows);
    impl::Scratch<std::int64_t, Exec> const places(exec, rows);
    Counts const symbolic_counts(exec), numeric_counts(exec);
    survey_products(exec, of_a, static_cast<std::int64_t>(a.nnz()), of_b,
                    static_cast<std::int64_t>(b.nnz()), all.rows,
                    &symbolic_counts.data()->weight, &symbolic_counts.data()->most);
    SymbolicClassOf<FactorA> const symbolic_class_of{wanted, all.rows, of_a.offsets,
                                                     &symbolic_counts.data()->most};
    list_row_classes(exec, symbolic_class_of, of_a.rows, symbolic_counts.data(),
                     all.symbolic_list);
    RowClasses const symbolic(symbolic_counts.on_host(exec));
    pattern.products = symbolic.weight;

    // An eighth of a gigabyte of entries at most: what does not fit is found a second time.
    constexpr std::size_t most_kept = std::size_t(1) << 28;
    std::size_t const kept_room =
        std::min({static_cast<std::size_t>(pattern.products), most_kept, room / 2 / sizeof(Ordinal)});
    impl::Scratch<Ordinal, Exec> const kept(exec, kept_room);
    impl::Scratch<unsigned long long, Exec> const used(exec, 1);
    Kokkos::deep_copy(exec, used.view(), 0ULL);
    Kokkos::deep_copy(exec, counts.view(), Ordinal(0));
    Kokkos::deep_copy(exec, places.view(), Kernels::Found::nowhere);
    typename Kernels::Found found{counts.data(), all.blocks, places.data(), kept.data(),
                                  used.data(), kept_room,    nullptr,       nullptr};
    Kernels::find(exec, wanted, of_a, of_b, all.rows, all.symbolic_list, symbolic, found);
    list_row_classes(exec,
                     NumericClassOf<FactorA, typename Result::value_type>{
                         symbolic_class_of, counts.data(), all.blocks},
                     of_a.rows, numeric_counts.data(), all.list);
    using Mutable = Kokkos::View<Offset*, typename Result::memory_space>;
    auto const offsets = impl::uninitialized<Mutable>(exec, "heddle::row_offsets", rows + 1);
    scan(exec, counts.view(), offsets);
    RowClasses const numeric(numeric_counts.on_host(exec));
    impl::require_offsets_hold<Offset>(numeric.weight);
    pattern.nnz = static_cast<std::size_t>(numeric.weight);
    pattern.row_offsets = offsets;
    pattern.keeps_columns =
        has_columns || (pattern.nnz + kept_room) * sizeof(Ordinal) <= room;
    if (pattern.keeps_columns)
    {
      pattern.columns = impl::uninitialized<typename Result::columns_view>(
          exec, "heddle::spgemm::columns", pattern.nnz);
      found.offsets = offsets.data();
      found.columns = pattern.columns.data();
      launch(exec, "heddle::spgemm::place", spgemm_place_kernel<Ordinal, Offset>,
             one_thread_each(of_a.rows * warp_size, 256), found, of_a.rows);
      if (pattern.nnz > kept_room || symbolic.ranges[SymbolicClass::windows].count > 0)
        Kernels::find(exec, wanted, of_a, of_b, all.rows, all.symbolic_list, symbolic, found);
    }
    return {symbolic, numeric};
  }

  // Places of products, if there is room for them beside the columns.
  static void record(Exec const& exec, A const& a, B const& b, std::size_t room, State& state)
  {
    constexpr std::int64_t most_short = std::int64_t(1) << 16;
    bool const is_short = state.classes.numeric.most <= most_short;
    auto const products = static_cast<std::size_t>(state.pattern.products);
    std::size_t const starts_bytes = (a.nnz() + 1) * sizeof(std::int64_t);
    std::size_t const place = is_short ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
    std::size_t const left = room - std::min(room, state.pattern.nnz * sizeof(Ordinal));
    if (starts_bytes > left || products > (left - starts_bytes) / place)
      return;
    state.starts = impl::uninitialized<View<std::int64_t>>(exec, "heddle::spgemm::starts",
                                                           a.nnz() + 1);
    scan(exec, LengthOfEntry{a.columns().data(), b.row_offsets().data(), a.nnz()}, state.starts);
    Target const target{state.pattern.row_offsets.data(), state.pattern.columns.data(), nullptr};
    auto const keep = [&]<class Places>(Places& places) {
      places = impl::uninitialized<Places>(exec, "heddle::spgemm::places", products);
      Kernels::record(exec, factor_a(a), factor_b(b), target,
                      RecordedPlaces<typename Places::value_type>{state.starts.data(),
                                                                  places.data()});
    };
    if (is_short)
      keep(state.short_places);
    else
      keep(state.long_places);
  }

  static void replay(Exec const& exec, State const& state, A const& a, B const& b, Result const& c)
  {
    Target const target{c.row_offsets().data(), c.columns().data(), c.values().data()};
    auto const with = [&]<class Place>(View<Place> const& places) {
      RecordedPlaces<Place> const recorded{state.starts.data(), places.data()};
      if (state.is_deterministic)
        Kernels::template replay<true>(exec, factor_a(a), factor_b(b), target, state.rows.data(),
                                       recorded, state.list.data(), state.classes.numeric);
      else
        Kernels::template replay<false>(exec, factor_a(a), factor_b(b), target, state.rows.data(),
                                        recorded, state.list.data(), state.classes.numeric);
    };
    if (state.short_places.extent(0) > 0)
      with(state.short_places);
    else
      with(state.long_places);
  }

  // The columns of C, which a plan had no room for.
  static void find_columns_again(Exec const& exec, State const& state, A const& a, B const& b,
                                 Result const& c)
  {
    auto const rows = static_cast<std::size_t>(a.num_rows());
    impl::Scratch<std::int64_t, Exec> const places(exec, rows);
    Kokkos::deep_copy(exec, places.view(), Kernels::Found::nowhere);
    Kernels::find(exec, state.accumulator, factor_a(a), factor_b(b), state.rows.data(),
                  state.symbolic_list.data(), state.classes.symbolic,
                  {nullptr, nullptr, places.data(), nullptr, nullptr, 0, c.row_offsets().data(),
                   c.columns().data()});
  }

  static void sum(Exec const& exec, SpgemmAccumulator wanted, bool in_order, A const& a, B const& b, Result const& c,
                  Rows const& all, RowClasses const& classes)
  {
    Target const target{c.row_offsets().data(), c.columns().data(), c.values().data()};
    if (in_order)
      Kernels::template sum<true>(exec, wanted, factor_a(a), factor_b(b), target, all.rows, all.blocks,
                                  all.list, classes);
    else
      Kernels::template sum<false>(exec, wanted, factor_a(a), factor_b(b), target, all.rows, all.blocks,
                                   all.list, classes);
  }

public:
  // Entries of the row of B that an entry of A meets.
  struct LengthOfEntry
  {
    Ordinal const* columns;
    typename B::offset_type const* b_offsets;
    std::size_t count;

    std::size_t extent(int) const { return count; }
    KOKKOS_FUNCTION std::int64_t operator()(std::int64_t k) const
    {
      return static_cast<std::int64_t>(b_offsets[columns[k] + 1] - b_offsets[columns[k]]);
    }
  };

  // offsets(i) = counts(0) + ... + counts(i - 1). Asynchronous.
  template <class Counts, class Offsets>
  static void scan(Exec const& exec, Counts const& counts, Offsets const& offsets)
  {
    using Number = typename Offsets::non_const_value_type;
    auto const n = static_cast<std::int64_t>(counts.extent(0));
    Kokkos::parallel_scan(
        "heddle::spgemm::offsets", impl::range(exec, n + 1),
        KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum, bool is_final) {
          if (is_final)
            offsets(i) = static_cast<Number>(sum);
          sum += i < n ? static_cast<std::int64_t>(counts(i)) : 0;
        });
  }
};

} // namespace heddle::cuda_native
