// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <baselines/serial_formats.hpp>
#include <formats/formats.hpp>
#include <formats/operands.hpp>
#include <formats/settings.hpp>
#include <harness/check.hpp>
#include <harness/load.hpp>
#include <heddle/copy.hpp>
#include <heddle/error.hpp>
#include <heddle/storage.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <variant>
#include <vector>

using namespace heddle::perf;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::StartsWith;
using heddle::BlockShape;
using heddle::InvalidArgument;
using heddle::Op;
using heddle::SellShape;

namespace
{

HostMatrix<double> matrix(std::string const& name)
{
  return std::get<HostMatrix<double>>(load_gallery(name).matrix);
}

// Through the serial code of every format, each in both layouts.
template <class Layout>
std::set<std::string> check_serial(FormatsSettings const& settings, HostMatrix<double> const& a,
                                   std::int64_t k)
{
  FormatOperands<double, Layout> const operands(a, k);
  DenseReference<double> const reference(a, Op::none, k);
  std::set<std::string> names;
  for_each_format(
      settings, [&](std::string const& name, std::string const& parameters, auto const& convert) {
        CAPTURE(name, parameters, k);
        names.insert(name + " " + parameters);
        auto const host = heddle::copy_to(Exec{}, Kokkos::HostSpace{}, convert(operands.a()));
        CHECK(stored_values(host) >= host.nnz());
        Kokkos::deep_copy(operands.result(), std::numeric_limits<double>::quiet_NaN());
        serial::multiply(host, operands.host_b(), operands.result());
        Kokkos::deep_copy(operands.c(), operands.result());
        CHECK(reference.check(operands.c()).wrong == "");
      });
  return names;
}

} // namespace

TEST_CASE("serial code of every format computes what the reference does", "[perf]")
{
  FormatsSettings settings;
  settings.blocks = {{3, 3}, {4, 3}};
  settings.slices = {{32, 1, 1}, {4, 2, 64}};
  settings.segments = {{0, 0, 0}, {4, 1, 2}};
  settings.fill_limit.factor = 1000;
  // Blocks hang over the edge of the second and third; the third has empty rows, the last a long
  // one.
  for (char const* const name :
       {"elast3_3", "sampled_37_53_400", "empty_rows_50_60", "dense_row_70"})
  {
    CAPTURE(name);
    auto const a = matrix(name);
    for (std::int64_t const k : {1, 5})
    {
      auto const names = check_serial<Kokkos::LayoutRight>(settings, a, k);
      CHECK(names == check_serial<Kokkos::LayoutLeft>(settings, a, k));
      CHECK(names.size() == 12);
      CHECK(names.count("bsr 4x3") == 1);
      CHECK(names.count("sell 4,2,64") == 1);
      CHECK(names.count("row_segmented ") == 1);
      CHECK(names.count("row_segmented 4,1,2") == 1);
    }
  }
}

TEST_CASE("only the formats asked for are run", "[perf]")
{
  FormatsSettings settings;
  settings.formats = {"csr"};
  CHECK(check_serial<Kokkos::LayoutRight>(settings, matrix("stencil5_4"), 2) ==
        std::set<std::string>{"csr "});
}

TEST_CASE("bytes of operands count both places of C on a host", "[perf]")
{
  auto const a = matrix("sampled_10_20_50");
  std::size_t const results = has_own_memory ? 10 : 20;
  CHECK(FormatOperands<double, Kokkos::LayoutRight>::bytes(a, 4) ==
        50 * 12 + 11 * 4 + (20 + results) * 4 * 8);
  // Above 2^31 entries of B: 64-bit.
  CHECK(FormatOperands<double, Kokkos::LayoutRight>::bytes(a, std::int64_t(1) << 30) >
        std::size_t(20) << 33);
}

TEST_CASE("bytes that a format stores are those of its arrays", "[perf]")
{
  FormatOperands<double, Kokkos::LayoutRight> const operands(matrix("banded_10_1"),
                                                             1); // 28 entries
  CHECK(heddle::storage_bytes(operands.a()) == 28 * 12 + 11 * 4);
  CHECK(heddle::storage_bytes(heddle::to_coo(Exec{}, operands.a())) == 28 * 16);
  auto const ell = heddle::to_ell(Exec{}, operands.a());
  CHECK(stored_values(ell) == 3 * ell.stride());
  CHECK(heddle::storage_bytes(ell) == 3 * ell.stride() * 12 + 10 * 4);
  auto const bsr = heddle::to_bsr(Exec{}, operands.a(), BlockShape{2, 2});
  CHECK(stored_values(bsr) == 4 * bsr.num_blocks());
  CHECK(heddle::storage_bytes(bsr) == bsr.num_blocks() * (4 * 8 + 4) + 6 * 4);
}

