// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a plan of SpGEMM keeps for the numeric phase by terms (spgemm/numeric_terms.cuh), and how it
// is found, in chunks of whole rows of C with about products_of_chunk products:
//   find    each product's entries of A and B, in the order of A's entries, and its entry of C
//   sort    products by their entry of C, in that order where they have the same
//   place   terms and where those of an entry begin
// Where no row of a chunk has more than products_of_sorted_row, nor its row of A more than
// entries_of_sorted_row, a block does all of that in shared memory, for the rows that begin in its
// 2048 products; else each is a pass over memory.

#include <heddle/cuda_native/device/kept_memory.cuh>
#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/device/team.cuh>
#include <heddle/cuda_native/spgemm/numeric_terms.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/terms_policy.hpp>
#include <heddle/impl/mismatch_flag.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/sort.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace heddle::cuda_native
{

// A product, by its entries of A and B.
struct alignas(8) SpgemmTerm
{
  std::uint32_t a, b;
};

// Products of each entry of A.
template <class A, class B>
struct ProductsOfEntries
{
  A a;
  B b;
  std::size_t count;

  std::size_t extent(int) const { return count; }
  __device__ int operator()(std::int64_t k) const
  {
    return b.length_of(static_cast<std::int64_t>(a.columns[k]));
  }
};

// Rows of C whose products are sorted at once begin with such a row; the numbers of what is before
// it in A, among all products, and in C.
struct TermsChunk
{
  std::int64_t row, product, entry;
};
// What the host waits for. More chunks would not fit in PinnedWords.
struct TermsChunks
{
  static constexpr int most = 32;
  unsigned long long longest; // entries of A that a block of terms may have
  TermsChunk begins[most + 1];
  unsigned has_long_rows[most]; // for a block to sort
};

// The products of all rows of C. Those of entry k of A begin at offsets[k], those of a block of
// terms in the row block_rows[n]; behind the last block that of the last product.
template <class A, class B, class C>
struct SpgemmProducts
{
  A a;
  B b;
  C c;
  std::int64_t count;
  std::int64_t const* offsets;
  std::int64_t* block_rows;

  static constexpr int per_block = spgemm_terms_policy.terms_of_block;
  __device__ std::int64_t begin_of_row(std::int64_t i) const { return offsets[a.offsets[i]]; }
  __device__ std::int64_t row_of(std::int64_t product) const
  {
    return impl::last_not_above([&](std::int64_t i) { return begin_of_row(i); }, a.rows, product);
  }
};

// block_rows, first entries of blocks, and where chunks begin.
template <class A, class B, class C>
__global__ void spgemm_divide_terms_kernel(SpgemmProducts<A, B, C> products, std::int64_t per_chunk,
                                           int chunks, SpgemmTermBlock* blocks, TermsChunks* to)
{
  std::int64_t const n = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  auto const& a = products.a;
  if (n < blocks_of_terms(products.count))
  {
    std::int64_t const begin = n * products.per_block;
    std::int64_t const behind = min(begin + products.per_block, products.count);
    std::int64_t const row = products.row_of(begin), last_row = products.row_of(behind - 1);
    auto const first = static_cast<std::int64_t>(a.offsets[row]);
    products.block_rows[n] = row;
    blocks[n].first = static_cast<std::uint32_t>(first);
    atomicMax(&to->longest, static_cast<unsigned long long>(
                                static_cast<std::int64_t>(a.offsets[last_row + 1]) - first));
    if (behind == products.count)
    {
      products.block_rows[n + 1] = last_row;
      blocks[n + 1] = {static_cast<std::int64_t>(products.c.offsets[a.rows]), products.count, 0};
    }
  }
  if (n <= chunks)
  {
    std::int64_t const row = impl::partition_point(std::int64_t(0), a.rows, [&](std::int64_t i) {
      return n == chunks || products.begin_of_row(i) < n * per_chunk;
    });
    to->begins[n] = {row, products.begin_of_row(row),
                     static_cast<std::int64_t>(products.c.offsets[row])};
  }
  std::int64_t const threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = n; i < a.rows; i += threads)
  {
    std::int64_t const begin = products.begin_of_row(i);
    if (products.begin_of_row(i + 1) - begin > spgemm_terms_policy.products_of_sorted_row ||
        static_cast<std::int64_t>(a.offsets[i + 1] - a.offsets[i]) >
            spgemm_terms_policy.entries_of_sorted_row)
      to->has_long_rows[begin / per_chunk] = 1;
  }
}

