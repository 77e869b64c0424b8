// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Files whose header claims more than there is: nothing takes time or memory for it.

#include <formats/matrix_market_support.hpp>
#include <heddle/error.hpp>
#include <heddle/matrix_market.hpp>
#include <support/messages.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace heddle::test
{

namespace
{

using Real = HostCooMatrix<double>;
using Wide = HostCooMatrix<double, std::int64_t>;
template <class Layout>
using Dense = Kokkos::View<double**, Layout, Kokkos::HostSpace>;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

} // namespace

// Each of these takes years where a loop goes over columns that have no rows.
TEST_CASE("Matrix Market: arrays without rows may have any number of columns", "[matrix_market]")
{
  TemporaryFolder const folder;
  for (auto const& [rows, cols] :
       {std::pair{std::int64_t(0), most}, std::pair{most, std::int64_t(0)}})
  {
    auto const size = std::to_string(rows) + " " + std::to_string(cols);
    auto const path =
        folder.file("a.mtx", "%%MatrixMarket matrix array real general\n" + size + "\n");
    auto const a = read_matrix_market<Wide>(path);
    CHECK(a.num_rows() == rows);
    CHECK(a.num_cols() == cols);
    CHECK(a.nnz() == 0);
    auto const left = read_dense_matrix_market<Dense<Kokkos::LayoutLeft>>(path);
    auto const right = read_dense_matrix_market<Dense<Kokkos::LayoutRight>>(path);
    CHECK(left.extent(0) == static_cast<std::size_t>(rows));
    CHECK(right.extent(1) == static_cast<std::size_t>(cols));
    write_matrix_market(folder.path("b.mtx"), left);
    write_matrix_market(folder.path("c.mtx"), right);
    CHECK(bytes_of(folder.path("b.mtx")) == bytes_of(path));
    CHECK(bytes_of(folder.path("c.mtx")) == bytes_of(path));
  }
  for (std::string const symmetry : {"symmetric", "skew-symmetric"})
    for (std::string const size : {"0 0", "1 1"})
    {
      bool const has_value = symmetry == "symmetric" && size == "1 1";
      auto const path = folder.file("a.mtx", "%%MatrixMarket matrix array real " + symmetry + "\n" +
                                                 size + "\n" + (has_value ? "7\n" : ""));
      CHECK(read_matrix_market<Real>(path).nnz() == (has_value ? 1 : 0));
      CHECK(read_dense_matrix_market<Dense<Kokkos::LayoutLeft>>(path).extent(0) ==
            (size == "0 0" ? 0 : 1));
    }
}

TEST_CASE("Matrix Market: a coordinate file may be huge and hollow", "[matrix_market]")
{
  TemporaryFolder const folder;
  auto const size = std::to_string(most) + " " + std::to_string(most);
  for (std::string const symmetry : {"general", "symmetric", "skew-symmetric"})
  {
    auto const banner = "%%MatrixMarket matrix coordinate real " + symmetry + "\n";
    auto const path =
        folder.file("a.mtx", banner + size + " 1\n" + std::to_string(most) + " 1 3\n");
    auto const a = read_matrix_market<Wide>(path);
    CHECK(a.nnz() == (symmetry == "general" ? 1 : 2));
    CHECK(a.rows()(0) == most - 1);
    CHECK(message_of<OutOfMemory>([&] {
            read_dense_matrix_market<Dense<Kokkos::LayoutLeft>>(path);
          }).ends_with("needs more bytes than 64 bits can count"));
    write_matrix_market(folder.path("b.mtx"), a);
    CHECK(read_matrix_market<Wide>(folder.path("b.mtx")).nnz() == a.nnz());
  }
}

} // namespace heddle::test
