// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What heddle-perf analyze makes of a matrix: sentences, tables and rows. The figures
// themselves are the library's (test_analysis).

#include <harness/caches.hpp>
#include <harness/machine_file.hpp>
#include <heddle/analysis.hpp>
#include <heddle/data_movement.hpp>
#include <heddle/gallery.hpp>
#include <heddle/permute.hpp>
#include <support/messages.hpp>
#include <support/temporary_folder.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <analyze/advice.hpp>
#include <analyze/density.hpp>
#include <analyze/lines.hpp>
#include <analyze/movement.hpp>
#include <analyze/orders.hpp>
#include <analyze/row.hpp>

using namespace heddle::perf;
using Catch::Matchers::ContainsSubstring;
using heddle::MachineDescription;
using heddle::test::message_of;
using heddle::test::TemporaryFolder;

namespace
{

MachineDescription const machine{"a machine", 100, 400, 200, 1000};

HostMatrix<double> matrix(std::string const& name)
{
  return heddle::gallery<HostMatrix<double>>(name);
}

// Parts of vertices that stand beside each other.
heddle::Parts in_halves(heddle::Hypergraph const& graph, int parts)
{
  heddle::Parts result;
  for (std::int64_t v = 0; v < graph.vertices; ++v)
    result.push_back(static_cast<int>(v * parts / graph.vertices));
  return result;
}

bool has(std::vector<std::string> const& sentences, std::string const& part)
{
  return std::any_of(sentences.begin(), sentences.end(), [&part](std::string const& sentence) {
    return sentence.find(part) != std::string::npos;
  });
}

} // namespace

TEST_CASE("density counts the entries of each piece", "[perf]")
{
  for (std::string const name : {"rmat8_8", "dense_row_40", "stencil5_8"})
    for (std::int64_t const pieces : {1, 7, 40, 1000})
    {
      INFO(name << ", " << pieces << " pieces");
      auto const a = matrix(name);
      Density const density = density_of(a, pieces);
      std::int64_t const side = std::min<std::int64_t>(pieces, a.num_rows());
      REQUIRE(density.height == side);
      REQUIRE(density.width == side);
      std::vector<std::int64_t> counted(static_cast<std::size_t>(side * side), 0);
      for (std::int64_t i = 0; i < a.num_rows(); ++i)
        for (auto k = a.row_offsets()(i); k < a.row_offsets()(i + 1); ++k)
          ++counted[i * side / a.num_rows() * side + a.columns()(k) * side / a.num_cols()];
      CHECK(density.entries == counted);
      CHECK(*std::max_element(counted.begin(), counted.end()) <= density.most);
    }
}

TEST_CASE("density keeps the proportions of a matrix, and takes one without rows", "[perf]")
{
  Kokkos::View<std::size_t*, Kokkos::HostSpace> const offsets("offsets", 31);
  HostMatrix<double> const wide(30, 900, offsets, {}, {});
  Density const density = density_of(wide, 300);
  CHECK(density.height == 10);
  CHECK(density.width == 300);
  CHECK(density_of(HostMatrix<double>{}, 300).entries == std::vector<std::int64_t>{0});
}

TEST_CASE("a machine is read as it was written", "[perf]")
{
  TemporaryFolder const folder;
  std::string const file = folder.path() + "/machine.json";
  write_machine(machine, file);
  CHECK(read_machine(file) == machine);
  // With what was measured of caches, which older files lack.
  MachineDescription caches = machine;
  caches.l1_gwords_per_s = 3000;
  caches.shared_gwords_per_s = 4000;
  caches.swept_cache_bytes = 1 << 25;
  caches.cache_sweep = {{8192, 3000}, {16384, 2900.5}};
  write_machine(caches, file);
  CHECK(read_machine(file) == caches);
  CHECK(message_of<heddle::FileError>([] { read_machine("nowhere/machine.json"); }) ==
        "nowhere/machine.json: cannot be read");
  CHECK(message_of<heddle::FileError>([] { write_machine(machine, "nowhere/machine.json"); }) ==
        "cannot write nowhere/machine.json: No such file or directory");
  auto const problem = [&folder](std::string const& text) {
    std::string const name = folder.file("bad.json", text);
    return message_of<heddle::ParseError>([&name] { read_machine(name); });
  };
  CHECK_THAT(problem("gone"),
             ContainsSubstring("bad.json") && ContainsSubstring("not a JSON object"));
  CHECK_THAT(problem("{}"), ContainsSubstring("device is not a text"));
  CHECK_THAT(problem(R"({"device": "a"})"),
             ContainsSubstring("gbytes_per_s is not a positive number"));
  CHECK_THAT(problem(R"({"device": "a", "gbytes_per_s": 1, "gflops_f32": 0})"),
             ContainsSubstring("gflops_f32 is not a positive number"));
  std::string const whole =
      R"({"device": "a", "gbytes_per_s": 1, "gflops_f32": 1, "gflops_f64": 1, "cache_bytes": 1)";
  CHECK_THAT(problem(whole + R"(, "l1_gwords_per_s": -1})"),
             ContainsSubstring("l1_gwords_per_s is not a positive number"));
  CHECK_THAT(problem(whole + R"(, "cache_sweep": 1})"),
             ContainsSubstring("cache_sweep is not an array"));
  CHECK_THAT(problem(whole + R"(, "cache_sweep": [{"bytes": 1}]})"),
             ContainsSubstring("gwords_per_s is not a positive number"));
}

