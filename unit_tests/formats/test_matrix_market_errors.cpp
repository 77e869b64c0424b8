// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/matrix_market_support.hpp>
#include <heddle/error.hpp>
#include <heddle/matrix_market.hpp>
#include <support/messages.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using Catch::Matchers::Message;
using Field = MatrixMarketField;
using Symmetry = MatrixMarketSymmetry;
using Real = HostCooMatrix<double>;
using Complex = Kokkos::complex<double>;

// The line and the problem of the ParseError that reading a file ends in.
template <class Matrix = Real>
std::string error_of_file(std::string const& path)
{
  try
  {
    read_matrix_market<Matrix>(path);
  }
  catch (ParseError const& error)
  {
    std::string const what = error.what();
    std::string const place = path + ":" + std::to_string(error.line()) + ": ";
    CHECK(error.file() == path);
    REQUIRE(what.starts_with(place));
    return std::to_string(error.line()) + ": " + what.substr(place.size());
  }
  return "no ParseError";
}

template <class Matrix = Real>
std::string error_of(std::string const& text)
{
  TemporaryFolder const folder;
  return error_of_file<Matrix>(folder.file("a.mtx", text));
}

std::string const banner = "%%MatrixMarket matrix coordinate ";
std::string const general = banner + "real general\n";

} // namespace

TEST_CASE("Matrix Market: a bad first line", "[matrix_market]")
{
  CHECK(error_of("") == "1: the file is empty");
  CHECK(error_of("\n" + general + "1 1 0\n") ==
        "1: expected %%MatrixMarket, found the end of the line");
  CHECK(error_of("1 1 0\n") == "1: expected %%MatrixMarket, found '1'");
  CHECK(error_of("\xff\x01 '" + std::string(60, 'x')) ==
        "1: expected %%MatrixMarket, found '\\xff\\x01'");
  CHECK(error_of(std::string(60, 'x')) ==
        "1: expected %%MatrixMarket, found '" + std::string(40, 'x') + "...'");
  CHECK(error_of("%%MatrixMarket vector coordinate real general\n4 3\n") ==
        "1: the object is 'vector': only 'matrix' can be read");
  CHECK(error_of("%%MatrixMarket matrix sparse real general\n1 1 0\n") ==
        "1: expected the format (coordinate or array), found 'sparse'");
  CHECK(error_of(banner + "double general\n1 1 0\n") ==
        "1: expected the field (real, complex, integer or pattern), found 'double'");
  CHECK(error_of(banner + "real\n1 1 0\n") ==
        "1: expected the symmetry (general, symmetric, skew-symmetric or hermitian), "
        "found the end of the line");
  CHECK(error_of(banner + "real general indeed\n1 1 0\n") ==
        "1: unexpected 'indeed' after the symmetry");
  CHECK(error_of("%%MatrixMarket matrix array pattern general\n1 1\n") ==
        "1: an array has values, its field cannot be pattern");
  CHECK(error_of(banner + "pattern hermitian\n1 1 0\n") ==
        "1: a hermitian matrix is complex, its field cannot be pattern");
  CHECK(error_of(banner + "real hermitian\n1 1 0\n") ==
        "1: a hermitian matrix is complex, its field cannot be real");
  CHECK(error_of(banner + "pattern skew-symmetric\n1 1 0\n") ==
        "1: a skew-symmetric matrix has signs, its field cannot be pattern");
  CHECK(error_of(banner + "complex general\n1 1 1\n1 1 2 3\n") ==
        "1: the file is complex but the value type is real");
}

