// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/conversions.hpp>
#include <support/format_types.hpp>
#include <support/multiply_formats.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace heddle::test
{

// Rows of B that are NaN, and more such behind its end, leave no trace in A B.
template <class As, class C>
void check_untouched(Structure const& s, std::vector<std::int64_t> const& rows_of_nan)
{
  using Value = typename C::value;
  typename C::exec const exec{};
  auto const a = As::make(exec, make_csr<C>(s));
  using List = AllOfSpmm<typename C::exec, typename decltype(a)::const_type>;
  auto const nan = Value(std::numeric_limits<double>::quiet_NaN());
  for (std::int64_t const k : {1, 6, 32})
  {
    std::int64_t const behind = 8;
    auto const all = plain<Value, Kokkos::LayoutRight, typename C::space>(s.cols + behind, k);
    put(all, [&](std::int64_t i, std::int64_t j) {
      bool const is_nan =
          i >= s.cols || std::find(rows_of_nan.begin(), rows_of_nan.end(), i) != rows_of_nan.end();
      return is_nan ? nan : value_at<Value>(i + b_offset, j);
    });
    auto const b = Kokkos::subview(all, Kokkos::make_pair(std::int64_t(0), s.cols), Kokkos::ALL);
    auto const c = plain<Value, Kokkos::LayoutRight, typename C::space>(s.rows, k);
    auto const expected =
        reference_multiply<Value, Value, Value>(s, Op::none, Value(1), k, Value(0));
    for (char const* const name : impl::names_of(List{}))
    {
      INFO(name << ", k " << k);
      spmm(exec, AnySpmmPlan(exec, a, {.implementation = name}), Value(1), a, b, Value(0), c);
      exec.fence();
      CHECK(first_difference_in(expected, c) == "");
    }
  }
}

} // namespace heddle::test

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

// Device kernels take columns in tiles by packets of 16 bytes or one by one, one packet a thread or
// two, and compile some shapes of blocks.
std::vector<Structure> tiled_structures()
{
  return {structure("blocked"), structure("dense row"), structure("unsorted"),
          random_structure("wide blocks", 97, 131, 20, 7)};
}
std::vector<std::int64_t> const tiled_widths{5, 32, 33, 130};

TEMPLATE_LIST_TEST_CASE("spmm of BSR agrees with the oracle on tiles of every kind", "[spmm][bsr]",
                        DeviceTypes)
{
  check_spmm_as<AsBsr<3, 3>, TestType>(tiled_structures(), tiled_widths);
}

TEST_CASE("spmm of BSR takes blocks of any shape and tiles of every kind", "[spmm][bsr]")
{
  using C = Case<Device, double, int, std::size_t>;
  check_spmm_as<AsBsr<1, 1>, C>(tiled_structures(), tiled_widths);
  check_spmm_as<AsBsr<2, 2>, C>(tiled_structures(), tiled_widths);
  check_spmm_as<AsBsr<2, 3>, C>(tiled_structures(), tiled_widths);
  check_spmm_as<AsBsr<4, 4>, C>(tiled_structures(), tiled_widths);
  check_spmm_as<AsBsr<5, 5>, C>(tiled_structures(), tiled_widths);
  check_spmm_as<AsBsr<6, 6>, C>(tiled_structures(), tiled_widths);
  check_spmm_as<AsBsr<7, 5>, C>(tiled_structures(), tiled_widths);
  check_spmm_as<AsBsr<8, 8>, C>(tiled_structures(), tiled_widths);
  check_spmm_as<AsBsr<17, 40>, C>(tiled_structures(), tiled_widths);
  check_spmm_as<AsBsr<32, 32>, C>(tiled_structures(), tiled_widths);
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
  check_spmm_of<C>(a, s, {1, 8, 21, 32});
}

// Rows of B that no block touches may be anything, those behind its end as well.
TEST_CASE("spmm of BSR reads no row of B but those under blocks", "[spmm][bsr]")
{
  using C = Case<Device, double, int, std::size_t>;
  Structure const s{"7 x 11", 7, 11, {{0, 10}, {1}, {9}, {}, {}, {10}, {2}}};
  check_untouched<AsBsr<3, 3>, C>(s, {3, 4, 5, 6, 7, 8});
  check_untouched<AsBsr<2, 3>, C>(s, {3, 4, 5, 6, 7, 8});
  Structure const t{
      "7 x 11, nothing in the middle", 7, 11, {{0, 10}, {1}, {10}, {}, {}, {10}, {2}}};
  check_untouched<AsBsr<5, 5>, C>(t, {5, 6, 7, 8, 9});
}
