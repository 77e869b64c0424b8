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
#include <set>
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
      {"cover_30_200_3", generate::cover(30, 200, 3, 1)},
      {"fitting_9_200_30_8", generate::fitting(9, 200, 30, 8)},
      {"lp_30_200_3", generate::lp(30, 200, 3, 1)},
      {"staircase_3_20_30_8", generate::staircase(3, 20, 30, 8)},
      {"nets_90_80_2_8", generate::nets(90, 80, 2, 8)},
      {"netlist_200_3_8", generate::netlist(200, 3, 8)},
      {"circuit_90_2_8", generate::circuit(90, 2, 8)},
      {"power_grid_9_8_3_2_8", generate::power_grid(9, 8, 3, 2, 8)},
      {"arrow_90_3_8", generate::arrow(90, 3, 8)},
      {"bordered_5_20_16_8", generate::bordered(5, 20, 16, 8)},
      {"kkt_90_40_8", generate::kkt(90, 40, 8)},
      {"incidence_90_40_8", generate::incidence(90, 40, 8)},
      {"chain_90_10_8", generate::chain(90, 10, 8)},
      {"lognormal_90_5_80_40_8", generate::lognormal(90, 5, 80, 40, 8)},
      {"two_lengths_90_2_20_30_40_8", generate::two_lengths(90, 2, 20, 30, 40, 8)},
      {"pareto_90_5_180_8", generate::pareto(90, 5, 180, 8)},
      {"scale_free_90_5_180_8", generate::scale_free(90, 5, 180, 8)},
      {"terms_90_80_5_8", generate::terms(90, 80, 5, 8)},
      {"web_90_5_80_8", generate::web(90, 5, 80, 8)},
      {"clones_90_7_5_80_8", generate::clones(90, 7, 5, 80, 8)},
      {"power_flow_9_5_7_8", generate::power_flow(9, 5, 7, 8)},
      {"supernodes_90_4_2_8", generate::supernodes(90, 4, 2, 8)},
      {"time_steps_4_20_5_8", generate::time_steps(4, 20, 5, 8)},
      {"channels_30_40_20_8", generate::channels(30, 40, 20, 8)},
      {"radix_64_8_4", generate::radix(64, 8, 4)},
      {"simplices_6_3", generate::simplices(6, 3)},
      {"fem_4_3_2_2_8", generate::fem(4, 3, 2, 2, 8)},
      {"tets_4_3_2_2_8", generate::tets(4, 3, 2, 2, 8)},
      {"triangles_4_3_2_8", generate::triangles(4, 3, 2, 8)},
      {"shell_4_3_2_8", generate::shell(4, 3, 2, 8)},
      {"road_9_8_60_8", generate::road(9, 8, 60, 8)},
      {"geometric_90_5_8", generate::geometric(90, 5, 8)},
      {"small_world_90_2_10_8", generate::small_world(90, 2, 10, 8)},
      {"balls_9_8_1_2_8", generate::balls(9, 8, 1, 2, 8)},
      {"diagonals_90_3_20_8", generate::diagonals(90, 3, 20, 8)},
      {"scatter_90_3", generate::scatter(90, 3, 1)},
      {"permuted_3_7_elast3_3", generate::permuted(generate::elasticity(3, 3, 3), 3, 7)},
      {"permuted_1_4_permuted_3_7_elast3_3",
       generate::permuted(generate::permuted(generate::elasticity(3, 3, 3), 3, 7), 1, 4)},
      {"permuted_1_5_band15", generate::permuted(generate::banded(40000, 15), 1, 5)},
      {"band15", generate::banded(40000, 15)},
      {"band15_perm", generate::banded_permuted(40000, 15, 3)},
  };
  std::set<std::string> made;
  for (auto const& [name, expected] : pairs)
  {
    CAPTURE(name);
    CHECK(are_equal(gallery(name), expected));
    // The longest beginning of a pattern that the name has.
    std::string of_family;
    for (GalleryFamily const& family : gallery_families())
    {
      std::string const prefix =
          family.pattern.substr(0, family.pattern.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
      if (name.starts_with(prefix) && prefix.size() > of_family.size())
        of_family = prefix;
    }
    made.insert(of_family);
  }
  CHECK(made.size() == 18 + 36 + 1 + 2); // all families, permuted; of the single names, two
}

