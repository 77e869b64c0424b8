// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every allocation of every operation fails once: that is OutOfMemory, nothing is kept, and the
// operation is right afterwards. Random cases show it of what they know, with --fail-allocations;
// this is a hundred of them, and what they do not know.

#include <heddle/add.hpp>
#include <heddle/aggregate.hpp>
#include <heddle/analysis.hpp>
#include <heddle/balanced_rows.hpp>
#include <heddle/binary_csr.hpp>
#include <heddle/block_norms.hpp>
#include <heddle/convert_bsr.hpp>
#include <heddle/convert_coo.hpp>
#include <heddle/convert_ell.hpp>
#include <heddle/convert_sell.hpp>
#include <heddle/data_movement.hpp>
#include <heddle/diagonal.hpp>
#include <heddle/epilogues.hpp>
#include <heddle/filter.hpp>
#include <heddle/gallery.hpp>
#include <heddle/jacobi_product.hpp>
#include <heddle/matrix_market.hpp>
#include <heddle/reordered_matrix.hpp>
#include <heddle/rigid_body_modes.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmv.hpp>
#include <heddle/symmetrize_pattern.hpp>
#include <heddle/tentative_prolongator.hpp>
#include <heddle/topology.hpp>
#include <heddle/transpose_plan.hpp>
#include <heddle/triple_product.hpp>
#include <heddle/validate.hpp>
#include <support/conversions.hpp>
#include <support/host_pattern.hpp>
#include <support/matrices.hpp>
#include <support/permutations.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

#include <random/campaign.hpp>
#include <random/subjects.hpp>

using namespace heddle;
using namespace heddle::test;
using namespace heddle::test::random;

namespace
{

// Fails each allocation of work; what it returns is dropped.
template <class Work>
void fail_each(char const* name, Work const& work)
{
  INFO(name);
  Tally tally;
  Context context(tally, true);
  static_cast<void>(context.call(name, work));
  CHECK(context.problem() == "");
  CHECK(tally.failed_allocations > 0);
}

// Whether what text_of() returns is whole, or it throws OutOfMemory, whichever allocation fails.
template <class TextOf>
void check_whole_text(char const* name, TextOf const& text_of)
{
  INFO(name);
  std::string const whole = text_of();
  std::int64_t n = 0;
  for (bool has_failed = true; has_failed; ++n)
  {
    std::string text = whole;
    FailingAllocations failing(n);
    try
    {
      text = text_of();
    }
    catch (std::bad_alloc const&) // OutOfMemory is one
    {}
    failing.stop();
    has_failed = failing.has_failed();
    CHECK(text == whole);
  }
  CHECK(n > 1);
}

} // namespace

TEST_CASE("an allocation that is to fail does, and no other", "[random]")
{
  std::vector<int*> blocks(4, nullptr);
  FailingAllocations failing(2);
  for (int*& block : blocks)
    block = new (std::nothrow) int;
  failing.stop();
  CHECK(failing.has_failed());
  CHECK(failing.kept() == 3);
  CHECK(blocks[1] != nullptr);
  CHECK(blocks[2] == nullptr);
  CHECK(blocks[3] != nullptr);
  for (int* const block : blocks)
    delete block;
}

TEST_CASE("random cases survive the failure of each of their allocations", "[random]")
{
  Campaign campaign;
  campaign.cases = 100;
  campaign.fails_allocations = true;
  Outcome const outcome =
      run(campaign, [](Problem const& p, Context& context) { return check(p, context); });
  for (Found const& found : outcome.found)
  {
    INFO(report(campaign.seed, found));
    CHECK(found.failure == "");
  }
  CHECK(outcome.tally.failed_allocations > 1000);
}

TEST_CASE("the gallery survives failing allocations", "[random]")
{
  for (std::string const name : {"stencil9_5",
                                 "elast3_3",
                                 "banded_40_3",
                                 "banded_perm_40_3",
                                 "rmat5_4",
                                 "fem_graph_3_4_2",
                                 "uniform_30_40_5",
                                 "pruned_20_30_50",
                                 "sampled_20_30_50",
                                 "power_law_50_4",
                                 "dense_row_30",
                                 "empty_rows_30_40",
                                 "blocks_6_3_2",
                                 "cover_9_40_2",
                                 "nets_40_30_2",
                                 "circuit_40_2",
                                 "lognormal_40_5_80_20",
                                 "scale_free_40_4_180",
                                 "web_60_5_80",
                                 "clones_40_5_6_80",
                                 "channels_9_9_20",
                                 "simplices_6_3",
                                 "triangles_5_4_2",
                                 "geometric_40_5",
                                 "power_flow_4_3_5",
                                 "supernodes_40_4_2",
                                 "diagonals_40_3_9",
                                 "permuted_3_5_elast3_3",
                                 "zoo_uniform_5"})
    fail_each(name.c_str(), [&] { return gallery(name); });
  fail_each("gallery_families", [] { return gallery_families(); });
  GalleryMatrix const a = gallery("stencil5_6");
  using Other = CsrMatrix<Complex64, std::int64_t, int, Kokkos::HostSpace>;
  fail_each("gallery_as", [&] { return gallery_as<Other>(a); });
}

