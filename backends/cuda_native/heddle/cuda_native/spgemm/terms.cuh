// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a plan of SpGEMM keeps for the numeric phase by terms (spgemm/numeric_terms.cuh), and how it
// is found, in chunks of whole rows of C with about products_of_chunk products:
//   find    each product's entries of A and B, in the order of A's entries, and its entry of C
//   sort    products by their entry of C, in that order where they have the same
//   place   terms and where those of an entry begin

#include <heddle/cuda_native/device/launch.cuh>
#include <heddle/cuda_native/device/pinned_words.cuh>
#include <heddle/cuda_native/spgemm/numeric_terms.cuh>
#include <heddle/cuda_native/spgemm/row_offsets.cuh>
#include <heddle/cuda_native/spgemm/terms_policy.hpp>
#include <heddle/impl/memory.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/search.hpp>
#include <heddle/impl/sort.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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
  __host__ __device__ std::int64_t blocks() const { return (count + per_block - 1) / per_block; }
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
  if (n < products.blocks())
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
}

// What is found of the products of a chunk: their entries of C, from the chunk's first, and terms.
struct FoundTerms
{
  int* entries;
  int* order; // of products, by entry, when it is sorted
  SpgemmTerm* terms;
};

// A block finds the products of a block of terms that are in the chunk, a thread some in a row:
// the next one's column is near in C.
template <class A, class B, class C>
__global__ void __launch_bounds__(spgemm_terms_policy.threads_per_block)
    spgemm_find_terms_kernel(SpgemmProducts<A, B, C> products, TermsChunk chunk, TermsChunk next,
                             std::int64_t first_block, FoundTerms found)
{
  constexpr int per_block = spgemm_terms_policy.terms_of_block;
  constexpr int per_thread = per_block / spgemm_terms_policy.threads_per_block;
  __shared__ int entries[per_block];
  __shared__ SpgemmTerm terms[per_block];
  A const& a = products.a;
  B const& b = products.b;
  C const& c = products.c;
  std::int64_t const* const offsets = products.offsets;
  std::int64_t const n = first_block + blockIdx.x, begin_of_block = n * per_block;
  std::int64_t const begin = max(begin_of_block, chunk.product);
  std::int64_t const end = min(begin_of_block + per_block, next.product);
  std::int64_t const first = max(begin_of_block + threadIdx.x * per_thread, begin);
  std::int64_t const last = min(begin_of_block + (threadIdx.x + std::int64_t(1)) * per_thread, end);
  if (first < last)
  {
    std::int64_t const rows = products.block_rows[n + 1] + 1; // behind those of the block
    auto const product_of_row = [&](std::int64_t r) { return products.begin_of_row(r); };
    auto const product_of = [&](std::int64_t k) { return offsets[k]; };
    std::int64_t i = impl::last_not_above_from(products.block_rows[n], product_of_row, rows, first);
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
      int const here = static_cast<int>(t - begin_of_block);
      entries[here] = static_cast<int>(columns + at - (c.columns + chunk.entry));
      terms[here] = {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(e)};
    }
  }
  __syncthreads();
  for (std::int64_t t = begin + threadIdx.x; t < end; t += blockDim.x)
  {
    std::int64_t const to = t - chunk.product;
    found.entries[to] = entries[t - begin_of_block];
    found.terms[to] = terms[t - begin_of_block];
    found.order[to] = static_cast<int>(to);
  }
}

template <class Index>
struct PlacedTerms
{
  Index* a;
  std::uint32_t* b;
  std::uint16_t* starts;
  SpgemmTermBlock* blocks;
};

