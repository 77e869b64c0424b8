// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// storage_bytes and fill_ratio, by numbers that a reader can count.

#include <heddle/storage.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::test
{

namespace
{

using Host = Kokkos::HostSpace;

template <class T>
Kokkos::View<T*, Host> array(std::size_t n)
{
  return Kokkos::View<T*, Host>("heddle::test::array", n);
}

// 4 bytes an index, 8 an offset, 8 a value.
using Csr = CsrMatrix<double, int, std::int64_t, Host>;
using Coo = CooMatrix<double, int, std::int64_t, Host>;
using Csc = CscMatrix<double, int, std::int64_t, Host>;
using Dcsr = DcsrMatrix<double, int, std::int64_t, Host>;
using Bsr = BsrMatrix<double, int, std::int64_t, Host>;
using Ell = EllMatrix<double, int, std::int64_t, Host>;
using Sell = SellMatrix<double, int, std::int64_t, Host>;
using Hyb = HybMatrix<double, int, std::int64_t, Host>;

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::fill_ratio;
using heddle::storage_bytes;

TEST_CASE("formats without padding store their arrays and fill 1", "[storage]")
{
  Csr const csr(9, 5, array<std::int64_t>(10), array<int>(7), array<double>(7));
  CHECK(storage_bytes(csr) == 80 + 28 + 56);
  CHECK(fill_ratio(csr) == 1);
  CHECK(storage_bytes(Csr::const_type(csr)) == 80 + 28 + 56);
  Coo const coo(9, 5, array<int>(7), array<int>(7), array<double>(7));
  CHECK(storage_bytes(coo) == 28 + 28 + 56);
  CHECK(fill_ratio(coo) == 1);
  Csc const csc(9, 5, array<std::int64_t>(6), array<int>(7), array<double>(7));
  CHECK(storage_bytes(csc) == 48 + 28 + 56);
  CHECK(fill_ratio(csc) == 1);
  Dcsr const dcsr(9, 5, array<int>(3), array<std::int64_t>(4), array<int>(7), array<double>(7));
  CHECK(storage_bytes(dcsr) == 12 + 32 + 28 + 56);
  CHECK(fill_ratio(dcsr) == 1);
}

TEST_CASE("formats that pad count their padding", "[storage]")
{
  Bsr const bsr(5, 7, {2, 3}, array<std::int64_t>(4), array<int>(2), array<double>(12), 8);
  CHECK(storage_bytes(bsr) == 32 + 8 + 96);
  CHECK(fill_ratio(bsr) == 1.5);
  Ell const ell(3, 5, 4, 2, 5, array<int>(3), array<int>(10), array<double>(10));
  CHECK(storage_bytes(ell) == 12 + 40 + 80);
  CHECK(fill_ratio(ell) == 2.5);
  Sell const sell(5, 5, 8, {2, 1, 1}, array<std::int64_t>(4), array<int>(5), array<int>(0),
                  array<int>(10), array<double>(10));
  CHECK(storage_bytes(sell) == 32 + 20 + 40 + 80);
  CHECK(fill_ratio(sell) == 1.25);
  Sell const with_rows(5, 5, 8, {2, 1, 4}, array<std::int64_t>(4), array<int>(5), array<int>(5),
                       array<int>(10), array<double>(10));
  CHECK(storage_bytes(with_rows) == 32 + 20 + 20 + 40 + 80);
  Hyb const hyb(ell, Coo(3, 5, array<int>(4), array<int>(4), array<double>(4)));
  CHECK(storage_bytes(hyb) == 12 + 40 + 80 + 16 + 16 + 32);
  CHECK(fill_ratio(hyb) == 1.75); // 14 places, 8 entries
}

TEST_CASE("matrices without entries fill 1", "[storage]")
{
  CHECK(storage_bytes(Csr{}) == 0);
  CHECK(storage_bytes(Hyb{}) == 0);
  CHECK(fill_ratio(Csr{}) == 1);
  CHECK(fill_ratio(Hyb{}) == 1);
  CHECK(fill_ratio(Ell(3, 5, 0, 2, 5, array<int>(3), array<int>(10), array<double>(10))) == 1);
}
