// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One name for sorting by integer keys: CUB's radix sort on CUDA, a parallel counting sort on hosts
// (std::stable_sort where there are more keys than entries), and through the host on other devices.

#include <heddle/impl/operands.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/row_chunks.hpp>
#include <heddle/impl/scratch.hpp>

#include <Kokkos_Core.hpp>
#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::impl
{

template <class Exec, class Key, class Index>
void counting_sort(Exec const& exec, Key const* keys, std::int64_t bound, Index* order,
                   std::int64_t n)
{
  // Each chunk counts for itself; together the counters stay below four an entry.
  std::int64_t const chunks = std::clamp<std::int64_t>(4 * n / bound, 1, exec.concurrency());
  Scratch<Index, Exec> const counters(exec, static_cast<std::size_t>(chunks * bound));
  Scratch<Index, Exec> const before(exec, static_cast<std::size_t>(n));
  Index *const count = counters.data(), *const input = before.data();
  for_each_chunk(exec, "heddle::sort::count", chunks, [=](std::int64_t c) {
    Index* const mine = count + c * bound;
    std::fill(mine, mine + bound, Index(0));
    for (std::int64_t i = n * c / chunks; i < n * (c + 1) / chunks; ++i)
    {
      input[i] = order[i];
      ++mine[keys[order[i]]];
    }
  });
  Kokkos::parallel_scan("heddle::sort::scan", range(exec, bound),
                        [=](std::int64_t key, Index& sum, bool is_final) {
                          for (std::int64_t c = 0; c < chunks; ++c)
                          {
                            Index const here = count[c * bound + key];
                            if (is_final)
                              count[c * bound + key] = sum;
                            sum += here;
                          }
                        });
  for_each_chunk(exec, "heddle::sort::place", chunks, [=](std::int64_t c) {
    Index* const next = count + c * bound;
    for (std::int64_t i = n * c / chunks; i < n * (c + 1) / chunks; ++i)
      order[next[keys[input[i]]]++] = input[i];
  });
}

template <class Exec, class Key, class Index>
void sort_on_host(Exec const& exec, Key const* keys, std::int64_t bound, Index* order,
                  std::int64_t n)
{
  if (bound <= 4 * n)
    return counting_sort(exec, keys, bound, order, n);
  for_each_chunk(exec, "heddle::sort::stable_sort", 1, [=](std::int64_t) {
    std::stable_sort(order, order + n, [=](Index i, Index j) { return keys[i] < keys[j]; });
  });
}

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
// What radix_sort begins with for each entry: a functor, see scan.hpp.
template <class Key, class Index>
struct GatherKey
{
  using Bits = std::make_unsigned_t<Key>;
  Key const* keys;
  Index const* order;
  Bits* gathered;
  Index* order_before;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    order_before[i] = order[i];
    gathered[i] = static_cast<Bits>(keys[order[i]]);
  }
};

template <class Key, class Index>
void radix_sort(Kokkos::Cuda const& exec, Key const* keys, std::int64_t bound, Index* order,
                std::int64_t n)
{
  using Bits = std::make_unsigned_t<Key>;
  Scratch<Bits, Kokkos::Cuda> const before(exec, n), after(exec, n);
  Scratch<Index, Kokkos::Cuda> const order_before(exec, n);
  Index* const input = order_before.data();
  Kokkos::parallel_for("heddle::sort::gather", range(exec, n),
                       GatherKey<Key, Index>{keys, order, before.data(), input});
  int const bits = std::bit_width(static_cast<std::uint64_t>(bound - 1));
  std::size_t bytes = 0;
  require_cuda(cub::DeviceRadixSort::SortPairs(nullptr, bytes, before.data(), after.data(), input,
                                               order, n, 0, bits, exec.cuda_stream()),
               "cub::DeviceRadixSort");
  Scratch<char, Kokkos::Cuda> const temporary(exec, bytes);
  require_cuda(cub::DeviceRadixSort::SortPairs(temporary.data(), bytes, before.data(), after.data(),
                                               input, order, n, 0, bits, exec.cuda_stream()),
               "cub::DeviceRadixSort");
}
#endif

#if defined(KOKKOS_ENABLE_CUDA)
// Keys, and an index that goes with each.
template <class Key, class Index>
struct KeyedIndices
{
  Key* keys;
  Index* indices;
};

