// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A^T x on CUDA: every form of additions by atomics and of gathering, on every structure, against
// the oracle; which form a plan takes; patterns that just miss being mirrored.

#include <heddle/csc_matrix.hpp>
#include <heddle/cuda_native/spmv/csr_tiles.cuh>
#include <heddle/cuda_native/spmv/gathered.cuh>
#include <heddle/cuda_native/spmv/scatter.cuh>
#include <heddle/impl/operands.hpp>
#include <heddle/spmv.hpp>
#include <support/dense.hpp>
#include <support/entries.hpp>
#include <support/instances.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using cuda_native::ScatterChoice;

bool has(std::string const& text, std::string const& part)
{
  return text.find(part) != std::string::npos;
}

// With an entry at (j, i) for each at (i, j), and rows that ascend.
Structure mirrored(std::string const& name, Structure const& from)
{
  std::int64_t const n = std::max(from.rows, from.cols);
  Structure s{name, n, n, {}};
  s.columns.resize(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < from.rows; ++i)
    for (std::int64_t const j : from.columns[static_cast<std::size_t>(i)])
    {
      s.columns[static_cast<std::size_t>(i)].push_back(j);
      s.columns[static_cast<std::size_t>(j)].push_back(i);
    }
  for (auto& columns : s.columns)
  {
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }
  return s;
}

Structure band(std::int64_t n, std::int64_t width)
{
  Structure s{"band", n, n, {}};
  for (std::int64_t i = 0; i < n; ++i)
  {
    s.columns.emplace_back();
    for (std::int64_t j = std::max<std::int64_t>(0, i - width); j <= std::min(n - 1, i + width);
         ++j)
      s.columns.back().push_back(j);
  }
  return s;
}

// Full first row and column: their lengths differ much from the others'.
Structure arrow(std::int64_t n)
{
  Structure s{"arrow", n, n, {}};
  for (std::int64_t i = 0; i < n; ++i)
    s.columns.push_back(i == 0 ? std::vector<std::int64_t>(static_cast<std::size_t>(n))
                               : std::vector<std::int64_t>{0, i});
  std::iota(s.columns[0].begin(), s.columns[0].end(), 0);
  return s;
}

// More empty rows between entries than a block of entries lists.
Structure mostly_empty()
{
  Structure s{"mostly empty", 70000, 300, {}};
  s.columns.resize(70000);
  for (std::size_t i = 0; i < 70000; i += 700)
    s.columns[i] = random_structure("", 1, 300, 90, i).columns[0];
  return s;
}

// Rows of one to four entries, whose first column stays the same for `repeats` rows.
Structure edges(std::int64_t n, std::int64_t repeats)
{
  Structure s{"edges", n, n, {}};
  for (std::int64_t i = 0; i < n; ++i)
  {
    std::int64_t const first = i / repeats * 7 % n;
    s.columns.push_back({first});
    for (std::int64_t k = 1; k <= i % 4; ++k)
      s.columns.back().push_back((first + k * (1 + i % 5)) % n);
  }
  return s;
}

std::vector<Structure> demanding()
{
  std::vector<Structure> all = structures();
  all.push_back(mirrored("mirrored", random_structure("", 900, 900, 5, 3)));
  all.push_back(band(1000, 2));
  all.push_back(band(300, 70));
  all.push_back(arrow(6000));
  all.push_back(mostly_empty());
  all.push_back(random_structure("long rows", 9, 5000, 3000, 4));
  Structure hot = random_structure("a column of every row", 30000, 5000, 3, 5);
  for (auto& columns : hot.columns)
    columns.insert(columns.begin(), 17);
  all.push_back(hot); // with duplicates where the row had it
  all.push_back(edges(3000, 40));
  return all;
}

template <class Matrix, class Scalar>
struct Call
{
  Kokkos::View<Scalar**, Kokkos::LayoutLeft, Kokkos::CudaSpace> x, y;

