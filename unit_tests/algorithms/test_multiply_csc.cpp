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

TEMPLATE_LIST_TEST_CASE("spmv of CSC agrees with the oracle", "[spmv][csc]", FormatTypes)
{
  check_spmv_as<AsCsc, TestType>(small_structures());
}

TEMPLATE_LIST_TEST_CASE("spmm of CSC agrees with the oracle", "[spmm][csc]", FormatTypes)
{
  check_spmm_as<AsCsc, TestType>(small_structures());
}