// What is found of the products of a chunk: their entries of C, from the chunk's first, and terms.
struct FoundTerms
{
  impl::KeyedIndices<std::uint32_t, int> by_entry; // entries, and numbers of products
  SpgemmTerm* terms;                               // by number

  // With what sorting takes.
  static constexpr std::size_t bytes_of_product =
      sizeof(SpgemmTerm) + 2 * (sizeof(std::uint32_t) + sizeof(int));
};

// take(product, entry of A, entry of B, entry of C) for the products first .. last - 1, of rows
// from `row` to rows - 1: the next one's column is near in C.
template <class A, class B, class C, class Take>
__device__ void take_products(SpgemmProducts<A, B, C> const& products, std::int64_t row,
                              std::int64_t rows, std::int64_t first, std::int64_t last,
                              Take const& take)
{
  A const& a = products.a;
  B const& b = products.b;
  C const& c = products.c;
  std::int64_t const* const offsets = products.offsets;
  auto const product_of_row = [&](std::int64_t r) { return products.begin_of_row(r); };
  auto const product_of = [&](std::int64_t k) { return offsets[k]; };
  std::int64_t i = impl::last_not_above_from(row, product_of_row, rows, first);
  auto end_of_row = static_cast<std::int64_t>(a.offsets[i + 1]);
  std::int64_t k = impl::last_not_above_from(static_cast<std::int64_t>(a.offsets[i]), product_of,
                                             end_of_row, first);
  std::int64_t of_next = offsets[k + 1];
  std::int64_t e = static_cast<std::int64_t>(b.begin_of(a.columns[k])) + first - offsets[k];
  auto const* columns = c.columns + c.offsets[i];
  int width = static_cast<int>(c.offsets[i + 1] - c.offsets[i]);
  int at = 0;
  for (std::int64_t t = first; t < last; ++t, ++e)
  {
    if (t == of_next)
    {
      if (t == offsets[end_of_row])
      {
        i = impl::last_not_above_from(i + 1, product_of_row, rows, t);
        k = static_cast<std::int64_t>(a.offsets[i]) - 1;
        end_of_row = static_cast<std::int64_t>(a.offsets[i + 1]);
        columns = c.columns + c.offsets[i];
        width = static_cast<int>(c.offsets[i + 1] - c.offsets[i]);
      }
      k = impl::last_not_above_from(k + 1, product_of, end_of_row, t);
      of_next = offsets[k + 1];
      e = static_cast<std::int64_t>(b.begin_of(a.columns[k]));
      at = 0;
    }
    auto const column = b.columns[e];
    at = impl::last_not_above_from(
        columns[at] <= column ? at : 0, [&](int m) { return columns[m]; }, width, column);
    take(t, k, e, columns + at - c.columns);
  }
}

// A block finds the products of a block of terms that are in the chunk, a thread some in a row.
template <class A, class B, class C>
__global__ void __launch_bounds__(spgemm_terms_policy.threads_per_block)
    spgemm_find_terms_kernel(SpgemmProducts<A, B, C> products, TermsChunk chunk, TermsChunk next,
                             std::int64_t first_block, FoundTerms found)
{
  constexpr int per_block = spgemm_terms_policy.terms_of_block;
  constexpr int per_thread = per_block / spgemm_terms_policy.threads_per_block;
  __shared__ std::uint32_t entries[per_block];
  __shared__ SpgemmTerm terms[per_block];
  std::int64_t const n = first_block + blockIdx.x, begin_of_block = n * per_block;
  std::int64_t const begin = max(begin_of_block, chunk.product);
  std::int64_t const end = min(begin_of_block + per_block, next.product);
  std::int64_t const first = max(begin_of_block + threadIdx.x * per_thread, begin);
  std::int64_t const last = min(begin_of_block + (threadIdx.x + std::int64_t(1)) * per_thread, end);
  if (first < last)
    take_products(products, products.block_rows[n], products.block_rows[n + 1] + 1, first, last,
                  [&](std::int64_t t, std::int64_t k, std::int64_t e, std::int64_t entry) {
                    int const here = static_cast<int>(t - begin_of_block);
                    entries[here] = static_cast<std::uint32_t>(entry - chunk.entry);
                    terms[here] = {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(e)};
                  });
  __syncthreads();
  for (std::int64_t t = begin + threadIdx.x; t < end; t += blockDim.x)
  {
    std::int64_t const to = t - chunk.product;
    found.by_entry.keys[to] = entries[t - begin_of_block];
    found.by_entry.indices[to] = static_cast<int>(to);
    found.terms[to] = terms[t - begin_of_block];
  }
}

