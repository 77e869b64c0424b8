// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What spmv, spmm and spgemm refuse, word by word, and that it leaves everything as it was.

#include <support/any_plan.hpp>
#include <support/environment.hpp>
#include <support/matrices.hpp>
#include <support/messages.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, std::size_t>;
using Matrix = CsrOf<C>;
using X = Kokkos::View<double*, C::space>;
using B = Kokkos::View<double**, Kokkos::LayoutRight, C::space>;

// 2 x 3 with 4 entries.
Structure example() { return {"example", 2, 3, {{0, 2}, {1, 0}}}; }
// Of the same sizes, another pattern.
Structure example_of_other_pattern() { return {"example", 2, 3, {{0, 2}, {1, 2}}}; }
Matrix matrix() { return make_csr<C>(example()); }

X vector(std::size_t n)
{
  X const x("heddle::test::x", n);
  Kokkos::deep_copy(x, 5.0);
  return x;
}
B dense(std::size_t rows, std::size_t cols)
{
  B const b("heddle::test::b", rows, cols);
  Kokkos::deep_copy(b, 5.0);
  return b;
}

template <class Call>
std::string refusal(Call const& call)
{
  return message_of<InvalidArgument>(call);
}

std::string spmv_refusal(Op op, std::size_t x, std::size_t y)
{
  auto const a = matrix();
  SpmvPlan const plan(Device{}, a);
  auto const result = vector(y);
  auto const message = refusal([&] { spmv(Device{}, plan, op, 1.0, a, vector(x), 0.0, result); });
  Device{}.fence();
  if (message != "no error")
    CHECK(to_vector(result) == std::vector<double>(y, 5.0));
  CHECK(refusal([&] { spmv(Device{}, op, 1.0, a, vector(x), 0.0, result); }) == message);
  return message;
}

std::string spmm_refusal(Op op, B const& b, B const& c)
{
  auto const a = matrix();
  SpmmPlan const plan(Device{}, a);
  auto const message = refusal([&] { spmm(Device{}, plan, op, 1.0, a, b, 0.0, c); });
  CHECK(refusal([&] { spmm(Device{}, op, 1.0, a, b, 0.0, c); }) == message);
  return message;
}

// Implementations of the host, whatever the default space is.
using HostCase = Case<Kokkos::Serial, double, int, std::size_t>;
CsrOf<HostCase> host_matrix() { return make_csr<HostCase>(structure("1 x 1")); }

template <class Options>
std::string spmv_unsupported(Options const& options)
{
  return message_of<Unsupported>([&] { SpmvPlan(Kokkos::Serial{}, host_matrix(), options); });
}

std::string const spmv_on_hosts =
    "; built for these types: portable::csr_or_sell portable::csr_runs portable::csr_templates "
    "portable::csr_chunks portable::csr_team";
std::string const spmm_on_hosts =
    "; built for these types: portable::csr_chunks portable::csr_team";
std::string const spgemm_on_hosts =
    "; built for these types: portable::dense_or_hash portable::team_hash";

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Backend;
using heddle::Op;

TEST_CASE("spmv refuses vectors of other sizes", "[preconditions]")
{
  CHECK(spmv_refusal(Op::none, 3, 2) == "no error");
  CHECK(spmv_refusal(Op::none, 5, 2) == "heddle::spmv: x has 5 entries but A has 3 columns");
  CHECK(spmv_refusal(Op::none, 2, 3) == "heddle::spmv: x has 2 entries but A has 3 columns");
  CHECK(spmv_refusal(Op::none, 3, 1) == "heddle::spmv: y has 1 entries but A has 2 rows");
  CHECK(spmv_refusal(Op::none, 0, 2) == "heddle::spmv: x has 0 entries but A has 3 columns");
  for (Op const op : {Op::transpose, Op::conjugate_transpose})
  {
    CHECK(spmv_refusal(op, 2, 3) == "no error");
    CHECK(spmv_refusal(op, 3, 2) == "heddle::spmv: x has 3 entries but op(A) has 2 columns");
    CHECK(spmv_refusal(op, 2, 2) == "heddle::spmv: y has 2 entries but op(A) has 3 rows");
  }
}

