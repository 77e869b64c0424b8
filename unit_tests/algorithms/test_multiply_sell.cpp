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
#include <string>
#include <vector>

using namespace heddle::test;

// SELL-P and SELL-C-sigma; on hosts slices of eight, of four and of other heights differ.
TEMPLATE_LIST_TEST_CASE("spmv of SELL agrees with the oracle", "[spmv][sell]", FormatTypes)
{
  check_spmv_as<AsSell<32, 4, 1>, TestType>(small_structures());
  check_spmv_as<AsSell<4, 1, 64>, TestType>(small_structures());
}

TEST_CASE("spmv of SELL takes slices of any shape", "[spmv][sell]")
{
  using C = Case<Device, double, int, std::size_t>;
  std::string const paper = "cuda_native::sellp_paper"; // takes as many threads as a block has
  check_spmv_as<AsSell<1, 1, 1>, C>(small_structures());
  check_spmv_as<AsSell<5, 3, 7>, C>(small_structures(), paper);
  check_spmv_as<AsSell<8, 8, 1>, C>(small_structures());
  check_spmv_as<AsSell<8, 1, 1000>, C>(small_structures());
  check_spmv_as<AsSell<1000, 2, 1>, C>(small_structures(), paper);
}

TEMPLATE_LIST_TEST_CASE("spmm of SELL agrees with the oracle", "[spmm][sell]", FormatTypes)
{
  check_spmm_as<AsSell<8, 2, 16>, TestType>(small_structures());
}

// MAGMA's scheme has a thread for each row and share of a row: from one column of B a block to 64.
TEST_CASE("spmm of SELL takes slices of any shape", "[spmm][sell]")
{
  using C = Case<Device, double, int, std::size_t>;
  std::string const paper = "cuda_native::sellp_paper";
  std::vector<Structure> const all{structure("0 x 7"), structure("7 x 0"), structure("no entries"),
                                   structure("empty rows"), structure("unsorted")};
  std::vector<std::int64_t> const widths{67};
  check_spmm_as<AsSell<1, 1, 1>, C>(all, widths);
  check_spmm_as<AsSell<32, 32, 1>, C>(all, widths);
  check_spmm_as<AsSell<5, 8, 40>, C>(all, widths);
  check_spmm_as<AsSell<64, 32, 1>, C>(all, widths, paper);
}

TEST_CASE("spmv and spmm of SELL take more than 2^16 rows", "[spmv][spmm][sell]")
{
  using C = Case<Device, double, int, std::size_t>;
  check_spmv_as<AsSell<32, 1, 256>, C>({structure("more than 2^16 rows")});
  check_spmm_as<AsSell<32, 1, 256>, C>({structure("more than 2^16 rows")});
  check_spmm_as<AsSell<32, 1, 256>, C>({structure("more than 2^16 rows")}, {32});
}