// Terms of a chunk, a block those of a block of terms.
template <class Index>
__global__ void __launch_bounds__(spgemm_terms_policy.threads_per_block)
    spgemm_place_terms_kernel(FoundTerms found, TermsChunk chunk, TermsChunk next,
                              std::int64_t first_block, PlacedTerms<Index> to)
{
  constexpr int per_block = spgemm_terms_policy.terms_of_block;
  std::int64_t const n = first_block + blockIdx.x, begin_of_block = n * per_block;
  std::int64_t const end = min(begin_of_block + per_block, next.product);
  auto const entry_of = [&](std::int64_t t) {
    return found.entries[found.order[t - chunk.product]];
  };
  for (std::int64_t t = max(begin_of_block, chunk.product) + threadIdx.x; t < end; t += blockDim.x)
  {
    int const entry = entry_of(t);
    SpgemmTerm const term = found.terms[found.order[t - chunk.product]];
    bool const is_first = t == chunk.product || entry_of(t - 1) != entry;
    to.a[t] = static_cast<Index>(term.a - to.blocks[n].first);
    to.b[t] = term.b;
    if (is_first)
      to.starts[chunk.entry + entry] = static_cast<std::uint16_t>(t - begin_of_block);
    if (t == begin_of_block)
    {
      to.blocks[n].entry = chunk.entry + entry + (is_first ? 0 : 1);
      to.blocks[n].begin =
          is_first ? t : impl::partition_point(t + 1, next.product, [&](std::int64_t later) {
            return entry_of(later) == entry;
          });
    }
  }
}

// What a plan keeps of terms, in device memory.
struct RecordedTerms
{
  template <class T>
  using View = Kokkos::View<T*, Kokkos::CudaSpace>;
  // Of A's entries, in as many bits as they need.
  View<std::uint16_t> short_a = {};
  View<std::uint32_t> long_a = {};
  View<std::uint32_t> b = {};
  View<std::uint16_t> starts = {};
  View<SpgemmTermBlock> blocks = {};

  bool are_there() const { return b.extent(0) > 0; }
  std::size_t bytes() const
  {
    return short_a.span() * sizeof(std::uint16_t) +
           (long_a.span() + b.span()) * sizeof(std::uint32_t) +
           starts.span() * sizeof(std::uint16_t) + blocks.span() * sizeof(SpgemmTermBlock);
  }
  template <class Index>
  View<Index>& of_a()
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

  std::int64_t blocks() const { return blocks_for(products, spgemm_terms_policy.terms_of_block); }
  int chunks() const
  {
    return static_cast<int>(std::min<std::int64_t>(
        TermsChunks::most, blocks_for(products, spgemm_terms_policy.products_of_chunk)));
  }
  std::size_t bytes_kept(std::size_t bytes_of_index) const
  {
    return static_cast<std::size_t>(products) * (bytes_of_index + sizeof(std::uint32_t)) +
           static_cast<std::size_t>(entries) * sizeof(std::uint16_t) +
           (static_cast<std::size_t>(blocks()) + 1) * sizeof(SpgemmTermBlock);
  }
  // Beside that, where products_of_chunk is the largest number of products of a chunk.
  std::size_t bytes_of_scratch(std::int64_t products_of_chunk) const
  {
    constexpr std::size_t to_sort = 4 * sizeof(int); // impl/sort.hpp
    return static_cast<std::size_t>(entries_of_a + blocks() + 2) * sizeof(std::int64_t) +
           static_cast<std::size_t>(products_of_chunk) *
               (sizeof(SpgemmTerm) + 2 * sizeof(int) + to_sort);
  }
};