template <class Index>
struct PlacedTerms
{
  Index* a;
  std::uint32_t* b;
  std::uint16_t* starts;
  SpgemmTermBlock* blocks;
  // Page-locked: set where an entry has more than terms_to_cut terms behind the block they begin
  // in.
  int* has_cut_entries;
  std::int64_t terms_to_cut;

  // The term with number t among all, of an entry of C, and what begins with it. end() tells where
  // the terms of the entry end.
  template <class End>
  __device__ void place(std::int64_t t, SpgemmTerm term, std::int64_t entry, bool is_first,
                        End const& end) const
  {
    constexpr int per_block = spgemm_terms_policy.terms_of_block;
    std::int64_t const block = t / per_block;
    a[t] = static_cast<Index>(term.a - blocks[block].first);
    b[t] = term.b;
    if (is_first)
      starts[entry] = static_cast<std::uint16_t>(t - block * per_block);
    if (t != block * per_block)
      return;
    std::int64_t const begin = is_first ? t : end();
    blocks[block].entry = is_first ? entry : entry + 1;
    blocks[block].begin = begin;
    if (begin - t > terms_to_cut)
      *has_cut_entries = 1;
  }
};

// Terms of a chunk that are sorted by entry, a block those of a block of terms.
template <class Index>
__global__ void __launch_bounds__(spgemm_terms_policy.threads_per_block)
    spgemm_place_terms_kernel(FoundTerms found, TermsChunk chunk, TermsChunk next,
                              std::int64_t first_block, PlacedTerms<Index> to)
{
  constexpr int per_block = spgemm_terms_policy.terms_of_block;
  std::int64_t const begin_of_block = (first_block + blockIdx.x) * per_block;
  std::int64_t const last = min(begin_of_block + per_block, next.product);
  for (std::int64_t t = max(begin_of_block, chunk.product) + threadIdx.x; t < last; t += blockDim.x)
  {
    auto const entry_of = [&](std::int64_t n) { return found.by_entry.keys[n - chunk.product]; };
    std::uint32_t const entry = entry_of(t);
    to.place(t, found.terms[found.by_entry.indices[t - chunk.product]], chunk.entry + entry,
             t == chunk.product || entry_of(t - 1) != entry, [&] {
               return impl::partition_point(t + 1, next.product, [&](std::int64_t later) {
                 return entry_of(later) == entry;
               });
             });
  }
}

// What a block has that finds, sorts and places: the products of rows that begin in a block of
// terms. They are sorted by counting: how many an entry of C has, and how many of these are before
// a product.
struct SortedTerms
{
  static constexpr int threads = 512;
  static constexpr int most =
      spgemm_terms_policy.terms_of_block + spgemm_terms_policy.products_of_sorted_row;
  static constexpr int of_thread = most / threads;
  static constexpr int blocks_of_multiprocessor = 3; // by memory on sm_90
  using Number = std::uint16_t;

  SpgemmTerm terms[most]; // of products, which count from the first of the block
  Number entries[most];   // of C, from the first of the block, of products
  Number by_entry[most];  // products
  int starts[most + 1];   // in by_entry, of entries
  Team<threads>::Memory sums;
  std::int64_t rows[2];
};
static_assert(SortedTerms::most % SortedTerms::threads == 0 && SortedTerms::most <= 1 << 15);