  explicit Call(Structure const& s)
      : x("heddle::test::x", s.rows, 1)
      , y("heddle::test::y", s.cols, 1)
  {
    fill_input(x);
  }
  // run(is_conjugate, alpha, x, beta, y) for both ops and two pairs of factors.
  template <class Run>
  void check(Structure const& s, std::string const& form, Run const& run) const
  {
    using Value = typename Matrix::value_type;
    for (Op const op : {Op::transpose, Op::conjugate_transpose})
      for (double const beta : {0.0, 1.0, 2.0})
      {
        INFO(form << ", " << s.name << ", " << to_string(op) << ", beta " << beta);
        Scalar const alpha(beta == 0 ? 1 : -0.5);
        fill_output(y, beta == 0);
        impl::with_conjugation<Value>(op, [&]<class Is>(Is is_conjugate) {
          run(is_conjugate, alpha, x.data(), Scalar(beta), y.data());
        });
        Kokkos::fence();
        CHECK(first_difference_in(
                  reference_multiply<Value, Scalar, Scalar>(s, op, alpha, 1, Scalar(beta)), y) ==
              "");
      }
  }
};

template <class C, class Scalar>
void check_scatter(std::vector<Structure> const& all)
{
  using Matrix = typename CsrOf<C>::const_type;
  typename C::exec const exec{};
  std::vector<ScatterChoice> forms{{ScatterChoice::Form::short_rows},
                                   {ScatterChoice::Form::entries},
                                   {ScatterChoice::Form::block_sums},
                                   {.form = ScatterChoice::Form::block_sums, .is_by_lanes = true}};
  for (int const threads : {2, 4, 8, 16, 32})
    forms.push_back({ScatterChoice::Form::rows, threads});
  for (auto const& s : all)
  {
    Matrix const a = make_csr<C>(s);
    Call<Matrix, Scalar> const call(s);
    for (ScatterChoice const& form : forms)
      call.check(s, form.describe(),
                 [&]<class Is>(Is, Scalar alpha, auto const* x, Scalar beta, auto* y) {
                   cuda_native::spmv_scatter<Is::value>(exec, form, alpha, a, x, beta, y);
                 });
  }
}

template <class Matrix>
impl::RowStatistics statistics(Matrix const& a)
{
  return impl::row_statistics(Kokkos::Cuda{}, a.row_offsets(), a.num_rows(), a.nnz());
}