TEST_CASE("a sweep finds the last cache", "[perf]")
{
  CHECK(last_cache_of({{1, 30}, {2, 20}, {4, 16}, {8, 11}, {16, 10}}) == 4);
  CHECK(last_cache_of({{1, 30}, {2, 12}, {4, 16}, {8, 10}}) == 4); // a slow point between
  CHECK(last_cache_of({{1, 11}, {2, 10}}) == 0);
  CHECK(last_cache_of({}) == 0);
}

TEST_CASE("advice names blocks, bundles and what limits", "[perf]")
{
  auto const advice = advice_of(analyze("e", matrix("elast3_6"), false, {}), machine);
  CHECK(has(advice, "SpMV: blocks of 3 x 3 (BSR) take 1 places"));
  CHECK(has(advice, "plans on CSR take row bundles"));
  CHECK(has(advice, "SpMV takes at least"));
  CHECK(has(advice, "set by memory"));
  CHECK(has(advice, "SpGEMM: A A takes at least"));
}

TEST_CASE("advice says that a product was not counted, and follows the machine", "[perf]")
{
  AnalysisSettings settings;
  settings.most_products = 10;
  settings.tries_orders = false;
  auto const analysis = analyze("s", matrix("stencil5_8"), false, settings);
  CHECK(!analysis.product.entries);
  CHECK(has(advice_of(analysis, machine), "more than --max-products"));
  MachineDescription slow = machine;
  slow.gflops_f64 = 0.001;
  auto const advice = advice_of(analysis, slow);
  CHECK(has(advice, "set by arithmetic"));
  CHECK_FALSE(has(advice, "set by memory"));
  CHECK(advice_of(analyze("none", HostMatrix<double>{}, false, {}), machine) ==
        std::vector<std::string>{"The matrix has no entries."});
}

TEST_CASE("advice sees what an order gains", "[perf]")
{
  MatrixAnalysis analysis = analyze("s", matrix("stencil5_8"), false, {.tries_orders = false});
  TriedOrder order{"better", analysis.figures, 1};
  analysis.orders = {order};
  CHECK(has(advice_of(analysis, machine), "\"better\" (1 s on this host): no gain to expect."));
  analysis.orders[0].figures.overlap[1] = 2 * analysis.figures.overlap[1];
  CHECK(has(advice_of(analysis, machine), "SpMM gathers 0.5 of what it does now."));
  analysis.orders[0].figures = analysis.figures;
  analysis.orders[0].figures.mean_distance = analysis.figures.mean_distance / 4;
  CHECK(has(advice_of(analysis, machine), "no gain")); // 64 columns fit 1000 bytes of cache
  MachineDescription small = machine;
  small.cache_bytes = 100;
  CHECK(has(advice_of(analysis, small), "x does not fit the cache"));
}

