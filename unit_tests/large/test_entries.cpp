// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrices with more than 2^31 entries: 2.5 10^9 in A for SpMV and SpMM, 3.6 10^9 in C for SpGEMM.
// Hidden from runs that do not ask for it: test_large "[large]".

#include <heddle/error.hpp>
#include <heddle/spgemm.hpp>
#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>
#include <heddle/validate.hpp>
#include <support/any_plan.hpp>
#include <support/matrices.hpp>

#include <catch2/catch_test_macros.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <large/large.hpp>

namespace heddle::test::large
{

namespace
{

using C = DoubleCase<Exec>;
using Matrix = CsrOf<C>;
using Vector = Kokkos::View<double*, Space>;
using Block = Kokkos::View<double**, Kokkos::LayoutRight, Space>;

constexpr std::int64_t most_rows = 10'000'000, per_row = 250, k = 4;

// Row i has columns i to i + per_row - 1, so that the oracle of A^T is as short as that of A.
struct OffsetOf
{
  KOKKOS_FUNCTION std::size_t operator()(std::int64_t i) const
  {
    return static_cast<std::size_t>(i * per_row);
  }
};
struct ColumnOf
{
  KOKKOS_FUNCTION int operator()(std::int64_t n) const
  {
    return static_cast<int>(n / per_row + n % per_row);
  }
};
struct ValueOf
{
  KOKKOS_FUNCTION double operator()(std::int64_t n) const { return value_at(n); }
};
struct InputOf
{
  KOKKOS_FUNCTION double operator()(std::int64_t n) const { return input_at(n); }
};
// Entry n of C = A B, with `columns` columns each; B(j, l) is entry j * columns + l.
struct ProductOf
{
  std::int64_t columns;
  KOKKOS_FUNCTION double operator()(std::int64_t n) const
  {
    std::int64_t const i = n / columns, l = n % columns;
    double sum = 0;
    for (std::int64_t m = 0; m < per_row; ++m)
      sum += value_at(i * per_row + m) * input_at((i + m) * columns + l);
    return sum;
  }
};
struct TransposedProductOf
{
  std::int64_t columns, rows;
  KOKKOS_FUNCTION double operator()(std::int64_t n) const
  {
    std::int64_t const j = n / columns, l = n % columns;
    std::int64_t const first = j < per_row ? 0 : j - per_row + 1;
    double sum = 0;
    for (std::int64_t i = first; i <= j && i < rows; ++i)
      sum += value_at(i * per_row + j - i) * input_at(i * columns + l);
    return sum;
  }
};

Matrix band_of(std::int64_t rows)
{
  auto const offsets = uninitialised<Kokkos::View<std::size_t*, Space>>("offsets", rows + 1);
  auto const columns = uninitialised<Kokkos::View<int*, Space>>("columns", rows * per_row);
  auto const values = uninitialised<Vector>("values", rows * per_row);
  fill(offsets, OffsetOf{});
  fill(columns, ColumnOf{});
  fill(values, ValueOf{});
  return {static_cast<int>(rows), static_cast<int>(rows + per_row - 1), offsets, columns, values};
}

// Each implementation by its name, or its refusal, and the plan's own choice; op(A) and its result.
// How many of them ran.
template <class Run, class List>
int for_each_implementation(List const& list, Run const& run)
{
  int ran = 0;
  std::vector<std::string> names{"auto"};
  for (char const* const name : impl::names_of(list))
    names.emplace_back(name);
  for (std::string const& name : names)
  {
    INFO(name);
    try
    {
      run(name);
      ++ran;
    }
    catch (Unsupported const&)
    {}
    catch (OutOfMemory const&)
    {} // a copy, or a transposed pattern, has no room beside A
  }
  return ran;
}

void check_spmv(std::int64_t rows)
{
  Exec const exec;
  Matrix const a = band_of(rows);
  CHECK(!validate(exec, a));
  for (Op const op : {Op::none, Op::transpose})
  {
    bool const is_turned = op == Op::transpose;
    Vector const x("x", is_turned ? a.num_rows() : a.num_cols());
    Vector const y("y", is_turned ? a.num_cols() : a.num_rows());
    fill(x, InputOf{});
    INFO(to_string(op));
    int const ran = for_each_implementation(
        AllOfSpmv<Exec, Matrix::const_type>{}, [&](std::string const& name) {
          Kokkos::deep_copy(y, std::numeric_limits<double>::quiet_NaN());
          AnySpmvPlan const plan(exec, a, {.implementation = name});
          spmv(exec, plan, op, 1.0, a, x, 0.0, y);
          CHECK((is_turned ? wrong_entries(y, TransposedProductOf{1, rows})
                           : wrong_entries(y, ProductOf{1})) == 0);
        });
    CHECK(ran > 1);
  }
}

void check_spmm(std::int64_t rows)
{
  Exec const exec;
  Matrix const a = band_of(rows);
  for (Op const op : {Op::none, Op::transpose})
  {
    bool const is_turned = op == Op::transpose;
    Block const b("b", is_turned ? a.num_rows() : a.num_cols(), k);
    Block const c("c", is_turned ? a.num_cols() : a.num_rows(), k);
    fill(b, InputOf{});
    INFO(to_string(op));
    int const ran = for_each_implementation(
        AllOfSpmm<Exec, Matrix::const_type>{}, [&](std::string const& name) {
          Kokkos::deep_copy(c, std::numeric_limits<double>::quiet_NaN());
          AnySpmmPlan const plan(exec, a, {.implementation = name});
          spmm(exec, plan, op, 1.0, a, b, 0.0, c);
          CHECK((is_turned ? wrong_entries(c, TransposedProductOf{k, rows})
                           : wrong_entries(c, ProductOf{k})) == 0);
        });
    CHECK(ran > 1);
  }
}

// Row i of A has one entry, in column i % few; B's few rows are full.
constexpr std::int64_t few = 64, most_columns = 60'000;
struct OneColumnOf
{
  KOKKOS_FUNCTION int operator()(std::int64_t i) const { return static_cast<int>(i % few); }
};
struct CountOf
{
  std::int64_t per_row;
  KOKKOS_FUNCTION std::size_t operator()(std::int64_t i) const
  {
    return static_cast<std::size_t>(i * per_row);
  }
};
struct FullColumnOf
{
  std::int64_t many;
  KOKKOS_FUNCTION int operator()(std::int64_t n) const { return static_cast<int>(n % many); }
};
struct FullProductOf
{
  std::int64_t many;
  KOKKOS_FUNCTION double operator()(std::int64_t n) const
  {
    std::int64_t const i = n / many, j = n % many;
    return value_at(i) * value_at(i % few * many + j);
  }
};
template <class ColumnFunction>
Matrix matrix_of(std::int64_t num_rows, std::int64_t cols, std::int64_t each,
                 ColumnFunction const& column)
{
  auto const offsets = uninitialised<Kokkos::View<std::size_t*, Space>>("offsets", num_rows + 1);
  auto const columns = uninitialised<Kokkos::View<int*, Space>>("columns", num_rows * each);
  auto const values = uninitialised<Vector>("values", num_rows * each);
  fill(offsets, CountOf{each});
  fill(columns, column);
  fill(values, ValueOf{});
  return {static_cast<int>(num_rows), static_cast<int>(cols), offsets, columns, values};
}

// C is many x many, and full.
void check_spgemm(std::int64_t many)
{
  Exec const exec;
  Matrix const a = matrix_of(many, few, 1, OneColumnOf{}),
               b = matrix_of(few, many, many, FullColumnOf{many});
  SpgemmPlan const plan(exec, a, b, {.expected_calls = 1});
  CHECK(plan.nnz() == static_cast<std::size_t>(many * many));
  auto const c = plan.make_result(exec);
  spgemm(exec, plan, a, b, c);
  exec.fence();
  CHECK(wrong_entries(c.row_offsets(), CountOf{many}) == 0);
  CHECK(wrong_entries(c.columns(), FullColumnOf{many}) == 0);
  CHECK(wrong_entries(c.values(), FullProductOf{many}) == 0);
}

} // namespace

} // namespace heddle::test::large