template <class C, class Scalar>
void check_gather(std::vector<Structure> const& all)
{
  using Matrix = typename CsrOf<C>::const_type;
  using Gather = cuda_native::TransposedGather<Matrix>;
  using Tiles =
      cuda_native::SpmvTiles<typename C::ordinal, typename Gather::Place, typename C::space>;
  typename C::exec const exec{};
  int mirrored_ones = 0;
  for (auto const& s : all)
  {
    if (s.nnz() == 0)
      continue;
    Matrix const a = make_csr<C>(s);
    Call<Matrix, Scalar> const call(s);
    for (auto const form : {Gather::Form::mirrored, Gather::Form::sorted})
      if (auto const gather = Gather::of_form(exec, a, statistics(a), form))
      {
        mirrored_ones += form == Gather::Form::mirrored ? 1 : 0;
        CHECK(gather->bytes() >= a.nnz() * sizeof(typename Gather::Place));
        auto const entries = gather->entries(a);
        for (int const threads : {2, 4, 8, 16, 32})
          call.check(s, gather->describe() + std::to_string(threads),
                     [&]<class Is>(Is, Scalar alpha, auto const* x, Scalar beta, auto* y) {
                       cuda_native::gather_by_rows<Is::value>(exec, threads, entries, alpha, x,
                                                              beta, y);
                     });
        Tiles const tiles(exec, gather->column_offsets(), gather->columns());
        call.check(s, gather->describe() + "tiles",
                   [&]<class Is>(Is, Scalar alpha, auto const* x, Scalar beta, auto* y) {
                     impl::VectorOperand<Scalar, Kokkos::LayoutRight> const out{y, s.cols, 1};
                     cuda_native::multiply_by_tiles<Is::value>(exec, tiles, entries, alpha, x, beta,
                                                               out);
                   });
      }
  }
  CHECK(mirrored_ones >= 4);
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEMPLATE_LIST_TEST_CASE("every form of transposed spmv by atomics agrees with the oracle", "[spmv]",
                        DeviceTypes)
{
  check_scatter<TestType, typename TestType::value>(demanding());
}

TEMPLATE_LIST_TEST_CASE("every form of transposed spmv by gathering agrees with the oracle",
                        "[spmv]", DeviceTypes)
{
  check_gather<TestType, typename TestType::value>(demanding());
}

TEST_CASE("transposed spmv of a float matrix sums double vectors in double", "[spmv]")
{
  using C = Case<Kokkos::Cuda, float, int, std::size_t>;
  check_scatter<C, double>(small_structures());
  check_gather<C, double>(demanding());
}

TEST_CASE("a pattern is mirrored where each entry has a mirror image and rows ascend", "[spmv]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  using Gather = heddle::cuda_native::TransposedGather<typename CsrOf<C>::const_type>;
  auto const is_mirrored = [](Structure const& s) {
    typename CsrOf<C>::const_type const a = make_csr<C>(s);
    return Gather::of_form(Kokkos::Cuda{}, a, statistics(a), Gather::Form::mirrored).has_value();
  };
  Structure const s = mirrored("mirrored", random_structure("", 3000, 3000, 4, 8));
  CHECK(is_mirrored(s));
  Structure lacks = s;
  lacks.columns[1500].erase(lacks.columns[1500].begin() + 1);
  CHECK_FALSE(is_mirrored(lacks));
  Structure unsorted = s;
  std::swap(unsorted.columns[7][0], unsorted.columns[7][1]);
  CHECK_FALSE(is_mirrored(unsorted));
  Structure twice = s;
  twice.columns[2999].push_back(twice.columns[2999].back());
  CHECK_FALSE(is_mirrored(twice));
  CHECK_FALSE(is_mirrored({"wide", 2, 3, {{0, 1}, {0, 1}}}));
  CHECK_FALSE(is_mirrored({"tall", 3, 2, {{0, 1}, {0, 1}, {}}}));

  // Plans take the other form then, whose results are right.
  for (auto const& one : {s, lacks, unsorted, twice})
  {
    auto const a = make_csr<C>(one);
    heddle::SpmvPlan const plan(Kokkos::Cuda{}, a, {.transposed = true});
    INFO(plan.describe());
    CHECK(has(plan.describe(), "A's own pattern") == (one.name == s.name && is_mirrored(one)));
    CHECK(has(plan.describe(), "by gathering through"));
    Call<CsrOf<C>::const_type, double> const call(one);
    call.check(one, "plan",
               [&]<class Is>(Is, double alpha, double const* x, double beta, double* y) {
                 Kokkos::View<double const*, C::space> const in(x, one.rows);
                 Kokkos::View<double*, C::space> const out(y, one.cols);
                 heddle::spmv(Kokkos::Cuda{}, plan, Op::transpose, alpha, a, in, beta, out);
               });
  }
}

TEST_CASE("a plan that expects transposed calls gathers where that pays", "[spmv][plans]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  using Policy = heddle::cuda_native::SpmvGatherPolicyFor;
  auto const says = [](Structure const& s, heddle::SpmvOptions const& options) {
    return heddle::SpmvPlan(Kokkos::Cuda{}, make_csr<C>(s), options).describe();
  };
  Structure const s = band(5000, 3);
  CHECK(has(says(s, {}), "transposed by atomic additions, 4 threads per row\n"));
  CHECK(has(says(s, {.transposed = true}), "A's own pattern, which is symmetric"));
  CHECK(has(says(s, {.transposed = true, .expected_calls = Policy::calls_to_repay_mirrored}),
            "A's own pattern, which is symmetric"));
  CHECK(has(says(s, {.transposed = true, .expected_calls = Policy::calls_to_repay_mirrored - 1}),
            "no gathering: making it costs 40 calls, 39 are expected (expected_calls)"));
  Structure upper = s;
  for (auto& columns : upper.columns)
    columns.erase(columns.begin());
  CHECK(has(says(upper, {.transposed = true, .expected_calls = Policy::calls_to_repay_sorted}),
            "by gathering through a pattern that it holds"));
  CHECK(has(says(upper, {.transposed = true, .expected_calls = Policy::calls_to_repay_sorted - 1}),
            "no gathering: making it costs 100 calls, 99 are expected (expected_calls)"));
  CHECK(has(says({"no entry", 3, 3, {{}, {}, {}}}, {.transposed = true}),
            "no gathering: there are 0 entries"));
  // Deterministic plans are as they were.
  CHECK(says(s, {.deterministic = true}) == says(s, {.deterministic = true, .transposed = true}));
  CHECK(Policy::can_pay(0.1, false, Policy::many_entries - 1));
  CHECK_FALSE(Policy::can_pay(0.1, false, Policy::many_entries));
  CHECK(Policy::can_pay(0.1, true, Policy::many_entries));
  CHECK(Policy::can_pay(0.3, false, Policy::many_entries));
}

TEST_CASE("plans add up what neighbouring short rows add to one column", "[spmv][plans]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  auto const says = [](Structure const& s) {
    return heddle::SpmvPlan(Kokkos::Cuda{}, make_csr<C>(s)).describe();
  };
  CHECK(has(says(edges(40000, 40)), "a thread per row"));
  CHECK_FALSE(has(says(edges(40000, 1)), "a thread per row"));
  CHECK_FALSE(has(says(edges(4000, 40)), "a thread per row")); // too few for a sample
}