TEST_CASE("movement is that of the parts, which also vote for an order", "[perf]")
{
  auto const a = matrix("stencil5_8");
  MatrixAnalysis analysis = analyze("s", a, false, {.tries_orders = false});
  std::vector<std::string> told;
  auto const progress = [&told](std::string const& text) { told.push_back(text); };
  auto const words = static_cast<std::int64_t>(analysis.product.work->words);
  auto const spmv_words = static_cast<std::int64_t>(analysis.spmv.words);
  add_movement(analysis, a, {words, 10000}, in_halves, progress);
  REQUIRE(told.size() == 2);
  CHECK_THAT(told[0], ContainsSubstring("A x: hypergraph of 288 products, 416 nets "));
  CHECK_THAT(told[1], ContainsSubstring("A A: hypergraph of 1,320 products, "));
  REQUIRE(analysis.movements.size() == 2);
  CHECK(analysis.movements[0].lower == spmv_words);
  CHECK(analysis.movements[0].upper == spmv_words);
  CHECK(analysis.movements[1].lower == words);
  CHECK(analysis.movements[1].upper == words);
  CHECK(analysis.movements[1].parts == 1);
  CHECK(analysis.orders.empty());
  CHECK(has(advice_of(analysis, machine), "SpMV: through a cache of"));
  CHECK(has(advice_of(analysis, machine), "A A moves at least"));
  CHECK(has(advice_of(analysis, machine), "in 1 part, at most"));
  analysis.movements.clear();
  add_movement(analysis, a, {spmv_words / 2, 10000}, in_halves, progress);
  CHECK(told[3] == "A x: cutting into 2 parts");
  REQUIRE(analysis.movements.size() == 2);
  for (auto const& movement : analysis.movements)
  {
    CHECK(movement.parts > 1);
    CHECK(movement.upper > movement.lower);
    CHECK(movement.largest <= spmv_words / 2);
  }
  CHECK(analysis.movements[1].lower == words);
  REQUIRE(analysis.orders.size() == 2);
  CHECK(analysis.orders[0].name == "majority of the parts of A x (hypergraph)");
  CHECK(analysis.orders[1].name == "majority of the parts of A A (hypergraph)");
  CHECK(analysis.orders[1].figures.nnz == analysis.figures.nnz);
}

TEST_CASE("rows are the vertices where there are more products than asked for", "[perf]")
{
  auto const a = matrix("stencil5_8");
  MatrixAnalysis analysis = analyze("s", a, false, {.tries_orders = false});
  std::vector<std::string> told;
  auto const progress = [&told](std::string const& text) { told.push_back(text); };
  auto const words = static_cast<std::int64_t>(analysis.product.work->words);
  add_movement(analysis, a, {words, 1000}, in_halves, progress);
  CHECK_THAT(told[0], ContainsSubstring("A x: hypergraph of 288 products, "));
  CHECK_THAT(told[1], ContainsSubstring("A A: hypergraph of 64 rows, 64 nets and 288 pins: "));
  REQUIRE(analysis.movements.size() == 2);
  CHECK(analysis.movements[0].vertices == "products");
  CHECK(analysis.movements[1].vertices == "rows");
  CHECK(analysis.movements[1].lower == words);
  CHECK(analysis.movements[1].upper == words);
  CHECK(analysis.movements[1].as_it_is == words);

  analysis.movements.clear();
  add_movement(analysis, a, {words / 2, 10}, in_halves, progress);
  CHECK_THAT(told[2], ContainsSubstring("A x: hypergraph of 64 rows, 64 nets and 288 pins: "));
  REQUIRE(analysis.movements.size() == 2);
  CHECK(analysis.movements[0].vertices == "rows");
  CHECK(analysis.movements[0].upper == analysis.movements[0].lower);
  // Two parts of 32 rows touch 1328 words each, four of 16 at most 832.
  CHECK(analysis.movements[1].parts == 4);
  CHECK(analysis.movements[1].largest == 832);
  CHECK(analysis.movements[1].upper == 2 * (648 + 832));
  CHECK(analysis.movements[1].as_it_is > words);
  CHECK(analysis.movements[1].as_it_is < analysis.movements[1].upper);
  REQUIRE(analysis.orders.size() == 1);
  CHECK(analysis.orders[0].name == "majority of the parts of A A (hypergraph)");
  CHECK(analysis.orders[0].figures.nnz == analysis.figures.nnz);

  // Row 10 of A A has 4 + 5 + 5 + 5 + 5 entries of B, 5 of A and 12 of C. With products as vertices
  // there is a bound, but none of rows as they stand.
  CHECK(message_of<heddle::InvalidArgument>([&] {
          add_movement(analysis, a, {80, 10}, in_halves, progress);
        }) ==
        "heddle::movement_upper_bound: row 10 alone takes 82 words, a fast memory of 80 words "
        "does not hold it");
  analysis.movements.clear();
  add_movement(analysis, a, {80, 10000}, in_halves, progress);
  REQUIRE(analysis.movements.size() == 2);
  CHECK(analysis.movements[0].as_it_is > 0);
  CHECK(analysis.movements[1].as_it_is == 0);
}