TEST_CASE("Matrix Market: a bad size line", "[matrix_market]")
{
  CHECK(error_of(general + "% comment\n\n") ==
        "2: the file ends before the line with the size of the matrix");
  CHECK(error_of(general + "\n% c\n3 3\n") ==
        "4: expected the number of entries, found the end of the line");
  CHECK(error_of(general + "3\n") ==
        "2: expected the number of columns, found the end of the line");
  CHECK(error_of(general + "3.0 3 1\n") == "2: expected the number of rows, found '3.0'");
  CHECK(error_of(general + "3 +-3 1\n") == "2: expected the number of columns, found '+-3'");
  CHECK(error_of(general + "3 -3 1\n") ==
        "2: the number of columns is -3, it must not be negative");
  CHECK(error_of(general + "3 3 9223372036854775808\n") ==
        "2: the number of entries, 9223372036854775808, does not fit into 64 bits");
  CHECK(error_of(general + "3 3 1 1\n1 1 1\n") == "2: unexpected '1' after the size of the matrix");
  CHECK(error_of("%%MatrixMarket matrix array real general\n1 1 1\n1\n") ==
        "2: unexpected '1' after the size of the matrix");
  CHECK(error_of(banner + "real symmetric\n3 4 0\n") ==
        "2: a symmetric matrix is square, this one is 3 x 4");
  CHECK(error_of("%%MatrixMarket matrix array real general\n4000000000 4000000000\n1\n") ==
        "2: an array of 4000000000 x 4000000000 has more values than 64 bits can count");
  CHECK(error_of(general + "2147483648 3 0\n") ==
        "2: 2147483648 rows do not fit into the 32-bit ordinal type of the matrix");
  CHECK(error_of(general + "% c\n3 5000000000 0\n") ==
        "3: 5000000000 columns do not fit into the 32-bit ordinal type of the matrix");
  CHECK(error_of(general + "2147483647 2147483647 0\n") == "no ParseError");
}

TEST_CASE("Matrix Market: a bad entry", "[matrix_market]")
{
  std::string const start = general + "3 4 2\n1 1 1\n";
  CHECK(error_of(start + "4 1 1\n") == "4: row 4 is not in 1 .. 3");
  CHECK(error_of(start + "0 1 1\n") == "4: row 0 is not in 1 .. 3");
  CHECK(error_of(start + "-1 1 1\n") == "4: row -1 is not in 1 .. 3");
  CHECK(error_of(start + "19223372036854775808 1 1\n") ==
        "4: row 19223372036854775808 is not in 1 .. 3");
  CHECK(error_of(start + "1 5 1\n") == "4: column 5 is not in 1 .. 4");
  CHECK(error_of(start + "x 1 1\n") == "4: expected a row number, found 'x'");
  CHECK(error_of(start + "1,1,1\n") == "4: expected a row number, found '1,1,1'");
  CHECK(error_of(start + "1.5 1 1\n") == "4: expected a row number, found '1.5'");
  CHECK(error_of(start + "1\n") == "4: expected a column number, found the end of the line");
  CHECK(error_of(start + "1 1.0 1\n") == "4: expected a column number, found '1.0'");
  CHECK(error_of(start + "1 2") == "4: expected a number, found the end of the line");
  CHECK(error_of(start + "1 2 \r\n\n") == "4: expected a number, found the end of the line");
  CHECK(error_of(start + "1 2 abc\n") == "4: expected a number, found 'abc'");
  CHECK(error_of(start + "1 2 1D5\n") == "4: expected a number, found '1D5'");
  CHECK(error_of(start + "1 2 +-1\n") == "4: expected a number, found '+-1'");
  CHECK(error_of(start + "1 2 3 4\n") == "4: unexpected '4' at the end of the line");
  CHECK(error_of(start + "1 2 3 % no\n") == "4: unexpected '%' at the end of the line");
  CHECK(error_of(start + "1 2 1e400\n") ==
        "4: the value 1e400 does not fit into a 64-bit floating-point number");
  CHECK(error_of(start + "1 2 -" + std::string(400, '9') + "\n") ==
        "4: the value -" + std::string(39, '9') +
            "... does not fit into a 64-bit floating-point number");
  CHECK(error_of<HostCooMatrix<float>>(start + "1 2 1e300\n") ==
        "4: the value 1e300 does not fit into a 32-bit floating-point number");
  CHECK(error_of(general + "0 4 1\n1 1 1\n") == "3: row 1 in a matrix that has none");

  std::string const integer = banner + "integer general\n3 4 1\n";
  CHECK(error_of(integer + "1 1 1.5\n") == "3: expected an integer, found '1.5'");
  CHECK(error_of(integer + "1 1\n") == "3: expected an integer, found the end of the line");
  CHECK(error_of(integer + "1 1 1" + std::string(308, '0') + "9\n") ==
        "3: the value 1" + std::string(39, '0') +
            "... does not fit into a 64-bit floating-point number");
  CHECK(error_of(banner + "pattern general\n3 4 1\n1 1 1\n") ==
        "3: unexpected '1' at the end of the line");
  CHECK(error_of<HostCooMatrix<Complex>>(banner + "complex general\n3 4 1\n1 1 1\n") ==
        "3: expected a number, found the end of the line");
  CHECK(error_of(banner + "real symmetric\n3 3 1\n1 3 1\n") ==
        "3: the entry in column 3 is above the diagonal: a symmetric file has the lower triangle "
        "only");
  CHECK(error_of("%%MatrixMarket matrix array real general\n2 1\n1\n2 3\n") ==
        "4: unexpected '3' at the end of the line");
}

