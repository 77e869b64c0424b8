// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SpGEMM by dense tiles of 8 x 8, which CUDA devices with tensor cores for doubles have. Other
// backends, and types that tiles do not take, are checked with what they have instead.

#include <heddle/error.hpp>
#include <heddle/spgemm.hpp>
#include <support/spgemm_checks.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace heddle::test;
using Catch::Matchers::ContainsSubstring;
using heddle::SpgemmAccumulator;
using heddle::SpgemmOptions;

namespace
{

using C = Case<Device, double, int, std::size_t>;
SpgemmOptions const dense_tiles{.accumulator = SpgemmAccumulator::dense_tiles};

template <class C>
void check(Structure const& a, Structure const& b, SpgemmOptions const& options = dense_tiles)
{
  check_accumulator<C>(a, b, options);
}

// Blocks of size x size along the diagonal, `across` of them side by side.
Structure of_blocks(std::int64_t count, std::int64_t size, std::int64_t across)
{
  Structure s{"blocks of " + std::to_string(size), count * size, count * size, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
  {
    s.columns.push_back({});
    for (std::int64_t n = 0; n < across; ++n)
      for (std::int64_t c = 0; c < size; ++c)
        s.columns.back().push_back((i / size + 3 * n) % count * size + c);
    std::sort(s.columns.back().begin(), s.columns.back().end());
  }
  return s;
}

// Whether the device multiplies by tiles: one without tensor cores for doubles does not.
bool has_tiles()
{
  return has_native_spgemm<C>() &&
         describe_spgemm<C>(of_blocks(4, 8, 1), of_blocks(4, 8, 1), dense_tiles)
                 .find("products of tiles") != std::string::npos;
}

} // namespace

TEST_CASE("spgemm by tiles takes every structure", "[spgemm][tiles]")
{
  for (Structure const& s : small_structures())
  {
    check<C>(s, transposed(s));
    if (s.rows == s.cols)
      check<C>(s, s);
  }
  check<C>(structure("tall"),
           shuffled(random_structure("unsorted wide", structure("tall").cols, 5000, 9, 21), 22));
}

TEMPLATE_LIST_TEST_CASE("spgemm by tiles takes every type", "[spgemm][tiles]", DeviceTypes)
{
  check<TestType>(of_blocks(7, 13, 2), of_blocks(7, 13, 3));
  check<TestType>(random_structure("dense", 70, 90, 40, 60),
                  random_structure("dense too", 90, 110, 35, 61));
}

TEST_CASE("spgemm by tiles adds up parts of long strips", "[spgemm][tiles]")
{
  // One block of C, and thousands of inner indices: several warps share it.
  check<C>(random_structure("few long rows", 20, 9000, 3000, 62),
           transposed(random_structure("few long rows", 17, 9000, 2000, 63)));
  // A strip of A that is much longer than those of B, and the other way round.
  Structure arrow = of_blocks(40, 8, 1);
  for (std::int64_t c = 0; c < arrow.cols; ++c)
    if (c >= 8)
      arrow.columns[0].push_back(c);
  check<C>(arrow, arrow);
  check<C>(arrow, transposed(arrow));
}

TEST_CASE("spgemm by tiles with transposed factors, alpha and beta, and little room",
          "[spgemm][tiles]")
{
  Structure const tall = random_structure("tall", 150, 60, 20, 64);
  SpgemmOptions options = dense_tiles;
  options.op_a = heddle::Op::transpose;
  check<C>(tall, tall, options);
  options = dense_tiles;
  options.op_b = heddle::Op::transpose;
  check<C>(tall, tall, options);
  if (!has_native_spgemm<C>())
    return;
  options = dense_tiles;
  Structure const blocks = of_blocks(12, 12, 2);
  for (std::size_t const cap : {2000, 20000, 200000, 2000000})
  {
    options.max_workspace_bytes = cap;
    try
    {
      check_products<C>(blocks, blocks, spgemm_names<C>().front(), options);
    }
    catch (heddle::OutOfMemory const&)
    {}
  }
}

TEST_CASE("a plan of spgemm takes tiles where they pay, says so and repeats its bits",
          "[spgemm][tiles]")
{
  if (!has_tiles())
    return;
  Structure const s = of_blocks(12, 61, 2);
  REQUIRE_THAT(describe_spgemm<C>(s, s), ContainsSubstring("products of tiles of 8 x 8"));
  SpgemmOptions deterministic;
  deterministic.deterministic = true; // bits of a single multiply
  CHECK_THAT(describe_spgemm<C>(s, s, deterministic), !ContainsSubstring("products of tiles"));
  Structure const sparse = random_structure("4 a row", 20000, 20000, 4, 65);
  CHECK_THAT(describe_spgemm<C>(sparse, sparse), !ContainsSubstring("products of tiles"));
  auto const a = make_csr<C>(s);
  heddle::SpgemmPlan const plan(C::exec{}, a, a);
  REQUIRE(plan.is_repeatable());
  CHECK(calls_with_other_bits<C>(plan, a, a) == 0);
  check<C>(s, s, {});
}

TEST_CASE("infinite values stay with the products that have them", "[spgemm][tiles]")
{
  // Every tile has zeros that the matrices do not store: 0 times infinity must not come from these.
  Structure const s = random_structure("a third", 60, 60, 20, 66);
  auto const infinity = std::numeric_limits<double>::infinity();
  for (double const value : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()})
  {
    auto const a = make_csr<C>(s), b = make_csr<C>(s);
    auto const set = [&](auto const& matrix, std::size_t place, double to) {
      auto const host = Kokkos::create_mirror(matrix.values());
      Kokkos::deep_copy(host, matrix.values());
      host(place) = to;
      Kokkos::deep_copy(matrix.values(), host);
    };
    set(b, 333, value);
    set(a, 100, 0.0); // stored: 0 times infinity is not a number
    SpgemmOptions named = has_native_spgemm<C>() ? dense_tiles : SpgemmOptions{};
    auto const classes_of = [&](SpgemmOptions const& options) {
      auto const c = heddle::spgemm(C::exec{}, a, b, options);
      auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c.values());
      std::vector<int> classes;
      for (std::size_t k = 0; k < host.extent(0); ++k)
        classes.push_back(std::isnan(host(k))   ? 3
                          : std::isinf(host(k)) ? (host(k) > 0 ? 2 : 1)
                                                : 0);
      return classes;
    };
    SpgemmOptions portable;
    portable.backend = heddle::Backend::portable;
    auto const expected = classes_of(portable);
    CHECK(std::count(expected.begin(), expected.end(), 0) > 0);
    CHECK(std::count(expected.begin(), expected.end(), 0) <
          static_cast<std::ptrdiff_t>(expected.size()));
    CHECK(classes_of(named) == expected);
  }
}
