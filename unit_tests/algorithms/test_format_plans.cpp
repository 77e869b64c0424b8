// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What plans promise on formats other than CSR.

#include <heddle/spmm.hpp>
#include <heddle/spmv.hpp>
#include <support/conversions.hpp>
#include <support/dense.hpp>
#include <support/messages.hpp>
#include <support/multiply_formats.hpp>
#include <support/structures.hpp>
#include <support/types.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

namespace heddle::test
{

namespace
{

using C = Case<Device, double, int, std::size_t>;

struct AsCoo
{
  template <class Exec, class Matrix>
  static auto make(Exec const& exec, Matrix const& a)
  {
    return to_coo(exec, a);
  }
};

using Formats = std::tuple<AsCoo, AsCsc, AsDcsr, AsBsr<3, 3>, AsEll, AsSell<8, 2, 32>, AsHyb<-1>,
                           AsRowSegmented<4, 1>>;

// The message of a call with a plan for another matrix.
template <class Plan, class Matrix>
std::string refusal_of(Plan const& plan, Matrix const& a)
{
  Kokkos::View<double*, C::space> const x("heddle::test::x", a.num_cols());
  Kokkos::View<double*, C::space> const y("heddle::test::y", a.num_rows());
  return message_of<InvalidArgument>([&] { spmv(Device{}, plan, 1.0, a, x, 0.0, y); });
}

} // namespace

} // namespace heddle::test

using namespace heddle::test;
using heddle::Op;

TEMPLATE_LIST_TEST_CASE("plans of all formats keep no values", "[plans][formats]", Formats)
{
  Structure const& s = structure("power law");
  auto const csr = make_csr<C>(s);
  auto const a = TestType::make(Device{}, csr);
  Kokkos::View<double**, Kokkos::LayoutLeft, C::space> const b("heddle::test::b", s.cols, 1);
  Kokkos::View<double**, Kokkos::LayoutLeft, C::space> const before("heddle::test::c", s.rows, 1);
  Kokkos::View<double**, Kokkos::LayoutLeft, C::space> const after("heddle::test::c", s.rows, 1);
  fill_input(b);
  heddle::SpmvPlan const plan(Device{}, a, {.deterministic = true}); // the same bits each time
  multiply(Device{}, plan, Op::none, 1.0, a, b, 0.0, before);
  auto values = to_vector(csr.values());
  for (double& value : values)
    value *= -2.0;
  Kokkos::deep_copy(csr.values(), to_view<double, C::space>(values));
  auto const negative = TestType::make(Device{}, csr); // of the same pattern: the plan serves
  CHECK(plan.matches(Device{}, negative));
  multiply(Device{}, plan, Op::none, -0.5, negative, b, 0.0, after);
  CHECK(to_vector(Kokkos::subview(after, Kokkos::ALL, 0)) ==
        to_vector(Kokkos::subview(before, Kokkos::ALL, 0)));
}

TEMPLATE_LIST_TEST_CASE("plans of all formats know their pattern", "[plans][formats]", Formats)
{
  auto const make = [](Structure const& s) { return TestType::make(Device{}, make_csr<C>(s)); };
  Structure const s{"7 x 7", 7, 7, {{0}, {1, 3}, {2}, {3}, {4, 6}, {5}, {6}}};
  Structure const t{"7 x 7", 7, 7, {{0}, {1, 2}, {2}, {3}, {4, 6}, {5}, {6}}};
  Structure const u{"7 x 7", 7, 7, {{0}, {1, 3}, {2}, {3}, {4, 5, 6}, {5}, {6}}};
  auto const a = make(s);
  heddle::SpmvPlan const plan(Device{}, a);
  CHECK(plan.matches(Device{}, make(s)));
  CHECK_FALSE(plan.matches(Device{}, make(t)));
  CHECK(refusal_of(plan, a) == "no error");
  CHECK(refusal_of(plan, make(u)) ==
        "heddle::spmv: the plan was made for 7 x 7, 9 entries but A is 7 x 7, 10 entries");
  CHECK(plan.describe().find("compulsory bytes") != std::string::npos);
}

TEST_CASE("plans refuse other blocks, widths and slices", "[plans][formats]")
{
  std::string const text =
      "heddle::spmv: the plan was made for other blocks, widths or slices than A's";
  auto const csr = make_csr<C>(structure("banded"));
  heddle::SpmvPlan const blocks(Device{}, AsBsr<2, 3>::make(Device{}, csr));
  CHECK(refusal_of(blocks, AsBsr<2, 3>::make(Device{}, csr)) == "no error");
  CHECK(refusal_of(blocks, AsBsr<3, 2>::make(Device{}, csr)) == text);
  heddle::SpmvPlan const slices(Device{}, AsSell<8, 2, 1>::make(Device{}, csr));
  CHECK(refusal_of(slices, AsSell<8, 2, 1>::make(Device{}, csr)) == "no error");
  CHECK(refusal_of(slices, AsSell<16, 2, 1>::make(Device{}, csr)) == text);
  heddle::SpmvPlan const parts(Device{}, AsHyb<2>::make(Device{}, csr));
  CHECK(refusal_of(parts, AsHyb<1>::make(Device{}, csr)) == text);
  heddle::SpmvPlan const panels(Device{}, AsRowSegmented<16, 2>::make(Device{}, csr));
  CHECK(refusal_of(panels, AsRowSegmented<16, 2>::make(Device{}, csr)) == "no error");
  CHECK(refusal_of(panels, AsRowSegmented<16, 3>::make(Device{}, csr)) == text);
}