TEST_CASE("spmm refuses operands of other sizes", "[preconditions]")
{
  CHECK(spmm_refusal(Op::none, dense(3, 4), dense(2, 4)) == "no error");
  CHECK(spmm_refusal(Op::none, dense(2, 4), dense(2, 4)) ==
        "heddle::spmm: B has 2 rows but A has 3 columns");
  CHECK(spmm_refusal(Op::none, dense(3, 4), dense(3, 4)) ==
        "heddle::spmm: C has 3 rows but A has 2 rows");
  CHECK(spmm_refusal(Op::none, dense(3, 4), dense(2, 5)) ==
        "heddle::spmm: B has 4 columns but C has 5");
  for (Op const op : {Op::transpose, Op::conjugate_transpose})
  {
    CHECK(spmm_refusal(op, dense(2, 4), dense(3, 4)) == "no error");
    CHECK(spmm_refusal(op, dense(3, 4), dense(3, 4)) ==
          "heddle::spmm: B has 3 rows but op(A) has 2 columns");
    CHECK(spmm_refusal(op, dense(2, 4), dense(2, 4)) ==
          "heddle::spmm: C has 2 rows but op(A) has 3 rows");
  }
  // Also where there is nothing to compute.
  CHECK(spmm_refusal(Op::none, dense(3, 0), dense(2, 0)) == "no error");
  CHECK(spmm_refusal(Op::none, dense(2, 0), dense(2, 0)) ==
        "heddle::spmm: B has 2 rows but A has 3 columns");
  CHECK(spmm_refusal(Op::none, dense(3, 0), dense(2, 1)) ==
        "heddle::spmm: B has 0 columns but C has 1");
}

TEST_CASE("an output that is the input is refused", "[preconditions]")
{
  auto const a = make_csr<C>({"square", 2, 2, {{0}, {1}}});
  auto const x = vector(2);
  auto const b = dense(2, 4);
  Kokkos::View<double const*, C::space> const read_only = x;
  CHECK(refusal([&] { heddle::spmv(Device{}, 1.0, a, x, 0.0, x); }) ==
        "heddle::spmv: x and y share memory");
  CHECK(refusal([&] { heddle::spmv(Device{}, 1.0, a, read_only, 0.0, x); }) ==
        "heddle::spmv: x and y share memory");
  CHECK(refusal([&] { heddle::spmm(Device{}, 1.0, a, b, 0.0, b); }) ==
        "heddle::spmm: B and C share memory");
  // Even where alpha = 0 does not read it.
  CHECK(refusal([&] { heddle::spmv(Device{}, 0.0, a, x, 0.0, x); }) ==
        "heddle::spmv: x and y share memory");
}

TEST_CASE("an output that begins or ends within the input is refused", "[preconditions]")
{
  auto const a = make_csr<C>({"square", 4, 4, {{0}, {1}, {2}, {3}}});
  auto const all = vector(8);
  auto const part = [&](int first) { return Kokkos::subview(all, Kokkos::pair(first, first + 4)); };
  auto const spmv = [&](auto const& x, auto const& y) {
    return refusal([&] { heddle::spmv(Device{}, 1.0, a, x, 0.0, y); });
  };
  std::string const text = "heddle::spmv: x and y share memory";
  CHECK(spmv(part(0), part(3)) == text);
  CHECK(spmv(part(3), part(0)) == text);
  CHECK(spmv(part(0), part(4)) == "no error");
  heddle::SpmvPlan const plan(Device{}, a);
  CHECK(refusal([&] {
          heddle::spmv(Device{}, plan, Op::transpose, 1.0, a, part(2), 0.0, part(1));
        }) == text);
  // Memory is shared whatever types it is seen as.
  Kokkos::View<float*, C::space> const floats(reinterpret_cast<float*>(all.data()) + 7, 4);
  CHECK(spmv(part(0), floats) == text);
  // Blocks of columns of one matrix.
  auto const wide = dense(4, 8);
  auto const columns = [&](int first) {
    return Kokkos::subview(wide, Kokkos::ALL, Kokkos::pair(first, first + 4));
  };
  auto const spmm = [&](auto const& b, auto const& c) {
    return refusal([&] { heddle::spmm(Device{}, 1.0, a, b, 0.0, c); });
  };
  CHECK(spmm(columns(0), columns(3)) == "heddle::spmm: B and C share memory");
  CHECK(spmm(columns(4), columns(1)) == "heddle::spmm: B and C share memory");
  CHECK(spmm(columns(0), columns(4)) == "no error");
}