TEST_CASE("Matrix Market: a wrong number of entries", "[matrix_market]")
{
  CHECK(error_of(general + "3 3 3\n1 1 1\n% c\n2 2 1\n\n") ==
        "5: the file ends after 2 of 3 entries");
  CHECK(error_of(general + "3 3 3\n") == "2: the file ends after 0 of 3 entries");
  CHECK(error_of(general + "3 3 9000000000000000000\n1 1 1\n") ==
        "3: the file ends after 1 of 9000000000000000000 entries");
  CHECK(error_of(general + "3 3 1\n1 1 1\n\n  2 2 1\n3 3 1\n") ==
        "5: the header says 1 entries, here is another");
  CHECK(error_of(general + "3 3 0\nanything\n") == "3: the header says 0 entries, here is another");
  CHECK(error_of("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n4\n") ==
        "6: the header says 3 values, here is another");
  CHECK(error_of<HostCooMatrix<double, std::int64_t>>(
            "%%MatrixMarket matrix array real general\n3000000000 3000000000\n1\n") ==
        "3: the file ends after 1 of 9000000000000000000 values");
  // What is wrong earlier is told first.
  CHECK(error_of(general + "3 3 3\n1 x 1\n2 2 1\n") == "3: expected a column number, found 'x'");
}

TEST_CASE("Matrix Market: the line is right in any piece of a large file", "[matrix_market]")
{
  int const n = 200000;
  auto const text_with = [&](std::map<int, std::string> const& bad) {
    std::string text = general + "300000 300000 " + std::to_string(n) + "\n";
    for (int k = 1; k <= n; ++k)
      text += bad.contains(k) ? bad.at(k) : std::to_string(k) + " 777 0.25\n";
    return text;
  };
  REQUIRE(text_with({}).size() > 2000000);
  CHECK(error_of(text_with({{150001, "\n\n1 2 oops\n"}})) ==
        "150005: expected a number, found 'oops'");
  CHECK(error_of(text_with({{199999, "1\n"}, {70000, "0 1 1\n"}, {120000, "x\n"}})) ==
        "70002: row 0 is not in 1 .. 300000");
  CHECK(error_of(text_with({{180000, "% nothing\n"}})) ==
        "200002: the file ends after 199999 of 200000 entries");
  CHECK(error_of(text_with({{3, "1 1 1\n2 2 2\n"}})) ==
        "200003: the header says 200000 entries, here is another");
}

TEST_CASE("Matrix Market: broken gzip data", "[matrix_market]")
{
  TemporaryFolder const folder;
  std::string const text = general + "3 3 2\n1 1 1\n3 3 2\n";
  std::string const good = gzip_member(text);
  auto const error_of_gzip = [&](std::string const& bytes) {
    return error_of_file(folder.file("a.mtx.gz", bytes));
  };
  REQUIRE(error_of_gzip(good) == "no ParseError");
  std::string const what = "cannot decompress the gzip data behind this line: ";
  CHECK(error_of_gzip(good.substr(0, good.size() - 20)) == "3: " + what + "they end too early");
  CHECK(error_of_gzip(good.substr(0, good.size() - 1)) == "5: " + what + "they end too early");
  CHECK(error_of_gzip(good.substr(0, 12)) == "1: " + what + "they end too early");
  CHECK(error_of_gzip(good + "more") == "5: " + what + "something else follows them");
  std::string flipped = good;
  flipped[30] ^= 1;
  CHECK(error_of_gzip(flipped) == "5: " + what + "incorrect data check");
  flipped = good;
  flipped[13] ^= 1; // the complement of the length of the stored block
  CHECK(error_of_gzip(flipped) == "1: " + what + "invalid stored block lengths");
}

