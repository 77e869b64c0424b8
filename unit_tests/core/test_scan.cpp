// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/scan.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::test
{

namespace
{

template <class Count, class Offset>
struct Counts
{
  std::vector<Count> counts;
  std::vector<Offset> offsets{0};
  std::int64_t total = 0;

  explicit Counts(std::int64_t n)
  {
    Random random(static_cast<std::uint64_t>(n) + 1);
    for (std::int64_t i = 0; i < n; ++i)
    {
      counts.push_back(static_cast<Count>(random.below(9)));
      total += static_cast<std::int64_t>(counts.back());
      offsets.push_back(static_cast<Offset>(total));
    }
  }
};

template <class Count, class Offset, class Exec>
void check_scan(Exec const& exec, std::int64_t n)
{
  INFO(n << " counts");
  using Space = typename Exec::memory_space;
  Counts<Count, Offset> const expected(n);
  Kokkos::View<Count const*, Space> const counts = to_view<Count, Space>(expected.counts);
  Kokkos::View<Offset*, Space> const offsets("heddle::test::offsets", n + 1);
  CHECK(impl::offsets_from_counts(exec, n, counts, offsets) == expected.total);
  CHECK(to_vector(offsets) == expected.offsets);
}

// The last entry, which is no count, must not be read as one.
template <class Offset, class Exec>
void check_scan_in_place(Exec const& exec, std::int64_t n)
{
  INFO(n << " counts");
  Counts<Offset, Offset> expected(n);
  expected.counts.push_back(12345);
  auto const both = to_view<Offset, typename Exec::memory_space>(expected.counts);
  CHECK(impl::offsets_from_counts(exec, n, both, both) == expected.total);
  CHECK(to_vector(both) == expected.offsets);
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("offsets_from_counts sums what stands before", "[scan]", Spaces)
{
  auto const exec = instance_of_five<TestType>();
  for (std::int64_t const n : {0, 1, 2, 31, 32, 33, 257, 70000})
  {
    check_scan<int, int>(exec, n);
    check_scan<int, std::size_t>(exec, n);
    check_scan<std::int64_t, std::int64_t>(exec, n);
  }
}

TEMPLATE_LIST_TEST_CASE("offsets_from_counts works in place", "[scan]", Spaces)
{
  auto const exec = instance_of_five<TestType>();
  for (std::int64_t const n : {0, 1, 2, 33, 70000})
  {
    check_scan_in_place<int>(exec, n);
    check_scan_in_place<std::size_t>(exec, n);
  }
}

TEMPLATE_LIST_TEST_CASE("offsets_from_counts counts above 2^31", "[scan]", Spaces)
{
  using Space = typename TestType::memory_space;
  TestType const exec{};
  std::int64_t const count = 1000000007;
  auto const counts = to_view<int, Space>(std::vector<int>(5, static_cast<int>(count)));
  SECTION("into 64-bit offsets")
  {
    Kokkos::View<std::size_t*, Space> const offsets("heddle::test::offsets", 6);
    CHECK(heddle::impl::offsets_from_counts(exec, 5, counts, offsets) == 5 * count);
    CHECK(to_vector(offsets) ==
          std::vector<std::size_t>{0, 1000000007, 2000000014, 3000000021, 4000000028, 5000000035});
  }
  SECTION("the sum is right where the offsets cannot be")
  {
    Kokkos::View<int*, Space> const offsets("heddle::test::offsets", 6);
    CHECK(heddle::impl::offsets_from_counts(exec, 5, counts, offsets) == 5 * count);
  }
}
