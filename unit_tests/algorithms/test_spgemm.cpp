// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/spgemm.hpp>
#include <support/matrices.hpp>
#include <support/sparse_product.hpp>
#include <support/spgemm_checks.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

using namespace heddle::test;
using heddle::Op;
using heddle::SpgemmOptions;

TEMPLATE_LIST_TEST_CASE("spgemm agrees with the oracle", "[spgemm]", Types)
{
  check_all_spgemm<TestType>({});
}

TEST_CASE("spgemm is deterministic where asked for", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  check_all_spgemm<C>({.deterministic = true});
  auto const a = make_csr<C>(structure("power law"));
  for (char const* const name : spgemm_names<C>())
  {
    INFO(name);
    AnySpgemmPlan const plan(C::exec{}, a, a, {.implementation = name, .deterministic = true});
    CHECK(plan.is_repeatable());
    auto const once = plan.make_result(C::exec{}), again = plan.make_result(C::exec{});
    spgemm(C::exec{}, plan, a, a, once);
    spgemm(C::exec{}, plan, a, a, again);
    C::exec{}.fence();
    CHECK(to_host(once) == to_host(again));
  }
}

// Rows with many products: tables in memory instead of a team's scratch, windows beside hash
// tables.
TEST_CASE("spgemm takes rows with many products", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  Structure const a = random_structure("60 a row", 200, 3000, 60, 31);
  check_spgemm<C>(a, random_structure("80 a row", 3000, 9000, 80, 32), {});
}

// A row of C with more sums than a multiprocessor has room for, in blocks of columns that are few
// and far apart: hashed tables beside sums in C.
TEST_CASE("spgemm takes rows with many entries in a few places", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  constexpr std::int64_t rows_of_b = 40, cols = 1000000, run = 64, runs = 32;
  Structure b{"runs far apart", rows_of_b, cols, {}};
  Random random(51);
  for (std::int64_t i = 0; i < rows_of_b; ++i)
  {
    auto& row = b.columns.emplace_back();
    for (std::int64_t n = 0; n < runs; ++n)
    {
      std::int64_t const first = n * (cols / runs) + random.below(cols / runs - run);
      for (std::int64_t j = 0; j < run; ++j)
        row.push_back(first + j);
    }
  }
  Structure const a = random_structure("30 a row", 3, rows_of_b, 60, 52);
  check_spgemm<C>(a, b, {});
  check_spgemm<C>(a, b, {.deterministic = true});
}

// Few products in all, many or few rows with more than others, and columns that are nearer to each
// other or farther than 21 bits tell.
TEST_CASE("spgemm takes short rows of small matrices", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  struct Shape
  {
    std::int64_t long_rows, cols;
  };
  for (Shape const& shape : {Shape{300, 1000000}, Shape{4300, 5000}, Shape{4300, 3000000}})
  {
    INFO(shape.long_rows << " long rows, " << shape.cols << " columns");
    Structure a = random_structure("18 a row", shape.long_rows, 300, 18, 53);
    Structure const others = random_structure("2 a row", 500, 300, 2, 54);
    a.rows += others.rows;
    a.columns.insert(a.columns.end(), others.columns.begin(), others.columns.end());
    check_spgemm<C>(a, random_structure("18 a row", 300, shape.cols, 18, 55), {});
  }
}

TEST_CASE("spgemm keeps to a cap on its memory", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  Structure const a_structure = random_structure("60 a row", 200, 3000, 60, 31);
  Structure const b_structure = random_structure("80 a row", 3000, 9000, 80, 32);
  auto const a = make_csr<C>(a_structure), b = make_csr<C>(b_structure);
  for (char const* const name : spgemm_names<C>())
  {
    INFO(name);
    // Too little to keep the columns, enough for one row.
    SpgemmOptions const options{.implementation = name, .max_workspace_bytes = 600000};
    if (name == std::string("portable::iterated_merge")) // keeps the products before C
    {
      CHECK_THROWS_AS(AnySpgemmPlan(C::exec{}, a, b, options), heddle::OutOfMemory);
      continue;
    }
    AnySpgemmPlan const plan(C::exec{}, a, b, options);
    CHECK(plan.describe().find("columns are found again by each call") != std::string::npos);
    check_products<C>(a_structure, b_structure, name, options);
    CHECK_THROWS_AS(
        AnySpgemmPlan(C::exec{}, a, b, {.implementation = name, .max_workspace_bytes = 9000}),
        heddle::OutOfMemory);
  }
}

TEST_CASE("spgemm with kept places gives what it gives without", "[spgemm]")
{
  using C = Case<Device, double, int, std::size_t>;
  for (bool const deterministic : {false, true})
    check_all_spgemm<C>({.reuse = true, .deterministic = deterministic});
  Structure const a = random_structure("60 a row", 200, 3000, 60, 31);
  check_spgemm<C>(a, random_structure("80 a row", 3000, 9000, 80, 32), {.reuse = true});
  // Rows with more entries than 2 bytes number.
  Structure const wide = random_structure("400 a row", 2, 400, 400, 33);
  check_spgemm<C>(wide, random_structure("300 a row", 400, 200000, 300, 34), {.reuse = true});
}

TEMPLATE_TEST_CASE("spgemm takes transposed and conjugated factors", "[spgemm]", double,
                   Kokkos::complex<double>)
{
  using C = Case<Device, TestType, int, std::size_t>;
  for (char const* const which : {"power law", "wide", "empty rows", "0 x 7"})
  {
    Structure const& s = structure(which);
    Structure const unsorted = shuffled(s, 41);
    for (Op const op : {Op::transpose, Op::conjugate_transpose})
    {
      check_spgemm<C>(s, unsorted, {.op_a = op});
      check_spgemm<C>(unsorted, s, {.op_b = op});
      check_spgemm<C>(s, transposed(s), {.op_a = op, .op_b = op});
    }
    check_spgemm<C>(s, transposed(s), {.op_a = Op::conjugate, .op_b = Op::conjugate});
  }
  typename C::exec const exec{};
  auto const a = make_csr<C>(structure("wide"));
  heddle::SpgemmPlan const plan(exec, a, a, {.op_a = Op::transpose});
  CHECK(plan.result_rows() == a.num_cols());
  CHECK(plan.result_cols() == a.num_cols());
  CHECK(plan.describe().find("C = transpose(A, ") != std::string::npos);
  CHECK_THROWS_AS(heddle::spgemm(exec, a, a, {.op_a = Op::transpose, .max_workspace_bytes = 100}),
                  heddle::OutOfMemory);
}

TEST_CASE("spgemm takes offsets of two types", "[spgemm]")
{
  using NarrowCase = Case<Device, double, int, int>;
  using WideCase = Case<Device, double, int, std::size_t>;
  Device const exec{};
  Structure const& s = structure("banded");
  auto const c = heddle::spgemm(exec, make_csr<NarrowCase>(s), make_csr<WideCase>(s));
  static_assert(std::is_same_v<decltype(c)::offset_type, std::size_t>);
  CHECK(difference(reference_product<double>(s, s, 1.0), c) == "");
}