TEST_CASE("Matrix Market: a bad header is refused where nothing else is read", "[matrix_market]")
{
  TemporaryFolder const folder;
  auto const error_of_header = [&](std::string const& bytes) {
    std::string const path = folder.file("a.mtx", bytes);
    std::string const message =
        message_of<heddle::ParseError>([&] { heddle::read_matrix_market_header(path); });
    return message.starts_with(path) ? message.substr(path.size()) : message;
  };
  std::string const text = banner + "real general\n% a comment\n3 x 2\n", what = error_of(text);
  CHECK(what.starts_with("3: "));
  CHECK(error_of_header(text) == ":" + what);
  CHECK(error_of_header(gzip_member(text)) == ":" + what);
}

TEST_CASE("Matrix Market: truncated deflate data of a large file", "[matrix_market]")
{
  TemporaryFolder const folder;
  std::vector<Triple<double>> triples;
  for (std::int64_t i = 0; i < 50000; ++i)
    triples.push_back({i, i * i % 1000, double(i)});
  auto const path = folder.path("a.mtx.gz");
  write_matrix_market(path, make_coo<double>(50000, 1000, triples));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  auto const error = error_of_file(path);
  CHECK_THAT(error, Catch::Matchers::EndsWith(": they end too early"));
  auto const line = std::stoi(error);
  CHECK(line > 10000);
  CHECK(line < 40000);
}

TEST_CASE("Matrix Market: the invalid files of the shared folder", "[matrix_market]")
{
  std::string const folder = HEDDLE_TEST_MATRICES "/small/invalid";
  if (!std::filesystem::exists(folder))
    SKIP("no folder " + folder);
  std::map<std::string, std::string> errors;
  for (auto const& file : std::filesystem::directory_iterator(folder))
  {
    auto const name = file.path().stem().string();
    errors[name] = error_of_file(file.path().string());
    CHECK_THROWS_AS(
        (read_dense_matrix_market<Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>>(
            file.path().string())),
        ParseError);
    INFO(name);
    CHECK(errors[name] != "no ParseError");
  }
  CHECK(errors.size() == 33);
  CHECK(errors["bad_banner_2"] == "1: expected %%MatrixMarket, found '%%Matrix'");
  CHECK(errors["dimensions_out_of_range_3"] ==
        "3: the number of entries is -3, it must not be negative");
  CHECK(errors["indices_out_of_range_2"] == "6: column 2000 is not in 1 .. 7");
  CHECK(errors["indices_out_of_range_5"] == "5: row -1 is not in 1 .. 7");
  CHECK(errors["matrix_coord_too_long"] == "7: the header says 3 entries, here is another");
  CHECK(errors["overflow_dim_gt_int64"] ==
        "2: the number of rows, 19223372036854775808, does not fit into 64 bits");
  CHECK(errors["overflow_index_gt_int64"] == "6: row 19223372036854775808 is not in 1 .. 1000");
  CHECK(errors["symmetry_vector"] == "1: the object is 'vector': only 'matrix' can be read");
  CHECK(errors["truncated_header_1"] ==
        "2: the file ends before the line with the size of the matrix");
  CHECK(errors["truncated_line_1"] == "5: expected a number, found the end of the line");
  CHECK(errors["truncated_line_2"] == "5: expected a column number, found the end of the line");
}

TEST_CASE("Matrix Market: files that cannot be opened", "[matrix_market]")
{
  TemporaryFolder const folder;
  auto const missing = folder.path("none.mtx");
  CHECK_THROWS_MATCHES(read_matrix_market<Real>(missing), FileError,
                       Message("cannot read " + missing + ": No such file or directory"));
  CHECK_THROWS_MATCHES(read_matrix_market_header(missing), FileError,
                       Message("cannot read " + missing + ": No such file or directory"));
  CHECK_THROWS_MATCHES(read_matrix_market<Real>(folder.path("")), FileError,
                       Message("cannot read " + folder.path("") + ": Is a directory"));
  auto const nowhere = folder.path("none/a.mtx");
  CHECK_THROWS_MATCHES(write_matrix_market(nowhere, Real()), FileError,
                       Message("cannot write " + nowhere + ": No such file or directory"));
  CHECK_THROWS_MATCHES(write_matrix_market("/dev/null", Real()), FileError,
                       Message("cannot write /dev/null: it is not a regular file"));
}

