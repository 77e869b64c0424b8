// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/matrix_market_support.hpp>
#include <heddle/accumulator.hpp>
#include <heddle/error.hpp>
#include <heddle/matrix_market.hpp>
#include <support/file_size_limit.hpp>
#include <support/messages.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include <sys/stat.h>

namespace heddle::test
{

namespace
{

using Field = MatrixMarketField;
using Symmetry = MatrixMarketSymmetry;
using Real = HostCooMatrix<double>;
using Complex = Kokkos::complex<double>;
using Csr = CsrMatrix<double, int, std::size_t, Kokkos::HostSpace>;
using Options = MatrixMarketWriteOptions;

template <class Matrix>
std::string text_of(Matrix const& a, Options const& options = {})
{
  TemporaryFolder const folder;
  write_matrix_market(folder.path("a.mtx"), a, options);
  REQUIRE(folder.num_files() == 1); // the temporary one is gone
  return bytes_of(folder.path("a.mtx"));
}

// [1 2 0; 0 0 3]
Csr small_csr()
{
  Kokkos::View<std::size_t*, Kokkos::HostSpace> const offsets("heddle::test::offsets", 3);
  Kokkos::View<int*, Kokkos::HostSpace> const columns("heddle::test::columns", 3);
  Kokkos::View<double*, Kokkos::HostSpace> const values("heddle::test::values", 3);
  offsets(1) = 2;
  offsets(2) = 3;
  columns(1) = 1;
  columns(2) = 2;
  for (int k = 0; k < 3; ++k)
    values(k) = k + 1;
  return {2, 3, offsets, columns, values};
}

// A value that needs all digits of its type.
template <class Value>
Value value_of(std::int64_t i, Field field)
{
  using R = impl::real_t<Value>;
  if (field == Field::pattern)
    return Value(1);
  R const whole = static_cast<R>(i % 2 == 0 ? i + 1 : -i * i * 1000);
  if (field == Field::integer)
    return Value(whole);
  if constexpr (impl::is_complex_v<Value>)
    return Value(whole / R(3), R(1) / (whole + R(7.3)));
  else
    return whole / R(3);
}

template <class Value>
Value image_of(Value const& value, Symmetry symmetry)
{
  if constexpr (impl::is_complex_v<Value>)
    if (symmetry == Symmetry::hermitian)
      return Value(value.real(), -value.imag());
  return symmetry == Symmetry::skew_symmetric ? -value : value;
}

// The lower triangle column by column, then its mirror images: what a reader makes of the file.
template <class Value>
std::vector<Triple<Value>> sample(int n, Field field, Symmetry symmetry)
{
  std::vector<Triple<Value>> triples;
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = j + 1; i < n; ++i)
      triples.push_back({i, j, value_of<Value>(i * n + j, field)});
  std::size_t const below = triples.size();
  if (symmetry != Symmetry::skew_symmetric && symmetry != Symmetry::hermitian)
    triples.push_back({n - 1, n - 1, value_of<Value>(5, field)});
  for (std::size_t k = 0; k < below; ++k)
    triples.push_back({triples[k].column, triples[k].row, image_of(triples[k].value, symmetry)});
  return triples;
}

bool is_legal(bool is_complex, Field field, Symmetry symmetry)
{
  if (is_complex && (field == Field::real || field == Field::integer))
    return false;
  if (field == Field::pattern)
    return symmetry == Symmetry::general || symmetry == Symmetry::symmetric;
  return symmetry != Symmetry::hermitian || field == Field::complex;
}

template <class Value>
Kokkos::View<Value**, Kokkos::LayoutRight, Kokkos::HostSpace>
to_dense(int n, std::vector<Triple<Value>> const& triples)
{
  Kokkos::View<Value**, Kokkos::LayoutRight, Kokkos::HostSpace> const dense("heddle::test::dense",
                                                                            n, n);
  for (auto const& [i, j, value] : triples)
    dense(i, j) = value;
  return dense;
}

} // namespace

