// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans that keep, unasked or asked, which entries of A and B are multiplied for each entry of C.
// On CUDA these are found some rows of C after the other, in blocks of 2048.

#include <heddle/spgemm.hpp>
#include <support/spgemm_checks.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
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

// With what is asked for, which a native plan has done.
template <class C>
void check_terms(Structure const& a, Structure const& b)
{
  check_spgemm<C>(a, b, reuse);
  if (has_native_spgemm<C>())
  {
    heddle::SpgemmPlan const plan(typename C::exec{}, make_csr<C>(a), make_csr<C>(b), reuse);
    CHECK_THAT(plan.describe(), ContainsSubstring("of terms that are kept"));
    CHECK(plan.is_repeatable());
  }
}

// The same bits by each call, and by each plan.
template <class C>
void check_bits(Structure const& a_structure, Structure const& b_structure)
{
  typename C::exec const exec{};
  auto const a = make_csr<C>(a_structure);
  auto const b = make_csr<C>(b_structure);
  heddle::SpgemmPlan const plan(exec, a, b, reuse);
  auto const once = plan.make_result(exec), again = plan.make_result(exec);
  heddle::spgemm(exec, plan, a, b, once);
  for (int n = 0; n < 20; ++n)
  {
    heddle::spgemm(exec, plan, a, b, again);
    REQUIRE(to_vector(again.values()) == to_vector(once.values()));
    Kokkos::deep_copy(again.values(), typename C::value(0));
  }
  heddle::spgemm(exec, heddle::SpgemmPlan(exec, a, b, reuse), a, b, again);
  CHECK(to_vector(again.values()) == to_vector(once.values()));
}

std::vector<std::int64_t> all_below(std::int64_t n)
{
  std::vector<std::int64_t> columns(static_cast<std::size_t>(n));
  std::iota(columns.begin(), columns.end(), std::int64_t(0));
  return columns;
}

// C has a column, and its entries have these terms, of which a block has 2048. With one of 30000
// terms more plans cut entries, without they do not.
template <class Value>
void check_entries_of(std::vector<std::int64_t> lengths)
{
  using Types = Case<Device, Value, int, std::size_t>;
  std::int64_t const inner = 30000;
  Structure const b{"a column", inner, 1,
                    std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(inner), {0})};
  for (std::int64_t const more : {std::int64_t(0), inner})
  {
    INFO("and one of " << more);
    lengths.push_back(more);
    Structure a{"rows", static_cast<std::int64_t>(lengths.size()), inner, {}};
    for (std::int64_t const length : lengths)
      a.columns.push_back(all_below(length));
    check_terms<Types>(a, b);
    check_bits<Types>(a, b);
  }
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
  std::int64_t const rows = has_native_spgemm<C>() ? 9000 : 90;
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

TEMPLATE_TEST_CASE("terms of entries that end where a block does, or behind it", "[spgemm][terms]",
                   float, double, Kokkos::complex<double>)
{
  // Of the entry that begins at the end of a block, and of one that fills a block.
  for (std::int64_t const behind : {0, 1, 63, 64, 65, 255, 256, 257, 2047, 2048, 2049, 4097})
  {
    INFO(behind << " terms behind the block");
    check_entries_of<TestType>({2047, 1 + behind, 3, 2000});
    check_entries_of<TestType>({2048 + behind, 2048, 1});
    check_entries_of<TestType>({2000, 48 + behind});
  }
}

TEMPLATE_TEST_CASE("terms of entries in rows that a block sorts, and in others", "[spgemm][terms]",
                   float, double, Kokkos::complex<double>)
{
  for (std::vector<std::int64_t> const& some :
       {std::vector<std::int64_t>{0, 1, 2, 64, 65, 127, 128},
        std::vector<std::int64_t>{0, 1, 2, 129, 255, 256, 257, 2000, 2047, 2048},
        std::vector<std::int64_t>{0, 1, 2, 100, 257, 2047, 2049, 2304, 2305, 4096, 10000}})
  {
    Random random(77);
    std::vector<std::int64_t> lengths(100);
    for (std::int64_t& length : lengths)
      length = some[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(some.size())))];
    check_entries_of<TestType>(lengths);
  }
}

TEST_CASE("terms of entries that have a million", "[spgemm][terms]")
{
  std::int64_t const inner = has_native_spgemm<C>() ? 1000000 : 10000;
  Structure a = random_structure("3 a row", 40, inner, 3, 78);
  for (std::size_t const row : {1U, 2U, 20U})
    a.columns[row] = all_below(inner);
  a.columns[21] = all_below(inner / 10);
  a.columns[22].clear();
  // Their terms are of one column, and nearly evenly of three.
  Structure const one{"a column", inner, 1,
                      std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(inner), {0})};
  check_terms<C>(a, one);
  check_bits<C>(a, one);
  check_terms<C>(a, random_structure("1 a row", inner, 3, 1, 79));
}

