// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SpMM of row segments where segments go in bundles, where light rows are longer than a warp takes
// at once, and where spmm_both makes both products in one pass over A.

#include <heddle/convert.hpp>
#include <heddle/op.hpp>
#include <heddle/spmm.hpp>
#include <support/dense.hpp>
#include <support/matrices.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::test
{

namespace
{

using SegmentTypes =
    std::tuple<Case<Device, double, int, int>, Case<Device, float, int, std::size_t>,
               Case<Device, Complex64, std::int64_t, std::int64_t>,
               Case<Device, Complex128, int, int>>;
using Doubles = Case<Device, double, int, int>;

// Rows of `length` neighbouring columns, moved on by one at every other row; every 11th row is
// empty and every 7th one has an entry far away. Bundles hold whole columns and others, and the
// last one of a block may have fewer rows.
Structure steps(std::int64_t rows, std::int64_t cols, std::int64_t length)
{
  Structure s{"steps", rows, cols, {}};
  for (std::int64_t i = 0; i < rows; ++i)
  {
    std::vector<std::int64_t> row;
    std::int64_t const first = i / 2 % (cols - length);
    for (std::int64_t j = 0; j < length && i % 11 != 5; ++j)
      row.push_back(first + j);
    if (i % 7 == 3 && first > 20)
      row.insert(row.begin(), first - 20);
    s.columns.push_back(row);
  }
  return s;
}

// Short rows, and some of 255, 256, 257, 513 and 900 entries.
Structure long_rows()
{
  Structure s{"long rows", 300, 1000, {}};
  for (std::int64_t i = 0; i < s.rows; ++i)
  {
    std::int64_t const length = i == 3     ? 255
                                : i == 50  ? 256
                                : i == 51  ? 257
                                : i == 120 ? 513
                                : i == 299 ? 900
                                           : i % 4;
    s.columns.push_back(
        random_structure("", 1, s.cols, length, 7 + static_cast<std::uint64_t>(i)).columns[0]);
  }
  return s;
}

template <class C>
auto segmented(Structure const& s, RowSegmentShape const& shape)
{
  return to_row_segmented(typename C::exec{}, make_csr<C>(s), shape);
}

template <class C>
auto dense(std::int64_t rows, std::int64_t columns)
{
  return Kokkos::View<typename C::value**, Kokkos::LayoutRight, typename C::space>(
      "heddle::test::operand", static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
}

template <class C, class Plan, class Matrix>
void check_products(Plan const& plan, Matrix const& a, Structure const& s,
                    std::vector<std::int64_t> const& widths)
{
  using Value = typename C::value;
  typename C::exec const exec{};
  for (Op const op : {Op::none, Op::transpose, Op::conjugate, Op::conjugate_transpose})
    for (std::int64_t const k : widths)
    {
      auto const b = dense<C>(is_transposed(op) ? s.rows : s.cols, k);
      auto const c = dense<C>(is_transposed(op) ? s.cols : s.rows, k);
      fill_input(b);
      for (Value const beta : {Value(0), Value(1), Value(2)})
      {
        INFO(s.name << ", " << plan.describe() << to_string(op) << ", k " << k);
        fill_output(c, beta == Value(0));
        spmm(exec, plan, op, Value(-0.5), a, b, beta, c);
        exec.fence();
        CHECK(first_difference_in(
                  reference_multiply<Value, Value, Value>(s, op, Value(-0.5), k, beta), c) == "");
      }
    }
}

template <class C, class Plan, class Matrix>
void check_both(Plan const& plan, Matrix const& a, Structure const& s,
                std::vector<std::int64_t> const& widths)
{
  using Value = typename C::value;
  typename C::exec const exec{};
  for (Op const op : {Op::transpose, Op::conjugate_transpose})
    for (std::int64_t const k : widths)
    {
      auto const b = dense<C>(s.cols, k), b_t = dense<C>(s.rows, k);
      auto const c = dense<C>(s.rows, k), c_t = dense<C>(s.cols, k);
      fill_input(b);
      fill_input(b_t);
      for (Value const beta : {Value(0), Value(1), Value(2)})
      {
        INFO(s.name << ", both, " << plan.describe() << to_string(op) << ", k " << k);
        fill_output(c, beta == Value(0));
        fill_output(c_t, beta == Value(0));
        spmm_both(exec, plan, op, Value(-0.5), a, b_t, b, beta, c_t, c);
        exec.fence();
        CHECK(first_difference_in(
                  reference_multiply<Value, Value, Value>(s, op, Value(-0.5), k, beta), c_t) == "");
        CHECK(first_difference_in(
                  reference_multiply<Value, Value, Value>(s, Op::none, Value(-0.5), k, beta), c) ==
              "");
      }
    }
}

std::vector<std::int64_t> const widths{1, 8, 31, 32, 33, 65, 130};

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEMPLATE_LIST_TEST_CASE("bundles of heavy segments agree with the oracle", "[spmm][row_segmented]",
                        SegmentTypes)
{
  for (std::int64_t const length : {3, 9})
  {
    Structure const s = steps(1000, 150, length);
    auto const a = segmented<TestType>(s, {64, 1});
    heddle::SpmmPlan const plan(Device{}, a);
    REQUIRE(plan.describe().find("in bundles of 4") != std::string::npos);
    check_products<TestType>(plan, a, s, widths);
    check_both<TestType>(plan, a, s, widths);
    for (int const slices : {1, 2, 4})
      check_products<TestType>(
          heddle::SpmmPlan(Device{}, a,
                           {.tuning = {.row_segments = {.vertical_coarsening = slices}}}),
          a, s, {70, 130});
  }
}

TEMPLATE_LIST_TEST_CASE("long light rows agree with the oracle", "[spmm][row_segmented]",
                        SegmentTypes)
{
  Structure const s = long_rows();
  for (std::int64_t const threshold : {1000, 12}) // all light, and some rows of both kinds
  {
    auto const a = segmented<TestType>(s, {100, threshold});
    heddle::SpmmPlan const plan(Device{}, a);
    CHECK_FALSE(plan.is_repeatable(Op::none));
    check_products<TestType>(plan, a, s, widths);
    check_both<TestType>(plan, a, s, widths);
  }
}

TEST_CASE("row segments that are alike nowhere go one by one", "[spmm][row_segmented]")
{
  Structure const s = random_structure("random", 2000, 120, 12, 5);
  auto const a = segmented<Doubles>(s, {64, 1});
  heddle::SpmmPlan const plan(Device{}, a);
  CHECK(plan.describe().find("bundles") == std::string::npos);
  check_products<Doubles>(plan, a, s, {8, 70});
  check_both<Doubles>(plan, a, s, {8, 70});
}

// A zero of a bundle times an infinity would be a NaN in rows that have no entry there.
TEST_CASE("bundles keep infinities and NaN to the rows that have an entry there",
          "[spmm][row_segmented]")
{
  Structure const s = steps(1000, 150, 9);
  auto const a = segmented<Doubles>(s, {64, 1});
  heddle::SpmmPlan const plan(Device{}, a);
  REQUIRE(plan.describe().find("in bundles of 4") != std::string::npos);
  std::int64_t const bad_column = 40, bad_row = 206;
  auto const has = [&](std::int64_t i, std::int64_t j) {
    for (std::int64_t const column : s.columns[static_cast<std::size_t>(i)])
      if (column == j)
        return true;
    return false;
  };
  for (std::int64_t const k : {8, 40})
    for (double const bad :
         {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
      for (bool const is_both : {false, true})
      {
        auto const b = dense<Doubles>(s.cols, k), b_t = dense<Doubles>(s.rows, k);
        auto const c = dense<Doubles>(s.rows, k), c_t = dense<Doubles>(s.cols, k);
        fill_input(b);
        fill_input(b_t);
        Kokkos::deep_copy(Kokkos::subview(b, bad_column, Kokkos::ALL), bad);
        Kokkos::deep_copy(Kokkos::subview(b_t, bad_row, Kokkos::ALL), bad);
        if (is_both)
          spmm_both(Device{}, plan, 1.0, a, b_t, b, 0.0, c_t, c);
        else
        {
          spmm(Device{}, plan, Op::transpose, 1.0, a, b_t, 0.0, c_t);
          spmm(Device{}, plan, 1.0, a, b, 0.0, c);
        }
        Device{}.fence();
        auto const of_c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
        auto const of_c_t = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c_t);
        std::int64_t wrong = 0;
        for (std::int64_t j = 0; j < k; ++j)
        {
          for (std::int64_t i = 0; i < s.rows; ++i)
            wrong += std::isfinite(of_c(i, j)) == has(i, bad_column) ? 1 : 0;
          for (std::int64_t i = 0; i < s.cols; ++i)
            wrong += std::isfinite(of_c_t(i, j)) == has(bad_row, i) ? 1 : 0;
        }
        INFO("k " << k << ", " << bad << (is_both ? ", both" : ""));
        CHECK(wrong == 0);
      }
}

// Parts that run side by side are on one stream while a graph is captured.
TEST_CASE("row segments can be recorded in a CUDA graph", "[graph][spmm][row_segmented]")
{
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  {
    Kokkos::Cuda const exec(stream);
    Structure const s = long_rows();
    auto const a = segmented<Doubles>(s, {100, 12});
    heddle::SpmmPlan const plan(exec, a);
    std::int64_t const k = 20;
    auto const b = dense<Doubles>(s.cols, k), b_t = dense<Doubles>(s.rows, k);
    auto const c = dense<Doubles>(s.rows, k), c_t = dense<Doubles>(s.cols, k);
    fill_input(b);
    fill_input(b_t);
    auto const call = [&](bool is_both) {
      if (is_both)
        return spmm_both(exec, plan, -0.5, a, b_t, b, 0.0, c_t, c);
      spmm(exec, plan, Op::transpose, -0.5, a, b_t, 0.0, c_t);
      spmm(exec, plan, -0.5, a, b, 0.0, c);
    };
    auto const expected = reference_multiply<double, double, double>(s, Op::none, -0.5, k, 0.0);
    auto const expected_t =
        reference_multiply<double, double, double>(s, Op::transpose, -0.5, k, 0.0);
    for (bool const is_both : {false, true})
    {
      call(is_both); // what is made at the first call is there afterwards
      exec.fence();
      cudaGraph_t graph = nullptr;
      REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
      call(is_both);
      REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
      cudaGraphExec_t recorded = nullptr;
      REQUIRE(cudaGraphInstantiate(&recorded, graph, 0) == cudaSuccess);
      for (int replay = 0; replay < 2; ++replay)
      {
        fill_output(c, true);
        fill_output(c_t, true);
        Kokkos::fence();
        REQUIRE(cudaGraphLaunch(recorded, stream) == cudaSuccess);
        exec.fence();
        CHECK(first_difference_in(expected, c) == "");
        CHECK(first_difference_in(expected_t, c_t) == "");
      }
      cudaGraphExecDestroy(recorded);
      cudaGraphDestroy(graph);
    }
  }
  cudaStreamDestroy(stream);
}