TEST_CASE("spgemm refuses a result that shares values with a factor", "[preconditions]")
{
  // C has as many entries as A, and B one less: memory of 9 entries holds C and a part of another.
  auto const a = make_csr<C>({"a", 3, 3, {{0, 1}, {1}, {2, 0}}});
  auto const b = make_csr<C>({"b", 3, 3, {{0}, {1}, {2}}});
  heddle::SpgemmPlan const plan(Device{}, a, b);
  auto const c = plan.make_result(Device{});
  auto const all = vector(9);
  auto const part = [&](std::size_t first, std::size_t size) {
    return Matrix::values_view(all.data() + first, size);
  };
  auto const with_values = [](Matrix const& m, Matrix::values_view const& values) {
    return Matrix(m.num_rows(), m.num_cols(), m.row_offsets(), m.columns(), values);
  };
  auto const multiply = [&](Matrix const& left, Matrix const& right, Matrix const& result) {
    auto const message = refusal([&] { heddle::spgemm(Device{}, plan, left, right, result); });
    CHECK(refusal([&] { heddle::spgemm(Device{}, plan, 2.0, left, right, 0.0, result); }) ==
          message);
    CHECK(refusal([&] { heddle::spgemm(Device{}, plan, 0.0, left, right, 1.0, result); }) ==
          message);
    return message;
  };
  std::string const with_a = "heddle::spgemm: the values of A and C share memory";
  std::string const with_b = "heddle::spgemm: the values of B and C share memory";
  REQUIRE(plan.nnz() == a.nnz());
  CHECK(multiply(a, b, with_values(c, a.values())) == with_a);
  CHECK(multiply(with_values(a, part(0, 5)), b, with_values(c, part(4, 5))) == with_a);
  CHECK(multiply(with_values(a, part(4, 5)), b, with_values(c, part(0, 5))) == with_a);
  CHECK(multiply(a, with_values(b, part(4, 3)), with_values(c, part(0, 5))) == with_b);
  CHECK(multiply(a, with_values(b, part(5, 3)), with_values(c, part(0, 5))) == "no error");
  CHECK(multiply(a, b, c) == "no error");
}

TEST_CASE("spgemm refuses a result whose columns it would write over a factor's", "[preconditions]")
{
  // The plan has no room for columns, so calls find them again. C = A B has the pattern of A.
  Structure diagonal{"diagonal", 3000, 3000, {}};
  for (std::int64_t i = 0; i < diagonal.rows; ++i)
    diagonal.columns.push_back({i});
  auto const a = make_csr<C>(diagonal), b = make_csr<C>(diagonal);
  auto const check = [&](std::size_t cap, std::string const& expected) {
    heddle::SpgemmPlan const plan(
        Device{}, a, b, {.implementation = "portable::team_hash", .max_workspace_bytes = cap});
    INFO(plan.describe());
    auto const c = plan.make_result(Device{});
    CHECK(plan.keeps_columns() == (expected == "no error"));
    auto const with_columns = [&](Matrix::columns_view const& columns) {
      return Matrix(c.num_rows(), c.num_cols(), c.row_offsets(), columns, c.values());
    };
    CHECK(
        refusal([&] { heddle::spgemm(Device{}, plan, a, b, with_columns(a.columns())); }) ==
        (expected == "no error" ? expected : "heddle::spgemm: the columns of A and C" + expected));
    CHECK(
        refusal([&] { heddle::spgemm(Device{}, plan, a, b, with_columns(b.columns())); }) ==
        (expected == "no error" ? expected : "heddle::spgemm: the columns of B and C" + expected));
    CHECK(refusal([&] { heddle::spgemm(Device{}, plan, a, b, c); }) == "no error");
  };
  check(~std::size_t(0), "no error");
  check(8192, " share memory");
}