TEST_CASE("votes are of rows where there are more products than asked for", "[perf]")
{
  auto const a = matrix("stencil5_8");
  MovementSettings const settings{300, 10};
  for (bool const is_of_spmv : {true, false})
  {
    auto const p = order_by_vote(a, is_of_spmv, settings, in_halves, [](std::string const&) {});
    // Parts are of rows that stand beside each other, so each row is voted to its own place.
    REQUIRE(p.extent(0) == 64);
    for (int i = 0; i < 64; ++i)
      CHECK(p(i) == i);
  }
}

TEST_CASE("orders move entries and lose none", "[perf]")
{
  MovementSettings const settings{300, 10000};
  auto const moved = [&](std::string const& order, HostMatrix<double> const& a) {
    return in_order(order, a, settings, in_halves, [](std::string const&) {});
  };
  auto const sorted_values = [](HostMatrix<double> const& a) {
    std::vector<double> values(a.values().data(), a.values().data() + a.nnz());
    std::sort(values.begin(), values.end());
    return values;
  };
  // Numbers that tell entries apart; the diagonal's are 0 and stay there where rows and columns
  // move alike.
  auto const square = matrix("stencil5_8"), wide = matrix("uniform_40_60_5");
  for (HostMatrix<double> const& a : {square, wide})
    for (std::size_t k = 0; k < a.nnz(); ++k)
      a.values()(k) = static_cast<double>(k + 1);
  for (int i = 0; i < square.num_rows(); ++i)
    for (auto k = square.row_offsets()(i); k < square.row_offsets()(i + 1); ++k)
      if (square.columns()(k) == i)
        square.values()(k) = 0;
  for (std::string const& order : order_names())
  {
    INFO(order);
    auto const b = moved(order, square);
    CHECK(sorted_values(b) == sorted_values(square));
    int of_diagonal = 0;
    for (int i = 0; i < b.num_rows(); ++i)
      for (auto k = b.row_offsets()(i); k < b.row_offsets()(i + 1); ++k)
        of_diagonal += b.columns()(k) == i && b.values()(k) == 0 ? 1 : 0;
    CHECK(of_diagonal == 64);
    if (order == "cuthill_mckee" || is_vote(order))
      CHECK_THROWS_AS(moved(order, wide), heddle::InvalidArgument);
    else
    {
      auto const c = moved(order, wide);
      CHECK(c.num_rows() == 40);
      CHECK(c.num_cols() == 60);
      CHECK(sorted_values(c) == sorted_values(wide));
    }
  }
  CHECK(message_of<heddle::InvalidArgument>([&] { moved("none", square); }) ==
        "heddle::perf: there is no order none");
  CHECK(message_of<heddle::InvalidArgument>([&] { moved("majority", wide); }) ==
        "heddle::perf: A is 40 x 60, and parts vote on a square matrix alone");
}

TEST_CASE("similar columns beside each other make rows heavy", "[perf]")
{
  // Blocks of 16 x 16 whose columns are dealt out 512 apart: alone in their panels.
  auto const a = matrix("block_diagonal_512_16");
  Kokkos::View<int*, Kokkos::HostSpace> const rows("rows", 8192), dealt("dealt", 8192);
  for (int i = 0; i < 8192; ++i)
  {
    rows(i) = i;
    dealt(i) = i % 512 * 16 + i / 512;
  }
  Kokkos::DefaultHostExecutionSpace const host;
  auto const scattered = heddle::permute(host, a, rows, dealt);
  auto const together = in_order("similar_columns", scattered, {}, {}, {});
  CHECK(heddle::pattern_figures(host, scattered).heavy_share == 0);
  CHECK(heddle::pattern_figures(host, together).heavy_share > 0.9);
}