TEST_CASE("each matrix has its width", "[perf]")
{
  FormatsSettings settings;
  settings.common.files = {"a.mtx", "b.mtx"};
  settings.common.gallery = {"stencil5_4"};
  auto all = experiments_of(settings);
  REQUIRE(all.size() == 3);
  CHECK(all[0].k == 32);
  CHECK(all[0].is_file);
  CHECK_FALSE(all[2].is_file);

  settings.widths = {10, 105054, 12};
  settings.has_seeded = settings.has_density_sweep = true;
  all = experiments_of(settings);
  REQUIRE(all.size() == 3 + 1 + 9);
  CHECK(all[1].k == 105054);
  CHECK(all[2].k == 12);
  CHECK(all[3].source == "sampled_2372_4096_933343");
  CHECK(all[3].k == 4096);
  CHECK(all[4].source == "pruned_2048_2048_90");
  CHECK(all[12].source == "pruned_2048_2048_10");
  CHECK(all[12].k == 2048);

  settings.widths = {7};
  for (Experiment const& experiment : experiments_of(settings))
    CHECK(experiment.k == 7);
  settings.operation = "spmv";
  for (Experiment const& experiment : experiments_of(settings))
    CHECK(experiment.k == 1);

  settings.widths = {7, 8};
  CHECK_THROWS_MATCHES(experiments_of(settings), InvalidArgument,
                       MessageMatches(ContainsSubstring("--k has 2 values for 3 matrices")));
  CHECK_THROWS_MATCHES(experiments_of(FormatsSettings{}), InvalidArgument,
                       MessageMatches(ContainsSubstring("no matrix")));
}

TEST_CASE("shapes of blocks and slices are read as they are written", "[perf]")
{
  CHECK(parse_block("3") == BlockShape{3, 3});
  CHECK(parse_block("4x2") == BlockShape{4, 2});
  CHECK(to_text(BlockShape{4, 2}) == "4x2");
  CHECK(parse_slice("64") == SellShape{64, 1, 1});
  CHECK(parse_slice("8,4") == SellShape{8, 4, 1});
  CHECK(parse_slice("32,1,5000000000") == SellShape{32, 1, 5000000000});
  CHECK(to_text(SellShape{32, 1, 256}) == "32,1,256");
  for (char const* const bad : {"", "x", "3x", "0", "-2", "3x4x5", "3,4", "3x0", "9999999999"})
  {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_block(bad), InvalidArgument);
  }
  for (char const* const bad : {"", ",", "32,", "0", "32,0,1", "32,1,1,1", "32x1", "99999999,1"})
  {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_slice(bad), InvalidArgument);
  }
  CHECK(parse_segments("4,16,2") == Configuration{4, 16, 2});
  for (char const* const bad : {"", "2", "2,8", "0,8,1", "2,0,1", "3,8,1", "2,8,8", "2,8,1,1"})
  {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_segments(bad), InvalidArgument);
  }
}

TEST_CASE("row segments are cut as the parameters say, and plans are told them", "[perf]")
{
  FormatOperands<double, Kokkos::LayoutRight> const operands(matrix("banded_300_2"), 1);
  auto const shape_of = [&](Configuration const& asked) {
    return in_segments(operands.a(), asked).shape();
  };
  // 113 KiB of shared memory hold so many rows of 32 CF_V columns of double.
  CHECK(shape_of({1, 3, 1}) == heddle::RowSegmentShape{452, 3});
  CHECK(shape_of({4, 16, 1}) == heddle::RowSegmentShape{113, 16});
  CHECK(shape_of({0, 0, 0}) == heddle::to_row_segmented(Exec{}, operands.a()).shape());
  auto const options = spmm_options_of("row_segmented", "4,16,2");
  CHECK(options.tuning.row_segments.vertical_coarsening == 4);
  CHECK(options.tuning.row_segments.horizontal_coarsening == 2);
  CHECK(spmm_options_of("row_segmented", "").tuning.row_segments.vertical_coarsening == 0);
  CHECK(spmm_options_of("sell", "32,1,1").tuning.row_segments.vertical_coarsening == 0);
}

TEST_CASE("wide results are checked at their ends and at a sample of columns", "[perf]")
{
  CHECK(sample_columns(512).size() == 512);
  auto const sample = sample_columns(100000);
  CHECK(sample.size() > 250);
  CHECK(sample.size() < 500);
  CHECK(sample.front() == 0);
  CHECK(sample.back() == 99999);

  auto const a = matrix("stencil5_4");
  constexpr std::int64_t k = 2000;
  FormatOperands<double, Kokkos::LayoutRight> const operands(a, k);
  DenseReference<double> const reference(a, Op::none, k);
  serial::multiply(a, operands.host_b(), operands.result());
  Kokkos::deep_copy(operands.c(), operands.result());
  CHECK(reference.check(operands.c()).wrong == "");
  operands.result()(7, k - 1) += 1;
  Kokkos::deep_copy(operands.c(), operands.result());
  CHECK_THAT(reference.check(operands.c()).wrong,
             StartsWith("wrong result: entry (7, 1999) is off by 1"));
}
