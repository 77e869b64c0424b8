// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans that are asked to keep which entries of A and B are multiplied for each entry of C. On CUDA
// these are found some rows of C after the other, in blocks of 2048.

#include <heddle/spgemm.hpp>
#include <support/spgemm_checks.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace heddle::test;
using Catch::Matchers::ContainsSubstring;
using heddle::SpgemmOptions;

namespace
{

using C = Case<Device, double, int, std::size_t>;
SpgemmOptions const reuse{.reuse = true};

template <class C>
bool is_native()
{
  return std::string(spgemm_names<C>().front()).find("cuda_native") == 0;
}

// With what is asked for, which a native plan has done.
template <class C>
void check_terms(Structure const& a, Structure const& b)
{
  check_spgemm<C>(a, b, reuse);
  if (is_native<C>())
  {
    heddle::SpgemmPlan const plan(typename C::exec{}, make_csr<C>(a), make_csr<C>(b), reuse);
    CHECK_THAT(plan.describe(), ContainsSubstring("of terms that are kept"));
    CHECK(plan.is_repeatable());
  }
}

std::vector<std::int64_t> all_below(std::int64_t n)
{
  std::vector<std::int64_t> columns(static_cast<std::size_t>(n));
  std::iota(columns.begin(), columns.end(), std::int64_t(0));
  return columns;
}

} // namespace

TEMPLATE_TEST_CASE("terms of all structures", "[spgemm][terms]", float, double,
                   Kokkos::complex<float>, Kokkos::complex<double>)
{
  check_all_spgemm<Case<Device, TestType, int, std::size_t>>(reuse);
}

TEST_CASE("terms of more rows than are sorted at once", "[spgemm][terms]")
{
  // 1.8 10^7 products, in rows of very different lengths.
  std::int64_t const rows = is_native<C>() ? 9000 : 90;
  Structure a = random_structure("40 a row", rows, 2000, 40, 61);
  a.columns[static_cast<std::size_t>(rows / 2)] = all_below(2000);
  a.columns[static_cast<std::size_t>(rows / 3)].clear();
  check_terms<C>(a, random_structure("50 a row", 2000, 30000, 50, 62));
}

TEST_CASE("terms of entries that have more than a block", "[spgemm][terms]")
{
  std::int64_t const inner = 9000;
  Structure a = random_structure("some", 40, inner, 3, 63);
  for (std::size_t const row : {0U, 7U, 8U, 39U})
    a.columns[row] = all_below(inner);
  check_terms<C>(a, random_structure("2 a row", inner, 3, 2, 64));
  check_terms<C>(a, random_structure("1 a row", inner, 200, 1, 65));
}

TEST_CASE("terms of rows with more entries than 16 bits number", "[spgemm][terms]")
{
  std::int64_t const inner = 70000;
  Structure a = random_structure("3 a row", 20, inner, 3, 66);
  a.columns[5] = all_below(inner);
  check_terms<C>(a, random_structure("1 a row", inner, 500, 1, 67));
}

TEST_CASE("terms where most rows of B are empty, or out of order", "[spgemm][terms]")
{
  Structure b = random_structure("20 a row", 3000, 700, 20, 68);
  for (std::size_t row = 0; row < b.columns.size(); ++row)
    if (row % 50 != 3)
      b.columns[row].clear();
  Structure const a = random_structure("60 a row", 300, 3000, 60, 69);
  check_terms<C>(a, b);
  check_terms<C>(shuffled(a, 70), shuffled(b, 71));
}

TEST_CASE("plans on CUDA do without terms where they have no room", "[spgemm][terms]")
{
  if (!is_native<C>())
    return;
  auto const a = make_csr<C>(random_structure("8 a row", 5000, 5000, 8, 72));
  heddle::SpgemmPlan const plan(C::exec{}, a, a, reuse);
  CHECK_THAT(plan.describe(), ContainsSubstring("of terms that are kept"));
  auto const once = plan.make_result(C::exec{}), again = plan.make_result(C::exec{});
  heddle::spgemm(C::exec{}, plan, a, a, once);
  for (int n = 0; n < 20; ++n)
  {
    heddle::spgemm(C::exec{}, plan, a, a, again);
    REQUIRE(to_vector(again.values()) == to_vector(once.values()));
  }
  // Columns of C alone take 1.3 MB, terms 2.6 MB and more than as much again to find.
  CHECK_THAT(heddle::SpgemmPlan(C::exec{}, a, a, {.reuse = true, .max_workspace_bytes = 4000000})
                 .describe(),
             !ContainsSubstring("of terms that are kept"));
}
