// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/cuda_native/spmm/csr_statistics.hpp>
#include <heddle/cuda_native/spmm/policy.hpp>
#include <heddle/cuda_native/spmm/row_mix.hpp>
#include <heddle/cuda_native/spmm/row_overlap.hpp>
#include <heddle/impl/row_statistics.hpp>
#include <support/device_shapes.hpp>
#include <support/matrices.hpp>
#include <support/mixtures.hpp>
#include <support/pattern.hpp>
#include <support/structures.hpp>
#include <support/tool_log.hpp>
#include <support/types.hpp>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// What a plan for SpMM finds out about CSR: right, and no more often than it must.

namespace heddle::test
{

namespace
{

using Tested = Case<Device, double, int, std::size_t>;
using Policy = cuda_native::SpmmCsrPolicyFor;
using cuda_native::RowOverlap;
using cuda_native::SpmmCsrStatistics;

struct Example
{
  explicit Example(Structure const& s)
      : matrix(make_csr<Tested>(s))
      , pattern(matrix)
      , statistics(impl::row_statistics(exec, matrix.row_offsets(), s.rows, matrix.nnz()))
  {}
  Tested::exec exec = {};
  CsrOf<Tested> matrix;
  PatternOf<CsrOf<Tested>> pattern;
  impl::RowStatistics statistics;
};

RowOverlap overlap_of(Structure const& s)
{
  Example const example(s);
  return SpmmCsrStatistics(example.statistics).overlap(example.exec, example.pattern);
}

} // namespace

TEST_CASE("bundles are for calls whose rows take longer than one bundle", "[cuda_native]")
{
  // 9600 rows of 69 entries in bundles of three, with 32 columns in f64 and f32.
  CHECK(Policy::are_enough_bundles(663264, 32 * 8, 69.0, test::h200));
  CHECK_FALSE(Policy::are_enough_bundles(663264, 32 * 4, 69.0, test::h200));
  // 3026 rows of 68 entries: blocks whose size is no multiple of a bundle's.
  double const steps = Policy::steps_of_bundle(73.0, 1.07);
  CHECK(steps == 146.0);
  CHECK_FALSE(Policy::are_enough_bundles(205768, 128 * 8, steps, test::h200));
  // Rows of B of 32 bytes take as long as those of 64.
  CHECK(Policy::are_enough_bundles(4962312, 8 * 4, 120.0, test::h200));
  CHECK_FALSE(Policy::are_enough_bundles(4962312, 8 * 8, 161.0, test::h200));
  CHECK(Policy::steps_of_bundle(73.0, 1.02) == 73.0);
}

TEST_CASE("the plan of an SpMM looks when it is asked and once", "[cuda_native]")
{
  Example const example(mixtures().front());
  SpmmCsrStatistics const found = example.statistics;
  ToolLog log;
  static_cast<void>(found.overlap(example.exec, example.pattern));
  RowOverlap const overlap = found.overlap(example.exec, example.pattern);
  auto events = log.take();
  CHECK(kernels_named(events, "heddle::row_overlap") == 1);
  CHECK(kernels_named(events, "heddle::row_ranges") == 0);
  static_cast<void>(found.mix(example.exec, example.pattern));
  cuda_native::RowMix const& mix = found.mix(example.exec, example.pattern);
  events = log.take();
  CHECK(kernels_named(events, "heddle::row_overlap") == 0);
  CHECK(kernels_named(events, "heddle::row_ranges") == 1);
  CHECK(overlap.alone < 1.0);
  CHECK(mix.bundled_entries > 0);
}

TEST_CASE("entries at random show what neighbouring rows share", "[cuda_native]")
{
  for (int const size : {2, 3, 4, 6, 8})
  {
    INFO(size);
    RowOverlap const overlap = overlap_of(unknowns_of_nodes(size, 240, 10, 6000));
    CHECK(overlap.fill(size) == Catch::Approx(1.0).margin(0.03));
    CHECK(overlap.gathered(size) == Catch::Approx(1.0 / size).margin(0.03));
    // The five rows before the seventh and eighth of a node of eight are of the node.
    CHECK(overlap.alone == Catch::Approx(1.0 / size).margin(0.03));
  }
  RowOverlap const none = overlap_of(random_structure("", 500, 100000, 12, 5));
  CHECK(none.two > 1.95);
  CHECK(none.alone > 0.95);
  CHECK(none.span > 50000);
  CHECK(none.shifted < 0.05);
  Structure band{"", 3000, 3000, {}};
  for (std::int64_t i = 0; i < band.rows; ++i)
    for (band.columns.emplace_back(); std::int64_t const d : {-200, -1, 0, 1, 200})
      if (i + d >= 0 && i + d < band.cols)
        band.columns.back().push_back(i + d);
  CHECK(overlap_of(band).shifted > 0.95);
  CHECK(overlap_of(Structure{"", 9, 5, std::vector<std::vector<std::int64_t>>(9)}).alone == 1.0);
}

TEST_CASE("tensor cores have bundles where they gather much less of B", "[cuda_native]")
{
  // A 27-point stencil, beside csr_rows.
  RowOverlap stencil{.two = 1.33, .three = 1.66, .four = 1.99, .six = 2.64, .eight = 3.33};
  CHECK(Policy::rows_of_bundle(stencil) == 1);
  CHECK(Policy::tensor_bundles_pay(stencil));
  stencil.eight = 4.5;
  CHECK_FALSE(Policy::tensor_bundles_pay(stencil));
  // Nodes of three unknowns, and larger blocks, which bundles of three suit as well.
  RowOverlap nodes{.two = 1.1, .three = 1.0, .four = 1.32, .six = 1.27, .eight = 1.75};
  CHECK(Policy::rows_of_bundle(nodes) == 3);
  CHECK_FALSE(Policy::tensor_bundles_pay(nodes));
  nodes.eight = 1.46;
  CHECK(Policy::tensor_bundles_pay(nodes));
  // Rows that are alike: bundles of six take half as long again for a row of B.
  CHECK(Policy::tensor_bundles_pay(
      {.two = 1.0, .three = 1.0, .four = 1.0, .six = 1.0, .eight = 1.0}));
  CHECK_FALSE(Policy::tensor_bundles_pay(
      {.two = 1.0, .three = 1.0, .four = 1.3, .six = 1.0, .eight = 1.9}));
}

TEST_CASE("tensor cores have calls that save more than bundles cost", "[cuda_native]")
{
  auto const are_enough = [](std::int64_t entries, std::int64_t columns, double gathered,
                             double mean_columns) {
    return Policy::are_enough_tensor_bundles(entries, columns, gathered, mean_columns, test::h200);
  };
  // 26150 rows of 450 entries in dense blocks: never with fewer than 16 columns.
  CHECK(are_enough(11767500, 16, 0.14, 504));
  CHECK_FALSE(are_enough(11767500, 15, 0.14, 504));
  // A 27-point stencil: narrow rows of B are gathered as fast one by one.
  CHECK(are_enough(26463592, 32, 0.416, 88));
  CHECK_FALSE(are_enough(26463592, 31, 0.416, 88));
  // 128 rows of 496 entries, whose bundles are long; 720 rows of 21.
  CHECK(are_enough(63462, 2048, 0.4375, 1735));
  CHECK_FALSE(are_enough(63462, 128, 0.4375, 1735));
  CHECK_FALSE(are_enough(15408, 512, 0.364, 62));
}

TEST_CASE("the warps of a block share a bundle where bundles are few", "[cuda_native]")
{
  // Warps, and columns of a bundle.
  CHECK(Policy::splits_tensor_bundles(1696, 925, test::h200));
  CHECK_FALSE(Policy::splits_tensor_bundles(1888, 186, test::h200));
  CHECK(Policy::splits_tensor_bundles(472, 186, test::h200));
  CHECK_FALSE(Policy::splits_tensor_bundles(472, 63, test::h200)); // hardly a batch for each warp
}

TEST_CASE("where no row is as long as bundles want there is no mixture", "[cuda_native]")
{
  auto const least = static_cast<std::int64_t>(Policy::shortest_mean);
  impl::RowStatistics const rows{.rows = 1 << 20, .nonzeros = 8 << 20, .longest = least};
  CHECK(Policy::may_have_mixture(rows, false));
  impl::RowStatistics short_rows = rows;
  short_rows.longest = least - 1;
  CHECK_FALSE(Policy::may_have_mixture(short_rows, false));
  impl::RowStatistics few = rows;
  few.nonzeros = Policy::least_bundled - 1;
  CHECK_FALSE(Policy::may_have_mixture(few, false));
  // The ranges of such matrices say so too, whatever their columns.
  for (std::int64_t const neighbours : {3, 4}) // 9 and 12 entries a row
  {
    Example const example(unknowns_of_nodes(3, 400, neighbours, 9000));
    SpmmCsrStatistics const found = example.statistics;
    CHECK((found.longest >= least) ==
          (found.mix(example.exec, example.pattern).bundled_entries > 0));
  }
}

} // namespace heddle::test
