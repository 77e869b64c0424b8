// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where each entry lies in every format, by hand; what conversions refuse. There and back is in
// test_round_trips_*.cpp.

#include <heddle/convert.hpp>
#include <heddle/drop_zeros.hpp>
#include <support/conversions.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, int>;

// 5 x 4: rows of 2, 0, 3, 1 and 1 entries.
CsrOf<C> example()
{
  return CsrOf<C>(5, 4, to_view<int, C::space>({0, 2, 2, 5, 6, 7}),
                  to_view<int, C::space>({3, 1, 0, 1, 2, 3, 0}),
                  to_view<double, C::space>({1, 2, 3, 4, 5, 6, 7}));
}
using Ints = std::vector<int>;
using Doubles = std::vector<double>;

template <class Call>
std::string out_of_memory(Call const& call)
{
  return message_of<OutOfMemory>(call);
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEST_CASE("CSC has rows ascending in each column", "[convert_formats]")
{
  auto const a = heddle::to_csc(Device{}, example());
  CHECK(to_vector(a.column_offsets()) == Ints{0, 2, 4, 5, 7});
  CHECK(to_vector(a.rows()) == Ints{2, 4, 0, 2, 2, 0, 3});
  CHECK(to_vector(a.values()) == Doubles{3, 7, 2, 4, 5, 1, 6});
}

TEST_CASE("DCSR has the rows that have entries", "[convert_formats]")
{
  auto const a = heddle::to_dcsr(Device{}, example());
  CHECK(a.num_nonempty_rows() == 4);
  CHECK(to_vector(a.rows()) == Ints{0, 2, 3, 4});
  CHECK(to_vector(a.row_offsets()) == Ints{0, 2, 5, 6, 7});
  CHECK(to_vector(a.columns()) == Ints{3, 1, 0, 1, 2, 3, 0});
}

TEST_CASE("BSR has blocks row by row, cut off at the edges", "[convert_formats]")
{
  auto const a = heddle::to_bsr(Device{}, example(), {2, 3}, no_limit);
  CHECK(a.num_block_rows() == 3);
  CHECK(a.num_block_cols() == 2);
  CHECK(to_vector(a.row_offsets()) == Ints{0, 2, 4, 5});
  CHECK(to_vector(a.columns()) == Ints{0, 1, 0, 1, 0});
  CHECK(to_vector(a.values()) == Doubles{0, 2, 0, 0, 0, 0, //
                                         1, 0, 0, 0, 0, 0, //
                                         3, 4, 5, 0, 0, 0, //
                                         0, 0, 0, 6, 0, 0, //
                                         7, 0, 0, 0, 0, 0});
  // Back in CSR, zeros that fill blocks are entries, those beyond the edge are not.
  auto const b = to_host(heddle::to_csr(Device{}, a));
  CHECK(b.offsets == std::vector<std::int64_t>{0, 4, 8, 12, 16, 19});
  CHECK(b.values == Doubles{0, 2, 0, 1, 0, 0, 0, 0, 3, 4, 5, 0, 0, 0, 0, 6, 7, 0, 0});
}

TEST_CASE("ELL is stored column by column and says where rows end", "[convert_formats]")
{
  auto const a = heddle::to_ell(Device{}, example(), no_limit);
  CHECK(a.width() == 3);
  CHECK(a.stride() % 32 == 0);
  CHECK(to_vector(a.row_lengths()) == Ints{2, 0, 3, 1, 1});
  auto const columns = to_vector(a.columns());
  auto const values = to_vector(a.values());
  Ints const expected[] = {{3, -1, 0, 3, 0}, {1, -1, 1, -1, -1}, {-1, -1, 2, -1, -1}};
  Doubles const numbers[] = {{1, 0, 3, 6, 7}, {2, 0, 4, 0, 0}, {0, 0, 5, 0, 0}};
  for (std::size_t n = 0; n < 3; ++n)
  {
    auto const place = n * a.stride();
    CHECK(Ints(&columns[place], &columns[place] + 5) == expected[n]);
    CHECK(Doubles(&values[place], &values[place] + 5) == numbers[n]);
    // Padding behind the last row.
    CHECK(columns[place + a.stride() - 1] == -1);
    CHECK(values[place + a.stride() - 1] == 0);
  }
}

TEST_CASE("SELL-P rounds the rows of a slice up to its alignment", "[convert_formats]")
{
  auto const a = heddle::to_sell(Device{}, example(), {2, 2, 1}, no_limit);
  CHECK(to_vector(a.slice_offsets()) == Ints{0, 4, 12, 16});
  CHECK(a.rows().extent(0) == 0);
  CHECK(to_vector(a.row_lengths()) == Ints{2, 0, 3, 1, 1});
  CHECK(to_vector(a.columns()) == Ints{3, -1, 1, -1, 0, 3, 1, -1, 2, -1, -1, -1, 0, -1, -1, -1});
  CHECK(to_vector(a.values()) == Doubles{1, 0, 2, 0, 3, 6, 4, 0, 5, 0, 0, 0, 7, 0, 0, 0});
}

TEST_CASE("SELL-C-sigma sorts rows within windows, longest first", "[convert_formats]")
{
  auto const a = heddle::to_sell(Device{}, example(), {2, 1, 3}, no_limit);
  CHECK(to_vector(a.rows()) == Ints{2, 0, 1, 3, 4});
  CHECK(to_vector(a.row_lengths()) == Ints{3, 2, 0, 1, 1});
  CHECK(to_vector(a.slice_offsets()) == Ints{0, 6, 8, 10});
  CHECK(to_vector(a.values()) == Doubles{3, 1, 4, 2, 5, 0, 0, 6, 7, 0});
}

TEST_CASE("slices of one row are CSR, a slice of all rows is ELL", "[convert_formats]")
{
  for (char const* const name : {"power law", "unsorted", "wide"})
  {
    auto const a = make_csr<C>(structure(name));
    auto const thin = heddle::to_sell(Device{}, a, {1, 1, 1}, no_limit);
    CHECK(to_vector(thin.slice_offsets()) == to_vector(a.row_offsets()));
    CHECK(to_vector(thin.columns()) == to_vector(a.columns()));
    CHECK(to_vector(thin.values()) == to_vector(a.values()));
    auto const ell = heddle::to_ell(Device{}, a, no_limit);
    auto const thick = heddle::to_sell(Device{}, a, {a.num_rows(), 1, 1}, no_limit);
    auto const columns = to_vector(ell.columns()), all = to_vector(thick.columns());
    REQUIRE(all.size() == static_cast<std::size_t>(ell.width()) * structure(name).rows);
    for (std::size_t n = 0; n < all.size(); ++n)
    {
      auto const rows = static_cast<std::size_t>(structure(name).rows);
      if (all[n] != columns[n / rows * ell.stride() + n % rows])
        FAIL("place " << n);
    }
  }
}

TEST_CASE("HYB keeps the width that a third of the rows fill", "[convert_formats]")
{
  auto const a = heddle::to_hyb(Device{}, example(), {}, no_limit);
  CHECK(a.ell().width() == 2); // 2 of 5 rows have two entries
  CHECK(a.ell().nnz() == 6);
  CHECK(to_vector(a.rest().rows()) == Ints{2});
  CHECK(to_vector(a.rest().columns()) == Ints{2});
  CHECK(to_vector(a.rest().values()) == Doubles{5});
}

TEST_CASE("drop_zeros drops both zeros and nothing else", "[convert_formats]")
{
  CsrOf<C> const a(2, 3, to_view<int, C::space>({0, 3, 4}), to_view<int, C::space>({2, 0, 1, 1}),
                   to_view<double, C::space>({-0.0, 1e-310, 0.0, -2}));
  CHECK(to_host(heddle::drop_zeros(Device{}, a)) ==
        HostCsr<double>{2, 3, {0, 1, 2}, {0, 1}, {1e-310, -2}});
  CHECK(heddle::drop_zeros(Device{}, CsrOf<C>{}).nnz() == 0);
}

TEST_CASE("conversions refuse more fill than allowed before they allocate", "[convert_formats]")
{
  // A dense row among empty ones.
  auto const a = make_csr<C>(structure("dense row"));
  auto const nnz = a.nnz();
  Structure far{"far", 1 << 20, 1 << 20, std::vector<std::vector<std::int64_t>>(1 << 20)};
  for (std::int64_t j = 0; j < 1 << 20; j += 2)
    far.columns[7].push_back(j);
  auto const b = make_csr<C>(far); // 2^20 x 2^19 places
  CHECK(out_of_memory([&] { heddle::to_ell(Device{}, b); }) ==
        "heddle::to_ell: 1048576 rows of 524288 places takes 6597069766656 bytes, the entries "
        "themselves 6291456; FillLimit allows 25165824");
  CHECK(out_of_memory([&] { heddle::to_hyb(Device{}, b, 524288); }) ==
        "heddle::to_hyb: 1048576 rows of 524288 places takes 6597069766656 bytes, the entries "
        "themselves 6291456; FillLimit allows 25165824");
  CHECK(out_of_memory([&] { heddle::to_hyb(Device{}, b); }) == "no error");
  CHECK(out_of_memory([&] {
          heddle::to_sell(Device{}, b, {64, 1, 1});
        }) == "heddle::to_sell: slices of 64 rows with 33554432 places takes 402653184 bytes, the "
              "entries themselves 6291456; FillLimit allows 25165824");
  CHECK(out_of_memory([&] { heddle::to_sell(Device{}, b, {4, 1, 1}); }) == "no error");
  CHECK(out_of_memory([&] {
          heddle::to_bsr(Device{}, b, {4, 4});
        }) == "heddle::to_bsr: 262144 blocks of 4 x 4 takes 33554432 bytes, the entries themselves "
              "4194304; FillLimit allows 16777216");
  CHECK(out_of_memory([&] { heddle::to_bsr(Device{}, b, {2, 2}); }) == "no error");
  CHECK(heddle::to_ell(Device{}, a, no_limit).nnz() == nnz);
}

TEST_CASE("conversions refuse shapes that are none", "[convert_formats]")
{
  auto const refusal = [](auto const& call) { return message_of<heddle::InvalidArgument>(call); };
  CHECK(refusal([] {
          heddle::to_bsr(Device{}, example(), {0, 2});
        }) == "heddle::to_bsr: blocks of 0 x 2");
  CHECK(refusal([] {
          heddle::to_sell(Device{}, example(), {4, 0, 1});
        }) == "heddle::to_sell: slice height 4, alignment 0, sigma 1: all must be positive");
  CHECK(refusal([] { heddle::to_hyb(Device{}, example(), -1); }) == "heddle::to_hyb: width -1");
}

TEMPLATE_TEST_CASE("update_values refuses matrices of other sizes", "[convert_formats]", AsCsc,
                   AsDcsr, (AsBsr<2, 2>), AsEll, (AsSell<4, 1, 1>), AsHyb<1>,
                   (AsRowSegmented<2, 1>))
{
  auto const there = TestType::make(Device{}, example());
  CHECK(message_of<heddle::InvalidArgument>(
            [&] { heddle::update_values(Device{}, there, make_csr<C>(structure("1 x 1"))); }) ==
        "heddle::update_values: the target is 5 x 4, 7 entries but the source 1 x 1, 1 entries");
}

TEMPLATE_TEST_CASE("default-constructed matrices convert", "[convert_formats]", AsCsc, AsDcsr,
                   (AsBsr<2, 2>), AsEll, (AsSell<4, 1, 8>), AsHyb<-1>, (AsRowSegmented<2, 1>))
{
  auto const there = TestType::make(Device{}, CsrOf<C>{});
  CHECK(there.nnz() == 0);
  CHECK(to_host(heddle::to_csr(Device{}, there)) == HostCsr<double>{0, 0, {0}, {}, {}});
}
