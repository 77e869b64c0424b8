// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SpMM of CSR where kernels go different ways: rows that share columns (bundles), rows of very
// different lengths (lists, warps, blocks, segments), short rows, some of each (mixtures); widths
// of whole packets, of several tiles, and of neither.

#include <support/mixtures.hpp>
#include <support/spmm.hpp>
#include <support/tool_log.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace heddle::test
{

namespace
{

using KernelTypes =
    std::tuple<Case<Device, double, int, std::size_t>, Case<Device, float, int, int>,
               Case<Device, Complex64, int, int>, Case<Device, Complex128, int, std::size_t>>;

// `size` rows at a time have the same columns, but that one of `lacking` rows lacks some of them
// and has one of its own; the last rows are fewer.
Structure alike(std::int64_t size, std::int64_t rows, std::int64_t per_row,
                std::int64_t lacking = 7)
{
  Structure const groups = random_structure("", (rows + size - 1) / size, 500, per_row,
                                            20 + static_cast<std::uint64_t>(size));
  Structure s{"groups of " + std::to_string(size) + " rows", rows, 500, {}};
  for (std::int64_t i = 0; i < rows; ++i)
  {
    auto columns = groups.columns[static_cast<std::size_t>(i / size)];
    if (i % lacking == 3)
    {
      columns.erase(columns.begin(), columns.begin() + 2);
      columns.push_back(499);
      if (columns[columns.size() - 2] == 499)
        columns.pop_back();
    }
    s.columns.push_back(columns);
  }
  return s;
}

// Lengths from nothing to all columns, in no order.
Structure of_all_lengths(std::int64_t rows, std::int64_t cols)
{
  Structure s{"of all lengths", rows, cols, {}};
  for (std::int64_t i = 0; i < rows; ++i)
  {
    std::int64_t const wanted = i % 41 == 7 ? cols : i % 13 == 0 ? 100 + 10 * i : i % 5;
    s.columns.push_back(
        random_structure("", 1, cols, wanted, 300 + static_cast<std::uint64_t>(i)).columns[0]);
    if (wanted == cols)
    {
      s.columns.back().clear();
      for (std::int64_t j = 0; j < cols; ++j)
        s.columns.back().push_back(j);
    }
  }
  return s;
}

// Few rows of like lengths, each of several segments; all with the same columns, or each with its
// own.
Structure few_long_rows(bool are_equal)
{
  Structure s = random_structure("few long rows", 25, 3000, 1200, 57);
  if (are_equal)
    for (auto& columns : s.columns)
      columns = s.columns.front();
  return s;
}

#if defined(HEDDLE_HAVE_CUDA_NATIVE) // kernels of hosts do not cut rows, nor choose by long ones
// So few and so long that blocks for whole rows leave multiprocessors idle: rows of many segments.
Structure very_long_rows() { return random_structure("very long rows", 3, 8000, 7000, 58); }

// Rows of three entries that continue diagonals, and three of 100, `length` and 600 others.
Structure band_with_long_rows(std::int64_t rows, std::int64_t length)
{
  Structure s{"a band with long rows", rows, rows, {}};
  for (std::int64_t i = 0; i < rows; ++i)
  {
    std::int64_t const wanted = i == 1 ? 100 : i == rows / 2 ? length : i == rows - 1 ? 600 : 0;
    s.columns.push_back(random_structure("", 1, rows, wanted, 90).columns[0]);
    for (std::int64_t column = std::max<std::int64_t>(i - 1, 0);
         wanted == 0 && column <= std::min(i + 1, rows - 1); ++column)
      s.columns.back().push_back(column);
  }
  return s;
}
#endif

// Rows of 1 to `longest` entries in no order, and two of half of the columns.
Structure two_long_among_short(std::int64_t rows, std::int64_t cols, std::int64_t longest)
{
  Structure s{"two long rows among " + std::to_string(rows), rows, cols, {}};
  for (std::int64_t i = 0; i < rows; ++i)
  {
    bool const is_long = i == rows / 3 || i == rows - 2;
    std::int64_t const wanted = is_long ? cols / 2 : 1 + i * 7 % longest;
    s.columns.push_back(
        random_structure("", 1, cols, wanted, 700 + static_cast<std::uint64_t>(i)).columns[0]);
  }
  return s;
}

// A small layer of a network: a few rows of some hundred entries.
Structure layer() { return random_structure("layer", 60, 900, 300, 61); }

std::vector<Structure> demanding()
{
  std::vector<Structure> all;
  for (std::int64_t const size : {2, 3, 4, 6, 8})
    all.push_back(alike(size, 101, 40));
  all.push_back(alike(8, 101, 150)); // long bundles, which warps put together
  all.push_back(shuffled(alike(8, 101, 150), 71));
  all.push_back(alike(6, 101, 45, 31)); // so few rows that bundles of six are chosen nevertheless
  all.push_back(of_all_lengths(180, 2600));
  all.push_back(two_long_among_short(300, 3000, 20));
  all.push_back(random_structure("short", 1030, 400, 6, 31));
  all.push_back(few_long_rows(false));
  all.push_back(few_long_rows(true));
  all.push_back(layer());
  all.push_back(structure("unsorted"));
#if defined(HEDDLE_HAVE_CUDA_NATIVE) // kernels of hosts do not choose by ranges of rows, nor cut
                                     // rows
  all.push_back(very_long_rows());
  for (Structure const& s : mixtures())
    all.push_back(s);
#endif
  return all;
}

template <class C>
std::string chosen_for(Structure const& s)
{
  typename C::exec const exec{};
  return SpmmPlan(exec, make_csr<C>(s)).describe();
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEMPLATE_LIST_TEST_CASE("spmm of demanding matrices agrees with the oracle", "[spmm]", KernelTypes)
{
  using Value = typename TestType::value;
  using Space = typename TestType::space;
  check_all_spmm<TestType, Value>(demanding(), {4, 33, 136},
                                  plain<Value, Kokkos::LayoutRight, Space>,
                                  plain<Value, Kokkos::LayoutRight, Space>);
}

TEST_CASE("spmm of demanding matrices takes column-major operands", "[spmm]")
{
  using C = Case<Device, float, int, int>;
  check_all_spmm<C, float>(demanding(), {1, 70}, plain<float, Kokkos::LayoutLeft, C::space>,
                           plain<float, Kokkos::LayoutLeft, C::space>);
}

#if defined(HEDDLE_HAVE_CUDA_NATIVE)
TEST_CASE("the plan of an SpMM goes by the structure", "[spmm][plans]")
{
  using C = Case<Device, double, int, std::size_t>;
  auto const has = [](std::string const& text, char const* part) {
    return text.find(part) != std::string::npos;
  };
  for (std::int64_t const size : {2, 3, 4, 6})
  {
    Structure exact = alike(size, 600, 40);
    for (std::size_t i = 0; i < exact.columns.size(); ++i)
      exact.columns[i] =
          exact.columns[i / static_cast<std::size_t>(size) * static_cast<std::size_t>(size)];
    CHECK(has(chosen_for<C>(exact), ("bundles of " + std::to_string(size) + " rows").c_str()));
  }
  CHECK(has(chosen_for<C>(alike(6, 101, 45, 31)), "bundles of 6 rows"));
  CHECK(has(chosen_for<C>(random_structure("", 500, 500, 40, 1)), "cuda_native::csr_rows"));
  CHECK(has(chosen_for<C>(random_structure("", 500, 500, 4, 1)), "cuda_native::csr_short"));
  auto const skewed = chosen_for<C>(of_all_lengths(180, 2600));
  CHECK(has(skewed, "cuda_native::csr_tiles"));
  CHECK(has(skewed, "rows from the longest to the shortest"));
  auto const scattered = chosen_for<C>(few_long_rows(false));
  CHECK(has(scattered, "cuda_native::csr_tiles"));
  CHECK(has(scattered, "rows as they stand"));
  CHECK(has(scattered, "a block from 0 entries on"));
  CHECK(has(chosen_for<C>(layer()), "a block from 0 entries on"));
  auto const cut = chosen_for<C>(very_long_rows());
  CHECK(has(cut, "cuda_native::csr_tiles"));
  CHECK(has(cut, "segments of 3 rows"));
  CHECK_FALSE(has(cut, " 0 segments of"));
}

// Long rows of all tiles go first; rows of fewer than 16 entries as csr_short's, in narrow calls
// with many of them those of fewer than 32.
TEST_CASE("long rows of all tiles begin before short ones", "[spmm][plans]")
{
  using C = Case<Device, double, int, std::size_t>;
  C::exec const exec{};
  auto const check = [&](Structure const& s, std::string const& name,
                         std::vector<std::string> const& parts,
                         std::vector<std::int64_t> const& widths) {
    INFO(s.name);
    auto const a = make_csr<C>(s);
    std::vector<SpmmPlanOf<C>> plans;
    plans.emplace_back(exec, a, heddle::SpmmOptions{});
    std::string const text = plans.back().describe();
    INFO(text);
    CHECK(std::string(plans.back().implementation_name()) == name);
    for (std::string const& part : parts)
      CHECK(text.find(part) != std::string::npos);
    for (std::int64_t const k : widths)
    {
      auto const operand = plain<double, Kokkos::LayoutRight, C::space>;
      auto const b = operand(s.cols, k), c = operand(s.rows, k), start = operand(s.rows, k);
      fill_input(b);
      check_spmm<C>(exec, plans, s, a, Op::none, 2.0, -0.5, b, c, start);
    }
  };
  check(two_long_among_short(300, 3000, 20), "cuda_native::csr_tiles",
        {"short ones below 16", "long ones of all tiles first"}, {4, 8, 64, 264, 1030});
  check(two_long_among_short(40000, 900, 30), "cuda_native::csr_rows", {"rows from the longest"},
        {2, 8, 24});
  // Rows so short that calls of every width have tiles; 33 columns have no packets.
  check(two_long_among_short(6000, 3000, 8), "cuda_native::csr_tiles",
        {"2 of them by 8 blocks each", "other calls: rows from the longest"}, {4, 32, 33, 36, 264});
}

// Of a plan for tiles and of one for a list; rows of B of 512 bytes, of a width with which some
// lanes have a packet and others two, of a whole tile of two packets a lane, and of a few columns
// more.
TEST_CASE("short rows go in their order beside long ones in wide calls", "[spmm][plans]")
{
  using C = Case<Device, double, int, std::size_t>;
  C::exec const exec{};
  auto const goes_in_order = [](std::vector<ToolEvent> const& events) {
    return std::ranges::any_of(events, [](ToolEvent const& event) {
      return event.label == "heddle::spmm::csr_rows::in_order";
    });
  };
  for (std::int64_t const length : {3000, 40000})
  {
    Structure const s = band_with_long_rows(66000, length);
    auto const a = make_csr<C>(s);
    std::vector<SpmmPlanOf<C>> plans;
    plans.emplace_back(exec, a, heddle::SpmmOptions{});
    INFO(plans.back().describe());
    CHECK((std::string(plans.back().implementation_name()) == "cuda_native::csr_tiles") ==
          (length == 3000));
    for (std::int64_t const k : {32, 64, 70, 96, 128, 136})
    {
      INFO(k << " columns");
      auto const operand = plain<double, Kokkos::LayoutRight, C::space>;
      auto const b = operand(s.cols, k), c = operand(s.rows, k), start = operand(s.rows, k);
      fill_input(b);
      ToolLog log;
      check_spmm<C>(exec, plans, s, a, Op::none, 2.0, -0.5, b, c, start);
      CHECK(goes_in_order(log.take()) == (k >= 64));
    }
  }
}

// Rows that end where a group's entries end, that begin in one group and end in another, without
// entries, longer than a tile for one block and for several; a first row of B that no entry asks
// for and that is not finite.
TEMPLATE_LIST_TEST_CASE("tiles of entries take rows as they come", "[spmm]", KernelTypes)
{
  using C = TestType;
  using Value = typename C::value;
  typename C::exec const exec{};
  std::vector<Structure> all = {of_all_lengths(180, 2600),
                                two_long_among_short(300, 3000, 20),
                                two_long_among_short(2000, 20000, 9),
                                random_structure("", 900, 300, 8, 33),
                                random_structure("", 70, 4000, 1500, 34),
                                layer()};
  Structure hollow = random_structure("few rows have entries", 5000, 300, 12, 35);
  for (std::size_t i = 0; i < hollow.columns.size(); ++i)
    if (i % 97 > 1)
      hollow.columns[i].clear();
  all.push_back(hollow);
  for (Structure const& s : all)
  {
    Structure shifted = s; // by a column that no row has
    ++shifted.cols;
    for (auto& columns : shifted.columns)
      for (auto& column : columns)
        ++column;
    INFO(s.name);
    auto const a = make_csr<C>(shifted);
    std::vector<SpmmPlanOf<C>> plans;
    plans.emplace_back(exec, a, heddle::SpmmOptions{.implementation = "cuda_native::csr_tiles"});
    for (std::int64_t const k : {4, 8, 12, 36, 72, 264})
    {
      auto const operand = plain<Value, Kokkos::LayoutRight, typename C::space>;
      auto const b = operand(shifted.cols, k), c = operand(shifted.rows, k),
                 start = operand(shifted.rows, k);
      fill_input(b);
      Kokkos::deep_copy(exec, Kokkos::subview(b, 0, Kokkos::ALL),
                        Value(std::numeric_limits<double>::infinity()));
      for (double const beta : {0.0, -0.5})
        check_spmm<C>(exec, plans, shifted, a, Op::none, Value(2.0), Value(beta), b, c, start);
    }
  }
}

TEST_CASE("the plan of an SpMM looks once, and where it must", "[spmm][plans]")
{
  // Kernels of a name that a plan on s runs.
  auto const count = [](Structure const& s, char const* label) {
    using C = Case<Device, float, int, int>;
    auto const a = make_csr<C>(s);
    ToolLog log;
    heddle::SpmmPlan const plan(C::exec{}, a);
    return kernels_named(log.take(), label);
  };
  for (Structure const& s : {unknowns_of_nodes(3, 300, 15, 900),
                             random_structure("", 500, 500, 40, 1), of_all_lengths(180, 2600)})
  {
    CHECK(count(s, "heddle::row_statistics") == 1);
    CHECK(count(s, "heddle::row_overlap") == 1);
    CHECK(count(s, "heddle::row_ranges") == 0); // too small
  }
  Structure const mixed = coupled();
  CHECK(count(mixed, "heddle::row_statistics") == 1);
  CHECK(count(mixed, "heddle::row_overlap") == 0); // its ranges say more
  CHECK(count(mixed, "heddle::row_ranges") == 1);
}

TEST_CASE("a coupled problem has a kernel for each range of rows", "[spmm][plans]")
{
  using C = Case<Device, double, int, std::size_t>;
  C::exec const exec{};
  Structure const s = coupled();
  auto const a = make_csr<C>(s);
  heddle::SpmmPlan const plan(exec, a);
  CHECK(std::string(plan.implementation_name()) == "cuda_native::csr_mixed");
  CHECK(plan.describe().find("bundles of 3 rows") != std::string::npos);
  CHECK(plan.is_repeatable(Op::none));
  for (std::int64_t const k : {32, 33, 130})
  {
    auto const b = plain<double, Kokkos::LayoutRight, C::space>(s.cols, k);
    auto const c = plain<double, Kokkos::LayoutRight, C::space>(s.rows, k);
    auto const again = plain<double, Kokkos::LayoutRight, C::space>(s.rows, k);
    fill_input(b);
    fill_output(c, false);
    fill_output(again, false);
    heddle::spmm(exec, plan, 2.0, a, b, -0.5, c);
    heddle::spmm(exec, plan, 2.0, a, b, -0.5, again);
    exec.fence();
    CHECK(first_difference_in(reference_multiply<double, double, double>(s, Op::none, 2.0, k, -0.5),
                              c) == "");
    auto const one = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
    auto const other = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, again);
    CHECK(std::equal(one.data(), one.data() + one.size(), other.data()));
  }
}

TEST_CASE("A^T B has a kernel for each range of columns", "[spmm][plans]")
{
  using C = Case<Device, float, int, int>;
  C::exec const exec{};
  constexpr std::int64_t k = 64;
  Structure const s = transposed(coupled());
  auto const a = make_csr<C>(s);
  heddle::SpmmPlan const plan(exec, a, {.transposed = true});
  std::string const text = plan.describe();
  CHECK(text.find("bundles of 3 rows", text.find("; transposed")) != std::string::npos);
  CHECK(text.find("by csr_rows", text.find("; transposed")) != std::string::npos);
  auto const b = plain<float, Kokkos::LayoutRight, C::space>(s.rows, k);
  auto const c = plain<float, Kokkos::LayoutRight, C::space>(s.cols, k);
  fill_input(b);
  fill_output(c, false);
  heddle::spmm(exec, plan, Op::transpose, 2.0F, a, b, 2.0F, c);
  exec.fence();
  CHECK(first_difference_in(
            reference_multiply<float, float, float>(s, Op::transpose, 2.0F, k, 2.0F), c) == "");
}

// Few bundles, whose columns the warps of a block share, and many.
TEST_CASE("bundles on tensor cores are for a block or a warp", "[spmm]")
{
  using C = Case<Device, double, int, std::size_t>;
  C::exec const exec{};
  for (std::int64_t const rows : {100, 4003})
  {
    Structure const s = alike(8, rows, 140);
    auto const a = make_csr<C>(s);
    auto plans = all_spmm_plans<C>(exec, a);
    std::erase_if(plans, [](auto const& plan) {
      return std::string_view(plan.implementation_name()) != "cuda_native::tensor_bundles";
    });
    CHECK(plans.empty() != heddle::cuda_native::has_tensor_doubles);
    for (std::int64_t const k : {24, 40, 136})
    {
      auto const b = plain<double, Kokkos::LayoutRight, C::space>(s.cols, k);
      fill_input(b);
      for (double const beta : {0.0, -0.5})
        check_spmm<C>(exec, plans, s, a, Op::none, 2.0, beta, b,
                      plain<double, Kokkos::LayoutRight, C::space>(rows, k),
                      plain<double, Kokkos::LayoutRight, C::space>(rows, k));
    }
  }
}

// So many rows that a group has several one after the other: those of five entries come at once.
TEST_CASE("groups go through rows of one batch and of several", "[spmm]")
{
  using C = Case<Device, double, int, std::size_t>;
  constexpr std::int64_t k = 64, rows = 25000;
  C::exec const exec{};
  for (std::int64_t const per_row : {5, 40})
  {
    Structure const s = random_structure("", rows, 400, per_row, 70);
    auto const a = make_csr<C>(s);
    auto const b = plain<double, Kokkos::LayoutRight, C::space>(s.cols, k);
    fill_input(b);
    check_spmm<C>(exec,
                  {{exec, a, {.implementation = "cuda_native::csr_rows"}},
                   {exec, a, {.implementation = "cuda_native::csr_short"}}},
                  s, a, Op::none, 2.0, 0.0, b,
                  plain<double, Kokkos::LayoutRight, C::space>(rows, k),
                  plain<double, Kokkos::LayoutRight, C::space>(rows, k));
  }
}

// A grid has 65535 tiles in its second direction: csr_shared, whose tiles are narrowest, goes
// round.
TEST_CASE("spmm takes more columns than a grid has tiles", "[spmm]")
{
  using C = Case<Device, double, int, std::size_t>;
  Structure const s{"2 x 3", 2, 3, {{2, 0}, {1}}};
  C::exec const exec{};
  auto const a = make_csr<C>(s);
  auto const plans = all_spmm_plans<C>(exec, a);
  for (std::int64_t const k : {65535 * 8 + 9, 65535 * 16 + 1})
  {
    auto const b = plain<double, Kokkos::LayoutRight, C::space>(s.cols, k);
    fill_input(b);
    check_spmm<C>(exec, plans, s, a, Op::none, 1.0, 0.0, b,
                  plain<double, Kokkos::LayoutRight, C::space>(s.rows, k),
                  plain<double, Kokkos::LayoutRight, C::space>(s.rows, k));
  }
}
#endif

TEST_CASE("an infinity in B reaches only the rows that have its column", "[spmm]")
{
  using C = Case<Device, double, int, std::size_t>;
  C::exec const exec{};
  constexpr std::int64_t k = 32;
  for (Structure const& s : demanding())
    for (char const* const name : spmm_names<C>())
    {
      INFO(name << ", " << s.name);
      auto const a = make_csr<C>(s);
      auto const b = plain<double, Kokkos::LayoutRight, C::space>(s.cols, k);
      auto const c = plain<double, Kokkos::LayoutRight, C::space>(s.rows, k);
      fill_input(b);
      std::int64_t const column = s.columns[0].empty() ? 1 : s.columns[0].front();
      Kokkos::deep_copy(Kokkos::subview(b, column, Kokkos::ALL),
                        std::numeric_limits<double>::infinity());
      spmm(exec, AnySpmmPlan(exec, a, {.implementation = name}), 1.0, a, b, 0.0, c);
      auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
      for (std::int64_t i = 0; i < s.rows; ++i)
      {
        auto const& columns = s.columns[static_cast<std::size_t>(i)];
        bool const has = std::find(columns.begin(), columns.end(), column) != columns.end();
        bool as_expected = true;
        for (std::int64_t j = 0; j < k; ++j)
          as_expected = as_expected && (has ? std::isinf(host(i, j)) : std::isfinite(host(i, j)));
        if (!as_expected)
          FAIL_CHECK("row " << i);
      }
    }
}

// A and A^T are what the other tests have as A, since kernels go by A^T. With a name of an
// implementation calls have bundles however few they are; wide rows of B have two packets a lane.
TEST_CASE("a plan made for transposed calls is repeatable and right", "[spmm][plans]")
{
  using C = Case<Device, float, int, int>;
  C::exec const exec{};
  auto all = demanding();
  for (Structure const& base : demanding())
    all.push_back(transposed(base));
  for (Structure const& s : all)
  {
    auto const a = make_csr<C>(s);
    for (std::int64_t const k : {20, 260})
    {
      auto const b = plain<float, Kokkos::LayoutRight, C::space>(s.rows, k);
      auto const c = plain<float, Kokkos::LayoutRight, C::space>(s.cols, k);
      fill_input(b);
      auto const expected =
          reference_multiply<float, float, float>(s, Op::transpose, 2.0F, k, 2.0F);
      for (char const* const name : {"", spmm_names<C>().front()})
      {
        AnySpmmPlan const plan(exec, a, {.implementation = name, .transposed = true});
        INFO(plan.implementation_name() << ", " << s.name << ", k " << k);
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
        CHECK(plan.is_repeatable(Op::transpose));
#endif
        fill_output(c, false);
        spmm(exec, plan, Op::transpose, 2.0F, a, b, 2.0F, c);
        exec.fence();
        CHECK(first_difference_in(expected, c) == "");
      }
    }
  }
}
