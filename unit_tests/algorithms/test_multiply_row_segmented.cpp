// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/config.hpp>
#include <support/conversions.hpp>
#include <support/format_types.hpp>
#include <support/messages.hpp>
#include <support/multiply_formats.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, std::size_t>;

SpmmOptions coarsened(int vertical, int horizontal)
{
  return {.tuning = {.row_segments = {.vertical_coarsening = vertical,
                                      .horizontal_coarsening = horizontal}}};
}

// Every pair of coarsenings on so many columns.
template <class Type, class Matrix>
void check_coarsenings(Matrix const& a, Structure const& s, std::vector<std::int64_t> const& widths)
{
  using Exec = typename Type::exec;
  std::vector<SpmmPlan<Exec, typename Matrix::const_type>> plans;
  for (int const vertical : {1, 2, 4})
    for (int const horizontal : {1, 2, 4})
      plans.emplace_back(Exec{}, a, coarsened(vertical, horizontal));
  check_plans<Kokkos::LayoutRight, Type>(plans, a, s, widths);
}

// All entries are there.
Structure dense(std::int64_t rows, std::int64_t cols)
{
  std::vector<std::int64_t> row(static_cast<std::size_t>(cols));
  std::iota(row.begin(), row.end(), 0);
  return {"dense", rows, cols, std::vector(static_cast<std::size_t>(rows), row)};
}