TEST_CASE("the naive kernels are taken by name only", "[plans][formats]")
{
  auto const csr = make_csr<C>(structure("banded"));
  auto const blocks = AsBsr<3, 3>::make(Device{}, csr);
  auto const naive = [](std::string const& name) {
    return name.ends_with("_atomic") || name.ends_with("_element") || name.ends_with("_shared") ||
           name.ends_with("_paper");
  };
  CHECK_FALSE(naive(heddle::SpmmPlan(Device{}, csr).implementation_name()));
  CHECK_FALSE(naive(heddle::SpmmPlan(Device{}, blocks).implementation_name()));
  CHECK_FALSE(naive(heddle::SpmmPlan(Device{}, AsEll::make(Device{}, csr)).implementation_name()));
  auto const slices = AsSell<8, 2, 1>::make(Device{}, csr);
  CHECK_FALSE(naive(heddle::SpmmPlan(Device{}, slices).implementation_name()));
  CHECK_FALSE(naive(heddle::SpmvPlan(Device{}, AsEll::make(Device{}, csr)).implementation_name()));
  CHECK_FALSE(naive(heddle::SpmvPlan(Device{}, to_coo(Device{}, csr)).implementation_name()));
  heddle::papers::SpmmPlan const plan(Device{}, blocks,
                                      {.implementation = "portable::bsr_block_atomic"});
  CHECK(plan.describe().find("by atomic additions") != std::string::npos);
  CHECK_FALSE(plan.is_repeatable(Op::none));
}

#if defined(HEDDLE_HAVE_CUDA_NATIVE)
TEST_CASE("spmm takes the native kernel of a format", "[plans][formats]")
{
  auto const csr = make_csr<C>(structure("banded"));
  auto const name_for = []<class As>(As, auto const& a) {
    return std::string(heddle::SpmmPlan(Device{}, As::make(Device{}, a)).implementation_name());
  };
  CHECK(name_for(AsBsr<3, 3>{}, csr) == "cuda_native::bsr_blocks");
  CHECK(name_for(AsEll{}, csr) == "cuda_native::ell_lines");
  CHECK(name_for(AsSell<8, 2, 1>{}, csr) == "cuda_native::sell_lines");
  CHECK(name_for(AsCsc{}, csr) == "cuda_native::csr_any");
  CHECK(name_for(AsCoo{}, csr) == "cuda_native::csr_any");
  // Rows of C in pieces, and parts that are formats of their own.
  CHECK(name_for(AsDcsr{}, csr) == "portable::csr_team");
  CHECK(name_for(AsHyb<2>{}, csr) == "portable::hyb_parts");
}
#endif

// A float matrix in any format under vectors of double.
TEMPLATE_LIST_TEST_CASE("formats sum float matrices under double vectors in double",
                        "[spmv][formats]", Formats)
{
  using F = Case<Device, float, int, std::size_t>;
  Structure const& s = structure("dense row");
  auto const a = TestType::make(Device{}, make_csr<F>(s));
  heddle::SpmvPlan const plan(Device{}, a);
  for (Op const op : all_ops)
  {
    auto const b =
        plain<double, Kokkos::LayoutLeft, F::space>(is_transposed(op) ? s.rows : s.cols, 1);
    auto const c =
        plain<double, Kokkos::LayoutLeft, F::space>(is_transposed(op) ? s.cols : s.rows, 1);
    fill_input(b);
    multiply(Device{}, plan, op, 1.0, a, b, 0.0, c);
    CHECK(first_difference_in(reference_multiply<float, double, double>(s, op, 1.0, 1, 0.0), c) ==
          "");
  }
}

// Every second element, in both operands or in one.
TEMPLATE_LIST_TEST_CASE("formats take strided vectors", "[spmv][formats]", Formats)
{
  Structure const& s = structure("banded");
  auto const a = TestType::make(Device{}, make_csr<C>(s));
  heddle::SpmvPlan const plan(Device{}, a);
  for (Op const op : all_ops)
  {
    std::int64_t const in = is_transposed(op) ? s.rows : s.cols;
    std::int64_t const out = is_transposed(op) ? s.cols : s.rows;
    auto const b = plain<double, Kokkos::LayoutRight, C::space>(in, 2);
    auto const c = plain<double, Kokkos::LayoutRight, C::space>(out, 2);
    fill_input(b);
    fill_output(c, true);
    multiply(Device{}, plan, op, 1.0, a, b, 0.0, c);
    auto const first = plain<double, Kokkos::LayoutRight, C::space>(out, 1);
    Kokkos::deep_copy(Kokkos::subview(first, Kokkos::ALL, 0), Kokkos::subview(c, Kokkos::ALL, 0));
    CHECK(first_difference_in(reference_multiply<double, double, double>(s, op, 1.0, 1, 0.0),
                              first) == "");
  }
}