template <class Index, class A, class B, class C>
__global__ void __launch_bounds__(SortedTerms::threads, SortedTerms::blocks_of_multiprocessor)
    spgemm_sort_terms_kernel(SpgemmProducts<A, B, C> products, TermsChunk chunk, TermsChunk next,
                             std::int64_t first_block, PlacedTerms<Index> to)
{
  using Number = SortedTerms::Number;
  constexpr int per_block = spgemm_terms_policy.terms_of_block;
  constexpr int threads = SortedTerms::threads, of_thread = SortedTerms::of_thread;
  auto& memory = *reinterpret_cast<SortedTerms*>(dynamic_shared());
  int const thread = static_cast<int>(threadIdx.x);
  std::int64_t const n = first_block + blockIdx.x;
  for (int entry = thread; entry <= SortedTerms::most; entry += threads)
    memory.starts[entry] = 0;
  if (thread < 2)
  {
    std::int64_t const bound =
        thread == 0 ? max(n * per_block, chunk.product) : min((n + 1) * per_block, next.product);
    memory.rows[thread] =
        impl::partition_point(products.block_rows[n], products.block_rows[n + 1] + 1,
                              [&](std::int64_t i) { return products.begin_of_row(i) < bound; });
  }
  __syncthreads();
  std::int64_t const row = memory.rows[0], rows = memory.rows[1];
  std::int64_t const begin = products.begin_of_row(row);
  int const count = static_cast<int>(products.begin_of_row(rows) - begin);
  if (count == 0)
    return;
  auto const first_entry = static_cast<std::int64_t>(products.c.offsets[row]);

  // by_entry is first how many of its entry were counted before a product.
  int const first = thread * of_thread, last = min(first + of_thread, count);
  if (first < last)
    take_products(
        products, row, rows, begin + first, begin + last,
        [&](std::int64_t t, std::int64_t k, std::int64_t e, std::int64_t entry) {
          auto const product = static_cast<int>(t - begin);
          auto const of_c = static_cast<int>(entry - first_entry);
          memory.terms[product] = {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(e)};
          memory.entries[product] = static_cast<Number>(of_c);
          memory.by_entry[product] = static_cast<Number>(atomicAdd(&memory.starts[of_c], 1));
        });
  __syncthreads();
  int counts[of_thread], sum = 0, total = 0;
#pragma unroll
  for (int m = 0; m < of_thread; ++m)
    sum += counts[m] = memory.starts[first + m];
  sum = Team<threads>::exclusive_sum(sum, total, memory.sums);
#pragma unroll
  for (int m = 0; m < of_thread; ++m)
  {
    memory.starts[first + m] = sum;
    sum += counts[m];
  }
  if (thread == 0)
    memory.starts[SortedTerms::most] = count;
  __syncthreads();
  int places[of_thread];
#pragma unroll
  for (int m = 0; m < of_thread; ++m)
    if (int const product = m * threads + thread; product < count)
      places[m] = memory.starts[memory.entries[product]] + memory.by_entry[product];
  __syncthreads();
#pragma unroll
  for (int m = 0; m < of_thread; ++m)
    if (int const product = m * threads + thread; product < count)
      memory.by_entry[places[m]] = static_cast<Number>(product);
  __syncthreads();
  // Those of an entry are in the order in which they were counted, which is another each time.
  for (int m = thread; m < count; m += threads)
  {
    int const product = memory.by_entry[m], entry = memory.entries[product];
    int const start = memory.starts[entry], end = memory.starts[entry + 1];
    int before = 0;
    for (int other = start; other < end; ++other)
      before += memory.by_entry[other] < product ? 1 : 0;
    to.place(begin + start + before, memory.terms[product], first_entry + entry, before == 0,
             [&] { return begin + end; });
  }
}

// What a plan keeps of terms, in device memory.
struct RecordedTerms
{
  // Of A's entries, in as many bits as they need.
  KeptMemory<std::uint16_t> short_a = {};
  KeptMemory<std::uint32_t> long_a = {};
  KeptMemory<std::uint32_t> b = {};
  KeptMemory<std::uint16_t> starts = {};
  KeptMemory<SpgemmTermBlock> blocks = {};
  // Not 0 where entries of C are cut. Kernels write to it, and the plan waits for them.
  std::shared_ptr<int> has_cut_entries = {};

  bool are_there() const { return b.size() > 0; }
  std::size_t bytes() const
  {
    return short_a.bytes() + long_a.bytes() + b.bytes() + starts.bytes() + blocks.bytes();
  }
  template <class Index>
  KeptMemory<Index>& of_a()
  {
    if constexpr (sizeof(Index) == sizeof(std::uint16_t))
      return short_a;
    else
      return long_a;
  }
};

// How the terms of a product are recorded, and the bytes that takes.
struct TermsSizes
{
  std::int64_t entries_of_a, entries, products;