TEST_CASE("Matrix Market: the written text", "[matrix_market]")
{
  std::string const banner = "%%MatrixMarket matrix coordinate ";
  CHECK(text_of(small_csr()) == banner + "real general\n2 3 3\n1 1 1\n1 2 2\n2 3 3\n");
  CHECK(text_of(small_csr(), {.field = Field::pattern, .comment = "one\n\ntwo\n"}) ==
        banner + "pattern general\n% one\n% \n% two\n2 3 3\n1 1\n1 2\n2 3\n");
  CHECK(text_of(small_csr(), {.field = Field::complex}) ==
        banner + "complex general\n2 3 3\n1 1 1 0\n1 2 2 0\n2 3 3 0\n");
  auto const symmetric = make_coo<double>(2, 2, {{0, 1, 0.1}, {1, 0, 0.1}, {1, 1, 1e300}});
  CHECK(text_of(symmetric, {.symmetry = Symmetry::symmetric}) ==
        banner + "real symmetric\n2 2 2\n2 1 0.1\n2 2 1e+300\n");
  auto const skew = make_coo<double>(2, 2, {{0, 0, 0}, {1, 0, 3}, {0, 1, -3}});
  CHECK(text_of(skew, {.field = Field::integer, .symmetry = Symmetry::skew_symmetric}) ==
        banner + "integer skew-symmetric\n2 2 1\n2 1 3\n");
  auto const whole = make_coo<double>(2, 2, {{0, 0, -0.0}, {1, 0, 1e22}});
  CHECK(text_of(whole, {.field = Field::integer}) ==
        banner + "integer general\n2 2 2\n1 1 0\n2 1 10000000000000000000000\n");
  CHECK(text_of(Real()) == banner + "real general\n0 0 0\n");
  CHECK(text_of(Csr()) == banner + "real general\n0 0 0\n");
  Csr::const_type const read_only = small_csr();
  CHECK(text_of(read_only) == text_of(small_csr()));
}

TEST_CASE("Matrix Market: the written text of Views of any layout", "[matrix_market]")
{
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> const right("heddle::test::a", 2,
                                                                             3);
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> const left("heddle::test::b", 2, 3);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      left(i, j) = right(i, j) = 10 * i + j;
  std::string const expected =
      "%%MatrixMarket matrix array real general\n2 3\n0\n10\n1\n11\n2\n12\n";
  CHECK(text_of(right) == expected);
  CHECK(text_of(left) == expected);
  auto const part = Kokkos::subview(right, Kokkos::pair(0, 2), Kokkos::pair(1, 3));
  CHECK(text_of(part) == "%%MatrixMarket matrix array real general\n2 2\n1\n11\n2\n12\n");
  Kokkos::View<double const**, Kokkos::LayoutRight, Kokkos::HostSpace> const read_only = right;
  CHECK(text_of(read_only) == expected);
}

TEMPLATE_TEST_CASE("Matrix Market: what is written is read back", "[matrix_market]", float, double,
                   Kokkos::complex<float>, Kokkos::complex<double>)
{
  TemporaryFolder const folder;
  int const n = 7;
  for (Field const field : {Field::real, Field::complex, Field::integer, Field::pattern})
    for (Symmetry const symmetry :
         {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian})
      for (std::string const name : {"a.mtx", "a.mtx.gz"})
      {
        if (!is_legal(impl::is_complex_v<TestType>, field, symmetry))
          continue;
        CAPTURE(field, symmetry, name);
        auto const path = folder.path(name);
        auto const expected = sample<TestType>(n, field, symmetry);
        auto const a = make_coo<TestType, std::int64_t>(n, n, expected);
        write_matrix_market(path, a, {.field = field, .symmetry = symmetry});
        CHECK(bytes_of(path).starts_with("%%") == (name == "a.mtx"));
        if (field == Field::complex && !impl::is_complex_v<TestType>)
          continue; // a real matrix as a complex file, which no real matrix can read
        auto const b = read_matrix_market<HostCooMatrix<TestType>>(path);
        CHECK(triples_of(b) == expected);
        if (field == Field::pattern)
          continue;
        auto const dense = to_dense(n, expected);
        write_matrix_market(path, dense, {.field = field, .symmetry = symmetry});
        using Dense = Kokkos::View<TestType**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
        auto const read = read_dense_matrix_market<Dense>(path);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            CHECK(read(i, j) == dense(i, j));
      }
}

TEST_CASE("Matrix Market: every double survives", "[matrix_market]")
{
  std::vector<double> values{0.1,
                             -0.0,
                             1e300,
                             5e-324,
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::min(),
                             std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};
  std::uint64_t bits = 1;
  while (values.size() < 20000) // any bits, but for NaNs, whose payload is not kept
  {
    bits = bits * 6364136223846793005U + 1442695040888963407U;
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isnan(value))
      values.push_back(value);
  }
  std::vector<Triple<double>> triples;
  for (std::size_t k = 0; k < values.size(); ++k)
    triples.push_back({std::int64_t(k), 0, values[k]});
  TemporaryFolder const folder;
  write_matrix_market(folder.path("a.mtx"), make_coo<double>(int(values.size()), 1, triples));
  auto const a = read_matrix_market<Real>(folder.path("a.mtx"));
  REQUIRE(a.nnz() == values.size());
  std::size_t equal = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    equal += std::memcmp(&values[k], &a.values()(k), sizeof(double)) == 0 ? 1 : 0;
  CHECK(equal == values.size());
}