TEST_CASE("a plan that gathers counts its memory and takes new values", "[spmv][plans]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  Structure const s = band(4000, 5);
  auto const a = make_csr<C>(s);
  heddle::SpmvPlan const plan(Kokkos::Cuda{}, a, {.transposed = true});
  auto const bytes = std::to_string(4 * (s.nnz() + s.rows + 1));
  INFO(plan.describe());
  CHECK(has(plan.describe(), "memory held by the plan: " + bytes + " bytes"));
  CHECK_FALSE(plan.is_repeatable(Op::transpose)); // strided vectors are left to another kernel
  Kokkos::View<double*, C::space> const x("x", s.rows), y("y", s.cols);
  Kokkos::deep_copy(x, 1.0);
  for (double const value : {1.0, 2.0})
  {
    Kokkos::deep_copy(a.values(), value);
    heddle::spmv(Kokkos::Cuda{}, plan, Op::transpose, 1.0, a, x, 0.0, y);
    Kokkos::fence();
    CHECK(to_vector(y)[2000] == 11 * value);
  }
}

// Entries of other places, within the operands: numbers may be wrong, nothing else.
TEST_CASE("gathering notices another pattern, and stays within the operands", "[spmv][plans]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  Structure const s = band(3000, 2);
  Structure other{"other", s.rows, s.cols, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
  {
    other.columns.push_back(s.columns[static_cast<std::size_t>(s.rows - 1 - i)]);
    std::reverse(other.columns.back().begin(), other.columns.back().end());
  }
  REQUIRE(other.nnz() == s.nnz());
  auto const a = make_csr<C>(s), b = make_csr<C>(other);
  heddle::SpmvPlan const plan(Kokkos::Cuda{}, a, {.transposed = true});
  REQUIRE(has(plan.describe(), "A's own pattern"));
  CHECK(plan.matches(Kokkos::Cuda{}, a));
  CHECK_FALSE(plan.matches(Kokkos::Cuda{}, b));
#if !defined(HEDDLE_CHECK_PATTERN) && !defined(KOKKOS_ENABLE_DEBUG)
  Kokkos::View<double*, C::space> const x("x", s.rows), y("y", s.cols);
  heddle::spmv(Kokkos::Cuda{}, plan, Op::transpose, 1.0, b, x, 0.0, y);
  Kokkos::fence();
#endif
}

TEST_CASE("a CSC matrix gathers for A x where calls are expected", "[spmv][plans]")
{
  using Csc = heddle::CscMatrix<double, int, std::size_t, Kokkos::CudaSpace>;
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  auto const t = make_csr<C>(band(2000, 3));
  Csc const a(t.num_cols(), t.num_rows(), t.row_offsets(), t.columns(), t.values());
  auto const says = [&](heddle::SpmvOptions const& options) {
    return heddle::SpmvPlan(Kokkos::Cuda{}, a, options).describe();
  };
  CHECK(has(says({}), "by atomic additions"));
  CHECK(has(says({.expected_calls = 1000}), "by gathering through A's own pattern"));
  CHECK(has(says({.transposed = true, .expected_calls = 1000}), "by atomic additions"));
}

TEST_CASE("a transposed plan of another format holds the pattern of A^T", "[spmv][plans]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  auto const a = make_coo<C>(reversed(entries_of(structure("power law"))));
  heddle::SpmvPlan const plan(Kokkos::Cuda{}, a, {.transposed = true});
  CHECK(has(plan.describe(), "by gathering through a pattern it holds"));
  CHECK(plan.is_repeatable(Op::transpose));
}

TEST_CASE("gathering gives the same bits at every call", "[spmv][plans]")
{
  using C = Case<Kokkos::Cuda, float, int, int>;
  for (auto const& s : {mirrored("mirrored", random_structure("", 20000, 20000, 6, 9)),
                        random_structure("sorted", 20000, 10000, 9, 10), arrow(30000)})
  {
    auto const a = make_csr<C>(s);
    heddle::SpmvPlan const plan(Kokkos::Cuda{}, a, {.transposed = true});
    REQUIRE(has(plan.describe(), "by gathering through"));
    Call<CsrOf<C>::const_type, float> const call(s);
    auto const x = Kokkos::subview(call.x, Kokkos::ALL, 0),
               y = Kokkos::subview(call.y, Kokkos::ALL, 0);
    std::vector<float> first;
    for (int n = 0; n < 100; ++n)
    {
      heddle::spmv(Kokkos::Cuda{}, plan, Op::transpose, 1.0F, a, x, 0.0F, y);
      Kokkos::fence();
      auto const now = to_vector(y);
      if (n == 0)
        first = now;
      else
        REQUIRE(now == first);
    }
  }
}

TEST_CASE("a sample says which columns follow each other from row to row", "[spmv]")
{
  using C = Case<Kokkos::Cuda, double, int, std::size_t>;
  using Matrix = CsrOf<C>::const_type;
  auto const sample = [](Structure const& s) {
    Matrix const a = make_csr<C>(s);
    return heddle::cuda_native::scatter_sample(Kokkos::Cuda{}, a);
  };
  auto const grid = sample(band(20000, 3));
  CHECK(grid.next > 0.95);
  CHECK(grid.same < 0.05);
  CHECK(grid.hottest < 0.01);
  Structure pairs{"pairs of rows", 20000, 20000, {}};
  for (std::int64_t i = 0; i < pairs.rows; ++i)
    pairs.columns.push_back({i / 2, 5000 + i / 2, 10000 + i / 2, 10000 + i / 2 + 1});
  auto const repeated = sample(pairs);
  CHECK(repeated.same > 0.4);
  CHECK(repeated.next > 0.4);
  Structure hot{"one column", 70000, 5000, {}};
  for (std::int64_t i = 0; i < hot.rows; ++i)
    hot.columns.push_back({17});
  CHECK(sample(hot).hottest == 1);
  CHECK(sample(hot).same == 1);
  CHECK(sample(band(2000, 3)).next == 0); // too few entries for a sample
  // Rows that none follows, or an empty one.
  Structure lone{"lone rows", 3, 100000, {{}, {}, {}}};
  lone.columns[1].resize(100000);
  std::iota(lone.columns[1].begin(), lone.columns[1].end(), 0);
  CHECK(sample(lone).next == 0);
  CHECK(sample({"one row", 1, 100000, {lone.columns[1]}}).next == 0);
}