TEST_CASE("a plan of another matrix is refused", "[preconditions]")
{
  auto const a = matrix();
  auto const other = make_csr<C>({"other", 2, 3, {{0, 2}, {1}}});
  heddle::SpmvPlan const vectors(Device{}, other);
  heddle::SpmmPlan const columns(Device{}, other);
  std::string const text = "the plan was made for 2 x 3, 3 entries but A is 2 x 3, 4 entries";
  CHECK(refusal([&] { heddle::spmv(Device{}, vectors, 1.0, a, vector(3), 0.0, vector(2)); }) ==
        "heddle::spmv: " + text);
  CHECK(refusal([&] { heddle::spmm(Device{}, columns, 1.0, a, dense(3, 1), 0.0, dense(2, 1)); }) ==
        "heddle::spmm: " + text);
  // The plan is usable afterwards.
  CHECK(refusal([&] { heddle::spmv(Device{}, vectors, 1.0, other, vector(3), 0.0, vector(2)); }) ==
        "no error");
  auto const b = make_csr<C>({"b", 3, 3, {{0}, {1}, {2}}});
  heddle::SpgemmPlan const product(Device{}, a, b);
  auto const c = product.make_result(Device{});
  CHECK(refusal([&] { heddle::spgemm(Device{}, product, other, b, c); }) ==
        "heddle::spgemm: the plan was made for 2 x 3, 4 entries but A is 2 x 3, 3 entries");
  CHECK(refusal([&] { heddle::spgemm(Device{}, product, a, a, c); }) ==
        "heddle::spgemm: the plan was made for 3 x 3, 3 entries but B is 2 x 3, 4 entries");
  CHECK(refusal([&] { heddle::spgemm(Device{}, product, a, b, c); }) == "no error");
}

#if defined(KOKKOS_ENABLE_DEBUG)
TEST_CASE("debug builds refuse a plan of another pattern of the same sizes", "[preconditions]")
{
  auto const a = matrix(), other = make_csr<C>(example_of_other_pattern());
  heddle::SpmvPlan const vectors(Device{}, other);
  heddle::SpmmPlan const columns(Device{}, other);
  std::string const text = "the plan was made for another pattern than A's, of the same sizes";
  CHECK(refusal([&] { heddle::spmv(Device{}, vectors, 1.0, a, vector(3), 0.0, vector(2)); }) ==
        "heddle::spmv: " + text);
  CHECK(refusal([&] { heddle::spmm(Device{}, columns, 1.0, a, dense(3, 1), 0.0, dense(2, 1)); }) ==
        "heddle::spmm: " + text);
  auto const b = make_csr<C>({"b", 3, 3, {{0}, {1}, {2}}});
  heddle::SpgemmPlan const product(Device{}, other, b);
  CHECK(refusal([&] { heddle::spgemm(Device{}, product, a, b, product.make_result(Device{})); }) ==
        "heddle::spgemm: " + text);
}
#else
TEST_CASE("a plan of another pattern of the same sizes touches nothing else", "[preconditions]")
{
  auto const a = matrix();
  heddle::SpmvPlan const plan(Device{}, make_csr<C>(example_of_other_pattern()));
  CHECK(refusal([&] { heddle::spmv(Device{}, plan, 1.0, a, vector(3), 0.0, vector(2)); }) ==
        "no error");
  CHECK_FALSE(plan.matches(Device{}, a));
}
#endif

