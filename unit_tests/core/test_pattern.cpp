// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/pattern.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

// A pattern that is easy to change. Offsets may be wrong on purpose: the hash must not care.
template <class Exec>
struct Lists
{
  using Space = typename Exec::memory_space;
  using C = Case<Exec, float, int, std::size_t>;

  int cols = 0;
  std::vector<std::size_t> offsets{0};
  std::vector<int> columns;

  explicit Lists(Structure const& s)
      : cols(static_cast<int>(s.cols))
  {
    for (auto const& row : s.columns)
    {
      columns.insert(columns.end(), row.begin(), row.end());
      offsets.push_back(columns.size());
    }
  }
  CsrOf<C> matrix(float value = 1) const
  {
    return {static_cast<int>(offsets.size()) - 1, cols, to_view<std::size_t, Space>(offsets),
            to_view<int, Space>(columns),
            to_view<float, Space>(std::vector<float>(columns.size(), value))};
  }
  std::uint64_t hash() const { return impl::fingerprint(instance_of_five<Exec>(), matrix()); }
};

// Hashes of the pattern with each number changed in turn, and with neighbours swapped.
template <class Exec>
std::vector<std::uint64_t> hashes_of_changes(Lists<Exec> lists)
{
  std::vector<std::uint64_t> hashes;
  auto const change = [&](auto& numbers) {
    for (std::size_t k = 0; k < numbers.size(); ++k)
      for (int const by : {1, -1, 256, 65536})
      {
        auto const before = numbers[k];
        numbers[k] = static_cast<std::decay_t<decltype(before)>>(before + by);
        hashes.push_back(lists.hash());
        numbers[k] = before;
      }
    for (std::size_t k = 0; k + 1 < numbers.size(); ++k)
      if (numbers[k] != numbers[k + 1])
      {
        std::swap(numbers[k], numbers[k + 1]);
        hashes.push_back(lists.hash());
        std::swap(numbers[k], numbers[k + 1]);
      }
  };
  change(lists.offsets);
  change(lists.columns);
  return hashes;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::impl::Pattern;

TEMPLATE_LIST_TEST_CASE("fingerprint depends on the pattern alone", "[pattern]", Spaces)
{
  TestType const exec{};
  for (Structure const& s : structures())
  {
    INFO(s.name);
    Lists<TestType> const lists(s);
    auto const hash = heddle::impl::fingerprint(exec, lists.matrix());
    CHECK(hash == heddle::impl::fingerprint(exec, lists.matrix(2)));
    CHECK(hash == heddle::impl::fingerprint(instance_of_five<TestType>(), lists.matrix()));
    CHECK(hash == Lists<Kokkos::Serial>(s).hash());
    typename CsrOf<typename Lists<TestType>::C>::const_type const read_only = lists.matrix();
    CHECK(hash == heddle::impl::fingerprint(exec, read_only));
  }
}

TEMPLATE_LIST_TEST_CASE("fingerprint changes with every number of the pattern", "[pattern]", Spaces)
{
  Lists<TestType> const lists(random_structure("12 x 300", 12, 300, 3, 9));
  auto hashes = hashes_of_changes(lists);
  hashes.push_back(lists.hash());
  CHECK(std::set<std::uint64_t>(hashes.begin(), hashes.end()).size() == hashes.size());
}

TEST_CASE("fingerprint tells the structures apart", "[pattern]")
{
  std::set<std::uint64_t> hashes;
  for (Structure const& s : structures())
    hashes.insert(Lists<Device>(s).hash());
  // 0 x 0 and 0 x 7 have the same offsets and columns: sizes are compared apart.
  CHECK(hashes.size() == structures().size() - 1);
}

TEMPLATE_LIST_TEST_CASE("a pattern matches matrices of its sizes and fingerprint", "[pattern]",
                        Spaces)
{
  TestType const exec{};
  Lists<TestType> lists(structure("unsorted"));
  Pattern const pattern = heddle::impl::pattern_of(exec, lists.matrix());
  CHECK(pattern.rows == 100);
  CHECK(pattern.cols == 90);
  CHECK(pattern.nnz == lists.columns.size());
  CHECK(pattern.matches(exec, lists.matrix(3)));
  SECTION("not with another column")
  {
    std::swap(lists.columns[5], lists.columns[6]);
    CHECK(pattern.has_size_of(lists.matrix()));
    CHECK_FALSE(pattern.matches(exec, lists.matrix()));
  }
  SECTION("not with another row offset")
  {
    ++lists.offsets[50];
    CHECK(pattern.has_size_of(lists.matrix()));
    CHECK_FALSE(pattern.matches(exec, lists.matrix()));
  }
  SECTION("not with more columns in the matrix")
  {
    ++lists.cols;
    CHECK_FALSE(pattern.has_size_of(lists.matrix()));
    CHECK_FALSE(pattern.matches(exec, lists.matrix()));
  }
  SECTION("not with another row")
  {
    lists.offsets.push_back(lists.columns.size());
    CHECK_FALSE(pattern.has_size_of(lists.matrix()));
  }
  SECTION("not with another entry")
  {
    lists.columns.push_back(0);
    ++lists.offsets.back();
    CHECK_FALSE(pattern.has_size_of(lists.matrix()));
  }
}

TEST_CASE("pattern_of takes a default-constructed matrix", "[pattern]")
{
  CsrOf<Lists<Device>::C> const a;
  Pattern const pattern = heddle::impl::pattern_of(Device{}, a);
  CHECK(pattern.rows == 0);
  CHECK(pattern.cols == 0);
  CHECK(pattern.nnz == 0);
  CHECK(pattern.matches(Device{}, a));
}

TEST_CASE("require_pattern names both matrices", "[pattern]")
{
  Device const exec{};
  Lists<Device> lists(random_structure("5 x 40", 5, 40, 4, 9));
  auto const made_for = lists.matrix();
  auto const message = [&](Pattern const& pattern, auto const& a) {
    return message_of<heddle::InvalidArgument>(
        [&] { heddle::impl::require_pattern(exec, "spmv", "A", pattern, a); });
  };
  Pattern const pattern = heddle::impl::pattern_of(exec, made_for);
  CHECK(message(pattern, made_for) == "no error");
  CHECK(message(heddle::impl::pattern_of_one_call(exec, made_for), made_for) == "no error");
  ++lists.cols;
  CHECK(message(pattern, lists.matrix()) ==
        "heddle::spmv: the plan was made for 5 x 40, 19 entries but A is 5 x 41, 19 entries");
  --lists.cols;
  ++lists.columns[3];
#if defined(KOKKOS_ENABLE_DEBUG)
  CHECK(message(pattern, lists.matrix()) ==
        "heddle::spmv: the plan was made for another pattern than A's, of the same sizes");
#else
  CHECK(message(pattern, lists.matrix()) == "no error"); // not looked at
#endif
}
