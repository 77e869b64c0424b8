// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/entry_range.hpp>
#include <heddle/error.hpp>
#include <support/messages.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <spgemm/factors.hpp>

using namespace heddle::perf;

namespace
{

using Entries = std::map<std::pair<int, int>, double>; // by row and column

Entries entries_of(LoadedMatrix const& a)
{
  auto const& matrix = std::get<HostMatrix<double>>(a.matrix);
  Entries entries;
  for (int i = 0; i < matrix.num_rows(); ++i)
    for (std::size_t e = matrix.row_offsets()(i); e < matrix.row_offsets()(i + 1); ++e)
      CHECK(entries.try_emplace({i, matrix.columns()(e)}, matrix.values()(e)).second);
  return entries;
}

Entries below(Entries const& whole, int n)
{
  Entries some;
  for (auto const& [place, value] : whole)
    if (place.first < n && place.second < n)
      some.emplace(place, value);
  return some;
}

template <class Value>
LoadedMatrix matrix_of(int rows, int cols, std::vector<std::size_t> const& row_offsets,
                       std::vector<int> const& columns)
{
  Kokkos::View<std::size_t*, Kokkos::HostSpace> const offsets("offsets", row_offsets.size());
  Kokkos::View<int*, Kokkos::HostSpace> const of("columns", columns.size());
  Kokkos::View<Value*, Kokkos::HostSpace> const values("values", columns.size());
  for (std::size_t i = 0; i < row_offsets.size(); ++i)
    offsets(i) = row_offsets[i];
  for (std::size_t e = 0; e < columns.size(); ++e)
  {
    of(e) = columns[e];
    values(e) = Value(1.0 + static_cast<double>(e));
  }
  return {std::to_string(rows) + "by" + std::to_string(cols),
          HostMatrix<Value>(rows, cols, offsets, of, values)};
}

} // namespace

TEST_CASE("the top left of a matrix has the entries of its first rows and columns", "[perf]")
{
  for (char const* const name : {"stencil9_20_15", "rmat8_4", "dense_row_40"})
    for (int const n : {1, 7, 39})
    {
      LoadedMatrix const whole = load_gallery(name);
      LoadedMatrix const corner = top_left(whole, n);
      auto const& matrix = std::get<HostMatrix<double>>(corner.matrix);
      CHECK(corner.name == std::string(name) + "_top_" + std::to_string(n));
      CHECK(matrix.num_rows() == n);
      CHECK(matrix.num_cols() == n);
      CHECK(entries_of(corner) == below(entries_of(whole), n));
    }
}

TEST_CASE("the top left of a matrix that is wide, unsorted or complex", "[perf]")
{
  // 0 1 2 3 4
  // . . . . .  an empty row
  // 6 . . 5 .  stored the other way round
  LoadedMatrix const wide = matrix_of<double>(3, 5, {0, 5, 5, 7}, {0, 1, 2, 3, 4, 3, 0});
  LoadedMatrix const four = top_left(wide, 4); // all rows
  CHECK(std::get<HostMatrix<double>>(four.matrix).num_rows() == 3);
  CHECK(std::get<HostMatrix<double>>(four.matrix).num_cols() == 4);
  CHECK(entries_of(four) ==
        Entries{{{0, 0}, 1}, {{0, 1}, 2}, {{0, 2}, 3}, {{0, 3}, 4}, {{2, 3}, 6}, {{2, 0}, 7}});
  CHECK(entries_of(top_left(wide, 1)) == Entries{{{0, 0}, 1}});

  using Complex = Kokkos::complex<double>;
  LoadedMatrix const complex = matrix_of<Complex>(2, 2, {0, 2, 3}, {1, 0, 0});
  auto const corner = std::get<HostMatrix<Complex>>(top_left(complex, 1).matrix);
  REQUIRE(corner.nnz() == 1);
  CHECK(corner.values()(0) == Complex(2.0));
}

TEST_CASE("a matrix without rows and columns beyond the limit stays as it is", "[perf]")
{
  LoadedMatrix const whole = load_gallery("stencil5_8");
  for (int const n : {64, 1000})
  {
    LoadedMatrix const same = top_left(whole, n);
    CHECK(same.name == "stencil5_8");
    CHECK(entries_of(same) == entries_of(whole));
  }
}

TEST_CASE("matrices that are left out are left out with the numbers", "[perf]")
{
  LoadedMatrix const wide = matrix_of<double>(3, 5, {0, 1, 2, 3}, {0, 1, 2});
  LoadedMatrix const square = matrix_of<double>(2, 2, {0, 1, 2}, {0, 1});
  SpgemmSettings settings;
  CHECK(why_left_out(settings, wide).empty());
  settings.is_square_only = true;
  CHECK(why_left_out(settings, wide) == "3 x 5 is not square");
  CHECK(why_left_out(settings, square).empty());
  settings.entries = {3, 10};
  CHECK(why_left_out(settings, square) == "2 entries are less than 3");
  settings.entries = {0, 1};
  CHECK(why_left_out(settings, square) == "2 entries are more than 1");
  settings.entries = {2, 2};
  CHECK(why_left_out(settings, square).empty());
}

TEST_CASE("a pair without a product says why", "[perf]")
{
  LoadedMatrix const wide = matrix_of<double>(3, 5, {0, 1, 2, 3}, {0, 1, 2});
  LoadedMatrix const small = matrix_of<double>(3, 3, {0, 1, 2, 3}, {0, 1, 2});
  LoadedMatrix complex = matrix_of<Kokkos::complex<double>>(3, 3, {0, 1, 2, 3}, {0, 1, 2});
  complex.name = "other";
  CHECK(why_no_product(small, wide).empty());
  CHECK(why_no_product(small, small).empty());
  CHECK(why_no_product(wide, small) == "3by5 has 5 columns but 3by3 has 3 rows");
  CHECK(why_no_product(small, complex) == "one of 3by3 and other is real, the other complex");
}

TEST_CASE("option --nnz is a range of entries of which an end may be left out", "[perf]")
{
  EntryRange const both = parse_entry_range("1e5:2e8");
  CHECK(both.least == 100000);
  CHECK(both.most == 200000000);
  CHECK(both.has(100000));
  CHECK(both.has(200000000));
  CHECK_FALSE(both.has(99999));
  CHECK_FALSE(both.has(200000001));
  CHECK(parse_entry_range(":1000").least == 0);
  CHECK_FALSE(parse_entry_range("1000:").has(999));
  CHECK(parse_entry_range("1000:").has(EntryRange::no_end));
  CHECK(EntryRange{}.is_everything());
  for (std::string const bad :
       {"", ":", "5", "1e5-2e8", "a:b", "1:b", "1 :2", "-1:2", "2:1", "1:2:3", "nan:5", ":1e30"})
    CHECK(heddle::test::message_of<heddle::InvalidArgument>([&] {
            parse_entry_range(bad);
          }).find("--nnz is \"" + bad + "\"") != std::string::npos);
}
