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
#include <limits>

using namespace heddle::test;

// Shapes that have a loop of their own on hosts, one that does not, and one wider than many rows.
TEMPLATE_LIST_TEST_CASE("spmv of BSR agrees with the oracle", "[spmv][bsr]", FormatTypes)
{
  check_spmv_as<AsBsr<3, 3>, TestType>(small_structures());
  check_spmv_as<AsBsr<2, 5>, TestType>(small_structures());
}

TEST_CASE("spmv of BSR takes blocks of any shape", "[spmv][bsr]")
{
  using C = Case<Device, double, int, std::size_t>;
  check_spmv_as<AsBsr<1, 1>, C>(small_structures());
  check_spmv_as<AsBsr<2, 2>, C>(small_structures());
  check_spmv_as<AsBsr<4, 4>, C>(small_structures());
  check_spmv_as<AsBsr<5, 5>, C>(small_structures());
  check_spmv_as<AsBsr<6, 6>, C>(small_structures());
  check_spmv_as<AsBsr<7, 7>, C>(small_structures());
  check_spmv_as<AsBsr<8, 8>, C>(small_structures());
  check_spmv_as<AsBsr<1, 40>, C>(small_structures());
  check_spmv_as<AsBsr<40, 3>, C>(small_structures());
  check_spmv_as<AsBsr<16, 16>, C>(small_structures());
  // More values than a warp has registers for.
  check_spmv_as<AsBsr<17, 17>, C>(small_structures(), "cuda_native::bsr_blocks");
  check_spmv_as<AsBsr<33, 2>, C>(small_structures());
}

TEMPLATE_LIST_TEST_CASE("spmm of BSR agrees with the oracle", "[spmm][bsr]", FormatTypes)
{
  check_spmm_as<AsBsr<3, 3>, TestType>(small_structures());
}

TEST_CASE("spmm of BSR takes blocks of any shape", "[spmm][bsr]")
{
  using C = Case<Device, double, int, std::size_t>;
  check_spmm_as<AsBsr<2, 5>, C>(small_structures());
  check_spmm_as<AsBsr<4, 4>, C>(small_structures());
  check_spmm_as<AsBsr<33, 2>, C>(small_structures());
}

// What lies over the edge may be anything.
TEST_CASE("BSR blocks are not read over the edge", "[spmv][spmm][bsr]")
{
  using C = Case<Device, double, int, std::size_t>;
  Structure const s{"5 x 4", 5, 4, {{1, 3}, {}, {0, 1, 2}, {3}, {0}}};
  auto const clean = AsBsr<3, 3>::make(Device{}, make_csr<C>(s));
  auto values = to_vector(clean.values());
  auto const columns = to_vector(clean.columns());
  auto const offsets = to_vector(clean.row_offsets());
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
    for (std::size_t b = offsets[r]; b < offsets[r + 1]; ++b)
      for (std::size_t y = 0; y < 3; ++y)
        for (std::size_t x = 0; x < 3; ++x)
          if (3 * r + y >= 5 || 3 * columns[b] + x >= 4)
            values[(b * 3 + y) * 3 + x] = std::numeric_limits<double>::quiet_NaN();
  decltype(clean) const a(5, 4, {3, 3}, clean.row_offsets(), clean.columns(),
                          to_view<double, C::space>(values), clean.nnz());
  check_spmv_of<C>(a, s);
  check_spmm_of<C>(a, s);
}
