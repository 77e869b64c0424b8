// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <formats/gallery_support.hpp>
#include <heddle/error.hpp>
#include <heddle/gallery.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

// Names, other types, and what is refused.

namespace heddle::test
{

namespace
{

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Message;
using Catch::Matchers::MessageMatches;

} // namespace

TEST_CASE("a name makes what its generator makes", "[gallery]")
{
  std::vector<std::pair<std::string, GalleryMatrix>> const pairs = {
      {"stencil5_3_2", generate::stencil5(3, 2)},
      {"stencil5_4", generate::stencil5(4, 4)},
      {"stencil9_3_2", generate::stencil9(3, 2)},
      {"stencil9_4", generate::stencil9(4, 4)},
      {"stencil7_4_3_2", generate::stencil7(4, 3, 2)},
      {"stencil7_3", generate::stencil7(3, 3, 3)},
      {"stencil27_4_3_2", generate::stencil27(4, 3, 2)},
      {"stencil27_3", generate::stencil27(3, 3, 3)},
      {"elast3_4_3_2", generate::elasticity(4, 3, 2)},
      {"elast3_3", generate::elasticity(3, 3, 3)},
      {"banded_20_3", generate::banded(20, 3)},
      {"banded_20_0", generate::banded(20, 0)},
      {"banded_perm_20_3", generate::banded_permuted(20, 3, 3)},
      {"banded_perm_20_3_8", generate::banded_permuted(20, 3, 8)},
      {"rmat6_3", generate::rmat(6, 3, 5)},
      {"rmat6_3_8", generate::rmat(6, 3, 8)},
      {"fem_graph_3_4_2", generate::fem_graph(3, 4, 2, 5)},
      {"fem_graph_3_4_2_8", generate::fem_graph(3, 4, 2, 8)},
      {"uniform_20_30_4", generate::uniform(20, 30, 4, 2)},
      {"uniform_20_30_4_8", generate::uniform(20, 30, 4, 8)},
      {"pruned_20_30_90", generate::pruned(20, 30, 0.1, 9)},
      {"pruned_20_30_90_8", generate::pruned(20, 30, 0.1, 8)},
      {"sampled_20_30_70", generate::sampled(20, 30, 70, 1)},
      {"sampled_20_30_70_8", generate::sampled(20, 30, 70, 8)},
      {"power_law_90_4", generate::power_law(90, 4, 1)},
      {"power_law_90_4_8", generate::power_law(90, 4, 8)},
      {"dense_row_30", generate::dense_row(30, 1)},
      {"dense_row_30_8", generate::dense_row(30, 8)},
      {"dense_column_30", generate::dense_column(30, 1)},
      {"dense_column_30_8", generate::dense_column(30, 8)},
      {"empty_rows_30_60", generate::empty_rows(30, 60, 1)},
      {"empty_rows_30_60_0", generate::empty_rows(30, 60, 0)},
      {"blocks_20_3_4", generate::blocks(20, 3, 4, 1)},
      {"blocks_20_3_4_8", generate::blocks(20, 3, 4, 8)},
      {"block_diagonal_20_3", generate::block_diagonal(20, 3)},
      {"band15", generate::banded(40000, 15)},
      {"band15_perm", generate::banded_permuted(40000, 15, 3)},
  };
  std::map<std::string, int> count_by_family;
  for (auto const& [name, expected] : pairs)
  {
    CAPTURE(name);
    CHECK(are_equal(gallery(name), expected));
    for (GalleryFamily const& family : gallery_families())
    {
      std::string const prefix = family.pattern.substr(0, family.pattern.find_first_of("NRSB"));
      if (name.substr(0, prefix.size()) == prefix)
        ++count_by_family[prefix];
    }
  }
  CHECK(count_by_family.size() == 18 + 2); // every family was made; of the single names, two
}

TEST_CASE("families are listed with a description", "[gallery]")
{
  std::vector<GalleryFamily> const families = gallery_families();
  CHECK(families.size() == 27);
  for (GalleryFamily const& family : families)
    CHECK(family.description.size() > 10);
  CHECK(families.front().pattern == "stencil5_NX[_NY]");
  CHECK(families.back().pattern == "dnn_4096_90");
}

TEST_CASE("a matrix has one name", "[gallery]")
{
  std::vector<std::pair<std::string, std::string>> const pairs = {
      {"banded_40000_15", "band15"},
      {"banded_40000_63", "band63"},
      {"banded_40000_111", "band111"},
      {"banded_perm_40000_15", "band15_perm"},
      {"banded_perm_40000_63", "band63_perm"},
      {"banded_perm_40000_111", "band111_perm"},
      {"uniform_1048576_1048576_8", "uniform_1m_8"},
      {"uniform_131072_131072_32_3", "uniform_128k_32"},
      {"pruned_4096_4096_90", "dnn_4096_90"},
      {"stencil27_100_100_100", "stencil27_100"},
      {"stencil7_160_160_160", "stencil7_160"},
      {"stencil5_9_9", "stencil5_9"},
      {"elast3_40_40_40", "elast3_40"},
      {"rmat17_16_5", "rmat17_16"},
      {"fem_graph_3_4_2_5", "fem_graph_3_4_2"},
      {"uniform_20_30_4_2", "uniform_20_30_4"},
      {"banded_perm_20_3_3", "banded_perm_20_3"},
      {"dense_row_9_1", "dense_row_9"}};
  for (auto const& [name, own] : pairs)
    CHECK_THROWS_MATCHES(
        gallery(name), InvalidArgument,
        Message("heddle::gallery: the matrix \"" + name + "\" is called \"" + own + "\""));
}

TEST_CASE("unknown and malformed names are refused with what there is", "[gallery]")
{
  std::string const list =
      "; there are stencil5_NX[_NY], stencil9_NX[_NY], stencil7_NX[_NY_NZ], "
      "stencil27_NX[_NY_NZ], elast3_NX[_NY_NZ], banded_N_H, banded_perm_N_H[_SEED], "
      "rmatSCALE_EDGES[_SEED], fem_graph_NX_SCALE_EDGES[_SEED], uniform_ROWS_COLS_PERROW[_SEED], "
      "pruned_ROWS_COLS_PERCENT[_SEED], "
      "sampled_ROWS_COLS_ENTRIES[_SEED], power_law_N_MEAN[_SEED], dense_row_N[_SEED], "
      "dense_column_N[_SEED], "
      "empty_rows_N_PERCENT[_SEED], blocks_BLOCKROWS_SIZE_PERROW[_SEED], "
      "block_diagonal_BLOCKROWS_SIZE, band15, band63, band111, band15_perm, band63_perm, "
      "band111_perm, uniform_1m_8, uniform_128k_32, dnn_4096_90";
  for (std::string const name : {"", "foo", "band31", "band15x", "Stencil27_3", "elast3"})
    CHECK_THROWS_MATCHES(gallery(name), InvalidArgument,
                         Message("heddle::gallery: no matrix is called \"" + name + "\"" + list));
  for (std::string const rest : {"", "_", "x", "3x", "3_", "_3", "3_4", "3_4_5_6", "03", "-3", "+3",
                                 " 3", "3__3", "3.0", "-0", "1e3", "9223372036854775808"})
  {
    std::string const name = "stencil27_" + rest;
    CHECK_THROWS_MATCHES(gallery(name), InvalidArgument,
                         Message("heddle::gallery: \"" + name +
                                 "\" does not have the form stencil27_NX[_NY_NZ] (decimal numbers "
                                 "below 2^63, no leading zeros)" +
                                 list));
  }
  CHECK_THROWS_MATCHES(gallery("uniform_1m_9"), InvalidArgument,
                       MessageMatches(ContainsSubstring("form uniform_ROWS_COLS_PERROW[_SEED]")));
  CHECK_THROWS_MATCHES(gallery("banded_perm_9"), InvalidArgument,
                       MessageMatches(ContainsSubstring("form banded_perm_N_H[_SEED] (")));
}

TEST_CASE("numbers out of range are refused before anything is allocated", "[gallery]")
{
  std::vector<std::pair<std::string, std::string>> const pairs = {
      {"stencil5_0", "generate::stencil5: nx is 0, expected 1 to 2147483647"},
      {"stencil9_3_0", "generate::stencil9: ny is 0, expected 1 to 2147483647"},
      {"stencil7_9_9_9999999999", "generate::stencil7: nz is 9999999999, expected 1 to 2147483647"},
      {"stencil27_3000", "generate::stencil27: a grid of 3000 x 3000 x 3000 points has more than "
                         "2147483647 rows (1 a point)"},
      {"stencil7_2000000000", "generate::stencil7: a grid of 2000000000 x 2000000000 x 2000000000 "
                              "points has more than 2147483647 rows (1 a point)"},
      {"elast3_1", "generate::elasticity: nx is 1, expected 2 to 2147483647"},
      {"elast3_1000", "generate::elasticity: a grid of 1000 x 1000 x 1000 points has more than "
                      "2147483647 rows (3 a point)"},
      {"banded_0_0", "generate::banded: n is 0, expected 1 to 2147483647"},
      {"banded_5_5", "generate::banded: half_band is 5, expected 0 to 4"},
      {"banded_2000000000_50", "generate::banded: a matrix of 2000000000 x 2000000000 with "
                               "202000000000 entries has more than 17179869184"},
      {"banded_perm_5_7", "generate::banded_permuted: half_band is 7, expected 0 to 4"},
      {"rmat0_8", "generate::rmat: scale is 0, expected 1 to 30"},
      {"rmat31_8", "generate::rmat: scale is 31, expected 1 to 30"},
      {"rmat20_0", "generate::rmat: edge_factor is 0, expected 1 to 2147483647"},
      {"rmat20_1000000", "generate::rmat: a matrix of 1048576 x 1048576 with 1048576000000 entries "
                         "has more than 17179869184"},
      {"fem_graph_1_4_2", "generate::fem_graph: nx is 1, expected 2 to 2147483647"},
      {"fem_graph_3_31_2", "generate::fem_graph: scale is 31, expected 1 to 30"},
      {"fem_graph_3_4_0", "generate::fem_graph: edge_factor is 0, expected 1 to 2147483647"},
      {"fem_graph_3_30_1000000",
       "generate::fem_graph: a matrix of 1073741905 x 1073741905 with 1073748266457505 entries has "
       "more than 17179869184"},
      {"uniform_0_5_5", "generate::uniform: rows is 0, expected 1 to 2147483647"},
      {"uniform_5_0_5", "generate::uniform: cols is 0, expected 1 to 2147483647"},
      {"uniform_5_5_3000000000",
       "generate::uniform: per_row is 3000000000, expected 0 to 2147483647"},
      {"uniform_2000000000_5_2000000000",
       "generate::uniform: a matrix of 2000000000 x 5 with 4000000000000000000 entries has more "
       "than 17179869184"},
      {"pruned_0_5_5", "generate::pruned: rows is 0, expected 1 to 2147483647"},
      {"pruned_5_0_5", "generate::pruned: cols is 0, expected 1 to 2147483647"},
      {"pruned_5_5_101", "gallery: pruned: PERCENT is 101, expected 0 to 100"},
      {"pruned_2000000000_2000000000_100",
       "generate::pruned: a dense matrix of 2000000000 x 2000000000 has more than 17179869184 "
       "entries"},
      {"sampled_0_5_5", "generate::sampled: rows is 0, expected 1 to 2147483647"},
      {"sampled_5_0_5", "generate::sampled: cols is 0, expected 1 to 2147483647"},
      {"sampled_5_6_31", "generate::sampled: entries is 31, expected 0 to 30"},
      {"sampled_2000000000_2000000000_9",
       "generate::sampled: a dense matrix of 2000000000 x 2000000000 has more than 17179869184 "
       "entries"},
      {"power_law_0_1", "generate::power_law: n is 0, expected 1 to 2147483647"},
      {"power_law_5_0", "generate::power_law: mean is 0, expected 1 to 5"},
      {"power_law_5_6", "generate::power_law: mean is 6, expected 1 to 5"},
      {"dense_row_0", "generate::dense_row: n is 0, expected 1 to 2147483647"},
      {"dense_column_0", "generate::dense_column: n is 0, expected 1 to 2147483647"},
      {"empty_rows_0_5", "generate::empty_rows: n is 0, expected 1 to 2147483647"},
      {"empty_rows_5_101", "generate::empty_rows: percent is 101, expected 0 to 100"},
      {"blocks_0_3_4", "generate::blocks: block_rows is 0, expected 1 to 2147483647"},
      {"blocks_3_0_4", "generate::blocks: size is 0, expected 1 to 2147483647"},
      {"blocks_2000000000_2_4",
       "generate::blocks: 2000000000 blocks of 2 rows have more than 2147483647 rows"},
      {"block_diagonal_1_2000000000",
       "generate::block_diagonal: a matrix of 2000000000 x 2000000000 with 4000000000000000000 "
       "entries has more than 17179869184"}};
  for (auto const& [name, message] : pairs)
  {
    CAPTURE(name);
    CHECK_THROWS_MATCHES(gallery(name), InvalidArgument, Message("heddle::" + message));
  }
  CHECK_THROWS_MATCHES(
      generate::blocks(3, 3, -1, 1), InvalidArgument,
      Message("heddle::generate::blocks: per_row is -1, expected 0 to 2147483647"));
  CHECK_THROWS_MATCHES(generate::stencil5(-2, 3), InvalidArgument,
                       Message("heddle::generate::stencil5: nx is -2, expected 1 to 2147483647"));
  CHECK_THROWS_MATCHES(generate::pruned(3, 3, 1.5, 1), InvalidArgument,
                       Message("heddle::generate::pruned: density is 1.5, expected 0 to 1"));
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_MATCHES(generate::pruned(3, 3, nan, 1), InvalidArgument,
                       Message("heddle::generate::pruned: density is nan, expected 0 to 1"));
  CHECK_THROWS_MATCHES(generate::power_law(3, nan, 1), InvalidArgument,
                       Message("heddle::generate::power_law: mean is nan, expected 1 to 3"));
}

TEST_CASE("a matrix that the machine cannot hold is refused with the bytes", "[gallery]")
{
  // 2^34 edges, the most there may be: 12 bytes each in the matrix and 12 while they are drawn.
  constexpr std::size_t edges = std::size_t(1) << 34U, rows = std::size_t(1) << 30U;
  constexpr std::size_t needed = 24 * edges + 8 * (rows + 1);
  std::size_t const available = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                                static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (available >= needed)
    SKIP("this machine has " << available << " bytes");
  try
  {
    gallery("rmat30_16");
    FAIL("no exception");
  }
  catch (OutOfMemory const& error)
  {
    CHECK(error.bytes_needed() == needed);
    CHECK(error.bytes_available() == available);
    CHECK(error.what() ==
          "heddle::generate::rmat: a matrix of 1073741824 x 1073741824 with 17179869184 entries "
          "takes " +
              std::to_string(needed) + " bytes to make, the machine has " +
              std::to_string(available));
  }
}

TEST_CASE("gallery_as shares what has the same type and converts the rest", "[gallery]")
{
  GalleryMatrix const a = generate::uniform(50, 40, 6, 1);
  auto const as_is = gallery_as<GalleryMatrix>(a);
  CHECK(as_is.row_offsets().data() == a.row_offsets().data());
  CHECK(as_is.columns().data() == a.columns().data());
  CHECK(as_is.values().data() == a.values().data());
  auto const read_only = gallery_as<GalleryMatrix::const_type>(a);
  CHECK(read_only.values().data() == a.values().data());

  auto const narrow = gallery_as<CsrMatrix<float, int, int, Kokkos::HostSpace>>(a);
  CHECK(narrow.columns().data() == a.columns().data());
  auto const wide = gallery_as<CsrMatrix<double, std::int64_t, std::int64_t, Kokkos::HostSpace>>(a);
  CHECK(wide.values().data() == a.values().data());
  REQUIRE(narrow.num_rows() == 50);
  REQUIRE(narrow.num_cols() == 40);
  REQUIRE(wide.num_rows() == 50);
  REQUIRE(wide.num_cols() == 40);
  REQUIRE(narrow.nnz() == a.nnz());
  REQUIRE(wide.nnz() == a.nnz());
  for (std::size_t i = 0; i <= 50; ++i)
  {
    CHECK(static_cast<std::size_t>(narrow.row_offsets()(i)) == a.row_offsets()(i));
    CHECK(static_cast<std::size_t>(wide.row_offsets()(i)) == a.row_offsets()(i));
  }
  for (std::size_t k = 0; k < a.nnz(); ++k)
  {
    CHECK(narrow.values()(k) == static_cast<float>(a.values()(k)));
    CHECK(wide.columns()(k) == a.columns()(k));
  }
}

TEST_CASE("complex values are Hermitian where the matrix is symmetric", "[gallery]")
{
  using Matrix = CsrMatrix<Kokkos::complex<double>, int, std::size_t, Kokkos::HostSpace>;
  using Narrow = CsrMatrix<Kokkos::complex<float>, int, std::size_t, Kokkos::HostSpace>;
  GalleryMatrix const real = generate::stencil9(9, 7);
  auto const a = gallery<Matrix>("stencil9_9_7");
  auto const narrow = gallery<Narrow>("stencil9_9_7");
  REQUIRE(a.nnz() == real.nnz());
  std::map<std::pair<int, int>, Kokkos::complex<double>> entries;
  for (int i = 0; i < a.num_rows(); ++i)
    for (std::size_t k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
    {
      entries[{i, a.columns()(k)}] = a.values()(k);
      CHECK(a.values()(k).real() == real.values()(k));
      CHECK(narrow.values()(k).real() == static_cast<float>(real.values()(k)));
      CHECK(narrow.values()(k).imag() == static_cast<float>(a.values()(k).imag()));
    }
  for (auto const& [place, value] : entries)
  {
    CHECK(entries.at({place.second, place.first}) == Kokkos::conj(value));
    CHECK((value.imag() == 0) == (place.first == place.second));
    CHECK(std::abs(value.imag()) < 1);
  }
}

TEST_CASE("index types that are too narrow are refused", "[gallery]")
{
  using Short = std::int16_t;
  using ShortOrdinal = CsrMatrix<double, Short, int, Kokkos::HostSpace>;
  using ShortOffset = CsrMatrix<double, int, Short, Kokkos::HostSpace>;
  CHECK(gallery<ShortOrdinal>("banded_32767_0").num_rows() == 32767);
  CHECK(gallery<ShortOffset>("banded_32767_0").row_offsets()(32767) == 32767);
  CHECK_THROWS_MATCHES(gallery<ShortOrdinal>("banded_32768_0"), InvalidArgument,
                       Message("heddle::gallery: a matrix of 32768 x 32768 does not fit the "
                               "ordinal type, which ends at 32767"));
  CHECK_THROWS_MATCHES(gallery<ShortOrdinal>("uniform_3_40000_2"), InvalidArgument,
                       Message("heddle::gallery: a matrix of 3 x 40000 does not fit the ordinal "
                               "type, which ends at 32767"));
  CHECK_THROWS_MATCHES(gallery<ShortOffset>("banded_32768_0"), InvalidArgument,
                       Message("heddle::gallery: a matrix of 32768 entries does not fit the offset "
                               "type, which ends at 32767"));
}

} // namespace heddle::test