TEST_CASE("Matrix Market: a dense matrix too large for any memory", "[matrix_market]")
{
  TemporaryFolder const folder;
  auto const path = folder.file("a.mtx", general + "3000000000 3000000000 1\n1 1 1\n");
  using Dense = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  CHECK_THROWS_MATCHES(read_dense_matrix_market<Dense>(path), OutOfMemory,
                       Message("heddle::read_dense_matrix_market: a dense matrix of 3000000000 x "
                               "3000000000 needs more bytes than 64 bits can count"));
}

TEST_CASE("Matrix Market: what the writer refuses", "[matrix_market]")
{
  TemporaryFolder const folder;
  auto const error_of_write = [&](auto const& a, MatrixMarketWriteOptions const& options) {
    try
    {
      write_matrix_market(folder.path("a.mtx"), a, options);
    }
    catch (InvalidArgument const& error)
    {
      CHECK(folder.num_files() == 0);
      return std::string(error.what());
    }
    return std::string("no InvalidArgument");
  };
  std::string const start = "heddle::write_matrix_market: ";
  auto const a = make_coo<double>(2, 3, {{0, 2, 0.5}});
  auto const c = make_coo<Complex>(2, 2, {{1, 0, {1, 2}}, {0, 1, {1, 2}}});
  Kokkos::View<double**, Kokkos::HostSpace> const dense("heddle::test::dense", 2, 2);
  dense(0, 1) = 1;
  CHECK(error_of_write(a, {.symmetry = Symmetry::symmetric}) ==
        start + "a symmetric matrix is square, A is 2 x 3");
  CHECK(error_of_write(a, {.symmetry = Symmetry::hermitian}) ==
        start + "a hermitian matrix is complex, its field cannot be real");
  CHECK(error_of_write(a, {.field = Field::pattern, .symmetry = Symmetry::skew_symmetric}) ==
        start + "a skew-symmetric matrix has signs, its field cannot be pattern");
  CHECK(error_of_write(dense, {.field = Field::pattern}) ==
        start + "an array has values, its field cannot be pattern");
  CHECK(error_of_write(c, {.field = Field::real}) ==
        start + "A is complex, the field cannot be real");
  CHECK(error_of_write(a, {.field = Field::integer}) ==
        start + "(0, 2) is 0.5, the field cannot be integer");
  double const infinity = std::numeric_limits<double>::infinity();
  CHECK(error_of_write(make_coo<double>(1, 1, {{0, 0, infinity}}), {.field = Field::integer}) ==
        start + "(0, 0) is inf, the field cannot be integer");
  CHECK(error_of_write(make_coo<double>(2, 3, {{0, 2, 1}, {1, 3, 1}}), {}) ==
        start + "entry 1 stands at (1, 3) but A is 2 x 3");
  CHECK(error_of_write(make_coo<double>(2, 3, {{-1, 2, 1}}), {}) ==
        start + "entry 0 stands at (-1, 2) but A is 2 x 3");

  auto const b = make_coo<double>(3, 3, {{2, 0, 1}, {0, 2, 1.0000000000000002}, {1, 1, 4}});
  CHECK(error_of_write(b, {.symmetry = Symmetry::symmetric}) ==
        start + "A is not symmetric: (0, 2) is 1.0000000000000002 and (2, 0) is 1");
  CHECK(error_of_write(b, {.field = Field::pattern, .symmetry = Symmetry::symmetric}) ==
        "no InvalidArgument");
  std::filesystem::remove(folder.path("a.mtx"));
  CHECK(error_of_write(make_coo<double>(3, 3, {{2, 0, 7}}), {.symmetry = Symmetry::symmetric}) ==
        start + "A is not symmetric: (2, 0) is 7 and (0, 2) has no entry");
  CHECK(
      error_of_write(make_coo<double>(3, 3, {{1, 1, 4}}), {.symmetry = Symmetry::skew_symmetric}) ==
      start + "A is not skew-symmetric: (1, 1) is 4");
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(error_of_write(make_coo<double>(1, 1, {{0, 0, nan}}),
                       {.symmetry = Symmetry::skew_symmetric}) ==
        start + "A is not skew-symmetric: (0, 0) is nan");
  CHECK(error_of_write(c, {.symmetry = Symmetry::hermitian}) ==
        start + "A is not hermitian: (0, 1) is (1, 2) and (1, 0) is (1, 2)");
  CHECK(error_of_write(dense, {.symmetry = Symmetry::symmetric}) ==
        start + "A is not symmetric: (1, 0) is 0 and (0, 1) is 1");
}

} // namespace heddle::test
