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
#include <vector>

using namespace heddle::test;

TEMPLATE_LIST_TEST_CASE("spmv of ELL agrees with the oracle", "[spmv][ell]", FormatTypes)
{
  check_spmv_as<AsEll, TestType>(small_structures());
}

TEMPLATE_LIST_TEST_CASE("spmm of ELL agrees with the oracle", "[spmm][ell]", FormatTypes)
{
  check_spmm_as<AsEll, TestType>(small_structures());
}

// Device kernels take columns in tiles by packets of 16 bytes or one by one, and several short rows
// one after the other where there are many.
TEMPLATE_LIST_TEST_CASE("spmm of ELL and SELL agrees with the oracle on tiles of every kind",
                        "[spmm][ell][sell]", DeviceTypes)
{
  std::vector<Structure> const all{structure("blocked"), structure("dense row"),
                                   structure("unsorted"),
                                   random_structure("long rows", 97, 131, 90, 7)};
  std::vector<std::int64_t> const widths{5, 32, 33, 130};
  check_spmm_as<AsEll, TestType>(all, widths);
  check_spmm_as<AsSell<32, 1, 1>, TestType>(all, widths);
  check_spmm_as<AsSell<5, 3, 7>, TestType>(all, widths, "cuda_native::sellp_paper");
  check_spmm_as<AsSell<8, 4, 1>, TestType>(all, widths);
}

TEST_CASE("spmm of ELL takes more than 2^16 short rows", "[spmm][ell]")
{
  using C = Case<Device, double, int, std::size_t>;
  check_spmm_as<AsEll, C>({random_structure("many rows", 66001, 900, 5, 9)}, {8, 16, 32});
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