template <class Index, class A, class B, class C>
void record_terms(Kokkos::Cuda const& exec, SpgemmProducts<A, B, C> const& products,
                  TermsChunks const& chunks, int count, std::int64_t most_products,
                  RecordedTerms& result)
{
  result.of_a<Index>() = impl::uninitialized<RecordedTerms::View<Index>>(
      exec, "heddle::spgemm::terms", static_cast<std::size_t>(products.count));
  PlacedTerms<Index> const placed{result.of_a<Index>().data(), result.b.data(),
                                  result.starts.data(), result.blocks.data()};
  auto const room = static_cast<std::size_t>(most_products);
  impl::Scratch<int, Kokkos::Cuda> const entries(exec, room), order(exec, room);
  impl::Scratch<SpgemmTerm, Kokkos::Cuda> const terms(exec, room);
  FoundTerms const found{entries.data(), order.data(), terms.data()};
  for (int n = 0; n < count; ++n)
  {
    TermsChunk const &chunk = chunks.begins[n], &next = chunks.begins[n + 1];
    if (chunk.product == next.product)
      continue;
    std::int64_t const first = chunk.product / spgemm_terms_policy.terms_of_block;
    Grid const grid{blocks_for(next.product, spgemm_terms_policy.terms_of_block) - first,
                    spgemm_terms_policy.threads_per_block};
    launch(exec, "heddle::spgemm::find_terms", spgemm_find_terms_kernel<A, B, C>, grid, products,
           chunk, next, first, found);
    std::pair const here(std::size_t(0), static_cast<std::size_t>(next.product - chunk.product));
    impl::stable_sort_by_key(exec, Kokkos::subview(entries.view(), here), next.entry - chunk.entry,
                             Kokkos::subview(order.view(), here));
    launch(exec, "heddle::spgemm::place_terms", spgemm_place_terms_kernel<Index>, grid, found,
           chunk, next, first, placed);
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
  int const chunks = sizes.chunks();
  std::int64_t const per_chunk = blocks_for(sizes.products, chunks);
  if (bytes_needed(sizeof(std::uint16_t), per_chunk) > room)
    return {};
  using Words = PinnedWords::Word;
  static_assert(sizeof(TermsChunks) <= PinnedWords::most * sizeof(Words));
  auto const blocks = static_cast<std::size_t>(sizes.blocks());
  impl::Scratch<std::int64_t, Kokkos::Cuda> const offsets(
      exec, static_cast<std::size_t>(sizes.entries_of_a) + 1),
      block_rows(exec, blocks + 1);
  offsets_from_counts(exec,
                      ProductsOfEntries<A, B>{a, b, static_cast<std::size_t>(sizes.entries_of_a)},
                      offsets.view());
  SpgemmProducts<A, B, C> const products{
      a, b, c, sizes.products, offsets.data(), block_rows.data()};
  RecordedTerms result;
  result.blocks = impl::uninitialized<RecordedTerms::View<SpgemmTermBlock>>(
      exec, "heddle::spgemm::term_blocks", blocks + 1);
  impl::Scratch<Words, Kokkos::Cuda> const words(exec, sizeof(TermsChunks) / sizeof(Words));
  Kokkos::deep_copy(exec, words.view(), Words(0));
  launch(exec, "heddle::spgemm::divide_terms", spgemm_divide_terms_kernel<A, B, C>,
         one_thread_each(std::max<std::int64_t>(sizes.blocks(), chunks + 1)), products, per_chunk,
         chunks, result.blocks.data(), reinterpret_cast<TermsChunks*>(words.data()));
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
  impl::require_available(exec, "spgemm", "what is kept for reuse", bytes);
  result.b = impl::uninitialized<RecordedTerms::View<std::uint32_t>>(
      exec, "heddle::spgemm::terms", static_cast<std::size_t>(sizes.products));
  result.starts = impl::uninitialized<RecordedTerms::View<std::uint16_t>>(
      exec, "heddle::spgemm::starts", static_cast<std::size_t>(sizes.entries));
  if (is_short)
    record_terms<std::uint16_t>(exec, products, found, chunks, most_products, result);
  else
    record_terms<std::uint32_t>(exec, products, found, chunks, most_products, result);
  return result;
}

// The numeric phase by recorded terms: in order, and repeatable. Asynchronous.
template <class A, class B, class C>
void sum_terms(Kokkos::Cuda const& exec, A const& a, B const& b, C const& c,
               RecordedTerms const& recorded)
{
  Grid const grid{static_cast<std::int64_t>(recorded.blocks.extent(0)) - 1,
                  spgemm_terms_policy.threads_per_block};
  auto const sum = [&]<class Index>(RecordedTerms::View<Index> const& of_a) {
    launch(exec, "heddle::spgemm::sum_terms", spgemm_sum_terms_kernel<Index, A, B, C>, grid, a, b,
           c,
           SpgemmTerms<Index>{of_a.data(), recorded.b.data(), recorded.starts.data(),
                              recorded.blocks.data()});
  };
  if (recorded.short_a.extent(0) > 0)
    sum(recorded.short_a);
  else
    sum(recorded.long_a);
}

} // namespace heddle::cuda_native