using namespace heddle::test;
using namespace heddle::test::large;

TEST_CASE("spmv takes 2.5 10^9 entries", "[.][large]")
{
  need_memory(40);
  check_spmv(most_rows);
}

TEST_CASE("spmm takes 2.5 10^9 entries", "[.][large]")
{
  need_memory(42);
  check_spmm(most_rows);
}

TEST_CASE("the same with few rows, on hosts too", "[large]")
{
  check_spmv(700);
  check_spmm(700);
  check_spgemm(300);
}

TEST_CASE("spgemm makes 3.6 10^9 entries", "[.][large]")
{
  need_memory(60);
  check_spgemm(most_columns);
}

TEST_CASE("spgemm refuses 3.6 10^9 entries that 32-bit offsets do not count", "[.][large]")
{
  need_memory(20);
  using Small = heddle::CsrMatrix<double, int, int, Space>;
  Exec const exec;
  constexpr std::int64_t many = most_columns;
  auto const offsets_a = uninitialised<Kokkos::View<int*, Space>>("offsets", many + 1);
  auto const offsets_b = uninitialised<Kokkos::View<int*, Space>>("offsets", few + 1);
  Matrix const a = matrix_of(many, few, 1, OneColumnOf{}),
               b = matrix_of(few, many, many, FullColumnOf{many});
  fill(offsets_a, CountOf{1});
  fill(offsets_b, CountOf{many});
  Small const small_a(many, few, offsets_a, a.columns(), a.values());
  Small const small_b(few, many, offsets_b, b.columns(), b.values());
  CHECK_THROWS_AS(heddle::SpgemmPlan(exec, small_a, small_b), heddle::InvalidArgument);
  CHECK_THROWS_AS(heddle::spgemm(exec, small_a, small_b), heddle::InvalidArgument);
}