TEST_CASE("Matrix Market: duplicates are added before symmetry is checked", "[matrix_market]")
{
  auto const a = make_coo<double>(2, 2, {{1, 0, 1}, {0, 1, 3}, {1, 0, 2}});
  CHECK(text_of(a, {.symmetry = Symmetry::symmetric}) ==
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 1\n2 1 2\n");
}

TEST_CASE("Matrix Market: writing replaces a file at once", "[matrix_market]")
{
  namespace fs = std::filesystem;
  TemporaryFolder const folder;
  auto const path = folder.file("a.mtx", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(path, folder.path("link"));
  write_matrix_market(folder.path("link"), small_csr());
  CHECK(fs::is_symlink(folder.path("link")));
  CHECK(bytes_of(path) == text_of(small_csr()));
  CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(folder.num_files() == 2);
}

namespace
{

std::string file_error_of(std::string const& path, Real const& a)
{
  try
  {
    write_matrix_market(path, a);
  }
  catch (FileError const& error)
  {
    return error.what();
  }
  return "no FileError";
}

} // namespace

TEST_CASE("Matrix Market: a file that cannot be finished is not there", "[matrix_market]")
{
  TemporaryFolder const folder;
  std::vector<Triple<double>> triples;
  for (std::int64_t i = 0; i < 100000; ++i)
    triples.push_back({i, i * i % 1000, 1.0 / double(i + 1)});
  auto const a = make_coo<double>(100000, 1000, triples);
  folder.file("a.mtx", "old");
  std::string plain, compressed;
  {
    FileSizeLimit const limit(65536);
    plain = file_error_of(folder.path("a.mtx"), a);
    compressed = file_error_of(folder.path("a.mtx.gz"), a);
  }
  CHECK(plain == "cannot write " + folder.path("a.mtx") + ": File too large");
  CHECK(compressed == "cannot write " + folder.path("a.mtx.gz") + ": File too large");
  CHECK(bytes_of(folder.path("a.mtx")) == "old");
  CHECK(folder.num_files() == 1);
  // So small that nothing is written before the end.
  {
    FileSizeLimit const limit(2);
    compressed = file_error_of(folder.path("b.mtx.gz"), make_coo<double>(1, 1, {{0, 0, 1.0}}));
  }
  CHECK(compressed == "cannot write " + folder.path("b.mtx.gz") + ": File too large");
  CHECK(folder.num_files() == 1);
}

TEST_CASE("Matrix Market: a CSR matrix with a defect is not written", "[matrix_market]")
{
  TemporaryFolder const folder;
  auto const error_of_write = [&](std::vector<std::size_t> const& offsets,
                                  std::vector<int> const& columns) {
    Kokkos::View<std::size_t*, Kokkos::HostSpace> const o("heddle::test::offsets", offsets.size());
    Kokkos::View<int*, Kokkos::HostSpace> const j("heddle::test::columns", columns.size());
    Kokkos::View<double*, Kokkos::HostSpace> const v("heddle::test::values", columns.size());
    std::copy(offsets.begin(), offsets.end(), o.data());
    std::copy(columns.begin(), columns.end(), j.data());
    auto const message = message_of<InvalidArgument>(
        [&] { write_matrix_market(folder.path("a.mtx"), Csr(2, 3, o, j, v)); });
    CHECK(folder.num_files() == (message == "no error" ? 1 : 0));
    return message;
  };
  std::string const start = "heddle::write_matrix_market: of A, ";
  CHECK(error_of_write({0, 2000, 1}, {0}) == start + "row_offsets falls from 2000 to 1 in row 1");
  CHECK(error_of_write({0, 1, 1}, {0, 1}) ==
        start + "row_offsets ends at 1 but there are 2 entries");
  CHECK(error_of_write({1, 1, 2}, {0, 1}) == start + "row_offsets(0) is 1, expected 0");
  CHECK(error_of_write({0, std::numeric_limits<std::size_t>::max(), 1}, {0}) ==
        start + "row_offsets falls from 0 to -1 in row 0");
  CHECK(error_of_write({0, 1, 2}, {0, 3}) ==
        start + "column 3 at position 1 of row 1 is not in 0 .. 2");
  CHECK(error_of_write({0, 1, 2}, {-1, 2}) ==
        start + "column -1 at position 0 of row 0 is not in 0 .. 2");
  CHECK(error_of_write({0, 0, 2}, {2, 2}) ==
        start + "column 2 stands twice in row 1, again at position 1");
  CHECK(error_of_write({0, 2, 2}, {2, 0}) == "no error");
}

} // namespace heddle::test
