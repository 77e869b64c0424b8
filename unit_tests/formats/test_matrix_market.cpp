// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/matrix_market_support.hpp>
#include <heddle/matrix_market.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <sys/stat.h>

// What the reader makes of good files; the writer is in test_matrix_market_write.cpp.

namespace heddle::test
{

namespace
{

using Format = MatrixMarketFormat;
using Field = MatrixMarketField;
using Symmetry = MatrixMarketSymmetry;
using Real = HostCooMatrix<double>;
using Complex = Kokkos::complex<double>;
using Triples = std::vector<Triple<double>>;
using ComplexTriples = std::vector<Triple<Complex>>;

std::string const real_general = "%%MatrixMarket matrix coordinate real general\n";

template <class Matrix = Real>
auto entries_in(std::string const& text)
{
  TemporaryFolder const folder;
  return triples_of(read_matrix_market<Matrix>(folder.file("a.mtx", text)));
}

// The values of a file with one column of such numbers.
template <class Value = double>
std::vector<Value> column_of(std::vector<std::string> const& numbers, std::string const& field)
{
  std::string text = "%%MatrixMarket matrix coordinate " + field + " general\n" +
                     std::to_string(numbers.size()) + " 1 " + std::to_string(numbers.size()) + "\n";
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += std::to_string(i + 1) + " 1 " + numbers[i] + "\n";
  std::vector<Value> values;
  for (auto const& triple : entries_in<HostCooMatrix<Value>>(text))
    values.push_back(triple.value);
  return values;
}

} // namespace

TEST_CASE("Matrix Market: a small file is read as it stands", "[matrix_market]")
{
  TemporaryFolder const folder;
  auto const path = folder.file("a.mtx", real_general + "% said by hand\n"
                                                        "3 4 5\n"
                                                        "3 4 -2.5\n"
                                                        "1 1 1\n"
                                                        "2 3 0\n"
                                                        "1 1 0.25\n"
                                                        "1 2 1e2\n");
  auto const a = read_matrix_market<CooMatrix<double, int, int, Kokkos::HostSpace>>(path);
  CHECK(a.num_rows() == 3);
  CHECK(a.num_cols() == 4);
  // The order, the stored zero and the duplicate are kept.
  CHECK(triples_of(a) == Triples{{2, 3, -2.5}, {0, 0, 1}, {1, 2, 0}, {0, 0, 0.25}, {0, 1, 100}});
  CHECK(read_matrix_market_header(path) ==
        MatrixMarketHeader{Format::coordinate, Field::real, Symmetry::general, 3, 4, 5});
  auto const readable =
      read_matrix_market<CooMatrix<double const, std::int64_t, int, Kokkos::HostSpace>>(path);
  CHECK(triples_of(readable) == triples_of(a));
}

TEST_CASE("Matrix Market: layout of the text is free", "[matrix_market]")
{
  Triples const expected{{0, 0, 1}, {1, 2, 2}};
  CHECK(entries_in(real_general + "2 3 2\n1 1 1\n2 3 2\n") == expected);
  CHECK(entries_in(real_general + "2 3 2\n1 1 1\n2 3 2") == expected);
  CHECK(entries_in(real_general + "\n  \n%\n%% 9 9 9\n   % more\n\t2\t3 2  \n\n 1 1 1 \n \t\n\n2  "
                                  "3\t\t2\n\n\n") == expected);
  CHECK(entries_in("%%matrixmarket MATRIX  Coordinate\tREAL General \r\n% c\r\n\r\n2 3 2\r\n"
                   "1 1 1\r\n\r\n2 3 2\r\n\r\n") == expected);
  CHECK(entries_in(real_general + "2 3 2\n1 1 1\n% between\n2 3 2\n% after") == expected);
  CHECK(entries_in(real_general + "+2 3 2\n+1 1 +1\n2 +3 +2.\n") == expected);
}

TEST_CASE("Matrix Market: values are exact", "[matrix_market]")
{
  double const infinity = std::numeric_limits<double>::infinity();
  std::vector<double> const expected{
      1e300, 5e-324, 2.2250738585072011e-308, 0.1, 12, 0.5, -0.25, infinity, -infinity, 0,
      0,     0,      17976931348623157e292};
  auto const values = column_of({"1e300", "5e-324", "2.2250738585072011e-308", "0.1", "12.", ".5",
                                 "-2.5E-1", "inf", "-Infinity", "1e-400", "0e999999999999999999999",
                                 "0.000000000000000000001e-99999999999999999999999",
                                 "1797693134862315700000000000000e278"},
                                "real");
  CHECK(values == expected);
  auto const others =
      column_of({"-0.0", "nan", "-1e-400", "0." + std::string(400, '0') + "1e1"}, "real");
  CHECK((others[0] == 0 && std::signbit(others[0])));
  CHECK(std::isnan(others[1]));
  CHECK((others[2] == 0 && std::signbit(others[2])));
  CHECK((others[3] == 0 && !std::signbit(others[3])));

  CHECK(column_of({"7", "-3", "+4", "9007199254740993", "9223372036854775808",
                   "-100000000000000000000000"},
                  "integer") ==
        std::vector<double>{7, -3, 4, 9007199254740992, 9223372036854775808.0, -1e23});
}

TEST_CASE("Matrix Market: float values are rounded once", "[matrix_market]")
{
  // Just below the middle between 1 + 2^-23 and 1 + 2^-22; rounded to double it is the middle.
  auto const values = column_of<float>(
      {"1.00000017881393432617187499", "0.1", "1e-45", "1e-60", "3.4028235e38"}, "real");
  CHECK(values == std::vector<float>{0x1.000002p0F, 0.1F, 0x1p-149F, 0.0F,
                                     std::numeric_limits<float>::max()});
}

TEST_CASE("Matrix Market: fields become the value type", "[matrix_market]")
{
  std::string const integer = "%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 -7\n";
  std::string const pattern = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n";
  std::string const complex = "%%MatrixMarket matrix coordinate complex general\n2 2 1\n2 1 3 -4\n";
  CHECK(entries_in(integer) == Triples{{1, 0, -7}});
  CHECK(entries_in(pattern) == Triples{{1, 0, 1}});
  CHECK(entries_in<HostCooMatrix<Complex>>(integer) == ComplexTriples{{1, 0, {-7, 0}}});
  CHECK(entries_in<HostCooMatrix<Complex>>(pattern) == ComplexTriples{{1, 0, {1, 0}}});
  CHECK(entries_in<HostCooMatrix<Complex>>(complex) == ComplexTriples{{1, 0, {3, -4}}});
}

TEST_CASE("Matrix Market: mirror images follow the stored entries", "[matrix_market]")
{
  auto const banner = [](std::string const& kind) {
    return "%%MatrixMarket matrix coordinate " + kind + "\n";
  };
  CHECK(entries_in(banner("real symmetric") + "3 3 3\n3 1 5\n2 2 6\n2 1 7\n") ==
        Triples{{2, 0, 5}, {1, 1, 6}, {1, 0, 7}, {0, 2, 5}, {0, 1, 7}});
  CHECK(entries_in(banner("integer skew-symmetric") + "3 3 2\n3 1 5\n2 1 7\n") ==
        Triples{{2, 0, 5}, {1, 0, 7}, {0, 2, -5}, {0, 1, -7}});
  CHECK(entries_in(banner("pattern symmetric") + "2 2 2\n2 1\n2 2\n") ==
        Triples{{1, 0, 1}, {1, 1, 1}, {0, 1, 1}});
  CHECK(entries_in<HostCooMatrix<Complex>>(banner("complex hermitian") +
                                           "2 2 2\n2 1 3 4\n2 2 5 0\n") ==
        ComplexTriples{{1, 0, {3, 4}}, {1, 1, {5, 0}}, {0, 1, {3, -4}}});
  CHECK(entries_in<HostCooMatrix<Complex>>(banner("complex symmetric") + "2 2 1\n2 1 3 4\n") ==
        ComplexTriples{{1, 0, {3, 4}}, {0, 1, {3, 4}}});
  CHECK(entries_in<HostCooMatrix<Complex>>(banner("complex skew-symmetric") + "2 2 1\n2 1 3 4\n") ==
        ComplexTriples{{1, 0, {3, 4}}, {0, 1, {-3, -4}}});
}

TEST_CASE("Matrix Market: an array becomes sparse without its zeros", "[matrix_market]")
{
  CHECK(
      entries_in("%%MatrixMarket matrix array real general\n2 3\n1\n0\n-0.0\n4\n5\nnan\n").size() ==
      4);
  CHECK(entries_in("%%MatrixMarket matrix array real general\n2 3\n1\n0\n-0.0\n4\n5\n6\n") ==
        Triples{{0, 0, 1}, {1, 1, 4}, {0, 2, 5}, {1, 2, 6}});
  CHECK(entries_in("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n0\n") ==
        Triples{{0, 0, 1}, {1, 0, 2}, {0, 1, 2}});
  CHECK(entries_in("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n0\n3\n") ==
        Triples{{1, 0, 1}, {2, 1, 3}, {0, 1, -1}, {1, 2, -3}});
}

TEMPLATE_TEST_CASE("Matrix Market: dense matrices", "[matrix_market]", Kokkos::LayoutLeft,
                   Kokkos::LayoutRight)
{
  using Dense = Kokkos::View<double**, TestType, Kokkos::HostSpace>;
  TemporaryFolder const folder;
  auto const rows_of = [&](std::string const& text) {
    auto const a = read_dense_matrix_market<Dense>(folder.file("a.mtx", text));
    std::vector<std::vector<double>> rows(a.extent(0), std::vector<double>(a.extent(1)));
    for (std::size_t i = 0; i < a.extent(0); ++i)
      for (std::size_t j = 0; j < a.extent(1); ++j)
        rows[i][j] = a(i, j);
    return rows;
  };
  using Rows = std::vector<std::vector<double>>;
  std::string const array = "%%MatrixMarket matrix array real ";
  CHECK(rows_of(array + "general\n2 3\n1\n2\n3\n4\n5\n6\n") == Rows{{1, 3, 5}, {2, 4, 6}});
  CHECK(rows_of(array + "symmetric\n2 2\n1\n2\n3\n") == Rows{{1, 2}, {2, 3}});
  CHECK(rows_of(array + "skew-symmetric\n3 3\n1\n2\n3\n") ==
        Rows{{0, -1, -2}, {1, 0, -3}, {2, 3, 0}});
  CHECK(rows_of(array + "general\n0 2\n").empty());
  CHECK(rows_of(real_general + "2 3 3\n2 3 1\n1 1 4\n2 3 0.5\n") == Rows{{4, 0, 0}, {0, 0, 1.5}});
  CHECK(rows_of("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 1\n1 1 3\n") ==
        Rows{{3, 1}, {1, 0}});

  using ComplexDense = Kokkos::View<Complex**, TestType, Kokkos::HostSpace>;
  auto const h = read_dense_matrix_market<ComplexDense>(
      folder.file("h.mtx", "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n"));
  CHECK(h(1, 0) == Complex(2, 3));
  CHECK(h(0, 1) == Complex(2, -3));
  CHECK(h(1, 1) == Complex(4, 0));
}

TEST_CASE("Matrix Market: headers count what the file stores", "[matrix_market]")
{
  TemporaryFolder const folder;
  auto const header_of = [&](std::string const& text) {
    return read_matrix_market_header(folder.file("a.mtx", "%%MatrixMarket matrix " + text));
  };
  CHECK(header_of("array real general\n3 2\n") ==
        MatrixMarketHeader{Format::array, Field::real, Symmetry::general, 3, 2, 6});
  CHECK(header_of("array complex hermitian\n3 3\n") ==
        MatrixMarketHeader{Format::array, Field::complex, Symmetry::hermitian, 3, 3, 6});
  CHECK(header_of("array integer skew-symmetric\n3 3\n") ==
        MatrixMarketHeader{Format::array, Field::integer, Symmetry::skew_symmetric, 3, 3, 3});
  CHECK(header_of("coordinate pattern symmetric\n9000000000 9000000000 5000000000\n") ==
        MatrixMarketHeader{Format::coordinate, Field::pattern, Symmetry::symmetric, 9000000000,
                           9000000000, 5000000000});
}

TEST_CASE("Matrix Market: empty matrices", "[matrix_market]")
{
  TemporaryFolder const folder;
  auto const shape_of = [&](std::string const& size) {
    auto const a = read_matrix_market<Real>(folder.file("a.mtx", real_general + size));
    return std::vector<std::size_t>{std::size_t(a.num_rows()), std::size_t(a.num_cols()), a.nnz()};
  };
  CHECK(shape_of("3 4 0\n") == std::vector<std::size_t>{3, 4, 0});
  CHECK(shape_of("0 5 0") == std::vector<std::size_t>{0, 5, 0});
  CHECK(shape_of("0 0 0\n\n") == std::vector<std::size_t>{0, 0, 0});
}

TEST_CASE("Matrix Market: 64-bit sizes", "[matrix_market]")
{
  using Wide = HostCooMatrix<double, std::int64_t>;
  CHECK(entries_in<Wide>(real_general + "9000000000 9223372036854775807 2\n"
                                        "9000000000 1 2\n1 9223372036854775807 3\n") ==
        Triples{{8999999999, 0, 2}, {0, 9223372036854775806, 3}});
}

TEST_CASE("Matrix Market: gzip is known by its first bytes", "[matrix_market]")
{
  TemporaryFolder const folder;
  Triples const expected{{0, 0, 1}, {1, 2, 2}};
  std::string const text = real_general + "2 3 2\n1 1 1\n2 3 2\n";
  for (std::string const name : {"a.mtx.gz", "a.mtx", "a"})
    CHECK(triples_of(read_matrix_market<Real>(folder.file(name, gzip_member(text)))) == expected);
  CHECK(triples_of(read_matrix_market<Real>(folder.file("plain.mtx.gz", text))) == expected);
  // Several members make one text; zeros may pad them.
  std::string const members = gzip_member(text.substr(0, 50)) + gzip_member("") +
                              gzip_member(text.substr(50)) + std::string(100, '\0');
  CHECK(triples_of(read_matrix_market<Real>(folder.file("members.gz", members))) == expected);
}

TEST_CASE("Matrix Market: the header of a compressed file is found behind long comments",
          "[matrix_market]")
{
  TemporaryFolder const folder;
  std::string bytes = gzip_member(real_general);
  for (int i = 0; i < 5; ++i) // 250000 bytes: more than is inflated at first
    bytes += gzip_member(std::string(49999, '%') + "\n");
  bytes += gzip_member("2 3 4\n");
  auto const path = folder.file("a.mtx.gz", bytes);
  CHECK(read_matrix_market_header(path) ==
        MatrixMarketHeader{Format::coordinate, Field::real, Symmetry::general, 2, 3, 4});
}

TEST_CASE("Matrix Market: a pipe is read like a file", "[matrix_market]")
{
  TemporaryFolder const folder;
  auto const path = folder.path("pipe");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  int const n = 20000; // several times what a pipe holds
  std::thread writer([&] {
    std::ofstream out(path);
    out << real_general << n << " 1 " << n << "\n";
    for (int i = 1; i <= n; ++i)
      out << i << " 1 " << i << "\n";
  });
  auto const a = read_matrix_market<Real>(path);
  writer.join();
  REQUIRE(a.nnz() == std::size_t(n));
  CHECK(triples_of(a).back() == Triple<double>{n - 1, 0, double(n)});
}

TEST_CASE("Matrix Market: pieces of a large file fit together", "[matrix_market]")
{
  int const n = 200000;
  std::int64_t const rows = 1000003, cols = 999983;
  std::string text = "%%MatrixMarket matrix coordinate integer general\n" + std::to_string(rows) +
                     " " + std::to_string(cols) + " " + std::to_string(n) + "\n";
  Triples expected;
  for (std::int64_t k = 0; k < n; ++k)
  {
    expected.push_back({k * 7919 % rows, k * k % cols, double(k - n / 2)});
    text += std::to_string(expected[k].row + 1) + " " + std::to_string(expected[k].column + 1) +
            " " + std::to_string(k - n / 2) + "\n";
    if (k % 1000 == 0) // lines that are no entries, and one longer than a piece
      text += "\n  \n%" + std::string(k == 50000 ? 600000 : 10, 'x') + "\n";
  }
  REQUIRE(text.size() > 4000000);
  CHECK(entries_in(text) == expected);
}

namespace
{

// The rows of the table "Small Matrix Market files" in the README of the folder.
struct TableRow
{
  std::string file, format, field, symmetry, rows, cols, stored;
};

std::vector<TableRow> small_files(std::string const& folder)
{
  std::vector<TableRow> table;
  std::ifstream readme(folder + "/README.md");
  for (std::string line; std::getline(readme, line);)
  {
    std::istringstream words(line);
    std::string bar;
    TableRow row;
    words >> bar >> row.file >> bar >> row.format >> row.field >> row.symmetry >> bar >> row.rows >>
        bar >> row.cols >> bar >> row.stored;
    if (row.file.ends_with(".mtx"))
      table.push_back(row);
  }
  return table;
}

} // namespace

TEST_CASE("Matrix Market: the small files of the shared folder", "[matrix_market]")
{
  std::string const folder = HEDDLE_TEST_MATRICES;
  if (!std::filesystem::exists(folder + "/small"))
    SKIP("no folder " + folder + "/small");
  auto const table = small_files(folder);
  std::size_t num_files = 0;
  for (auto const& file : std::filesystem::directory_iterator(folder + "/small"))
    num_files += file.path().extension() == ".mtx" ? 1 : 0;
  REQUIRE(table.size() == num_files);
  for (auto const& row : table)
  {
    INFO(row.file);
    auto const path = folder + "/small/" + row.file;
    auto const header = read_matrix_market_header(path);
    CHECK((header.format == Format::array) == (row.format == "array"));
    CHECK((header.field == Field::complex) == (row.field == "complex"));
    CHECK((header.symmetry == Symmetry::general) == (row.symmetry == "general"));
    CHECK(std::to_string(header.rows) == row.rows);
    CHECK(std::to_string(header.cols) == row.cols);
    if (row.stored != "all")
      CHECK(std::to_string(header.entries) == row.stored);
    // Two of the files have diagonals that their symmetry does not allow.
    auto const a = read_matrix_market<HostCooMatrix<Complex>>(path, {.any_diagonal = true});
    CHECK(std::to_string(a.num_rows()) == row.rows);
    CHECK(std::to_string(a.num_cols()) == row.cols);
    std::int64_t stored = 0;
    for (auto const& [i, j, value] : triples_of(a))
      stored += row.symmetry == "general" || i >= j ? 1 : 0;
    CHECK(stored == header.entries); // no array of the folder has a zero
  }
}

} // namespace heddle::test
