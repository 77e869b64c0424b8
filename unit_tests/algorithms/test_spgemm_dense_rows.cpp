// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SpGEMM with dense rows of C in shared memory, which CUDA devices have. Other backends are checked
// with what they have instead.

#include <heddle/error.hpp>
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
#include <string>
#include <utility>

using namespace heddle::test;
using Catch::Matchers::ContainsSubstring;
using heddle::SpgemmAccumulator;
using heddle::SpgemmOptions;

namespace
{

using C = Case<Device, double, int, std::size_t>;
SpgemmOptions const dense_rows{.accumulator = SpgemmAccumulator::dense_rows};

template <class C>
void check(Structure const& a, Structure const& b, SpgemmOptions const& options = dense_rows)
{
  check_accumulator<C>(a, b, options);
}

// Rows of very different lengths, some empty, that meet in the columns of each other: C has gaps.
Structure few_long_rows(std::int64_t rows, std::int64_t cols)
{
  Structure s{std::to_string(rows) + " long rows", rows, cols, {}};
  for (std::int64_t i = 0; i < rows; ++i)
  {
    s.columns.push_back({});
    std::int64_t const begin = i * cols / (2 * rows), step = 1 + i % 5;
    if (i % 7 != 3)
      for (std::int64_t c = begin; c < std::min(cols, begin + (i % 3 + 1) * cols / 6); c += step)
        s.columns.back().push_back(c);
  }
  return s;
}

} // namespace

TEST_CASE("spgemm with dense rows takes every structure", "[spgemm][dense_rows]")
{
  for (Structure const& s : small_structures())
  {
    check<C>(s, transposed(s));
    if (s.rows == s.cols)
      check<C>(s, s);
  }
  check<C>(structure("tall"),
           shuffled(random_structure("unsorted wide", structure("tall").cols, 900, 9, 21), 22));
}

TEMPLATE_LIST_TEST_CASE("spgemm with dense rows takes every type", "[spgemm][dense_rows]",
                        DeviceTypes)
{
  Structure const s = few_long_rows(23, 3000);
  check<TestType>(s, transposed(s));
  check<TestType>(s, random_structure("40 a row", s.cols, 310, 40, 71));
}

TEST_CASE("spgemm with dense rows cuts long rows and joins short ones", "[spgemm][dense_rows]")
{
  // Runs of entries that end within rows, at their ends, and that have many rows.
  using Sizes = std::pair<std::int64_t, std::int64_t>;
  for (auto const& [rows, cols] :
       {Sizes(1, 20000), Sizes(2, 20000), Sizes(50, 3000), Sizes(700, 90)})
  {
    Structure const s = few_long_rows(rows, cols);
    check<C>(s, transposed(s));
  }
  Structure one_long = few_long_rows(120, 240);
  one_long.name = "one long row";
  one_long.columns[60].clear();
  for (std::int64_t c = 0; c < one_long.cols; ++c)
    one_long.columns[60].push_back(c);
  check<C>(one_long, transposed(one_long));
}

TEST_CASE("spgemm with dense rows, one that does not fit, transposed factors, little room",
          "[spgemm][dense_rows]")
{
  Structure const tall = random_structure("tall", 4000, 30, 6, 72);
  SpgemmOptions options = dense_rows;
  options.op_a = heddle::Op::transpose;
  check<C>(tall, tall, options);
  options = dense_rows;
  options.op_b = heddle::Op::transpose;
  Structure const wide = few_long_rows(30, 4000);
  check<C>(wide, wide, options);
  check<C>(wide, random_structure("wide", wide.cols, 30000, 3, 73));
  if (!has_native_spgemm<C>())
    return;
  options = dense_rows;
  for (std::size_t const cap : {5000, 200000, 400000, 2000000})
  {
    options.max_workspace_bytes = cap;
    try
    {
      check_products<C>(wide, transposed(wide), spgemm_names<C>().front(), options);
    }
    catch (heddle::OutOfMemory const&)
    {}
  }
}

TEST_CASE("a plan of spgemm has dense rows where they pay, says so and repeats its bits",
          "[spgemm][dense_rows]")
{
  if (!has_native_spgemm<C>())
    return;
  Structure const s = random_structure("fitting", 20, 30000, 3000, 74);
  REQUIRE_THAT(describe_spgemm<C>(s, transposed(s)), ContainsSubstring("rows of C dense"));
  SpgemmOptions reuse;
  reuse.reuse = true;
  CHECK_THAT(describe_spgemm<C>(s, transposed(s), reuse), !ContainsSubstring("rows of C dense"));
  Structure const sparse = random_structure("4 a row", 20000, 20000, 4, 75);
  CHECK_THAT(describe_spgemm<C>(sparse, sparse), !ContainsSubstring("rows of C dense"));
  auto const a = make_csr<C>(s), b = make_csr<C>(transposed(s));
  SpgemmOptions deterministic;
  deterministic.deterministic = true; // bits of a single multiply, so no terms
  heddle::SpgemmPlan const plan(C::exec{}, a, b, deterministic);
  REQUIRE_THAT(plan.describe(), ContainsSubstring("rows of C dense"));
  REQUIRE(plan.is_repeatable());
  CHECK(calls_with_other_bits<C>(plan, a, b) == 0);
  auto const c = plan.make_result(C::exec{});
  heddle::spgemm(C::exec{}, plan, a, b, c);
  CHECK(to_host(heddle::spgemm(C::exec{}, a, b)) == to_host(c));
}

TEST_CASE("a plan of dense rows reports matrices of another pattern", "[spgemm][dense_rows]")
{
  if (!has_native_spgemm<C>())
    return;
  // As many entries in each row; C has entries elsewhere.
  Structure const planned = random_structure("planned", 12, 4000, 40, 76);
  Structure const other = random_structure("other", 12, 4000, 40, 77);
  auto const a = make_csr<C>(planned), b = make_csr<C>(transposed(planned));
  auto const of_other = make_csr<C>(other);
  heddle::SpgemmPlan const plan(C::exec{}, a, b, dense_rows);
  REQUIRE_THAT(plan.describe(), ContainsSubstring("rows of C dense"));
  auto const c = plan.make_result(C::exec{});
  auto const call = [&](auto const& factor) {
    heddle::spgemm(C::exec{}, plan, factor, b, c);
    C::exec{}.fence();
    heddle::spgemm(C::exec{}, plan, a, b, c);
  };
  REQUIRE_NOTHROW(call(a));
  CHECK_THROWS_AS(call(of_other), heddle::InvalidArgument);
}