// CUB's radix sort by itself: compiled once by a library of instances.
template <class Key, class Index>
struct SortPairs
{
  // Sorts n pairs by their keys, which lie in 0 .. bound - 1; equal keys stay in their order. The
  // result is in one of the two, and the other is overwritten. Asynchronous.
  static KeyedIndices<Key, Index> run(Kokkos::Cuda const& exec, KeyedIndices<Key, Index> pairs,
                                      KeyedIndices<Key, Index> others, std::int64_t bound,
                                      std::int64_t n);
};

#if defined(__CUDACC__)
template <class Key, class Index>
KeyedIndices<Key, Index>
SortPairs<Key, Index>::run(Kokkos::Cuda const& exec, KeyedIndices<Key, Index> pairs,
                           KeyedIndices<Key, Index> others, std::int64_t bound, std::int64_t n)
{
  static_assert(std::is_unsigned_v<Key>);
  cub::DoubleBuffer<Key> keys(pairs.keys, others.keys);
  cub::DoubleBuffer<Index> indices(pairs.indices, others.indices);
  int const bits = std::bit_width(static_cast<std::uint64_t>(bound - 1));
  if (bits == 0)
    return pairs;
  std::size_t bytes = 0;
  require_cuda(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, indices, n, 0, bits,
                                               exec.cuda_stream()),
               "cub::DeviceRadixSort");
  Scratch<char, Kokkos::Cuda> const temporary(exec, bytes);
  require_cuda(cub::DeviceRadixSort::SortPairs(temporary.data(), bytes, keys, indices, n, 0, bits,
                                               exec.cuda_stream()),
               "cub::DeviceRadixSort");
  return {keys.Current(), indices.Current()};
}
#endif
#if defined(HEDDLE_USE_INSTANCES)
extern template struct SortPairs<std::uint32_t, int>;
extern template struct SortPairs<std::uint64_t, int>;
#endif
#endif

template <class Exec, class Key, class Index>
void sort_through_host(Exec const& exec, Key const* keys, std::int64_t bound, Index* order,
                       std::int64_t n)
{
  using Space = typename Exec::memory_space;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::DefaultHostExecutionSpace const host;
  Kokkos::View<Key const*, Space, Unmanaged> const device_keys(keys, n);
  Kokkos::View<Index*, Space, Unmanaged> const device_order(order, n);
  Kokkos::View<Key*, Kokkos::HostSpace> const host_keys("heddle::sort::keys", n);
  Kokkos::View<Index*, Kokkos::HostSpace> const host_order("heddle::sort::order", n);
  Kokkos::deep_copy(exec, host_keys, device_keys);
  Kokkos::deep_copy(exec, host_order, device_order);
  exec.fence("heddle::sort");
  sort_on_host(host, host_keys.data(), bound, host_order.data(), n);
  host.fence("heddle::sort");
  Kokkos::deep_copy(exec, device_order, host_order);
  exec.fence("heddle::sort");
}

// Compiled once by a library of instances: a radix sort costs every file that has one 8 s.
template <class Exec, class Key, class Index>
struct SortByKey
{
  static void run(Exec const& exec, Key const* keys, std::int64_t bound, Index* order,
                  std::int64_t n);
};

template <class Exec, class Key, class Index>
void SortByKey<Exec, Key, Index>::run(Exec const& exec, Key const* keys, std::int64_t bound,
                                      Index* order, std::int64_t n)
{
  if constexpr (is_host_v<Exec>)
    sort_on_host(exec, keys, bound, order, n);
#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
  else if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
    radix_sort(exec, keys, bound, order, n);
#endif
  else
    sort_through_host(exec, keys, bound, order, n);
}

#if defined(HEDDLE_USE_INSTANCES)
extern template struct SortByKey<Kokkos::DefaultExecutionSpace, int, int>;
extern template struct SortByKey<Kokkos::DefaultExecutionSpace, int, std::size_t>;
extern template struct SortByKey<Kokkos::DefaultExecutionSpace, std::int64_t, std::int64_t>;
#endif

// Rearranges order (positions in keys) so that keys(order(i)) never falls; equal keys stay in their
// order. Keys lie in 0 .. bound - 1. Asynchronous on CUDA and hosts.
template <class Exec, class Keys, class Order>
void stable_sort_by_key(Exec const& exec, Keys const& keys, std::int64_t bound, Order const& order)
{
  auto const n = static_cast<std::int64_t>(order.extent(0));
  if (n > 1 && bound > 1)
    SortByKey<Exec, typename Keys::non_const_value_type, typename Order::non_const_value_type>::run(
        exec, keys.data(), bound, order.data(), n);
}

} // namespace heddle::impl
