// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The classes beside CsrMatrix and CooMatrix: sizes, sharing, read-only views and every refusal.
// What lies where is in test_convert_formats.cpp.

#include <heddle/bsr_matrix.hpp>
#include <heddle/concepts.hpp>
#include <heddle/csc_matrix.hpp>
#include <heddle/dcsr_matrix.hpp>
#include <heddle/ell_matrix.hpp>
#include <heddle/hyb_matrix.hpp>
#include <heddle/sell_matrix.hpp>
#include <support/messages.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace heddle::test
{

namespace
{

using Host = Kokkos::HostSpace;
using Csc = CscMatrix<double, int, int, Host>;
using Dcsr = DcsrMatrix<double, int, int, Host>;
using Bsr = BsrMatrix<double, int, int, Host>;
using Ell = EllMatrix<double, int, int, Host>;
using Sell = SellMatrix<double, int, int, Host>;
using Hyb = HybMatrix<double, int, int, Host>;

template <class T>
Kokkos::View<T*, Host> array(std::size_t n)
{
  return Kokkos::View<T*, Host>("heddle::test::array", n);
}
template <class Make>
std::string refusal(Make const& make)
{
  return message_of<InvalidArgument>(make);
}

std::string csc(int rows, int cols, std::size_t offsets, std::size_t entries, std::size_t values)
{
  return refusal(
      [&] { Csc(rows, cols, array<int>(offsets), array<int>(entries), array<double>(values)); });
}
std::string dcsr(int rows, int cols, std::size_t nonempty, std::size_t offsets, std::size_t entries,
                 std::size_t values)
{
  return refusal([&] {
    Dcsr(rows, cols, array<int>(nonempty), array<int>(offsets), array<int>(entries),
         array<double>(values));
  });
}
std::string bsr(int rows, int cols, BlockShape shape, std::size_t offsets, std::size_t blocks,
                std::size_t values, std::size_t nnz)
{
  return refusal([&] {
    Bsr(rows, cols, shape, array<int>(offsets), array<int>(blocks), array<double>(values), nnz);
  });
}
std::string ell(int rows, int cols, std::size_t nnz, int width, std::size_t stride,
                std::size_t lengths, std::size_t columns, std::size_t values)
{
  return refusal([&] {
    Ell(rows, cols, nnz, width, stride, array<int>(lengths), array<int>(columns),
        array<double>(values));
  });
}
std::string sell(int rows, int cols, std::size_t nnz, SellShape shape, std::size_t offsets,
                 std::size_t lengths, std::size_t positions, std::size_t columns,
                 std::size_t values)
{
  return refusal([&] {
    Sell(rows, cols, nnz, shape, array<int>(offsets), array<int>(lengths), array<int>(positions),
         array<int>(columns), array<double>(values));
  });
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;

TEMPLATE_TEST_CASE("a default matrix is 0 x 0", "[more_formats]", Csc, Dcsr, Bsr, Ell, Sell, Hyb)
{
  static_assert(heddle::SparseMatrix<TestType>);
  static_assert(heddle::SparseMatrix<typename TestType::const_type>);
  TestType const a;
  CHECK(a.num_rows() == 0);
  CHECK(a.num_cols() == 0);
  CHECK(a.nnz() == 0);
  typename TestType::const_type const read_only = a;
  CHECK(read_only.nnz() == 0);
  static_assert(std::is_same_v<typename TestType::const_type::non_const_type, TestType>);
  static_assert(!std::is_convertible_v<typename TestType::const_type, TestType>);
}

TEST_CASE("CscMatrix refuses arrays of other sizes", "[more_formats]")
{
  CHECK(csc(3, 2, 3, 4, 4) == "no error");
  CHECK(csc(3, 0, 0, 0, 0) == "no error");
  CHECK(csc(-1, 2, 3, 4, 4) == "heddle::CscMatrix: negative size -1 x 2");
  CHECK(csc(3, 2, 4, 4, 4) ==
        "heddle::CscMatrix: column_offsets has 4 entries, expected cols + 1 = 3");
  CHECK(csc(3, 2, 3, 4, 5) == "heddle::CscMatrix: rows has 4 entries but values has 5");
}

TEST_CASE("DcsrMatrix refuses arrays of other sizes", "[more_formats]")
{
  CHECK(dcsr(3, 2, 2, 3, 4, 4) == "no error");
  CHECK(dcsr(3, 2, 0, 0, 0, 0) == "no error");
  CHECK(dcsr(3, -2, 2, 3, 4, 4) == "heddle::DcsrMatrix: negative size 3 x -2");
  CHECK(dcsr(3, 2, 4, 5, 4, 4) == "heddle::DcsrMatrix: rows has 4 entries but there are 3 rows");
  CHECK(dcsr(3, 2, 2, 2, 4, 4) ==
        "heddle::DcsrMatrix: row_offsets has 2 entries, expected one more than rows: 3");
  CHECK(dcsr(3, 2, 2, 3, 4, 3) == "heddle::DcsrMatrix: columns has 4 entries but values has 3");
}

TEST_CASE("BsrMatrix refuses arrays of other sizes", "[more_formats]")
{
  CHECK(bsr(5, 7, {2, 3}, 4, 2, 12, 9) == "no error");
  CHECK(bsr(0, 7, {2, 3}, 0, 0, 0, 0) == "no error");
  CHECK(bsr(5, -7, {2, 3}, 4, 2, 12, 9) == "heddle::BsrMatrix: negative size 5 x -7");
  CHECK(bsr(5, 7, {2, 0}, 4, 2, 12, 9) == "heddle::BsrMatrix: blocks of 2 x 0");
  CHECK(bsr(5, 7, {2, 3}, 3, 2, 12, 9) ==
        "heddle::BsrMatrix: row_offsets has 3 entries, expected block rows + 1 = 4");
  CHECK(bsr(5, 7, {2, 3}, 4, 2, 11, 9) ==
        "heddle::BsrMatrix: values has 11 entries, expected 2 blocks of 6");
  CHECK(bsr(5, 7, {2, 3}, 4, 2, 12, 13) == "heddle::BsrMatrix: 13 entries in 12 values");
  // 16 * 2^60 is 0 in 64 bits.
  CHECK(bsr(5, 7, {1 << 30, 1 << 30}, 2, 16, 0, 0) ==
        "heddle::BsrMatrix: 16 blocks of 1152921504606846976 values do not fit into 64 bits");
}

TEST_CASE("a BsrMatrix without a count has as many entries as values", "[more_formats]")
{
  Bsr const a(5, 7, {2, 3}, array<int>(4), array<int>(2), array<double>(12));
  CHECK(a.nnz() == 12);
  CHECK(a.num_block_rows() == 3);
  CHECK(a.num_block_cols() == 3);
  CHECK(a.num_blocks() == 2);
}

TEST_CASE("EllMatrix refuses arrays of other sizes", "[more_formats]")
{
  CHECK(ell(3, 5, 6, 2, 4, 3, 8, 8) == "no error");
  CHECK(ell(3, 5, 6, -2, 4, 3, 8, 8) == "heddle::EllMatrix: negative size 3 x 5, width -2");
  CHECK(ell(3, 5, 6, 2, 4, 4, 8, 8) == "heddle::EllMatrix: row_lengths has 4 entries, expected 3");
  CHECK(ell(3, 5, 6, 2, 2, 3, 4, 4) == "heddle::EllMatrix: stride 2 is less than 3 rows");
  CHECK(ell(3, 5, 6, 2, 4, 3, 8, 7) ==
        "heddle::EllMatrix: columns has 8 entries and values 7, expected width * stride = 8");
  CHECK(ell(3, 5, 9, 2, 4, 3, 8, 8) == "heddle::EllMatrix: 9 entries in 8 places");
  // 2^16 * 2^48 is 0 in 64 bits.
  CHECK(ell(1, 1, 0, 1 << 16, std::size_t(1) << 48, 1, 0, 0) ==
        "heddle::EllMatrix: width 65536 and stride 281474976710656 do not fit into 64 bits");
  CHECK(ell(1, 1, 0, 0, ~std::size_t(0), 1, 0, 0) ==
        "heddle::EllMatrix: width 0 and stride 18446744073709551615 do not fit into 64 bits");
  CHECK(ell(1, 1, 0, 0, ~std::size_t(0) / 2, 1, 0, 0) == "no error");
}

TEST_CASE("SellMatrix refuses arrays of other sizes", "[more_formats]")
{
  CHECK(sell(5, 5, 6, {2, 1, 1}, 4, 5, 0, 8, 8) == "no error");
  CHECK(sell(5, 5, 6, {2, 1, 4}, 4, 5, 5, 8, 8) == "no error");
  CHECK(sell(0, 5, 0, {2, 1, 1}, 0, 0, 0, 0, 0) == "no error");
  CHECK(sell(0, 5, 0, {2, 1, 1}, 0, 0, 0, 8, 8) ==
        "heddle::SellMatrix: slice_offsets has 0 entries, expected slices + 1 = 1");
  CHECK(sell(-5, 5, 6, {2, 1, 1}, 4, 5, 0, 8, 8) == "heddle::SellMatrix: negative size -5 x 5");
  CHECK(sell(5, 5, 6, {2, 1, 0}, 4, 5, 0, 8, 8) ==
        "heddle::SellMatrix: slice height 2, alignment 1, sigma 0: all must be positive");
  CHECK(sell(5, 5, 6, {2, 1, 1}, 3, 5, 0, 8, 8) ==
        "heddle::SellMatrix: slice_offsets has 3 entries, expected slices + 1 = 4");
  CHECK(sell(5, 5, 6, {2, 1, 1}, 4, 6, 0, 8, 8) ==
        "heddle::SellMatrix: row_lengths has 6 entries, expected 5");
  CHECK(sell(5, 5, 6, {2, 1, 1}, 4, 5, 4, 8, 8) ==
        "heddle::SellMatrix: rows has 4 entries, expected 5 or none");
  CHECK(sell(5, 5, 6, {2, 1, 1}, 4, 5, 0, 8, 9) ==
        "heddle::SellMatrix: columns has 8 entries but values has 9");
  CHECK(sell(5, 5, 9, {2, 1, 1}, 4, 5, 0, 8, 8) == "heddle::SellMatrix: 9 entries in 8 places");
}

TEST_CASE("HybMatrix refuses parts of different sizes", "[more_formats]")
{
  Hyb::ell_type const ell_part(3, 5, 2, 1, 3, array<int>(3), array<int>(3), array<double>(3));
  Hyb::rest_type const rest(3, 5, array<int>(4), array<int>(4), array<double>(4));
  CHECK(Hyb(ell_part, rest).nnz() == 6);
  CHECK(refusal([&] {
          Hyb(ell_part, Hyb::rest_type(5, 3, array<int>(4), array<int>(4), array<double>(4)));
        }) == "heddle::HybMatrix: one part is 3 x 5, the other 5 x 3");
}