TEST_CASE("families are listed with a description", "[gallery]")
{
  std::vector<GalleryFamily> const families = gallery_families();
  CHECK(families.size() == 18 + 36 + 9 + 1 + 48); // the zoo is last
  for (GalleryFamily const& family : families)
    CHECK(family.description.size() > 10);
  CHECK(families.front().pattern == "stencil5_NX[_NY]");
  CHECK(families[18].pattern == "cover_ROWS_COLS_PERCOL[_SEED]");
  CHECK(families[18 + 36 + 8].pattern == "dnn_4096_90");
  CHECK(families[18 + 36 + 9].pattern == "permuted_GROUP_SEED_NAME");
  CHECK(families[18 + 36 + 10].pattern == "zoo_cover_NUMBER");
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
  std::string list = "; there are ";
  std::vector<GalleryFamily> const families = gallery_families();
  REQUIRE(families[64].pattern.starts_with("zoo_"));
  for (std::size_t i = 0; i < 64; ++i)
    list += families[i].pattern + ", ";
  list += "zoo_FAMILY_NUMBER";
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
                                 "below 2^63, no leading zeros)"));
  }
  CHECK_THROWS_MATCHES(gallery("uniform_1m_9"), InvalidArgument,
                       MessageMatches(ContainsSubstring("form uniform_ROWS_COLS_PERROW[_SEED]")));
  for (std::string const name : {"permuted_", "permuted_3", "permuted_3_4", "permuted_3_x_band15",
                                 "permuted__4_band15", "permuted_03_4_band15"})
    CHECK_THROWS_MATCHES(gallery(name), InvalidArgument,
                         Message("heddle::gallery: \"" + name +
                                 "\" does not have the form permuted_GROUP_SEED_NAME (decimal "
                                 "numbers below 2^63, no leading zeros)"));
  CHECK_THROWS_MATCHES(gallery("permuted_3_4_foo"), InvalidArgument,
                       Message("heddle::gallery: no matrix is called \"foo\"" + list));
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
      {"cover_1_5_1", "generate::cover: rows is 1, expected 2 to 2147483647"},
      {"cover_30_5_16", "generate::cover: per_col is 16, expected 1 to 15"},
      {"cover_2000000000_2000000000_900000000",
       "generate::cover: a matrix of 2000000000 x 2000000000 with 1800000000000000000 entries has "
       "more than 17179869184"},
      {"fitting_5_5_67", "generate::fitting: percent is 67, expected 1 to 66"},
      {"lp_7_5_1", "generate::lp: rows is 7, expected 8 to 2147483647"},
      {"staircase_2000000000_4_1", "generate::staircase: rows are more than 2147483647"},
      {"nets_9_9_10", "generate::nets: hubs is 10, expected 0 to 9"},
      {"netlist_63_1", "generate::netlist: cells is 63, expected 64 to 2147483647"},
      {"circuit_16_5", "generate::circuit: hubs is 5, expected 1 to 4"},
      {"power_grid_100000_100000_2_1", "generate::power_grid: rows are more than 2147483647"},
      {"arrow_9_10", "generate::arrow: dense is 10, expected 0 to 9"},
      {"arrow_2000000000_1000000000",
       "generate::arrow: a matrix of 2000000000 x 2000000000 with 3000000003000000000 entries has "
       "more than 17179869184"},
      {"bordered_2_7_8", "generate::bordered: size is 7, expected 8 to 2147483647"},
      {"kkt_63_5", "generate::kkt: n is 63, expected 64 to 2147483647"},
      {"incidence_5_1", "generate::incidence: nodes is 1, expected 2 to 2147483647"},
      {"chain_5_101", "generate::chain: percent is 101, expected 0 to 100"},
      {"lognormal_9_5_80_10", "generate::lognormal: window is 10, expected 1 to 9"},
      {"two_lengths_9_5_8_10_7", "generate::two_lengths: long_length is 8, expected 0 to 7"},
      {"pareto_9_5_104", "generate::pareto: percent is 104, expected 105 to 1000"},
      {"scale_free_9_10_200", "generate::scale_free: mean is 10, expected 1 to 9"},
      {"terms_9_5_6", "generate::terms: median is 6, expected 1 to 5"},
      {"web_9_5_101", "generate::web: percent is 101, expected 0 to 100"},
      {"clones_9_10_5_50", "generate::clones: group is 10, expected 1 to 9"},
      {"power_flow_2_3_7", "generate::power_flow: shared is 7, expected 0 to 6"},
      {"supernodes_9_10_1", "generate::supernodes: width is 10, expected 1 to 9"},
      {"time_steps_3_15_2", "generate::time_steps: nodes is 15, expected 16 to 2147483647"},
      {"channels_9_9_33", "generate::channels: percent is 33, expected 0 to 32"},
      {"channels_200000_200000_1",
       "generate::channels: entries of the dense matrix are more than 17179869184"},
      {"radix_9_4_3", "generate::radix: stride is 3, expected 1 to 2"},
      {"simplices_9_9", "generate::simplices: elements is 9, expected 2 to 8"},
      {"simplices_4096_8", "generate::simplices: subsets are more than 8796093018112"},
      {"fem_3_3_3_17", "generate::fem: unknowns is 17, expected 1 to 16"},
      {"tets_1000_1000_1000_3", "generate::tets: a grid of 1000 x 1000 x 1000 points has more than "
                                "2147483647 rows (3 a point)"},
      {"triangles_0_3_1", "generate::triangles: nx is 0, expected 1 to 2147483647"},
      {"shell_3_3_1", "generate::shell: around is 3, expected 4 to 2147483647"},
      {"road_3_0_5", "generate::road: ny is 0, expected 1 to 2147483647"},
      {"geometric_3_4", "generate::geometric: degree is 4, expected 1 to 3"},
      {"small_world_9_5_1", "generate::small_world: reach is 5, expected 1 to 4"},
      {"balls_3_3_3_65", "generate::balls: radius is 65, expected 0 to 64"},
      {"diagonals_9_3_9", "generate::diagonals: reach is 9, expected 1 to 8"},
      {"scatter_9_9", "generate::scatter: per_row is 9, expected 0 to 8"},
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