TEST_CASE("dense files survive failing allocations", "[random]")
{
  using Dense = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  std::string const path = (std::filesystem::temp_directory_path() /
                            ("heddle_dense_" + std::to_string(getpid()) + ".mtx.gz"))
                               .string();
  Dense const dense("heddle::test::dense", 7, 5);
  fail_each("write_matrix_market", [&] {
    write_matrix_market(path, dense);
    return 0;
  });
  fail_each("read_matrix_market_header", [&] { return read_matrix_market_header(path); });
  fail_each("read_dense_matrix_market", [&] { return read_dense_matrix_market<Dense>(path); });
  std::filesystem::remove(path);
}

TEST_CASE("analyses and partitions survive failing allocations", "[random]")
{
  Structure const s = structure("unsorted");
  auto const a = heddle::test::make_csr<DoubleCase<Host>>(s);
  Host const exec{};
  fail_each("pattern_figures", [&] { return pattern_figures(exec, a); });
  fail_each("spgemm_work", [&] { return spgemm_work(exec, a, transpose(exec, a)); });

  HostPattern const pattern = host_pattern(structure("banded"));
  ProductHypergraph const graph = hypergraph_of_spmv(pattern, 1 << 20);
  Parts const parts(static_cast<std::size_t>(graph.graph.vertices), 0);
  fail_each("hypergraph_of_product",
            [&] { return hypergraph_of_product(pattern, pattern, 1 << 20); });
  fail_each("hypergraph_of_spmv", [&] { return hypergraph_of_spmv(pattern, 1 << 20); });
  fail_each("movement_of", [&] { return movement_of(graph, parts); });
  fail_each("order_by_spmv_majority", [&] { return order_by_spmv_majority(pattern, parts); });
}

TEST_CASE("plans of reordered matrices, and what plans tell, survive failing allocations",
          "[random]")
{
  using C = DoubleCase<Device>;
  Device const exec{};
  Structure const s = structure("banded");
  auto const a = heddle::test::make_csr<C>(s);
  auto const p = permutation_view<C>(random_order(s.rows, 1));
  auto const moved = to_reordered(exec, a, p, p);
  using Moved = typename decltype(moved)::const_type;
  using Plan = SpgemmPlan<Device, Moved, Moved>;
  fail_each("SpgemmPlan", [&] { return Plan(exec, moved, moved); });
  Plan const plan(exec, moved, moved);
  fail_each("make_result", [&] { return plan.make_result(exec); });
  fail_each("describe", [&] { return plan.describe(); });
  fail_each("matches", [&] { return plan.matches(exec, moved, moved); });
  fail_each("spgemm", [&] { return heddle::spgemm(exec, moved, moved); });

  SpmvPlan const spmv_plan(exec, a);
  fail_each("describe", [&] { return spmv_plan.describe(); });
  fail_each("matches", [&] { return spmv_plan.matches(exec, a); });
  Kokkos::View<double*, C::space> const x("heddle::test::x", s.cols), y("heddle::test::y", s.rows);
  Kokkos::View<double, C::space> const sum("heddle::test::sum");
  fail_each("spmv", [&] {
    spmv(exec, spmv_plan, 1.0, a, x, 0.0, y, epilogues::SquaredNorm{sum});
    return 0;
  });
}

// A stream of the standard library that finds no memory leaves out the rest and says nothing.
TEST_CASE("descriptions and messages are whole, or there is no memory", "[random]")
{
  using C = DoubleCase<Device>;
  Device const exec{};
  auto const a = heddle::test::make_csr<C>(structure("banded"));
  SpmvPlan const plain(exec, a), compressed(exec, a, {.expected_calls = 1000000});
  check_whole_text("SpmvPlan", [&] { return plain.describe(); });
  check_whole_text("SpmvPlan for many calls", [&] { return compressed.describe(); });
  SpgemmPlan const product(exec, a, a);
  check_whole_text("SpgemmPlan", [&] { return product.describe(); });
  TripleProductPlan const triple(exec, a, a, a, SpgemmOptions{.op_a = Op::transpose});
  check_whole_text("TripleProductPlan", [&] { return triple.describe(); });
  TransposePlan const transposed(exec, a);
  check_whole_text("TransposePlan", [&] { return transposed.describe(); });
  JacobiPlan const smoothed(exec, a, a);
  check_whole_text("JacobiPlan", [&] { return smoothed.describe(); });
  Topology const host = host_topology();
  check_whole_text("Topology", [&] { return to_string(host); });
  Kokkos::View<double*, C::space> const x("heddle::test::x", 3);
  check_whole_text("a refusal", [&]() -> std::string {
    try
    {
      heddle::spmv(exec, plain, 1.0, a, x, 0.0, x);
    }
    catch (InvalidArgument const& refusal)
    {
      return refusal.what();
    }
    return "no refusal";
  });
}

