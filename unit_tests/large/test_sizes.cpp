// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More than 2^31 rows, columns of A, and columns of B, in float. Entries are few, so that each test
// needs little more than its dense operands.

#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>
#include <support/matrices.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

#include <large/large.hpp>

namespace heddle::test::large
{

namespace
{

using C = Case<Exec, float, std::int64_t, int>;
using Matrix = CsrOf<C>;
using Vector = Kokkos::View<float*, Space>;
using Block = Kokkos::View<float**, Kokkos::LayoutRight, Space>;

constexpr std::int64_t many = int_max + 1000;

// One entry, 3, in place (row, column).
Matrix one_entry(std::int64_t rows, std::int64_t cols, std::int64_t row, std::int64_t column)
{
  auto const offsets = uninitialised<Kokkos::View<int*, Space>>("offsets", rows + 1);
  fill(
      offsets, KOKKOS_LAMBDA(std::int64_t i) { return i > row ? 1 : 0; });
  Kokkos::View<std::int64_t*, Space> const columns("columns", 1);
  Vector const values("values", 1);
  Kokkos::deep_copy(columns, column);
  Kokkos::deep_copy(values, 3.0F);
  return {rows, cols, offsets, columns, values};
}

// What y has where A has its entry in (row, column) and x is input_at.
struct OneProduct
{
  std::int64_t row, column;
  KOKKOS_FUNCTION float operator()(std::int64_t i) const
  {
    return i == row ? 3.0F * static_cast<float>(input_at(column)) : 0.0F;
  }
};
struct InputOf
{
  KOKKOS_FUNCTION float operator()(std::int64_t n) const { return static_cast<float>(input_at(n)); }
};

void check_spmv(std::int64_t rows, std::int64_t cols, std::int64_t row, std::int64_t column, Op op)
{
  Exec const exec;
  Matrix const a = one_entry(rows, cols, row, column);
  bool const is_turned = op == Op::transpose;
  auto const x = uninitialised<Vector>("x", is_turned ? rows : cols);
  auto const y = uninitialised<Vector>("y", is_turned ? cols : rows);
  fill(x, InputOf{});
  Kokkos::deep_copy(y, 7.0F);
  SpmvPlan const plan(exec, a);
  INFO(plan.describe());
  spmv(exec, plan, op, 1.0F, a, x, 0.0F, y);
  CHECK(wrong_entries(y, is_turned ? OneProduct{column, row} : OneProduct{row, column}) == 0);
}

void check_spmm(std::int64_t rows, std::int64_t cols, std::int64_t row, std::int64_t column,
                std::int64_t k)
{
  Exec const exec;
  Matrix const a = one_entry(rows, cols, row, column);
  auto const b = uninitialised<Block>("b", cols, k);
  auto const c = uninitialised<Block>("c", rows, k);
  fill(b, InputOf{});
  Kokkos::deep_copy(c, 7.0F);
  SpmmPlan const plan(exec, a);
  INFO(plan.describe());
  spmm(exec, plan, 1.0F, a, b, 0.0F, c);
  CHECK(wrong_entries(
            c, KOKKOS_LAMBDA(std::int64_t n) {
              return n / k == row ? 3.0F * static_cast<float>(input_at(column * k + n % k)) : 0.0F;
            }) == 0);
}

} // namespace

} // namespace heddle::test::large

using namespace heddle::test::large;
using heddle::Op;

TEST_CASE("spmv takes more than 2^31 rows, and columns", "[.][large]")
{
  need_memory(30);
  for (Op const op : {Op::none, Op::transpose})
  {
    check_spmv(many, 5, many - 2, 4, op);
    check_spmv(5, many, 3, many - 2, op);
  }
}

TEST_CASE("spmm takes more than 2^31 rows, columns, and columns of B", "[.][large]")
{
  need_memory(60);
  check_spmm(many, 5, many - 2, 4, 4);
  check_spmm(5, many, 3, many - 2, 4);
  check_spmm(2, 1, 1, 0, many);
}

TEST_CASE("the same with few rows and columns, on hosts too", "[large]")
{
  for (Op const op : {Op::none, Op::transpose})
  {
    check_spmv(400, 5, 398, 4, op);
    check_spmv(5, 400, 3, 398, op);
  }
  check_spmm(400, 5, 398, 4, 4);
  check_spmm(5, 400, 3, 398, 4);
  check_spmm(2, 1, 1, 0, 400);
}