TEST_CASE("spgemm refuses matrices of other sizes", "[preconditions]")
{
  auto const a = matrix(), b = make_csr<C>({"b", 3, 4, {{0}, {1}, {2, 3}}});
  std::string const text = "heddle::spgemm: A is 2 x 3 but B is 2 x 3";
  CHECK(refusal([&] { heddle::SpgemmPlan(Device{}, a, a); }) == text);
  CHECK(refusal([&] { heddle::spgemm(Device{}, a, a); }) == text);
  CHECK(refusal([&] { heddle::spgemm_products(Device{}, a, a); }) == text);
  CHECK(refusal([&] { heddle::spgemm(Device{}, a, b, {.op_a = heddle::Op::transpose}); }) ==
        "heddle::spgemm: A is 2 x 3 and to be transposed but B is 3 x 4");
  heddle::SpgemmPlan const plan(Device{}, a, b);
  REQUIRE(plan.nnz() == 5);
  auto const c = make_csr<C>({"c", 2, 4, {{0, 2}, {0, 1}}});
  CHECK(refusal([&] { heddle::spgemm(Device{}, plan, a, b, c); }) ==
        "heddle::spgemm: C is 2 x 4, 4 entries but the product is 2 x 4, 5 entries");
  CHECK(refusal([&] {
          heddle::spgemm(Device{}, plan, a, b, make_csr<C>({"c", 2, 5, {{0, 2, 3}, {0, 1}}}));
        }) == "heddle::spgemm: C is 2 x 5, 5 entries but the product is 2 x 4, 5 entries");
}

TEST_CASE("spgemm refuses a product whose entries its offsets cannot count", "[preconditions]")
{
  using Narrow = Case<Kokkos::Serial, float, int, std::int16_t>;
  Kokkos::Serial const exec{};
  // A dense column times a dense row: 200 x 200 entries of C.
  Structure column{"column", 200, 1, {200, {0}}}, row{"row", 1, 200, {{}}};
  for (std::int64_t j = 0; j < row.cols; ++j)
    row.columns[0].push_back(j);
  auto const a = make_csr<Narrow>(column), b = make_csr<Narrow>(row);
  std::string const text = "heddle::spgemm: C has 40000 entries, which do not fit its offset type "
                           "(largest value 32767); use wider offsets in A or B";
  for (char const* const name : {"portable::dense_or_hash", "portable::team_hash"})
  {
    CHECK(refusal([&] { heddle::SpgemmPlan(exec, a, b, {.implementation = name}); }) == text);
    CHECK(refusal([&] { heddle::spgemm(exec, a, b, {.implementation = name}); }) == text);
  }
  CHECK(heddle::spgemm_products(exec, a, b) == 40000);
}

TEST_CASE("spgemm says how much memory a row needs", "[preconditions]")
{
  auto const a = make_csr<C>(random_structure("60 a row", 200, 3000, 60, 31));
  auto const b = make_csr<C>(random_structure("80 a row", 3000, 9000, 80, 32));
  constexpr std::size_t cap = 9000;
  for (char const* const name :
       heddle::impl::names_of(AllOfSpgemm<Device, Matrix::const_type, Matrix::const_type>{}))
  {
    INFO(name);
    for (bool const has_plan : {true, false})
      try
      {
        heddle::SpgemmOptions const options{.implementation = name, .max_workspace_bytes = cap};
        if (has_plan)
          AnySpgemmPlan(Device{}, a, b, options);
        else
          spgemm_by_name(Device{}, a, b, options);
        FAIL("the cap is enough");
      }
      catch (heddle::OutOfMemory const& error)
      {
        INFO(error.what());
        CHECK(error.bytes_needed() > error.bytes_available());
        CHECK(error.bytes_available() <= cap);
        CHECK(std::string(error.what()).find("heddle::spgemm: ") == 0);
        CHECK(std::string(error.what()).find(std::to_string(error.bytes_needed()) + " bytes") !=
              std::string::npos);
      }
  }
}