  int chunks() const
  {
    return static_cast<int>(std::min<std::int64_t>(
        TermsChunks::most, blocks_for(products, spgemm_terms_policy.products_of_chunk)));
  }
  std::size_t bytes_kept(std::size_t bytes_of_index) const
  {
    return static_cast<std::size_t>(products) * (bytes_of_index + sizeof(std::uint32_t)) +
           static_cast<std::size_t>(entries) * sizeof(std::uint16_t) +
           (static_cast<std::size_t>(blocks_of_terms(products)) + 1) * sizeof(SpgemmTermBlock);
  }
  // Beside that, where products_of_chunk is the largest number of products of a chunk.
  std::size_t bytes_of_scratch(std::int64_t products_of_chunk) const
  {
    return static_cast<std::size_t>(entries_of_a + blocks_of_terms(products) + 2) *
               sizeof(std::int64_t) +
           static_cast<std::size_t>(products_of_chunk) * FoundTerms::bytes_of_product;
  }
  // Of both, where all products are in one chunk.
  std::size_t most_bytes() const
  {
    return bytes_kept(sizeof(std::uint32_t)) + bytes_of_scratch(products);
  }
};

// Where products of a chunk are found and sorted: room for as many as a chunk has at most.
class TermsScratch
{
public:
  TermsScratch(Kokkos::Cuda const& exec, std::size_t products)
      : m_terms(exec, products)
      , m_keys(exec, 2 * products)
      , m_indices(exec, 2 * products)
  {}
  FoundTerms unsorted() const { return {{m_keys.data(), m_indices.data()}, m_terms.data()}; }
  FoundTerms sorted(Kokkos::Cuda const& exec, TermsChunk const& chunk, TermsChunk const& next) const
  {
    std::size_t const half = m_terms.size();
    return {impl::SortPairs<std::uint32_t, int>::run(
                exec, unsorted().by_entry, {m_keys.data() + half, m_indices.data() + half},
                next.entry - chunk.entry, next.product - chunk.product),
            m_terms.data()};
  }

private:
  impl::Scratch<SpgemmTerm, Kokkos::Cuda> m_terms;
  impl::Scratch<std::uint32_t, Kokkos::Cuda> m_keys;
  impl::Scratch<int, Kokkos::Cuda> m_indices;
};

// most_products: of a chunk.
template <class Index, class A, class B, class C>
void record_terms(Kokkos::Cuda const& exec, SpgemmProducts<A, B, C> const& products,
                  TermsChunks const& chunks, int count, std::int64_t most_products,
                  RecordedTerms& result)
{
  result.of_a<Index>() = {exec, static_cast<std::size_t>(products.count)};
  PlacedTerms<Index> const placed{
      result.of_a<Index>().data(),  result.b.data(),
      result.starts.data(),         result.blocks.data(),
      result.has_cut_entries.get(), terms_to_cut(device_shape(exec), products.count)};
  std::optional<TermsScratch> scratch;
  for (int n = 0; n < count; ++n)
  {
    TermsChunk const &chunk = chunks.begins[n], &next = chunks.begins[n + 1];
    if (chunk.product == next.product)
      continue;
    std::int64_t const first = chunk.product / spgemm_terms_policy.terms_of_block;
    Grid grid{blocks_of_terms(next.product) - first, spgemm_terms_policy.threads_per_block};
    if (chunks.has_long_rows[n] == 0)
    {
      grid.threads_per_block = SortedTerms::threads;
      grid.shared_bytes = sizeof(SortedTerms);
      launch(exec, "heddle::spgemm::sort_terms", spgemm_sort_terms_kernel<Index, A, B, C>, grid,
             products, chunk, next, first, placed);
      continue;
    }
    if (!scratch)
      scratch.emplace(exec, static_cast<std::size_t>(most_products));
    launch(exec, "heddle::spgemm::find_terms", spgemm_find_terms_kernel<A, B, C>, grid, products,
           chunk, next, first, scratch->unsorted());
    launch(exec, "heddle::spgemm::place_terms", spgemm_place_terms_kernel<Index>, grid,
           scratch->sorted(exec, chunk, next), chunk, next, first, placed);
  }
}

