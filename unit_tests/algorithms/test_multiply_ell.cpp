// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/conversions.hpp>
#include <support/format_types.hpp>
#include <support/multiply_formats.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("spmv of ELL agrees with the oracle", "[spmv][ell]", FormatTypes)
{
  check_spmv_as<AsEll, TestType>(small_structures());
}

TEMPLATE_LIST_TEST_CASE("spmm of ELL agrees with the oracle", "[spmm][ell]", FormatTypes)
{
  check_spmm_as<AsEll, TestType>(small_structures());
}

// On hosts rows are taken in strips of 256, 32, 8 and 1.
TEST_CASE("spmv of ELL and SELL takes rows in strips of any length", "[spmv][ell][sell]")
{
  using C = Case<Device, double, int, std::size_t>;
  for (std::int64_t const rows : {255, 256, 299, 555, 1000})
  {
    Structure s = random_structure("strips", rows, 90, 12, 5);
    for (std::size_t i = 0; i < s.columns.size(); ++i)
      s.columns[i].resize(i % 13);
    check_spmv_as<AsEll, C>({s});
    check_spmv_as<AsSell<256, 1, 1>, C>({s});
    check_spmv_as<AsSell<512, 2, 64>, C>({s});
  }
}