TEST_CASE("plans on CUDA keep terms of entries that are cut, unasked", "[spgemm][terms]")
{
  // Entries of the diagonal have 20000 terms each.
  Structure a = random_structure("20000 a row", 12, 60000, 20000, 80);
  a.columns[3].clear();
  check_spgemm<C>(a, transposed(a), {});
  if (!has_native_spgemm<C>())
    return;
  auto const matrix = make_csr<C>(a);
  CHECK_THAT(
      heddle::SpgemmPlan(C::exec{}, matrix, matrix, {.op_b = heddle::Op::transpose}).describe(),
      ContainsSubstring("of terms that are kept"));
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

TEST_CASE("terms of rows with as many products as a block sorts, and with one more",
          "[spgemm][terms]")
{
  // Each entry of A has one product.
  Structure const b = random_structure("1 a row", 3000, 700, 1, 74);
  for (std::int64_t const most : {2048, 2049})
  {
    INFO(most);
    Structure a{"long rows", 0, 3000, {}};
    for (std::int64_t const length :
         {std::int64_t(2047), most, std::int64_t(1), std::int64_t(0), most, std::int64_t(2047),
          std::int64_t(1), most, std::int64_t(3), std::int64_t(0), std::int64_t(0)})
      a.columns.push_back(all_below(length));
    a.rows = static_cast<std::int64_t>(a.columns.size());
    check_terms<C>(a, b);
    check_terms<Case<Device, float, int, int>>(shuffled(a, 75), b);
  }
}

TEST_CASE("terms of few entries, which lanes of a warp share", "[spgemm][terms]")
{
  for (std::int64_t const cols : {1, 3, 4, 11, 33, 64, 128})
  {
    INFO(cols);
    Structure a{"all", 6, 300, {}}, b{"all", 300, cols, {}};
    a.columns.assign(6, all_below(300));
    b.columns.assign(300, all_below(cols));
    check_terms<C>(a, b);
    check_terms<Case<Device, Kokkos::complex<double>, int, std::size_t>>(a, b);
  }
}

TEST_CASE("plans on CUDA keep terms unasked where calls repay them", "[spgemm][terms]")
{
  Structure const structure = random_structure("8 a row", 5000, 5000, 8, 73);
  check_spgemm<C>(structure, structure, {});
  if (!has_native_spgemm<C>())
    return;
  auto const a = make_csr<C>(structure);
  auto const says = [&](SpgemmOptions const& options) {
    return heddle::SpgemmPlan(C::exec{}, a, a, options).describe();
  };
  CHECK_THAT(says({}), ContainsSubstring("of terms that are kept"));
  CHECK_THAT(says({.expected_calls = 1}),
             ContainsSubstring("no terms are kept: 1 calls are expected"));
  CHECK_THAT(says({.deterministic = true}), ContainsSubstring("no terms are kept: sums are"));
  CHECK_THAT(says({.expected_calls = 1, .reuse = true, .deterministic = true}),
             ContainsSubstring("of terms that are kept"));
  CHECK_THAT(says({.max_workspace_bytes = 4000000}),
             ContainsSubstring("no terms are kept: they, "));
}

TEST_CASE("plans on CUDA keep terms unasked of products with a prolongator", "[spgemm][terms]")
{
  if (!has_native_spgemm<C>())
    return;
  // 27 entries of A meet in two or three of C, of rows of four in B: 43 10^5 products.
  std::int64_t const rows = 40000;
  Structure a{"27 a row", rows, rows, {}}, p{"4 a row", rows, rows / 20, {}};
  for (std::int64_t i = 0; i < rows; ++i)
  {
    std::vector<std::int64_t> near(27), coarse(4);
    std::iota(near.begin(), near.end(), std::min(std::max<std::int64_t>(i - 13, 0), rows - 27));
    std::iota(coarse.begin(), coarse.end(), std::min(i / 20, rows / 20 - 4));
    a.columns.push_back(near);
    p.columns.push_back(coarse);
  }
  check_terms<C>(a, p);
  CHECK_THAT(heddle::SpgemmPlan(C::exec{}, make_csr<C>(a), make_csr<C>(p), {}).describe(),
             ContainsSubstring("of terms that are kept"));
}

TEST_CASE("a number of calls is not negative", "[spgemm][terms]")
{
  auto const a = make_csr<C>(random_structure("2 a row", 9, 9, 2, 76));
  CHECK_THROWS_WITH(heddle::SpgemmPlan(C::exec{}, a, a, {.expected_calls = -1}),
                    "heddle::spgemm: expected_calls is -1, expected a number of calls, or 0 where "
                    "it is not known");
}

TEST_CASE("plans on CUDA do without terms where they have no room", "[spgemm][terms]")
{
  if (!has_native_spgemm<C>())
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
