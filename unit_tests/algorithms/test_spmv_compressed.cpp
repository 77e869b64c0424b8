// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans that keep the pattern of a CSR matrix in fewer bytes: csr_templates and csr_runs. That they
// agree with the oracle on all structures, with all ops and types, is in test_spmv.cpp, which takes
// every implementation by its name.

#include <heddle/impl/compressed_pattern.hpp>
#include <heddle/spmv.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

bool has(std::string const& text, std::string const& part)
{
  return text.find(part) != std::string::npos;
}

// The names of a form for the execution space of C.
template <class C>
std::vector<std::string> names_of_form(std::string const& form)
{
  std::vector<std::string> names;
  for (std::string const name :
       impl::names_of(SpmvImplementations<typename C::exec, typename CsrOf<C>::const_type>{}))
    if (name.ends_with("::csr_" + form))
      names.push_back(name);
  return names;
}

// A grid of n x n x n points, each with its neighbours at most one step away in every direction,
// or in one direction, and with `unknowns` numbers per point.
Structure grid(std::string const& name, std::int64_t n, bool has_diagonals,
               std::int64_t unknowns = 1)
{
  Structure s{name, n * n * n * unknowns, n * n * n * unknowns, {}};
  for (std::int64_t p = 0; p < n * n * n; ++p)
  {
    std::vector<std::int64_t> columns;
    for (std::int64_t q = 0; q < 27; ++q)
    {
      std::array<std::int64_t, 3> const step{q / 9 - 1, q / 3 % 3 - 1, q % 3 - 1};
      std::array<std::int64_t, 3> const at{p / (n * n) + step[0], p / n % n + step[1],
                                           p % n + step[2]};
      bool const is_inside =
          std::all_of(at.begin(), at.end(), [n](std::int64_t i) { return 0 <= i && i < n; });
      bool const is_near = step[0] * step[0] + step[1] * step[1] + step[2] * step[2] <= 1;
      if (is_inside && (has_diagonals || is_near))
        for (std::int64_t c = 0; c < unknowns; ++c)
          columns.push_back(((at[0] * n + at[1]) * n + at[2]) * unknowns + c);
    }
    for (std::int64_t r = 0; r < unknowns; ++r)
      s.columns.push_back(columns);
  }
  return s;
}

