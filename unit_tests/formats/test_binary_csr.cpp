// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/matrix_market_support.hpp>
#include <heddle/binary_csr.hpp>
#include <heddle/error.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::test
{

namespace
{

using Catch::Matchers::Message;

template <class Value, class Ordinal, class Offset>
using HostCsrMatrix = CsrMatrix<Value, Ordinal, Offset, Kokkos::HostSpace>;
using Native = HostCsrMatrix<double, std::int32_t, std::int32_t>;

// What the bytes of numbers are on a little-endian machine.
template <class T>
std::string raw(std::vector<T> const& numbers)
{
  return {reinterpret_cast<char const*>(numbers.data()), numbers.size() * sizeof(T)};
}

std::string file_of(std::vector<std::int64_t> const& sizes,
                    std::vector<std::int32_t> const& row_offsets,
                    std::vector<std::int32_t> const& columns, std::vector<double> const& values)
{
  return "CSRB1\n" + raw(sizes) + raw(row_offsets) + raw(columns) + raw(values);
}

// [0.1 0 1e30; 0 0 0; 0 -2 0], in any types.
template <class Matrix>
Matrix small_matrix()
{
  using Offset = typename Matrix::offset_type;
  Kokkos::View<Offset*, Kokkos::HostSpace> const offsets("heddle::test::offsets", 4);
  typename Matrix::columns_view const columns("heddle::test::columns", 3);
  typename Matrix::values_view const values("heddle::test::values", 3);
  offsets(1) = offsets(2) = 2;
  offsets(3) = 3;
  columns(1) = 2;
  columns(2) = 1;
  using Value = typename Matrix::value_type;
  values(0) = Value(0.1);
  values(1) = Value(1e30);
  values(2) = Value(-2);
  return Matrix(3, 3, offsets, columns, values);
}

template <class Value>
std::string small_file()
{
  return file_of({3, 3, 3}, {0, 2, 2, 3}, {0, 2, 1}, {Value(0.1), Value(1e30), Value(-2)});
}

template <class View>
auto numbers_of(View const& view)
{
  return std::vector<typename View::non_const_value_type>(view.data(),
                                                          view.data() + view.extent(0));
}

// How reading such bytes fails.
template <class Matrix = Native>
std::string error_of(std::string const& bytes)
{
  TemporaryFolder const folder;
  auto const path = folder.file("a.bin", bytes);
  try
  {
    read_binary_csr<Matrix>(path);
  }
  catch (ParseError const& error)
  {
    std::string const what = error.what();
    REQUIRE(what.starts_with(path + ": "));
    CHECK(error.line() == 0);
    return what.substr(path.size() + 2);
  }
  return "no ParseError";
}

} // namespace

using BinaryTypes = std::tuple<Native, HostCsrMatrix<double, std::int32_t, std::size_t>,
                               HostCsrMatrix<float, std::int64_t, std::int64_t>,
                               HostCsrMatrix<double, std::int64_t, std::uint32_t>,
                               HostCsrMatrix<float, std::int32_t, std::int32_t>>;

TEMPLATE_LIST_TEST_CASE("CSRB1: the bytes are those of the format, whatever the types",
                        "[binary_csr]", BinaryTypes)
{
  using Value = typename TestType::value_type;
  TemporaryFolder const folder;
  auto const path = folder.path("a.bin");
  write_binary_csr(path, small_matrix<TestType>());
  CHECK(bytes_of(path) == small_file<Value>());
  write_binary_csr(path, typename TestType::const_type(small_matrix<TestType>()));
  CHECK(bytes_of(path) == small_file<Value>());
  CHECK(folder.num_files() == 1);

  CHECK(read_binary_csr_header(path) == BinaryCsrHeader{3, 3, 3});
  auto const a = read_binary_csr<TestType>(path);
  CHECK(a.num_rows() == 3);
  CHECK(a.num_cols() == 3);
  using Offset = typename TestType::offset_type;
  CHECK(numbers_of(a.row_offsets()) == std::vector<Offset>{0, 2, 2, 3});
  CHECK(numbers_of(a.columns()) == std::vector<typename TestType::ordinal_type>{0, 2, 1});
  CHECK(numbers_of(a.values()) == std::vector<Value>{Value(0.1), Value(1e30), Value(-2)});
  auto const read_only = read_binary_csr<typename TestType::const_type>(path);
  CHECK(numbers_of(read_only.columns()) == numbers_of(a.columns()));
}

TEST_CASE("CSRB1: matrices without entries", "[binary_csr]")
{
  TemporaryFolder const folder;
  auto const path = folder.path("a.bin");
  write_binary_csr(path, Native());
  CHECK(bytes_of(path) == file_of({0, 0, 0}, {0}, {}, {}));
  auto const empty = read_binary_csr<Native>(path);
  CHECK(empty.num_rows() == 0);
  CHECK(empty.row_offsets().extent(0) == 1);
  auto const wide =
      read_binary_csr<Native>(folder.file("b.bin", file_of({2, 5, 0}, {0, 0, 0}, {}, {})));
  CHECK(wide.num_rows() == 2);
  CHECK(wide.num_cols() == 5);
  CHECK(wide.nnz() == 0);
}

TEST_CASE("CSRB1: a matrix of many blocks comes back", "[binary_csr]")
{
  int const rows = 70001, per_row = 4; // several times what is copied at once
  std::size_t const nnz = std::size_t(rows) * per_row;
  Kokkos::View<std::int32_t*, Kokkos::HostSpace> const offsets("heddle::test::offsets", rows + 1);
  Kokkos::View<std::int32_t*, Kokkos::HostSpace> const columns("heddle::test::columns", nnz);
  Kokkos::View<double*, Kokkos::HostSpace> const values("heddle::test::values", nnz);
  for (int i = 0; i < rows; ++i)
  {
    offsets(i + 1) = per_row * (i + 1);
    for (int k = 0; k < per_row; ++k)
    {
      columns(per_row * i + k) = 1000 * k + i % 1000;
      values(per_row * i + k) = i + 0.1 * k;
    }
  }
  TemporaryFolder const folder;
  write_binary_csr(folder.path("a.bin"), Native(rows, 4000, offsets, columns, values));
  auto const a =
      read_binary_csr<HostCsrMatrix<double, std::int64_t, std::size_t>>(folder.path("a.bin"));
  REQUIRE(a.nnz() == nnz);
  CHECK(std::equal(a.row_offsets().data(), a.row_offsets().data() + rows + 1, offsets.data()));
  CHECK(std::equal(a.columns().data(), a.columns().data() + nnz, columns.data()));
  CHECK(numbers_of(a.values()) == numbers_of(values));
}

TEST_CASE("CSRB1: malformed files", "[binary_csr]")
{
  std::string const good = small_file<double>();
  REQUIRE(error_of(good) == "no ParseError");
  CHECK(error_of("") == "the file does not begin with CSRB1 and a line end");
  CHECK(error_of("CSRB2\n" + good.substr(6)) ==
        "the file does not begin with CSRB1 and a line end");
  CHECK(error_of(good.substr(0, 29)) == "the file has 29 bytes, its header takes 30");
  CHECK(error_of(good.substr(0, good.size() - 1)) ==
        "the file has 81 bytes, a matrix of 3 x 3 with 3 entries takes 82");
  CHECK(error_of(good + "x") == "the file has 83 bytes, a matrix of 3 x 3 with 3 entries takes 82");
  CHECK(error_of(file_of({-1, 3, 0}, {}, {}, {})) ==
        "the number of rows is -1, not in 0 .. 2147483647");
  CHECK(error_of(file_of({3, 2147483648, 0}, {}, {}, {})) ==
        "the number of columns is 2147483648, not in 0 .. 2147483647");
  CHECK(error_of(file_of({3, 3, std::numeric_limits<std::int64_t>::max()}, {}, {}, {})) ==
        "the number of entries is 9223372036854775807, not in 0 .. 2147483647");
  CHECK(error_of(file_of({2147483647, 1, 2147483647}, {}, {}, {})) ==
        "the file has 30 bytes, a matrix of 2147483647 x 1 with 2147483647 entries takes "
        "34359738386");

  std::vector<double> const values{1, 2, 3};
  auto const error_of_pattern = [&](std::vector<std::int32_t> const& row_offsets,
                                    std::vector<std::int32_t> const& columns) {
    return error_of(file_of({3, 3, 3}, row_offsets, columns, values));
  };
  CHECK(error_of_pattern({1, 2, 2, 3}, {0, 1, 2}) == "row_offsets(0) is 1, expected 0");
  CHECK(error_of_pattern({0, 2, 1, 3}, {0, 1, 2}) == "row_offsets falls from 2 to 1 in row 1");
  CHECK(error_of_pattern({0, 2, 2, 2}, {0, 1, 2}) ==
        "row_offsets ends at 2 but there are 3 entries");
  CHECK(error_of_pattern({0, 9, 2, 3}, {0, 1, 2}) == "row_offsets falls from 9 to 2 in row 1");
  CHECK(error_of_pattern({0, 1, 2, 3}, {0, 3, 4}) ==
        "column 3 at position 1 of row 1 is not in 0 .. 2");
  CHECK(error_of_pattern({0, 1, 2, 3}, {0, 0, -1}) ==
        "column -1 at position 2 of row 2 is not in 0 .. 2");
  CHECK(error_of_pattern({0, 0, 3, 3}, {0, 2, 1}) ==
        "column 1 at position 2 of row 1 follows column 2, they must ascend");
  CHECK(error_of_pattern({0, 0, 3, 3}, {0, 1, 1}) ==
        "column 1 at position 2 of row 1 follows column 1, they must ascend");
  using Float = HostCsrMatrix<float, std::int32_t, std::int32_t>;
  double const infinity = std::numeric_limits<double>::infinity();
  CHECK(error_of<Float>(file_of({1, 3, 3}, {0, 3}, {0, 1, 2}, {infinity, 1e-60, 1e39})) ==
        "the value 1e+39 at position 2 does not fit into a 32-bit floating-point number");
}

TEST_CASE("CSRB1: files that cannot be read or written", "[binary_csr]")
{
  TemporaryFolder const folder;
  auto const missing = folder.path("none.bin");
  CHECK_THROWS_MATCHES(read_binary_csr<Native>(missing), FileError,
                       Message("cannot read " + missing + ": No such file or directory"));
  CHECK_THROWS_MATCHES(
      write_binary_csr(folder.path("none/a.bin"), Native()), FileError,
      Message("cannot write " + folder.path("none/a.bin") + ": No such file or directory"));
}

TEST_CASE("CSRB1: what the writer refuses", "[binary_csr]")
{
  TemporaryFolder const folder;
  auto const path = folder.path("a.bin");
  using Wide = HostCsrMatrix<double, std::int64_t, std::int64_t>;
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> const offsets("heddle::test::offsets", 2);
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> const columns("heddle::test::columns", 2);
  Kokkos::View<double*, Kokkos::HostSpace> const values("heddle::test::values", 2);
  std::size_t const many = 2147483648; // never touched: the sizes alone are refused
  Wide::columns_view const many_columns(columns.data(), many);
  Wide::values_view const many_values(values.data(), many);
  CHECK_THROWS_MATCHES(write_binary_csr(path, Wide(1, 7, offsets, many_columns, many_values)),
                       InvalidArgument,
                       Message("heddle::write_binary_csr: A is 1 x 7 with 2147483648 entries, a "
                               "CSRB1 file can count to 2147483647"));
  offsets(1) = 2;
  columns(1) = 5000000000;
  CHECK_THROWS_MATCHES(write_binary_csr(path, Wide(1, 6000000000, offsets, columns, values)),
                       InvalidArgument,
                       Message("heddle::write_binary_csr: A is 1 x 6000000000 with 2 entries, a "
                               "CSRB1 file can count to 2147483647"));
  CHECK_THROWS_MATCHES(write_binary_csr(path, Wide(1, 7, offsets, columns, values)),
                       InvalidArgument,
                       Message("heddle::write_binary_csr: of A, column 5000000000 at position 1 of "
                               "row 0 is not in 0 .. 6"));
  columns(0) = 3;
  columns(1) = 1;
  CHECK_THROWS_MATCHES(write_binary_csr(path, Wide(1, 7, offsets, columns, values)),
                       InvalidArgument,
                       Message("heddle::write_binary_csr: of A, column 1 at position 1 of row 0 "
                               "follows column 3, they must ascend"));
  offsets(1) = 1;
  CHECK_THROWS_MATCHES(write_binary_csr(path, Wide(1, 7, offsets, columns, values)),
                       InvalidArgument,
                       Message("heddle::write_binary_csr: of A, row_offsets ends at 1 but there "
                               "are 2 entries"));
  CHECK(folder.num_files() == 0);
}

} // namespace heddle::test
