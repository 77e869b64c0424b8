// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/entry_order.hpp>
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
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

std::vector<int> rows_of_entries(Structure const& s)
{
  std::vector<int> rows;
  for (std::int64_t i = 0; i < s.rows; ++i)
    rows.insert(rows.end(), s.columns[i].size(), static_cast<int>(i));
  return rows;
}

template <class Exec>
void check_expand_rows(Exec const& exec, Structure const& s)
{
  INFO(s.name);
  auto const a = make_csr<DoubleCase<Exec>>(s);
  Kokkos::View<int*, typename Exec::memory_space> const rows("heddle::test::rows", a.nnz());
  impl::expand_rows(exec, a.row_offsets(), rows);
  exec.fence();
  CHECK(to_vector(rows) == rows_of_entries(s));
}

// offsets_of_sorted for these keys, whose order is found by the standard library.
template <class Exec>
std::vector<std::size_t> offsets_of_keys(Exec const& exec, std::vector<int> const& keys, int bound)
{
  using Space = typename Exec::memory_space;
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return keys[i] < keys[j]; });
  Kokkos::View<std::size_t*, Space> const offsets("heddle::test::offsets", bound + 1);
  Kokkos::deep_copy(offsets, 999);
  impl::offsets_of_sorted(exec, to_view<int, Space>(keys), to_view<int, Space>(order), offsets);
  exec.fence();
  return to_vector(offsets);
}

std::vector<std::size_t> expected_offsets(std::vector<int> const& keys, int bound)
{
  std::vector<std::size_t> offsets(static_cast<std::size_t>(bound) + 1, 0);
  for (int const key : keys)
    for (int j = key + 1; j <= bound; ++j)
      ++offsets[j];
  return offsets;
}

template <class Exec>
bool is_ascending(std::vector<std::size_t> const& offsets, std::vector<int> const& columns)
{
  using Space = typename Exec::memory_space;
  return impl::has_ascending_rows(Exec{}, to_view<std::size_t, Space>(offsets),
                                  to_view<int, Space>(columns));
}

template <class Exec>
void check_order_by_row_and_column(Exec const& exec, std::int64_t n, std::int64_t num_rows,
                                   std::int64_t num_cols)
{
  INFO(n << " entries in " << num_rows << " x " << num_cols);
  using Space = typename Exec::memory_space;
  Random random(static_cast<std::uint64_t>(n));
  std::vector<int> rows, columns, expected(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k)
  {
    rows.push_back(static_cast<int>(random.below(num_rows)));
    columns.push_back(static_cast<int>(random.below(num_cols)));
  }
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](int k, int l) {
    return std::pair(rows[k], columns[k]) < std::pair(rows[l], columns[l]);
  });
  Kokkos::View<int*, Space> const order("heddle::test::order", n);
  impl::order_by_row_and_column(exec, to_view<int, Space>(rows), num_rows,
                                to_view<int, Space>(columns), num_cols, order);
  exec.fence();
  CHECK(to_vector(order) == expected);
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("expand_rows names the row of every entry", "[entry_order]", Spaces)
{
  for (Structure const& s : structures())
    check_expand_rows(instance_of_five<TestType>(), s);
}

TEMPLATE_LIST_TEST_CASE("expand_rows takes a matrix without row offsets", "[entry_order]", Spaces)
{
  using Space = typename TestType::memory_space;
  heddle::impl::expand_rows(TestType{}, Kokkos::View<int const*, Space>{},
                            Kokkos::View<int*, Space>{});
  TestType{}.fence();
}

TEMPLATE_LIST_TEST_CASE("offsets_of_sorted finds where each key begins", "[entry_order]", Spaces)
{
  TestType const exec{};
  for (std::vector<int> const& keys :
       {std::vector<int>{}, {0}, {3}, {5}, {0, 0, 0}, {5, 5}, {4, 1, 1, 4, 0}, {2, 5, 3, 2}})
    CHECK(offsets_of_keys(exec, keys, 6) == expected_offsets(keys, 6));
  CHECK(offsets_of_keys(exec, {}, 0) == std::vector<std::size_t>{0});
  Random random(5);
  std::vector<int> keys(3000);
  for (int& key : keys)
    key = static_cast<int>(random.below(700));
  CHECK(offsets_of_keys(exec, keys, 700) == expected_offsets(keys, 700));
}

TEMPLATE_LIST_TEST_CASE("fill_with_positions counts up", "[entry_order]", Spaces)
{
  using Space = typename TestType::memory_space;
  for (std::size_t const n : {0, 1, 70000})
  {
    Kokkos::View<std::int64_t*, Space> const order("heddle::test::order", n);
    heddle::impl::fill_with_positions(TestType{}, order);
    TestType{}.fence();
    std::vector<std::int64_t> expected(n);
    std::iota(expected.begin(), expected.end(), std::int64_t(0));
    CHECK(to_vector(order) == expected);
  }
}

TEMPLATE_LIST_TEST_CASE("has_ascending_rows looks inside rows only", "[entry_order]", Spaces)
{
  CHECK(is_ascending<TestType>({0, 2, 5}, {1, 3, 0, 2, 9}));
  CHECK(is_ascending<TestType>({0, 2, 5}, {3, 3, 0, 2, 2})); // equal neighbours
  CHECK(is_ascending<TestType>({0, 0, 0}, {}));
  CHECK(is_ascending<TestType>({0}, {}));
  CHECK_FALSE(is_ascending<TestType>({0, 2, 5}, {3, 1, 0, 2, 9}));
  CHECK_FALSE(is_ascending<TestType>({0, 2, 5}, {1, 3, 0, 9, 2}));
  CHECK_FALSE(is_ascending<TestType>({0, 0, 2, 2}, {1, 0}));
  // A default-constructed matrix has no row offsets at all.
  CHECK(heddle::impl::has_ascending_rows(
      TestType{}, Kokkos::View<int const*, typename TestType::memory_space>{},
      Kokkos::View<int const*, typename TestType::memory_space>{}));
}

TEMPLATE_LIST_TEST_CASE("order_by_row_and_column is stable", "[entry_order]", Spaces)
{
  auto const exec = instance_of_five<TestType>();
  check_order_by_row_and_column(exec, 0, 4, 5);
  check_order_by_row_and_column(exec, 1, 4, 5);
  check_order_by_row_and_column(exec, 500, 7, 9); // many duplicates
  check_order_by_row_and_column(exec, 500, 1, 1000);
  check_order_by_row_and_column(exec, 500, 100000, 1);
  check_order_by_row_and_column(exec, 3000, 100000, 90000);
}
