// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/conversions.hpp>
#include <support/format_types.hpp>
#include <support/multiply_formats.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("spmv of HYB agrees with the oracle", "[spmv][hyb]", FormatTypes)
{
  check_spmv_as<AsHyb<2>, TestType>(small_structures());
}

TEMPLATE_LIST_TEST_CASE("spmm of HYB agrees with the oracle", "[spmm][hyb]", FormatTypes)
{
  check_spmm_as<AsHyb<2>, TestType>(small_structures());
}

// All in one part or the other, and a width of its own choice.
TEST_CASE("spmv of HYB takes any width", "[spmv][hyb]")
{
  using C = Case<Device, double, int, std::size_t>;
  check_spmv_as<AsHyb<0>, C>(small_structures());
  check_spmv_as<AsHyb<1000>, C>(small_structures());
  check_spmv_as<AsHyb<-1>, C>(small_structures());
}