// The terms of all entries of C, whose offsets and columns are there; nothing if recording takes
// more bytes than there is room for. Waits for exec.
template <class A, class B, class C>
std::optional<RecordedTerms> recorded_terms(Kokkos::Cuda const& exec, A const& a, B const& b,
                                            C const& c, TermsSizes const& sizes, std::size_t room)
{
  auto const bytes_needed = [&](std::size_t bytes_of_index, std::int64_t products_of_chunk) {
    return sizes.bytes_kept(bytes_of_index) + sizes.bytes_of_scratch(products_of_chunk);
  };
  constexpr int rows_of_thread = 8;
  int const chunks = sizes.chunks();
  std::int64_t const per_chunk = blocks_for(sizes.products, chunks);
  if (bytes_needed(sizeof(std::uint16_t), per_chunk) > room)
    return {};
  using Words = PinnedWords::Word;
  static_assert(sizeof(TermsChunks) <= PinnedWords::most * sizeof(Words));
  auto const blocks = static_cast<std::size_t>(blocks_of_terms(sizes.products));
  impl::Scratch<std::int64_t, Kokkos::Cuda> const offsets(
      exec, static_cast<std::size_t>(sizes.entries_of_a) + 1),
      block_rows(exec, blocks + 1);
  offsets_from_counts(exec,
                      ProductsOfEntries<A, B>{a, b, static_cast<std::size_t>(sizes.entries_of_a)},
                      offsets.view());
  SpgemmProducts<A, B, C> const products{
      a, b, c, sizes.products, offsets.data(), block_rows.data()};
  RecordedTerms result;
  result.blocks = {exec, blocks + 1};
  result.has_cut_entries = impl::PinnedFlags::take();
  impl::Scratch<Words, Kokkos::Cuda> const words(exec, sizeof(TermsChunks) / sizeof(Words));
  Kokkos::deep_copy(exec, words.view(), Words(0));
  launch(exec, "heddle::spgemm::divide_terms", spgemm_divide_terms_kernel<A, B, C>,
         one_thread_each(std::max({blocks_of_terms(sizes.products), std::int64_t(chunks) + 1,
                                   blocks_for(a.rows, rows_of_thread)})),
         products, per_chunk, chunks, result.blocks.data(),
         reinterpret_cast<TermsChunks*>(words.data()));
  PinnedWords const host(exec, words.view(), "heddle::spgemm::terms"); // waits
  auto const& found = *reinterpret_cast<TermsChunks const*>(host.data());

  std::int64_t most_products = 0;
  for (int n = 0; n < chunks; ++n)
    most_products = std::max(most_products, found.begins[n + 1].product - found.begins[n].product);
  bool const is_short = found.longest <= std::numeric_limits<std::uint16_t>::max();
  std::size_t const bytes =
      bytes_needed(is_short ? sizeof(std::uint16_t) : sizeof(std::uint32_t), most_products);
  if (bytes > room || !std::in_range<int>(most_products) ||
      found.begins[chunks].product != sizes.products)
    return {};
  result.b = {exec, static_cast<std::size_t>(sizes.products)};
  result.starts = {exec, static_cast<std::size_t>(sizes.entries)};
  if (is_short)
    record_terms<std::uint16_t>(exec, products, found, chunks, most_products, result);
  else
    record_terms<std::uint32_t>(exec, products, found, chunks, most_products, result);
  return result;
}

// The numeric phase by recorded terms: repeatable. Asynchronous.
template <class A, class B, class C>
void sum_terms(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c,
               RecordedTerms const& recorded)
{
  using Sum = typename C::value_type;
  auto const blocks = static_cast<std::int64_t>(recorded.blocks.size()) - 1;
  bool const has_cut_entries = *recorded.has_cut_entries != 0;
  impl::Scratch<Sum, Kokkos::Cuda> const parts(
      exec, has_cut_entries ? static_cast<std::size_t>(blocks) : 0);
  Grid const grid{blocks, spgemm_terms_policy.threads_per_block};
  auto const sum = [&]<class Index>(KeptMemory<Index> const& of_a) {
    launch(exec, "heddle::spgemm::sum_terms", spgemm_sum_terms_kernel<Index, A, B, C>, grid, a, b,
           c,
           SpgemmTerms<Index>{of_a.data(), recorded.b.data(), recorded.starts.data(),
                              recorded.blocks.data()},
           parts.data());
  };
  if (recorded.short_a.size() > 0)
    sum(recorded.short_a);
  else
    sum(recorded.long_a);
  if (!has_cut_entries)
    return;
  Grid second = one_thread_each(blocks * warp_size);
  second.starts_early = true;
  launch(exec, "heddle::spgemm::add_parts", spgemm_add_parts_kernel<C>, second, c,
         recorded.blocks.data(), blocks, parts.data());
}

} // namespace heddle::cuda_native
