// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Files whose header claims more than there is, files that inflate to more than they should, and
// diagonals that their symmetry does not allow: what costs time and memory, and what is refused
// unless an option takes it.

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
using Complex = HostCooMatrix<Kokkos::complex<double>>;
template <class Layout>
using Dense = Kokkos::View<double**, Layout, Kokkos::HostSpace>;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

// What a reader says of a file, behind "PATH:".
template <class Matrix>
std::string refusal(std::string const& path, MatrixMarketReadOptions const& options = {})
{
  std::string const message =
      message_of<ParseError>([&] { read_matrix_market<Matrix>(path, options); });
  return message.starts_with(path + ":") ? message.substr(path.size() + 1) : message;
}

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

TEST_CASE("Matrix Market: a compressed file inflates to no more than the option allows",
          "[matrix_market]")
{
  TemporaryFolder const folder;
  std::string const text = "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n";
  auto const size = text.size();
  auto const path = folder.file("a.mtx.gz", gzip_member(text));
  auto const bytes = std::to_string(bytes_of(path).size());
  CHECK(refusal<Real>(path, {.max_inflated_bytes = size}) == "no error");
  CHECK(refusal<Real>(path, {.max_inflated_bytes = std::numeric_limits<std::size_t>::max()}) ==
        "no error");
  std::string const said = ": decompress the file, or raise "
                           "MatrixMarketReadOptions::max_inflated_bytes";
  CHECK(refusal<Real>(path, {.max_inflated_bytes = size - 1}) ==
        "4: the gzip data of " + bytes + " bytes inflate to more than " + std::to_string(size - 1) +
            said);
  CHECK(refusal<Real>(path, {.max_inflated_bytes = 0}) ==
        "1: the gzip data of " + bytes + " bytes inflate to more than 0" + said);
  CHECK(message_of<ParseError>([&] {
          read_dense_matrix_market<Dense<Kokkos::LayoutLeft>>(path, {.max_inflated_bytes = 50});
        }) == path + ":2: the gzip data of " + bytes + " bytes inflate to more than 50" + said);
  // It is about what is inflated: a plain file is read whatever its size, and of a header no more
  // than it takes.
  CHECK(refusal<Real>(folder.file("a.mtx", text), {.max_inflated_bytes = 0}) == "no error");
  std::string members = gzip_member(text);
  for (int i = 0; i < 20; ++i)
    members += gzip_member(std::string(60000, '\n'));
  members.back() = 'x';
  auto const large = folder.file("large.mtx.gz", members);
  CHECK(read_matrix_market_header(large, {.max_inflated_bytes = 130000}).cols == 3);
  CHECK(refusal<Real>(large, {.max_inflated_bytes = 130000}) ==
        "129947: the gzip data of " + std::to_string(members.size()) +
            " bytes inflate to more than 130000" + said);
}

TEST_CASE("Matrix Market: a file that inflates to a thousand times its size is refused",
          "[matrix_market]")
{
  TemporaryFolder const folder;
  auto const path = folder.path("a.mtx.gz");
  std::string const blanks(std::size_t(1) << 20, ' ');
  write_matrix_market(path, Real(), {.comment = blanks});
  auto const member = bytes_of(path);
  std::string members;
  for (int i = 0; i < 257; ++i) // each is a member with 1 MiB of blanks
    members += member;
  folder.file("a.mtx.gz", members);
  CHECK(members.size() < std::size_t(1) << 20);
  std::string const said = "the gzip data of " + std::to_string(members.size()) +
                           " bytes inflate to more than 268435456: decompress the file, or raise "
                           "MatrixMarketReadOptions::max_inflated_bytes";
  CHECK(refusal<Real>(path) == "767: " + said);
}

TEST_CASE("Matrix Market: diagonals are what their symmetry says", "[matrix_market]")
{
  TemporaryFolder const folder;
  std::string const taken = " (MatrixMarketReadOptions::any_diagonal takes it as it stands)";
  auto const file = [&](std::string const& kind, std::string const& body) {
    return folder.file("a.mtx", "%%MatrixMarket matrix " + kind + "\n" + body);
  };
  auto path = file("coordinate integer skew-symmetric", "2 2 3\n2 1 3\n\n 2 2  0\n1 1 x\n");
  CHECK(refusal<Real>(path) == "5: the entry in column 2 is on the diagonal: a skew-symmetric file "
                               "has only entries below it" +
                                   taken);
  CHECK(refusal<Real>(path, {.any_diagonal = true}) == "6: expected an integer, found 'x'");
  path = file("coordinate complex hermitian", "2 2 2\n2 1 3 4\n2 2 5 -0.5\t\r\n");
  CHECK(refusal<Complex>(path) == "4: the imaginary part -0.5 is on the diagonal: that of a "
                                  "hermitian matrix is real" +
                                      taken);
  auto const a = read_matrix_market<Complex>(path, {.any_diagonal = true});
  CHECK(triples_of(a).at(1).value == Kokkos::complex<double>(5, -0.5));
  CHECK(refusal<Complex>(file("coordinate complex hermitian", "1 1 1\n1 1 5 nan\n")) == "no error");
  CHECK(refusal<Complex>(file("coordinate complex hermitian", "2 2 2\n1 1 5 -0\n2 1 3 4\n")) ==
        "no error");
  CHECK(refusal<Complex>(file("coordinate complex symmetric", "1 1 1\n1 1 5 6\n")) == "no error");
}

TEST_CASE("Matrix Market: the diagonal of a hermitian array is real", "[matrix_market]")
{
  TemporaryFolder const folder;
  std::int64_t const n = 9;
  auto const with = [&](std::int64_t bad) {
    std::string text = "%%MatrixMarket matrix array complex hermitian\n9 9\n";
    std::int64_t k = 0;
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = j; i < n; ++i, ++k)
        text += i == j && k != bad ? "1 0\n" : "1 2\n";
    return folder.file("a.mtx", text);
  };
  CHECK(refusal<Complex>(with(-1)) == "no error");
  std::int64_t diagonal = 0;
  for (std::int64_t j = 0; j < n; diagonal += n - j++)
  {
    auto const path = with(diagonal);
    auto const line = std::to_string(diagonal + 3);
    CHECK(refusal<Complex>(path).starts_with(line + ": the imaginary part 2 is on the diagonal"));
    CHECK(read_matrix_market<Complex>(path, {.any_diagonal = true}).nnz() == 81);
  }
}

} // namespace heddle::test