TEST_CASE("a row of results has the bounds, and those of parts where there are any", "[perf]")
{
  MatrixAnalysis analysis = analyze("s", matrix("stencil5_8"), false, {.tries_orders = false});
  auto const row = row_of(analysis, machine);
  CHECK(row["operation"] == "analyze");
  CHECK(row["matrix"] == "s");
  CHECK(row["nnz"] == 288);
  CHECK(row["products"] == 1320);
  CHECK(row["spmv_words"] == 704);
  CHECK(row["spgemm_words"] == analysis.product.work->words);
  CHECK_FALSE(row.contains("spmv_parts"));
  analysis.movements = {
      {.formula = "A x", .vertices = "products", .upper = 800, .cache_words = 300, .parts = 4}};
  auto const cut = row_of(analysis, machine);
  CHECK(cut["spmv_upper_words"] == 800);
  CHECK(cut["spmv_parts"] == 4);
  CHECK(cut["cache_words"] == 300);
  CHECK_FALSE(cut.contains("spgemm_parts"));
  CHECK_FALSE(cut.contains("spmv_as_it_is_words"));
  analysis.movements = {
      {.formula = "A A", .vertices = "rows", .upper = 800, .as_it_is = 900, .parts = 4}};
  auto const by_rows = row_of(analysis, machine);
  CHECK(by_rows["spgemm_vertices"] == "rows");
  CHECK(by_rows["spgemm_as_it_is_words"] == 900);
}

TEST_CASE("a row of results has all that a page shows", "[perf]")
{
  auto analysis = analyze("<name>", matrix("stencil5_8"), true, {.value_type = "f32"});
  CHECK(analysis.value_type == "c32");
  CHECK(analysis.spmv.flops == 8.0 * 288);
  CHECK(analysis.spmv.bytes == 288.0 * 12 + 65 * 4 + 128 * 8);
  REQUIRE(analysis.orders.size() == 2);
  analysis.measured = {{"spmv", 2.0, 0}, {"spmm", 0, 1000}, {"spgemm", 1.0, 500}};
  auto const row = row_of(analysis, machine);
  CHECK(row["device"] == "a machine");
  CHECK(row["machine_gbytes_per_s"] == 100);
  CHECK(row["machine_gflops"] == 400);
  CHECK(row["advice"] == advice_of(analysis, machine));
  CHECK(row["tables"]["bounds"] == bound_lines(analysis, machine));
  CHECK(row["tables"]["measured"] == measured_lines(analysis, machine));
  CHECK(row["tables"]["figures"] == figure_lines(analysis));
  CHECK(row["tables"]["orders"] == order_lines(analysis));
  CHECK(row["tables"]["orders"][3][0] == "reverse Cuthill-McKee");
  // Of compulsory bytes where nobody counted; without a time there is nothing.
  auto const& multiplies = row["multiplies"];
  CHECK(multiplies["spmv"]["measured_ms"] == 2);
  CHECK(multiplies["spmv"]["measured_flops_per_byte"] == analysis.spmv.flops_per_byte());
  CHECK_FALSE(multiplies["spmm"].contains("measured_ms"));
  CHECK(multiplies["spmm"]["name"] == "SpMM, k = 32");
  CHECK(multiplies["spgemm"]["measured_flops_per_byte"] == analysis.product.work->flops / 500);
  // Corners of 3 entries, the other 24 of the border 4, the rest 5: bins of 2 to 3 and of 4 to 7.
  CHECK(row["row_lengths"][2] == std::vector<int>{2, 4});
  CHECK(row["row_lengths"][3] == std::vector<int>{4, 60});
  CHECK(row["row_lengths"].size() == heddle::RowLengths::bins);
  CHECK(row["distances"][3][0] == 16);
  CHECK(row["distances"][3][1] == analysis.figures.clusters.gaps[3]);
}

TEST_CASE("pieces without entries are counted in a row of results", "[perf]")
{
  MatrixAnalysis analysis;
  for (auto const& [entries, written] :
       {std::pair(std::vector<std::int64_t>{0, 0, 3, 0, 1, 2}, std::vector<int>{-2, 3, -1, 1, 2}),
        {{4, 0, 0, 0, 0, 0}, {4, -5}},
        {{0, 0, 0, 0, 0, 0}, {-6}}})
  {
    analysis.density = {2, 3, entries, 9};
    auto const density = row_of(analysis, machine)["density"];
    CHECK(density["entries"] == written);
    CHECK(density["height"] == 2);
    CHECK(density["width"] == 3);
    CHECK(density["most"] == 9);
  }
  auto const none = row_of(analyze("none", HostMatrix<double>{}, false, {}), machine);
  CHECK(none["density"]["entries"] == std::vector<int>{-1});
  CHECK(none["advice"] == std::vector<std::string>{"The matrix has no entries."});
}
