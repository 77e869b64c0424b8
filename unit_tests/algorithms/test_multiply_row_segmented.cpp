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

TEMPLATE_LIST_TEST_CASE("spmv of row segments agrees with the oracle", "[spmv][row_segmented]",
                        FormatTypes)
{
  check_spmv_as<AsRowSegmented<16, 2>, TestType>(small_structures());
}

TEMPLATE_LIST_TEST_CASE("spmm of row segments agrees with the oracle", "[spmm][row_segmented]",
                        FormatTypes)
{
  check_spmm_as<AsRowSegmented<16, 2>, TestType>(small_structures());
}

// All light, all in one panel, and what the conversion chooses.
TEST_CASE("spmv and spmm take row segments of any shape", "[spmv][spmm][row_segmented]")
{
  using C = Case<Device, double, int, std::size_t>;
  check_spmv_as<AsRowSegmented<1, 1>, C>(small_structures());
  check_spmm_as<AsRowSegmented<1, 1>, C>(small_structures());
  check_spmm_as<AsRowSegmented<100, 1>, C>(small_structures());
  check_spmm_as<AsRowSegmented<0, 0>, C>(small_structures());
}

TEST_CASE("spmv and spmm of row segments take more than 2^16 rows", "[spmv][spmm][row_segmented]")
{
  using C = Case<Device, double, int, std::size_t>;
  check_spmv_as<AsRowSegmented<64, 2>, C>({structure("more than 2^16 rows")});
  check_spmm_as<AsRowSegmented<64, 2>, C>({structure("more than 2^16 rows")});
}
