// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/sort.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace heddle::test
{

namespace
{

// n keys in 0 .. bound - 1, both ends among them.
template <class Key>
std::vector<Key> random_keys(std::int64_t n, std::int64_t bound, std::uint64_t seed)
{
  Random random(seed);
  std::vector<Key> keys(static_cast<std::size_t>(n));
  for (Key& key : keys)
    key = static_cast<Key>(random.below(bound));
  if (n > 1)
  {
    keys[static_cast<std::size_t>(n / 2)] = static_cast<Key>(bound - 1);
    keys[static_cast<std::size_t>(n / 3)] = 0;
  }
  return keys;
}

// Positions 0 .. n - 1, shuffled: an order that an earlier sort left.
template <class Index>
std::vector<Index> random_order(std::int64_t n, std::uint64_t seed)
{
  Random random(seed);
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index(0));
  for (std::int64_t i = n; i > 1; --i)
    std::swap(order[static_cast<std::size_t>(i - 1)],
              order[static_cast<std::size_t>(random.below(i))]);
  return order;
}

template <class Key, class Index>
void check_order(std::vector<Key> const& keys, std::vector<Index> expected,
                 std::vector<Index> const& sorted)
{
  std::stable_sort(expected.begin(), expected.end(), [&](Index i, Index j) {
    return keys[static_cast<std::size_t>(i)] < keys[static_cast<std::size_t>(j)];
  });
  CHECK(sorted == expected);
}

template <class Key, class Index, class Exec>
void check_sort(Exec const& exec, std::int64_t n, std::int64_t bound)
{
  INFO(n << " keys below " << bound);
  using Space = typename Exec::memory_space;
  auto const keys = random_keys<Key>(n, bound, static_cast<std::uint64_t>(n + bound));
  auto const before = random_order<Index>(n, static_cast<std::uint64_t>(n));
  auto const order = to_view<Index, Space>(before);
  Kokkos::View<Key const*, Space> const device_keys = to_view<Key, Space>(keys);
  impl::stable_sort_by_key(exec, device_keys, bound, order);
  exec.fence();
  check_order(keys, before, to_vector(order));
}

// Few keys: counted; above 4 n: merged.
template <class Key, class Index, class Exec>
void check_sorts(Exec const& exec)
{
  for (std::int64_t const n : {0, 1, 2, 3, 31, 32, 33, 255, 1000})
  {
    for (std::int64_t const bound : {1, 2, 7, 1 << 20})
      check_sort<Key, Index>(exec, n, bound);
    if (n > 0)
      for (std::int64_t const bound : {n, 4 * n, 4 * n + 1})
        check_sort<Key, Index>(exec, n, bound);
  }
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("stable_sort_by_key sorts keys and positions of any width", "[sort]",
                        Spaces)
{
  check_sorts<std::int32_t, std::int32_t>(TestType{});
  check_sorts<std::int32_t, std::size_t>(TestType{});
  check_sorts<std::int64_t, std::int64_t>(TestType{});
  check_sorts<std::int64_t, std::int32_t>(TestType{});
}

TEMPLATE_LIST_TEST_CASE("stable_sort_by_key cuts work for any number of threads", "[sort]", Spaces)
{
  check_sorts<std::int32_t, std::size_t>(instance_of_five<TestType>());
}

TEMPLATE_LIST_TEST_CASE("stable_sort_by_key takes more than 2^16 keys", "[sort]", Spaces)
{
  auto const exec = instance_of_five<TestType>();
  std::int64_t const n = 70001;
  for (std::int64_t const bound : {std::int64_t(3), n, 4 * n, 4 * n + 1})
    check_sort<std::int32_t, std::int32_t>(exec, n, bound);
  check_sort<std::int32_t, std::size_t>(exec, n, std::int64_t(1) << 31);
  check_sort<std::int64_t, std::int64_t>(exec, n, std::int64_t(1) << 40);
}

TEMPLATE_LIST_TEST_CASE("stable_sort_by_key sorts part of the entries", "[sort]", Spaces)
{
  using Space = typename TestType::memory_space;
  std::vector<int> const keys{5, 3, 5, 0, 3, 9, 5};
  std::vector<int> const before{6, 2, 4, 1}; // keys 5, 5, 3, 3
  auto const order = to_view<int, Space>(before);
  heddle::impl::stable_sort_by_key(TestType{}, to_view<int, Space>(keys), 10, order);
  TestType{}.fence();
  CHECK(to_vector(order) == std::vector<int>{4, 1, 6, 2});
}

TEMPLATE_LIST_TEST_CASE("stable_sort_by_key leaves equal keys as they are", "[sort]", Spaces)
{
  using Space = typename TestType::memory_space;
  auto const before = random_order<int>(5000, 3);
  auto const order = to_view<int, Space>(before);
  auto const keys = to_view<int, Space>(std::vector<int>(5000, 0));
  for (std::int64_t const bound : {1, 2, 1000000})
  {
    heddle::impl::stable_sort_by_key(TestType{}, keys, bound, order);
    TestType{}.fence();
    CHECK(to_vector(order) == before);
  }
}

#if defined(KOKKOS_ENABLE_CUDA)
TEST_CASE("SortPairs sorts keys and what goes with them", "[sort]")
{
  using Space = Kokkos::CudaSpace;
  using Pairs = heddle::impl::KeyedIndices<std::uint32_t, int>;
  Kokkos::Cuda const exec;
  for (std::int64_t const n : {1, 2, 1000, 70001})
    for (std::int64_t const bound : {1, 2, 1000, 1 << 20})
    {
      INFO(n << " keys below " << bound);
      auto const keys = random_keys<std::uint32_t>(n, bound, 81);
      std::vector<int> numbers(keys.size());
      std::iota(numbers.begin(), numbers.end(), 0);
      auto const first_keys = to_view<std::uint32_t, Space>(keys);
      auto const other_keys = to_view<std::uint32_t, Space>(keys);
      auto const first = to_view<int, Space>(numbers), other = to_view<int, Space>(numbers);
      Pairs const sorted = heddle::impl::SortPairs<std::uint32_t, int>::run(
          exec, {first_keys.data(), first.data()}, {other_keys.data(), other.data()}, bound, n);
      exec.fence();
      REQUIRE((sorted.keys == first_keys.data() || sorted.keys == other_keys.data()));
      REQUIRE((sorted.indices == first.data() || sorted.indices == other.data()));
      auto const order = to_vector(sorted.indices == first.data() ? first : other);
      check_order(keys, numbers, order);
      auto const by_order = to_vector(sorted.keys == first_keys.data() ? first_keys : other_keys);
      for (std::size_t i = 0; i < order.size(); ++i)
        REQUIRE(by_order[i] == keys[static_cast<std::size_t>(order[i])]);
    }
}
#endif
