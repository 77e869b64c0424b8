// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/binary_csr.hpp>
#include <heddle/error.hpp>
#include <heddle/gallery.hpp>
#include <heddle/zoo.hpp>
#include <support/temporary_folder.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <zoo/list.hpp>
#include <zoo/settings.hpp>
#include <zoo/split.hpp>

// The split of the zoo, and what its list says.

namespace heddle::test
{

namespace
{

using Catch::Matchers::Message;
using perf::ZooEntry;
using perf::ZooPart;

ZooPart part_of(std::string const& family)
{
  auto const& split = perf::zoo_split();
  auto const found = std::find_if(split.begin(), split.end(), [&](perf::ZooSplit const& each) {
    return each.family == family;
  });
  REQUIRE(found != split.end());
  return found->part;
}

} // namespace

TEST_CASE("the zoo has as many matrices and families as it should, in two parts", "[zoo]")
{
  std::vector<ZooEntry> const list = perf::generated_zoo();
  std::set<std::string> names;
  std::map<ZooPart, std::set<std::string>> families;
  std::int64_t ordinary = 0, large = 0;
  for (ZooEntry const& entry : list)
  {
    names.insert(entry.name);
    families[entry.part].insert(entry.family);
    bool const is_large = entry.name.ends_with("_100");
    (is_large ? large : ordinary) += 1;
    CHECK((is_large ? entry.entries > 30000000 && entry.entries <= 200000000
                    : entry.entries >= 1000 && entry.entries <= 25000000));
  }
  CHECK(names.size() == list.size());
  CHECK(ordinary == 26 * 5 + 22 * 4);
  CHECK(large == 6);
  CHECK(families[ZooPart::tuning].size() == 26);
  CHECK(families[ZooPart::validation].size() == 22);
  for (std::string const& family : families[ZooPart::validation]) // whole families
    CHECK(families[ZooPart::tuning].count(family) == 0);
}

TEST_CASE("the split is of the families that the gallery has", "[zoo]")
{
  std::set<std::string> split, made;
  std::map<std::string, bool> has_large;
  for (perf::ZooSplit const& each : perf::zoo_split())
  {
    CHECK(split.insert(std::string(each.family)).second);
    has_large[std::string(each.family)] = each.has_large;
  }
  for (ZooFamily const& family : zoo_families())
  {
    made.insert(family.name);
    CHECK(has_large[family.name] == family.has_large);
  }
  CHECK(split == made);
}

TEST_CASE("each structure that choices collapse on is on both sides", "[zoo]")
{
  struct Pair
  {
    char const *tuning, *validation;
  };
  std::vector<Pair> const pairs = {
      {"cover", "fitting"},       {"nets", "netlist"},     {"arrow", "bordered"},
      {"circuit", "power_grid"},  {"web", "clones"},       {"lognormal", "two_lengths"},
      {"pruned", "channels"},     {"lp", "staircase"},     {"fem", "tets"},
      {"fem_permuted", "shell"},  {"kkt", "incidence"},    {"band_permuted", "diagonals"},
      {"stencil3d", "stencil2d"}, {"power", "scale_free"}, {"blocks", "power_flow"},
      {"rmat", "small_world"},    {"band", "supernodes"},  {"road", "chain"},
      {"coupled", "time_steps"},  {"uniform", "terms"}};
  for (auto const& [tuning, validation] : pairs)
  {
    CAPTURE(tuning, validation);
    CHECK(part_of(tuning) == ZooPart::tuning);
    CHECK(part_of(validation) == ZooPart::validation);
  }
}

TEST_CASE("the part of a real matrix comes from its name alone", "[zoo]")
{
  // Half of the 86 of ../shared/matrices, by the rule that was committed with the split.
  std::vector<std::string> const validation = {
      "4elt",       "air05",      "armadillo_shell6", "bcsstk16",     "boyd1",
      "ca-AstroPh", "cage10",     "cont-201",         "cora",         "dano3mip",
      "dblp-2010",  "finan512",   "hand_p2_3dof",     "ISPD98_ibm12", "lp_fit2p",
      "pubmed",     "road-porto", "seymour",          "tols4000",     "wing_nodal"};
  std::vector<std::string> const tuning = {
      "ACTIVSg10K",  "air03",   "bcsstk29", "blogcatalog", "cnr-2000", "cont-300", "ecology1",
      "email-Enron", "memplus", "n4c6-b13", "rail507",     "vibrobox", "wave",     "wiki-Vote"};
  for (std::string const& name : validation)
    CHECK(perf::part_of_real(name) == ZooPart::validation);
  for (std::string const& name : tuning)
    CHECK(perf::part_of_real(name) == ZooPart::tuning);
}

TEST_CASE("the zoo is chosen by part, family and size", "[zoo]")
{
  perf::ZooSettings settings;
  settings.families = {"nets", "netlist"};
  CHECK(perf::chosen_zoo(settings).size() == 9);
  settings.part = "validation";
  auto const list = perf::chosen_zoo(settings);
  REQUIRE(list.size() == 4);
  CHECK(list[0].name == "zoo_netlist_1");
  CHECK(list[0].stands_for.starts_with("netlist_"));
  settings.entries = perf::parse_entry_range("1:2");
  CHECK_THROWS_MATCHES(perf::chosen_zoo(settings), InvalidArgument,
                       Message("heddle::perf: none of the 224 matrices of the zoo is of this part, "
                               "family and number of entries"));
  settings.families = {"real"};
  CHECK_THROWS_MATCHES(perf::chosen_zoo(settings), InvalidArgument,
                       Message("heddle::perf: the family real needs --real DIR"));
}

TEST_CASE("real matrices are listed from their headers", "[zoo]")
{
  TemporaryFolder const folder;
  folder.file("cora.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n5 5 2\n2 1\n5 4\n");
  folder.file("wave.mtx", "%%MatrixMarket matrix coordinate real general\n5 7 1\n2 1 3\n");
  folder.file("notes.txt", "nothing");
  auto const list = perf::real_zoo(folder.path());
  REQUIRE(list.size() == 2);
  CHECK(list[0].name == "cora");
  CHECK(list[0].part == ZooPart::validation);
  CHECK(list[0].entries == 4);
  CHECK_FALSE(list[0].is_exact);
  CHECK(list[1].name == "wave");
  CHECK(list[1].family == "real");
  CHECK(list[1].cols == 7);
  CHECK(list[1].is_exact);
  folder.file("wave.bin", "CSRB1\n");
  CHECK_THROWS_AS(perf::real_zoo(folder.path()), ParseError);
  write_binary_csr(folder.path("wave.bin"), gallery("stencil5_3_2"));
  CHECK_THROWS_MATCHES(perf::real_zoo(folder.path()), FileError,
                       Message(folder.path() + ": two files are called wave"));
  std::filesystem::remove(folder.path("wave.mtx"));
  auto const binary = perf::real_zoo(folder.path());
  REQUIRE(binary.size() == 2);
  CHECK(binary[1].rows == 6);
  CHECK(binary[1].entries == 20);
  CHECK(binary[1].is_exact);
  perf::ZooSettings settings;
  settings.real = folder.path("none");
  CHECK_THROWS_AS(perf::chosen_zoo(settings), FileError);
}

} // namespace heddle::test
