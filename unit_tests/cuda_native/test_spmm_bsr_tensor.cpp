// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SpMM of BSR with 16-bit values against the oracle: on tensor cores, by name, and by default on
// the portable kernel.

#include <heddle/error.hpp>
#include <heddle/spmm.hpp>
#include <support/conversions.hpp>
#include <support/dense.hpp>
#include <support/half_blocks.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/reference.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace heddle::test
{

namespace
{

constexpr char const* tensor = "cuda_native::bsr_tensor";

// A and B of type Value, C of type Result.
template <class Value, class Result, class Ordinal = int, class Offset = std::size_t>
struct HalfCase : Case<Kokkos::Cuda, Value, Ordinal, Offset>
{
  using result = Result;
};
using HalfTypes =
    std::tuple<HalfCase<Half, float>, HalfCase<Half, Half>, HalfCase<Bhalf, float>,
               HalfCase<Bhalf, Bhalf>, HalfCase<Half, float, std::int64_t, std::int64_t>>;

template <class C>
Expected half_reference(Structure const& s, Op op, double alpha, std::int64_t k, double beta)
{
  using Value = typename C::value;
  using Result = typename C::result;
  return reference_multiply<Value, Value, Result>(s, op, Result(alpha), k, Result(beta));
}

template <class Value, class Layout>
auto dense(std::int64_t rows, std::int64_t cols)
{
  return Kokkos::View<Value**, Layout, Kokkos::CudaSpace>("heddle::test::operand", rows, cols);
}
template <class Value>
auto by_rows(std::int64_t rows, std::int64_t cols)
{
  return dense<Value, Kokkos::LayoutRight>(rows, cols);
}

// A plan by name ("": the plan's choice), on operands that the caller made; alpha = -0.5.
template <class C, class B, class Result>
void check_half(Blocks<C> const& blocks, Structure const& s, char const* name, B const& b,
                Result const& c, double beta, Expected const& expected)
{
  using Scalar = typename C::result;
  typename C::exec const exec{};
  SpmmPlan const plan(exec, blocks.a, {.implementation = name});
  INFO(s.name << ", " << blocks.a.shape().height << " x " << blocks.a.shape().width << ", k "
              << b.extent(1) << ", beta " << beta << ", " << plan.describe());
  CHECK((std::string(plan.implementation_name()) == tensor) == (std::string(name) == tensor));
  fill_output(c, beta == 0.0);
  spmm(exec, plan, Scalar(-0.5), blocks.a, b, Scalar(beta), c);
  exec.fence();
  CHECK(first_half_difference(blocks, expected, c) == "");
}

// All shapes and numbers of columns, on operands by rows.
template <class C>
void check_halves(std::vector<Structure> const& all, std::vector<BlockShape> const& shapes,
                  std::vector<std::int64_t> const& widths, char const* name)
{
  for (Structure const& s : all)
  {
    std::vector<Blocks<C>> matrices;
    for (BlockShape const shape : shapes)
      matrices.emplace_back(s, shape);
    for (std::int64_t const k : widths)
    {
      auto const b = by_rows<typename C::value>(s.cols, k);
      auto const c = by_rows<typename C::result>(s.rows, k);
      fill_input(b);
      for (double const beta : {0.0, 2.0})
      {
        Expected const expected = half_reference<C>(s, Op::none, -0.5, k, beta);
        for (Blocks<C> const& blocks : matrices)
          check_half(blocks, s, name, b, c, beta, expected);
      }
    }
  }
}

std::vector<BlockShape> const squares{{1, 1}, {2, 2}, {3, 3}, {4, 4},   {5, 5},
                                      {6, 6}, {7, 7}, {8, 8}, {16, 16}, {32, 32}};
std::vector<BlockShape> const oblongs{{3, 2}, {2, 5}, {4, 12}, {1, 40}, {40, 3}, {17, 40}, {33, 4}};

template <class View>
auto bits_of(View const& c)
{
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
  std::vector<unsigned char> bits(host.size() * sizeof(typename View::value_type));
  std::memcpy(bits.data(), host.data(), bits.size());
  return bits;
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::BlockShape;
using heddle::Op;
using heddle::SpmmPlan;
using heddle::Unsupported;

TEMPLATE_LIST_TEST_CASE("spmm of BSR on tensor cores agrees with the oracle", "[spmm][bsr][half]",
                        HalfTypes)
{
  check_halves<TestType>(small_structures(), {{3, 3}, {8, 8}, {3, 2}, {16, 16}}, {1, 33, 64},
                         tensor);
}

TEST_CASE("spmm of BSR on tensor cores takes blocks of any shape and any k", "[spmm][bsr][half]")
{
  using C = HalfCase<Half, float>;
  check_halves<C>(small_structures(), squares, {0, 1, 7, 8, 32, 33, 64, 200}, tensor);
  check_halves<C>(small_structures(), oblongs, {0, 1, 7, 8, 32, 33, 64, 200}, tensor);
  check_halves<C>({structure("more than 2^16 rows")}, {{3, 3}, {4, 4}}, {40}, tensor);
}

TEST_CASE("spmm of BSR on tensor cores writes 16-bit results for any k", "[spmm][bsr][half]")
{
  check_halves<HalfCase<Bhalf, Bhalf>>({structure("blocked"), structure("unsorted")}, squares,
                                       {7, 8, 32, 33, 200}, tensor);
}

TEMPLATE_LIST_TEST_CASE("spmm of BSR with 16-bit values is right by default", "[spmm][bsr][half]",
                        HalfTypes)
{
  check_halves<TestType>(small_structures(), {{3, 3}, {2, 5}}, {1, 33}, "");
}

// Rows of B and C that are farther apart than they are long, by whole words and not.
TEMPLATE_LIST_TEST_CASE("spmm on tensor cores leaves alone what lies beside C", "[spmm][bsr][half]",
                        HalfTypes)
{
  using Value = typename TestType::value;
  using Result = typename TestType::result;
  Structure const& s = structure("unsorted");
  Blocks<TestType> const blocks(s, {4, 4});
  for (std::int64_t const k : {5, 64, 71})
    for (std::int64_t const beside : {3, 8})
      for (std::int64_t const from : {0, 1, 8})
      {
        auto const part = Kokkos::make_pair(from, from + k);
        auto const all_b = by_rows<Value>(s.cols, k + from + beside);
        auto const all_c = by_rows<Result>(s.rows, k + from + beside);
        Kokkos::deep_copy(all_b, Value(std::numeric_limits<float>::quiet_NaN()));
        put(all_c, [](std::int64_t, std::int64_t) { return Result(77); });
        auto const b = Kokkos::subview(all_b, Kokkos::ALL, part);
        auto const c = Kokkos::subview(all_c, Kokkos::ALL, part);
        fill_input(b);
        for (double const beta : {0.0, 2.0})
          check_half(blocks, s, tensor, b, c, beta,
                     half_reference<TestType>(s, Op::none, -0.5, k, beta));
        auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, all_c);
        bool is_left_alone = true;
        for (std::int64_t i = 0; i < s.rows; ++i)
          for (std::int64_t j = 0; j < k + from + beside; ++j)
            if (j < from || j >= from + k)
              is_left_alone = is_left_alone && static_cast<float>(host(i, j)) == 77.0F;
        CHECK(is_left_alone);
      }
}

TEMPLATE_LIST_TEST_CASE("spmm on tensor cores takes column-major operands", "[spmm][bsr][half]",
                        HalfTypes)
{
  for (Structure const& s : {structure("wide"), structure("0 x 7"), structure("7 x 0")})
  {
    Blocks<TestType> const blocks(s, {3, 2});
    for (std::int64_t const k : {1, 33, 130})
    {
      auto const b = dense<typename TestType::value, Kokkos::LayoutLeft>(s.cols, k);
      auto const c = dense<typename TestType::result, Kokkos::LayoutLeft>(s.rows, k);
      fill_input(b);
      for (double const beta : {0.0, 2.0})
        check_half(blocks, s, tensor, b, c, beta,
                   half_reference<TestType>(s, Op::none, -0.5, k, beta));
    }
  }
}

// What is no factor of a row leaves no trace there, however blocks fill a product: infinities in
// some rows of B stay where blocks cover them, and in others than these nothing is read.
TEMPLATE_LIST_TEST_CASE("an infinity in B stays where blocks cover it", "[spmm][bsr][half]",
                        HalfTypes)
{
  using Value = typename TestType::value;
  constexpr std::int64_t k = 37, behind = 16;
  typename TestType::exec const exec{};
  Structure const s = random_structure("sparse", 150, 301, 1, 11);
  auto const is_infinite = [&](std::int64_t j) { return j >= s.cols || j % 60 == 7; };
  auto const all = by_rows<Value>(s.cols + behind, k);
  put(all, [&](std::int64_t i, std::int64_t j) {
    return is_infinite(i) ? Value(std::numeric_limits<float>::infinity())
                          : value_at<Value>(i + b_offset, j);
  });
  auto const b = Kokkos::subview(all, Kokkos::make_pair(std::int64_t(0), s.cols), Kokkos::ALL);
  auto const c = by_rows<typename TestType::result>(s.rows, k);
  Expected const expected = half_reference<TestType>(s, Op::none, 1.0, k, 0.0);
  for (BlockShape const shape : {BlockShape{1, 1}, BlockShape{3, 3}, BlockShape{4, 4},
                                 BlockShape{2, 5}, BlockShape{8, 8}, BlockShape{5, 16}})
  {
    Blocks<TestType> const blocks(s, shape);
    auto const is_covered = [&](std::int64_t i) {
      std::int64_t const r = i / shape.height;
      for (std::int64_t n = blocks.first(r); n < blocks.first(r + 1); ++n)
        for (std::int64_t x = 0; x < shape.width; ++x)
          if (std::int64_t const j = blocks.column(n) * shape.width + x;
              j < s.cols && is_infinite(j))
            return true;
      return false;
    };
    std::int64_t covered = 0;
    for (std::int64_t i = 0; i < s.rows; ++i)
      covered += is_covered(i) ? 1 : 0;
    REQUIRE((covered > 0 && covered < s.rows));
    fill_output(c, true);
    using Scalar = typename TestType::result;
    heddle::spmm(exec, SpmmPlan(exec, blocks.a, {.implementation = tensor}), Scalar(1), blocks.a, b,
                 Scalar(0), c);
    exec.fence();
    INFO(shape.height << " x " << shape.width);
    CHECK(first_half_difference(blocks, expected, c,
                                [&](std::int64_t i) { return !is_covered(i); }) == "");
  }
}

TEST_CASE("sums on tensor cores are float's, not those of 16 bits", "[spmm][bsr][half]")
{
  using C = HalfCase<Half, float>;
  // 2048 + 1 is 2048 in 16 bits; 4096 products of 16 x 16 are beyond their largest number.
  Structure s{"one row", 1, 4096, {{}}};
  for (std::int64_t j = 0; j < s.cols; ++j)
    s.columns[0].push_back(j);
  Blocks<C> const blocks(s, {1, 8});
  C::exec const exec{};
  auto const b = by_rows<Half>(s.cols, 8);
  auto const c = by_rows<float>(1, 8);
  for (double const factor : {1.0, 16.0})
  {
    Kokkos::deep_copy(blocks.a.values(), Half(factor));
    Kokkos::deep_copy(b, Half(factor));
    heddle::spmm(exec, SpmmPlan(exec, blocks.a, {.implementation = tensor}), 1.0F, blocks.a, b,
                 0.0F, c);
    exec.fence();
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
    for (int j = 0; j < 8; ++j)
      CHECK(host(0, j) == static_cast<float>(4096 * factor * factor));
  }
}

TEMPLATE_LIST_TEST_CASE("tensor cores are taken by name only, and repeatable", "[spmm][bsr][half]",
                        HalfTypes)
{
  using Result = typename TestType::result;
  typename TestType::exec const exec{};
  Structure const& s = structure("power law");
  Blocks<TestType> const blocks(s, {4, 4});
  CHECK(SpmmPlan(exec, blocks.a).describe().find(std::string("portable::bsr_team: ")) == 0);
  SpmmPlan const plan(exec, blocks.a, {.implementation = tensor});
  CHECK(plan.describe().find("tensor cores with sums in float") != std::string::npos);
  CHECK(plan.is_repeatable(Op::none));
  CHECK(!plan.is_repeatable(Op::transpose));
  auto const b = by_rows<typename TestType::value>(s.cols, 72);
  auto const c = by_rows<Result>(s.rows, 72), again = by_rows<Result>(s.rows, 72);
  fill_input(b);
  heddle::spmm(exec, plan, Result(1), blocks.a, b, Result(0), c);
  heddle::spmm(exec, plan, Result(1), blocks.a, b, Result(0), again);
  exec.fence();
  CHECK(bits_of(c) == bits_of(again));
}

TEMPLATE_LIST_TEST_CASE("A^T B with 16-bit values gathers where the plan is deterministic",
                        "[spmm][bsr][half]", HalfTypes)
{
  using Result = typename TestType::result;
  constexpr std::int64_t k = 33;
  typename TestType::exec const exec{};
  Structure const& s = structure("unsorted");
  Structure const t = transposed(s);
  Blocks<TestType> const blocks(s, {3, 3}), of_t(t, {1, 1}); // for its bound
  auto const b = by_rows<typename TestType::value>(s.rows, k);
  auto const c = by_rows<Result>(s.cols, k);
  fill_input(b);
  Expected const expected = half_reference<TestType>(s, Op::transpose, 2.0, k, 2.0);
  for (char const* const name : {"", tensor})
  {
    SpmmPlan const plan(exec, blocks.a, {.implementation = name, .deterministic = true});
    CHECK(plan.is_repeatable(Op::transpose));
    fill_output(c, false);
    heddle::spmm(exec, plan, Op::transpose, Result(2), blocks.a, b, Result(2), c);
    exec.fence();
    CHECK(first_half_difference(of_t, expected, c) == "");

    SpmmPlan const by_atomics(exec, blocks.a, {.implementation = name});
    auto const call = [&] {
      fill_output(c, false);
      heddle::spmm(exec, by_atomics, Op::transpose, Result(2), blocks.a, b, Result(2), c);
      exec.fence();
    };
    if constexpr (std::is_same_v<Result, float>)
    {
      call();
      CHECK(first_half_difference(of_t, expected, c) == "");
    }
    else
      CHECK(message_of<Unsupported>(call) ==
            "heddle::spmm: portable::bsr_team adds transpose by atomics into the result, whose "
            "type is too narrow to sum in; a plan made with deterministic = true gathers instead");
  }
}

TEST_CASE("tensor cores refuse operands of other types when asked for by name", "[spmm][bsr][half]")
{
  using C = HalfCase<Half, float>;
  C::exec const exec{};
  Structure const& s = structure("blocked");
  Blocks<C> const blocks(s, {3, 3});
  SpmmPlan const plan(exec, blocks.a, {.implementation = tensor});
  auto const b = by_rows<float>(s.cols, 4), c = by_rows<float>(s.rows, 4);
  CHECK(message_of<Unsupported>([&] { heddle::spmm(exec, plan, 1.0F, blocks.a, b, 0.0F, c); }) ==
        "heddle::spmm: cuda_native::bsr_tensor does not take these operands");
  auto const of_floats = to_bsr(exec, make_csr<Case<Kokkos::Cuda, float, int, int>>(s), {3, 3});
  CHECK(message_of<Unsupported>([&] {
          SpmmPlan(exec, of_floats, {.implementation = tensor});
        }).find("heddle::spmm: no implementation named cuda_native::bsr_tensor") == 0);
}