TEST_CASE("sums and what they are made of survive failing allocations", "[random]")
{
  using C = DoubleCase<Device>;
  Device const exec{};
  auto const a = heddle::test::make_csr<C>(structure("banded"));
  auto const b = heddle::test::make_csr<C>(shuffled(structure("banded"), 1));
  using Matrix = CsrOf<C>::const_type;
  fail_each("add", [&] { return add(exec, 1.0, a, 2.0, b); });
  fail_each("add", [&] { return AddPlan(exec, a, b); });
  AddPlan const plan(exec, a, b);
  fail_each("add", [&] { return plan.make_result(exec); });
  fail_each("describe", [&] { return plan.describe(); });
  fail_each("remove_diagonal", [&] { return remove_diagonal(exec, a); });
  fail_each("filter", [&] { return filter(exec, a, 0.5, {.keeps_row_sums = true}); });
  fail_each("aggregate", [&] { return aggregate(exec, b); });
  Kokkos::View<double**, C::space> const coordinates("heddle::test::points", b.num_rows(), 3);
  fail_each("rigid_body_modes", [&] { return heddle::rigid_body_modes(exec, coordinates); });
  fail_each("tentative_prolongator", [&, aggregates = aggregate(exec, b)] {
    return heddle::tentative_prolongator(exec, aggregates, coordinates);
  });
  fail_each("symmetrize_pattern", [&] { return symmetrize_pattern(exec, b); });
  Kokkos::View<double*, C::space> const d("heddle::test::d", a.num_rows());
  JacobiPlan<Device, Matrix, Matrix> const jacobi(exec, a, a);
  auto const c = jacobi.make_result(exec);
  fail_each("jacobi_product", [&] {
    jacobi_product(exec, jacobi, 0.5, d, a, a, c);
    return 0;
  });
  SpgemmPlan<Device, Matrix, Matrix> const product(exec, a, a);
  auto const sum = product.make_result(exec);
  fail_each("spgemm", [&] {
    spgemm(exec, product, 2.0, a, a, 3.0, sum);
    return 0;
  });
  SpgemmOptions const transposed{.op_a = Op::transpose};
  fail_each("triple_product", [&] { return triple_product(exec, a, a, a, transposed); });
  SpgemmOptions in_pieces = transposed;
  in_pieces.max_workspace_bytes = 100000;
  REQUIRE(heddle::impl::batches_of_product(exec, a, a, sizeof(C::ordinal) + sizeof(double),
                                           in_pieces.max_workspace_bytes / 2)
              .count() > 1);
  fail_each("triple_product", [&] { return triple_product(exec, a, a, a, in_pieces); });
  TripleProductPlan<Device, Matrix, Matrix, Matrix> const triple(exec, a, a, a, transposed);
  fail_each("triple_product", [&] { return TripleProductPlan(exec, a, a, a, transposed); });
  fail_each("describe", [&] { return triple.describe(); });
  auto const coarse = triple.make_result(exec);
  fail_each("triple_product", [&] {
    triple_product(exec, triple, a, a, a, coarse);
    return 0;
  });
  BsrMatrix<double const, C::ordinal, C::offset, C::space> const blocks = to_bsr(exec, a, {2, 2});
  fail_each("spgemm of BSR", [&] { return spgemm(exec, blocks, blocks, transposed); });
  SpgemmPlan const of_blocks(exec, blocks, blocks, transposed);
  fail_each("spgemm of BSR", [&] { return SpgemmPlan(exec, blocks, blocks, transposed); });
  fail_each("describe", [&] { return of_blocks.describe(); });
  auto const product_of_blocks = of_blocks.make_result(exec);
  fail_each("spgemm of BSR", [&] {
    spgemm(exec, of_blocks, 2.0, blocks, blocks, 3.0, product_of_blocks);
    return 0;
  });
}

TEST_CASE("conversions, transposes and cuts survive failing allocations", "[random]")
{
  using C = DoubleCase<Device>;
  Device const exec{};
  auto const a = heddle::test::make_csr<C>(shuffled(structure("banded"), 1));
  auto const blocks = to_bsr(exec, a, {2, 2});
  auto const ell = to_ell(exec, a);
  fail_each("to_csr of BSR", [&] { return to_csr(exec, blocks); });
  fail_each("to_csr of ELL", [&] { return to_csr(exec, ell); });
  fail_each("to_coo", [&] { return to_coo(exec, a); });
  fail_each("block_norms", [&] { return block_norms(exec, blocks); });
  fail_each("validate", [&] { return validate(exec, a); });
  fail_each("validate of BSR", [&] { return validate(exec, blocks); });
  fail_each("balanced_rows of SELL",
            [&, sell = to_sell(exec, a)] { return balanced_rows(exec, sell, 3); });
  fail_each("balanced_rows of ELL", [&] { return balanced_rows(exec, ell, 3); });
  fail_each("TransposePlan", [&] { return TransposePlan(exec, a); });
  TransposePlan const transposed(exec, a);
  fail_each("make_result", [&] { return transposed.make_result(exec); });

  std::string const path = (std::filesystem::temp_directory_path() /
                            ("heddle_header_" + std::to_string(getpid()) + ".csrb"))
                               .string();
  write_binary_csr(path, gallery("stencil5_6"));
  fail_each("read_binary_csr_header", [&] { return read_binary_csr_header(path); });
  std::filesystem::remove(path);
}
