// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rows of 2^31 entries need tens of gigabytes: here only their statistics are told to the kernels,
// which must leave such matrices to the portable ones.

#include <heddle/cuda_native/rows/limits.hpp>
#include <support/any_plan.hpp>
#include <support/matrices.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

using namespace heddle::test;
using heddle::cuda_native::has_short_products;
using heddle::cuda_native::has_short_rows;
using heddle::cuda_native::most_entries_of_row;
using heddle::impl::RowStatistics;

namespace
{

using C = Case<Device, double, int, std::size_t>;
using Matrix = CsrOf<C>::const_type;

RowStatistics rows_with(std::int64_t longest)
{
  return {.rows = 2, .nonzeros = longest + 1, .longest = longest};
}

// Whether each native implementation of a list takes rows of such a length when it is asked for.
template <class Options, class... Is, class Check>
void for_each_native(heddle::impl::Candidates<Is...>, Check const& check)
{
  auto const consider = [&]<class I>(std::type_identity<I>) {
    if constexpr (I::backend == heddle::Backend::cuda_native)
    {
      INFO(I::name);
      check(std::type_identity<I>{}, Options{.implementation = I::name});
    }
  };
  (consider(std::type_identity<Is>{}), ...);
}

} // namespace

TEST_CASE("rows are short as long as 32 bits count them", "[row_limits]")
{
  CHECK(has_short_rows(rows_with(0)));
  CHECK(has_short_rows(rows_with(most_entries_of_row)));
  CHECK(!has_short_rows(rows_with(most_entries_of_row + 1)));
  CHECK(!has_short_rows(rows_with(std::int64_t(1) << 40)));
}

TEST_CASE("products are short where a row of C is, and blocks of columns have numbers",
          "[row_limits]")
{
  constexpr std::int64_t int_max = 2147483647;
  constexpr auto few = std::size_t(1000), many = std::size_t(3000000000);
  CHECK(has_short_products(int_max, many));
  CHECK(has_short_products(int_max + 1, few));
  CHECK(!has_short_products(int_max + 1, many));
  CHECK(has_short_products((std::int64_t(1) << 37) - 32, few));
  CHECK(!has_short_products((std::int64_t(1) << 37) - 31, few));
}

TEST_CASE("native kernels leave rows that are too long to others", "[row_limits]")
{
  auto const a = make_csr<C>(structure("banded"));
  Device const exec{};
  for_each_native<heddle::SpmvOptions>(
      AllOfSpmv<Device, Matrix>{},
      [&]<class I>(std::type_identity<I>, heddle::SpmvOptions const& options) {
        CHECK(I::can_run(exec, a, rows_with(100), options));
        CHECK(!I::can_run(exec, a, rows_with(most_entries_of_row + 1), options));
      });
  for_each_native<heddle::SpmmOptions>(
      AllOfSpmm<Device, Matrix>{},
      [&]<class I>(std::type_identity<I>, heddle::SpmmOptions const& options) {
        CHECK(I::can_run(exec, a, rows_with(100), options));
        CHECK(!I::can_run(exec, a, rows_with(most_entries_of_row + 1), options));
      });
}