// What spmm_both makes of s against the oracle, B_t and C_t with k_t columns, B and C with k.
template <class Type, class Matrix>
void check_both(Matrix const& a, Structure const& s, Op op, std::int64_t k_t, std::int64_t k)
{
  using Value = typename Type::value;
  typename Type::exec const exec{};
  SpmmPlan const plan(exec, a);
  for (Value const beta : {Value(0), Value(2)})
  {
    INFO(s.name << ", " << to_string(op));
    auto const b_t = plain<Value, Kokkos::LayoutRight, typename Type::space>(s.rows, k_t);
    auto const c_t = plain<Value, Kokkos::LayoutRight, typename Type::space>(s.cols, k_t);
    auto const b = plain<Value, Kokkos::LayoutRight, typename Type::space>(s.cols, k);
    auto const c = plain<Value, Kokkos::LayoutRight, typename Type::space>(s.rows, k);
    fill_input(b_t);
    fill_input(b);
    fill_output(c_t, beta == Value(0));
    fill_output(c, beta == Value(0));
    spmm_both(exec, plan, op, Value(-0.5), a, b_t, b, beta, c_t, c);
    exec.fence();
    CHECK(first_difference_in(
              reference_multiply<Value, Value, Value>(s, op, Value(-0.5), k_t, beta), c_t) == "");
    CHECK(first_difference_in(
              reference_multiply<Value, Value, Value>(s, Op::none, Value(-0.5), k, beta), c) == "");
  }
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEMPLATE_LIST_TEST_CASE("spmv of row segments agrees with the oracle", "[spmv][row_segmented]",
                        FormatTypes)
{
  check_spmv_as<AsRowSegmented<16, 2>, TestType>(small_structures());
}

TEMPLATE_LIST_TEST_CASE("spmm of row segments agrees with the oracle", "[spmm][row_segmented]",
                        FormatTypes)
{
  check_spmm_as<AsRowSegmented<16, 2>, TestType>(small_structures());
}

// All light, all in one panel, and what the conversion chooses.
TEST_CASE("spmv and spmm take row segments of any shape", "[spmv][spmm][row_segmented]")
{
  check_spmv_as<AsRowSegmented<1, 1>, C>(small_structures());
  check_spmm_as<AsRowSegmented<1, 1>, C>(small_structures());
  check_spmm_as<AsRowSegmented<100, 1>, C>(small_structures());
  check_spmm_as<AsRowSegmented<0, 0>, C>(small_structures());
}

TEST_CASE("spmv and spmm of row segments take more than 2^16 rows", "[spmv][spmm][row_segmented]")
{
  check_spmv_as<AsRowSegmented<64, 2>, C>({structure("more than 2^16 rows")});
  check_spmm_as<AsRowSegmented<64, 2>, C>({structure("more than 2^16 rows")});
}

// Around the ends of slices of 32 columns and of tiles of one, two and four of them.
TEST_CASE("spmm of row segments takes any number of columns", "[spmm][row_segmented]")
{
  for (char const* const name : {"power law", "blocked", "dense row", "dense column"})
  {
    Structure const& s = structure(name);
    check_coarsenings<C>(AsRowSegmented<16, 2>::make(Device{}, make_csr<C>(s)), s,
                         {5, 31, 32, 33, 64, 65, 97, 128, 129, 260});
  }
}

TEMPLATE_LIST_TEST_CASE("spmm of row segments coarsens in every type", "[spmm][row_segmented]",
                        FormatTypes)
{
  typename TestType::exec const exec{};
  Structure const& s = structure("banded");
  check_coarsenings<TestType>(AsRowSegmented<0, 2>::make(exec, make_csr<TestType>(s)), s,
                              {33, 70, 129});
}

// More entries than one block takes, and panels that are wide: 4 slices of 226 columns are all the
// shared memory there is.
TEST_CASE("spmm of row segments cuts panels that have many entries", "[spmm][row_segmented]")
{
  Structure const tall = dense(400, 20);
  auto const a = heddle::to_row_segmented(Device{}, make_csr<C>(tall), {16, 1});
  check_coarsenings<C>(a, tall, {3, 40, 128});
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
  // 400 rows of 16 and 4 columns in blocks of 128 entries.
  CHECK(heddle::SpmmPlan(Device{}, a).describe().find("63 blocks of heavy segments") !=
        std::string::npos);
#endif
  Structure const wide = dense(40, 500);
  check_coarsenings<C>(heddle::to_row_segmented(Device{}, make_csr<C>(wide)), wide, {3, 40, 128});
}

TEST_CASE("spmm of row segments takes rows of any distance", "[spmm][row_segmented]")
{
  Structure const& s = structure("blocked");
  auto const a = AsRowSegmented<16, 2>::make(Device{}, make_csr<C>(s));
  heddle::SpmmPlan const plan(Device{}, a);
  std::int64_t const k = 45;
  auto const part = [&](auto const& whole) {
    return Kokkos::subview(whole, Kokkos::ALL, std::pair<std::int64_t, std::int64_t>(3, 3 + k));
  };
  for (Op const op : all_ops)
  {
    std::int64_t const in = heddle::is_transposed(op) ? s.rows : s.cols;
    std::int64_t const out = heddle::is_transposed(op) ? s.cols : s.rows;
    auto const b = plain<double, Kokkos::LayoutRight, C::space>(in, k + 7);
    auto const c = plain<double, Kokkos::LayoutRight, C::space>(out, k + 4);
    Kokkos::deep_copy(c, 17.0);
    fill_input(part(b));
    fill_output(part(c), true);
    multiply(Device{}, plan, op, 1.0, a, part(b), 0.0, part(c));
    CHECK(first_difference_in(reference_multiply<double, double, double>(s, op, 1.0, k, 0.0),
                              part(c)) == "");
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
    bool is_untouched = true;
    for (std::int64_t i = 0; i < out; ++i)
      is_untouched = is_untouched && host(i, 2) == 17.0 && host(i, 3 + k) == 17.0;
    CHECK(is_untouched);
  }
}

TEST_CASE("deterministic plans on row segments repeat their bits", "[spmm][row_segmented]")
{
  Structure const& s = structure("power law");
  auto const a = AsRowSegmented<16, 2>::make(Device{}, make_csr<C>(s));
  heddle::SpmmPlan const plan(Device{}, a, {.deterministic = true});
  for (Op const op : all_ops)
    CHECK(plan.is_repeatable(op));
  CHECK(plan.describe().find("portable::row_segments") == 0);
#if defined(HEDDLE_HAVE_CUDA_NATIVE)
  std::string const native = "cuda_native::row_segments";
  heddle::SpmmPlan const free(Device{}, a);
  CHECK(free.implementation_name() == native);
  CHECK_FALSE(free.is_repeatable(Op::none));
  CHECK_FALSE(free.is_repeatable(Op::transpose));
  CHECK_THROWS_AS(heddle::SpmmPlan(Device{}, a, {.implementation = native, .deterministic = true}),
                  heddle::Unsupported);
  // Light rows alone have one owner each.
  auto const light = AsRowSegmented<1, 1>::make(Device{}, make_csr<C>(s));
  CHECK(heddle::SpmmPlan(Device{}, light).is_repeatable(Op::none));
#endif
}

#if defined(HEDDLE_HAVE_CUDA_NATIVE)
TEST_CASE("native kernels of row segments refuse what they cannot take", "[spmm][row_segmented]")
{
  Structure const s = dense(3, 2000);
  // A slice of 2000 columns takes 512000 bytes of shared memory.
  auto const wide = heddle::to_row_segmented(Device{}, make_csr<C>(s), {2000, 1});
  CHECK_THROWS_AS(heddle::SpmmPlan(Device{}, wide, {.implementation = "cuda_native::row_segments"}),
                  heddle::Unsupported);
  check_spmm_of<C>(wide, s, some_widths, "cuda_native::row_segments");

  auto const a = heddle::to_row_segmented(Device{}, make_csr<C>(s));
  heddle::SpmmPlan const forced(Device{}, a, {.implementation = "cuda_native::row_segments"});
  auto const b = plain<double, Kokkos::LayoutLeft, C::space>(2000, 4);
  auto const c = plain<double, Kokkos::LayoutLeft, C::space>(3, 4);
  CHECK(message_of<heddle::Unsupported>([&] { spmm(Device{}, forced, 1.0, a, b, 0.0, c); }) ==
        "heddle::spmm: cuda_native::row_segments does not take these operands");
  check_plans<Kokkos::LayoutLeft, C>(std::vector{heddle::SpmmPlan(Device{}, a)}, a, s, {4});
}
#endif

TEST_CASE("plans refuse coarsenings that are none", "[spmm][row_segmented]")
{
  auto const a = AsRowSegmented<16, 2>::make(Device{}, make_csr<C>(structure("banded")));
  auto const refusal = [&](int vertical, int horizontal) {
    return message_of<heddle::InvalidArgument>(
        [&] { heddle::SpmmPlan(Device{}, a, coarsened(vertical, horizontal)); });
  };
  CHECK(refusal(0, 4) == "no error");
  CHECK(refusal(3, 0) ==
        "heddle::spmm: coarsening 3, expected 1, 2 or 4, or 0 to leave it to the plan");
  CHECK(refusal(1, -1) ==
        "heddle::spmm: coarsening -1, expected 1, 2 or 4, or 0 to leave it to the plan");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  CHECK(message_of<heddle::InvalidArgument>([&] {
          heddle::SpmmPlan(Device{}, a, {.vertical_coarsening = 3});
        }) == "heddle::spmm: coarsening 3, expected 1, 2 or 4, or 0 to leave it to the plan");
#pragma GCC diagnostic pop
}

TEMPLATE_LIST_TEST_CASE("spmm_both agrees with the oracle", "[spmm][spmm_both]", FormatTypes)
{
  typename TestType::exec const exec{};
  for (Structure const& s : small_structures())
  {
    auto const csr = make_csr<TestType>(s);
    for (Op const op : {Op::transpose, Op::conjugate_transpose})
    {
      check_both<TestType>(AsRowSegmented<16, 2>::make(exec, csr), s, op, 33, 7);
      check_both<TestType>(csr, s, op, 3, 34);
    }
  }
}

TEST_CASE("spmm_both without an op takes the transpose", "[spmm][spmm_both]")
{
  Structure const& s = structure("wide");
  auto const a = make_csr<C>(s);
  heddle::SpmmPlan const plan(Device{}, a);
  auto const b_t = plain<double, Kokkos::LayoutRight, C::space>(s.rows, 3);
  auto const c_t = plain<double, Kokkos::LayoutRight, C::space>(s.cols, 3);
  auto const b = plain<double, Kokkos::LayoutLeft, C::space>(s.cols, 2);
  auto const c = plain<double, Kokkos::LayoutLeft, C::space>(s.rows, 2);
  fill_input(b_t);
  fill_input(b);
  spmm_both(Device{}, plan, 1.0, a, b_t, b, 0.0, c_t, c);
  Device{}.fence();
  CHECK(first_difference_in(
            reference_multiply<double, double, double>(s, Op::transpose, 1.0, 3, 0.0), c_t) == "");
  CHECK(first_difference_in(reference_multiply<double, double, double>(s, Op::none, 1.0, 2, 0.0),
                            c) == "");
}

TEST_CASE("spmm_both refuses what does not fit before it begins", "[spmm][spmm_both]")
{
  auto const a = make_csr<C>(Structure{"2 x 3", 2, 3, {{0, 2}, {1}}});
  heddle::SpmmPlan const plan(Device{}, a);
  auto const rows = plain<double, Kokkos::LayoutRight, C::space>(2, 4);
  auto const more_rows = plain<double, Kokkos::LayoutRight, C::space>(2, 4);
  auto const cols = plain<double, Kokkos::LayoutRight, C::space>(3, 4);
  auto const more_cols = plain<double, Kokkos::LayoutRight, C::space>(3, 4);
  auto const refusal = [&](Op op, auto const& b_t, auto const& b, auto const& c_t, auto const& c) {
    return message_of<heddle::InvalidArgument>(
        [&] { spmm_both(Device{}, plan, op, 1.0, a, b_t, b, 0.0, c_t, c); });
  };
  Op const op = Op::transpose;
  CHECK(refusal(op, rows, cols, more_cols, more_rows) == "no error");
  CHECK(refusal(Op::none, rows, cols, more_cols, more_rows) ==
        "heddle::spmm_both: op is none, expected transpose or conjugate_transpose");
  CHECK(refusal(op, cols, cols, more_cols, more_rows) ==
        "heddle::spmm_both: B_t has 3 rows but op(A) has 2 columns");
  CHECK(refusal(op, rows, rows, more_cols, more_rows) ==
        "heddle::spmm_both: B has 2 rows but A has 3 columns");
  CHECK(refusal(op, rows, cols, more_rows, more_rows) ==
        "heddle::spmm_both: C_t has 2 rows but op(A) has 3 rows");
  CHECK(refusal(op, rows, cols, more_cols, rows) == "heddle::spmm_both: B_t and C share memory");
  CHECK(refusal(op, rows, cols, cols, more_rows) == "heddle::spmm_both: B and C_t share memory");
  auto const square = make_csr<C>(Structure{"2 x 2", 2, 2, {{0}, {1}}});
  heddle::SpmmPlan const square_plan(Device{}, square);
  CHECK(message_of<heddle::InvalidArgument>([&] {
          spmm_both(Device{}, square_plan, 1.0, square, rows, rows, 0.0, more_rows, more_rows);
        }) == "heddle::spmm_both: C_t and C share memory");
  auto const other = make_csr<C>(structure("1 x 1"));
  auto const one = plain<double, Kokkos::LayoutRight, C::space>(1, 4);
  auto const two = plain<double, Kokkos::LayoutRight, C::space>(1, 4);
  auto const three = plain<double, Kokkos::LayoutRight, C::space>(1, 4);
  CHECK(message_of<heddle::InvalidArgument>(
            [&] { spmm_both(Device{}, plan, 1.0, other, one, one, 0.0, two, three); }) ==
        "heddle::spmm_both: the plan was made for 2 x 3, 3 entries but A is 1 x 1, 1 entries");
}