// Row i has the columns i and i + 1 + i / 2: pairs of rows share a list until there are `lists`.
Structure pairs_of_rows(std::int64_t lists)
{
  Structure s{std::to_string(lists) + " lists", 2 * lists, 4 * lists, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
    s.columns.push_back({i, i + 1 + i / 2});
  return s;
}

// Blocks of size x size in block rows whose columns are `distance` blocks apart.
Structure far_blocks(int size, std::int64_t distance)
{
  constexpr std::int64_t blocks = 70;
  Structure s{"far blocks", blocks * size, (3 * distance + blocks) * size, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
  {
    s.columns.emplace_back();
    for (std::int64_t b = 0; b < 4; ++b)
      for (std::int64_t c = 0; c < size; ++c)
        s.columns.back().push_back((i / size + b * distance) * size + c);
  }
  return s;
}

Structure with_rows(Structure s, std::vector<std::int64_t> const& rows,
                    std::vector<std::int64_t> const& columns)
{
  for (std::int64_t const row : rows)
    s.columns[static_cast<std::size_t>(row)] = columns;
  return s;
}

// Matrices that have a form, that just miss its condition, and mixtures.
std::vector<Structure> compressible()
{
  Structure const fem = grid("3 unknowns per point", 6, true, 3);
  std::vector<Structure> all{grid("7 points", 9, false),
                             grid("27 points", 8, true),
                             fem,
                             grid("2 unknowns", 5, false, 2),
                             grid("4 unknowns", 4, true, 4),
                             grid("5 unknowns", 4, false, 5),
                             grid("6 unknowns", 4, true, 6),
                             pairs_of_rows(255),
                             pairs_of_rows(256),
                             far_blocks(3, 30000),
                             far_blocks(2, 3000),
                             shuffled(fem, 5),
                             with_rows(fem, {0, 4, 5, 200, 647}, {}),
                             with_rows(fem, {100}, {0, 7, 300}),
                             with_rows(fem, {0, 1, 2, 300, 301, 302, 645, 646, 647}, {})};
  Structure one_column = fem; // of a row of a block
  one_column.columns[31].back() += one_column.columns[31].back() + 1 < fem.cols ? 1 : -1;
  all.push_back(one_column);
  for (std::int64_t const tail : {1, 2})
  {
    Structure s = fem;
    s.name = "tail of " + std::to_string(tail);
    s.rows += tail;
    for (std::int64_t r = 0; r < tail; ++r)
      s.columns.push_back({1, 4, 5});
    all.push_back(s);
  }
  Structure moved = fem; // runs begin one column later, so not at multiples of 3
  ++moved.cols;
  for (auto& row : moved.columns)
    for (auto& column : row)
      ++column;
  all.push_back(moved);
  return all;
}

template <class C, class XValue = typename C::value>
std::string wrong_product(Structure const& s, std::string const& name, Op op, XValue alpha,
                          XValue beta)
{
  typename C::exec const exec{};
  auto const a = make_csr<C>(s);
  Kokkos::View<XValue**, Kokkos::LayoutLeft, typename C::space> const x(
      "heddle::test::x", is_transposed(op) ? s.rows : s.cols, 1);
  Kokkos::View<XValue**, Kokkos::LayoutLeft, typename C::space> const y(
      "heddle::test::y", is_transposed(op) ? s.cols : s.rows, 1);
  fill_input(x);
  fill_output(y, beta == XValue(0));
  SpmvPlan const plan(exec, a, {.implementation = name});
  spmv(exec, plan, op, alpha, a, Kokkos::subview(x, Kokkos::ALL, 0), beta,
       Kokkos::subview(y, Kokkos::ALL, 0));
  exec.fence();
  return first_difference_in(
      reference_multiply<typename C::value, XValue, XValue>(s, op, alpha, 1, beta), y);
}

using C = Case<Device, double, int, std::size_t>;

template <class Form>
auto built(Structure const& s)
{
  typename CsrOf<C>::const_type const a = make_csr<C>(s);
  return impl::build_compressed<Form>(Device{}, a, Form::sample(Device{}, a));
}
using Templates = impl::TemplatesForm<CsrOf<C>::const_type>;
using Runs = impl::RunsForm<CsrOf<C>::const_type>;

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEMPLATE_LIST_TEST_CASE("compressed patterns agree with the oracle", "[spmv][compressed]", Types)
{
  using Value = typename TestType::value;
  for (Structure const& s : compressible())
    for (std::string const form : {"templates", "runs"})
      for (std::string const& name : names_of_form<TestType>(form))
        for (Op const op : all_ops)
        {
          INFO(name << ", " << s.name << ", " << to_string(op));
          CHECK(wrong_product<TestType>(s, name, op, Value(1), Value(0)) == "");
          CHECK(wrong_product<TestType>(s, name, op, Value(-0.5), Value(2)) == "");
        }
}

TEST_CASE("compressed patterns of f32 serve vectors of f64", "[spmv][compressed]")
{
  using F32 = Case<Device, float, int, int>;
  for (Structure const& s : compressible())
    for (std::string const form : {"templates", "runs"})
      for (std::string const& name : names_of_form<F32>(form))
      {
        INFO(name << ", " << s.name);
        CHECK(wrong_product<F32, double>(s, name, Op::none, 3.0, -1.0) == "");
      }
}

TEST_CASE("row templates are found, at most 255 of them", "[compressed]")
{
  auto const stencil = built<Templates>(grid("", 9, false));
  CHECK(stencil.structure.count == 19); // eight corners have a row each, which saves nothing
  CHECK(stencil.structure.entries_left == 8 * 4);
  CHECK(stencil.bytes_of_call.gain() > 1.1);
  CHECK(has(stencil.describe(), "19 row templates, 32 entries of rows without one; "));

  CHECK(built<Templates>(pairs_of_rows(255)).structure.count <= 255);
  CHECK(built<Templates>(structure("unsorted")).structure.count == 0);
  CHECK(built<Templates>(structure("no entries")).structure.count == 1);
  CHECK(built<Templates>(structure("no entries")).structure.entries_left == 0);
}

TEST_CASE("the 256th list stays in the matrix", "[compressed]")
{
  // Row i has list i / 4, counted from its number.
  auto const lists = [](std::int64_t n) {
    Structure s{"", 4 * n, 6 * n, {}};
    for (std::int64_t i = 0; i < s.rows; ++i)
      s.columns.push_back({i, i + 1 + i / 4});
    return s;
  };
  CHECK(built<Templates>(lists(255)).structure.count == 255);
  CHECK(built<Templates>(lists(255)).structure.entries_left == 0);
  CHECK(built<Templates>(lists(256)).structure.count == 255);
  CHECK(built<Templates>(lists(256)).structure.entries_left == 8);
  for (std::string const& name : names_of_form<C>("templates"))
    CHECK(wrong_product<C>(lists(256), name, Op::none, 1.0, 0.0) == "");
}

TEST_CASE("matrices whose rows are hardly alike get no row templates", "[compressed]")
{
  using Matrix = CsrOf<C>::const_type;
  constexpr std::int64_t rows = 12000; // of which a sample is taken
  // One of `period` rows has its diagonal and the next column, the others have lists of their own.
  auto const with_like_rows = [](std::int64_t period) {
    Structure s{"", rows, 2 * rows, {}};
    for (std::int64_t i = 0; i < rows; ++i)
    {
      std::int64_t const second = i % period == 0 ? i + 1 : i + 1 + (i * 7919) % rows;
      s.columns.push_back({i, second});
    }
    return s;
  };
  Device const exec{};
  auto const sample_of = [&](std::int64_t period) {
    Matrix const a = make_csr<C>(with_like_rows(period));
    return Templates::sample(exec, a);
  };
  CHECK(sample_of(50).templates.empty());
  CHECK(sample_of(1).covered_share == 1.0);
  heddle::impl::TemplateSample const half = sample_of(2);
  CHECK(half.covered_share > 0.45);
  CHECK(half.covered_share < 0.6);
}

TEST_CASE("runs take the largest blocks, and leave rows that differ", "[compressed]")
{
  for (int const size : {2, 3, 4, 5, 6})
  {
    auto const runs = built<Runs>(grid("", 4, true, size));
    CHECK(runs.structure.size == size);
    CHECK(runs.structure.entries_left == 0);
    CHECK(runs.structure.wide_entries == 0);
    CHECK(runs.bytes_of_call.gain() > 1.2);
  }
  Structure const fem = grid("", 6, true, 3);
  Structure differs = fem;
  differs.columns[31].back() -= 200; // of the block of rows 30 to 32
  auto const of_block = static_cast<std::int64_t>(3 * fem.columns[31].size());
  CHECK(built<Runs>(differs).structure.entries_left == of_block);
  CHECK(built<Runs>(differs).structure.rows_left == 3);
  Structure tail = fem;
  tail.rows += 1;
  tail.columns.push_back({0, 1, 2});
  CHECK(built<Runs>(tail).structure.rows_left == 1);
}

TEST_CASE("runs whose group spans too many columns read those of the matrix", "[compressed]")
{
  auto const far = built<Runs>(far_blocks(3, 30000)), near = built<Runs>(far_blocks(3, 20000));
  CHECK(far.structure.entries_left == 0);
  CHECK(far.structure.wide_entries == far_blocks(3, 30000).nnz());
  CHECK(near.structure.wide_entries == 0); // in units of 3 columns
  CHECK(has(far.describe(), "blocks of 3 x 3 entries with an index each, 0 entries outside"));
}

TEST_CASE("a compressed plan takes new values, and gives the same bits each time",
          "[spmv][compressed]")
{
  Structure const s = grid("3 unknowns per point", 6, true, 3);
  Device const exec{};
  auto const a = make_csr<C>(s);
  Kokkos::View<double*, C::space> const x("x", s.cols), y("y", s.rows);
  Kokkos::deep_copy(x, 1.0 / 3.0);
  for (std::string const form : {"templates", "runs"})
    for (std::string const& name : names_of_form<C>(form))
    {
      INFO(name);
      heddle::SpmvPlan const plan(exec, a, {.implementation = name});
      CHECK(plan.is_repeatable(Op::none));
      CHECK_FALSE(plan.keeps_values());
      CHECK(plan.matches(exec, a));
      CHECK_FALSE(plan.matches(exec, make_csr<C>(grid("", 6, false, 3))));
      auto const product = [&] {
        Kokkos::deep_copy(y, std::numeric_limits<double>::quiet_NaN());
        heddle::spmv(exec, plan, 1.0, a, x, 0.0, y);
        exec.fence();
        return to_vector(y);
      };
      auto const first = product();
      int different = 0;
      for (int call = 0; call < 100; ++call)
        different += product() == first ? 0 : 1;
      CHECK(different == 0);
      auto const values = to_vector(a.values());
      auto doubled = values;
      for (double& value : doubled)
        value *= 2;
      Kokkos::deep_copy(a.values(), to_view<double, C::space>(doubled));
      auto const second = product();
      bool is_doubled = true;
      for (std::size_t i = 0; i < first.size(); ++i)
        is_doubled = is_doubled && second[i] == 2 * first[i];
      CHECK(is_doubled);
      Kokkos::deep_copy(a.values(), to_view<double, C::space>(values));
    }
}

// Behind the checks of a call, which debug builds of Kokkos refuse: sanitizers see what is read.
TEST_CASE("a compressed plan used with another pattern stays within the operands",
          "[other_pattern][compressed]")
{
  using Matrix = CsrOf<C>::const_type;
  Device const exec{};
  Structure const fem = grid("", 6, true, 3);
  // As many entries, in full rows at one end.
  auto const at_end = [&](bool is_last) {
    Structure s{"", fem.rows, fem.cols, {}};
    s.columns.resize(fem.columns.size());
    std::int64_t left = fem.nnz();
    for (std::int64_t n = 0; n < s.rows; ++n)
    {
      auto& row = s.columns[static_cast<std::size_t>(is_last ? s.rows - 1 - n : n)];
      row.resize(static_cast<std::size_t>(std::min(left, s.cols)));
      for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = static_cast<std::int64_t>(j);
      left -= static_cast<std::int64_t>(row.size());
    }
    return s;
  };
  std::vector<Matrix> const matrices{make_csr<C>(fem), make_csr<C>(at_end(false)),
                                     make_csr<C>(at_end(true))};
  Kokkos::View<double const*, C::space> const x = Kokkos::View<double*, C::space>("x", fem.cols);
  Kokkos::View<double*, C::space> const y("y", fem.rows);
  for (std::string const form : {"templates", "runs"})
    for (std::string const& name : names_of_form<C>(form))
      for (Matrix const& planned : matrices)
      {
        heddle::SpmvPlan const plan(exec, planned, {.implementation = name});
        for (Matrix const& used : matrices)
          heddle::impl::visit_spmv(exec, plan, Op::none, 1.0, used,
                                   heddle::impl::vector_operand<Kokkos::LayoutRight>(x), 0.0,
                                   heddle::impl::vector_operand<Kokkos::LayoutRight>(y));
        exec.fence();
        CHECK(plan.matches(exec, planned));
      }
}

TEST_CASE("a compressed pattern is built where calls are announced and bytes say that it pays",
          "[plans][compressed]")
{
  using Matrix = CsrOf<C>::const_type;
  Device const exec{};
  auto const verdict = [&]<class Form>(Form, Structure const& s, std::int64_t calls,
                                       std::int64_t most_calls = 50) {
    Matrix const a = make_csr<C>(s);
    heddle::impl::SpmvStatistics const statistics(heddle::impl::statistics_of(exec, a));
    constexpr double building = 40; // calls
    heddle::impl::BuildingCost const cost{building * Form::Bytes::of_numbers(a), 0};
    return heddle::impl::compression_pays<Form>(exec, a, statistics, {.expected_calls = calls},
                                                {.templates = cost,
                                                 .runs = cost,
                                                 .assumed_calls = 0,
                                                 .most_calls = most_calls,
                                                 .least_entries = 1000,
                                                 .least_gain = 1.1});
  };
  Structure const fem = grid("", 6, true, 3);
  CHECK(verdict(Templates{}, fem, 40));
  CHECK(verdict(Runs{}, fem, 40));
  CHECK(verdict(Runs{}, fem, 39).reason() ==
        "building costs 40 calls, 39 are expected (expected_calls) and 50 are allowed");
  CHECK(verdict(Templates{}, fem, 0).reason() ==
        "building costs 40 calls, 0 are expected (expected_calls) and 50 are allowed");
  CHECK(verdict(Runs{}, fem, 1000, 39).reason() ==
        "building costs 40 calls, 1000 are expected (expected_calls) and 39 are allowed");
  CHECK(verdict(Templates{}, grid("", 3, false), 40).reason() ==
        "A has 135 entries, it pays from 1000 on");
  CHECK_FALSE(verdict(Runs{}, grid("", 9, true), 40));
  CHECK_FALSE(verdict(Templates{}, structure("dense row"), 40));
  CHECK_FALSE(verdict(Templates{}, structure("tall"), 40));
  CHECK(
      has(verdict(Templates{}, structure("tall"), 40).reason(), "by a sample of rows, CSR takes"));
}

TEST_CASE("smaller matrices get a compressed pattern where calls are announced",
          "[plans][compressed]")
{
  using Matrix = CsrOf<C>::const_type;
  Device const exec{};
  Matrix const a = make_csr<C>(grid("", 6, true, 3));
  heddle::impl::SpmvStatistics const statistics(heddle::impl::statistics_of(exec, a));
  auto const verdict = [&](std::int64_t calls, std::int64_t least, std::int64_t least_announced) {
    return heddle::impl::compression_pays<Runs>(exec, a, statistics, {.expected_calls = calls},
                                                {.templates = {0, 0},
                                                 .runs = {0, 0},
                                                 .assumed_calls = 20,
                                                 .most_calls = 40,
                                                 .least_entries = least,
                                                 .least_gain = 1.1,
                                                 .least_entries_announced = least_announced});
  };
  std::int64_t const entries = statistics.nonzeros;
  CHECK(verdict(0, entries, entries + 1));
  CHECK_FALSE(verdict(0, entries + 1, entries));
  CHECK(verdict(1, entries + 1, entries));
  CHECK_FALSE(verdict(1, entries, entries + 1));
}

TEST_CASE("building costs fewer calls where a call takes more than its bytes", "[compressed]")
{
  heddle::impl::BuildingCost const cost{.fixed = 100, .per_entry = 2, .per_call = 20};
  CHECK(cost.calls(50, 80) == 2);
  CHECK(heddle::impl::BuildingCost{100, 2}.calls(50, 80) == 2.5);
}