TEST_CASE("backends and names that are not there are unsupported", "[preconditions]")
{
  EnvironmentVariable const variable("HEDDLE_BACKEND", {});
  using heddle::SpmvOptions;
  CHECK(spmv_unsupported(SpmvOptions{}) == "no error");
  CHECK(spmv_unsupported(SpmvOptions{.backend = Backend::cuda_native}) ==
        "heddle::spmv: no implementation for backend cuda_native" + spmv_on_hosts);
  CHECK(spmv_unsupported(SpmvOptions{.implementation = "portable::best"}) ==
        "heddle::spmv: no implementation named portable::best for backend automatic" +
            spmv_on_hosts);
  CHECK(spmv_unsupported(
            SpmvOptions{.backend = Backend::cuda_native, .implementation = "portable::csr_team"}) ==
        "heddle::spmv: no implementation named portable::csr_team for backend cuda_native" +
            spmv_on_hosts);
  CHECK(message_of<heddle::Unsupported>([] {
          heddle::SpmmPlan(Kokkos::Serial{}, host_matrix(), {.backend = Backend::cuda_native});
        }) == "heddle::spmm: no implementation for backend cuda_native" + spmm_on_hosts);
  for (bool const has_plan : {true, false})
    CHECK(message_of<heddle::Unsupported>([&] {
            heddle::SpgemmOptions const options{.backend = Backend::cuda_native};
            if (has_plan)
              heddle::SpgemmPlan(Kokkos::Serial{}, host_matrix(), host_matrix(), options);
            else
              heddle::spgemm(Kokkos::Serial{}, host_matrix(), host_matrix(), options);
          }) == "heddle::spgemm: no implementation for backend cuda_native" + spgemm_on_hosts);
}

TEST_CASE("HEDDLE_BACKEND reaches every plan and call", "[preconditions]")
{
  Kokkos::View<double*, Kokkos::HostSpace> const x("x", 1), y("y", 1);
  Kokkos::View<double**, Kokkos::HostSpace> const b("b", 1, 2), c("c", 1, 2);
  Kokkos::Serial const exec{};
  auto const a = host_matrix();
  auto const one_spmv = [&] { heddle::spmv(exec, 1.0, a, x, 0.0, y); };
  auto const one_spmm = [&] { heddle::spmm(exec, 1.0, a, b, 0.0, c); };
  auto const one_spgemm = [&] { heddle::spgemm(exec, a, a); };
  SECTION("cuda_native is unsupported on hosts")
  {
    EnvironmentVariable const variable("HEDDLE_BACKEND", "cuda_native");
    std::string const text = ": no implementation for backend cuda_native";
    CHECK(spmv_unsupported(heddle::SpmvOptions{}) == "heddle::spmv" + text + spmv_on_hosts);
    CHECK(message_of<heddle::Unsupported>(one_spmv) == "heddle::spmv" + text + spmv_on_hosts);
    CHECK(message_of<heddle::Unsupported>(one_spmm) == "heddle::spmm" + text + spmm_on_hosts);
    CHECK(message_of<heddle::Unsupported>(one_spgemm) == "heddle::spgemm" + text + spgemm_on_hosts);
  }
  SECTION("portable forces")
  {
    EnvironmentVariable const variable("HEDDLE_BACKEND", "portable");
    heddle::SpmvPlan const plan(exec, a);
    CHECK(plan.is_forced());
    CHECK(plan.describe().find("chosen because the portable backend was asked for and ") !=
          std::string::npos);
  }
  SECTION("other values are refused")
  {
    EnvironmentVariable const variable("HEDDLE_BACKEND", "gpu");
    std::string const text =
        ": HEDDLE_BACKEND is 'gpu', expected automatic, portable or cuda_native";
    CHECK(refusal([&] { heddle::SpmvPlan(exec, a); }) == "heddle::spmv" + text);
    CHECK(refusal([&] { heddle::SpmmPlan(exec, a); }) == "heddle::spmm" + text);
    CHECK(refusal([&] { heddle::SpgemmPlan(exec, a, a); }) == "heddle::spgemm" + text);
    CHECK(refusal(one_spmv) == "heddle::spmv" + text);
    CHECK(refusal(one_spmm) == "heddle::spmm" + text);
    CHECK(refusal(one_spgemm) == "heddle::spgemm" + text);
  }
}
